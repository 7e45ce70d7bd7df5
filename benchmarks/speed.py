"""Speed, memory and import cost, measured: `python -m babelzoo.benchmarks.speed`.

Every case plays the same moves again and again, interleaved with PettingZoo's connect_four in
the same process. A case's figure is its steps per CPU second as a ratio to connect_four's:
absolute figures move with the machine. Moves are drawn beforehand, at random among the legal
ones, so only the time inside `reset`, `last` and `step` counts, on both sides; observations are
built at every step.
"""

import argparse
import gc
import io
import statistics
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np
import pettingzoo

from babelzoo.benchmarks.recording import FORMAT, Header, Recorder, rules_hash
from babelzoo.envs import lewis_v0, saveveyru_v0
from babelzoo.envs.core import WorldEnv, canonical

__all__ = ["Speed", "main", "measure"]

REPEATS = 5
Script = list[tuple[int, list[Any]]]


class Case(msgspec.Struct, frozen=True):
    """A case and the ratio it is expected to reach at least."""

    name: str
    make: Callable[[], Any]
    target: float


class Speed(msgspec.Struct, frozen=True):
    """What was measured of one case.

    Attributes:
        name: The case.
        microseconds: Median CPU time of one step.
        ratio: Median of connect_four's time over the case's.
        low: Lowest of the repeats.
        high: Highest of the repeats.
        target: The ratio expected at least.
    """

    name: str
    microseconds: float
    ratio: float
    low: float
    high: float
    target: float


CASES = (
    Case("lewis text, raw_env()", lambda: lewis_v0.raw_env(), 15),
    Case("lewis masked, raw_env()", lambda: lewis_v0.raw_env(view="masked"), 18),
    Case("lewis text, env()", lambda: lewis_v0.env(), 5),
    Case("lewis masked, env()", lambda: lewis_v0.env(view="masked"), 6),
    Case("saveveyru text, raw_env()", lambda: saveveyru_v0.raw_env(), 10),
    Case("saveveyru text, env()", lambda: saveveyru_v0.env(), 4),
)
_MODULES = {"lewis": (lewis_v0, 16), "saveveyru": (saveveyru_v0, 64)}  # and the KiB of each


def _draw(env: Any, steps: int) -> Script:
    """Random legal moves of whole episodes, `steps` steps or a little more."""
    rng = np.random.default_rng(0)
    script: Script = []
    taken = 0
    while taken < steps:
        seed = len(script)
        env.reset(seed=seed)
        moves: list[Any] = []
        while env.agents:
            observation, _, terminated, truncated, _ = env.last()
            moves.append(None if terminated or truncated else _move(env, observation, rng))
            env.step(moves[-1])
        script.append((seed, moves))
        taken += len(moves)
    return script


def _move(env: Any, observation: Any, rng: np.random.Generator) -> Any:
    if isinstance(observation, dict):
        return int(rng.choice(np.flatnonzero(observation["action_mask"])))
    return canonical(env.unwrapped.sample_legal(env.agent_selection, rng))


def _play(env: Any, script: Script) -> float:
    """CPU microseconds of a step."""
    last, step = env.last, env.step
    started = time.process_time()
    for seed, moves in script:
        env.reset(seed=seed)
        for move in moves:
            last()
            step(move)
    return (time.process_time() - started) * 1e6 / sum(len(moves) for _, moves in script)


def measure(cases: tuple[Case, ...] = CASES, steps: int = 20_000) -> list[Speed]:
    """Measure all cases, interleaved with connect_four."""
    reference = pettingzoo.make("aec", "classic/connect_four-v3")
    reference_script = _draw(reference, steps // 8)
    made = [(case, env := case.make(), _draw(env, steps)) for case in cases]
    times: list[list[float]] = [[] for _ in made]
    ratios: list[list[float]] = [[] for _ in made]
    for _ in range(REPEATS):
        for place, (_, env, script) in enumerate(made):
            base = _play(reference, reference_script)
            times[place].append(_play(env, script))
            ratios[place].append(base / times[place][-1])
    return [
        Speed(
            case.name,
            statistics.median(times[place]),
            statistics.median(ratios[place]),
            min(ratios[place]),
            max(ratios[place]),
            case.target,
        )
        for place, (case, _, _) in enumerate(made)
    ]


def recording_cost(steps: int = 20_000) -> float:
    """What recording adds to a text step of `env()`, as a share of it (expected at most 0.35)."""
    env = lewis_v0.env()
    script = _draw(env, steps)
    shares = []
    for _ in range(REPEATS):
        plain = _play(env, script)
        shares.append(_play_recorded(env, script) / plain - 1)
    return statistics.median(shares)


def _play_recorded(env: Any, script: Script) -> float:
    world: WorldEnv = env.unwrapped
    started = time.process_time()
    for seed, moves in script:
        env.reset(seed=seed)
        config = msgspec.to_builtins(world.config)
        header = Header(FORMAT, "", "", world.game.id, config, seed, 0, {}, rules_hash(world))
        recorder = Recorder(header, io.BytesIO())
        for move in moves:
            env.last()
            recorder.before(world)
            env.step(move)
            if move is not None:
                recorder.after(world)
    return (time.process_time() - started) * 1e6 / sum(len(moves) for _, moves in script)


def memory(module: Any, view: str) -> int:
    """Bytes of one environment after reset, shared tables apart."""
    module.raw_env(view=view).reset(seed=0)
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    env = module.raw_env(view=view)
    env.reset(seed=1)
    gc.collect()
    taken = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    return taken


def import_cost() -> float:
    """Milliseconds of CPU that `import babelzoo` takes on top of `import pettingzoo`."""
    code = "import time; a = time.process_time(); import {}; print(time.process_time() - a)"

    def cost(name: str) -> float:
        ran = [
            subprocess.run(
                [sys.executable, "-c", code.format(name)],
                capture_output=True,
                check=True,
                text=True,
            )
            for _ in range(REPEATS)
        ]
        return statistics.median(float(one.stdout) for one in ran)

    return (cost("babelzoo") - cost("pettingzoo")) * 1000


def frames_per_second(module: Any, count: int = 200) -> float:
    """Frames of 640x480 that are drawn in one CPU second."""
    from babelzoo.envs.core import canvas

    env = module.raw_env()
    env.reset(seed=0)
    rng = np.random.default_rng(0)
    draw, spent = env.game.draw().draw, 0.0
    for place in range(count):
        if not env.world.ready():
            env.reset(seed=place)
        env.step(canonical(env.sample_legal(env.agent_selection, rng)))
        started = time.process_time()
        canvas.frame(draw, env.world, (640, 480))
        spent += time.process_time() - started
    return count / spent


def main() -> None:
    """Measure everything and print it."""
    parser = argparse.ArgumentParser(prog="python -m babelzoo.benchmarks.speed")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--steps", type=int, default=20_000, help="steps of a case and repeat")
    given = parser.parse_args()
    speeds = measure(steps=given.steps)
    other = {
        "recording, share of a text env() step (at most 0.35)": recording_cost(given.steps),
        "import on top of pettingzoo, ms (at most 100)": import_cost(),
    }
    for name, (module, most) in _MODULES.items():
        for view in ("text", "masked"):
            kept = memory(module, view) / 1024
            other[f"{name}, memory after reset, {view}, KiB (at most {most})"] = kept
        frames = frames_per_second(module)
        other[f"{name}, frames a second, 640x480 (at least 100)"] = frames
    if given.json:
        print(msgspec.json.encode({"speeds": speeds, "other": other}).decode())
        return
    print(f"{'case':<28}{'µs/step':>9}{'ratio':>8}{'spread':>16}{'expected':>10}")
    for s in speeds:
        spread = f"{s.low:.1f} to {s.high:.1f}"
        print(f"{s.name:<28}{s.microseconds:>9.2f}{s.ratio:>8.1f}{spread:>16}{s.target:>9.0f}×")
    for name, value in other.items():
        print(f"{name}: {value:.3g}")


if __name__ == "__main__":
    main()
