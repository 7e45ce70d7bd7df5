"""A refused move costs the round, says why to its sender alone, and carries nothing across."""

from typing import Any

import msgspec
import pytest

from babelzoo.envs import lewis_v0
from babelzoo.envs.core import Invalid, Rejected, Wait, configure
from babelzoo.envs.lewis import Choose, Feedback, LewisConfig, LewisWorld, RoundEnded, Signal

ABA = Signal(("A", "B", "A"))
NO_MESSAGES: dict[str, Any] = {
    "too short": Signal(("A", "B")),
    "too long": Signal(("A", "B", "A", "B")),
    "empty": Signal(()),
    "wrong token": Signal(("A", "B", "D")),
    "lower case": Signal(("a", "b", "a")),
    "two tokens in one": Signal(("AB", "A", "A")),
    "wrong kind": Choose(1),
    "wait": Wait(),
    "no move": Invalid("expected text, actual NoneType."),
}
NO_CHOICES: dict[str, Any] = {
    "zero": Choose(0),
    "too large": Choose(5),
    "negative": Choose(-1),
    "wrong kind": ABA,
    "wait": Wait(),
    "no move": Invalid("expected text, actual NoneType."),
}
TELLING = [("full", False, True), ("outcome", False, False), ("none", None, False)]

each_no_message = pytest.mark.parametrize("move", NO_MESSAGES.values(), ids=NO_MESSAGES)
each_no_choice = pytest.mark.parametrize("move", NO_CHOICES.values(), ids=NO_CHOICES)
each_telling = pytest.mark.parametrize(("feedback", "failed", "shown"), TELLING)


def _world(seed: int = 0, **knobs: Any) -> LewisWorld:
    world = LewisWorld(configure(LewisConfig, knobs, "lewis-v0"))
    world.reset(seed)
    return world


@each_no_message
@each_telling
def test_a_refused_message_ends_the_round(
    move: Any, feedback: str, failed: bool | None, shown: bool
) -> None:
    world = _world(seed=5, feedback=feedback, public_board=True)
    target = world.target
    outcome = world.apply("sender_0", move)
    reason = outcome.rejected
    assert reason.startswith("expected ") and reason.endswith(".")
    assert outcome.rewards == {}  # nobody is paid
    assert outcome.boundary
    rejected, ended = outcome.events
    assert rejected == Rejected("sender_0", reason)
    assert isinstance(ended, RoundEnded)
    assert (ended.sent, ended.heard, ended.choice, ended.success) == (None, None, None, False)
    assert world.ready() == ("sender_0",)  # the receiver is not asked
    sender, receiver = world.view("sender_0"), world.view("receiver_0")
    assert receiver.feedback == Feedback(1, None, None, failed, None, "")
    assert sender.feedback == Feedback(1, None, None, failed, target if shown else None, reason)
    assert (sender.round, receiver.round) == (2, 2)
    assert sender.board == receiver.board == ()


def test_the_receiver_cannot_tell_one_refused_message_from_another() -> None:
    seen, reasons = set(), set()
    for move in NO_MESSAGES.values():
        world = _world(seed=6)
        reasons.add(world.apply("sender_0", move).rejected)
        seen.add(msgspec.json.encode(world.view("receiver_0")))
    assert len(seen) == 1
    assert len(reasons) > 5


@each_no_choice
@each_telling
def test_a_refused_choice_fails_the_round(
    move: Any, feedback: str, failed: bool | None, shown: bool
) -> None:
    world = _world(seed=7, feedback=feedback, public_board=True)
    target = world.target if shown else None
    world.apply("sender_0", ABA)
    outcome = world.apply("receiver_0", move)
    reason = outcome.rejected
    assert reason.startswith("expected ") and reason.endswith(".")
    assert outcome.rewards == {}  # nobody is paid
    rejected, ended = outcome.events
    assert rejected == Rejected("receiver_0", reason)
    assert isinstance(ended, RoundEnded)
    assert (ended.sent, ended.heard, ended.choice, ended.success) == ("ABA", "ABA", None, False)
    assert world.view("sender_0").feedback == Feedback(1, "ABA", None, failed, target, "")
    assert world.view("receiver_0").feedback == Feedback(1, "ABA", None, failed, target, reason)
    assert world.view("sender_0").board == ()


@pytest.mark.parametrize("action", [None, "", "ABAB", "2", {"tokens": "ABA"}, 7])
def test_a_bad_message_costs_the_round_in_the_environment_too(action: Any) -> None:
    env = lewis_v0.env()
    env.reset(seed=8)
    env.step(action)
    assert env.agent_selection == "sender_0"
    assert env.observe("receiver_0").startswith("Round 2 of 200.")
    assert "Last round you played: round 1, no message came. Failure.\n" in env.observe(
        "receiver_0"
    )
    assert "Last round you played: round 1, your message was refused: " in env.observe("sender_0")
    assert "rejected" in env.infos["sender_0"] and "rejected" not in env.infos["receiver_0"]
    assert env.infos["sender_0"]["rejected"] not in env.observe("receiver_0")


def test_a_bad_choice_costs_the_round_in_the_environment_too() -> None:
    env = lewis_v0.env()
    env.reset(seed=9)
    env.step("ABA")
    env.step("5")
    assert "Last round you played: round 1, your choice was refused: " in env.observe("receiver_0")
    assert "Last round you played: round 1, you sent ABA. Failure." in env.observe("sender_0")
    assert "rejected" in env.infos["receiver_0"] and "rejected" not in env.infos["sender_0"]
