"""Metrics of text: worked examples, a model that is a distribution, no text that breaks one."""

import math
import random
import string
import time
from importlib.resources import files

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from babelzoo.benchmarks.metrics import text as metrics

ENGLISH = "the cloth lies over the left face for ten seconds"
CODE = "qx vz 12 kj"
OTHER = len(metrics.ALPHABET)

anything = st.text(st.characters(), max_size=30)  # Lone surrogates too.
many = st.lists(anything, max_size=8)


def shuffled(text, seed):
    letters = list(text)
    random.Random(seed).shuffle(letters)
    return "".join(letters)


def test_character_entropy_by_hand():
    assert metrics.character_entropy(["aabb"]).value == 1.0
    assert metrics.character_entropy(["aab", "c"]).value == 1.5
    assert metrics.character_entropy(["aA ☃"]).value == 2.0
    assert metrics.character_entropy(["zz", "z"]).value == 0.0
    assert metrics.character_entropy(["", ""]).reason == "there are no characters"
    assert metrics.character_entropy([]).reason == "there are no characters"


def test_compression_ratio():
    repeated = metrics.compression_ratio([ENGLISH] * 100).value
    varied = metrics.compression_ratio([shuffled(ENGLISH, seed) for seed in range(100)]).value
    assert repeated < 0.03 < 0.4 < varied < 1
    # One byte in a block of fixed codes: 3 bits of header, 8 of the byte, 7 of the end.
    assert metrics.compression_ratio(["a"]).value == 3.0
    assert metrics.compression_ratio(["", ""]).reason == "there are no characters"


def test_the_model_is_a_distribution_in_every_context():
    model = metrics.english_model()
    assert model.shape == (OTHER + 1,) * 3
    assert model.min() > 0
    assert np.allclose(model.sum(axis=-1), 1, rtol=0, atol=1e-12)


@pytest.mark.parametrize("context", ["th", " q", "  ", "e ", "zq", "'s"])
def test_the_model_sums_to_one_after(context):
    first, second = map(metrics.ALPHABET.index, context)
    assert math.fsum(metrics.english_model()[first, second]) == pytest.approx(1, abs=1e-12)


def test_the_model_knows_english():
    model, place = metrics.english_model(), metrics.ALPHABET.index
    assert metrics.ALPHABET[model[place("t"), place("h")].argmax()] == "e"
    assert metrics.ALPHABET[model[place(" "), place("q")].argmax()] == "u"
    assert metrics.ALPHABET[model[place("e"), place(" ")].argmax()] == "t"
    # Words are independent, so what ended before a space says nothing.
    assert np.array_equal(model[place("e"), place(" ")], model[place(" "), place(" ")])


def test_surprisal_is_the_mean_of_the_model_by_hand():
    model, place = metrics.english_model(), metrics.ALPHABET.index
    space, a, t = map(place, " at")
    chances = [model[space, space, a], model[space, a, t], model[a, t, space]]
    assert metrics.surprisal("at").value == pytest.approx(-np.log2(chances).mean())
    assert metrics.surprisal("☃").value == pytest.approx(
        -np.log2([model[space, space, OTHER], model[space, OTHER, space]]).mean()
    )


def test_surprisal_reads_lower_case_and_one_space():
    assert metrics.surprisal("  The \t\nCLOTH ") == metrics.surprisal("the cloth")
    assert metrics.surprisal("don’t") == metrics.surprisal("don't")


def test_surprisal_of_many_is_the_mean_of_messages():
    means = metrics.message_surprisals([ENGLISH, " ", CODE])
    alone = [metrics.surprisal(text).value for text in (ENGLISH, CODE)]
    assert means[[0, 2]] == pytest.approx(alone)
    assert np.isnan(means[1])
    assert metrics.surprisal([ENGLISH, "", CODE]).value == pytest.approx(sum(alone) / 2)
    assert metrics.surprisal("").reason == "there are no texts but blank ones"
    assert metrics.message_surprisals([]).shape == (0,)


@pytest.mark.parametrize("seed", range(20))
def test_english_is_less_surprising_than_its_letters_or_codes(seed):
    english = metrics.surprisal(ENGLISH).value
    assert english < 3.5
    assert english + 1.5 < metrics.surprisal(shuffled(ENGLISH, seed)).value
    assert english + 3 < metrics.surprisal(CODE).value


def test_ten_thousand_messages_take_less_than_a_second():
    choose = random.Random(0).choices
    messages = ["".join(choose(string.ascii_letters + "  ", k=50)) for _ in range(10_000)]
    metrics.english_model()
    start = time.perf_counter()
    metrics.message_surprisals(messages)
    assert time.perf_counter() - start < 1


def test_dictionary_share():
    assert metrics.dictionary_share([ENGLISH]).value == 1.0
    assert metrics.dictionary_share([CODE]).value == 0.0
    assert metrics.dictionary_share(["The CLOTH, vreku", "mopaz."]).value == 0.5
    assert metrics.dictionary_share(["Don't, it’s left_face 10s"]).value == 1.0
    assert metrics.dictionary_share(["12 k9 !"]).reason == "there are no words of letters"
    assert metrics.dictionary_share([]).reason == "there are no words of letters"


def test_dictionary_share_of_shuffled_letters_is_small():
    texts = [shuffled(ENGLISH, seed) for seed in range(50)]
    assert metrics.dictionary_share(texts).value < 0.25


def test_repetition_rate_by_hand():
    assert metrics.repetition_rate(["a", "b", "a", "a"]).value == 0.5
    assert metrics.repetition_rate(["a", "A", "a "]).value == 0.0
    assert metrics.repetition_rate([]).reason == "there are no messages"


def test_type_token_growth_by_hand():
    messages = ["The cloth", "the CLOTH!", "", "hold 10 s", "hold-ten's"]
    assert metrics.type_token_growth(messages).tolist() == [2, 2, 2, 5, 6]
    assert metrics.type_token_growth([]).tolist() == []


@given(many)
def test_every_text_has_numbers_or_a_reason(texts):
    measures = (
        metrics.character_entropy,
        metrics.compression_ratio,
        metrics.surprisal,
        metrics.dictionary_share,
        metrics.repetition_rate,
    )
    for measure in measures:
        measured = measure(texts)
        assert bool(measured.reason) or (math.isfinite(measured.value) and measured.value >= 0)
    blank = [not text.strip() for text in texts]
    assert np.isnan(metrics.message_surprisals(texts)).tolist() == blank


@given(anything.filter(str.strip))
def test_any_text_has_a_finite_surprisal(text):
    surprisal = metrics.surprisal(text).value
    assert 0 < surprisal <= -np.log2(metrics.english_model().min())
    assert surprisal == pytest.approx(metrics.message_surprisals([CODE, text, ENGLISH])[1])


@given(many)
def test_growth_never_falls_and_ends_at_all_words(texts):
    growth = metrics.type_token_growth([*texts, ""])
    assert (np.diff(growth, prepend=0) >= 0).all()
    assert growth[-1:] == metrics.type_token_growth([" ".join(texts)])


def test_the_data_say_where_they_come_from():
    folder = files("babelzoo.benchmarks.metrics.data")
    readme = folder.joinpath("README.md").read_text(encoding="utf-8")
    data = [file for file in folder.iterdir() if file.name.endswith(".json")]
    assert len(data) == 2
    assert "CC BY-SA 4.0" in readme
    assert all(f"`{file.name}`" in readme for file in data)
    assert all(len(file.read_bytes()) < 200_000 for file in data)
