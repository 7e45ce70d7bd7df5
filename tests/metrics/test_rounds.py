"""Rounds: the invariant, windows, rounds without a message, summary."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from babelzoo.benchmarks import metrics
from babelzoo.envs.core.errors import ConfigError

CUBE = np.array(list(itertools.product(range(2), repeat=3)))

SCALARS = {
    "accuracy",
    "topsim",
    "best_mi",
    "collision",
    "posdis",
    "bosdis",
    "mi_message_target",
    "mi_message_choice",
    "mi_message_context",
    "decoder_ceiling",
    "context_coded",
    "distinct_messages",
    "message_entropy",
    "unseen_objects",
    "unspoken_rounds",
}

FIELDS = {
    "messages": [[0, 0, 0], [0, 0, 1], [-1, -1, -1]],
    "targets": [0, 1, 2],
    "choices": [0, 3, -1],
    "candidates": [[0, 1], [1, 3], [4, 2]],
    "success": [True, False, False],
    "features": CUBE,
    "vocab_size": 2,
}


def perfect_rounds(n, seed=0):
    rng = np.random.default_rng(seed)
    candidates = np.stack([rng.permutation(8)[:4] for _ in range(n)])
    targets = np.concatenate([np.arange(8), candidates[8:, 0]])[:n]
    candidates[:8] = [[t, (t + 1) % 8, (t + 2) % 8, (t + 3) % 8] for t in range(8)][:n]
    return metrics.Rounds(
        messages=CUBE[targets],
        targets=targets,
        choices=targets,
        candidates=candidates,
        success=np.ones(n, bool),
        features=CUBE,
        vocab_size=2,
    )


def test_rounds_are_read_only_copies():
    messages = np.array(FIELDS["messages"])
    rounds = metrics.Rounds(**{**FIELDS, "messages": messages})
    messages[0] = 1
    assert rounds.messages[0].tolist() == [0, 0, 0]
    with pytest.raises(ValueError, match="read-only"):
        rounds.messages[0] = 1
    with pytest.raises(AttributeError):
        rounds.vocab_size = 3


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"messages": [0, 1, 2]}, r"expected messages to be integers of shape \(n, L\)"),
        ({"targets": [0.0, 1.0, 2.0]}, r"expected targets to be integers .* actual float64"),
        ({"targets": [0, 1]}, "one row of messages and of targets per round, actual 3 and 2"),
        ({"messages": [[0, 0, 2], [0, 0, 1], [0, 0, 0]]}, r"expected tokens of -1..1, actual 0..2"),
        (
            {"messages": [[0, -1, 0], [0, 0, 1], [0, 0, 0]]},
            r"without -1, or of -1 only, actual \[0, -1, 0\] at row 0",
        ),
        ({"targets": [0, 1, 8]}, r"expected targets of 0..7, actual 0..8"),
        ({"choices": [0, 3, -2]}, r"expected choices of -1..7, actual -2..3"),
        ({"candidates": [[0, 1], [1, 3], [2, 9]]}, r"expected candidates of 0..7, actual 0..9"),
        (
            {"candidates": [[0, 0], [1, 3], [4, 2]]},
            r"distinct candidates, actual \[0, 0\] at row 0",
        ),
        ({"candidates": [[0, 1], [1, 3], [4, 5]]}, "the target among the candidates, actual 2 and"),
        ({"choices": [0, 7, -1]}, "the choice among the candidates, or -1, actual 7 and"),
        ({"success": [True, True, False]}, "success exactly if the choice is the target, actual"),
        (
            {"choices": [0, 3, 2], "success": [True, False, True]},
            "no success without a message, actual True at row 2",
        ),
        ({"vocab_size": 0}, "expected vocab_size of at least 1, actual 0"),
        ({"features": CUBE - 1}, "expected features of 0 or more, actual -1"),
        ({"features": np.zeros((8, 0), int)}, "at least one object, feature and token"),
    ],
)
def test_broken_rounds_are_named(change, text):
    with pytest.raises(ConfigError, match=text):
        metrics.Rounds(**{**FIELDS, **change})


def test_window_is_the_last_rounds():
    rounds = metrics.Rounds(**FIELDS)
    last = metrics.window(rounds, 2)
    assert last.targets.tolist() == [1, 2]
    assert last.messages.tolist() == [[0, 0, 1], [-1, -1, -1]]
    assert last.features.shape == (8, 3)
    assert metrics.window(rounds) is rounds
    assert metrics.window(rounds, None) is rounds
    with pytest.raises(ConfigError, match="window of at least 1 round, actual 0"):
        metrics.window(rounds, 0)


def test_summary_of_a_perfect_positional_code():
    measured = metrics.summary(perfect_rounds(200), last=None)
    assert set(measured) == SCALARS
    exact = {
        "accuracy": 1.0,
        "topsim": 1.0,
        "best_mi": 1.0,
        "collision": 0.0,
        "posdis": 1.0,
        "bosdis": 0.0,
        "mi_message_context": 0.0,
        "decoder_ceiling": 1.0,
        "context_coded": 0.0,
        "distinct_messages": 8.0,
        "unseen_objects": 0.0,
        "unspoken_rounds": 0.0,
    }
    assert {name: measured[name] for name in exact} == pytest.approx(exact, abs=0.02)
    assert measured["topsim"] == 1.0
    assert measured["mi_message_target"] == measured["mi_message_choice"]
    assert measured["mi_message_target"] == pytest.approx(measured["message_entropy"])


def test_summary_is_of_the_last_rounds():
    rounds = perfect_rounds(60)
    assert metrics.summary(rounds, 1)["unseen_objects"] == 7.0
    assert metrics.summary(rounds, 1) == pytest.approx(
        metrics.summary(metrics.window(rounds, 1), None), nan_ok=True
    )


def test_rounds_without_a_message_fail_and_say_nothing():
    rounds = metrics.Rounds(**FIELDS)
    assert metrics.spoken(rounds).tolist() == [True, True, False]
    measured = metrics.summary(rounds)
    assert measured["accuracy"] == pytest.approx(1 / 3)
    assert measured["unspoken_rounds"] == 1.0
    assert measured["unseen_objects"] == 6.0
    assert measured["distinct_messages"] == 2.0
    assert measured["message_entropy"] == 1.0


def test_a_mute_sender_has_an_accuracy_and_reasons():
    rounds = metrics.Rounds(
        **{**FIELDS, "messages": np.full((3, 3), -1), "choices": [-1] * 3, "success": [False] * 3}
    )
    measured = metrics.measure(rounds)
    assert measured["accuracy"].value == 0.0
    assert measured["distinct_messages"].value == 0.0
    assert measured["unseen_objects"].value == 8.0
    defined = {"accuracy", "distinct_messages", "unseen_objects", "unspoken_rounds"}
    assert {name for name in measured if not measured[name].reason} == defined


def test_no_rounds_at_all_are_undefined_not_an_error():
    rounds = metrics.Rounds(
        messages=np.zeros((0, 3), int),
        targets=[],
        choices=[],
        candidates=np.zeros((0, 4), int),
        success=[],
        features=CUBE,
        vocab_size=2,
    )
    assert metrics.measure(rounds)["accuracy"].reason == "there are no rounds"
    assert math.isnan(metrics.summary(rounds)["topsim"])


def test_silence_does_not_hide_that_a_pair_signals_by_context():
    rng = np.random.default_rng(0)
    candidates = np.stack([rng.permutation(8)[:4] for _ in range(400)])
    targets = candidates[:, 0]
    rank = (np.sort(candidates, axis=1) == targets[:, None]).argmax(axis=1)
    messages = np.stack([rank // 2, rank % 2], axis=1)
    messages[::2] = -1
    choices = np.where(messages[:, 0] < 0, -1, targets)
    measured = metrics.summary(
        metrics.Rounds(
            messages=messages,
            targets=targets,
            choices=choices,
            candidates=candidates,
            success=choices == targets,
            features=CUBE,
            vocab_size=2,
        ),
        None,
    )
    assert measured["accuracy"] == 0.5 < measured["decoder_ceiling"]
    assert measured["context_coded"] == 1.0


def test_accuracy_by_block_by_hand():
    assert metrics.accuracy_by_block([1, 0, 1, 1, 1], 2).tolist() == [0.5, 1.0, 1.0]
    assert metrics.accuracy_by_block(np.ones(100, bool)).tolist() == [1.0, 1.0]
    assert metrics.accuracy_by_block([]).shape == (0,)
    with pytest.raises(ConfigError, match="block of at least 1, actual 0"):
        metrics.accuracy_by_block([True], 0)


def test_rolling_mean_by_hand():
    means = metrics.rolling_mean([True, False, True, True], 2)
    assert np.isnan(means[0])
    assert means[1:].tolist() == [0.5, 0.5, 1.0]
    assert np.isnan(metrics.rolling_mean([True] * 14)).all()
    assert metrics.rolling_mean([]).shape == (0,)
    with pytest.raises(ConfigError, match="width of at least 1, actual 0"):
        metrics.rolling_mean([True], 0)


@given(arrays(np.bool_, st.integers(1, 80)), st.integers(1, 20))
def test_rolling_mean_is_the_mean_of_the_last(success, width):
    means = metrics.rolling_mean(success, width)
    for i in range(width - 1, len(success)):
        assert means[i] == pytest.approx(success[i - width + 1 : i + 1].mean())
    assert np.isnan(means[: width - 1]).all()


def test_everything_public_is_listed():
    assert all(hasattr(metrics, name) for name in metrics.__all__)
    assert len(set(metrics.__all__)) == len(metrics.__all__)
