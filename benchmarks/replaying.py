"""Showing a recording: as text, as pictures, in a window. No policy is run again."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from babelzoo.benchmarks.recording import End, Recording, Step
from babelzoo.benchmarks.verifying import replay as again
from babelzoo.envs.core import ConfigError, World, WorldEnv, tables

__all__ = ["as_text", "show", "write_gif", "write_mp4", "write_picture"]

_JUMPS = {"left": -1, "right": 1, "home": -1, "end": 1}
_SPEEDS = {"up": 1.5, "down": 1 / 1.5}


def _states(recording: Recording, steps: int | None) -> Iterator[tuple[WorldEnv, Any]]:
    """The environment after each of the first steps, agents' ends left out."""
    taken = 0
    for env, line in again(recording):
        if isinstance(line, End):
            continue
        yield env, line
        taken += line is not None
        if steps is not None and taken >= steps:
            return


def as_text(recording: Recording, agent: str | None, steps: int | None) -> Iterator[str]:
    """Lines that tell an episode: the watcher's text, or what one agent saw and did.

    Raises:
        ConfigError: The agent is not in the recording.
    """
    header = recording.header
    seats = ", ".join(f"{role}={name}" for role, name in header.policies.items())
    yield f"{header.game}, env seed {header.env_seed}, policies {seats}"
    if agent is None:
        for env, _ in _states(recording, steps):
            yield ""
            yield tables(env.game.text, env.config).ansi(env.world).rstrip()
        return
    taken = 0
    for env, line in again(recording):
        if line is None and agent not in env.possible_agents:
            raise ConfigError(
                f"expected an agent among {', '.join(env.possible_agents[:8])}, actual {agent!r}."
            )
        if isinstance(line, Step) and line.agent == agent:
            yield f"> {line.text if line.move is None else msgspec.json.encode(line.move).decode()}"
            if line.reason:
                yield f"(refused: {line.reason})"
        taken += line is not None
        if steps is not None and taken > steps:
            return
        if agent in env.agents and agent == env.agent_selection:
            yield ""
            yield str.__str__(env.codec("text").observation(env.view(agent)))


def _frames(recording: Recording, steps: int | None, size: tuple[int, int]) -> Iterator[Any]:
    from babelzoo.envs.core import canvas

    for env, _ in _states(recording, steps):
        yield canvas.frame(env.game.draw().draw, env.world, size)


def write_gif(recording: Recording, path: Path, fps: float, steps: int | None = None) -> None:
    """Write a GIF, one frame a step."""
    from babelzoo.envs.core import canvas

    with _writing(path):
        canvas.save_gif(_frames(recording, steps, (960, 540)), path, fps)


def write_mp4(recording: Recording, path: Path, fps: float, steps: int | None = None) -> None:
    """Write a video, one frame a step."""
    from babelzoo.envs.core import canvas

    with _writing(path):
        canvas.save_mp4(_frames(recording, steps, (1280, 720)), path, fps)


def write_picture(recording: Recording, path: Path, steps: int | None = None) -> None:
    """Write the last frame; of a game that is over, the last one before that."""
    from babelzoo.envs.core import canvas

    world = None
    for env, _ in _states(recording, steps):
        if env.world.agents():
            world, state = env.world, env.world.snapshot()
    assert world is not None
    world.restore(state)
    with _writing(path):
        canvas.save_png(canvas.frame(env.game.draw().draw, world), path)


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """Say in one sentence when a file can't be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as error:
        raise ConfigError(f"expected a file to write, actual {path}: {error.strerror}.") from error


def show(recording: Recording, fps: float, steps: int | None = None) -> None:
    """Show a recording in a window until it is closed.

    Space pauses, left and right go a step, up and down change the speed, home and end jump.
    """
    from babelzoo.envs.core import canvas

    states = []
    for env, _ in _states(recording, steps):
        states.append(env.world.snapshot())
    world: World[Any, Any] = env.game.world(env.config)
    title = f"{env.game.id}, {len(states) - 1} steps: space, arrows, home, end"
    draw, place, playing, window = env.game.draw().draw, 0, True, None
    while window is None or not window.closed:
        world.restore(states[place])
        window = canvas.show(window, draw, world, title, fps)
        for key in window.pressed:
            playing = playing != (key == "space")
            place += _JUMPS.get(key, 0) * (len(states) if key in ("home", "end") else 1)
            fps = min(max(fps * _SPEEDS.get(key, 1), 0.25), 60)
        place = min(max(place + playing, 0), len(states) - 1)
