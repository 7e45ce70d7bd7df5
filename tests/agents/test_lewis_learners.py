"""What the learners score, against the figures of independent simulations, and their rules."""

from collections import Counter
from typing import Any

import msgspec
import numpy as np
import pytest
from scipy import stats

from babelzoo.agents import Policy, Turn, resolve, seat
from babelzoo.benchmarks.episode import play
from babelzoo.envs import lewis_v0
from babelzoo.envs.lewis import Choose, Feedback, LewisConfig, LewisView, LewisWorld, RoundEnded

CHANNELS = {8: (2, 3), 25: (5, 2), 64: (4, 3), 125: (5, 3)}  # capacity: |V|, L
RUNS = 300
TINY = {"features": {"a": ("x", "y")}, "n_candidates": 2, "vocab_size": 2, "message_length": 1}


def _late(name: str, runs: int, **knobs: Any) -> np.ndarray:
    """Accuracy in rounds 151-200 of each run."""
    env = lewis_v0.raw_env(**knobs)
    accuracies = []
    for seed in range(runs):
        players = seat({"*": name}, env.possible_agents, "lewis")
        events, _ = play(env, players, seed, 10_000 + seed)
        won = [event.success for event in events if isinstance(event, RoundEnded)]
        accuracies.append(np.mean(won[150:200]))
    return np.array(accuracies)


def _check(name: str, capacity: int, expected: float, margin: float) -> None:
    vocab_size, length = CHANNELS[capacity]
    late = _late(name, RUNS, vocab_size=vocab_size, message_length=length)
    error = late.std(ddof=1) / RUNS**0.5
    assert error < margin / 2
    assert abs(late.mean() - expected) <= margin, (
        f"seeds 0 to {RUNS - 1}: {late.mean():.3f} (s.e. {error:.3f}), expected {expected}"
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "capacity", "expected"),
    [
        ("q-learning", 8, 0.76),
        ("q-learning", 25, 0.83),
        ("roth-erev", 8, 0.77),
        ("roth-erev", 25, 0.76),
        *(("window-bayes", c, x) for c, x in ((8, 0.80), (25, 0.64), (64, 0.45), (125, 0.37))),
        *(("notebook-bayes", c, x) for c, x in ((8, 0.97), (25, 0.99), (64, 0.95), (125, 0.84))),
    ],
)
def test_learners_meet_their_figures(name: str, capacity: int, expected: float) -> None:
    _check(name, capacity, expected, 0.03)


@pytest.mark.slow
@pytest.mark.parametrize("capacity", [8, 25, 64])
def test_window_greedy_meets_its_closed_form(capacity: int) -> None:
    _check("window-greedy", capacity, 1 - 3 / 4 * (7 / 8) ** 20, 0.02)


def _view(role: str, **changes: Any) -> LewisView:
    """A View of a tiny game: two objects, both candidates, messages A and B."""
    world = LewisWorld(LewisConfig(**TINY))
    world.reset(0)
    view = msgspec.structs.replace(world.view(f"{role}_0"), candidates=(0, 1))
    return msgspec.structs.replace(view, **changes)


def _act(policy: Policy[Any], view: LewisView, reward: float = 0.0) -> str | int:
    """What the policy sends, or the object that it chooses."""
    move = policy.act(Turn(view.agent, view.role, view, reward, {}))
    return view.candidates[move.candidate - 1] if isinstance(move, Choose) else move.tokens[0]


def _fresh(name: str, role: str, seed: int = 0) -> Policy[Any]:
    policy = resolve(name, "lewis")
    policy.reset(f"{role}_0", "", seed)
    return policy


def _posterior(history: list[tuple[int, str]], target: int, n_objects: int) -> dict[str, Any]:
    """By message, the two parameters of the belief that it will be understood as `target`."""
    pairs, said = Counter(history), Counter(message for _, message in history)
    return {
        m: (1 / n_objects + pairs[target, m], 1 - 1 / n_objects + said[m] - pairs[target, m])
        for m in "AB"
    }


HISTORY = [(0, "A"), (0, "A"), (1, "A"), (1, "B"), (0, "B"), (0, "B"), (1, "A"), (0, "B")]


def _remembering(name: str, role: str, last: list[tuple[int, str]], seed: int = 0) -> Policy[Any]:
    """A policy that has been told of rounds of these targets and messages."""
    policy = _fresh(name, role, seed)
    own = {"target": 0} if role == "sender" else {"message": "A"}
    for number, (target, message) in enumerate(last, 1):
        told = Feedback(number, message, 0 if role == "receiver" else None, False, target)
        _act(policy, _view(role, feedback=told, **own))
    return policy


@pytest.mark.parametrize(
    ("name", "memory"), [("notebook", 8), ("window", 8), ("window", 3), ("window", 5)]
)
@pytest.mark.parametrize("target", [0, 1])
def test_counting_senders_by_hand(name: str, memory: int, target: int) -> None:
    knobs = f"?m={memory}" if name == "window" else ""
    beliefs = _posterior(HISTORY[-memory:], target, 2)
    view = _view("sender", target=target)
    means = {m: a / (a + b) for m, (a, b) in beliefs.items()}
    assert means["A"] != means["B"]
    greedy = _remembering(f"{name}-greedy{knobs}", "sender", HISTORY)
    assert {_act(greedy, view) for _ in range(20)} == {max(means, key=means.__getitem__)}
    draws, seed = 4000, 7
    bayes = _remembering(f"{name}-bayes{knobs}", "sender", HISTORY, seed)
    sent = sum(_act(bayes, view) == "A" for _ in range(draws))
    rng = np.random.default_rng(1)
    share = float(np.mean(rng.beta(*beliefs["A"], 10**6) > rng.beta(*beliefs["B"], 10**6)))
    assert stats.binomtest(sent, draws, share).pvalue > 1e-4, f"seed {seed}: {sent}, {share}"


def test_the_posterior_by_hand() -> None:
    """Of A: 2 of 4 uses meant object 0; of B: 3 of 4. Prior 1/2 and 1/2."""
    assert _posterior(HISTORY, 0, 2) == {"A": (2.5, 2.5), "B": (3.5, 1.5)}
    assert _posterior(HISTORY[-3:], 1, 2) == {"A": (1.5, 0.5), "B": (0.5, 2.5)}


@pytest.mark.parametrize("name", ["notebook-bayes", "window-bayes?m=8", "window-greedy?m=8"])
def test_counting_receivers_by_hand(name: str) -> None:
    policy = _remembering(name, "receiver", HISTORY)
    assert {_act(policy, _view("receiver", message="B")) for _ in range(50)} == {0}
    tied = [_act(policy, _view("receiver", message="A")) for _ in range(400)]
    assert stats.binomtest(sum(tied), 400, 0.5).pvalue > 1e-4  # 2 against 2: at random
    policy = _remembering(name, "receiver", [*HISTORY, (1, "A")])
    assert {_act(policy, _view("receiver", message="A")) for _ in range(50)} == {1}


def test_a_window_forgets_its_oldest_round() -> None:
    history = [(0, "A"), (1, "A")]
    for m, expected in ((1, {1}), (2, {0, 1})):
        policy = _remembering(f"window-bayes?m={m}", "receiver", history)
        assert {_act(policy, _view("receiver", message="A")) for _ in range(50)} == expected


def test_a_round_is_counted_once() -> None:
    policy = _remembering("notebook-bayes", "receiver", [(0, "A")])
    told = Feedback(1, "A", 0, False, 0)
    for _ in range(5):  # sitting out, a player is shown the same feedback again
        _act(policy, _view("receiver", message="A", feedback=told))
    for number in (2, 3):
        newer = Feedback(number, "A", 1, True, 1)
        _act(policy, _view("receiver", message="A", feedback=newer))
    assert {_act(policy, _view("receiver", message="A")) for _ in range(50)} == {1}


@pytest.mark.parametrize("role", ["sender", "receiver"])
def test_roth_erev_by_hand(role: str) -> None:
    """Weight 0.1 at the start, 1 more for each success of the pair that was used."""
    own: dict[str, Any] = {"target": 1} if role == "sender" else {"message": "B"}
    options: tuple[Any, ...] = ("A", "B") if role == "sender" else (0, 1)
    seed = 11
    policy = _fresh("roth-erev", role, seed)
    weights = dict.fromkeys(options, 0.1)
    rewards = [1.0, 0.0, 1.0, 1.0, 0.0, 1.0]
    used = _act(policy, _view(role, **own))
    for reward in rewards:
        weights[used] += reward
        used = _act(policy, _view(role, **own), reward)
    draws = 4000
    taken = sum(_act(policy, _view(role, **own), 0.0) == options[0] for _ in range(draws))
    share = weights[options[0]] / sum(weights.values())
    assert stats.binomtest(taken, draws, share).pvalue > 1e-4, f"seed {seed}: {taken}, {share}"
    other: dict[str, Any] = {"target": 0} if role == "sender" else {"message": "A"}
    taken = sum(_act(policy, _view(role, **other), 0.0) == options[0] for _ in range(draws))
    assert stats.binomtest(taken, draws, 0.5).pvalue > 1e-4, f"seed {seed}: {taken}"


def test_q_learning_by_hand() -> None:
    """Q += 0.2 (r - Q); with epsilon 0 the larger is taken."""
    policy = _fresh("q-learning?epsilon=0", "sender", 3)
    view, values = _view("sender", target=0), {"A": 0.0, "B": 0.0}
    used = _act(policy, view)
    for reward in (0.0, 1.0, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0):
        values[used] += 0.2 * (reward - values[used])
        used = _act(policy, view, reward)
        if values["A"] != values["B"]:
            assert used == max(values, key=values.__getitem__)


def test_q_learning_explores_at_its_rate() -> None:
    """With two messages a random one is the best half the time."""
    policy, view, draws = (
        _fresh("q-learning?epsilon=0.4", "sender", 4),
        _view("sender", target=0),
        1000,
    )
    first = _act(policy, view)
    taken = sum(_act(policy, view, float(not number)) == first for number in range(draws))
    assert stats.binomtest(taken, draws, 0.8).pvalue > 1e-4, f"seed 4: {taken}"


@pytest.mark.parametrize("feedback", ["outcome", "none"])
@pytest.mark.parametrize("name", ["q-learning", "roth-erev"])
def test_learners_from_reward_need_no_feedback(name: str, feedback: str) -> None:
    told = _late(name, 20, vocab_size=2)
    untold = _late(name, 20, vocab_size=2, feedback=feedback)
    assert untold.tolist() == told.tolist()
    assert untold.mean() > 0.6, f"seeds 0 to 19: {untold}"


@pytest.mark.parametrize(
    "name", ["window-bayes", "window-greedy", "notebook-bayes", "notebook-greedy"]
)
def test_counting_learners_learn_from_outcomes(name: str) -> None:
    late = _late(name, 20, vocab_size=2, feedback="outcome")
    assert late.mean() > 0.4, f"seeds 0 to 19: {late}"


@pytest.mark.parametrize(
    "name", ["window-bayes", "window-greedy", "notebook-bayes", "notebook-greedy"]
)
def test_counting_learners_that_are_told_nothing_stay_at_chance(name: str) -> None:
    late = _late(name, 40, vocab_size=2, feedback="none")
    error = (0.25 * 0.75 / (50 * 40)) ** 0.5
    assert abs(late.mean() - 0.25) < 4 * error, f"seeds 0 to 39: {late.mean()}"


@pytest.mark.parametrize("choice", [0, 1])
def test_a_receiver_told_the_outcome_counts_its_successes_alone(choice: int) -> None:
    for success, expected in ((True, {choice}), (False, {0, 1}), (None, {0, 1})):
        policy = _fresh("notebook-bayes", "receiver")
        told = Feedback(1, "A", choice, success, None)
        seen = [_act(policy, _view("receiver", message="A", feedback=told)) for _ in range(60)]
        assert set(seen) == expected


def test_refused_rounds_teach_counting_learners_nothing() -> None:
    for target in (None, 1):
        policy = _fresh("notebook-bayes", "receiver")
        told = Feedback(1, None, None, False, target)
        seen = [_act(policy, _view("receiver", message="A", feedback=told)) for _ in range(60)]
        assert set(seen) == {0, 1}


@pytest.mark.parametrize("name", ["q-learning", "roth-erev", "notebook-bayes", "window-bayes"])
def test_learners_cope_with_noise_and_partners_that_send_nonsense(name: str) -> None:
    env = lewis_v0.raw_env(n_rounds=60, noise=0.3, public_board=True)
    for partner in (lambda _: "?", "random"):
        for role, other in (("sender", "receiver"), ("receiver", "sender")):
            players = seat({role: name, other: partner}, env.possible_agents, "lewis")
            events, _ = play(env, players, 5, 6)
            assert sum(isinstance(event, RoundEnded) for event in events) == 60
