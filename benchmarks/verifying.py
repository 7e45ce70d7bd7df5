"""Playing a recording again: replay, and verify line by line. No policy is run."""

from collections.abc import Iterator
from typing import Any

import msgspec
import numpy as np

from babelzoo.benchmarks.recording import End, Fork, Line, Mark, Recorder, Recording, Step
from babelzoo.envs.core import (
    ConfigError,
    Invalid,
    RecordingError,
    WorldEnv,
    find_game,
    shorten,
)

__all__ = ["again", "branch", "open_recorded", "replay", "verify"]


def open_recorded(recording: Recording) -> WorldEnv:
    """The environment that a recording was made in, reset to its start."""
    header = recording.header
    try:
        env = WorldEnv(find_game(header.game), **header.config)
        env.reset(seed=header.env_seed)
    except ConfigError as error:
        raise RecordingError(f"the recording's header does not open a game: {error}") from None
    return env


def replay(recording: Recording) -> Iterator[tuple[WorldEnv, Step | End | None]]:
    """Play a recording's moves again.

    Yields:
        The environment after each step, with the step; at first as it starts, with None.

    Raises:
        RecordingError: A recorded step does not fit the game.
    """
    env = open_recorded(recording)
    yield env, None
    for line in recording.lines:
        if isinstance(line, Fork):
            env = branch(env, line)
        elif isinstance(line, Step | End):
            again(env, line)
            yield env, line


def branch(env: WorldEnv, line: Fork) -> WorldEnv:
    """The same episode with newcomers and other knobs, from the state that `env` is in.

    Raises:
        RecordingError: There is no such agent or knob, or the horizon has passed already.
    """
    for agent in line.replaced:
        if agent not in env.possible_agents:
            raise RecordingError(f"expected to replace one of {env.possible_agents[:8]}.")
        env.world.newcomer(agent)
    try:
        other = WorldEnv(env.game, **(msgspec.to_builtins(env.config) | line.knobs))
    except ConfigError as error:
        raise RecordingError(f"expected knobs of {env.game.id} at a fork: {error}") from None
    state = env.snapshot()
    if not env.world.agents():  # it had ended; a longer horizon lets it go on
        state |= {
            "agents": list(env.possible_agents),
            "ended": [],
            "last_views": {},
            "truncations": dict.fromkeys(state["truncations"], False),
        }
    other.restore(state)
    return other


def again(env: WorldEnv, line: Step | End) -> None:
    """Carry out a recorded line.

    Raises:
        RecordingError: It is another agent's turn, or the move is no move of this game.
    """
    turn = env.agent_selection if env.agents else "nobody"
    if line.agent != turn:
        raise RecordingError(f"expected a step of {turn}, actual one of {line.agent!r}.")
    ended = env.terminations[turn] or env.truncations[turn]
    if isinstance(line, End) or ended:
        if not (ended and isinstance(line, End)):
            raise RecordingError(f"expected {turn} to {'end' if ended else 'move'}, actual not.")
        env.step(None)
    elif line.move is None:
        env.step(Invalid(line.reason, line.text))
    else:
        env.step(_as_move(env, line.move))


def _as_move(env: WorldEnv, data: Any) -> Any:
    try:
        return msgspec.convert(data, env.game.moves(env.config))
    except msgspec.ValidationError as error:
        raise RecordingError(f"expected a move of {env.game.id}: {shorten(str(error))}.") from None


def verify(recording: Recording) -> str:
    """Simulate a recording again and compare every line.

    Returns:
        One sentence on what was compared.

    Raises:
        RecordingError: A line differs; the message names the first one and what was expected.
    """
    env = open_recorded(recording)
    recorder = Recorder(recording.header, None)
    recorder.lines()
    recorded = [line for line in recording.lines if isinstance(line, Step | End | Mark | Fork)]
    steps = [line for line in recorded if not isinstance(line, Mark)]
    compared = number = 0
    for line in steps:
        if isinstance(line, Fork):
            env = branch(env, line)
            recorder.fork(line)
        else:
            if env.agents:
                recorder.before(env)
            again(env, line)
            if isinstance(line, Step):
                recorder.after(env)
        for made in recorder.lines():
            if compared == len(recorded):
                break
            number += not isinstance(made, Mark)
            if made != recorded[compared]:
                raise RecordingError(
                    f"step {number} does not agree: expected {_show(made)}, actual "
                    f"{_show(recorded[compared])}."
                )
            compared += 1
    if compared < len(recorded):
        raise RecordingError(f"expected {compared} lines, actual {len(recorded)}.")
    if recording.finished and env.agents:
        raise RecordingError("expected a game that is over, actual one that goes on.")
    notes = ["finished" if recording.finished else "unfinished"]
    if recording.torn:
        notes.append("its torn last line was dropped")
    if recording.header.numpy != np.__version__:
        notes.append(f"made with numpy {recording.header.numpy}, verified with {np.__version__}")
    return f"{len(steps)} steps agree ({', '.join(notes)})."


def _show(line: Line | None) -> str:
    return "nothing" if line is None else shorten(msgspec.json.encode(line).decode(), 300)
