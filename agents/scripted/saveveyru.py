"""Scripted players of SaveVeyru that know the treatments.

Both seats know the motifs, the procedures and one code beforehand, so two seats of the same
name understand each other without having spoken.
"""

from abc import abstractmethod
from typing import TypeVar

import msgspec

from babelzoo.agents.policy import NoKnobs, Policy, Turn
from babelzoo.envs.core import Config, ConfigError, Legal, Move, Spelled, Wait, sample
from babelzoo.envs.saveveyru import (
    MOTIFS,
    Guess,
    Notice,
    Perform,
    Procedure,
    Said,
    Send,
    Stabilize,
    Symptoms,
    VeyruView,
    render,
    symptoms,
)
from babelzoo.envs.saveveyru.judge import read
from babelzoo.envs.saveveyru.procedures import FACES, INTENSITIES, TEMPLATES

__all__ = [
    "OracleCode",
    "OracleEnglish",
    "VeyruPolicy",
    "carry_out",
    "spell",
    "unspell",
]

KnobsT = TypeVar("KnobsT", bound=Config)

_MOST_SECONDS = 1000


class VeyruPolicy(Policy[KnobsT]):
    """A player of either seat of the pair, who says nothing in the postmortem.

    Each turn it takes in what is new and then acts; `observe` and `advise` decide.
    """

    games = ("saveveyru",)
    recalls = True

    def act(self, turn: Turn) -> Move:
        """Act on the View."""
        view: VeyruView = turn.observation
        if view.seat == "eavesdropper":
            guess: Move = msgspec.convert(sample(view.legal, self.rng), Guess)
            return guess
        if view.phase != "round" or view.seat not in ("observer", "specialist"):
            return Wait()
        return (self.observe if view.seat == "observer" else self.advise)(view) or Wait()

    @abstractmethod
    def observe(self, view: VeyruView) -> Move | None:
        """The observer's move; None to wait."""

    @abstractmethod
    def advise(self, view: VeyruView) -> Move | None:
        """The specialist's move; None to wait."""


class _Relay(VeyruPolicy[KnobsT]):
    """Tell the symptoms, answer with the procedure, carry it out."""

    def observe(self, view: VeyruView) -> Move | None:
        """Report new symptoms, carry out what comes back."""
        seen = [entry for entry in view.new if isinstance(entry, Symptoms)]
        if seen:
            return Send("link", self.report(seen[-1].motif, view))
        advice = _last_said(view)
        procedure = None if advice is None else self.understand(advice, view)
        return None if procedure is None else carry_out(procedure, view)

    def advise(self, view: VeyruView) -> Move | None:
        """Answer a report with what its motif needs."""
        report = _last_said(view)
        motif = None if report is None else self.recognise(report, view)
        needed = dict(view.table).get(-1 if motif is None else motif)
        return None if needed is None else Send("link", self.prescribe(needed, view))

    @abstractmethod
    def report(self, motif: int, view: VeyruView) -> str:
        """What to say of a motif."""

    @abstractmethod
    def recognise(self, report: str, view: VeyruView) -> int | None:
        """The motif of a report; None if it can't be told."""

    @abstractmethod
    def prescribe(self, procedure: Procedure, view: VeyruView) -> str:
        """What to say of a procedure."""

    @abstractmethod
    def understand(self, advice: str, view: VeyruView) -> Procedure | None:
        """The procedure of an advice; None if it can't be told."""


class OracleEnglish(_Relay[NoKnobs]):
    """Relays symptoms and procedures in full English."""

    def report(self, motif: int, view: VeyruView) -> str:
        """The symptoms as seen."""
        return symptoms(motif)

    def recognise(self, report: str, view: VeyruView) -> int | None:
        """The motif whose symptoms agree in most places; noise hits some."""
        agreement = {
            motif: sum(a == b for a, b in zip(symptoms(motif), report, strict=False))
            for motif, _ in view.table
        }
        motif = max(agreement, key=lambda known: agreement[known])
        return motif if 2 * agreement[motif] > len(report) else None

    def prescribe(self, procedure: Procedure, view: VeyruView) -> str:
        """The procedure as the reader shows it."""
        return render(procedure)

    def understand(self, advice: str, view: VeyruView) -> Procedure | None:
        """The procedure that the advice states."""
        return read(advice, strict=True)


class OracleCode(_Relay[NoKnobs]):
    """Spells motif, template, face, intensity and seconds in the learners' symbols."""

    def report(self, motif: int, view: VeyruView) -> str:
        """The motif's number."""
        return spell((motif,), (len(MOTIFS),), _symbols(view.legal))

    def recognise(self, report: str, view: VeyruView) -> int | None:
        """The motif of a number."""
        parts = unspell(report, (len(MOTIFS),), _symbols(view.legal))
        return None if parts is None else parts[0]

    def prescribe(self, procedure: Procedure, view: VeyruView) -> str:
        """The numbers of the procedure's parts."""
        parts = (
            procedure.template,
            FACES.index(procedure.face),
            INTENSITIES.index(procedure.intensity),
            procedure.seconds,
        )
        return spell(parts, _PARTS, _symbols(view.legal))

    def understand(self, advice: str, view: VeyruView) -> Procedure | None:
        """The procedure of such numbers."""
        parts = unspell(advice, _PARTS, _symbols(view.legal))
        if parts is None:
            return None
        template, face, intensity, seconds = parts
        return Procedure(template, FACES[face], INTENSITIES[intensity], seconds)


_PARTS = (len(TEMPLATES), len(FACES), len(INTENSITIES), _MOST_SECONDS)


def spell(numbers: tuple[int, ...], sizes: tuple[int, ...], symbols: str) -> str:
    """Numbers below `sizes` as digits in `symbols`, each of the same length for its size."""
    text = ""
    for number, size in zip(numbers, sizes, strict=True):
        digits = ""
        while len(symbols) ** len(digits) < size:
            number, digit = divmod(number, len(symbols))
            digits = symbols[digit] + digits
        text += digits
    return text


def unspell(text: str, sizes: tuple[int, ...], symbols: str) -> tuple[int, ...] | None:
    """The numbers that `text` spells; None if it spells none below `sizes`."""
    numbers = []
    for size in sizes:
        number, reach = 0, 1
        while reach < size:
            digit = symbols.find(text[:1]) if text else -1
            if digit < 0:
                return None
            number, reach, text = number * len(symbols) + digit, reach * len(symbols), text[1:]
        if number >= size:
            return None
        numbers.append(number)
    return None if text else tuple(numbers)


def _symbols(legal: Legal) -> str:
    """The symbols that may be sent in any charset."""
    for form in legal:
        for field in form.fields.values():
            if isinstance(field, Spelled):
                if len(field.symbols) < 2:
                    raise ConfigError(
                        "oracle-code: expected 2 or more symbols to spell with, actual 1: "
                        "raise the knob symbols."
                    )
                return "".join(field.symbols)
    raise AssertionError(f"no message may be sent: {legal}")


def carry_out(procedure: Procedure, view: VeyruView) -> Move:
    """A procedure as the observer's move, in English or by the observer's own label."""
    (form,) = (form for form in view.legal if form.action == "stabilize")
    if not view.labels:
        return Stabilize(render(procedure))
    labels = form.fields["template"].values  # type: ignore[union-attr]
    label = str(labels[view.labels.index(procedure.template)])
    return Perform(label, procedure.face, procedure.intensity, procedure.seconds)


def _last_said(view: VeyruView) -> str | None:
    """The partner's last new message of this round."""
    said = None
    for entry in view.new:
        if isinstance(entry, Said) and entry.by != view.seat and entry.channel == "link":
            said = entry.text
        elif isinstance(entry, Notice) and entry.news == "ended":
            said = None
    return said
