"""Policies by name: what is found, what is refused, and what an instance keeps to itself."""

import random
import re
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from babelzoo.agents import CallablePolicy, Policy, built_in, policy_names, registry, resolve, seat
from babelzoo.agents.policy import NoKnobs
from babelzoo.benchmarks.episode import play
from babelzoo.envs import lewis_v0
from babelzoo.envs.core import ConfigError, Event

NAMES = (
    "oracle-compositional",
    "oracle-holistic",
    "oracle-k",
    "positional",
    "rank-code",
    "random",
    "silent",
    "shuffled",
    "roth-erev",
    "q-learning",
    "window-bayes",
    "notebook-bayes",
    "window-greedy",
    "notebook-greedy",
)
VEYRU = (
    "oracle-english",
    "oracle-code",
    "oracle-rotation",
    "oracle-delay",
    "oracle-leap",
    "inventor",
    "masked-q",
)
CHANCY = [name for name in NAMES if not name.startswith(("oracle", "rank", "positional"))]

each_name = pytest.mark.parametrize("name", NAMES)


def _refusal(spec: Any, game: str | None = "lewis") -> str:
    """What is said when `spec` is refused: one sentence."""
    with pytest.raises(ConfigError) as caught:
        resolve(spec, game)
    said = str(caught.value)
    assert said.endswith((".", "?")) and "\n" not in said, said
    assert not re.search(r"\. [A-Z]", said), said
    return said


def _events(seats: dict[str, Policy[Any]], env_seed: int, seed: int, **knobs: Any) -> list[Event]:
    return play(lewis_v0.raw_env(**({"n_rounds": 40} | knobs)), seats, env_seed, seed)[0]


def _pair(name: str) -> dict[str, Policy[Any]]:
    return seat({"*": name}, ["sender_0", "receiver_0"], "lewis")


def test_the_names() -> None:
    assert sorted(built_in()) == sorted(NAMES + VEYRU)
    assert set(policy_names()) >= set(NAMES)


@each_name
def test_built_in_names_resolve(name: str) -> None:
    policy = resolve(name, "lewis")
    assert isinstance(policy, Policy)
    assert type(policy) is registry.policy_class(name, "lewis")
    assert resolve(name, "lewis") is not policy
    assert resolve(f"{name}?").knobs == policy.knobs == type(policy).knobs_type()
    assert type(policy).__doc__


@pytest.mark.parametrize(
    ("spec", "knob", "value"),
    [
        ("oracle-k?k=4", "k", 4),
        ("oracle-k?k=null", "k", None),
        ("oracle-holistic?code=7", "code", 7),
        ("window-bayes?m=5", "m", 5),
        ("q-learning?alpha=0.5&epsilon=0", "alpha", 0.5),
        ("q-learning?alpha=0.5&epsilon=0", "epsilon", 0.0),
        ("roth-erev?initial=2&rate=0.25", "rate", 0.25),
        ("shuffled:oracle-holistic", "player", "oracle-holistic"),
        ("shuffled?player=silent", "player", "silent"),
        ("shuffled?player=oracle-k%3Fk%3D4", "player", "oracle-k?k=4"),
        ("shuffled", "player", "oracle-k"),
    ],
)
def test_knobs_and_arguments(spec: str, knob: str, value: Any) -> None:
    assert getattr(resolve(spec, "lewis").knobs, knob) == value


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("q-learing", "there is no policy 'q-learing': did you mean 'q-learning'?"),
        ("windowbayes", "did you mean 'window-bayes'?"),
        ("Random", "there is no policy 'Random': did you mean 'random'?"),
        ("", "there is no policy '': known are "),
        ("zzzz", "known are "),
        ("shuffled:orcale-k", "there is no policy 'orcale-k': did you mean 'oracle-k'?"),
        ("q-learning?alfa=1", "'q-learning' has no knob 'alfa': did you mean 'alpha'?"),
        ("oracle-k?message=1", "'oracle-k' has no knob 'message': known are k."),
        ("random?seed=1", "'random' has no knob 'seed': none is known."),
        ("oracle-k?k=0", "'oracle-k': knob 'k': expected int >= 1, actual 0."),
        ("oracle-k?k=four", "'oracle-k': knob 'k': expected int | null, actual 'four'."),
        ("q-learning?epsilon=2", "knob 'epsilon': expected float <= 1.0, actual 2."),
        ("window-bayes?m=1.5", "knob 'm': expected int, actual 1.5."),
        ("oracle-k?k", "'oracle-k': expected knob=value&…, actual 'k'."),
        ("oracle-k:4", "policy 'oracle-k' takes no argument, actual '4'."),
        ("shuffled:random", "shuffled: expected a policy that plays lewis by its View"),
        ("shuffled:shuffled", "shuffled: expected a policy that plays lewis by its View"),
    ],
)
def test_errors_are_one_sentence(spec: str, words: str) -> None:
    assert words in _refusal(spec)


@pytest.mark.parametrize("spec", ["oracle-k?k=2&k=3", "shuffled:oracle-k?player=silent"])
def test_a_knob_given_twice_is_refused(spec: str) -> None:
    assert "expected " in _refusal(spec)


@pytest.mark.parametrize("spec", [None, 5, b"random", ["random"], {"name": "random"}])
def test_what_is_no_policy_is_refused(spec: Any) -> None:
    assert "expected " in _refusal(spec)


def test_a_policy_class_is_no_function() -> None:
    """A class can be called; seated as a function it would never play a move."""
    assert "expected " in _refusal(registry.policy_class("random"))


def test_a_policy_is_given_back_as_it_is() -> None:
    policy = resolve("oracle-k", "lewis")
    assert resolve(policy, "lewis") is policy


def test_functions_play_by_text() -> None:
    seen: list[str] = []

    def answer(observation: str) -> str:
        seen.append(observation)
        return "CCC" if "You are sender_0" in observation else "1"

    policy = resolve(answer, "lewis")
    assert isinstance(policy, CallablePolicy)
    assert policy.view == "text"
    seats = {"sender_0": policy, "receiver_0": resolve(answer, "lewis")}
    events = _events(seats, 1, 1, n_rounds=2)
    assert len(seen) == 4 and seen[0].startswith("Round 1 of 2. You are sender_0.")
    assert [event.sent for event in events if hasattr(event, "choice")] == ["CCC", "CCC"]


@pytest.mark.parametrize("name", [name for name in NAMES if name != "random"])
def test_a_policy_of_another_game_is_refused(name: str) -> None:
    said = _refusal(name, "colors")
    both = ", saveveyru" if name in ("silent", "shuffled") else ""
    assert said == f"policy {name!r} plays lewis{both}, actual game colors."
    assert isinstance(resolve(name), Policy)
    assert isinstance(resolve("random", "colors"), Policy)


def test_a_policy_object_of_another_game_is_refused() -> None:
    assert "plays lewis" in _refusal(resolve("oracle-k"), "colors")


PLUGINS = {
    "good.py": """
from babelzoo.agents import Policy
from babelzoo.agents.policy import NoKnobs

class First(Policy[NoKnobs]):
    "Always the first."
    def act(self, turn):
        return "AAA" if turn.role == "sender" else "1"

def function(observation):
    return "BBB" if "You are sender" in observation else "2"

class Plain:
    "No policy, though it can be called."
    def __init__(self, observation):
        pass

number = 5
""",
    "absent.py": "import babelzoo_no_such_package\n",
    "broken.py": "def (:\n",
    "failing.py": "raise RuntimeError('two\\nlines')\n",
    "undefined.py": "undefined_name\n",
}
POINTS = {
    "first": "bz_plugin_good:First",
    "function": "bz_plugin_good:function",
    "number": "bz_plugin_good:number",
    "plain": "bz_plugin_good:Plain",
    "no-attribute": "bz_plugin_good:Second",
    "no-module": "bz_plugin_nowhere:First",
    "oracle-k": "bz_plugin_good:First",
} | {name[:-3]: f"bz_plugin_{name[:-3]}:First" for name in PLUGINS if name != "good.py"}


@pytest.fixture
def _plugins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name, source in PLUGINS.items():
        (tmp_path / f"bz_plugin_{name}").write_text(source)
    monkeypatch.syspath_prepend(str(tmp_path))
    points = [EntryPoint(name, value, registry.GROUP) for name, value in POINTS.items()]
    monkeypatch.setattr(
        registry, "entry_points", lambda group: [p for p in points if p.group == group]
    )
    registry._plugins.cache_clear()
    yield
    registry._plugins.cache_clear()


@pytest.mark.usefixtures("_plugins")
def test_plugins_add_names() -> None:
    assert {"first", "function", "q-learning"} <= set(policy_names())
    assert "first" not in built_in()
    first, function = resolve("first", "lewis"), resolve("function", "lewis")
    assert type(first).__name__ == "First" and first.knobs == NoKnobs()
    assert isinstance(function, CallablePolicy)
    events = _events({"sender_0": first, "receiver_0": function}, 1, 1, n_rounds=2)
    assert [event.sent for event in events if hasattr(event, "choice")] == ["AAA", "AAA"]
    assert "did you mean 'first'?" in _refusal("firsd")
    assert _refusal("function?x=1").startswith("policy 'function' takes no argument and no knobs")
    assert _refusal("first?x=1") == "policy 'first' has no knob 'x': none is known."


@pytest.mark.usefixtures("_plugins")
def test_built_in_names_cannot_be_taken() -> None:
    assert type(resolve("oracle-k")).__name__ == "OracleK"


@pytest.mark.usefixtures("_plugins")
@pytest.mark.parametrize(
    "name",
    ["no-module", "no-attribute", "absent", "broken", "failing", "undefined", "number", "plain"],
)
def test_a_plugin_that_does_not_load_is_named(name: str) -> None:
    assert f"policy {name!r}" in _refusal(name)
    assert resolve("first")  # the others still do


@each_name
def test_policies_forget_at_reset(name: str) -> None:
    seats = _pair(name)
    first = _events(seats, 1, 2)
    _events(seats, 3, 4, vocab_size=4, message_length=4)
    assert _events(seats, 1, 2) == first
    assert _events(_pair(name), 1, 2) == first


@pytest.mark.parametrize("name", CHANCY)
def test_other_seeds_play_otherwise(name: str) -> None:
    first = _events(_pair(name), 1, 2)
    assert _events(_pair(name), 1, 3) != first


@each_name
def test_the_global_generators_are_left_alone(name: str) -> None:
    random.seed(7)
    np.random.seed(7)  # noqa: NPY002
    before = random.getstate(), np.random.get_state()[1].tolist()  # noqa: NPY002
    first = _events(_pair(name), 1, 2)
    assert (random.getstate(), np.random.get_state()[1].tolist()) == before  # noqa: NPY002
    random.seed(8)
    np.random.seed(8)  # noqa: NPY002
    assert _events(_pair(name), 1, 2) == first


@each_name
@pytest.mark.parametrize("feedback", ["outcome", "none"])
def test_every_policy_plays_under_every_feedback(name: str, feedback: str) -> None:
    events = _events(_pair(name), 1, 2, feedback=feedback, n_senders=1)
    assert sum(hasattr(event, "choice") for event in events) == 40
