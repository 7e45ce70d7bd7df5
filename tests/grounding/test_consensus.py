"""The paper's equations by hand, and kept up to date as if recomputed."""

from math import sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from babelzoo.envs.grounding.consensus import Consensus


def population(n_entities: int, *agents: dict[str, tuple[int, float]]) -> Consensus:
    made = Consensus(len(agents), n_entities)
    for agent, words in enumerate(agents):
        for word, (referent, confidence) in words.items():
            made.hold(agent, word, referent, confidence)
    return made


@pytest.mark.parametrize(("n_agents", "n_entities"), [(2, 1), (2, 3), (5, 5), (20, 10)])
def test_full_agreement_is_1_for_any_size(n_agents: int, n_entities: int) -> None:
    words = {f"w{e}": (e, 1.0) for e in range(n_entities)}
    made = population(n_entities, *[words] * n_agents)
    assert made.consensus == 1
    assert made.cosine == pytest.approx(1)
    assert made.mean_confidence == pytest.approx(1)
    assert made.agreement == pytest.approx(1)
    assert made.vocabulary == n_entities
    assert made.homonym_pairs == 0


def test_one_referent_agreed_is_a_share_of_them_though_the_printed_cosine_is_1() -> None:
    made = population(
        4, {"a": (0, 0.5), "b": (1, 0.0)}, {"a": (0, 0.25), "c": (1, 0.0)}, {"a": (0, 1.0)}
    )
    assert made.consensus == 1 / 4
    assert made.cosine == pytest.approx(1)
    assert made.vocabulary == 3


def test_two_agents_by_hand() -> None:
    """c1 = (.5, .5, 0), c2 = (.5, 0, .25) over words a, b, c; they agree on a alone."""
    made = population(2, {"a": (0, 0.5), "b": (1, 0.5)}, {"a": (0, 0.5), "c": (1, 0.25)})
    first, second = sqrt(0.5), sqrt(0.3125)
    assert made.consensus == 1 / 2
    assert made.cosine == pytest.approx(0.25 / (first * second))
    assert made.mean_confidence == pytest.approx((first + second) / (2 * sqrt(2)))
    assert made.agreement == pytest.approx(2 * 0.25 / (2 * 2))


def test_one_word_on_two_referents_is_no_consensus_but_a_homonym() -> None:
    made = population(2, {"a": (0, 1.0)}, {"a": (1, 1.0)}, {"a": (1, 0.0)})
    assert made.consensus == 0
    assert made.agreement == pytest.approx(2 / (2 * 6))
    assert made.homonym_pairs == 2


def test_without_confidence_nothing_is_agreed() -> None:
    made = population(1, {"a": (0, 0.0)}, {"a": (0, 0.0)})
    assert (made.consensus, made.cosine, made.mean_confidence, made.agreement) == (0, 0, 0, 0)
    assert made.vocabulary == 1


CHANGES = st.lists(
    st.tuples(
        st.integers(0, 3), st.integers(0, 5), st.integers(0, 2), st.sampled_from([None, 0, 0.05, 1])
    ),
    max_size=60,
)


@given(CHANGES)
def test_kept_measures_equal_recomputed_ones(changes: list[Any]) -> None:
    made = Consensus(4, 3)
    held: list[dict[str, tuple[int, float]]] = [{} for _ in range(4)]
    for agent, number, referent, confidence in changes:
        word = f"w{number}"
        taken = {r for w, (r, _) in held[agent].items() if w != word}
        if confidence is None:
            made.drop(agent, word)
            held[agent].pop(word, None)
        elif referent not in taken:
            made.hold(agent, word, referent, confidence)
            held[agent][word] = (referent, confidence)
        _compare(made, held)


def _compare(made: Consensus, held: list[dict[str, tuple[int, float]]]) -> None:
    words = sorted({word for one in held for word in one})
    c = np.array([[one.get(word, (0, 0.0))[1] for word in words] for one in held])
    per_referent = [
        np.array([[o[w][1] if w in o and o[w][0] == e else 0.0 for w in words] for o in held])
        for e in range(3)
    ]
    assert made.consensus == pytest.approx(sum(map(_cosines, per_referent)) / (3 * 12))
    assert made.cosine == pytest.approx(_cosines(c) / 12)
    norms = np.sqrt((c**2).sum(axis=1)) if words else np.zeros(4)
    assert made.mean_confidence == pytest.approx(norms.sum() / (4 * sqrt(3)), abs=1e-7)
    a = c @ c.T if words else np.zeros((4, 4))
    assert made.agreement == pytest.approx((a.sum() - a.trace()) / (3 * 12), abs=1e-12)
    assert made.vocabulary == len(words)
    homonyms = sum(
        one[word][0] != other[word][0]
        for i, one in enumerate(held)
        for other in held[:i]
        for word in one.keys() & other.keys()
    )
    assert made.homonym_pairs == homonyms


def _cosines(c: np.ndarray) -> float:
    """Sum of the cosines of ordered pairs of rows; 0 where a norm is 0."""
    total = 0.0
    for i, one in enumerate(c):
        for j, other in enumerate(c):
            scale = np.linalg.norm(one) * np.linalg.norm(other)
            total += float(one @ other / scale) if i != j and scale > 0 else 0.0
    return total
