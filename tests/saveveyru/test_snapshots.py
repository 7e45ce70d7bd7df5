"""A snapshot or a copy goes on exactly as the world would, wherever it is taken."""

import copy
import json
import pickle
from collections import deque
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from babelzoo.envs.core import Invalid, Move, Outcome, Wait, tables
from babelzoo.envs.saveveyru import (
    GAME,
    Guess,
    Perform,
    Procedure,
    Read,
    Send,
    Stabilize,
    VeyruConfig,
    VeyruEncoding,
    VeyruText,
    VeyruWorld,
    render,
)
from babelzoo.envs.saveveyru.procedures import TITLES

SHORT = {"n_rounds": 3, "budget": 60, "max_turns": 14, "max_postmortem_turns": 5}
TWO_TEAMS = {"mode": "two_teams", "swap_after": 1}
INTERN = {"mode": "intern", "intern_joins": 1, "intern_takes_over": 3}
KNOBS: dict[str, dict[str, Any]] = {
    "reference": {},
    "sealed": GAME.presets["sealed"] | {"noise": 0.3, "noise_mode": "random_letter"},
    "structured": {"action_format": "structured", "show_budget": True},
    "pull": {"delivery": "pull"},
    "no postmortem": {"postmortem": False},
    "two teams": TWO_TEAMS,
    "two silent teams, pull": TWO_TEAMS | {"announce_swap": False, "delivery": "pull"},
    "intern": INTERN,
    "intern, structured": INTERN | {"action_format": "structured"},
    "eavesdropper": {"mode": "eavesdropper", "eavesdropper_sees": "messages+outcomes"},
    "counted eavesdropper": {"mode": "eavesdropper", "eavesdropper_budget": 9},
    "conflict": {"conflict": 0.5},
}
TALK = ("dim", "F9", "", "cloth, l\u00e9ft \u2028?", "B7", "\U0001f514 x3")

Given = tuple[bytes, str, bytes]
Maker = Callable[[VeyruWorld], VeyruWorld]


def _new(seed: int, knobs: dict[str, Any]) -> VeyruWorld:
    world = VeyruWorld(VeyruConfig(**SHORT | knobs))
    world.reset(seed)
    return world


def _restored(world: VeyruWorld) -> VeyruWorld:
    """A world that was never reset takes up the snapshot, by way of JSON."""
    fresh = VeyruWorld(world.config)
    fresh.restore(json.loads(json.dumps(world.snapshot())))
    return fresh


def _overwritten(world: VeyruWorld) -> VeyruWorld:
    """So does one in the middle of another game."""
    used = VeyruWorld(world.config)
    used.reset(99)
    for turn in range(20):
        if not used.over:
            used.apply(used.ready()[0], _move(used, turn))
    used.restore(world.snapshot())
    return used


MAKERS: dict[str, Maker] = {
    "snapshot into a fresh world": _restored,
    "snapshot into a used world": _overwritten,
    "deepcopy": copy.deepcopy,
    "pickle": lambda world: pickle.loads(pickle.dumps(world)),
}


def _move(world: VeyruWorld, turn: int) -> Move:
    """Talk, procedures right and wrong, readings, guesses, waits and refused moves, by turns."""
    agent = world.ready()[0]
    desk = world.desks[agent]
    team = world.teams[desk.team]
    if desk.seat == "listener":
        return Wait()
    if desk.seat == "eavesdropper":
        return Guess(TITLES[turn % 14], "top", "firm", 5)
    if turn % 11 == 10:
        return Invalid("expected text, actual int.", "7")
    if world.config.delivery == "pull" and turn % 3 == 1:
        return Read("link" if turn % 2 else "postmortem", turn % 4)
    if desk.seat == "observer" and team.phase == "round" and turn % 5 == 4:
        return _treat(world, agent, right=turn % 10 == 4)
    text = "x" * (40 + 30 * (turn % 2)) if turn % 17 == 16 else TALK[turn % len(TALK)]
    if not text and turn % 2:
        return Wait()
    return Send("link" if team.phase == "round" else "postmortem", text)


def _treat(world: VeyruWorld, agent: str, right: bool) -> Move:
    desk = world.desks[agent]
    needed = world.case.procedures[world.teams[desk.team].stage]
    if not right:
        needed = Procedure(needed.template, needed.face, needed.intensity, 5)
    if not desk.labels:
        return Stabilize(render(needed))
    label = "ABCDEFGHIJKLMN"[desk.labels.index(needed.template)]
    return Perform(label, needed.face, needed.intensity, needed.seconds)


def _given(world: VeyruWorld) -> list[Given]:
    """What every agent is given, in all forms."""
    text, encoding = tables(VeyruText, world.config), tables(VeyruEncoding, world.config)
    views = [world.view(agent) for agent in world.possible_agents()]
    return [
        (
            msgspec.json.encode(view),
            text.observation(view),
            encoding.features(view).tobytes(),
        )
        for view in views
    ]


def _same(a: VeyruWorld, b: VeyruWorld) -> None:
    assert (a.round, a.over, a.case, a.teams, a.desks) == (
        b.round,
        b.over,
        b.case,
        b.teams,
        b.desks,
    )
    assert (a.ready(), a.agents()) == (b.ready(), b.agents())
    assert a.state_hash() == b.state_hash()
    assert _given(a) == _given(b)


def _go_on(a: VeyruWorld, b: VeyruWorld, turn: int) -> None:
    """The same moves in both lead to equal Views, events and rewards, to the end."""
    _same(a, b)
    for number in range(turn, turn + 1000):
        if a.over:
            break
        agent = a.ready()[0]
        outcomes: list[Outcome] = [world.apply(agent, _move(a, number)) for world in (b, a)][::-1]
        assert outcomes[0] == outcomes[1]
        _same(a, b)


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
@pytest.mark.parametrize("knobs", KNOBS.values(), ids=KNOBS)
def test_a_copy_goes_on_alike_from_every_place_of_a_game(
    knobs: dict[str, Any], make: Maker
) -> None:
    world = _new(5, knobs)
    copies: deque[VeyruWorld] = deque(maxlen=6)
    for turn in range(1000):
        copies.append(make(world))
        if world.over:
            return
        agent, move = world.ready()[0], _move(world, turn)
        outcome = world.apply(agent, move)
        for other in copies:
            assert other.apply(agent, move) == outcome
            _same(world, other)
    raise AssertionError("the game does not end")


def _in_round(world: VeyruWorld) -> bool:
    return world.teams[0].phase == "round" and len(world.teams[0].said) > 2


def _in_postmortem(world: VeyruWorld) -> bool:
    return world.teams[0].phase == "postmortem" and world.teams[0].turn > 1


def _collapsed(world: VeyruWorld) -> bool:
    team = world.teams[0]
    return team.phase == "postmortem" and team.turn == 0 and team.used > world.config.budget


def _warned(world: VeyruWorld) -> bool:
    return world.teams[0].warned and world.teams[0].phase == "round"


def _half_cured(world: VeyruWorld) -> bool:
    return world.teams[0].stage > 0 and world.teams[0].phase == "round"


def _one_team_done(world: VeyruWorld) -> bool:
    return {team.phase for team in world.teams} == {"done", "postmortem"}


def _swapped(world: VeyruWorld) -> bool:
    return world.teams[0].observer == "observer_1"


def _third_is_asked(world: VeyruWorld) -> bool:
    return world.ready()[:1] in (("intern_0",), ("eavesdropper_0",))


def _taken_over(world: VeyruWorld) -> bool:
    return world.teams[0].observer == "intern_0"


def _over(world: VeyruWorld) -> bool:
    return world.over


MOMENTS: list[tuple[str, Callable[[VeyruWorld], bool]]] = [
    *(("reference", when) for when in (_in_round, _in_postmortem, _collapsed, _warned, _over)),
    *(("sealed", when) for when in (_in_round, _collapsed, _half_cured)),
    ("structured", _half_cured),
    *(("pull", when) for when in (_in_round, _in_postmortem)),
    *(("two teams", when) for when in (_one_team_done, _swapped, _in_postmortem)),
    *(("intern", when) for when in (_third_is_asked, _taken_over, _in_round)),
    *(("eavesdropper", when) for when in (_third_is_asked, _in_postmortem)),
    ("conflict", _half_cured),
]


def _bring(knobs: dict[str, Any], when: Callable[[VeyruWorld], bool]) -> tuple[VeyruWorld, int]:
    """A world at a moment, and the number of moves until then; the first seed that has it."""
    for seed in range(50):
        world = _new(seed, knobs)
        for turn in range(500):
            if when(world):
                return world, turn
            if world.over:
                break
            world.apply(world.ready()[0], _move(world, turn))
    raise AssertionError(f"no such moment: {when}")


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
@pytest.mark.parametrize(
    ("name", "when"), MOMENTS, ids=[f"{name}{when.__name__}" for name, when in MOMENTS]
)
def test_a_copy_goes_on_alike_to_the_end(
    name: str, when: Callable[[VeyruWorld], bool], make: Maker
) -> None:
    world, turn = _bring(KNOBS[name], when)
    _go_on(world, make(world), turn)
    assert world.over


def _is_plain(data: Any) -> bool:
    if isinstance(data, dict):
        return all(type(key) is str for key in data) and all(map(_is_plain, data.values()))
    if isinstance(data, list | tuple):
        return all(map(_is_plain, data))
    return data is None or type(data) in (bool, int, float, str)


@pytest.mark.parametrize("knobs", KNOBS.values(), ids=KNOBS)
def test_a_snapshot_is_plain_data_that_survives_json(knobs: dict[str, Any]) -> None:
    world = _new(5, knobs)
    for turn in range(1000):
        saved = world.snapshot()
        assert _is_plain(saved)
        written = json.dumps(saved, sort_keys=True)
        other = VeyruWorld(world.config)
        other.restore(json.loads(written))
        assert json.dumps(other.snapshot(), sort_keys=True) == written
        if world.over:
            return
        world.apply(world.ready()[0], _move(world, turn))
        assert json.dumps(saved, sort_keys=True) == written  # it does not go on with the world
    raise AssertionError("the game does not end")


def test_one_snapshot_may_be_taken_up_many_times() -> None:
    world, turn = _bring({}, _in_round)
    saved = world.snapshot()
    written = json.dumps(saved)
    for _ in range(2):
        other = VeyruWorld(world.config)
        other.restore(saved)
        _go_on(other, _restored(other), turn)
        assert other.over
        assert json.dumps(saved) == written
    world.restore(saved)
    _go_on(world, _restored(world), turn)


def test_a_snapshot_holds_no_case_and_no_table() -> None:
    world = _new(5, {})
    written = json.dumps(world.snapshot())
    assert not any(render(procedure) in written for _, procedure in world.case.table)
    assert "table" not in written and "procedures" not in written


def test_a_reset_forgets_what_was_restored() -> None:
    world, _ = _bring(INTERN, _taken_over)
    other = _restored(world)
    other.reset(7)
    _go_on(other, _new(7, INTERN), 0)


def test_different_states_have_different_hashes() -> None:
    world = _new(5, {})
    hashes = [world.state_hash()]
    for turn in range(30):
        world.apply(world.ready()[0], _move(world, turn))
        hashes.append(world.state_hash())
    assert len(set(hashes)) == len(hashes)
    assert _new(6, {}).state_hash() != hashes[0]
