"""Plain words: a procedure in free English as a short sequence of meanings, with its slots.

A meaning is a lower-case word that stands for all its synonyms (`place` for drape, lay, ...). `.`
and `,` end a sentence and a clause, `_` is a word that is not known, digits are a number. `D`
stands for a duration, `I` for an intensity, `LIST` for all six faces by name, and the six faces
for themselves. What is negated is left out.
"""

import re
from typing import NamedTuple

from babelzoo.envs.saveveyru._words import (
    FILLERS,
    NUMBERS,
    PHRASES,
    UNITS,
    WORDS,
    word_set,
)
from babelzoo.envs.saveveyru.procedures import FACES, OPPOSITE

__all__ = ["Plain", "plain"]

_INVALID = -1  # a duration that is no whole number of seconds below 10,000
_LINE = re.compile(r"\n[ \t]*(?=[A-Z*(\"'\n-])")
_MARKER = re.compile(
    r"(?:^|(?<=[\n.,;:]))[ \t]*(?:step[ \t]+)?[0-9]{1,2}[.):](?=[ \t])", re.IGNORECASE
)
_BRACKETED = re.compile(r"\([0-9]{1,2}\)")
_SPAN = re.compile(r"(?<=[0-9])[ \t]{0,3}[-\u2013\u2014][ \t]{0,3}(?=[0-9])")
_APOSTROPHE = re.compile(r"['\u2019](?:s\b)?")
_TOKEN = re.compile(r"[0-9]+(?:\.[0-9]+)?(?![a-z0-9])|[a-z0-9]+|[.!?;,:()&\u2013\u2014]| - ")
_MIXED = re.compile(r"([0-9]{1,4})([a-z]+)")
_SIGNS = dict.fromkeys(".!?;", ".") | dict.fromkeys(",:()\u2013\u2014", ",")
_SIGNS |= {" - ": ",", "&": "and"}

_INTENSITIES = {
    **dict.fromkeys(("gentle", "gently", "gentleness"), "gentle"),
    **dict.fromkeys(("moderate", "moderately", "moderation"), "moderate"),
    **dict.fromkeys(("firm", "firmly", "firmness"), "firm"),
}
_LONG = word_set("full whole complete entire long more further straight")

# A face's name is one only in a place where a face is meant.
_NOUNS = word_set("face faces side sides")
_PARTS = word_set("edge edges corner corners")
_BEFORE_FACE = word_set(
    "at on near from with beside to against over of by across toward towards onto "
    "upon around face side faces sides start starting begin beginning opposite its is "
    "are be"
)
_NO_FACE = word_set("amount way order moment time place spot angle hand thing line")
_IDIOMS = {
    "left": word_set("alone undisturbed untouched unmoved still standing there in to for as over"),
    "right": word_set(
        "beside next near after before away now at on over there above against in by up "
        "here onto under along then when to where around across into"
    )
    | _NO_FACE,
    "back": word_set("and to again in into onto off down out away where on at"),
    "front": _NO_FACE,
    "top": word_set("off"),
    "bottom": _NO_FACE,
}
_GLUE = word_set(", and the then or to next finally face side first")
_ENDS_NEGATION = word_set(". , then but and before after D")


class Plain(NamedTuple):
    """What a text says, before it is known which procedure that is.

    Attributes:
        meanings: The meanings in order.
        durations: The different durations in seconds; -1 for one that is no whole number.
        intensities: The different intensities.
    """

    meanings: tuple[str, ...]
    durations: frozenset[int]
    intensities: frozenset[str]


def plain(text: str) -> Plain:
    """Reads `text` word by word; takes linear time and raises nothing, whatever the text."""
    words = _tokens(text)
    faces = _faces(words)
    _lists(words, faces)
    meanings: list[str] = []
    values: list[int | str] = []  # of slots; parallel to meanings
    place = 0
    while place < len(words):
        found, value, length = _read(words, place, faces)
        meanings += found
        values += [value] * len(found)
        place += length
    kept = _unnegated(meanings)
    return Plain(
        tuple(meanings[i] for i in kept),
        frozenset(value for i in kept if isinstance(value := values[i], int)),
        frozenset(str(values[i]) for i in kept if meanings[i] == "I"),
    )


def _tokens(text: str) -> list[str]:
    """Lower-case words, numbers and signs; marks of list items and line ends become full stops."""
    text = _MARKER.sub(" . ", text)
    text = _LINE.sub(" . ", text)
    text = _APOSTROPHE.sub("", _BRACKETED.sub(" . ", _SPAN.sub(" to ", text))).lower()
    found: list[str] = []
    for token in _TOKEN.findall(text.replace("\n", " ")):
        mixed = _MIXED.fullmatch(token)
        if mixed and (mixed[2] in UNITS or mixed[2] == "x"):
            found += (mixed[1], mixed[2].replace("x", "times"))
        else:
            found.append(_SIGNS.get(token, token))
    return found


def _read(words: list[str], place: int, faces: list[str]) -> tuple[tuple[str, ...], int | str, int]:
    """What stands at `place`: its meanings, the value if it is a slot, and its length in words."""
    word = words[place]
    if faces[place]:
        return (faces[place],), "", 1
    for phrase, meaning in PHRASES.get(word, ()):
        end = place + len(phrase)
        if tuple(words[place:end]) == phrase and not any(faces[place:end]):
            return meaning, "", len(phrase)
    number, length = _number(words, place)
    if length:
        seconds, more = _duration(words, place + length, number)
        return (("D",), seconds, length + more) if more else ((str(number),), "", length)
    if word in _INTENSITIES:
        return ("I",), _INTENSITIES[word], 1
    if word in FILLERS:
        return (), "", 1
    return (WORDS.get(word, word if word in ".," else "_"),), "", 1


def _number(words: list[str], place: int) -> tuple[int, int]:
    """A number in digits or words, and how many words it takes up: 0 if there is none."""
    word = words[place]
    if word[0] in "0123456789":
        whole, _, part = word.partition(".")
        valid = word.replace(".", "").isdigit() and len(whole) < 5 and not part.strip("0")
        return (int(whole) if valid else _INVALID), int(word.replace(".", "").isdigit())
    if word not in NUMBERS:
        return 0, 0
    number = NUMBERS[word]
    following = NUMBERS.get(words[place + 1], 0) if place + 1 < len(words) else 0
    if number >= 20 and number % 10 == 0 and 0 < following < 10:
        return number + following, 2
    return number, 1


def _duration(words: list[str], place: int, number: int) -> tuple[int, int]:
    """The seconds that a number before `place` counts, and how many words say so, 0 for none."""
    length = 0
    if words[place : place + 1] and words[place] in _LONG:
        length = 1
    if words[place : place + 1] in (["to"], ["or"]) and place + 2 < len(words):
        until, used = _number(words, place + 1)  # "10 to 12 seconds" names no duration
        unit = words[place + 1 + used : place + 2 + used]
        if used and unit and unit[0] in UNITS and until != number:
            return _INVALID, 2 + used
    unit = words[place + length : place + length + 1]
    if not unit or unit[0] not in UNITS:
        return 0, 0
    return (number * UNITS[unit[0]] if number >= 0 else _INVALID), length + 1


def _faces(words: list[str]) -> list[str]:
    """For each word the face that it names there, or an empty string."""
    named = [word if word in OPPOSITE and _names(words, i) else "" for i, word in enumerate(words)]
    unsure = [i for i, word in enumerate(words) if word in OPPOSITE and not named[i]]
    for place in reversed(unsure):  # "left and right faces": what is listed with a face is one
        if any(_listed(words, place, other) and named[other] for other in _ahead(words, place)):
            named[place] = words[place]
    for place in unsure:
        after = words[place + 1] if place + 1 < len(words) else "."
        behind = range(max(0, place - 3), place)
        if after not in _IDIOMS[words[place]] and any(
            named[other] and _listed(words, other, place) for other in behind
        ):
            named[place] = words[place]
    return named


def _ahead(words: list[str], place: int) -> range:
    return range(place + 2, min(len(words), place + 5))


def _listed(words: list[str], first: int, second: int) -> bool:
    """Whether only a comma, "and", "or" and articles stand between two words."""
    between = words[first + 1 : second]
    return bool(between) and between[0] in (",", "and", "or") and _GLUE.issuperset(between)


def _names(words: list[str], place: int) -> bool:
    """Whether a face's name means that face; "right beside" and "left undisturbed" do not."""
    word = words[place]
    earlier, before = (words[i] if i >= 0 else "." for i in (place - 2, place - 1))
    after, later = (words[i] if i < len(words) else "." for i in (place + 1, place + 2))
    if after in _NOUNS or (after == "hand" and later in _NOUNS):
        return True
    if after in _PARTS or _part(words, place) or (word, before) in (("front", "in"), ("top", "on")):
        return False
    if (after == "to" and later == OPPOSITE[word]) or (
        before == "to" and earlier == OPPOSITE[word]
    ):
        return False
    if before == "the":
        turned = {"rotate"} & {WORDS.get(w) for w in words[max(0, place - 6) : place]}
        return after not in _NO_FACE and not (turned and earlier == "to")
    if after in _IDIOMS[word] or (word == "left" and before in ("is", "are", "be", "to")):
        return False
    if word in ("top", "bottom", "front") or before in _BEFORE_FACE:
        return True
    return before in ",." and after in (",", ".", "first")


def _part(words: list[str], place: int) -> bool:
    """Whether the word names a corner or an edge with others: "top left", "left and top edges"."""
    word, end = words[place], len(words)
    for step in (1, -1):
        other, beyond = place + step, place + 2 * step
        if 0 <= other < end and words[other] in OPPOSITE:
            chained = 0 <= beyond < end and words[beyond] in OPPOSITE
            if words[other] not in (word, OPPOSITE[word]) and not chained:
                return True
    ahead = place + 1
    while ahead < min(end, place + 12) and (words[ahead] in OPPOSITE or words[ahead] in _GLUE):
        ahead += 1
    return ahead < end and words[ahead] in _PARTS and words[ahead - 1] in OPPOSITE


def _lists(words: list[str], faces: list[str]) -> None:
    """Puts `LIST` for faces that are named to spell out all six.

    The first of them stays if it is said that it is the first.
    """
    if not set(FACES).issubset(faces):
        return
    runs: list[list[int]] = []
    for place, name in enumerate(faces):
        if name and runs and _GLUE.issuperset(words[runs[-1][-1] + 1 : place]):
            runs[-1].append(place)
        elif name:
            runs.append([place])
    for run in runs:
        names = {faces[place] for place in run}
        if len(names) < len(FACES) - 1:
            continue
        before = {WORDS.get(word) for word in words[max(0, run[0] - 3) : run[0]]}
        second = words[run[0] + 1 : run[1]]
        if len(names) == len(FACES) and ("start" in before or "first" in second):
            del run[0]
        for place in run:
            faces[place] = ""
            words[place] = "a"
        faces[run[0]] = "LIST"


def _unnegated(meanings: list[str]) -> list[int]:
    """Places of the meanings that are not negated; "not moved" and the like become `unmoved`."""
    kept: list[int] = []
    place = 0
    while place < len(meanings):
        if meanings[place] != "not":
            kept.append(place)
            place += 1
            continue
        near = meanings[place + 1 : place + 5]
        moved = next((i for i, m in enumerate(near) if m in ("move", "touch")), None)
        if moved is not None and not _ENDS_NEGATION & set(near[:moved]):
            meanings[place] = "unmoved"
            kept.append(place)
            place += moved + 2
            continue
        while place < len(meanings) and (
            meanings[place] == "not" or meanings[place] not in _ENDS_NEGATION
        ):
            place += 1
    return kept
