"""Policies that win at SaveVeyru through its holes, and must fail where they are closed."""

from abc import abstractmethod

from babelzoo.agents.policy import NoKnobs, Turn
from babelzoo.agents.scripted.saveveyru import OracleCode, VeyruPolicy, carry_out
from babelzoo.envs.core import Move
from babelzoo.envs.saveveyru import (
    MOTIFS,
    Notice,
    Procedure,
    Refused,
    Said,
    Send,
    Symptoms,
    VeyruView,
)
from babelzoo.envs.saveveyru.procedures import FACES, INTENSITIES, SECONDS, TEMPLATES

__all__ = ["OracleDelay", "OracleLeap", "OracleRotation"]

_SIZES = (len(TEMPLATES) - 1, len(FACES), len(INTENSITIES), len(SECONDS))
_STATES = 13 * 6 * 3 * 6  # an offset and one triple of slots: all that a rotated round holds
_FIRST = 0x4E00  # the first of enough characters that look like single letters
_PRINTABLE = "".join(map(chr, range(33, 127)))
_BITS = 11  # enough for all states


def _number(view: VeyruView) -> int:
    """The state that the first row shows; the whole table if it is rotated."""
    motif, needed = view.table[0]
    number = (needed.template - motif) % len(MOTIFS) - 1
    places = (
        FACES.index(needed.face),
        INTENSITIES.index(needed.intensity),
        SECONDS.index(needed.seconds) if needed.seconds in SECONDS else 0,
    )
    for size, place in zip(_SIZES[1:], places, strict=True):
        number = number * size + place
    return number


def _treat(number: int, motif: int, view: VeyruView) -> Move | None:
    """What `motif` needs if the table is rotated."""
    if not 0 <= number < _STATES:
        return None
    number, seconds = divmod(number, _SIZES[3])
    number, intensity = divmod(number, _SIZES[2])
    offset, face = divmod(number, _SIZES[1])
    template = (motif + 1 + offset) % len(TEMPLATES)
    procedure = Procedure(template, FACES[face], INTENSITIES[intensity], SECONDS[seconds])
    return carry_out(procedure, view)


class _Rotator(VeyruPolicy[NoKnobs]):
    """The specialist tells the state, the observer works out every stage alone."""

    def reset(self, agent: str, rules: str, seed: int) -> None:
        """Start an episode."""
        super().reset(agent, rules, seed)
        self._round = 0
        self._begin()

    def act(self, turn: Turn) -> Move:
        """Act on the View; a new round starts afresh."""
        if turn.observation.round != self._round:
            self._round = turn.observation.round
            self._begin()
        return super().act(turn)

    def _begin(self) -> None:
        self._motif: int | None = None
        self._told: int | None = None
        self._turns = self._bits = 0
        self._tried: set[int] = set()

    def _heard(self, view: VeyruView) -> list[Said]:
        """The partner's new messages of this round."""
        said: list[Said] = []
        for entry in view.new:
            if isinstance(entry, Notice) and entry.news == "ended":
                said.clear()
            elif isinstance(entry, Said) and entry.by != view.seat:
                said.append(entry)
        return said

    def observe(self, view: VeyruView) -> Move | None:
        """Take in symptoms and the state; treat once both are there."""
        for entry in view.new:
            if isinstance(entry, Symptoms):
                self._motif = entry.motif
        self.listen(view)
        if self._told is None or self._motif is None or self._motif in self._tried:
            return self.idle()
        self._tried.add(self._motif)
        return _treat(self._told, self._motif, view)

    @abstractmethod
    def listen(self, view: VeyruView) -> None:
        """Take in what the specialist tells."""

    def idle(self) -> Move | None:
        """What an observer does that can do nothing."""
        return None


class OracleRotation(_Rotator):
    """One character carries the whole table: wins while the mapping is a rotation."""

    def advise(self, view: VeyruView) -> Move | None:
        """One character out of 1,404; two of ASCII where it is refused."""
        self._turns += 1
        number = _number(view)
        if self._turns == 1:
            return Send("link", chr(_FIRST + number))
        if any(isinstance(entry, Refused) for entry in view.new):
            first, second = divmod(number, len(_PRINTABLE))
            return Send("link", _PRINTABLE[first] + _PRINTABLE[second])
        return None

    def listen(self, view: VeyruView) -> None:
        """Decode the characters."""
        for said in self._heard(view):
            if len(said.text) == 2:
                first, second = map(_PRINTABLE.find, said.text)
                self._told = first * len(_PRINTABLE) + second
            elif said.text:
                self._told = ord(said.text[0]) - _FIRST


class OracleDelay(_Rotator):
    """Waiting is 0, an empty message 1: wins while silence is free, and says no character."""

    def advise(self, view: VeyruView) -> Move | None:
        """One bit a turn, the highest first."""
        self._turns += 1
        if self._turns > _BITS:
            return None
        bit = _number(view) >> (_BITS - self._turns) & 1
        return Send("link", "") if bit else None

    def listen(self, view: VeyruView) -> None:
        """Count the turns, and note in which a message came."""
        if self._turns:
            self._bits = 2 * self._bits + bool(self._heard(view))
            if self._turns == _BITS:
                self._told = self._bits
        self._turns += 1

    def idle(self) -> Move | None:
        """Keep the round alive."""
        return Send("link", "")


class OracleLeap(OracleCode):
    """Asks once, then solves all other stages alone: wins while one success gives all away."""

    def reset(self, agent: str, rules: str, seed: int) -> None:
        """Start an episode."""
        super().reset(agent, rules, seed)
        self._known: tuple[int, int, Procedure] | None = None
        self._asked = (0, 0)

    def observe(self, view: VeyruView) -> Move | None:
        """Ask for the first stage of a round; compute the rest from what worked."""
        seen = [entry.motif for entry in view.new if isinstance(entry, Symptoms)]
        if seen:
            known, self._known = self._known, None
            if known is not None and known[0] == view.round:
                _, motif, worked = known
                shift = (worked.template - motif) % len(TEMPLATES)
                template = (seen[-1] + shift) % len(TEMPLATES)
                needed = Procedure(template, worked.face, worked.intensity, worked.seconds)
                self._known = view.round, seen[-1], needed
                return carry_out(needed, view)
            self._asked = view.round, seen[-1]
        return super().observe(view)

    def understand(self, advice: str, view: VeyruView) -> Procedure | None:
        """Remember the advice too."""
        procedure = super().understand(advice, view)
        if procedure is not None and self._asked[0] == view.round:
            self._known = (*self._asked, procedure)
        return procedure
