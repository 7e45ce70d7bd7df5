"""Messages of SaveVeyru: what they cost, who hears them, and what is still to be read."""

from babelzoo.envs.core import Outcome
from babelzoo.envs.saveveyru.events import Sent
from babelzoo.envs.saveveyru.noise import distort
from babelzoo.envs.saveveyru.rounds import Rounds
from babelzoo.envs.saveveyru.team import Desk, Team
from babelzoo.envs.saveveyru.terms import Read, Said, Send

__all__ = ["Channels"]


class Channels(Rounds):
    """The link, which is paid and open in rounds, and the postmortem, which is free."""

    def _say(self, agent: str, desk: Desk, team: Team, move: Send, outcome: Outcome) -> int:
        """Deliver a message; what it costs. Length counts code points as sent."""
        text, channel = move.text, move.channel
        heard, cost = text, 0
        if channel == "link":
            if self.config.noise:
                key = (self.round, desk.team, team.messages)
                heard = distort(text, self.config, self._seed, key)
            cost = max(len(text), self.config.min_cost)
            team.messages += 1
            team.characters += len(text)
        said = Said(desk.seat, channel, heard)
        desk.note(said)
        team.said += (said,)
        partner = self.desks[team.partner(agent)]
        if self.config.delivery == "push":
            partner.tell(said)
        else:
            partner.unread += (len(team.said) - 1,)
        if self._third and channel == "link":
            self._overhear(team, said)
        number = self.round + 1
        outcome.events += (
            Sent(number, desk.team, agent, desk.seat, channel, text, heard, cost, team.stage),
        )
        return cost

    def _overhear(self, team: Team, said: Said) -> None:
        """Let the third one hear the link.

        An intern hears from its first round on, an eavesdropper as many characters as it may.
        """
        third = self.desks[self._third[0]]
        if third.seat == "listener" and self.round + 1 >= self.config.intern_joins:
            third.tell(said)
        if third.seat == "eavesdropper":
            budget, text = self.config.eavesdropper_budget, said.text
            if budget is not None:
                text = text[: budget - team.overheard]
            team.overheard += len(text)
            if text or not said.text:
                third.tell(Said(said.by, said.channel, text))

    def _read(self, desk: Desk, team: Team, move: Read) -> None:
        """Show the last unread messages of a channel, at most `last_n` of them."""
        unread = [place for place in desk.unread if team.said[place].channel == move.channel]
        shown = unread[-move.last_n :]
        for place in shown:
            desk.tell(team.said[place])
        desk.unread = tuple([place for place in desk.unread if place not in shown])

    def _count_unread(self, desk: Desk, team: Team) -> tuple[int, int]:
        """Messages that an agent has not read, on the link and in the postmortem."""
        channels = [team.said[place].channel for place in desk.unread]
        return channels.count("link"), channels.count("postmortem")

    def _all_read(self, team: Team) -> bool:
        """Whether neither has unread messages on the channel that is open."""
        place = team.phase == "postmortem"
        if self.config.delivery == "push":
            return True
        members = (self.desks[team.observer], self.desks[team.specialist])
        return not any(desk.unread and self._count_unread(desk, team)[place] for desk in members)
