"""The rules of Lewis signaling by worked examples, knob by knob."""

from typing import Any

import pytest

from babelzoo.envs import lewis_v0
from babelzoo.envs.core import Rejected
from babelzoo.envs.lewis import LewisConfig, LewisWorld, RoundEnded


def _env(**knobs: Any) -> Any:
    env = lewis_v0.raw_env(**knobs)
    env.reset(seed=7)
    return env


def _number(env: Any, right: bool = True) -> str:
    """The receiver's number for the target, or for another candidate."""
    order, target = env.world.receiver_candidates, env.world.target
    return str(next(n for n, c in enumerate(order, 1) if (c == target) is right))


def _round(env: Any, message: str = "ABA", right: bool = True) -> Any:
    env.step(message)
    env.step(_number(env, right))
    return env.outcome


def _line(env: Any, agent: str) -> str:
    found = [row for row in env.observe(agent).splitlines() if row.startswith("Last round")]
    return found[0].removeprefix("Last round you played: ")


def test_a_won_round() -> None:
    env = _env()
    world = env.world
    candidates, target = world.candidates, world.target
    assert env.agent_selection == "sender_0"
    env.step("ABC")
    assert env.outcome.events == ()
    assert not env.outcome.boundary
    assert env.agent_selection == "receiver_0"
    env.step(_number(env))
    assert env.outcome.events == (
        RoundEnded(1, "sender_0", "receiver_0", candidates, target, "ABC", "ABC", target, True),
    )
    assert env.outcome.boundary
    assert env.rewards == {"sender_0": 1.0, "receiver_0": 1.0}
    name = world.pool.names[target]
    assert _line(env, "sender_0") == f"round 1, you sent ABC. Success. The target was {name}."
    assert _line(env, "receiver_0") == (
        f"round 1, you heard ABC and chose {name}. Success. The target was {name}."
    )


def test_a_lost_round() -> None:
    env = _env()
    target = env.world.target
    outcome = _round(env, right=False)
    assert outcome.events[-1].success is False
    assert env.rewards == {"sender_0": 0.0, "receiver_0": 0.0}
    assert "Failure. The target was " + env.world.pool.names[target] in _line(env, "receiver_0")


def test_an_invalid_message_ends_the_round() -> None:
    env = _env()
    target = env.world.pool.names[env.world.target]
    env.step("AB")
    reason = "expected tokens: 3 of A B C, actual A B."
    refused, ended = env.outcome.events
    assert refused == Rejected("sender_0", reason)
    assert (ended.sent, ended.heard, ended.choice, ended.success) == (None, None, None, False)
    assert env.world.round == 1
    assert env.agent_selection == "sender_0"  # the receiver is not asked
    assert env.infos["sender_0"]["rejected"] == reason
    assert _line(env, "sender_0") == (
        f'round 1, your message was refused: "{reason}". Failure. The target was {target}.'
    )
    assert _line(env, "receiver_0") == "round 1, no message came. Failure."
    assert "rejected" not in env.infos["receiver_0"]
    env.step("ABA")
    assert "rejected" not in env.infos["sender_0"]


def test_an_invalid_message_is_no_channel() -> None:
    seen = []
    for action in ("AB", "AAAA", "ZZZ", "hello receiver", '{"action":"wait"}', "2", None):
        env = _env()
        env.step(action)
        env.step("ABA")
        seen.append((env.observe("receiver_0"), env.infos["receiver_0"]))
    assert all(each == seen[0] for each in seen)


def test_an_invalid_choice_fails_the_round() -> None:
    for action in ("0", "5", "ABA", "x", None):
        env = _env()
        env.step("ABA")
        env.step(action)
        assert env.outcome.events[-1].success is False
        assert env.outcome.events[-1].sent == "ABA"
        assert 'your choice was refused: "expected ' in _line(env, "receiver_0")
        assert "you sent ABA. Failure." in _line(env, "sender_0")
        assert env.world.round == 1


@pytest.mark.parametrize(
    ("feedback", "expected"),
    [
        ("full", "round 1, you sent ABA. Success. The target was {target}."),
        ("outcome", "round 1, you sent ABA. Success."),
        ("none", "round 1, you sent ABA."),
    ],
)
def test_feedback(feedback: str, expected: str) -> None:
    env = _env(feedback=feedback)
    target = env.world.pool.names[env.world.target]
    _round(env)
    assert _line(env, "sender_0") == expected.format(target=target)
    told = env.view("receiver_0").feedback
    assert (told.success is None) is (feedback == "none")
    assert (told.target is None) is (feedback != "full")
    env.step("?")
    assert _line(env, "receiver_0").startswith("round 2, no message came.")
    assert ("Failure" in _line(env, "receiver_0")) is (feedback != "none")


def test_candidates_targets_and_turns() -> None:
    env = _env(n_candidates=5)
    for _ in range(100):
        sender, receiver = env.view("sender_0"), env.view("receiver_0")
        assert len(set(sender.candidates)) == 5
        assert set(sender.candidates) == set(receiver.candidates)
        assert sender.target in sender.candidates
        assert (receiver.target, receiver.message) == (None, None)
        assert [form.action for form in receiver.legal] == ["wait"]
        _round(env)


def test_candidate_order() -> None:
    shared = _env(candidate_order="shared")
    own = _env()
    differ = 0
    for _ in range(50):
        assert shared.world.candidates == shared.world.receiver_candidates == own.world.candidates
        assert shared.world.target == own.world.target
        differ += own.world.candidates != own.world.receiver_candidates
        _round(shared)
        _round(own)
    assert differ > 40


def test_sender_sees_the_target_alone() -> None:
    env = _env(sender_sees="target")
    view = env.view("sender_0")
    assert view.candidates == ()
    assert view.target == env.world.target
    name = env.world.pool.names[view.target]
    assert env.observe("sender_0").endswith(f"\nTarget: {name}")
    assert "Candidates:" not in env.observe("sender_0")
    assert "Candidates:\n1. " in env.observe("receiver_0")


def test_vocabulary_and_length() -> None:
    env = _env(vocab_size=26, message_length=2)
    env.step("ZA")
    assert env.world.sent == "ZA"
    env.step("1")
    env.step("Z")
    assert env.world.sent is None
    assert env.outcome.rejected.startswith("expected tokens: 2 of A B C")


def test_features_make_the_pool() -> None:
    world = LewisWorld(LewisConfig(features={"a": ("x", "y"), "b": ("p", "q", "r")}))
    assert world.pool.names == ["x p", "x q", "x r", "y p", "y q", "y r"]
    assert world.pool.codes.tolist() == [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]]


def test_the_end() -> None:
    env = _env(n_rounds=2)
    _round(env)
    _round(env, right=False)
    assert env.outcome.ended == {"sender_0": "truncated", "receiver_0": "truncated"}
    assert env.truncations == {"sender_0": True, "receiver_0": True}
    observation, reward, terminated, truncated, _ = env.last()
    assert observation.startswith("Round 2 of 2. You are sender_0.")
    assert observation.endswith("The game is over.")
    assert (reward, terminated, truncated) == (0.0, False, True)
    env.step(None)
    env.step(None)
    assert env.agents == []
    with pytest.raises(ValueError, match="expected a move of"):
        env.world.apply("sender_0", Rejected("x", "y"))


def test_populations_draw_a_pair_each_round() -> None:
    env = _env(n_senders=3, n_receivers=2, n_rounds=300)
    pairs = set()
    while not env.world.over:
        sender, receiver = env.world.sender, env.world.receiver
        pairs.add((sender, receiver))
        idle = set(env.agents) - {sender, receiver}
        for agent in idle:
            assert env.observe(agent).endswith("You sit this round out.")
            assert not env.view(agent).playing
        env.step("ABA")
        assert env.agent_selection == receiver
        env.step("1")
        paid = {sender, receiver} if env.world.last.success else set()
        assert set(env.outcome.rewards) == paid
    assert len(pairs) == 6
    assert list(env.agents) == ["sender_0", "sender_1", "sender_2", "receiver_0", "receiver_1"]


def test_ansi() -> None:
    env = lewis_v0.raw_env(render_mode="ansi", n_rounds=1)
    env.reset(seed=7)
    assert env.render().startswith("Round 1 of 1\ncandidates: ")
    env.step("A")
    assert "-> (refused) -> nothing: failure\nThe game is over." in env.render()
