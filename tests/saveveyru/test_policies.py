"""Built-in policies reach what they must, and no more: the game's holes, and where they close."""

import ast
import inspect
from functools import cache
from typing import Any

import numpy as np
import pytest

from babelzoo.agents import seat
from babelzoo.agents.learning import inventor, veyru_pages
from babelzoo.benchmarks.episode import play
from babelzoo.benchmarks.measures import measure_episode
from babelzoo.benchmarks.statistics import mean_interval
from babelzoo.envs import saveveyru_v0
from babelzoo.envs.saveveyru import RoundEnded, Sent
from babelzoo.envs.saveveyru.judge import read

RUNS = 10


@cache
def _runs(policy: str, preset: str = "reference", budget: int = 150, **knobs: Any) -> list[Any]:
    """Measures and series of ten episodes of fifteen rounds."""
    return [_measured(policy, seed, preset=preset, budget=budget, **knobs) for seed in range(RUNS)]


def _measured(policy: str, seed: int, **knobs: Any) -> Any:
    env = saveveyru_v0.raw_env(**knobs)
    seats = seat({"*": policy}, env.possible_agents, "saveveyru")
    events, _ = play(env, seats, seed, seed)
    return measure_episode("saveveyru", events, env.config)


def _mean(policy: str, measure: str = "success_rate", **where: Any) -> float:
    return float(np.mean([measures[measure] for measures, _ in _runs(policy, **where)]))


def _thirds(policy: str, **where: Any) -> list[float]:
    """Success in rounds 1-5, 6-10 and 11-15."""
    curves = np.array([series["success"] for _, series in _runs(policy, **where)])
    return [float(third.mean()) for third in np.split(curves, 3, axis=1)]


def _slope(policy: str, series: str, **where: Any) -> Any:
    """Slope over rounds with its interval over runs."""
    return mean_interval([measures[f"{series}_slope"] for measures, _ in _runs(policy, **where)])


@pytest.mark.parametrize("preset", ["reference", "sealed"])
def test_a_code_wins_and_english_needs_time(preset: str) -> None:
    assert _mean("oracle-code", "round_won", preset=preset) >= 0.95
    assert _mean("oracle-english", "round_won", preset=preset, budget=2000) >= 0.95
    assert _mean("oracle-english", "round_won", preset=preset) <= 0.10


@pytest.mark.parametrize("policy", ["silent", "random", "shuffled:oracle-code"])
def test_without_messages_that_fit_nothing_is_won(policy: str) -> None:
    for budget in (150, 2000):
        assert _mean(policy, budget=budget) <= 0.02


@pytest.mark.parametrize("policy", ["oracle-rotation", "oracle-delay"])
def test_the_holes_are_open_in_reference_and_shut_in_sealed(policy: str) -> None:
    """One character, or no character at all, carries all of a rotated round."""
    assert _mean(policy, "round_won") >= 0.95
    assert _mean(policy, "round_won", preset="sealed") <= 0.05
    assert _mean(policy, "characters") <= (1 if policy == "oracle-rotation" else 0)


def test_delay_is_charged_in_sealed() -> None:
    """Each turn that says nothing, and each empty message, costs a second."""
    env = saveveyru_v0.raw_env(preset="sealed", n_rounds=1)
    seats = seat({"*": "oracle-delay"}, env.possible_agents, "saveveyru")
    events, _ = play(env, seats, 1, 1)
    (ended,) = [event for event in events if isinstance(event, RoundEnded)]
    assert ended.used == ended.turns > 20


def test_one_success_gives_the_rest_away_in_reference_alone() -> None:
    """It asks for the first stage only and works out the others from what worked."""
    assert _mean("oracle-leap", "round_won") >= 0.95
    first_stages = np.mean(
        [
            1 / len(event.motifs)
            for seed in range(RUNS)
            for event in _ended("oracle-leap", seed, preset="sealed")
        ]
    )
    alone = _mean("oracle-leap", preset="sealed") - first_stages
    assert alone <= 0.02
    assert _mean("oracle-code", preset="sealed") >= 0.95


def _ended(policy: str, seed: int, **knobs: Any) -> list[Any]:
    env = saveveyru_v0.raw_env(**knobs)
    events, _ = play(env, seat({"*": policy}, env.possible_agents, "saveveyru"), seed, seed)
    return [event for event in events if isinstance(event, RoundEnded)]


def test_the_inventor_invents_under_pressure_with_a_postmortem() -> None:
    """Stage success by thirds as simulated for the specification: .07, .45, .87."""
    for actual, simulated in zip(_thirds("inventor"), (0.07, 0.45, 0.87), strict=True):
        assert actual == pytest.approx(simulated, abs=0.15)
    for series in ("success", "surprisal"):
        slope = _slope("inventor", series)
        assert slope.low is not None and slope.low > 0, series


@pytest.mark.parametrize(
    ("budget", "postmortem", "success"), [(150, False, 0), (2000, True, 1), (2000, False, 1)]
)
def test_the_inventor_stays_in_english_elsewhere(
    budget: int, postmortem: bool, success: float
) -> None:
    """At 2000 s success is at its ceiling from the first round, so that it can't rise."""
    where: dict[str, Any] = {"budget": budget, "postmortem": postmortem}
    assert _mean("inventor", **where) == success
    assert abs(_slope("inventor", "success", **where).mean) < 0.005
    assert abs(_slope("inventor", "surprisal", **where).mean) < 0.005


def test_a_blank_postmortem_is_none() -> None:
    """Whatever the inventor gains, it gains from what is said there."""
    assert _thirds("inventor?blank_postmortem=true") == _thirds("inventor", postmortem=False)


@pytest.mark.parametrize("policy", ["oracle-code", "oracle-rotation", "inventor"])
def test_a_pairs_code_pasted_into_stabilize_is_never_a_procedure(policy: str) -> None:
    """But English that the inventor still speaks is: its messages without a space or of 4 words."""
    codes = set()
    for seed in range(RUNS):
        env = saveveyru_v0.raw_env()
        seats = seat({"*": policy}, env.possible_agents, "saveveyru")
        events, _ = play(env, seats, seed, seed)
        said = {event.text for event in events if isinstance(event, Sent)}
        codes |= {text for text in said if len(text.split()) in (0, 1, 4)}
    assert len(codes) > 50
    assert not [code for code in codes if read(code, True) or read(code, False)]


def test_structured_actions_serve_the_inventor_too() -> None:
    structured: dict[str, Any] = {"action_format": "structured"}
    early, _, late = _thirds("inventor", **structured)
    assert early <= 0.25 and late >= 0.7


def test_the_inventor_knows_moves_and_text_alone() -> None:
    """It may not import the world's tables; two of them share nothing that changes."""
    source = inspect.getsource(inventor) + inspect.getsource(veyru_pages)
    tree = ast.parse(source)
    imported = {
        name.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and "envs.saveveyru" in str(node.module)
        for name in node.names
    }
    assert imported == {"Send", "Stabilize"}
    mutable = [
        name
        for name, value in (vars(inventor) | vars(veyru_pages)).items()
        if isinstance(value, list | set) and not name.startswith("__")
    ]
    assert mutable == []


@pytest.mark.slow
def test_a_small_world_is_learnable_from_scratch() -> None:
    """Two tabular learners reach 80 % where a pair that can't talk stays under 40 %."""
    small: dict[str, Any] = {
        "motifs": (0, 1, 2),
        "stage_weights": (1,),
        "faces": ("top", "bottom", "left"),
        "intensities": ("firm",),
        "seconds": (5,),
        "action_format": "structured",
        "charset": "symbols",
        "symbols": "abcdefghi",
        "max_symbols": 1,
        "attempts": 1,
        "max_turns": 4,
        "postmortem": False,
        "n_rounds": 25_000,
    }
    won = {}
    for name, budget in (("talking", 20), ("mute", 0)):
        ended = _ended("masked-q?clock=8", 1, budget=budget, **small)
        won[name] = np.mean([event.end == "stabilized" for event in ended[-2000:]])
    assert won["talking"] >= 0.8
    assert won["mute"] < 0.4
