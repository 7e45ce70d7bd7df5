"""What a round holds: pinned for one seed, and distributed as it must be."""

from collections import Counter
from typing import Any

import pytest
from scipy import stats

from babelzoo.envs.core import tables
from babelzoo.envs.saveveyru import MOTIFS, VeyruConfig
from babelzoo.envs.saveveyru.cases import Case, Dealer

SEALED: dict[str, Any] = {"mapping": "derangement", "slots": "motif"}

# Rounds 1 to 15 of seed 42: location, then for each stage motif>template and its slots. A change
# of these is another version of the game.
GOLDEN = """
@4: 10>13 top mod 10
@3: 3>13 bottom fir 20, 7>3 bottom fir 20, 1>11 bottom fir 20
@3: 12>0 front fir 12, 5>7 front fir 12, 7>9 front fir 12, 8>10 front fir 12, 6>8 front fir 12
@7: 1>4 front gen 20
@6: 10>1 front gen 12, 3>8 front gen 12, 4>9 front gen 12, 6>11 front gen 12
@0: 5>0 left gen 20, 13>8 left gen 20, 9>4 left gen 20
@3: 13>3 front fir 15, 9>13 front fir 15
@7: 5>8 right gen 12
@13: 3>7 top gen 20, 1>5 top gen 20, 0>4 top gen 20, 11>1 top gen 20
@10: 12>4 bottom gen 15, 4>10 bottom gen 15, 5>11 bottom gen 15, 9>1 bottom gen 15
@10: 12>9 right fir 10, 1>12 right fir 10
@1: 3>7 right fir 15, 13>3 right fir 15, 9>13 right fir 15, 2>6 right fir 15, 0>4 right fir 15
@2: 3>10 right mod 12, 4>11 right mod 12, 8>1 right mod 12, 9>2 right mod 12
@7: 10>0 right gen 20, 4>8 right gen 20, 7>11 right gen 20, 2>6 right gen 20, 6>10 right gen 20
@7: 11>1 back mod 5, 6>10 back mod 5
"""

GOLDEN_SEALED = """
@4: 10>4 top fir 10
@3: 3>13 left fir 20, 7>8 bottom gen 12, 1>11 left gen 15
@3: 12>5 bottom fir 20, 5>7 front mod 15, 7>8 left gen 5, 8>9 bottom fir 5, 6>0 right mod 10
"""


def deal(seed: int, number: int, **knobs: Any) -> Case:
    return tables(Dealer, VeyruConfig(**knobs)).deal(seed, number)


def written(case: Case) -> str:
    stages = [
        f"{motif}>{needed.template} {needed.face} {needed.intensity[:3]} {needed.seconds}"
        for motif, needed in zip(case.stages, case.procedures, strict=True)
    ]
    return f"@{case.location}: {', '.join(stages)}"


def likely(counts: Counter[Any], weights: list[float]) -> float:
    """Probability of counts (of values 0, 1, ... in sorted order) at least as uneven."""
    total, whole = counts.total(), sum(weights)
    seen = [counts[value] for value in sorted(counts)]
    assert len(seen) == len(weights)
    return float(stats.chisquare(seen, [total * weight / whole for weight in weights]).pvalue)


def test_the_rounds_of_seed_42() -> None:
    assert [written(deal(42, n)) for n in range(15)] == GOLDEN.split("\n")[1:-1]
    assert [written(deal(42, n, **SEALED)) for n in range(3)] == GOLDEN_SEALED.split("\n")[1:-1]


def test_longer_games_start_alike_and_other_knobs_change_no_round() -> None:
    for number in range(5):
        case = deal(7, number)
        others: list[dict[str, Any]] = [
            {"n_rounds": 500},
            {"budget": 2000, "postmortem": False, "noise": 0.5},
            {"mode": "eavesdropper", "attempts": 3, "charset": "ascii"},
            {"action_format": "structured", "judge": "core"},
        ]
        assert all(deal(7, number, **knobs) == case for knobs in others)
        sealed = deal(7, number, **SEALED)
        assert (sealed.stages, sealed.location) == (case.stages, case.location)
        assert deal(8, number) != case


def test_stages_are_different_motifs_the_most_urgent_first() -> None:
    for number in range(500):
        case = deal(1, number)
        priorities = [MOTIFS[motif].priority for motif in case.stages]
        assert priorities == sorted(priorities)
        assert len(set(case.stages)) == len(case.stages) <= 5


def test_a_reference_round_is_one_rotation_and_one_triple() -> None:
    for number in range(500):
        case = deal(2, number)
        offsets = {(needed.template - motif) % 14 for motif, needed in case.table}
        slots = {(needed.face, needed.intensity, needed.seconds) for _, needed in case.table}
        assert len(offsets) == len(slots) == 1 and offsets != {0}
        assert dict(case.table)[case.stages[0]] == case.procedures[0]


def test_a_sealed_round_leaves_no_motif_its_own_and_draws_slots_for_each() -> None:
    differ = 0
    for number in range(300):
        table = deal(3, number, **SEALED).table
        assert sorted(needed.template for _, needed in table) == list(range(14))
        assert all(motif != needed.template for motif, needed in table)
        differ += len({(needed.face, needed.seconds) for _, needed in table}) > 5
    assert differ > 290


def test_how_often() -> None:
    """Stage counts, offsets, faces, intensities, seconds and locations over 6,000 rounds."""
    cases = [deal(4, number) for number in range(6000)]
    first = [case.table[0][1] for case in cases]
    stages = Counter(len(case.stages) for case in cases)
    assert likely(stages, [20, 25, 25, 20, 10]) > 0.001
    assert sum(k * v for k, v in stages.items()) / 6000 == pytest.approx(2.75, abs=0.05)
    for values, size in (
        (Counter(needed.template for needed in first), 13),
        (Counter(needed.face for needed in first), 6),
        (Counter(needed.intensity for needed in first), 3),
        (Counter(needed.seconds for needed in first), 6),
        (Counter(case.location for case in cases), 15),
        (Counter(motif for case in cases for motif in case.stages), 14),
    ):
        assert likely(values, [1.0] * size) > 0.001


def test_derangements_are_uniform() -> None:
    """Of 4 motifs there are 9."""
    small: dict[str, Any] = {"motifs": (0, 1, 2, 3), "stage_weights": (1,), **SEALED}
    seen = Counter(
        tuple(needed.template for _, needed in deal(5, number, **small).table)
        for number in range(3000)
    )
    assert likely(seen, [1.0] * 9) > 0.001


def test_a_reduced_world_keeps_to_its_lists() -> None:
    small: dict[str, Any] = {
        "motifs": (2, 5, 9),
        "stage_weights": (1, 1),
        "faces": ("left",),
        "intensities": ("firm", "gentle"),
        "seconds": (7,),
    }
    for mapping in ("rotation", "derangement"):
        for number in range(100):
            case = deal(6, number, mapping=mapping, **small)
            assert {motif for motif, _ in case.table} == {2, 5, 9} >= set(case.stages)
            for motif, needed in case.table:
                assert needed.template in (2, 5, 9) and needed.template != motif
                assert (needed.face, needed.seconds) == ("left", 7)
