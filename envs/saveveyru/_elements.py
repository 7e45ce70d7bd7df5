"""What each template of a procedure asks of a text: a table of elements, step by step.

An element is a pattern of meanings. `|` stands between alternatives, `/` between meanings that
serve alike, `..` for up to five meanings within a sentence, `~` for up to three that name no
other number or part, `...` for anything. `FACE` is the face of the procedure, `PAIRED` stands
if the dim lamp is on it and the bright one on the opposite face.
"""

import re
from functools import cache
from typing import NamedTuple

__all__ = ["START", "TABLE", "Asked", "Need", "pattern"]


class Asked(NamedTuple):
    """Elements of one step, or of the whole text.

    Attributes:
        core: Patterns that both modes ask for: verb and tool, scope.
        strict: Patterns that only strict reading asks for: counts, order marks, modifiers.
        tools: The tools of steps in which the elements count; none for every step.
    """

    core: tuple[str, ...]
    strict: tuple[str, ...]
    tools: frozenset[str] = frozenset()


class Need(NamedTuple):
    """All that a template asks for.

    Attributes:
        anywhere: Elements that may stand anywhere in the text.
        steps: Elements that belong to a tool, in the order in which the steps must stand.
        pair: Whether the template concerns a face and its opposite, so that both may be named.
        alone: The only tools of a text that names both faces; any if empty.
    """

    anywhere: Asked
    steps: tuple[Asked, ...]
    pair: bool = False
    alone: frozenset[str] = frozenset()


_QUANTITIES = "[.]|then|before|after|each|2|pairs?|corners?|edges?"
_GAPS = {
    "...": r"(?: [^ ]+)*?",
    "..": r"(?: [^ .]+){0,5}",
    "~": rf"(?: (?!(?:{_QUANTITIES}) )[^ ]+){{0,3}}",
}


@cache
def pattern(element: str) -> re.Pattern[str]:
    """An element as a regular expression for meanings with a space before and after each.

    Searching takes linear time: gaps are bounded, but for `...` between two equal meanings.
    """
    return re.compile("|".join(_alternative(part) for part in element.split("|")))


def _alternative(part: str) -> str:
    words = [_GAPS.get(word) or f" (?:{word.replace('/', '|')})" for word in part.split()]
    return f"{''.join(words)}(?= )"


_START = "start .. FACE|FACE ~ start|from FACE|FACE ~ first|first ~ FACE|FACE .. then .. other"
_AGAIN = "FACE|there|its|face"  # a second mention of the face
_PLACED = "place|touch|warm"
_RUNG = "ring|sound"
_ALL_FACES = (
    "each face/faces|each 6/1/_/its/body face/faces|each 6 face/faces|6 ~ face/faces|"
    "each 1 faces|other face/faces|other 5|LIST|each 6"
)
_CORNERS = "each ~ corner/corners|4/8 ~ corners|corners .. seq|seq .. corners"
_BOTH = "D ... D|likewise|D each|each D"  # one duration for each of two steps
_ONCE = "once|1 time|1/single ~ ring/time"
_SOFT = "soft ~ mat|cushion"

TABLE = (
    Need(
        Asked(("tone|ring|sound|bell", _ALL_FACES, "simul", _START), ()),
        (
            Asked((), ("steady|place ~ tone",)),
            Asked((), ("fade",), frozenset({"fade"})),
            Asked((), ("wait/until/let .. settle|hum .. settle",), frozenset({"settle"})),
        ),
    ),
    Need(
        Asked(
            ("bell",),
            (
                "alternate|1 .. then .. other",
                "pause/wait .. D|D .. pause/wait/between|between .. ring .. D",
                "5 ~ cycle/time|5 ~ alternate",
                _START,
            ),
        ),
        (Asked((_RUNG, "opposite"), (), frozenset({"bell"})),),
        pair=True,
        alone=frozenset({"", "bell", "tone"}),
    ),
    Need(
        Asked(("bell",), ()),
        (
            Asked(
                ("place", "2/pair ~ adjacent ~ edges|2/pair ~ edges ~ adjacent"),
                ("FACE|there", "D"),
                frozenset({"cloth"}),
            ),
            Asked((_RUNG,), ("3 ~ time/ring|thrice", _AGAIN), frozenset({"bell"})),
        ),
    ),
    Need(
        Asked((), ()),
        (
            Asked((_PLACED, _CORNERS), ("warm", "seq", "D"), frozenset({"stone"})),
            Asked(
                ("trace|run .. finger|finger .. run", "edges|each ~ edge"),
                ("finger", _AGAIN),
                frozenset({"trace"}),
            ),
        ),
    ),
    Need(
        Asked((), ()),
        (Asked((_PLACED, _ALL_FACES), ("warm", "FACE", "D"), frozenset({"stone"})),),
    ),
    Need(
        Asked((), (_BOTH,)),
        (
            Asked(("place", "body"), ("cool",), frozenset({"cloth"})),
            Asked((), ("remove|off",), frozenset({"off"})),
            Asked(("fan", "opposite"), ("cool", "FACE"), frozenset({"fan"})),
        ),
        pair=True,
    ),
    Need(
        Asked(("lamp", "shine|place", "PAIRED", "simul|while"), ("unmoved|steady",)),
        (),
        pair=True,
    ),
    Need(
        Asked(("bell",), ()),
        (
            Asked(("place", "FACE"), ("folded", "D"), frozenset({"cloth"})),
            Asked(
                (_RUNG, "each/4 ~ edge/edges"),
                ("twice|2 ~ time/ring", _AGAIN),
                frozenset({"bell"}),
            ),
        ),
    ),
    Need(
        Asked(("bell",), ()),
        (
            Asked((_RUNG, _CORNERS), ("FACE",), frozenset({"bell"})),
            Asked(
                (_PLACED, "2/pair ~ edges"),
                ("warm", "meet|touch|there|adjacent|corner", "D"),
                frozenset({"stone"}),
            ),
        ),
    ),
    Need(
        Asked(("board", "place", "each/3 ~ pair/pairs|pairs .. each"), ("flat", "rotate")),
        (Asked((), ("FACE", "D"), frozenset({"board"})),),
    ),
    Need(
        Asked(("bell",), (_START,)),
        (
            Asked((_RUNG, _ALL_FACES), (_ONCE, "center"), frozenset({"bell"})),
            Asked((_PLACED, "body"), ("warm", "D"), frozenset({"stone"})),
        ),
    ),
    Need(
        Asked(
            ("place|leave|rotate", _SOFT, "FACE .. up|up .. FACE"),
            ("unmoved|leave",),
        ),
        (),
    ),
    Need(
        Asked((), (_BOTH, _START)),
        (
            Asked(("place", "body"), ("cool",), frozenset({"cloth"})),
            Asked((), ("remove|off",), frozenset({"off"})),
            Asked(("fan", _ALL_FACES), ("cool",), frozenset({"fan"})),
        ),
    ),
    Need(
        Asked(("bell", "rotate"), ("slow", "while|simul", _START)),
        (
            Asked(("tone|sound|ring", "opposite"), ("steady", "D"), frozenset({"tone", "bell"})),
            Asked((_RUNG, _CORNERS), (_ONCE,), frozenset({"bell"})),
        ),
        pair=True,
    ),
)
"""The templates in their order."""

START = pattern(_START)
"""Where the face is named as the one to start from."""
