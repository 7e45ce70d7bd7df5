"""Nobody sees, in any form, what its role must not know.

Two worlds differ in one hidden part; with the same moves, what an agent is given stays the same.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import chain, product
from typing import Any

import msgspec
import numpy as np
import pytest

from babelzoo.envs.core import Invalid, Move, Wait
from babelzoo.envs.core.codec import Codec
from babelzoo.envs.core.views import VIEWS, make_codec
from babelzoo.envs.saveveyru import (
    GAME,
    MOTIFS,
    Guess,
    Judged,
    Perform,
    Procedure,
    RoundEnded,
    Send,
    Stabilize,
    VeyruConfig,
    VeyruWorld,
    render,
)
from babelzoo.envs.saveveyru.cases import Case, Dealer
from babelzoo.envs.saveveyru.motifs import LOCATIONS
from babelzoo.envs.saveveyru.procedures import TITLES

SEED = 11
OBSERVER, SPECIALIST, EAVESDROPPER = "observer_0", "specialist_0", "eavesdropper_0"
PAIR = (OBSERVER, SPECIALIST)
SEALED = GAME.presets["sealed"]
KNOBS: dict[str, dict[str, Any]] = {
    "reference": {},
    "sealed": SEALED,
    "structured": {"action_format": "structured"},
    "sealed, structured": SEALED | {"action_format": "structured", "show_budget": True},
    "pull": {"delivery": "pull"},
    "no postmortem": {"postmortem": False},
    "collapsing": {"budget": 25},
    "short": {"max_turns": 9, "max_postmortem_turns": 3},
    "noise": {"noise": 0.5},
    "conflict": {"conflict": 0.5},
}
TALK = ("hot, dim", "F9", "", "cloth?", "B7 left", "ok")
ROUND = ("say", "say", "fail", "wait", "say", "say", "cure", "say", "say", "wait", "cure")
IN_VAIN = ("say", "say", "fail", "wait", "fail", "say", "bad", "say", "say", "wait", "say")

Act = Callable[[VeyruWorld, int], Move]
Given = list[bytes]
each_game = pytest.mark.parametrize("knobs", KNOBS.values(), ids=KNOBS)


class Hand(Dealer):
    """Deals one case every round."""

    def __init__(self, config: VeyruConfig, case: Case) -> None:
        super().__init__(config)
        self.case = case

    def deal(self, seed: int, number: int) -> Case:
        return self.case


def _world(case: Case, **knobs: Any) -> VeyruWorld:
    world = VeyruWorld(_config(**knobs))
    world._dealer = Hand(world.config, case)
    world.reset(SEED)
    return world


def _config(**knobs: Any) -> VeyruConfig:
    short = {"n_rounds": 3, "budget": 400, "max_turns": 25, "max_postmortem_turns": 6}
    return VeyruConfig(**short | knobs)


def _case(stages: tuple[int, ...] = (3, 5), seed: int = SEED, **knobs: Any) -> Case:
    """A case with these stages, and the table, place and oddness that `seed` gives."""
    dealt = Dealer(_config(**knobs)).deal(seed, 0)
    table = dict(dealt.table)
    procedures = tuple(table[motif] for motif in stages)
    return msgspec.structs.replace(dealt, stages=stages, procedures=procedures, conflict=False)


@cache
def _codecs(config: VeyruConfig) -> list[Codec]:
    return [make_codec(GAME, config, view) for view in VIEWS]


def _given(world: VeyruWorld, agent: str) -> Given:
    """The View, and what is made of it: text, numbers, masks and infos."""
    view = world.view(agent)
    made = [msgspec.json.encode(view)]
    for codec in _codecs(world.config):
        observation, info = codec.observation(view), codec.info(view)
        made.append(observation.encode() if isinstance(observation, str) else b"")
        parts = observation if isinstance(observation, dict) else {"": observation}
        made += [
            part.tobytes() if isinstance(part, np.ndarray) else repr(part).encode()
            for part in chain(parts.values(), info.values())
        ]
    return made


def _procedure(world: VeyruWorld, procedure: Procedure) -> Move:
    """The observer's move that carries out a procedure."""
    if world.config.action_format == "english":
        return Stabilize(render(procedure))
    labels = world.desks[OBSERVER].labels
    label = "ABCDEFGHIJKLMN"[labels.index(procedure.template)]
    return Perform(label, procedure.face, procedure.intensity, procedure.seconds)


def _follow(script: tuple[str, ...], wrong: Procedure) -> Act:
    """Moves by a script; who can't do what stands there says something."""

    def act(world: VeyruWorld, turn: int) -> Move:
        team, todo = world.teams[0], script[turn % len(script)]
        if todo == "wait":
            return Wait()
        if todo == "bad":
            return Invalid("expected text, actual int.")
        if todo != "say" and team.mover == OBSERVER and team.phase == "round":
            cure = world.case.procedures[team.stage]
            return _procedure(world, cure if todo == "cure" else wrong)
        return Send("link" if team.phase == "round" else "postmortem", TALK[turn % len(TALK)])

    return act


def _play(world: VeyruWorld, act: Act, agent: str, turns: int = 200) -> Iterator[Given]:
    """What the agent is given before and after every move, until the end."""
    for turn in range(turns):
        yield _given(world, agent)
        if world.over:
            return
        (ready,) = world.ready()
        world.apply(ready, act(world, turn))
    raise AssertionError("the game does not end")


def _wrong(*cases: Case) -> Procedure:
    """A procedure that none of the cases needs."""
    needed = {procedure for case in cases for _, procedure in case.table}
    every = product(range(14), ("top", "left"), ("firm",), (5, 8))
    return next(found for parts in every if (found := Procedure(*parts)) not in needed)


def test_the_scripts_hold_successes_failures_refusals_and_more_than_one_end() -> None:
    verdicts: set[bool] = set()
    ends: set[str] = set()
    refused: set[str] = set()
    for knobs, script in product(KNOBS.values(), (ROUND, IN_VAIN)):
        case = _case(**knobs)
        world, act = _world(case, **knobs), _follow(script, _wrong(case))
        for turn in range(200):
            if not world.over:
                outcome = world.apply(world.ready()[0], act(world, turn))
                verdicts |= {e.success for e in outcome.events if isinstance(e, Judged)}
                ends |= {e.end for e in outcome.events if isinstance(e, RoundEnded)}
                refused.add(outcome.rejected)
    assert verdicts == {True, False}
    assert len(refused) > 1
    assert ends >= {"stabilized", "over_budget", "stage_lost", "max_turns"}


@each_game
@pytest.mark.parametrize("stages", [(0, 7), (12, 13), (5, 3)])
def test_the_specialist_cannot_tell_what_the_veyru_has_or_where_it_is(
    knobs: dict[str, Any], stages: tuple[int, ...]
) -> None:
    one = _case(**knobs)
    other = _case(stages, **knobs)
    other = msgspec.structs.replace(other, location=(one.location + 1) % len(LOCATIONS))
    act = _follow(ROUND, _wrong(one, other))
    games = [_play(_world(case, **knobs), act, SPECIALIST) for case in (one, other)]
    for a, b in zip(*games, strict=True):
        assert a == b


@each_game
def test_the_observer_cannot_tell_which_table_there_is(knobs: dict[str, Any]) -> None:
    one, other = _case(**knobs), _case(seed=SEED + 1, **knobs)
    assert one.table != other.table
    act = _follow(IN_VAIN, _wrong(one, other))
    games = [
        _play(_world(msgspec.structs.replace(case, location=3), **knobs), act, OBSERVER)
        for case in (one, other)
    ]
    for a, b in zip(*games, strict=True):
        assert a == b


@pytest.mark.parametrize("knobs", [{}, KNOBS["structured"]], ids=["english", "structured"])
def test_a_verdict_is_the_first_that_tells_the_observer_of_the_table(knobs: dict[str, Any]) -> None:
    cases = [_case(seed=seed, **knobs) for seed in (SEED, SEED + 1)]
    worlds = [_world(msgspec.structs.replace(case, location=3), **knobs) for case in cases]
    for world in worlds:
        world.apply(OBSERVER, Send("link", "dim"))
        world.apply(SPECIALIST, Wait())
    assert _given(worlds[0], OBSERVER) == _given(worlds[1], OBSERVER)
    for world in worlds:
        world.apply(OBSERVER, _procedure(world, cases[0].procedures[0]))
    assert [team.stage for world in worlds for team in world.teams] == [1, 0]
    assert _given(worlds[0], OBSERVER) != _given(worlds[1], OBSERVER)


@each_game
@pytest.mark.parametrize("agent", PAIR)
def test_neither_can_tell_how_many_troubles_there_are(knobs: dict[str, Any], agent: str) -> None:
    cases = [_case(stages, **knobs) for stages in ((3,), (3, 5), (3, 5, 8, 0, 1))]
    act = _follow(IN_VAIN, _wrong(*cases))
    games = [_play(_world(case, **knobs), act, agent) for case in cases]
    for a, b, c in zip(*games, strict=True):
        assert a == b == c


@each_game
@pytest.mark.parametrize("agent", PAIR)
def test_after_a_success_neither_can_tell_how_many_are_left(
    knobs: dict[str, Any], agent: str
) -> None:
    cases = [_case(stages, **knobs) for stages in ((3, 5), (3, 5, 8, 0, 1))]
    worlds = [_world(case, **knobs | {"n_rounds": 1}) for case in cases]
    for world in worlds:
        world.apply(OBSERVER, _procedure(world, world.case.procedures[0]))
    act = _follow(IN_VAIN, _wrong(*cases))
    for a, b in zip(*[_play(world, act, agent) for world in worlds], strict=True):
        assert a == b
    assert [world.teams[0].stage for world in worlds] == [1, 1]


def _failures(case: Case, structured: bool) -> list[Move]:
    """Actions that fail in very different ways."""
    needed = case.procedures[0]
    near = [
        msgspec.structs.replace(needed, template=(needed.template + 1) % 14),
        msgspec.structs.replace(needed, seconds=5 if needed.seconds != 5 else 8),
        dict(case.table)[case.stages[1]],
    ]
    if structured:
        world = _world(case, action_format="structured")
        return [_procedure(world, procedure) for procedure in near]
    text = render(needed)
    told = ["", "x", "F9", text[: len(text) // 2], f"{text} {render(near[0])}", *map(render, near)]
    return [Stabilize(each) for each in told]


@each_game
def test_the_specialist_cannot_tell_one_failed_treatment_from_another(
    knobs: dict[str, Any],
) -> None:
    knobs = knobs | {"n_rounds": 2}
    case = _case(**knobs)
    moves = _failures(case, knobs.get("action_format") == "structured")
    worlds = [_world(case, **knobs) for _ in moves]
    reference = _follow(("say", "say", "fail", "wait", "fail", "say"), _wrong(case))
    games = []
    for world, move in zip(worlds, moves, strict=True):

        def act(world: VeyruWorld, turn: int, move: Move = move) -> Move:
            planned = reference(world, turn)
            return move if isinstance(planned, Stabilize | Perform) else planned

        games.append(_play(world, act, SPECIALIST))
    for several in zip(*games, strict=True):
        assert all(given == several[0] for given in several)


def test_the_right_treatment_too_late_is_like_any_other_to_the_specialist() -> None:
    case = _case()
    given = []
    for procedure in (case.procedures[0], _wrong(case)):
        world = _world(case, budget=0, turn_cost=1)
        world.apply(OBSERVER, Stabilize(render(procedure)))
        assert world.teams[0].phase == "postmortem"
        given.append(_given(world, SPECIALIST))
    assert given[0] == given[1]


def test_the_observer_cannot_tell_what_the_judge_understood() -> None:
    said = "Hold a firm tone at all six faces at the same time for 12 seconds, the left face first."
    case, readings, games = _case(), [], []
    for judge in ("strict", "core"):
        world = _world(case, judge=judge)
        (event,) = world.apply(OBSERVER, Stabilize(said)).events
        assert isinstance(event, Judged) and not event.success
        readings.append(event.read)
        games.append(_play(world, _follow(IN_VAIN, _wrong(case)), OBSERVER))
    assert readings == [None, Procedure(0, "left", "firm", 12)]
    for a, b in zip(*games, strict=True):
        assert a == b


@each_game
def test_the_observer_cannot_tell_that_they_are_at_odds(knobs: dict[str, Any]) -> None:
    knobs = knobs | {"conflict": 0.5}
    case = _case(**knobs)
    odd = msgspec.structs.replace(case, conflict=True)
    worlds = [_world(each, **knobs) for each in (case, odd)]
    assert _given(worlds[0], SPECIALIST) != _given(worlds[1], SPECIALIST)
    act = _follow(ROUND, _wrong(case))
    paid: list[list[float]] = [[], []]
    for turn in range(200):
        assert _given(worlds[0], OBSERVER) == _given(worlds[1], OBSERVER)
        if worlds[0].over:
            break
        for world, rewards in zip(worlds, paid, strict=True):
            outcome = world.apply(world.ready()[0], act(world, turn))
            rewards.append(outcome.rewards.get(OBSERVER, 0.0))
    assert worlds[0].over and worlds[1].over
    assert paid[0] == paid[1]


def _overheard(sees: str, works: bool, budget: int | None) -> Given:
    """What an eavesdropper is given when it is asked, at the end of a round of one stage."""
    case = _case((3,))
    knobs = {"eavesdropper_sees": sees, "eavesdropper_budget": budget}
    world = _world(case, mode="eavesdropper", **knobs)
    world.apply(OBSERVER, Send("link", "dim, hollow"))
    world.apply(SPECIALIST, Send("link", "B7 left"))
    tried = case.procedures[0] if works else _wrong(case)
    world.apply(OBSERVER, _procedure(world, tried))
    if not works:
        for agent in (SPECIALIST, OBSERVER):
            assert world.ready() == (agent,)
            world.apply(agent, Wait())
    assert world.ready() == (EAVESDROPPER,)
    return _given(world, EAVESDROPPER)


@pytest.mark.parametrize("budget", [None, 0, 13])
def test_who_overhears_messages_alone_cannot_tell_how_a_round_went(budget: int | None) -> None:
    assert _overheard("messages", True, budget) == _overheard("messages", False, budget)
    told = [_overheard("messages+outcomes", works, budget) for works in (True, False)]
    assert told[0] != told[1]


def test_who_overhears_is_not_told_whether_a_guess_was_right() -> None:
    case = _case((3, 5))
    needed, given = case.procedures[0], []
    for procedure in (needed, _wrong(case)):
        world = _world(case, mode="eavesdropper")
        world.apply(OBSERVER, _procedure(world, needed))
        move = Guess(TITLES[procedure.template], *msgspec.structs.astuple(procedure)[1:])
        assert not world.apply(EAVESDROPPER, move).rejected
        given.append(_given(world, EAVESDROPPER))
    assert given[0] == given[1]


def _texts(act: Act, **knobs: Any) -> Iterator[tuple[VeyruWorld, str, str]]:
    """Every agent's text before every move of a game with everything in it."""
    world = _world(_case(**knobs), **knobs)
    for turn in range(300):
        for agent in world.possible_agents():
            yield world, agent, _codecs(world.config)[0].observation(world.view(agent))
        if world.over:
            return
        agent = world.ready()[0]
        acts = world.desks[agent].seat in ("observer", "specialist")
        world.apply(agent, act(world, turn) if acts else Wait())
    raise AssertionError("the game does not end")


GAMES: dict[str, dict[str, Any]] = KNOBS | {
    "eavesdropper": {"mode": "eavesdropper", "eavesdropper_sees": "messages+outcomes"},
    "intern": {"mode": "intern", "intern_joins": 1, "intern_takes_over": 3},
}
SIGNS = [phrase for motif in MOTIFS for phrase in motif.phrases] + list(LOCATIONS)


@pytest.mark.parametrize("knobs", GAMES.values(), ids=GAMES)
def test_only_who_stands_beside_the_veyru_reads_signs(knobs: dict[str, Any]) -> None:
    act = _follow(ROUND, _wrong(_case(**knobs)))
    readers: set[str] = set()
    for _, agent, text in _texts(act, **knobs):
        if any(sign in text for sign in SIGNS):
            readers.add(agent.rpartition("_")[0])
    assert readers <= {"observer", "intern"} and "observer" in readers


@pytest.mark.parametrize("knobs", GAMES.values(), ids=GAMES)
def test_only_the_specialist_reads_the_table_and_only_in_a_round(knobs: dict[str, Any]) -> None:
    act = _follow(("say", "say", "say", "wait", "say"), _wrong(_case(**knobs)))
    for world, agent, text in _texts(act, **knobs):
        rows = [row for row in world.case.table if render(row[1]) in text]
        named = [motif.name for motif in MOTIFS if motif.name in text]
        knows = agent == SPECIALIST and world.teams[0].phase == "round" and not world.over
        assert len(rows) == len(named) == (14 if knows else 0)


@each_game
def test_the_last_result_tells_both_the_same_and_no_answer(knobs: dict[str, Any]) -> None:
    act, told = _follow(ROUND, _wrong(_case(**knobs))), 0
    for world, agent, text in _texts(act, **knobs):
        previous = world.view(agent).previous
        assert previous == world.view(PAIR[agent == OBSERVER]).previous
        if previous is not None:
            told += 1
            result = rf"^Round {previous.round}: [A-Za-z ,]+; \d+ of \d+ s were used\.$"
            assert len(re.findall(result, text, re.MULTILINE)) == 1
    assert told


def test_events_do_hold_what_no_view_does() -> None:
    case = _case((3,))
    world = _world(case)
    events = world.apply(OBSERVER, Stabilize(render(case.procedures[0]))).events
    judged, ended = events
    assert isinstance(judged, Judged) and isinstance(ended, RoundEnded)
    assert judged.read == judged.required == case.procedures[0]
    assert (ended.motifs, ended.procedures) == (case.stages, case.procedures)
