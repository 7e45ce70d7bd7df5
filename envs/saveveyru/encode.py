"""SaveVeyru in numbers: Views and the whole state as vectors."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from babelzoo.envs.core import Encoding, tables
from babelzoo.envs.saveveyru.knobs import Offers, VeyruConfig
from babelzoo.envs.saveveyru.procedures import Procedure
from babelzoo.envs.saveveyru.terms import Notice, Said, Symptoms, Tried, VeyruView
from babelzoo.envs.saveveyru.world import VeyruWorld

__all__ = ["VeyruEncoding"]

_SEATS = ("observer", "specialist", "listener", "eavesdropper", "retired")
_PHASES = ("round", "postmortem", "over")
_RESULTS = ("works", "fails", "late")
_MANY = 10  # unread messages and stages that count as 1


class VeyruEncoding(Encoding[VeyruConfig, VeyruView]):
    """Vectors for one config.

    A feature vector is, in this order: seat (5) and phase (3), one-hot; share of rounds begun;
    share of the budget left, as far as the agent can count it; whether it was warned; whether
    it is paid the opposite; unread messages (2) and the stage to guess, in tenths; the result of
    its last procedure, one-hot (3); the motif whose symptoms it last saw, one-hot (n); the
    templates behind its labels (n·n); the specialist's table, row by row: template, face,
    intensity, seconds, one-hot; then the last message of its own and the last of others in this
    phase, one-hot by position, `max_symbols` positions of the symbols and one for any other
    character. What an agent may not know is zero.
    """

    def __init__(self, config: VeyruConfig) -> None:
        super().__init__(config)
        self._offers = tables(Offers, config)
        n = len(config.motifs)
        self._place = {motif: place for place, motif in enumerate(config.motifs)}
        self._slots = tuple(
            {value: place for place, value in enumerate(values)}
            for values in (config.motifs, config.faces, config.intensities, config.seconds)
        )
        self._row = sum(map(len, self._slots))
        self._symbols = {symbol: place for place, symbol in enumerate(config.symbols)}
        self._width = len(config.symbols) + 1
        self._motif = len(_SEATS) + len(_PHASES) + 7 + len(_RESULTS)
        self._labels = self._motif + n
        self._table = self._labels + n * n
        self._mine = self._table + n * self._row
        self._theirs = self._mine + config.max_symbols * self._width
        self.size = self._theirs + config.max_symbols * self._width
        n_agents = 4 if config.mode == "two_teams" else 2 + (config.mode != "pair")
        n_teams = 2 if config.mode == "two_teams" else 1
        self._hidden = 2 + n_teams * 3 + len(config.stage_weights) * (n + self._row)
        self.state_size = n_agents * self.size + self._hidden

    def features(self, view: VeyruView) -> NDArray[np.float32]:
        """A View as a fresh vector of shape (size,) within [0, 1]."""
        config, vector = self.config, np.zeros(self.size, np.float32)
        used, warned = 0, False
        motif = tried = mine = theirs = None
        for entry in (*view.log, *view.new):
            match entry:
                case Said():
                    used += len(entry.text) if entry.channel == "link" else 0
                    if entry.by == view.seat:
                        mine = entry.text
                    else:
                        theirs = entry.text
                case Symptoms():
                    motif = entry.motif
                case Tried():
                    tried = entry.result
                case Notice(news="ended"):  # what came before belongs to the last phase
                    used, warned, motif, tried, mine, theirs = 0, False, None, None, None, None
                case Notice(news="warning"):
                    warned = True
        used = used if view.used is None else view.used
        vector[_SEATS.index(view.seat)] = 1
        at = len(_SEATS)
        vector[at + _PHASES.index(view.phase)] = 1
        at += len(_PHASES)
        vector[at : at + 7] = (
            min(1, view.round / config.n_rounds),
            max(0.0, 1 - used / max(1, config.budget)),
            warned,
            view.conflict,
            min(1, view.unread[0] / _MANY),
            min(1, view.unread[1] / _MANY),
            min(1, view.stage / _MANY),
        )
        if tried is not None:
            vector[at + 7 + _RESULTS.index(tried)] = 1
        if motif is not None:
            vector[self._motif + self._place[motif]] = 1
        for label, template in enumerate(view.labels):
            vector[self._labels + label * len(config.motifs) + self._place[template]] = 1
        for row, (_, procedure) in enumerate(view.table):
            self._write(procedure, vector, self._table + row * self._row)
        self._spell(mine, vector, self._mine)
        self._spell(theirs, vector, self._theirs)
        return vector

    def _write(self, procedure: Procedure, vector: NDArray[np.float32], at: int) -> None:
        """Template, face, intensity and seconds, one-hot."""
        values = (procedure.template, procedure.face, procedure.intensity, procedure.seconds)
        for places, value in zip(self._slots, values, strict=True):
            vector[at + places[value]] = 1  # type: ignore[index]
            at += len(places)

    def _spell(self, text: str | None, vector: NDArray[np.float32], at: int) -> None:
        """The first symbols of a message, one-hot by position."""
        for place, symbol in enumerate((text or "")[: self.config.max_symbols]):
            digit = self._symbols.get(symbol, self._width - 1)
            vector[at + place * self._width + digit] = 1

    def state(self, world: Any) -> NDArray[np.float32]:
        """The whole state as a vector of shape (state_size,) within [0, 1].

        In this order: the features of every agent's View; share of rounds ended and whether the
        specialist is paid the opposite; for each pair the share of the budget used, of stages
        done and of attempts; then each stage's motif and procedure, one-hot.
        """
        assert isinstance(world, VeyruWorld)
        config, case = self.config, world.case
        views = [self.features(world.view(agent)) for agent in world.possible_agents()]
        hidden = np.zeros(self._hidden, np.float32)
        hidden[:2] = world.round / config.n_rounds, case.conflict
        at = 2
        for team in world.teams:
            hidden[at : at + 3] = (
                min(1, team.used / max(1, config.budget)),
                team.stage / len(case.stages),
                min(1, team.attempts / (config.attempts or _MANY)),
            )
            at += 3
        for motif, procedure in zip(case.stages, case.procedures, strict=True):
            hidden[at + self._place[motif]] = 1
            self._write(procedure, hidden, at + len(config.motifs))
            at += len(config.motifs) + self._row
        return np.concatenate([*views, hidden])
