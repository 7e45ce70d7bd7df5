"""More of what a round holds: what the game deals, and that nothing in it is more likely."""

from collections import Counter
from typing import Any

import pytest
from scipy import stats

from babelzoo.envs.core import Wait, tables
from babelzoo.envs.saveveyru import VeyruConfig, VeyruWorld
from babelzoo.envs.saveveyru.cases import Case, Dealer

SEALED: dict[str, Any] = {"mapping": "derangement", "slots": "motif"}
N = 6000


def deal(seed: int, number: int, **knobs: Any) -> Case:
    """One round's Veyru."""
    return tables(Dealer, VeyruConfig(**knobs)).deal(seed, number)


def likely(counts: Counter[Any], size: int) -> bool:
    """Whether counts of `size` equally likely values are not too uneven."""
    seen = [*counts.values(), *[0] * (size - len(counts))]
    return len(counts) <= size and float(stats.chisquare(seen).pvalue) > 0.001


def played(seed: int, n_rounds: int, **knobs: Any) -> list[Case]:
    """The cases of a game in which nobody does anything."""
    world = VeyruWorld(VeyruConfig(n_rounds=n_rounds, **knobs))
    world.reset(seed)
    cases = [world.case]
    while not world.over:
        before = world.round
        world.apply(world.ready()[0], Wait())
        if world.round > before and not world.over:
            cases.append(world.case)
    return cases


def test_a_game_is_dealt_its_seeds_rounds_and_a_short_one_the_first_of_a_long_ones() -> None:
    long = played(42, 50)
    assert long == [deal(42, number) for number in range(50)]
    assert played(42, 5) == long[:5]


@pytest.mark.parametrize(
    "knobs",
    [
        {"budget": 2000, "turn_cost": 3, "min_cost": 1},
        {"postmortem": False},
        {"mode": "two_teams", "swap_after": 2},
        {"mode": "intern"},
        {"mode": "eavesdropper"},
        {"action_format": "structured"},
        {"delivery": "pull", "noise": 0.5},
    ],
    ids=str,
)
def test_no_other_knob_changes_a_played_round(knobs: dict[str, Any]) -> None:
    assert played(7, 5, **knobs) == played(7, 5)


def templates(case: Case) -> list[int]:
    """The template that each motif needs."""
    return [needed.template for _, needed in case.table]


def slots(case: Case) -> list[tuple[str, str, int]]:
    """The face, intensity and duration that each motif needs."""
    return [(needed.face, needed.intensity, needed.seconds) for _, needed in case.table]


def test_mapping_and_slots_leave_each_other_alone() -> None:
    for number in range(50):
        both, plain = deal(9, number, **SEALED), deal(9, number)
        deranged, apart = deal(9, number, mapping="derangement"), deal(9, number, slots="motif")
        assert templates(both) == templates(deranged) != templates(plain) == templates(apart)
        assert slots(both) == slots(apart) != slots(plain) == slots(deranged)


def test_stage_weights_of_zero_are_never_dealt() -> None:
    counts = Counter(
        len(deal(4, number, stage_weights=(0, 3, 0, 1)).stages) for number in range(2000)
    )
    assert set(counts) == {2, 4}
    assert stats.binomtest(counts[2], 2000, 0.75).pvalue > 0.001


@pytest.mark.parametrize("motif", range(14))
def test_a_derangement_gives_each_motif_any_other_procedure(motif: int) -> None:
    given = Counter(deal(5, number, **SEALED).table[motif][1].template for number in range(N))
    assert motif not in given and likely(given, 13)


@pytest.mark.parametrize(("slot", "size"), [("face", 6), ("intensity", 3), ("seconds", 6)])
def test_slots_of_motifs_are_uniform_and_do_not_hang_together(slot: str, size: int) -> None:
    drawn = [
        [getattr(needed, slot) for _, needed in deal(6, number, **SEALED).table]
        for number in range(N)
    ]
    assert likely(Counter(value for row in drawn for value in row), size)
    assert likely(Counter((row[0], row[13]) for row in drawn), size * size)


def test_offset_and_triple_do_not_hang_together() -> None:
    first = [deal(8, number).table[0][1] for number in range(N)]
    assert likely(Counter((n.template, n.face) for n in first), 13 * 6)
    assert likely(Counter((n.face, n.intensity, n.seconds) for n in first), 6 * 3 * 6)


def test_the_first_motifs_of_equal_priority_are_in_the_order_drawn() -> None:
    """Of two motifs of one priority, either comes first as often as the other."""
    small: dict[str, Any] = {"motifs": (0, 1), "stage_weights": (0, 1)}
    assert likely(Counter(deal(3, number, **small).stages for number in range(2000)), 2)


@pytest.mark.parametrize("mapping", ["rotation", "derangement"])
@pytest.mark.parametrize("motifs", [(0, 1, 2), (4, 11), (13, 0, 7, 3)], ids=str)
def test_a_reduced_world_keeps_to_its_motifs(mapping: str, motifs: tuple[int, ...]) -> None:
    knobs: dict[str, Any] = {"motifs": motifs, "stage_weights": (1,), "faces": ("left",)}
    for drawn in ("round", "motif"):
        dealt = [deal(6, n, mapping=mapping, slots=drawn, **knobs) for n in range(200)]
        for case in dealt:
            assert tuple(motif for motif, _ in case.table) == motifs
            assert sorted(n.template for _, n in case.table) == sorted(motifs)
            assert all(motif != needed.template for motif, needed in case.table)
            assert {needed.face for _, needed in case.table} == {"left"}
        assert {case.stages[0] for case in dealt} == set(motifs)


def test_different_seeds_and_rounds_differ() -> None:
    presets: list[dict[str, Any]] = [{}, SEALED]
    for knobs in presets:
        cases = {tuple(deal(seed, n, **knobs) for n in range(5)) for seed in range(300)}
        assert len(cases) == 300
    rounds = [deal(1, number, **SEALED) for number in range(500)]
    assert len(set(rounds)) == 500
