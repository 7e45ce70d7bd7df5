"""The texts' lengths are facts of the game: a budget means nothing without them."""

from itertools import combinations
from statistics import mean

import pytest

from babelzoo.envs.saveveyru import MOTIFS, Procedure, render, symptoms
from babelzoo.envs.saveveyru.motifs import LOCATIONS
from babelzoo.envs.saveveyru.procedures import FACES, INTENSITIES, SECONDS, TEMPLATES

# GlossoGen's public code: characters of each motif's joined phrases, and of each template
# rendered with the bottom face, moderate, 12 seconds.
SIGNS = (220, 221, 203, 224, 172, 174, 189, 193, 183, 159, 172, 186, 140, 202)
SENTENCES = (175, 180, 147, 171, 109, 153, 163, 137, 156, 115, 152, 118, 150, 191)
PRIORITIES = (5, 5, 4, 1, 2, 2, 5, 3, 3, 4, 1, 5, 1, 3)


def sentence(template: int) -> str:
    return render(Procedure(template, "bottom", "moderate", 12))


def test_each_symptom_text_is_as_long_as_the_published_one() -> None:
    lengths = [len(symptoms(motif)) for motif in range(len(MOTIFS))]
    for actual, published in zip(lengths, SIGNS, strict=True):
        assert actual == pytest.approx(published, rel=0.1)
    assert mean(lengths) == pytest.approx(188, abs=5)


def test_each_sentence_is_as_long_as_the_published_one() -> None:
    lengths = [len(sentence(template)) for template in range(len(TEMPLATES))]
    for actual, published in zip(lengths, SENTENCES, strict=True):
        assert actual == pytest.approx(published, rel=0.1)
    assert mean(lengths) == pytest.approx(151, abs=5)
    assert sum(length > 150 for length in lengths) == 8


def test_the_costliest_round_in_english_fits_2000_characters() -> None:
    """Five motifs with any mapping that rotates, each told once by either side."""
    longest = {
        template: max(
            len(render(Procedure(template, face, intensity, seconds)))
            for face in FACES
            for intensity in INTENSITIES
            for seconds in SECONDS
        )
        for template in range(len(TEMPLATES))
    }
    place = max(map(len, LOCATIONS)) + 1
    costliest = max(
        place + sum(len(symptoms(m)) + longest[(m + offset) % len(TEMPLATES)] for m in chosen)
        for chosen in combinations(range(len(MOTIFS)), 5)
        for offset in range(1, len(TEMPLATES))
    )
    assert 1500 < costliest <= 1950


def test_priorities_and_phrases() -> None:
    assert tuple(motif.priority for motif in MOTIFS) == PRIORITIES
    assert all(len(motif.phrases) == (4 if i == 3 else 3) for i, motif in enumerate(MOTIFS))
    phrases = [phrase for motif in MOTIFS for phrase in motif.phrases]
    assert len(set(phrases)) == len(phrases)


def test_every_sentence_names_its_slots() -> None:
    for template in range(len(TEMPLATES)):
        text = sentence(template)
        for word in ("bottom", "moderate", "12 seconds"):
            assert word in text
        assert text.isascii()
