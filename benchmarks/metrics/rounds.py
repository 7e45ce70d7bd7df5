"""The tidy input of signaling-game metrics, and all scalar metrics of its last rounds."""

from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from babelzoo.benchmarks.metrics._inputs import (
    BoolArray,
    FloatArray,
    IntArray,
    aligned,
    integers,
)
from babelzoo.benchmarks.metrics.ceiling import context_coded, decoder_ceiling
from babelzoo.benchmarks.metrics.information import (
    best_position_feature_mi,
    entropy,
    message_choice_information,
    message_context_information,
    message_target_information,
)
from babelzoo.benchmarks.metrics.measured import Measured, undefined
from babelzoo.benchmarks.metrics.structure import (
    bosdis,
    collision_rate,
    distinct_messages,
    effective_codebook,
    posdis,
    topographic_similarity,
)
from babelzoo.envs.core.errors import ConfigError

__all__ = [
    "Rounds",
    "accuracy_by_block",
    "measure",
    "rolling_mean",
    "spoken",
    "summary",
    "window",
]


class Rounds(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """The rounds of one sender and one receiver, in order. n may be 0.

    Invariant, checked on construction (`ConfigError` says what was expected): arrays have the
    shapes below and are read-only copies; each target is one of its distinct candidates; each
    choice is a candidate or -1; a round is a success exactly if the choice is the target; a
    round without a message is no success.

    Attributes:
        messages: Tokens 0..vocab_size-1, shape (n, L), L ≥ 1. A row of -1 is a round without a
            message (invalid or absent): a failure that no metric of the language counts.
        targets: Objects, shape (n,).
        choices: Objects, -1 for none, shape (n,).
        candidates: Objects, shape (n, c).
        success: Shape (n,), bool.
        features: Feature values of at least 0, shape (n_objects, n_features), both ≥ 1.
        vocab_size: Number of tokens, at least 1.
    """

    messages: IntArray
    targets: IntArray
    choices: IntArray
    candidates: IntArray
    success: BoolArray
    features: IntArray
    vocab_size: int

    def __post_init__(self) -> None:
        """Keep read-only copies and check the invariant."""
        for name, shape, dimensions in (
            ("messages", "(n, L)", 2),
            ("targets", "(n,)", 1),
            ("choices", "(n,)", 1),
            ("candidates", "(n, c)", 2),
            ("success", "(n,)", 1),
            ("features", "(n_objects, n_features)", 2),
        ):
            array = integers(getattr(self, name), name, shape, dimensions)
            kept = np.array(array, dtype=np.bool_ if name == "success" else np.int64)
            kept.flags.writeable = False
            msgspec.structs.force_setattr(self, name, kept)
        _check(self)


def window(rounds: Rounds, last: int | None = 50) -> Rounds:
    """The last `last` rounds, or all if there are fewer or `last` is None.

    Raises:
        ConfigError: `last` is below 1.
    """
    if last is not None and last < 1:
        raise ConfigError(f"expected a window of at least 1 round, actual {last}.")
    if last is None or last >= len(rounds.targets):
        return rounds
    return Rounds(
        messages=rounds.messages[-last:],
        targets=rounds.targets[-last:],
        choices=rounds.choices[-last:],
        candidates=rounds.candidates[-last:],
        success=rounds.success[-last:],
        features=rounds.features,
        vocab_size=rounds.vocab_size,
    )


def spoken(rounds: Rounds) -> BoolArray:
    """Which rounds have a message, shape (n,)."""
    has_message: BoolArray = rounds.messages[:, 0] >= 0
    return has_message


def measure(rounds: Rounds, last: int | None = 50) -> dict[str, Measured]:
    """All scalar metrics of the last rounds, each with the reason if it is nan.

    `accuracy` counts all rounds, one without a message as a failure; all else is of the rounds
    with a message. Of the effective codebook: `topsim`, `collision`, `posdis`, `bosdis`. Of the
    rounds: `best_mi`, `mi_message_target`, `mi_message_choice`, `mi_message_context` (I(message;
    candidate set | target)), `message_entropy` (all in bits), `distinct_messages`,
    `decoder_ceiling` and `context_coded` (0 or 1; it compares the accuracy over the rounds with
    a message with the ceiling). `unseen_objects` and `unspoken_rounds` count the objects and
    the rounds that the metrics of the language leave out.

    Args:
        rounds: The rounds.
        last: Length of the window; None for all.

    Raises:
        ConfigError: `last` is below 1.
    """
    recent = window(rounds, last)
    kept = spoken(recent)
    messages, targets = recent.messages[kept], recent.targets[kept]
    candidates, success = recent.candidates[kept], recent.success[kept]
    codebook = effective_codebook(messages, targets)
    meanings = rounds.features[codebook.objects]
    ceiling = decoder_ceiling(messages, targets, candidates)
    return {
        "accuracy": _mean(recent.success),
        "topsim": topographic_similarity(codebook.messages, meanings),
        "best_mi": best_position_feature_mi(messages, rounds.features[targets]),
        "collision": collision_rate(codebook.messages),
        "posdis": posdis(codebook.messages, meanings),
        "bosdis": bosdis(codebook.messages, meanings),
        "mi_message_target": message_target_information(messages, targets),
        "mi_message_choice": message_choice_information(messages, recent.choices[kept]),
        "mi_message_context": message_context_information(messages, candidates, targets),
        "decoder_ceiling": ceiling,
        "context_coded": context_coded(float(_mean(success)), float(ceiling)),
        "distinct_messages": Measured(float(distinct_messages(messages))),
        "message_entropy": entropy(messages),
        "unseen_objects": Measured(float(len(rounds.features) - len(codebook.objects))),
        "unspoken_rounds": Measured(float((~kept).sum())),
    }


def summary(rounds: Rounds, last: int | None = 50) -> dict[str, float]:
    """The values of `measure`, nan where undefined."""
    return {name: float(measured) for name, measured in measure(rounds, last).items()}


def accuracy_by_block(success: npt.ArrayLike, block: int = 50) -> FloatArray:
    """Share of successes in consecutive blocks of rounds, the last one perhaps shorter.

    Source: Talebirad et al. 2026, Metrics, Acc(W).

    Args:
        success: Shape (n,), bool.
        block: Rounds per block, at least 1.

    Returns:
        Shares in [0, 1] of shape (ceil(n / block),).

    Raises:
        ConfigError: The shape or the number is not as said.
    """
    won = _outcomes(success, block, "block")
    starts = np.arange(0, len(won), block)
    if not len(starts):
        return np.zeros(0)
    shares: FloatArray = np.add.reduceat(won, starts) / np.diff(starts, append=len(won))
    return shares


def rolling_mean(success: npt.ArrayLike, width: int = 15) -> FloatArray:
    """Mean success of each round and the `width` - 1 before it.

    Args:
        success: Shape (n,), bool.
        width: Rounds per mean, at least 1.

    Returns:
        Shares in [0, 1] of shape (n,); nan for the first `width` - 1 rounds, which have too few.

    Raises:
        ConfigError: The shape or the number is not as said.
    """
    won = _outcomes(success, width, "width")
    means = np.full(len(won), np.nan)
    sums = np.concatenate([[0], won.cumsum()])
    means[width - 1 :] = (sums[width:] - sums[:-width]) / width
    return means


def _mean(success: BoolArray) -> Measured:
    return Measured(float(success.mean())) if len(success) else undefined("there are no rounds")


def _outcomes(success: npt.ArrayLike, size: int, name: str) -> IntArray:
    if size < 1:
        raise ConfigError(f"expected {name} of at least 1, actual {size}.")
    return integers(success, "success", "(n,)", 1)


def _check(rounds: Rounds) -> None:
    aligned(
        "round",
        messages=rounds.messages,
        targets=rounds.targets,
        choices=rounds.choices,
        candidates=rounds.candidates,
        success=rounds.success,
    )
    n_objects = len(rounds.features)
    if rounds.vocab_size < 1:
        raise ConfigError(f"expected vocab_size of at least 1, actual {rounds.vocab_size}.")
    if not rounds.features.size or not rounds.messages.shape[1]:
        raise ConfigError(
            "expected at least one object, feature and token per message, actual features of "
            f"shape {rounds.features.shape} and messages of shape {rounds.messages.shape}."
        )
    _within("features", rounds.features, 0, None)
    _within("tokens", rounds.messages, -1, rounds.vocab_size - 1)
    _within("targets", rounds.targets, 0, n_objects - 1)
    _within("choices", rounds.choices, -1, n_objects - 1)
    _within("candidates", rounds.candidates, 0, n_objects - 1)
    absent = rounds.messages < 0
    ordered = np.sort(rounds.candidates, axis=1)
    chosen = rounds.choices[:, None]
    offered = (rounds.candidates == chosen).any(axis=1) | (rounds.choices == -1)
    _everywhere(
        ~np.logical_xor(absent.all(axis=1), absent.any(axis=1)),
        "a message without -1, or of -1 only",
        lambda i: rounds.messages[i].tolist(),
    )
    _everywhere(
        (ordered[:, 1:] != ordered[:, :-1]).all(axis=1),
        "distinct candidates",
        lambda i: rounds.candidates[i].tolist(),
    )
    _everywhere(
        (rounds.candidates == rounds.targets[:, None]).any(axis=1),
        "the target among the candidates",
        lambda i: f"{rounds.targets[i]} and {rounds.candidates[i].tolist()}",
    )
    _everywhere(
        offered,
        "the choice among the candidates, or -1",
        lambda i: f"{rounds.choices[i]} and {rounds.candidates[i].tolist()}",
    )
    _everywhere(
        ~np.logical_xor(rounds.success, rounds.choices == rounds.targets),
        "success exactly if the choice is the target",
        lambda i: f"{rounds.success[i]}, choice {rounds.choices[i]}, target {rounds.targets[i]}",
    )
    _everywhere(
        ~(rounds.success & absent[:, 0]),
        "no success without a message",
        lambda i: rounds.success[i],
    )


def _within(name: str, values: IntArray, low: int, high: int | None) -> None:
    if values.size and (values.min() < low or (high is not None and values.max() > high)):
        upper = "" if high is None else f"..{high}"
        raise ConfigError(
            f"expected {name} of {low}{upper or ' or more'}, actual {values.min()}..{values.max()}."
        )


def _everywhere(holds: BoolArray, expected: str, actual: Callable[[int], Any]) -> None:
    if not holds.all():
        i = int(holds.argmin())
        raise ConfigError(f"expected {expected}, actual {actual(i)} at row {i}.")
