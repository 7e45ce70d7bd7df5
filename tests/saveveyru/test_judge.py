"""The judge of free English: what counts as a procedure, and what does not."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from babelzoo.envs.saveveyru.judge import read
from babelzoo.envs.saveveyru.procedures import (
    FACES,
    INTENSITIES,
    SECONDS,
    TEMPLATES,
    Procedure,
    render,
)

SLOTS = ("left", "firm", 12)  # of the texts below, unless they say otherwise

# Template: texts that state it in full.
FULL = {
    0: [
        "Sound a sustained tone firmly near all six faces at the same time, starting with the left "
        "one, for 12 seconds. Let it fade and wait until the hum has settled.",
        "Hum a steady, firm note close to every face at once for twelve seconds, beginning at the "
        "left face, then let it die away and wait for the hum to calm down.",
        "Starting from the left side, ring the bell continuously and firmly beside all six sides "
        "simultaneously for 12 s; allow the sound to fade; wait till the hum settles.",
        "Hold a firm tone near all six faces (top, bottom, left, right, front and back) at the "
        "same time, starting at the left face, for 12 sec. Afterwards let it fade out, and wait "
        "for the humming to settle.",
    ],
    1: [
        "Ring the bell firmly near two opposite faces, starting with the left. Alternate between "
        "them and pause for 12 seconds between chimes. Do five cycles.",
        "Starting at the left face, chime the bell back and forth between it and the opposite face "
        "with a firm tone, waiting 12 s after every strike, for 5 full cycles.",
        "Strike a bell at the left face, then at the face opposite it, and keep alternating with a "
        "12-second pause between the strikes until 5 cycles are complete. Start on the left face. "
        "Use a firm tone.",
        "Alternate the bell between the left and right faces, left first: five rounds, firm tone, "
        "with a pause of 12 secs between the chimes; the ringing is always near the face.",
        "Begin at the left face and ring the bell; pause 12 seconds; ring it at the opposite side, "
        "right; alternate like this for five cycles, firmly.",
    ],
    2: [
        "Drape the cloth firmly over two adjacent edges near the left face for 12 seconds. Then "
        "ring the bell three times near the left face.",
        "1. Place a cloth over two neighbouring edges at the left face, with firm coverage, and "
        "keep it there for 12 seconds.\n2. Chime the bell 3 times near that same face.",
        "Lay cloth on a pair of adjoining edges of the left side and hold it firmly for 12s; "
        "afterwards strike the bell thrice there.",
        "Before ringing the bell three times near the left face, drape a cloth over two adjacent "
        "edges of the left face for 12 seconds with firm coverage.",
        "Ring the bell three times by the left face after draping the cloth firmly over two "
        "adjacent edges of the left face for 12 seconds.",
        "After laying the cloth over two adjacent edges near the left face with firm coverage for "
        "12 seconds, give three chimes of the bell near the left face.",
        "With firm coverage, put a cloth over two adjacent edges by the left face, wait 12 "
        "seconds, take the cloth off, and sound the bell three times by the left face.",
    ],
    3: [
        "Hold the heated stone firmly to every corner of the left face, one by one, 12 seconds "
        "each. Then trace all four edges of that face with your finger.",
        "Going around the left face, place the warmed stone at each corner in turn for 12 seconds "
        "with firm warmth; next, run a finger along each edge of the left face.",
        "Apply a warm stone at all four corners of the left side in sequence (12 s at each, firm "
        "warmth), then use your fingertip to trace its edges.",
        "First press a heated stone against each of the left face's four corners, one after the "
        "other, for 12 seconds apiece and with firm warmth. Then trace every edge of the left face "
        "with a finger.",
    ],
    4: [
        "Keep the warm stone firmly beside the left face for 12 seconds, then turn the box and "
        "repeat for every other face.",
        "Hold a heated stone against the left side with firm warmth for twelve seconds and do the "
        "same at every face.",
        "Put a warmed stone next to the left face, firm warmth, 12 seconds; rotate the Veyru and "
        "repeat until all six faces have been done.",
        "For 12 seconds, firmly hold the heated stone right beside the left face. Rotate and "
        "repeat for each of the six sides.",
        "Place the warm stone beside the left face for 12 seconds at firm warmth. Rotate the body, "
        "and do this for all faces: left, top, right, bottom, front and back.",
    ],
    5: [
        "Cover the whole body with the cool cloth for 12 seconds, take it off, then fan firm, cool "
        "air across the left face and its opposite for 12 seconds.",
        "Lay a cold cloth over the box for 12 s. Remove the cloth. Fan cool air firmly over the "
        "left face and the opposite face for the same time.",
        "Drape a chilled cloth over the entire Veyru and leave it for twelve seconds; lift the "
        "cloth away; then use the hand fan to blow cool air firmly on the left face and the face "
        "opposite, the right one, for another 12 seconds.",
        "Place a cool cloth over the body for 12 seconds and, after removing it, fan cool air with "
        "firm strokes across the left and the right face, for 12 seconds.",
    ],
    6: [
        "Shine a dim lamp at the left face and a bright lamp at the opposite face at the same time "
        "with firm brightness for 12 seconds, without moving the lamps.",
        "At the same time, point the dim light at the left side and the bright light at the side "
        "opposite it; firm brightness; keep both still for 12 s.",
        "Place the bright lamp on the face opposite the left one and the dim lamp on the left "
        "face, simultaneously, firmly, for 12 seconds. Do not move either of the lamps.",
        "On the left face shine a dim lamp and on the right face a bright lamp, both at once, for "
        "12 seconds at firm brightness. The lamps must not be moved.",
    ],
    7: [
        "Fold a cloth and lay the folded cloth over the left face for 12 seconds with firm "
        "coverage. Then ring the bell twice near each edge of the left face.",
        "Place the folded cloth on the left side firmly for 12 s, then chime the bell two times "
        "near all four edges of that face.",
        "Rest a folded cloth over the left face with firm coverage for twelve seconds; afterwards "
        "go round the left face and strike the bell near every edge, twice.",
    ],
    8: [
        "At each corner of the left face ring the bell briefly with a firm tone, then warm the two "
        "edges meeting there with a heated stone for 12 seconds.",
        "For every corner of the left side: chime the bell firmly, then use a warmed stone to warm "
        "both of the two edges that join at that corner, 12 seconds.",
        "Go to each of the four corners of the left face. Strike the bell there at a firm tone. "
        "Then hold the heated stone to the two edges that meet at the corner for 12 seconds.",
        "Ring the bell firmly at each corner of the left face and, with a heated stone, warm the "
        "two edges which meet there for 12 s.",
    ],
    9: [
        "Press the flat board firmly against the left face for 12 seconds. Turn the box and repeat "
        "for each pair of faces.",
        "Hold a flat board to the left side with firm contact for 12 s; rotate and do the same for "
        "every pair of opposite faces.",
        "Lean a flat board on the left face (firm contact, twelve seconds), then rotate the Veyru "
        "and repeat for all three pairs of faces.",
    ],
    10: [
        "Please firmly ring the bell once near the middle of every face, beginning with the left "
        "one, then keep a warmed stone beside the body for 12 seconds",
        "Start at the left face and chime the bell one time near the centre of each face with a "
        "firm tone. Afterwards place the heated stone next to the box for 12 seconds.",
        "Ring a bell a single time by the center of all six faces, left face first, at a firm "
        "tone; then rest a warm stone beside the Veyru for 12s.",
        "Going round from the left face, strike the bell once near each face's center, firmly, and "
        "hold a warm stone beside the body for 12 seconds after that.",
    ],
    11: [
        "Lay the body on a soft surface, left face up, with firm contact, and leave it undisturbed "
        "for 12 seconds.",
        "Put the Veyru down firmly on something soft like a soft mat so that its left side faces "
        "up. Do not touch it for 12 seconds.",
        "Rest the box on a pillow with the left face pointing upwards and with firm contact; leave "
        "it alone for 12 s.",
        "Turn the left face up and set the device on a soft cushion with firm contact, where it is "
        "left undisturbed for twelve seconds.",
    ],
    12: [
        "Lay a cool cloth over the body for 12 seconds, remove it, then fan cool air firmly over "
        "all six faces for 12 seconds, starting with the left face.",
        "Cover the Veyru with a cold cloth for 12 s; take the cloth off; starting from the left "
        "side, fan firm cool air across every face for the same duration.",
        "Drape the cooled cloth over the whole box for twelve seconds. Take it away. Then, left "
        "face first, firmly fan cool air over each of the six faces for 12 seconds.",
    ],
    13: [
        "Slowly rotate the body for 12 seconds while sounding a steady firm tone near opposite "
        "faces, beginning with the left face. Then ring the bell once at every corner.",
        "While you turn the box slowly over 12 seconds, hold a sustained tone at firm volume near "
        "opposite faces, starting from the left face; after that chime the bell once at each "
        "corner.",
        "Rotate the Veyru slowly for 12 s and at the same time play a continuous firm note near a "
        "pair of opposite faces, left first. Then strike the bell one time at all eight corners.",
    ],
}

# Template, text that lacks something, and whether it still counts in core mode.
LACKING = [
    (0, "Sound a sustained firm tone near the faces at the same time for 12 seconds, starting at "
        "the left face; let it fade and wait for the hum to settle.", False),
    (0, "Sound a sustained firm tone near all six faces one by one for 12 seconds, starting at the "
        "left face; let it fade and wait for the hum to settle.", False),
    (0, "Sound a sustained firm tone near all six faces at the same time for 12 seconds, starting "
        "at the left face.", True),
    (0, "Sound a sustained firm tone near all six faces at the same time for 12 seconds, starting "
        "at the left face; let it fade.", True),
    (0, "Sound a sustained firm tone near all six faces at the same time for 12 seconds; let it "
        "fade near the left face and wait for the hum to settle.", False),
    (1, "Ring a bell near two opposite faces, starting with the left face, alternating, pausing 12 "
        "seconds between chimes, firmly.", True),
    (1, "Ring a bell near two opposite faces, starting with the left face, alternating, pausing 12 "
        "seconds between chimes, firmly, for four cycles.", True),
    (1, "Ring a bell near the left face, alternating, pausing 12 seconds between chimes, firmly, "
        "for five cycles.", False),
    (1, "Ring a bell near two opposite faces, starting with the left face, alternating, for 12 "
        "seconds, firmly, for five cycles.", True),
    (1, "Alternate near two opposite faces, starting with the left face, pausing 12 seconds "
        "between chimes, firmly, for five cycles.", False),
    (2, "Drape a cloth firmly over an edge near the left face for 12 seconds. Then ring the bell "
        "three times near the left face.", False),
    (2, "Drape a cloth firmly over two adjacent edges near the left face for 12 seconds. Then ring "
        "the bell twice near the left face.", True),
    (2, "Drape a cloth firmly over two adjacent edges near the left face for 12 seconds. Then ring "
        "the bell three times.", True),
    (2, "Ring the bell three times near the left face, then drape a cloth firmly over two adjacent "
        "edges near the left face for 12 seconds.", False),
    (2, "Ring the bell three times near the left face before draping a cloth firmly over two "
        "adjacent edges near the left face for 12 seconds.", False),
    (2, "After ringing the bell three times near the left face, drape a cloth firmly over two "
        "adjacent edges near the left face for 12 seconds.", False),
    (2, "Drape a cloth firmly over two adjacent edges near the left face for 12 seconds. Do not "
        "ring the bell three times near the left face.", False),
    (3, "Hold the heated stone firmly to every corner of the left face for 12 seconds each. Then "
        "trace the edges of that face with a finger.", True),
    (3, "Hold the stone firmly to every corner of the left face, one by one, 12 seconds each. Then "
        "trace the edges of that face with a finger.", True),
    (3, "Hold the heated stone firmly to every corner of the left face, one by one, 12 seconds "
        "each.", False),
    (3, "Trace the edges of the left face with a finger, then hold the heated stone firmly to "
        "every corner of that face, one by one, 12 seconds each.", False),
    (4, "Keep the warm stone firmly beside the left face for 12 seconds.", False),
    (4, "Keep the stone firmly beside the left face for 12 seconds; repeat for every face.", True),
    (4, "Keep the warm stone firmly beside the left face for 12 seconds, then turn it and repeat "
        "for the opposite face.", False),
    (5, "Lay a cloth over the body for 12 seconds, remove it, then fan cool air firmly across the "
        "left face and its opposite for 12 seconds.", True),
    (5, "Lay a cool cloth over the body for 12 seconds, then fan cool air firmly across the left "
        "face and its opposite for 12 seconds.", True),
    (5, "Lay a cool cloth over the body, remove it, then fan cool air firmly across the left face "
        "and its opposite for 12 seconds.", True),
    (5, "Lay a cool cloth over the body for 12 seconds, remove it, then fan cool air firmly across "
        "the left face for 12 seconds.", False),
    (5, "Fan cool air firmly across the left face and its opposite for 12 seconds, then lay a cool "
        "cloth over the body for 12 seconds and remove it.", False),
    (6, "Shine a bright lamp at the left face and a dim lamp at the opposite face at the same time "
        "firmly for 12 seconds, without moving the lamps.", False),
    (6, "Shine a dim lamp at the left face and a bright lamp at the opposite face at the same time "
        "firmly for 12 seconds.", True),
    (6, "Shine a dim lamp at the left face for 12 seconds, then a bright lamp at the opposite "
        "face, firmly, without moving the lamps.", False),
    (7, "Lay a cloth over the left face firmly for 12 seconds. Then ring the bell twice near each "
        "edge of the left face.", True),
    (7, "Lay a folded cloth over the left face firmly for 12 seconds. Then ring the bell near each "
        "edge of the left face.", True),
    (7, "Lay a folded cloth over the left face firmly for 12 seconds. Then ring the bell twice "
        "near the left face.", False),
    (8, "At each corner of the left face ring the bell firmly, then warm the edges with a heated "
        "stone for 12 seconds.", False),
    (8, "Ring the bell firmly at a corner of the left face, then warm the two edges meeting there "
        "with a heated stone for 12 seconds.", False),
    (8, "At each corner of the left face warm the two edges meeting there with a heated stone for "
        "12 seconds, then ring the bell firmly.", False),
    (9, "Press a flat board firmly against the left face for 12 seconds; rotate and repeat for "
        "every face.", False),
    (9, "Press a board firmly against the left face for 12 seconds; rotate and repeat for each "
        "pair of faces.", True),
    (9, "Press a flat board firmly against the left face for 12 seconds.", False),
    (10, "Ring the bell firmly near the center of each face, starting at the left face, then keep "
         "a warm stone beside the body for 12 seconds.", True),
    (10, "Ring the bell once firmly near each face, starting at the left face, then keep a warm "
         "stone beside the body for 12 seconds.", True),
    (10, "Ring the bell once firmly near the center of the left face, then keep a warm stone "
         "beside the body for 12 seconds.", False),
    (10, "Ring the bell once firmly near the center of each face, starting at the left face.",
     False),
    (10, "Keep a warm stone beside the body for 12 seconds, then ring the bell once firmly near "
         "the center of each face, starting at the left face.", False),
    (11, "Rest the body on a soft surface with the left face down, firmly, and leave it "
         "undisturbed for 12 seconds.", False),
    (11, "Rest the body on a surface with the left face up, firmly, and leave it undisturbed for "
         "12 seconds.", False),
    (11, "Rest the body on a soft surface with the left face up, firmly, for 12 seconds.", True),
    (12, "Lay a cool cloth over the body for 12 seconds, remove it, then fan cool air firmly over "
         "all six faces for 12 seconds, the left one too.", True),
    (12, "Lay a cool cloth over the body for 12 seconds, remove it, then fan cool air firmly over "
         "the left face for 12 seconds.", False),
    (13, "Rotate the body for 12 seconds while sounding a steady firm tone near opposite faces "
         "from the left face; then ring a bell once at each corner.", True),
    (13, "Rotate the body slowly for 12 seconds, then sound a steady firm tone near opposite faces "
         "from the left face; then ring a bell once at each corner.", True),
    (13, "Rotate the body slowly for 12 seconds while sounding a steady firm tone near opposite "
         "faces from the left face.", False),
    (13, "Rotate the body slowly for 12 seconds while sounding a steady firm tone near opposite "
         "faces from the left face; then ring a bell twice at each corner.", True),
    (13, "Ring a bell once at each corner; then rotate the body slowly for 12 seconds while "
         "sounding a steady firm tone near opposite faces from the left face.", False),
]  # fmt: skip


@pytest.mark.parametrize(
    ("template", "text"), [(template, text) for template in FULL for text in FULL[template]]
)
def test_a_full_statement_counts(template: int, text: str) -> None:
    expected = Procedure(template, *SLOTS)
    for strict in (True, False):
        assert read(text, strict) == expected
        assert read(text.upper(), strict) == expected
        assert read("\n".join(text.split(" ")), strict) == expected


@pytest.mark.parametrize(("template", "text", "core"), LACKING)
def test_a_statement_that_lacks_an_element_does_not(template: int, text: str, core: bool) -> None:
    assert read(text, strict=True) is None
    assert read(text, strict=False) == (Procedure(template, *SLOTS) if core else None)


@pytest.mark.parametrize("strict", [True, False])
def test_each_canonical_sentence_states_its_own_procedure_and_no_other(strict: bool) -> None:
    for slots in itertools.product(FACES, INTENSITIES, SECONDS):
        for template in range(len(TEMPLATES)):
            procedure = Procedure(template, *slots)
            assert read(render(procedure), strict) == procedure


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("between", [" ", "\n", " or ", "; then: "])
def test_two_procedures_in_one_text_are_none(strict: bool, between: str) -> None:
    sentences = [render(Procedure(template, *SLOTS)) for template in range(len(TEMPLATES))]
    for first, second in itertools.permutations(sentences, 2):
        assert read(first + between + second, strict) is None


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize(
    "second",
    [
        ("right", "firm", 12),
        ("top", "firm", 12),
        ("left", "gentle", 12),
        ("left", "firm", 20),
        ("top", "moderate", 5),
    ],
)
def test_two_values_of_a_slot_are_none(strict: bool, second: tuple[str, str, int]) -> None:
    for template in range(len(TEMPLATES)):
        one, two = render(Procedure(template, *SLOTS)), render(Procedure(template, *second))
        assert read(f"{one} {two}", strict) is None


@pytest.mark.parametrize(
    "code",
    [
        "R4 LEFT FIRM 12",
        "p4 left firm 12 seconds",
        "stone round the faces, left, firm, 12 seconds",
        "warm stone L firm 12 seconds each face",
        "Keep a warm stone beside the left face with frm warmth for 12 seconds; every face.",
        "Keep a warm stone beside the left face with firm warmth for 12; rotate; every face.",
        "qv",
        "",
    ],
)
def test_a_code_is_no_procedure(code: str) -> None:
    assert read(code, strict=True) is None
    assert read(code, strict=False) is None


@given(st.text())
@settings(max_examples=300)
def test_any_text_is_read(text: str) -> None:
    sentence = render(Procedure(11, *SLOTS))
    for strict in (True, False):
        read(text, strict)
        found = read(f"{sentence} {text}", strict)
        assert found is None or found.template in range(len(TEMPLATES))
