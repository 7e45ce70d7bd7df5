"""Which English words and phrases the judge of procedures knows, and what each means to it."""

from collections.abc import Iterator

__all__ = ["FILLERS", "NUMBERS", "PHRASES", "UNITS", "WORDS", "word_set"]


def word_set(words: str) -> frozenset[str]:
    """The words of a line."""
    return frozenset(words.split())


# Meaning: the words that have it, in their base form. A verb's, noun's or adjective's usual
# endings are added; irregular forms are listed as words of their own.
_INFLECTED = {
    "place": "drape place lay put set rest spread cover wrap hang keep hold press apply position "
    "stretch lean push use bring stand maintain support prop nestle lower stay",
    "ring": "ring chime strike toll peal tap",
    "sound": "sound emit play produce make sing",
    "tone": "tone note",
    "hum": "hum",
    "bell": "bell handbell",
    "cloth": "cloth fabric",
    "stone": "stone rock pebble",
    "warm": "warm heat",
    "cool": "cool chill",
    "fan": "fan blow waft",
    "air": "breeze",
    "lamp": "lamp light lantern",
    "dim": "dim",
    "shine": "shine point aim direct illuminate cast train beam",
    "board": "board plank",
    "mat": "mat surface pad blanket towel bed base foam",
    "cushion": "cushion pillow mattress",
    "folded": "fold",
    "finger": "finger fingertip",
    "trace": "trace",
    "run": "run slide glide stroke sweep guide follow draw",
    "rotate": "rotate rotation turn spin revolve roll pivot twirl",
    "remove": "remove withdraw removal",
    "take": "take lift pull peel slip strip",
    "fade": "fade die ebb dwindle decay subside",
    "wait": "wait",
    "let": "let allow",
    "settle": "settle calm quiet quieten stabilise stabilize relax",
    "pause": "pause gap interval delay silence break",
    "steady": "sustain prolong",
    "start": "start begin commence lead",
    "alternate": "alternate switch swap",
    "cycle": "cycle round repetition loop",
    "time": "time",
    "repeat": "repeat",
    "opposite": "opposite counterpart",
    "meet": "meet join converge connect intersect",
    "touch": "touch",
    "center": "center centre middle midpoint",
    "body": "body box device veyru cube unit entity creature",
    "move": "move movement shift budge stir disturb",
    "leave": "leave",
    "stop": "stop",
}

# Meaning: its words just as they are.
_EXACT = {
    "place": "laid lain lying kept held hung stood leant brought using",
    "ring": "rang rung struck",
    "sound": "made making sang sung",
    "warm": "hot",
    "cool": "cold chilly",
    "fan": "blew blown",
    "air": "air",
    "dim": "dimly",
    "bright": "bright brighter brightly",
    "shine": "shone",
    "flat": "flat",
    "soft": "soft padded cushioned",
    "mat": "padding bedding ground",
    "run": "ran drew drawn",
    "leave": "left",
    "slow": "slow slowly gradually",
    "while": "while whilst during throughout as meanwhile",
    "remove": "withdrew withdrawn",
    "take": "took taken",
    "off": "off away",
    "fade": "dying",
    "until": "until till",
    "between": "between apart",
    "steady": "steady steadily continuous continuously constant constantly continual continually "
    "unbroken uninterrupted",
    "start": "began begun",
    "first": "first firstly initially initial",
    "alternate": "alternately alternation",
    "each": "each every all per",
    "face": "face side",
    "faces": "faces sides",
    "edge": "edge",
    "edges": "edges",
    "corner": "corner",
    "corners": "corners",
    "pair": "pair couple",
    "pairs": "pairs",
    "opposite": "opposing opposed",
    "adjacent": "adjacent adjoining neighbouring neighboring contiguous",
    "meet": "met",
    "there": "there",
    "its": "its",
    "once": "once",
    "single": "single",
    "twice": "twice",
    "thrice": "thrice",
    "up": "up upward upwards uppermost upmost topmost skyward skywards",
    "unmoved": "unmoved unmoving stationary motionless immobile still fixed undisturbed untouched "
    "alone",
    "other": "other others remaining",
    "then": "then afterwards afterward subsequently thereafter finally lastly next",
    "before": "before",
    "after": "after",
    "earlier": "beforehand",
    "simul": "simultaneously simultaneous concurrently together",
    "seq": "sequentially successively consecutively",
    "and": "and",
    "or": "or",
    "with": "with",
    "from": "from",
    "but": "but",
    "not": "not dont never no without avoid avoiding nor neither cannot cant mustnt shouldnt "
    "doesnt isnt arent wont",
}

# What is put in their place: phrases whose meaning is not that of their words.
_PHRASES = {
    "simul": "at the same time|at the same moment|at the same instant|at one time|at once|"
    "all at once|in unison|in parallel|at one and the same time",
    "likewise": "for the same time|for the same duration|for the same length|for the same period|"
    "for the same amount|for the same interval|for the same number|for that same time|"
    "for the same span|for the same seconds|for the same again|same duration|same length|"
    "for an equal time|for as long|equally long|just as long|as long again|both times|each time|"
    "for the same",
    "seq": "one by one|in turn|in turns|one after another|one after the other|one at a time|"
    "in sequence|in succession|in order|one following another",
    "each corner seq": "corner by corner",
    "each face": "face by face|side by side by side",
    "each edge": "edge by edge",
    "each pair": "pair by pair",
    "alternate": "back and forth|to and fro|take turns|taking turns|takes turns|by turns|"
    "from one to the other",
    "adjacent": "next to each other|next to one another|side by side",
    "": "on top of|in front of|next to|close to|the front of me|as well|only|a single time once|"
    "of course|so that|such that|so as|as soon|in good time",
    "up": "on top|the ceiling|the sky",
    "meet": "come together|coming together|comes together",
    "then": "after that|after this|after which|after doing so|followed by|and then|once done|"
    "when done|once finished|when finished|once that is done|when that is done|"
    "after it is done|once this is done",
    "before": "prior to",
    "after": "preceded by|once the|once you|once it|once that|once this|once they|once all",
    "earlier": "before that|before this|before doing so|before doing that|before doing this|"
    "but first|but before that",
    "opposite of": "opposite the|opposite to|opposite of|opposite to the|opposite of the|"
    "across from|across from the|opposite from|opposite from the",
    "opposite": "on the other side|the other side|on the far side|the far side",
    "other": "the rest of|the rest|next corner|next corners|next face|next edge|next one|"
    "next side|next pair|next two",
    "each": "each and every|every single|each single|every last|every one",
    "unmoved": "in place|hold still|keep still|in position|in peace",
    "fade": "trail off|trails off",
    "settle": "even out|evens out",
    "leave": "let it rest|allow it to rest|let it be|let it lie|let the body rest|"
    "let the box rest|let the veyru rest|let the device rest",
    "soft mat": "on a soft cloth|on soft cloth|onto a soft cloth|upon a soft cloth|"
    "on a soft folded cloth",
    ", while sound": ", sounding|, playing|, emitting|, humming",
    "not": "instead of|rather than",
    "until": "not stop until|dont stop until|without stopping until",
    "_": "not forget|dont forget|never forget|without fail|not only|no longer|no matter|"
    "no more than|no less than|not more than|not less than|each other|one another|"
    "as follows|as far|as if|as though|as needed|as required|as instructed|as described|"
    "from then|from now|from there|from memory|at first|in the first place|first aid|"
    "left to right|right to left|front to back|back to front|top to bottom|bottom to top|"
    "from left to right|from right to left|from top to bottom|from bottom to top|"
    "from front to back|from back to front|all right|right way|"
    "under no circumstances",
}

FILLERS = word_set(
    "a an the of to in at on onto upon over near by beside against across along "
    "around about toward towards into under above is are be being been was were will "
    "would should shall must can may it them they he she him you your i we us our my "
    "me their his her so very just also please both do does did doing have has had "
    "having which who whose what where when right back front top bottom hand handed "
    "some these those that this same such here now carefully quite exactly total full "
    "whole entire complete lightly for itself own"
)
"""Words that are passed over. Any other word that is not known is marked as unknown."""

_COUNTING = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen twenty"
)
NUMBERS = {word: number for number, word in enumerate(_COUNTING.split())} | {
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
    "sixty": 60,
    "dozen": 12,
}

UNITS = dict.fromkeys(("s", "sec", "secs", "second", "seconds"), 1) | dict.fromkeys(
    ("min", "mins", "minute", "minutes"), 60
)
"""How many seconds a unit has."""


def _forms(word: str) -> Iterator[str]:
    """A word with the endings that a verb, a noun or an adjective may take."""
    stem = word.removesuffix("e")
    yield from (word, word + "s", word + "es", stem + "ed", stem + "ing")
    if word[-1] == "y":
        yield from (word[:-1] + "ies", word[:-1] + "ied")
    elif word[-1] not in "aeiou":
        yield from (word + word[-1] + "ed", word + word[-1] + "ing")


def _known() -> dict[str, str]:
    inflected = {
        form: meaning
        for meaning, words in _INFLECTED.items()
        for word in words.split()
        for form in _forms(word)
    }
    exact = {word: meaning for meaning, words in _EXACT.items() for word in words.split()}
    return inflected | exact


def _phrases() -> dict[str, list[tuple[tuple[str, ...], tuple[str, ...]]]]:
    found: dict[str, list[tuple[tuple[str, ...], tuple[str, ...]]]] = {}
    for meaning, phrases in _PHRASES.items():
        for phrase in phrases.split("|"):
            words = tuple(phrase.split())
            found.setdefault(words[0], []).append((words, tuple(meaning.split())))
    for alike in found.values():
        alike.sort(key=lambda pair: -len(pair[0]))
    return found


WORDS = _known()
"""The meaning of each known word; words of one meaning are synonyms."""

PHRASES = _phrases()
"""Phrases by their first word, the longest first, each with the meanings that replace it."""
