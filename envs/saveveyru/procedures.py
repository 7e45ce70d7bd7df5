"""What can be done for a Veyru: fourteen templates with three slots, as data and in English.

Elements, slots and the length of each sentence are facts of GlossoGen's public code; the
sentences are BabelZoo's own.
"""

import msgspec

__all__ = [
    "FACES",
    "INTENSITIES",
    "OPPOSITE",
    "SECONDS",
    "TEMPLATES",
    "TITLES",
    "Procedure",
    "render",
]

FACES = ("top", "bottom", "left", "right", "front", "back")
OPPOSITE = {
    "top": "bottom",
    "bottom": "top",
    "left": "right",
    "right": "left",
    "front": "back",
    "back": "front",
}
INTENSITIES = ("gentle", "moderate", "firm")
SECONDS = (5, 8, 10, 12, 15, 20)


class Procedure(msgspec.Struct, frozen=True, gc=False):
    """One template with its slots filled in; two are the same treatment only if they are equal.

    Attributes:
        template: Its place in `TEMPLATES`, 0 to 13.
        face: One of `FACES`.
        intensity: One of `INTENSITIES`.
        seconds: A whole number; drawn from `SECONDS` unless a knob says otherwise.
    """

    template: int
    face: str
    intensity: str
    seconds: int


TEMPLATES = (
    "Sound a sustained {intensity} tone near all six faces at the same time for {seconds} "
    "seconds, starting at the {face} face; then let it fade and wait for the hum to settle.",
    "Ring a bell by turns near two opposite faces, {face} face first: alternate between them, "
    "pause {seconds} seconds after each chime, keep a {intensity} tone, and do five cycles.",
    "Drape a cloth over two adjacent edges of the {face} face with {intensity} coverage for "
    "{seconds} seconds, then ring a bell three times near the {face} face.",
    "Hold a heated stone to each corner of the {face} face in sequence, {seconds} seconds each, "
    "with {intensity} warmth; then trace each edge of the {face} face with a finger.",
    "Keep a warm stone beside the {face} face with {intensity} warmth for {seconds} seconds; "
    "rotate and repeat for every face.",
    "Drape a cool cloth over the whole body for {seconds} seconds, then remove it and fan "
    "{intensity} cool air across the {face} face and its opposite for {seconds} seconds.",
    "Shine a dim lamp on the {face} face and, at the same time, a bright lamp on the opposite "
    "face, with {intensity} brightness for {seconds} seconds; do not move the lamps.",
    "Lay a folded cloth over the {face} face for {seconds} seconds with {intensity} coverage, "
    "then ring a bell twice near each edge of the {face} face.",
    "At each corner of the {face} face, ring the bell briefly at a {intensity} tone, then warm "
    "the two edges that meet there with a heated stone for {seconds} seconds.",
    "Press a flat board against the {face} face with {intensity} contact for {seconds} seconds; "
    "rotate and repeat for each pair of faces.",
    "Ring a bell once near the center of each face at a {intensity} tone, starting with the "
    "{face} face; then keep a warm stone beside the body for {seconds} seconds.",
    "Rest the body on a soft surface with the {face} face up, in {intensity} contact, and leave "
    "it undisturbed for {seconds} seconds.",
    "Lay a cool cloth over the body for {seconds} seconds; remove it; fan {intensity} cool air "
    "over all six faces for {seconds} seconds, starting from the {face} face.",
    "Rotate the body slowly for {seconds} seconds while sounding a steady tone of {intensity} "
    "volume near opposite faces, starting at the {face} face; then ring a bell once at each "
    "of the corners.",
)

TITLES = (
    "all-face tone",
    "alternating bell",
    "edge cloth and bell",
    "corner stone and finger",
    "stone round the faces",
    "cloth and paired fan",
    "two lamps",
    "folded cloth and bell",
    "corner bell and stone",
    "board on pairs",
    "face bell and stone",
    "rest on soft surface",
    "cloth and full fan",
    "turning tone and bell",
)


def render(procedure: Procedure) -> str:
    """A procedure as the one English sentence, or two, in which the specialist's table has it."""
    return TEMPLATES[procedure.template].format(
        face=procedure.face, intensity=procedure.intensity, seconds=procedure.seconds
    )
