"""The rules of SaveVeyru: who sees what, what talking costs, and when a round ends."""

import msgspec

from babelzoo.envs.core import (
    IDLE,
    Invalid,
    Legal,
    Memo,
    Move,
    Outcome,
    Rejected,
    Tables,
    Wait,
    explain,
    shorten,
    tables,
)
from babelzoo.envs.saveveyru.channels import Channels
from babelzoo.envs.saveveyru.events import Guessed, Judged, PostmortemEnded, Warned
from babelzoo.envs.saveveyru.judge import read
from babelzoo.envs.saveveyru.knobs import LONGEST, VeyruConfig
from babelzoo.envs.saveveyru.procedures import TITLES, Procedure
from babelzoo.envs.saveveyru.team import Desk, Team
from babelzoo.envs.saveveyru.terms import (
    End,
    Guess,
    Notice,
    Perform,
    Read,
    Refused,
    Send,
    Stabilize,
    Symptoms,
    Tried,
    VeyruView,
)

__all__ = ["VeyruWorld"]

_REASON = 300  # characters of a reason that are kept
_ACTIONS = 2048  # procedures in English whose reading is kept
_OPEN = {"round": "link", "postmortem": "postmortem", "done": ""}  # the channel of a phase
_PAIR = ("observer", "specialist")
_TREATMENTS = (Stabilize, Perform)
_WAIT = Wait()
_FALLBACKS = 2  # unreadable moves in a row that end a round
_WARNING = 0.75  # share of the budget above which both are warned


class Judge(Tables[VeyruConfig]):
    """Reads procedures in English. It knows no case, so it can't decode a pair's code.

    Attributes:
        readings: What a text wholly says; None if nothing, or more than one thing.
    """

    def __init__(self, config: VeyruConfig) -> None:
        super().__init__(config)
        strict = config.judge == "strict"
        self.readings: Memo[str, Procedure | None] = Memo(lambda text: read(text, strict), _ACTIONS)


class VeyruWorld(Channels):
    """Moves and what they lead to; the schedule is `Rounds`, messages are `Channels`."""

    def __init__(self, config: VeyruConfig) -> None:
        super().__init__(config)
        self._judge = tables(Judge, config)
        self._longest = self._offers.longest
        self._treats = config.action_format == "english"
        self._warning = _WARNING * config.budget
        charsets = {"any": None, "ascii": frozenset(map(chr, range(32, 127)))}
        self._charset = charsets.get(config.charset, frozenset(config.symbols))

    def view(self, agent: str) -> VeyruView:
        """All that `agent` may know. True motifs, stage counts and verdicts are in no View."""
        desk, config = self.desks[agent], self.config
        team, seat = self.teams[desk.team], desk.seat
        on_team = seat in ("observer", "specialist")
        in_round = team.phase == "round" if on_team else True
        knows = seat == "specialist" and team.phase == "round" and not self.over
        return VeyruView(
            agent,
            self._legal(desk, team) if agent in self._ready else IDLE,
            seat,
            "over" if self.over else "round" if in_round or not config.postmortem else "postmortem",
            min(self.round + 1, config.n_rounds),
            team.used if config.show_budget and on_team else None,
            desk.previous,
            self.case.table if knows else (),
            self.case.conflict if knows else False,
            desk.labels,
            self._count_unread(desk, team) if desk.unread else (0, 0),
            desk.log,
            desk.new,
            self._guesses[0] + 1 if self._guesses and seat == "eavesdropper" else 0,
        )

    def _legal(self, desk: Desk, team: Team) -> Legal:
        offers = self._offers
        if desk.seat == "eavesdropper":
            return offers.guess
        if desk.seat == "listener":
            return IDLE
        if team.phase == "postmortem":
            return offers.discuss
        return offers.observe if desk.seat == "observer" else offers.advise

    def apply(self, agent: str, move: Move) -> Outcome:
        """Say, carry out, read, guess or wait. A refused move counts as a wait."""
        if agent not in self._ready:
            raise ValueError(f"expected a move of {self._ready}, actual one of {agent!r}.")
        desk = self.desks[agent]
        team = self.teams[desk.team]
        if desk.new:  # it has been seen
            desk.log += desk.new
            desk.new = ()
        outcome = Outcome()
        refused = self._refusal(desk, team, move)
        if refused:
            outcome.rejected, outcome.events = refused, (Rejected(agent, refused),)
            desk.tell(Refused(refused))
        if desk.seat == "eavesdropper":
            self._take_guess(agent, None if refused else move, outcome)
        elif desk.seat == "listener":
            self._listen = False
            desk.log = ()
        else:
            desk.fallbacks = desk.fallbacks + 1 if type(move) is Invalid else 0
            if refused or type(move) is Wait:
                team.waits, move = team.waits + 1, _WAIT
            else:
                team.waits = 0
            team.turn += 1
            if team.phase == "postmortem":
                self._discuss(agent, desk, team, move, outcome)
            else:
                self._play(agent, desk, team, move, outcome)
        if team.phase == "done" and self._round_is_done():
            self._next_round(outcome)
        self._ready = self._who_is_ready()
        return outcome

    def _refusal(self, desk: Desk, team: Team, move: Move) -> str:
        """Why a move is refused, on one line; empty when it is legal."""
        kind, seat = type(move), desk.seat
        if seat in _PAIR:  # what `explain` finds, for the common cases
            if kind is Wait:
                return ""
            if isinstance(move, Send) and move.channel == _OPEN[team.phase]:
                if self._charset is not None and not self._charset.issuperset(move.text):
                    wrong = next(c for c in move.text if c not in self._charset)
                    return f"expected characters of the channel only, actual {wrong!a}."
                if len(move.text) <= self._longest:
                    return ""
            treats = self._treats and seat == "observer" and team.phase == "round"
            if treats and isinstance(move, Stabilize) and len(move.procedure) <= LONGEST:
                return ""
        if isinstance(move, Invalid):
            return shorten(move.reason, _REASON)
        return shorten(explain(msgspec.to_builtins(move), self._legal(desk, team)), _REASON)

    def _play(self, agent: str, desk: Desk, team: Team, move: Move, outcome: Outcome) -> None:
        """One turn of a round. What it costs is charged before it takes effect."""
        config, end = self.config, None
        if isinstance(move, Send):
            used = team.used = team.used + self._say(agent, desk, team, move, outcome)
        else:
            used = team.used = team.used + config.turn_cost
        collapsed = used > config.budget
        if isinstance(move, _TREATMENTS):
            end = self._try(agent, desk, team, move, collapsed, outcome)
        elif isinstance(move, Read):
            self._read(desk, team, move)
        if collapsed:
            end = "over_budget"
        elif used > self._warning and not team.warned:
            self._warn(desk, team, outcome)
        if end is None:
            if desk.fallbacks >= _FALLBACKS:
                end = "model_failure"
            elif team.waits >= 2 and self._all_read(team):
                end = "idle"
            elif team.turn >= config.max_turns:
                end = "max_turns"
        if end is not None:
            self._end_round(desk.team, end, outcome)

    def _warn(self, desk: Desk, team: Team, outcome: Outcome) -> None:
        """Warn both, once a round."""
        team.warned = True
        outcome.events += (Warned(self.round + 1, desk.team, team.used),)
        for member in (team.observer, team.specialist):
            self.desks[member].tell(Notice("warning", self.config.budget - team.used))

    def _discuss(self, agent: str, desk: Desk, team: Team, move: Move, outcome: Outcome) -> None:
        """One turn of a postmortem."""
        if isinstance(move, Send):
            self._say(agent, desk, team, move, outcome)
        elif isinstance(move, Read):
            self._read(desk, team, move)
        idle = team.waits >= 2 and self._all_read(team)
        if idle or team.turn >= self.config.max_postmortem_turns:
            end: End = "idle" if idle else "max_turns"
            outcome.events += (PostmortemEnded(self.round + 1, desk.team, end, team.turn),)
            team.phase = "done"
            outcome.boundary = True

    def _try(
        self,
        agent: str,
        desk: Desk,
        team: Team,
        move: Stabilize | Perform,
        collapsed: bool,
        outcome: Outcome,
    ) -> End | None:
        """Carry out a procedure. A failure is told to the observer alone, a success to both."""
        case = self.case
        if isinstance(move, Stabilize):
            action = move.procedure
            found = self._judge.readings[action]
        else:
            action = _spoken(move)
            template = desk.labels[self._offers.labels.index(move.template)]
            found = Procedure(template, move.face, move.intensity, move.seconds)
        required = case.procedures[team.stage]
        works = found == required and not collapsed
        tried = Tried(action, "late" if collapsed else "works" if works else "fails")
        desk.tell(tried)
        team.tried += 1
        team.attempts += 1
        number, stage = self.round + 1, team.stage
        outcome.events += (Judged(number, desk.team, agent, stage, action, found, required, works),)
        third = self.desks[self._third[0]] if self._third else None
        mirrored = third if third is not None and third.seat == "listener" else None
        if mirrored is not None and number >= self.config.intern_joins:
            mirrored.tell(self._in_labels_of(mirrored, tried, move))
        if not works:
            limit = self.config.attempts
            lost = limit is not None and team.attempts >= limit
            return "stage_lost" if lost else None
        team.stage, team.attempts = stage + 1, 0
        self._pay(team, outcome)
        if third is not None and third.seat == "eavesdropper":
            self._guesses.append(stage)
            if self.config.eavesdropper_sees == "messages+outcomes":
                third.tell(Notice("fixed"))
        if team.stage == len(case.stages):
            return "stabilized"
        for member in (team.observer, team.specialist):
            self.desks[member].tell(Notice("fixed"))
        symptoms = Symptoms(case.stages[team.stage])
        desk.tell(symptoms)
        if mirrored is not None and number >= self.config.intern_joins:
            mirrored.tell(symptoms)
        return None

    def _in_labels_of(self, desk: Desk, tried: Tried, move: Stabilize | Perform) -> Tried:
        """What was tried, as somebody with other labels of the templates is shown it."""
        if isinstance(move, Stabilize):
            return tried
        labels = self._offers.labels
        template = self.desks[self.teams[desk.team].observer].labels[labels.index(move.template)]
        shown = msgspec.structs.replace(move, template=labels[desk.labels.index(template)])
        return Tried(_spoken(shown), tried.result)

    def _pay(self, team: Team, outcome: Outcome) -> None:
        """A stabilised stage pays both 1/stages; at odds, the specialist the negative of it."""
        share = 1 / len(self.case.stages)
        outcome.rewards[team.observer] = share
        outcome.rewards[team.specialist] = -share if self.case.conflict else share

    def _take_guess(self, agent: str, move: Move | None, outcome: Outcome) -> None:
        """Score an eavesdropper's guess: the mean of its four hits. No guess hits nothing."""
        stage, guess = self._guesses.pop(0), None
        required = self.case.procedures[stage]
        if isinstance(move, Guess):
            template = TITLES.index(move.template)
            guess = Procedure(template, move.face, move.intensity, move.seconds)
        hits = (
            guess is not None and guess.template == required.template,
            guess is not None and guess.face == required.face,
            guess is not None and guess.intensity == required.intensity,
            guess is not None and guess.seconds == required.seconds,
        )
        outcome.rewards[agent] = sum(hits) / 4
        outcome.events += (Guessed(self.round + 1, agent, stage, guess, required, hits),)
        if self.teams[0].phase != "round":
            self.desks[agent].log = ()


def _spoken(move: Perform) -> str:
    """A structured action in a line."""
    return f"{move.template}, {move.face}, {move.intensity}, {move.seconds} s"
