"""All 91,125 forms: one reading each, no English, drawn by key."""

import pytest

from babelzoo.envs.grounding.words import N_FORMS, SYLLABLES, coin, complaint, form, is_english


def _readings(word: str) -> int:
    """In how many ways a text can be cut into syllables."""
    if not word:
        return 1
    return sum(_readings(word[len(s) :]) for s in SYLLABLES if word.startswith(s))


def test_every_form_has_one_reading_and_is_accepted_unless_it_is_english() -> None:
    forms = [form(number) for number in range(N_FORMS)]
    assert len(SYLLABLES) == 45 and len(set(forms)) == N_FORMS == 91_125
    english = 0
    for word in forms:
        assert _readings(word) == 1
        refused = complaint(word)
        english += bool(refused)
        assert bool(refused) == is_english(word)
    assert english == 442


@pytest.mark.parametrize("word", ["parade", "parole", "beware", "libido", "jojoba", "reshape"])
def test_english_is_refused(word: str) -> None:
    assert complaint(word) == f"expected a word that is not English, actual {word}."


@pytest.mark.parametrize(
    "word", ["", "lala", "lalalala", "LALALI", "lalan", "tatata", "la la la", "lalali\n", "ſalala"]
)
def test_other_texts_are_refused(word: str) -> None:
    assert complaint(word).startswith("expected three syllables")
    assert "\n" not in complaint(word)


def test_words_are_drawn_by_key() -> None:
    words = [coin(7, number, "speaker") for number in range(2000)]
    assert words == [coin(7, number, "speaker") for number in range(2000)]
    assert not any(map(complaint, words))
    assert len(set(words)) > 1950
    assert coin(7, 0, "speaker", unlike={words[0]}) not in words[:1]
