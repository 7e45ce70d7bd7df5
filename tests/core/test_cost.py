"""What a step, an environment and an import cost: counted, never timed."""

import subprocess
import sys
from typing import Any

import pytest
from conformance import GAMES, MODULES
from counting import calls, grown, memory_of

from babelzoo.envs import lewis_v0
from babelzoo.envs.core import tables
from babelzoo.envs.lewis import LewisConfig, Pool

CASES: list[dict[str, Any]] = [
    {},
    {"view": "masked"},
    {"view": "flat"},
    {"public_board": True},
    {"n_senders": 3, "n_receivers": 3, "noise": 0.2},
]
cases = pytest.mark.parametrize("arguments", CASES, ids=str)


def _step(env: Any, number: int) -> None:
    """A step of a game in which messages and choices vary."""
    env.last()
    if env.world.sent is None:
        number = number * 7 % 27
        env.step("".join("ABC"[number // 3**i % 3] for i in range(3)) if _text(env) else number)
    else:
        env.step(str(1 + number % 4) if _text(env) else 27 + number % 4)


def _text(env: Any) -> bool:
    return type(env._codec).__name__ == "TextCodec"


def _steps(env: Any, steps: range) -> None:
    for number in steps:
        _step(env, number)


@cases
def test_a_steps_cost_does_not_grow_with_rounds(arguments: dict[str, Any]) -> None:
    env = lewis_v0.raw_env(n_rounds=10**6, **arguments)
    counted = []
    for start in (10_000, 100):  # the long game first: it fills the tables that all share
        env.reset(seed=1)
        _steps(env, range(2 * start))
        further = range(2 * start, 2 * start + 400)
        counted.append(calls(lambda further=further: _steps(env, further)))
    assert counted[0] == pytest.approx(counted[1], rel=0.1)


def _shown(arguments: dict[str, Any]) -> Any:
    env = lewis_v0.raw_env(**arguments)
    env.reset(seed=2)
    env.last()
    return env


@cases
def test_memory_of_one_environment(arguments: dict[str, Any]) -> None:
    _spaces(_shown(arguments))  # makes what all share
    assert memory_of(lambda: _shown(arguments)) <= 16 * 1024


def _spaces(env: Any) -> None:
    for agent in env.possible_agents:
        env.observation_space(agent), env.action_space(agent)


@pytest.mark.slow
@cases
def test_memory_does_not_grow(arguments: dict[str, Any]) -> None:
    env = lewis_v0.raw_env(n_rounds=10**6, vocab_size=8, message_length=4, **arguments)
    env.reset(seed=1)

    def play(steps: range) -> None:
        for number in steps:
            _vary(env, number)

    play(range(20_000))
    assert grown(lambda: play(range(20_000, 100_000))) <= 2**20


def _vary(env: Any, number: int) -> None:
    """A step with any of the 4,096 messages; now and then nonsense."""
    if not _text(env):
        env.step(number * 1237 % env.action_space(env.agent_selection).n)
    elif number % 11 == 0:
        env.step(f"nonsense {number}" * 9)
    elif env.world.sent is None:
        env.step("".join("ABCDEFGH"[number * 1237 // 8**i % 8] for i in range(4)))
    else:
        env.step(str(1 + number % 4))


@pytest.mark.parametrize(
    "statement",
    [
        "import babelzoo",
        "import babelzoo.agents, babelzoo.wrappers",
        "import babelzoo; babelzoo.make('lewis-v0').reset(seed=1)",
        "from babelzoo.envs import lewis_v0; lewis_v0.parallel_env(view='masked').reset(seed=1)",
    ],
)
def test_imports_stay_light(statement: str) -> None:
    heavy = ("pygame", "torch", "faiss", "PIL", "openai", "pandas", "scipy", "matplotlib", "rich")
    code = f"{statement}\nimport sys; print([m for m in {heavy!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    assert done.stderr == ""


def test_tables_in_use_are_not_made_anew() -> None:
    """Many other configs come and go; what is asked for again and again stays."""
    kept = tables(Pool, LewisConfig(n_rounds=3))
    for n_rounds in range(10, 500):
        tables(Pool, LewisConfig(n_rounds=n_rounds))
        assert tables(Pool, LewisConfig(n_rounds=3)) is kept


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("view", ["text", "masked", "flat"])
@pytest.mark.parametrize("factory", ["raw_env", "parallel_env"])
def test_all_attributes_are_made_at_the_start(game: str, view: str, factory: str) -> None:
    """Python shares the names of attributes among objects, but only of those made first.

    If many environments were made before one was reset, each would hold names of its own.
    """
    env: Any = getattr(MODULES[game], factory)(view=view)
    made = set(vars(env)), set(vars(env.world))
    env.reset(seed=1)
    env.state()
    env.world.restore(env.world.snapshot())
    assert (set(vars(env)), set(vars(env.world))) == made
