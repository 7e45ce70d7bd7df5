"""The judge of procedures in free English: a deterministic reader that knows no case.

It reads a text as a stranger would: what is carried by an abbreviation or a code alone is absent,
and what is no action is passed over. How it works: words become meanings (`_plain`), meanings
become the steps of tools in the order in which they are to be done (`_steps`), and these are
compared with what each template asks for (`_elements`).
"""

import re
from collections.abc import Iterator, Sequence

from babelzoo.envs.saveveyru._elements import START, TABLE, Asked, Need, pattern
from babelzoo.envs.saveveyru._plain import plain
from babelzoo.envs.saveveyru._steps import Step, steps
from babelzoo.envs.saveveyru.procedures import OPPOSITE, Procedure

__all__ = ["read"]

_LAMPS = {"dim": "d", "bright": "b", "FACE": "f", "opposite": "o"}
_PAIRED = re.compile("dfbo|fdob|bodf|obfd|dbfo|bdof")


def read(text: str, strict: bool) -> Procedure | None:
    """The one procedure that a text states in full.

    A text states none if an element of every template is missing, if it states two, or if it
    names two faces, intensities or durations where one is needed. The required procedure was
    done if and only if it equals this one.

    Args:
        text: Anything. The time taken is linear in its length, and nothing is raised.
        strict: Whether every element must be named, or verb and tool, scope and slots only.

    Returns:
        The procedure, its seconds from 1 up; None if the text states no procedure, or two.
    """
    said = plain(text)
    if len(said.durations) != 1 or len(said.intensities) != 1:
        return None
    (seconds,), (intensity,) = said.durations, said.intensities
    if seconds < 1:
        return None
    faces, paired = _faces(said.meanings)
    for face in faces:
        found = _templates(said.meanings, face, paired, strict)
        if len(found) == 1:
            return Procedure(found[0], face, intensity, seconds)
        if found:
            return None
    return None


def _faces(meanings: Sequence[str]) -> tuple[list[str], bool]:
    """The faces that may be meant, the likeliest first, and whether a pair is named as such.

    What is named as the opposite face ("the opposite face, the bottom") is no second face. Two
    opposite faces without that word serve where a pair is needed: the face is the one to start
    from, or the first. A text that starts from both, or says twice which is opposite, names two.
    """
    named = list(dict.fromkeys(meaning for meaning in meanings if meaning in OPPOSITE))
    if len(named) < 2:
        return named, False
    if named[1] != OPPOSITE[named[0]] or len(named) > 2:
        return [], False
    others = {other for i, m in enumerate(meanings) if (other := _called_opposite(meanings, i, m))}
    if len(others) == 1:
        return [face for face in named if face not in others], False
    if " or " in " ".join(meanings) and _alternatives(meanings):
        return [], False
    first = [face for face in named if START.search(_seen(meanings, face))]
    marks = sum(meaning in ("start", "first", "from") for meaning in meanings)
    if (len(first) == 2 and marks > 1) or meanings.count("opposite") > 1:
        return [], False
    return sorted(named, key=lambda face: face not in first), True


def _called_opposite(meanings: Sequence[str], place: int, meaning: str) -> str:
    """The face that an "opposite" at `place` names as such; empty if none."""
    if meaning != "opposite":
        return ""
    after = [m for m in meanings[place + 1 : place + 4] if m not in ("face", ",")][:1]
    if after and after[0] in OPPOSITE:
        return after[0]
    before = [m for m in meanings[max(0, place - 3) : place] if m not in ("face", ",")][-1:]
    if before and before[0] in OPPOSITE and (after == ["of"] or meanings[place - 1] == ","):
        return before[0]
    return ""


def _alternatives(meanings: Sequence[str]) -> bool:
    """Whether two faces are named as alternatives: "top or bottom"."""
    kept = [meaning for meaning in meanings if meaning not in ("face", ",")]
    return any(
        m == "or" and kept[i - 1] in OPPOSITE and kept[i + 1] in OPPOSITE
        for i, m in enumerate(kept[1:-1], start=1)
    )


def _seen(meanings: Sequence[str], face: str) -> str:
    """The meanings as patterns want them, if `face` is the face of the procedure."""
    names = {face: "FACE", OPPOSITE[face]: "opposite"}
    return f" {' '.join([names.get(meaning, meaning) for meaning in meanings])} "


def _templates(meanings: Sequence[str], face: str, paired: bool, strict: bool) -> list[int]:
    """The templates whose elements are all there."""
    text = _seen(meanings, face)
    seen = text.split()
    lamps = [_LAMPS[m] for i, m in enumerate(seen) if m in _LAMPS and seen[i - 1] != "of"]
    if _PAIRED.search("".join(lamps)):
        text += "PAIRED "
    done = steps(seen)
    tools = {step.tool for step in done}
    return [
        place
        for place, need in enumerate(TABLE)
        if (need.pair or not paired)
        and (not paired or not need.alone or tools <= need.alone)
        and _satisfied(need, text, done, strict)
    ]


def _satisfied(need: Need, text: str, done: Sequence[Step], strict: bool) -> bool:
    if not all(pattern(element).search(text) for element in _asked(need.anywhere, strict)):
        return False
    at = iter(done)
    return all(_done(asked, at, strict) for asked in need.steps)


def _asked(asked: Asked, strict: bool) -> tuple[str, ...]:
    return asked.core + asked.strict if strict else asked.core


def _done(asked: Asked, at: Iterator[Step], strict: bool) -> bool:
    """Goes on in the steps until all elements of one of the template's were there."""
    missing = set(_asked(asked, strict))
    while missing:
        step = next(at, None)
        if step is None:
            return False
        if step.tool in asked.tools or not asked.tools:
            missing = {e for e in missing if not pattern(e).search(step.text)}
    return True
