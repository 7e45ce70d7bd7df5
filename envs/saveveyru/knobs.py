"""The knobs of SaveVeyru, its presets, and the moves that follow from them."""

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from msgspec import Meta

from babelzoo.envs.core import (
    IDLE,
    Choice,
    Config,
    Field,
    Form,
    Free,
    Legal,
    Range,
    Spelled,
    Tables,
    tables,
)
from babelzoo.envs.saveveyru.procedures import (
    SECONDS,
    TEMPLATES,
    TITLES,
)

__all__ = ["LONGEST", "PRESETS", "Offers", "VeyruConfig", "forms"]

LONGEST = 2000  # characters of a message beyond the budget, and of a procedure in English
_READABLE = 100  # messages that one `read` may ask for
_LABELS = "ABCDEFGHIJKLMN"

Face = Literal["top", "bottom", "left", "right", "front", "back"]
Intensity = Literal["gentle", "moderate", "firm"]
Share = Annotated[float, Meta(ge=0, le=1)]
Count = Annotated[int, Meta(ge=1)]
Cost = Annotated[int, Meta(ge=0)]


class VeyruConfig(Config, frozen=True, kw_only=True):
    """The knobs of `saveveyru-v0`; the package's page explains them."""

    n_rounds: Count = 15
    budget: Cost = 150
    postmortem: bool = True
    show_budget: bool = False
    mapping: Literal["rotation", "derangement"] = "rotation"
    slots: Literal["round", "motif"] = "round"
    attempts: Count | None = None
    charset: Literal["any", "ascii", "symbols"] = "any"
    min_cost: Cost = 0
    turn_cost: Cost = 0
    noise: Share = 0.0
    noise_mode: Literal["mask", "random_letter"] = "mask"
    delivery: Literal["push", "pull"] = "push"
    action_format: Literal["english", "structured"] = "english"
    judge: Literal["strict", "core"] = "strict"
    max_turns: Annotated[int, Meta(ge=2)] = 60
    max_postmortem_turns: Annotated[int, Meta(ge=2)] = 24
    motifs: tuple[Annotated[int, Meta(ge=0, lt=14)], ...] = tuple(range(14))
    stage_weights: tuple[Cost, ...] = (20, 25, 25, 20, 10)
    faces: tuple[Face, ...] = ("top", "bottom", "left", "right", "front", "back")
    intensities: tuple[Intensity, ...] = ("gentle", "moderate", "firm")
    seconds: tuple[Annotated[int, Meta(ge=1, le=999)], ...] = SECONDS
    symbols: str = "abcdefgh"
    max_symbols: Annotated[int, Meta(ge=1, le=16)] = 4
    mode: Literal["pair", "two_teams", "intern", "eavesdropper"] = "pair"
    swap_after: Count = 10
    announce_swap: bool = True
    intern_joins: Count = 3
    intern_takes_over: Annotated[int, Meta(ge=2)] = 8
    eavesdropper_sees: Literal["messages", "messages+outcomes"] = "messages"
    eavesdropper_budget: Cost | None = None
    conflict: Share = 0.0

    def __post_init__(self) -> None:
        for complaint in self._complaints():
            raise ValueError(complaint)

    def _complaints(self) -> Iterator[str]:
        for name in ("motifs", "faces", "intensities", "seconds"):
            values = getattr(self, name)
            least = 2 if name == "motifs" else 1
            if len(values) < least or len(set(values)) < len(values):
                yield f"knob {name!r}: expected {least} or more different values, actual {values}."
        weights = self.stage_weights
        if not sum(weights) or len(weights) > len(self.motifs):
            yield (
                "knob 'stage_weights': expected one weight for each number of stages from 1 to at "
                f"most {len(self.motifs)}, the number of motifs, and not only zeros, actual "
                f"{weights}."
            )
        if not self.symbols or len(set(self.symbols)) < len(self.symbols):
            actual = repr(self.symbols)
            yield f"knob 'symbols': expected 1 or more different characters, actual {actual}."
        if not (self.symbols.isascii() and self.symbols.isprintable()):
            yield f"knob 'symbols': expected printable ASCII, actual {self.symbols!r}."
        if self.mode == "intern" and self.intern_takes_over <= self.intern_joins:
            yield (
                f"knob 'intern_takes_over': expected more than intern_joins={self.intern_joins}, "
                f"actual {self.intern_takes_over}."
            )


PRESETS: dict[str, dict[str, Any]] = {
    "reference": {},
    "paper": {},
    "sealed": {
        "mapping": "derangement",
        "slots": "motif",
        "attempts": 3,
        "charset": "ascii",
        "min_cost": 1,
        "turn_cost": 1,
    },
    "two_teams": {"mode": "two_teams", "n_rounds": 20, "swap_after": 10},
    "intern": {"mode": "intern", "intern_joins": 3, "intern_takes_over": 8},
    "eavesdropper": {"mode": "eavesdropper"},
    "conflict": {"conflict": 0.5},
}


class Offers(Tables[VeyruConfig]):
    """What may be done in each seat and phase; equal legal sets are one object.

    Attributes:
        longest: Longest message in characters.
        labels: The observer's labels of templates (structured actions).
        observe: An observer's moves in a round.
        advise: A specialist's moves in a round.
        discuss: Either's moves in a postmortem.
        guess: An eavesdropper's moves.
    """

    def __init__(self, config: VeyruConfig) -> None:
        super().__init__(config)
        self.longest = config.budget + LONGEST
        self.labels = tuple(_LABELS[: len(config.motifs)])
        slots: dict[str, Field] = {
            "face": Choice(config.faces),
            "intensity": Choice(config.intensities),
            "seconds": Choice(config.seconds),
        }
        stabilize = Form("stabilize", {"template": Choice(self.labels)} | slots)
        if config.action_format == "english":
            sentences = tuple(TEMPLATES[motif] for motif in config.motifs)
            values: dict[str, tuple[str | int, ...]] = {
                "face": config.faces,
                "intensity": config.intensities,
                "seconds": config.seconds,
            }
            spoken = Free(LONGEST, sentences, values)
            stabilize = Form("stabilize", {"procedure": spoken})
        self.observe = (*self._talk("link"), stabilize, *IDLE)
        self.advise = (*self._talk("link"), *IDLE)
        self.discuss = (*self._talk("postmortem"), *IDLE)
        titles = tuple(TITLES[motif] for motif in config.motifs)
        self.guess: Legal = (Form("guess", {"template": Choice(titles)} | slots),)

    def _talk(self, channel: str) -> Legal:
        config = self.config
        text = Spelled(self.longest, tuple(config.symbols), config.max_symbols)
        send = Form("send", {"channel": Choice((channel,)), "text": text})
        if config.delivery == "push":
            return (send,)
        channels = ("link", "postmortem") if config.postmortem else ("link",)
        last_n = Range(1, _READABLE, (1, 5, _READABLE))
        return (send, Form("read", {"channel": Choice(channels), "last_n": last_n}))


def forms(config: VeyruConfig) -> dict[str, Legal]:
    """The moves of each role that are legal in form."""
    offers = tables(Offers, config)
    roles = {"observer": offers.observe, "specialist": offers.advise}
    if config.mode == "intern":
        roles["intern"] = offers.observe
    if config.mode == "eavesdropper":
        roles["eavesdropper"] = offers.guess
    return roles
