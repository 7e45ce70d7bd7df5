"""A toy game with births and deaths, to test the shells in general."""

from typing import Any

import msgspec
import numpy as np

from babelzoo.envs.core import (
    IDLE,
    Choice,
    Config,
    Encoding,
    Event,
    Form,
    Game,
    Invalid,
    Legal,
    Move,
    Outcome,
    Rejected,
    Text,
    View,
    Wait,
    World,
    derive_seed,
    factories,
)

ACT: Legal = (Form("do", {"what": Choice(("stay", "bear", "die"))}), Form("wait"))


class CrowdConfig(Config, frozen=True, kw_only=True):
    ticks: int = 10
    founders: int = 3
    names: int = 8
    fate: float = 0.0


class Do(Move, frozen=True, tag="do"):
    what: str


class Ticked(Event, frozen=True, tag="ticked"):
    tick: int
    died: tuple[str, ...]
    born: tuple[str, ...]


class CrowdView(View, frozen=True):
    tick: int
    living: int
    alive: bool


class CrowdWorld(World[CrowdConfig, CrowdView]):
    """Each tick all the living move in turn; births and deaths take effect at its end.

    Everyone who lives at the end of a tick earns 1; whoever dies loses 1.
    """

    def __init__(self, config: CrowdConfig) -> None:
        self.config = config
        self._names = tuple(f"being_{i}" for i in range(config.names))

    def reset(self, seed: int) -> None:
        self._seed, self.tick = seed, 0
        self._living = list(self._names[: self.config.founders])
        self._next = self.config.founders
        self._moves: dict[str, str] = {}

    def possible_agents(self) -> tuple[str, ...]:
        return self._names

    def agents(self) -> tuple[str, ...]:
        return tuple(self._living)

    def ready(self) -> tuple[str, ...]:
        return tuple(agent for agent in self._living if agent not in self._moves)

    def view(self, agent: str) -> CrowdView:
        alive = agent in self._living
        legal = ACT if alive and agent not in self._moves else IDLE
        return CrowdView(agent, legal, self.tick, len(self._living), alive)

    def apply(self, agent: str, move: Move) -> Outcome:
        if self.ready()[:1] != (agent,):
            raise ValueError(f"not ready: {agent}")
        known = isinstance(move, Do) and move.what in ("stay", "bear", "die")
        self._moves[agent] = move.what if known else "stay"
        refused = move.reason if isinstance(move, Invalid) else "" if known else "no such thing"
        if type(move) is Wait:
            refused = ""
        events = (Rejected(agent, refused),) if refused else ()
        if self.ready():
            return Outcome(events, rejected=refused)
        ended = self._end_tick()
        ended.events, ended.rejected = (*events, *ended.events), refused
        return ended

    def _end_tick(self) -> Outcome:
        self.tick += 1
        died = [agent for agent, what in self._moves.items() if what == "die" or self._fated(agent)]
        mothers = [a for a, what in self._moves.items() if what == "bear" and a not in died]
        rewards = {agent: -1.0 if agent in died else 1.0 for agent in self._living}
        self._moves = {}
        self._living = [agent for agent in self._living if agent not in died]
        ended: dict[str, Any] = dict.fromkeys(died, "terminated")
        born: tuple[str, ...] = ()
        if self.tick >= self.config.ticks:
            ended |= dict.fromkeys(self._living, "truncated")
            self._living = []
        elif self._living:
            born = self._names[self._next : self._next + len(mothers)]
            self._next += len(born)
            self._living += born
        events = (Ticked(self.tick, tuple(died), born),)
        return Outcome(events, rewards, ended, born, boundary=True)

    def _fated(self, agent: str) -> bool:
        return derive_seed(self._seed, self.tick, agent) < self.config.fate * 2**63

    def snapshot(self) -> dict[str, Any]:
        return {
            "seed": self._seed,
            "tick": self.tick,
            "living": list(self._living),
            "next": self._next,
            "moves": dict(self._moves),
        }

    def restore(self, state: dict[str, Any]) -> None:
        self._seed, self.tick, self._next = state["seed"], state["tick"], state["next"]
        self._living, self._moves = list(state["living"]), dict(state["moves"])


class CrowdText(Text[CrowdConfig, CrowdView]):
    moves = Do | Wait
    hint = "stay, bear or die"
    max_observation = 200
    max_action = 100

    def rules(self, role: str) -> str:
        return f"You are a {role}: stay, bear or die."

    def observation(self, view: CrowdView) -> str:
        return (
            f"Tick {view.tick}: {view.living} live, {view.agent} {'too' if view.alive else 'not'}."
        )

    def shorthand(self, text: str) -> Move | None:
        return Do(text) if text in ("stay", "bear", "die") else None

    def ansi(self, world: Any) -> str:
        return f"tick {world.tick}\n"


class CrowdEncoding(Encoding[CrowdConfig, CrowdView]):
    size, state_size = 3, 2

    def features(self, view: CrowdView) -> Any:
        share = view.living / self.config.names
        return np.array([view.tick / self.config.ticks, share, view.alive], np.float32)

    def state(self, world: Any) -> Any:
        share = len(world.agents()) / self.config.names
        return np.array([world.tick / self.config.ticks, share], np.float32)


def forms(config: CrowdConfig) -> dict[str, Legal]:
    return {"being": ACT}


GAME = Game(
    id="crowd-v0",
    page="A crowd.\n",
    config=CrowdConfig,
    world=CrowdWorld,
    view=CrowdView,
    text=CrowdText,
    encoding=CrowdEncoding,
    drawing="crowd",
    forms=forms,
    horizon="ticks",
    presets={"brief": {"ticks": 2}},
    cyclic=True,
)
raw_env, env, parallel_env = factories(GAME)


def draw(surface: Any, world: CrowdWorld) -> None:
    surface.fill((world.tick, 0, 0))


def digest(data: Any) -> bytes:
    """Equal data give equal bytes."""
    return msgspec.json.encode(data, order="deterministic", enc_hook=lambda x: x.tolist())
