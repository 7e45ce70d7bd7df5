"""What a learner's vector says of the Veyru, and what it does not."""

from typing import Any

import numpy as np
import pytest
from veyru_pair import OBSERVER, SPECIALIST, WAIT, cure, link, play, start

from babelzoo.envs.core import tables
from babelzoo.envs.saveveyru import Stabilize, VeyruEncoding, VeyruWorld

# Places of a vector: seat 0-4, phase 5-7, round 8, budget left 9, warned 10, paid the opposite 11,
# unread 12-13, stage to guess 14, last result 15-17, motif 18-31, labels, table, last messages.
PHASE, ROUND, LEFT, WARNED, OPPOSITE, RESULT, MOTIF = 5, 8, 9, 10, 11, 15, 18
LABELS, TABLE = MOTIF + 14, MOTIF + 14 + 14 * 14
ROW = 14 + 6 + 3 + 6
MINE = TABLE + 14 * ROW
WIDTH, LONGEST = 9, 4  # symbols a to h and any other; symbols of a message


def seen(world: VeyruWorld, agent: str) -> np.ndarray:
    return tables(VeyruEncoding, world.config).features(world.view(agent))


def spelt(vector: np.ndarray, at: int) -> list[int]:
    """The symbols of a message by number; -1 after its end."""
    rows = vector[at : at + LONGEST * WIDTH].reshape(LONGEST, WIDTH)
    return [int(row.argmax()) if row.any() else -1 for row in rows]


def test_seats_phases_and_rounds() -> None:
    world = start()
    assert seen(world, OBSERVER)[:5].tolist() == [1, 0, 0, 0, 0]
    assert seen(world, SPECIALIST)[:5].tolist() == [0, 1, 0, 0, 0]
    phases, rounds = [], []
    for _ in range(12):
        vector = seen(world, OBSERVER)
        phases.append(int(vector[PHASE : PHASE + 3].argmax()))
        rounds.append(float(vector[ROUND]))
        play(world, WAIT)
    assert phases == [0, 0, 1, 1] * 3
    assert rounds == pytest.approx(np.repeat([1 / 3, 2 / 3, 1], 4))
    assert seen(world, OBSERVER)[PHASE + 2] == 1


def test_the_observer_has_the_motif_and_the_specialist_the_table() -> None:
    world = start()
    motif = seen(world, OBSERVER)[MOTIF : MOTIF + 14]
    assert np.flatnonzero(motif).tolist() == [world.case.stages[0]]
    assert not seen(world, OBSERVER)[TABLE:MINE].any()
    table = seen(world, SPECIALIST)[TABLE:MINE].reshape(14, ROW)
    assert not seen(world, SPECIALIST)[MOTIF : MOTIF + 14].any()
    for (_, needed), row in zip(world.case.table, table, strict=True):
        assert row.sum() == 4 and row[needed.template] == 1


def test_the_budget_left_counts_what_was_said() -> None:
    world = start(budget=10)
    play(world, link("abcd"))
    for agent in (OBSERVER, SPECIALIST):
        assert seen(world, agent)[LEFT] == pytest.approx(0.6)
        assert seen(world, agent)[WARNED] == 0
    play(world, link("abcd"))
    for agent in (OBSERVER, SPECIALIST):
        assert seen(world, agent)[LEFT] == pytest.approx(0.2)
        assert seen(world, agent)[WARNED] == 1


def test_the_last_messages_are_spelt_symbol_by_symbol() -> None:
    world = start()
    play(world, link("ab"), link("h?zzzz"))
    theirs = MINE + LONGEST * WIDTH
    observer, specialist = seen(world, OBSERVER), seen(world, SPECIALIST)
    assert spelt(observer, MINE) == spelt(specialist, theirs) == [0, 1, -1, -1]
    assert spelt(observer, theirs) == spelt(specialist, MINE) == [7, 8, 8, 8]
    play(world, link("c"))
    assert spelt(seen(world, SPECIALIST), theirs) == [2, -1, -1, -1]


def test_results_are_the_observers_alone() -> None:
    world = start()
    play(world, Stabilize("ring"))
    assert seen(world, OBSERVER)[RESULT : RESULT + 3].tolist() == [0, 1, 0]
    assert not seen(world, SPECIALIST)[RESULT : RESULT + 3].any()
    play(world, link("a"), cure(world))
    assert seen(world, OBSERVER)[RESULT : RESULT + 3].tolist() == [1, 0, 0]


def test_labels_and_pay_at_odds() -> None:
    world = start("conflict", conflict=1.0, action_format="structured")
    labels = seen(world, OBSERVER)[LABELS:TABLE].reshape(14, 14)
    assert labels.argmax(axis=1).tolist() == list(world.view(OBSERVER).labels)
    assert not seen(world, SPECIALIST)[LABELS:TABLE].any()
    assert [seen(world, agent)[OPPOSITE] for agent in (OBSERVER, SPECIALIST)] == [0, 1]


@pytest.mark.parametrize("mode", ["pair", "two_teams", "intern", "eavesdropper"])
def test_the_state_holds_every_view_and_what_nobody_sees(mode: str) -> None:
    knobs: dict[str, Any] = {"mode": mode} | ({"swap_after": 1} if mode == "two_teams" else {})
    world = start(**knobs)
    encoding = tables(VeyruEncoding, world.config)
    state = encoding.state(world)
    agents = world.possible_agents()
    assert state.shape == (encoding.state_size,)
    for place, agent in enumerate(agents):
        part = state[place * encoding.size : (place + 1) * encoding.size]
        assert np.array_equal(part, seen(world, agent))
    hidden = state[len(agents) * encoding.size :]
    stages = hidden[2 + 3 * len(world.teams) :].reshape(5, 14 + ROW)
    shown = [int(row[:14].argmax()) for row in stages if row.any()]
    assert shown == list(world.case.stages)
