"""The schedule of SaveVeyru: who sits where, when rounds begin and end, and the whole state."""

from typing import Any

import msgspec

from babelzoo.envs.core import Ended, Outcome, World, tables
from babelzoo.envs.saveveyru.cases import Case, Dealer, labels
from babelzoo.envs.saveveyru.events import RoundEnded, Swapped
from babelzoo.envs.saveveyru.knobs import Offers, VeyruConfig
from babelzoo.envs.saveveyru.team import Desk, Team
from babelzoo.envs.saveveyru.terms import End, Notice, Previous, Seat, Symptoms, VeyruView

__all__ = ["Rounds"]

_NO_CASE = Case((), (), 0, (), False)  # before the first reset


class _Saved(msgspec.Struct):
    """A snapshot."""

    seed: int
    round: int
    guesses: list[int]
    listen: bool
    teams: list[Team]
    desks: dict[str, Desk]


class Rounds(World[VeyruConfig, VeyruView]):
    """Pairs that save one Veyru a round. Each pair has a link and a budget of its own.

    Attributes:
        round: Number of rounds that have ended.
        over: Whether all have.
        case: This round's Veyru (after the end: the last one's).
        teams: The pairs.
        desks: What lies before each agent.
    """

    def __init__(self, config: VeyruConfig) -> None:
        self.config = config
        self._offers = tables(Offers, config)
        self._dealer = tables(Dealer, config)
        self._n_teams = 2 if config.mode == "two_teams" else 1
        third = {"intern": ("intern_0",), "eavesdropper": ("eavesdropper_0",)}
        self._third: tuple[str, ...] = third.get(config.mode, ())
        pairs = [name for i in range(self._n_teams) for name in _members(i)]
        self._agents = (*pairs, *self._third)
        self._alone = {agent: (agent,) for agent in self._agents}
        self._ready: tuple[str, ...] = ()
        self._seed = self.round = 0
        self.over = False
        self._guesses: list[int] = []  # stages that an eavesdropper is to guess
        self._listen = False  # whether an intern is to be shown the round
        self.case = _NO_CASE
        self.teams: list[Team] = []
        self.desks: dict[str, Desk] = {}

    def reset(self, seed: int) -> None:
        """Start an episode."""
        self._seed, self.round, self.over = seed, 0, False
        self._guesses, self._listen = [], False
        self.teams = [Team(*_members(i)) for i in range(self._n_teams)]
        self.desks = {}
        for i, team in enumerate(self.teams):
            self.desks[team.observer] = Desk("observer", i, self._labels(team.observer))
            self.desks[team.specialist] = Desk("specialist", i)
        for agent in self._third:
            seat: Seat = "listener" if agent == "intern_0" else "eavesdropper"
            self.desks[agent] = Desk(seat, 0, self._labels(agent))
        self._begin_round()
        self._ready = self._who_is_ready()

    def _labels(self, agent: str) -> tuple[int, ...]:
        if self.config.action_format == "english" or agent == "eavesdropper_0":
            return ()
        return labels(self.config, self._seed, agent)

    def possible_agents(self) -> tuple[str, ...]:
        """Observer and specialist of each pair, then an intern or an eavesdropper."""
        return self._agents

    def agents(self) -> tuple[str, ...]:
        """Everyone until the last round has ended; a retired observer only waits."""
        return () if self.over else self._agents

    def ready(self) -> tuple[str, ...]:
        """Whose turn it is in each pair; first of all an eavesdropper or a listening intern."""
        return self._ready

    def _who_is_ready(self) -> tuple[str, ...]:
        if self.over:
            return ()
        if self._guesses or self._listen:
            return self._third
        if self._n_teams == 1:
            (team,) = self.teams
            return self._alone[team.specialist if team.turn % 2 else team.observer]
        return tuple([team.mover for team in self.teams if team.phase != "done"])

    def _round_is_done(self) -> bool:
        """Whether all pairs are done, and nobody is still to guess or to be shown the round."""
        pending = self._guesses or self._listen
        return not pending and all(team.phase == "done" for team in self.teams)

    def _begin_round(self) -> None:
        """Bring in the next Veyru. An observer is shown its first symptoms.

        Messages that nobody read are shown first, so that none is lost.
        """
        self.case = self._dealer.deal(self._seed, self.round)
        for i, team in enumerate(self.teams):
            self.teams[i] = Team(team.observer, team.specialist)
            for agent in (team.observer, team.specialist):
                desk = self.desks[agent]
                if desk.unread:
                    for place in desk.unread:
                        desk.tell(team.said[place])
                    desk.tell(Notice("ended"))
                desk.log, desk.unread, desk.fallbacks = (), (), 0
            self.desks[team.observer].tell(Symptoms(self.case.stages[0], self.case.location))

    def _end_round(self, number: int, end: End, outcome: Outcome) -> None:
        """End pair `number`'s round. What somebody has not seen yet stays before it."""
        team, case, config = self.teams[number], self.case, self.config
        if self.config.mode == "eavesdropper" and team.stage < len(case.stages):
            self._guesses.append(team.stage)
        outcome.events += (
            RoundEnded(
                self.round + 1,
                number,
                team.observer,
                team.specialist,
                case.stages,
                case.procedures,
                team.stage,
                end,
                team.used,
                config.budget,
                team.messages,
                team.characters,
                team.tried,
                team.turn,
                case.conflict,
            ),
        )
        for agent in (team.observer, team.specialist):
            desk = self.desks[agent]
            desk.previous = Previous(self.round + 1, end, team.used)
            desk.log, desk.fallbacks = (), 0
            if desk.new:
                desk.tell(Notice("ended"))
        team.phase = "postmortem" if config.postmortem else "done"
        team.turn = team.waits = 0
        self._listen = any(
            self.desks[agent].seat == "listener" and self.round + 1 >= config.intern_joins
            for agent in self._third
        )
        outcome.boundary = True

    def _next_round(self, outcome: Outcome) -> None:
        """Go on to the next round, or end."""
        self.round += 1
        outcome.boundary = True
        if self.round >= self.config.n_rounds:
            self.over = True
            ended: dict[str, Ended] = dict.fromkeys(self._agents, "truncated")
            outcome.ended = ended
            return
        self._bring_next(outcome)

    def _bring_next(self, outcome: Outcome) -> None:
        """Change seats where a round starts with that, and begin it."""
        if self.config.mode == "two_teams" and self.round == self.config.swap_after:
            first, second = self.teams
            self._seat(second.observer, 0, outcome)
            self._seat(first.observer, 1, outcome)
            first.observer, second.observer = second.observer, first.observer
        if self.config.mode == "intern" and self.round + 1 == self.config.intern_takes_over:
            (team,) = self.teams
            self.desks[team.observer].seat = "retired"
            self.newcomer(team.observer)
            team.observer = "intern_0"
            self._seat("intern_0", 0, outcome)
        self._begin_round()

    def _seat(self, agent: str, number: int, outcome: Outcome) -> None:
        """Let `agent` take the observer's seat in pair `number`, with nothing told of before.

        But a silent swap must not show: then its last round's result stays in its view.
        """
        announced = self.config.announce_swap
        desk = self.desks[agent]
        desk.seat, desk.team = "observer", number
        previous = desk.previous
        self.newcomer(agent)
        if not announced:
            desk.previous = previous
        if announced:
            desk.tell(Notice("new_partner"))
            self.desks[self.teams[number].specialist].tell(Notice("new_partner"))
        outcome.events += (Swapped(self.round + 1, agent, number, announced),)

    def newcomer(self, agent: str) -> None:
        """Take from `agent` all that it was told of rounds that have ended."""
        desk = self.desks[agent]
        first = next(
            (
                place
                for place, entry in enumerate(desk.new)
                if isinstance(entry, Symptoms) and entry.location is not None
            ),
            len(desk.new),
        )
        desk.log, desk.new, desk.previous, desk.unread = (), desk.new[first:], None, ()

    def snapshot(self) -> dict[str, Any]:
        """The whole state as plain data; the cases follow from the seed and the round."""
        saved = _Saved(self._seed, self.round, self._guesses, self._listen, self.teams, self.desks)
        plain: dict[str, Any] = msgspec.to_builtins(saved)
        return plain

    def restore(self, state: dict[str, Any]) -> None:
        """Take up the state of a `snapshot`; the end goes on if there are more rounds now."""
        saved = msgspec.convert(state, _Saved)
        self._seed, self.round = saved.seed, saved.round
        self._guesses, self._listen = saved.guesses, saved.listen
        self.over = self.round >= self.config.n_rounds
        self.case = self._dealer.deal(self._seed, self.round - self.over)
        self.teams, self.desks = saved.teams, saved.desks
        if not self.over and self._round_is_done():
            self._bring_next(Outcome())
        self._ready = self._who_is_ready()


def _members(number: int) -> tuple[str, str]:
    """The names of a pair."""
    return f"observer_{number}", f"specialist_{number}"
