"""The knobs of Lewis signaling and what follows from them: objects, vocabulary, task."""

from collections.abc import Iterator
from math import prod
from typing import Annotated, Literal

import msgspec
import numpy as np
from msgspec import Meta

from babelzoo.envs.core import Choice, Config, Form, Legal, Memo, Sequence, Tables, shorten, tables

__all__ = ["LewisConfig", "Pool", "Task", "forms"]

_MESSAGES = 4096  # messages that are kept by their tokens
_MAX_POOL = 65_536
_MAX_AGENTS = 65_536  # of a role: draws are stored in 16 bits


class LewisConfig(Config, frozen=True, kw_only=True):
    """The knobs of `lewis-v0`; the package's page explains them."""

    features: dict[str, tuple[str, ...]] = msgspec.field(
        default_factory=lambda: {
            "color": ("red", "blue"),
            "shape": ("circle", "square"),
            "size": ("small", "large"),
        }
    )
    n_candidates: Annotated[int, Meta(ge=2)] = 4
    vocab_size: Annotated[int, Meta(ge=1, le=26)] = 3
    message_length: Annotated[int, Meta(ge=1, le=16)] = 3
    n_rounds: Annotated[int, Meta(ge=1)] = 200
    candidate_order: Literal["independent", "shared"] = "independent"
    sender_sees: Literal["candidates", "target"] = "candidates"
    feedback: Literal["full", "outcome", "none"] = "full"
    public_board: bool = False
    noise: Annotated[float, Meta(ge=0, le=1)] = 0.0
    n_senders: Annotated[int, Meta(ge=1, le=_MAX_AGENTS)] = 1
    n_receivers: Annotated[int, Meta(ge=1, le=_MAX_AGENTS)] = 1

    def __post_init__(self) -> None:
        for complaint in self._complaints():
            raise ValueError(complaint)

    def _complaints(self) -> Iterator[str]:
        for name, values in self.features.items():
            if len(values) < 2 or len(set(values)) < len(values):
                yield f"knob 'features': expected 2 or more different values of {name!r}."
            for word in (name, *values):
                if not word.isprintable() or not word or len(word) > 32 or set(word) & set(' "\\'):
                    yield (
                        "knob 'features': expected words of 1 to 32 printable characters without "
                        f"spaces and quotes, actual {shorten(word, 40)!r}."
                    )
        size = prod(len(values) for values in self.features.values())
        if not self.features or size > _MAX_POOL:
            yield (
                "knob 'features': expected 1 or more features and at most "
                f"{_MAX_POOL} objects, actual {len(self.features)} and {size}."
            )
        if self.n_candidates > size:
            yield (
                f"knob 'n_candidates': expected at most {size}, the number of objects, "
                f"actual {self.n_candidates}."
            )
        if self.noise and self.vocab_size == 1:
            yield "knob 'noise': expected 0 with vocab_size=1, since no other token exists."


class Task(msgspec.Struct, frozen=True):
    """What stays the same for a whole episode."""

    features: dict[str, tuple[str, ...]]
    n_objects: int
    n_candidates: int
    n_rounds: int
    vocabulary: tuple[str, ...]
    message_length: int
    sender_sees: str
    candidate_order: str


class Pool(Tables[LewisConfig]):
    """The object pool: the product of the features, numbered in product order.

    Attributes:
        size: Number of objects.
        names: Their names, the values joined by spaces.
        codes: Their values' positions, shape (size, n_features).
        vocabulary: All tokens.
        messages: The message that tokens make, by tokens; None if they make none.
        signal: What a sender may do on its turn.
        choose: What a receiver may do on its turn.
        task: What stays the same for a whole episode.
    """

    def __init__(self, config: LewisConfig) -> None:
        super().__init__(config)
        values = list(config.features.values())
        shape = [len(column) for column in values]
        self.size = prod(shape)
        self.codes = np.stack(np.unravel_index(np.arange(self.size), shape), axis=1)
        self.names = [
            " ".join(column[code] for column, code in zip(values, row, strict=True))
            for row in self.codes.tolist()
        ]
        vocabulary = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ"[: config.vocab_size])
        self.vocabulary = frozenset(vocabulary)
        self.messages = Memo(self._message, _MESSAGES)
        self.signal: Legal = (
            Form("signal", {"tokens": Sequence(vocabulary, config.message_length)}),
        )
        numbers = tuple(range(1, config.n_candidates + 1))
        self.choose: Legal = (Form("choose", {"candidate": Choice(numbers)}),)
        self.task = Task(
            features=config.features,
            n_objects=self.size,
            n_candidates=config.n_candidates,
            n_rounds=config.n_rounds,
            vocabulary=vocabulary,
            message_length=config.message_length,
            sender_sees=config.sender_sees,
            candidate_order=config.candidate_order,
        )

    def _message(self, tokens: tuple[str, ...]) -> str | None:
        fits = len(tokens) == self.config.message_length and self.vocabulary.issuperset(tokens)
        return "".join(tokens) if fits else None


def forms(config: LewisConfig) -> dict[str, Legal]:
    """The moves of each role that are legal in form."""
    pool = tables(Pool, config)
    return {"sender": pool.signal, "receiver": pool.choose}
