"""What is measured of an episode, by game."""

import math
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import msgspec
import numpy as np

from babelzoo.benchmarks.metrics import (
    Rounds,
    accuracy_by_block,
    context_coded,
    decoder_ceiling,
    measure,
    shuffled_baselines,
    topographic_similarity_p,
)
from babelzoo.benchmarks.metrics.structure import effective_codebook
from babelzoo.benchmarks.metrics.veyru import measure_veyru
from babelzoo.envs.core import Config, Event, Rejected, tables
from babelzoo.envs.lewis import LewisConfig, Pool, RoundEnded

__all__ = ["LAST", "MEASURES", "Measure", "lewis_rounds", "measure_episode"]

LAST = 50  # rounds of the window in which a language is measured
_BLOCKS = (1, 51, 101, 151)  # first rounds of the blocks whose accuracy is measured
_DRAWS = 100  # shuffles and permutations an episode

Measures = dict[str, float | None]
Series = dict[str, list[int | float | None]]


class Measure(msgspec.Struct, frozen=True):
    """How a measure is named in tables.

    Attributes:
        title: A column's head.
        better: Whether `higher` or `lower` is better; empty if neither is.
    """

    title: str
    better: str = ""


MEASURES = {
    "success_rate": Measure("success", "higher"),
    "round_won": Measure("rounds won", "higher"),
    "success_slope": Measure("slope of success a round", "higher"),
    "unplayed_rounds": Measure("rounds not played", "lower"),
    "characters": Measure("characters a round", "lower"),
    "messages": Measure("messages a round"),
    "attempts": Measure("attempts a round"),
    "stabilized": Measure("ended: stabilized", "higher"),
    "over_budget": Measure("ended: over budget", "lower"),
    "stage_lost": Measure("ended: stage lost", "lower"),
    "idle": Measure("ended: idle", "lower"),
    "max_turns": Measure("ended: out of turns", "lower"),
    "model_failure": Measure("ended: unreadable moves", "lower"),
    "guess_score": Measure("eavesdropper's score", "higher"),
    "surprisal": Measure("surprisal (bits a character)"),
    "surprisal_slope": Measure("slope of surprisal a round"),
    "characters_per_message": Measure("characters a message"),
    "character_entropy": Measure("character entropy (bits)"),
    "compression_ratio": Measure("compressed to"),
    "dictionary_share": Measure("words in the dictionary"),
    "repetition_rate": Measure("messages said before"),
    "word_types": Measure("different words"),
    "question_rate": Measure("messages that ask about the code"),
    "productive": Measure("productive runs"),
    "saturation": Measure("possible codes said"),
    "code_exact": Measure("codes predicted"),
    "code_any_order": Measure("codes predicted, in any order"),
    "accuracy": Measure(f"accuracy, last {LAST} rounds", "higher"),
    "accuracy_1_50": Measure("accuracy, rounds 1–50", "higher"),
    "accuracy_51_100": Measure("accuracy, rounds 51–100", "higher"),
    "accuracy_101_150": Measure("accuracy, rounds 101–150", "higher"),
    "accuracy_151_200": Measure("accuracy, rounds 151–200", "higher"),
    "topsim": Measure("TopSim", "higher"),
    "topsim_shuffled": Measure("TopSim, messages shuffled"),
    "topsim_p": Measure("TopSim p"),
    "best_mi": Measure("best MI (bits)", "higher"),
    "best_mi_shuffled": Measure("best MI, messages shuffled"),
    "collision": Measure("collision rate", "lower"),
    "collision_shuffled": Measure("collision, messages shuffled"),
    "posdis": Measure("posdis", "higher"),
    "bosdis": Measure("bosdis", "higher"),
    "mi_message_target": Measure("I(message;target) (bits)"),
    "mi_message_choice": Measure("I(message;choice) (bits)"),
    "mi_message_context": Measure("I(message;candidates|target) (bits)"),
    "decoder_ceiling": Measure("ceiling of a fixed decoder"),
    "context_coded": Measure("context-coded runs"),
    "distinct_messages": Measure("distinct messages"),
    "message_entropy": Measure("message entropy (bits)"),
    "unseen_objects": Measure("objects unseen"),
    "refused": Measure("refused moves", "lower"),
}


def measure_episode(game: str, events: list[Event], config: Config) -> tuple[Measures, Series]:
    """All measures of one episode; None where undefined.

    Args:
        game: The game's name without version.
        events: All that happened.
        config: The game's config.
    """
    refused = sum(isinstance(event, Rejected) for event in events)
    measures, series = _BY_GAME[game](events, config)
    return {
        name: value if value is not None and math.isfinite(value) else None
        for name, value in (measures | {"refused": float(refused)}).items()
    }, series


def lewis_rounds(events: list[Event], config: LewisConfig) -> Rounds:
    """The rounds of an episode as arrays; with several pairs, all rounds pooled."""
    pool = tables(Pool, config)
    place = {token: digit for digit, token in enumerate(pool.task.vocabulary)}
    silence = [-1] * config.message_length
    ended = [event for event in events if isinstance(event, RoundEnded)]
    return Rounds(
        messages=np.array(
            [[place[t] for t in e.sent] if e.sent is not None else silence for e in ended]
        ),
        targets=np.array([e.target for e in ended]),
        choices=np.array([-1 if e.choice is None else e.choice for e in ended]),
        candidates=np.array([e.candidates for e in ended]),
        success=np.array([e.success for e in ended]),
        features=pool.codes,
        vocab_size=config.vocab_size,
    )


def _measure_lewis(events: list[Event], config: Any) -> tuple[Measures, Series]:
    """Accuracy; and, where the extra `analysis` is there, the language of the last rounds."""
    rounds = lewis_rounds(events, config)
    won = rounds.success
    measures: Measures = {
        "success_rate": float(won.mean()),
        "accuracy": float(won[-LAST:].mean()),
    }
    whole_blocks = accuracy_by_block(won[: len(won) // LAST * LAST], LAST)
    for start, accuracy in zip(_BLOCKS, whole_blocks, strict=False):
        measures[f"accuracy_{start}_{start + LAST - 1}"] = float(accuracy)
    series = {"success": won.astype(int).tolist()}
    if find_spec("scipy") is None:
        return measures, series
    language = {name: float(value) for name, value in measure(rounds, LAST).items()}
    del language["accuracy"]
    language["context_coded"] = _context_coded(rounds)
    spoken = rounds.messages[-LAST:, 0] >= 0
    messages, targets = rounds.messages[-LAST:][spoken], rounds.targets[-LAST:][spoken]
    chance = shuffled_baselines(messages, targets, rounds.features, n_shuffles=_DRAWS)
    codebook = effective_codebook(messages, targets)
    probability = topographic_similarity_p(
        codebook.messages, rounds.features[codebook.objects], n_permutations=_DRAWS
    )
    language |= {
        "topsim_shuffled": chance.topsim.mean,
        "best_mi_shuffled": chance.best_mi.mean,
        "collision_shuffled": chance.collision.mean,
        "topsim_p": float(probability),
    }
    return measures | language, series


def _context_coded(rounds: Rounds) -> float:
    """1 if the pair beats the best fixed decoder of all its rounds clearly, else 0.

    All rounds are used: over few of them a fixed decoder can be fitted to chance.
    """
    kept = rounds.messages[:, 0] >= 0
    ceiling = decoder_ceiling(rounds.messages[kept], rounds.targets[kept], rounds.candidates[kept])
    accuracy = float(rounds.success[kept].mean()) if kept.any() else math.nan
    return float(context_coded(accuracy, float(ceiling)))


_BY_GAME: dict[str, Callable[[list[Event], Any], tuple[Measures, Series]]] = {
    "lewis": _measure_lewis,
    "saveveyru": measure_veyru,
}
