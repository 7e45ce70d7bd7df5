"""The steps of a procedure in English: which tool does what, and in which order."""

from itertools import pairwise
from typing import NamedTuple

from babelzoo.envs.saveveyru._words import word_set

__all__ = ["Step", "steps"]

_TOOLS = {
    "bell": "bell",
    "ring": "bell",
    "cloth": "cloth",
    "stone": "stone",
    "fan": "fan",
    "lamp": "lamp",
    "board": "board",
    "cushion": "mat",
    "finger": "trace",
    "trace": "trace",
    "remove": "off",
    "off": "off",
    "fade": "fade",
    "settle": "settle",
}
_STRONG = word_set(". then before after earlier")
_WEAK = word_set(", and while with")
_ACTIONS = word_set("place ring sound warm fan shine trace run take remove touch")
_REACH = 5  # meanings between a conjunction and its verb


class Step(NamedTuple):
    """What is said of one tool in one go.

    Attributes:
        tool: `bell`, `tone`, `cloth`, `stone`, `fan`, `lamp`, `board`, `mat` or `trace`; `off`
            for taking something away, `fade` and `settle` for what is waited for; empty if no
            tool is named.
        text: The meanings, with a space before and after each.
    """

    tool: str
    text: str


def steps(meanings: list[str]) -> list[Step]:
    """The steps in the order in which they are to be done.

    That is the order of the text, unless a "before" or an "after" says otherwise. What stands
    between two tools may belong to both steps. Linear in the number of meanings.

    Args:
        meanings: A text in plain words.

    Returns:
        At least one step.
    """
    heads = _heads(meanings)
    if not heads:
        return [Step("", _joined(meanings))]
    bounds = [_cut(meanings, one, two) for one, two in pairwise(heads)]
    starts = [0, *(start for _, start in bounds)]
    ends = [*(end for end, _ in bounds), len(meanings)]
    found = [
        Step(tool, _joined(meanings[start:end]))
        for (_, tool), start, end in zip(heads, starts, ends, strict=True)
    ]
    order = list(range(len(heads)))
    places = [place for place, _ in heads]
    for i in order[:]:
        other = _exchanged(meanings, places, i, starts[i])
        if 0 <= other < len(order):
            order[i], order[other] = order[other], order[i]
    return [found[i] for i in order]


def _heads(meanings: list[str]) -> list[tuple[int, str]]:
    """Where a tool is named, but for those of the same clause as the last mention of it."""
    heads: list[tuple[int, str]] = []
    last = ""
    for place, meaning in enumerate(meanings):
        tool = _tool(meanings, place)
        if tool and tool != last:
            heads.append((place, tool))
        if tool or meaning in _STRONG:
            last = tool
    return heads


def _joined(meanings: list[str]) -> str:
    return f" {' '.join(meanings)} "


def _tool(meanings: list[str], place: int) -> str:
    """The tool that a step at `place` is about; empty if none is named there."""
    word = meanings[place]
    if word in ("mat", "cushion"):
        return "mat" if word == "cushion" or "soft" in meanings[max(0, place - 3) : place] else ""
    if word != "tone" and word != "sound":
        return _TOOLS.get(word, "")
    # "at a firm tone" is how a bell rings; "sound a steady tone" is a step of its own.
    before = meanings[max(0, place - 8) : place][::-1]
    stop = next((i for i, other in enumerate(before) if other in _STRONG), len(before))
    before, after = before[:stop], meanings[place + 1 : place + 4]
    if "steady" in before[:3] or (after and after[0] == "steady"):
        return "tone"
    if word == "sound" or "bell" in before or "ring" in before:
        return ""
    return "tone" if {"sound", "hum", "place"} & set(before[:5]) and "bell" not in after else ""


def _cut(meanings: list[str], one: tuple[int, str], two: tuple[int, str]) -> tuple[int, int]:
    """Where the step of one tool ends and where that of the next begins, which may be before."""
    (first, tool), (second, other) = one, two
    between = range(first + 1, second)
    strong = [i for i in between if meanings[i] in _STRONG]
    if tool == other:
        end = strong[-1] if strong else second
        return end, end
    breaks = strong or [i for i in between if meanings[i] in _WEAK]
    acting = [i for i in breaks if _acts(meanings, i, second)]
    if strong:
        return strong[-1], (acting or strong[-1:])[0]
    if breaks:
        start = (acting or breaks[-1:])[0]
        return start, start
    start = next((i for i in between if meanings[i] in _ACTIONS), second)
    return start, start


def _acts(meanings: list[str], place: int, end: int) -> bool:
    """Whether a verb of doing follows on a conjunction, before the next one."""
    for meaning in meanings[place + 1 : min(place + 1 + _REACH, end + 1)]:
        if meaning in _ACTIONS:
            return True
        if meaning in _WEAK:
            return False
    return False


def _exchanged(meanings: list[str], heads: list[int], i: int, start: int) -> int:
    """The step with which step `i` changes places because of "before" or "after"; -1 if none."""
    head = heads[i]
    lead = range(head - 1, start - 1, -1)
    if "earlier" in meanings[start:head]:
        return i - 1
    place = next((p for p in lead if meanings[p] in ("before", "after")), -1)
    if place < 0 or "," in meanings[place:head] or "." in meanings[place:head]:
        return -1
    first = i == 0 or "." in meanings[heads[i - 1] : place]
    rest = meanings[head : heads[i + 1]] if i + 1 < len(heads) else ["."]
    last = "." in rest
    if meanings[place] == "before":
        return i + 1 if first and not last else -1
    if first or (not last and meanings[place - 1] in (",", "and", "then")):
        return -1
    return i - 1
