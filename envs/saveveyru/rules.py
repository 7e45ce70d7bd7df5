"""The rules of SaveVeyru as each role reads them; the prompts are files in `prompts/`."""

import re
from functools import cache
from importlib.resources import files
from operator import attrgetter
from typing import Any

from babelzoo.envs.core import tables
from babelzoo.envs.saveveyru.knobs import Offers, VeyruConfig
from babelzoo.envs.saveveyru.motifs import MOTIFS, symptoms
from babelzoo.envs.saveveyru.procedures import TEMPLATES, TITLES

__all__ = ["write_rules"]

_READ = '{"action":"read","channel":"link","last_n":5} or `read link 5`'


@cache
def _template(name: str) -> str:
    path = files("babelzoo.envs.saveveyru").joinpath("prompts", f"{name}.md")
    return path.read_text(encoding="utf-8")


def write_rules(config: VeyruConfig, role: str) -> str:
    """The rules as `role` reads them: `observer`, `specialist`, `intern` or `eavesdropper`."""
    if role == "eavesdropper":
        parts = _eavesdropping(config)
    elif role == "intern":
        parts = {
            "listens": _rounds(config.intern_joins, config.intern_takes_over - 1),
            "takes_over": config.intern_takes_over,
            "observer": write_rules(config, "observer"),
        }
    else:
        parts = _paragraphs(config, role)
    written = _template(role).format(**parts).strip()
    return re.sub(r"\n{3,}", "\n\n", written)


def _paragraphs(config: VeyruConfig, role: str) -> dict[str, Any]:
    """The rules' parts that depend on the knobs."""
    other = "specialist" if role == "observer" else "observer"
    motifs = [MOTIFS[place] for place in config.motifs]
    urgent = sorted(motifs, key=attrgetter("priority"))
    cut = config.conflict > 0
    return {
        "n_rounds": config.n_rounds,
        "veyrus": _count(config.n_rounds, "Veyru"),
        "max_turns": config.max_turns,
        "link": "You talk over a link.",
        "budget": f"Talking on the link takes time: {_charge(config)}. The two of you share "
        f"{_count(config.budget, 'second')} a round. Once more is used, the Veyru collapses; "
        "exactly all of it is still safe. You are warned once, when more than three quarters are "
        f"used up{', and see what is used' if config.show_budget else ''}.{_alphabet(config)}",
        "noise": _noise(config),
        "stabilize": _stabilize(config),
        "judging": _judging(config),
        "attempts": ""
        if config.attempts is None
        else f", but each trouble allows {config.attempts}; then the Veyru is lost",
        "postmortem": "After each round you can talk on the channel `postmortem`, free of "
        f"charge, until both of you wait one after the other (at most "
        f"{config.max_postmortem_turns} turns). Use it to agree how to say more in fewer "
        "characters. The link is shut then.\n"
        if config.postmortem
        else "",
        "conflict": ""
        if not cut
        else "In some rounds the specialist is paid for the opposite: it loses what the "
        "observer earns. Only the specialist is told in which.\n",
        "pull": "Messages are not shown by themselves: you are told how many are unread, and "
        f"read them with {_READ}.\n"
        if config.delivery == "pull"
        else "",
        "moves": 'To talk, answer {"action":"send","channel":"link","text":"..."} or just '
        "`link: ...`; to say and do nothing, `wait`. "
        + (
            f"The {other} is told on its next turn that there is something to read."
            if config.delivery == "pull"
            else f"The {other} sees what you send on its next turn."
        ),
        "glossary": "\n".join(
            f"- {MOTIFS[place].name}: {symptoms(place)}" for place in config.motifs
        ),
        "priorities": ", ".join(motif.name for motif in urgent),
        "templates": _templates(config),
    }


def _charge(config: VeyruConfig) -> str:
    """What talking and silence cost, after "on the link"."""
    parts = ["each character on it takes 1 second"]
    if config.min_cost:
        parts.append(f"a message takes {_count(config.min_cost, 'second')} at least")
    if config.turn_cost:
        cost = _count(config.turn_cost, "second")
        parts.append(f"a turn in which nothing is sent on it takes {cost}")
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"


def _rounds(first: int, last: int) -> str:
    return f"In round {first}" if first == last else f"From round {first} to round {last}"


def _alphabet(config: VeyruConfig) -> str:
    if config.charset == "ascii":
        return " Only the letters, digits and signs of plain ASCII can be sent, on one line."
    if config.charset == "symbols":
        return f" Only these characters can be sent: {' '.join(config.symbols)}."
    return ""


def _noise(config: VeyruConfig) -> str:
    if not config.noise:
        return ""
    becomes = "an underscore" if config.noise_mode == "mask" else "another letter"
    return (
        f"The link is noisy: each character becomes {becomes} with probability {config.noise:g}.\n"
    )


def _stabilize(config: VeyruConfig) -> str:
    if config.action_format == "english":
        return '{"action":"stabilize","procedure":"..."} or `stabilize: ...`, in plain English.'
    label = tables(Offers, config).labels[0]
    return (
        f'{{"action":"stabilize","template":"{label}","face":"{config.faces[0]}",'
        f'"intensity":"{config.intensities[0]}","seconds":{config.seconds[0]}}}. The template '
        "is a letter of your own list, which is shown to you; the specialist has no such "
        f"letters.\nThese are the treatments; the parts in brackets change:\n"
        f"{_templates(config)}"
    )


def _judging(config: VeyruConfig) -> str:
    if config.action_format == "structured":
        return "A treatment works only if template, face, intensity and seconds are all right."
    return (
        "A treatment works only if it is described in full, in plain English that a stranger "
        "would understand: what is used and how, where, how strongly, for how many seconds, "
        "and in which order. Shorthand and codes are understood by nobody but you two."
    )


def _templates(config: VeyruConfig) -> str:
    named = {name: f"[{name}]" for name in ("face", "intensity", "seconds")}
    listed = sorted(TEMPLATES[place].format(**named) for place in config.motifs)
    if config.action_format == "structured" or config.mode == "eavesdropper":
        listed = sorted(
            f"{TITLES[place]}: {TEMPLATES[place].format(**named)}" for place in config.motifs
        )
    return "\n".join(f"- {line}" for line in listed)


def _eavesdropping(config: VeyruConfig) -> dict[str, Any]:
    budget = config.eavesdropper_budget
    title = TITLES[config.motifs[0]]
    return {
        "n_rounds": config.n_rounds,
        "charge": _charge(config),
        "heard": "" if budget is None else f", at most {budget} characters of it a round",
        "outcomes": ""
        if config.eavesdropper_sees == "messages"
        else ", and you are told of each trouble that was put right",
        "templates": _templates(config),
        "guess": f'{{"action":"guess","template":"{title}","face":"{config.faces[0]}",'
        f'"intensity":"{config.intensities[0]}","seconds":{config.seconds[0]}}}',
        "n_templates": len(config.motifs),
        "n_faces": len(config.faces),
        "n_intensities": len(config.intensities),
        "n_seconds": len(config.seconds),
    }
