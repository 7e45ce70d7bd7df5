"""SaveVeyru in words: the rules, a View as text, and what a person would type."""

from collections.abc import Callable
from typing import Any

from babelzoo.envs.core import (
    Legal,
    Memo,
    Move,
    PerObject,
    Text,
    Wait,
    quote,
    tables,
)
from babelzoo.envs.saveveyru.cases import Table
from babelzoo.envs.saveveyru.knobs import Offers, VeyruConfig
from babelzoo.envs.saveveyru.motifs import LOCATIONS, MOTIFS, symptoms
from babelzoo.envs.saveveyru.procedures import TITLES, Procedure, render
from babelzoo.envs.saveveyru.rules import write_rules
from babelzoo.envs.saveveyru.terms import (
    CHANNELS,
    Entries,
    Entry,
    Guess,
    Notice,
    Perform,
    Previous,
    Read,
    Refused,
    Said,
    Seat,
    Send,
    Stabilize,
    Symptoms,
    Tried,
    VeyruView,
)
from babelzoo.envs.saveveyru.world import VeyruWorld

__all__ = ["VeyruText"]

_KEPT = 4096  # lines that are kept
_AGENTS = 64  # agents whose last text is kept
_THE = {
    "observer": "The observer",
    "specialist": "The specialist",
}
_RESULTS = {"works": "It worked.", "fails": "It did not help.", "late": "It came too late."}
_CONFLICT = "In this round you are paid the opposite: you lose what the observer earns.\n"
_NONE = (0, 0)
_SEATS = {
    "observer": "the observer",
    "specialist": "the specialist",
    "listener": "an intern who listens",
    "eavesdropper": "an eavesdropper",
    "retired": "no longer at the Veyru",
}
_NEWS = {
    "fixed": "One trouble is put right. The Veyru is still unstable and shows new signs.",
    "ended": "Then the round ended.",
    "warning": "Warning: {number} seconds are left.",
    "new_partner": "From this round on you work with someone else.",
}
_ENDS = {
    "stabilized": "the Veyru was saved",
    "over_budget": "the Veyru collapsed, the budget was overrun",
    "stage_lost": "the Veyru was lost, too many treatments failed",
    "idle": "not finished, since both of you waited",
    "max_turns": "not finished, since the turns were used up",
    "model_failure": "not finished, since an agent sent nothing readable",
}


class _Written:
    """What was written of an agent's entries.

    Attributes:
        length: How many they are, the new ones too.
        first: The first one.
        last: The last one.
        text: What is written of the old ones.
        news: What is written of the new ones.
    """

    __slots__ = ("first", "last", "length", "news", "text")

    def __init__(self) -> None:
        self.length = 0
        self.first: Entry | None = None
        self.last: Entry | None = None
        self.text = self.news = ""


class VeyruText(Text[VeyruConfig, VeyruView]):
    """Words for one config.

    A move is written as JSON, such as `{"action":"send","channel":"link","text":"hello"}`, or
    as `link: hello`, `postmortem: hello`, `stabilize: ...`, `read link 5`, `wait`.
    """

    def __init__(self, config: VeyruConfig) -> None:
        super().__init__(config)
        english = config.action_format == "english"
        acts: Any = Stabilize if english else Perform
        self.moves = Send | acts | Read | Guess | Wait
        self._offers = tables(Offers, config)
        longest = self._offers.longest
        self.hint = '{"action":"send","channel":"link","text":"..."} or wait'
        self.max_action = 256 + 12 * longest
        turns = config.max_turns + config.max_postmortem_turns
        self.max_observation = 16_000 + 2 * (turns + 4) * (200 + 6 * longest)
        self._heads = Memo(self._head, _AGENTS)
        self._results = Memo(self._result, _AGENTS)  # each round has another one
        self._sentences: Memo[Procedure, str] = Memo(render, _KEPT)
        shared = config.mapping == "rotation" and config.slots == "round"
        self._tables: PerObject[Table, str] = PerObject(self._table, _KEPT if shared else _AGENTS)
        self._choices: PerObject[Legal, str] = PerObject(self._choice)
        self._lists = Memo(self._list, _AGENTS)
        self._signs = Memo(self._sign, _KEPT)
        self._written: dict[str, _Written] = {}
        self._line: dict[type[Entry], Callable[[Any], str]] = {
            Symptoms: self._show,
            Tried: self._try,
            Refused: self._refuse,
            Notice: self._tell,
        }

    def rules(self, role: str) -> str:
        """The rules as `role` reads them."""
        return write_rules(self.config, role)

    def observation(self, view: VeyruView) -> str:
        """A View as text.

        In this order: round, seat and budget; the last round's result; an observer's labels or
        the specialist's table; unread messages; what was seen before; what is new; what may be
        done.
        """
        used = previous = labels = table = unread = talk = asked = ""
        if view.used is not None:
            used = f"Used so far: {view.used} of {self.config.budget} s.\n"
        if view.previous is not None:
            previous = self._results[view.previous]
        if view.labels:
            labels = self._lists[view.labels]
        if view.table:
            table = self._tables.of(view.table)
            if view.conflict:
                table += _CONFLICT
        if view.unread != _NONE:
            unread = f"Unread: {view.unread[0]} on link, {view.unread[1]} on postmortem.\n"
        if view.log or view.new:
            talk = self._talk(view)
        if view.stage:
            asked = f"Which treatment did trouble {view.stage} of this round need?\n"
        return (
            f"Round {view.round}{self._heads[view.agent, view.seat, view.phase]}{used}{previous}"
            f"{labels}{table}{unread}{talk}{asked}{self._choices.of(view.legal)}"
        )

    def _head(self, key: tuple[str, Seat, str]) -> str:
        agent, seat, phase = key
        config = self.config
        start = f" of {config.n_rounds}"
        who = f" You are {agent}, {_SEATS[seat]}."
        if phase == "over":
            return f"{start}.{who} The game is over.\n"
        if phase == "postmortem":
            return f"{start} has ended; this is its postmortem.{who} Talking is free.\n"
        return f"{start}.{who} Budget: {config.budget} s.\n"

    def _result(self, previous: Previous) -> str:
        used = f"{previous.used} of {self.config.budget} s were used"
        return f"Round {previous.round}: {_ENDS[previous.end]}; {used}.\n"

    def _list(self, labels: tuple[int, ...]) -> str:
        pairs = zip(self._offers.labels, labels, strict=True)
        return "Your treatments:\n" + "".join(f"- {name}: {TITLES[i]}\n" for name, i in pairs)

    def _table(self, table: Table) -> str:
        rows = [f"- {MOTIFS[motif].name}: {self._sentences[needed]}\n" for motif, needed in table]
        return f"Your reader shows for this round:\n{''.join(rows)}"

    def _choice(self, legal: Legal) -> str:
        return f"You may: {', '.join(form.action for form in legal)}."

    def _talk(self, view: VeyruView) -> str:
        """What was seen before and what is new.

        It only grows from turn to turn, so what was written at the last turn is used again.
        """
        log, new, seat = view.log, view.new, view.seat
        known = self._written.get(view.agent)
        if known is None:
            if len(self._written) >= _AGENTS:
                self._written.clear()
            known = self._written[view.agent] = _Written()
        length, size = known.length, len(log)
        if 0 < length <= size and known.first is log[0] and known.last is log[length - 1]:
            if length < size or known.news:
                known.text += known.news + self._lines(log[length:], seat)
        else:
            known.text = "So far:\n" + self._lines(log, seat) if log else ""
        news = known.news = self._lines(new, seat) if new else ""
        known.length = size + len(new)
        known.first, known.last = log[0] if log else new[0], new[-1] if new else log[-1]
        if not log:
            known.text = "So far:\n"
            return f"New:\n{news}"
        return f"{known.text}New:\n{news}" if new else known.text

    def _lines(self, entries: Entries, seat: Seat) -> str:
        lines = ""
        for entry in entries:
            if isinstance(entry, Said):
                who = "You" if entry.by == seat else _THE[entry.by]
                lines += f"- {who} on {entry.channel}: {quote(entry.text)}\n"
            else:
                lines += self._line[type(entry)](entry)
        return lines

    def _show(self, entry: Symptoms) -> str:
        return self._signs[entry.motif, entry.location]

    def _try(self, entry: Tried) -> str:
        return f"- Treatment {quote(entry.procedure)}: {_RESULTS[entry.result]}\n"

    def _refuse(self, entry: Refused) -> str:
        return f"- Your last move was refused: {quote(entry.reason)}\n"

    def _tell(self, entry: Notice) -> str:
        return f"- {_NEWS[entry.news].format(number=entry.number)}\n"

    def _sign(self, key: tuple[int, int | None]) -> str:
        motif, location = key
        place = "" if location is None else f"{LOCATIONS[location]} "
        return f"- Signs: {place}{symptoms(motif)}\n"

    def shorthand(self, text: str) -> Move | None:
        """`link: hello`, `postmortem: hello`, `stabilize: ...`, `read link 5` or `wait`."""
        if text == "wait":
            return Wait()
        word, colon, said = text.partition(":")
        if colon and word in CHANNELS:
            return Send(word, said.removeprefix(" "))
        if colon and word == "stabilize" and self.config.action_format == "english":
            return Stabilize(said.strip())
        words = text.split()
        if len(words) == 3 and words[0] == "read" and words[2].isascii() and words[2].isdigit():
            return Read(words[1], int(words[2][:9]))
        return None

    def ansi(self, world: Any) -> str:
        """The Veyru, the budget and the talk with what it cost, for a person who watches."""
        assert isinstance(world, VeyruWorld)
        case, config = world.case, self.config
        lines = [f"Round {min(world.round + 1, config.n_rounds)} of {config.n_rounds}"]
        if world.over:
            return "\n".join([*lines, "The game is over.\n"])
        for team in world.teams:
            lines.append(f"{team.observer} and {team.specialist}: {team.phase}")
            lines.append(f"used: {team.used} of {config.budget} s")
            for place, (motif, needed) in enumerate(zip(case.stages, case.procedures, strict=True)):
                mark = "x" if place < team.stage else ">" if place == team.stage else " "
                lines.append(f"[{mark}] {MOTIFS[motif].name}: {render(needed)}")
            total = 0
            for said in team.said:
                line = f"{said.by} on {said.channel}: {quote(said.text)}"
                if said.channel == "link":
                    cost = max(len(said.text), config.min_cost)
                    total += cost
                    line += f" (+{cost} s, {total} s)"
                lines.append(line)
        return "\n".join(lines) + "\n"
