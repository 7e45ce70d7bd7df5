"""A pair at the Veyru, driven move by move."""

from typing import Any

import msgspec

from babelzoo.envs.core import Invalid, Move, Outcome, Wait
from babelzoo.envs.saveveyru import (
    Notice,
    Perform,
    RoundEnded,
    Send,
    Stabilize,
    VeyruConfig,
    VeyruWorld,
    render,
)
from babelzoo.envs.saveveyru.knobs import PRESETS

OBSERVER, SPECIALIST = PAIR = ("observer_0", "specialist_0")
WAIT, BAD, WRONG = Wait(), Invalid("?"), Stabilize("ring")
LABELS = "ABCDEFGHIJKLMN"


def start(preset: str = "reference", seed: int = 2, **knobs: Any) -> VeyruWorld:
    """A world of three rounds; seed 2's first round has three stages or more."""
    world = VeyruWorld(VeyruConfig(**{"n_rounds": 3, **PRESETS[preset], **knobs}))
    world.reset(seed)
    return world


def play(world: VeyruWorld, *moves: Move) -> Outcome:
    """Moves of whoever's turn it is; the last outcome with the events of all."""
    events: tuple[Any, ...] = ()
    outcome = Outcome()
    for move in moves:
        outcome = world.apply(world.ready()[0], move)
        events += outcome.events
    outcome.events = events
    return outcome


def link(text: str) -> Send:
    """A message on the link."""
    return Send("link", text)


def cure(world: VeyruWorld, **parts: Any) -> Stabilize:
    """What the open stage needs, with some parts otherwise."""
    needed = world.case.procedures[world.teams[0].stage]
    return Stabilize(render(msgspec.structs.replace(needed, **parts)))


def perform(world: VeyruWorld, **parts: Any) -> Perform:
    """What the open stage needs in the observer's own labels, with some parts otherwise."""
    needed = world.case.procedures[world.teams[0].stage]
    label = LABELS[world.view(OBSERVER).labels.index(needed.template)]
    move = Perform(label, needed.face, needed.intensity, needed.seconds)
    return msgspec.structs.replace(move, **parts)


def found(outcome: Outcome, kind: type) -> list[Any]:
    """The events of one kind."""
    return [event for event in outcome.events if isinstance(event, kind)]


def end(outcome: Outcome) -> str:
    """Why the round ended; empty if it goes on."""
    return "".join(event.end for event in found(outcome, RoundEnded))


def entries(world: VeyruWorld, agent: str, kind: type) -> list[Any]:
    """What an agent has seen of one kind in this phase."""
    view = world.view(agent)
    return [entry for entry in (*view.log, *view.new) if isinstance(entry, kind)]


def warnings(world: VeyruWorld, agent: str) -> list[int]:
    """The seconds left of each warning that an agent has seen."""
    return [entry.number for entry in entries(world, agent, Notice) if entry.news == "warning"]


def other(value: Any, *values: Any) -> Any:
    """The first of the values that is another one."""
    return next(each for each in values if each != value)
