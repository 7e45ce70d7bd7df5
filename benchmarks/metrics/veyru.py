"""What is measured of an episode of SaveVeyru: success, effort, and the language on the link."""

import math
from collections.abc import Iterable, Sequence
from importlib.util import find_spec

import numpy as np

from babelzoo.benchmarks.analysis.paradigms import induce, production
from babelzoo.benchmarks.analysis.questions import Message, questions
from babelzoo.benchmarks.metrics import text
from babelzoo.benchmarks.metrics.strings import string_topographic_similarity
from babelzoo.envs.core import Event
from babelzoo.envs.saveveyru import Guessed, RoundEnded, Sent, VeyruConfig
from babelzoo.envs.saveveyru.terms import ENDS

__all__ = ["last_words", "measure_veyru"]

Measures = dict[str, float | None]
Meaning = tuple[int, str, str, int]
Series = dict[str, list[int | float | None]]


def measure_veyru(events: Sequence[Event], config: VeyruConfig) -> tuple[Measures, Series]:
    """All measures of one episode, and success and surprisal by round.

    Success is a mean over the rounds that the configuration asks for, so that a round that was
    not played counts 0; all else is over the rounds that were played. A measure of messages is
    of what was sent on the link, before noise. Source: GlossoGen 2026, Metrics.

    Args:
        events: All that happened.
        config: The rules.

    Returns:
        Measures, None or nan where undefined; series of one entry a round, None for a round
        without a message.
    """
    ended = [event for event in events if isinstance(event, RoundEnded)]
    rounds = sorted({event.round for event in ended})
    pairs = 2 if config.mode == "two_teams" else 1
    configured = config.n_rounds * pairs
    stages = [event.stages_done / len(event.motifs) for event in ended]
    measures: Measures = {
        "success_rate": sum(stages) / configured,
        "round_won": sum(share == 1 for share in stages) / configured,
        "unplayed_rounds": float(configured - len(ended)),
        "characters": _mean(event.characters for event in ended),
        "messages": _mean(event.messages for event in ended),
        "attempts": _mean(event.attempts for event in ended),
    }
    for end in ENDS:
        measures[end] = _mean(event.end == end for event in ended)
    guesses = [sum(event.hits) / 4 for event in events if isinstance(event, Guessed)]
    if guesses:
        measures["guess_score"] = _mean(guesses)
    sent = [event for event in events if isinstance(event, Sent) and event.channel == "link"]
    surprisal = _surprisal_by_round(sent, rounds)
    success: list[int | float | None] = [
        _mean(s for s, e in zip(stages, ended, strict=True) if e.round == r) for r in rounds
    ]
    measures |= {
        "surprisal": _mean(value for value in surprisal if value is not None),
        "success_slope": _slope(rounds, success),
        "surprisal_slope": _slope(rounds, surprisal),
    }
    measures |= _language([event.text for event in sent])
    if sent:
        links = [[event for event in sent if event.team == team] for team in range(pairs)]
        asked = [questions([Message(e.agent, e.text) for e in link]) for link in links]
        measures["question_rate"] = sum(map(len, asked)) / len(sent)
    words, meanings = _codes(sent, events)
    paradigm = induce(words, meanings)
    produced = production(paradigm, words, meanings)
    measures |= {
        "productive": float(paradigm.productive),
        "saturation": paradigm.saturation if paradigm.possible else math.nan,
        "code_exact": produced.exact,
        "code_any_order": produced.any_order,
    }
    if find_spec("scipy") is not None and find_spec("rapidfuzz") is not None:
        measures |= _topsim(words, meanings)
    return measures, {"success": success, "surprisal": surprisal}


def last_words(events: Sequence[Event]) -> str:
    """What the specialist said of the first stage of the last round of the first pair."""
    last = max((event.round for event in events if isinstance(event, RoundEnded)), default=0)
    return " | ".join(
        event.text
        for event in events
        if isinstance(event, Sent)
        and (event.round, event.team, event.stage) == (last, 0, 0)
        and (event.channel, event.seat) == ("link", "specialist")
    )


def _language(texts: list[str]) -> Measures:
    return {
        "characters_per_message": _mean(len(sent) for sent in texts),
        "character_entropy": float(text.character_entropy(texts)),
        "compression_ratio": float(text.compression_ratio(texts)),
        "dictionary_share": float(text.dictionary_share(texts)),
        "repetition_rate": float(text.repetition_rate(texts)),
        "word_types": float(text.type_token_growth(texts)[-1]) if texts else 0.0,
    }


def _surprisal_by_round(sent: Sequence[Sent], rounds: Sequence[int]) -> list[int | float | None]:
    """Bits a character: mean over a message, over a round's messages."""
    values = text.message_surprisals([event.text for event in sent])
    by_round: dict[int, list[float]] = {number: [] for number in rounds}
    for event, value in zip(sent, values, strict=True):
        if not math.isnan(value):
            by_round.setdefault(event.round, []).append(float(value))
    return [sum(found) / len(found) if found else None for found in by_round.values()]


def _codes(sent: Sequence[Sent], events: Sequence[Event]) -> tuple[list[str], list[Meaning]]:
    """The specialist's words for each stage, and template, face, intensity, seconds it needed."""
    needed = {}
    for event in events:
        if isinstance(event, RoundEnded):
            for stage, procedure in enumerate(event.procedures):
                needed[event.round, event.team, stage] = procedure
    words: dict[tuple[int, int, int], list[str]] = {}
    for event in sent:
        place = (event.round, event.team, event.stage)
        if event.seat == "specialist" and place in needed:
            words.setdefault(place, []).append(event.text)
    meanings = [needed[place] for place in words]
    return (
        ["\n".join(texts) for texts in words.values()],
        [(m.template, m.face, m.intensity, m.seconds) for m in meanings],
    )


def _topsim(words: list[str], meanings: list[Meaning]) -> Measures:
    """TopSim of the specialist's words against what they were to say."""
    found = string_topographic_similarity(words, meanings)
    return {
        "topsim": float(found.topsim),
        "topsim_shuffled": found.shuffled.mean,
        "topsim_p": float(found.p),
    }


def _slope(rounds: Sequence[int], values: Sequence[float | None]) -> float:
    """Least-squares slope a round; nan for fewer than 3 values."""
    kept = [(x, y) for x, y in zip(rounds, values, strict=True) if y is not None]
    if len(kept) < 3:
        return math.nan
    x, y = np.array(kept, dtype=float).T
    return float(np.polyfit(x, y, 1)[0])


def _mean(values: Iterable[float]) -> float:
    kept = list(values)
    return sum(kept) / len(kept) if kept else math.nan
