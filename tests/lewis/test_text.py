"""The words: headings in a fixed order, and every way to write a move."""

import re
from typing import Any

import pytest

from babelzoo.envs import lewis_v0

HEADINGS = ("Round ", "Task: ", "Vocabulary: ", "Last round you played: ", "Public board:")


def _after_rounds(rounds: int, **knobs: Any) -> Any:
    """An environment in which `rounds` rounds were won with ABA, ABB, … ."""
    env = lewis_v0.raw_env(**knobs)
    env.reset(seed=3)
    for number in range(rounds):
        env.step("AB" + "ABC"[number % 3])
        env.step(str(1 + env.world.receiver_candidates.index(env.world.target)))
    return env


def _names(env: Any, objects: tuple[int, ...]) -> list[str]:
    return [env.world.pool.names[c] for c in objects]


def test_the_senders_observation_in_full() -> None:
    env = _after_rounds(0, n_rounds=5)
    names = _names(env, env.world.candidates)
    target = _names(env, (env.world.target,))[0]
    assert env.observe("sender_0") == (
        "Round 1 of 5. You are sender_0.\n"
        "Task: send a message from which the receiver can tell the target.\n"
        "Vocabulary: A B C; a message has exactly 3 tokens.\n"
        "Last round you played: none yet.\n"
        "Candidates:\n"
        f"1. {names[0]}\n2. {names[1]}\n3. {names[2]}\n4. {names[3]}\n"
        f"Target: {target} (candidate {1 + names.index(target)})"
    )


def test_the_receivers_observation_in_full() -> None:
    env = _after_rounds(1, public_board=True)
    last = env.world.last
    env.step("CCC")
    names, (won,) = _names(env, env.world.receiver_candidates), _names(env, (last.target,))
    assert env.observe("receiver_0") == (
        "Round 2 of 200. You are receiver_0.\n"
        "Task: choose the candidate that the sender's message means.\n"
        "Vocabulary: A B C; a message has exactly 3 tokens.\n"
        f"Last round you played: round 1, you heard ABA and chose {won}. Success. "
        f"The target was {won}.\n"
        f"Public board:\nABA: {won}, 1 won\n"
        "Candidates:\n"
        f"1. {names[0]}\n2. {names[1]}\n3. {names[2]}\n4. {names[3]}\n"
        "Message: CCC"
    )


@pytest.mark.parametrize("rounds", [0, 1, 7])
@pytest.mark.parametrize(
    "knobs",
    [
        {},
        {"public_board": True},
        {"sender_sees": "target"},
        {"feedback": "none", "noise": 0.5},
        {"n_senders": 3, "n_receivers": 3, "public_board": True},
    ],
    ids=repr,
)
def test_headings_come_in_one_order(knobs: dict[str, Any], rounds: int) -> None:
    env = _after_rounds(rounds, **knobs)
    for phase in range(2):
        for agent in env.possible_agents:
            text = str(env.observe(agent))
            view = env.view(agent)
            expected = list(HEADINGS if env.config.public_board else HEADINGS[:-1])
            if not view.playing:
                expected.append("You sit this round out.")
            elif view.role == "receiver":
                expected += ["Candidates:", "Message: "]
            else:
                expected += ["Candidates:"] * bool(view.candidates) + ["Target: "]
                expected += ["Your message: "] * phase
            lines = [line for line in text.split("\n") if not re.match(r"\d+\. |[ABC]{3}: ", line)]
            assert len(lines) == len(expected), text
            assert all(line.startswith(h) for line, h in zip(lines, expected, strict=True)), text
            numbers = re.findall(r"^(\d+)\. ", text, re.MULTILINE)
            assert numbers == [str(1 + i) for i in range(len(view.candidates))]
        if not phase:
            env.step("ABC")


def test_feedback_carries_the_number_of_the_last_round_played() -> None:
    env = _after_rounds(40, n_senders=3)
    numbers = {
        agent: int(re.findall(r"^Last round you played: round (\d+),", text, re.MULTILINE)[0])
        for agent in env.possible_agents
        if (text := str(env.observe(agent)))
    }
    assert numbers == {agent: env.view(agent).feedback.round for agent in env.possible_agents}
    assert numbers["receiver_0"] == 40
    assert min(numbers.values()) < 40


def test_noise_is_seen_from_both_ends() -> None:
    env = lewis_v0.env(noise=1.0, vocab_size=2)
    env.reset(seed=1)
    env.step("AAB")
    assert "\nYour message: AAB" in env.observe("sender_0")
    assert env.observe("receiver_0").endswith("\nMessage: BBA")
    env.step("1")
    assert "round 1, you sent AAB." in env.observe("sender_0")
    assert "round 1, you heard BBA and chose " in env.observe("receiver_0")


@pytest.mark.parametrize(
    ("feedback", "outcome", "target"),
    [("full", True, True), ("outcome", True, False), ("none", False, False)],
)
def test_text_tells_no_more_than_the_feedback(feedback: str, outcome: bool, target: bool) -> None:
    env = _after_rounds(1, feedback=feedback)
    for agent in env.possible_agents:
        last = re.findall("^Last round.*$", str(env.observe(agent)), re.MULTILINE)[0]
        assert ("Success." in last) == outcome
        assert ("The target was" in last) == target


def test_after_the_end() -> None:
    env = _after_rounds(2, n_rounds=2)
    for agent in ("sender_0", "receiver_0"):
        text = str(env.observe(agent))
        assert text.startswith("Round 2 of 2. You are ")
        assert "Last round you played: round 2, " in text
        assert text.endswith("\nThe game is over.")


@pytest.mark.parametrize(
    "text",
    ["ABA", "A B A", " ABA\n", "A  B A", '{"action":"signal","tokens":["A","B","A"]}'],
)
def test_ways_to_write_a_message(text: str) -> None:
    env = lewis_v0.env()
    env.reset(seed=1)
    env.step(text)
    assert env.unwrapped.world.sent == "ABA"
    assert env.agent_selection == "receiver_0"


@pytest.mark.parametrize("text", ["2", " 2 ", '{"action":"choose","candidate":2}'])
def test_ways_to_write_a_choice(text: str) -> None:
    env = lewis_v0.env()
    env.reset(seed=1)
    env.step("ABA")
    chosen = env.unwrapped.world.receiver_candidates[1]
    env.step(text)
    assert env.unwrapped.world.last.choice == chosen


@pytest.mark.parametrize("text", ["aba", "A,B,A", "AB", "A B", "ABAA", "ABE", "A BA", "signal ABA"])
def test_what_is_no_message(text: str) -> None:
    env = lewis_v0.env()
    env.reset(seed=1)
    env.step(text)
    assert env.unwrapped.outcome.rejected.startswith("expected ")
    assert env.unwrapped.world.round == 1


def test_one_token_messages_are_spelled_like_any_other() -> None:
    env = lewis_v0.env(message_length=1)
    env.reset(seed=1)
    assert "a message has exactly 1 token.\n" in env.observe("sender_0")
    env.step("C")
    assert env.unwrapped.world.sent == "C"


@pytest.mark.parametrize("role", ["sender", "receiver"])
def test_rules_say_what_the_knobs_say(role: str) -> None:
    plain = lewis_v0.raw_env().rules(role)
    knobs: dict[str, tuple[Any, str]] = {
        "n_rounds": (7, "Each of the 7 rounds"),
        "n_candidates": (3, "3 different objects"),
        "vocab_size": (2, "vocabulary: A B."),
        "message_length": (5, "exactly 5 tokens"),
        "noise": (0.25, "probability 0.25"),
        "sender_sees": ("target", "The sender sees the target alone."),
        "candidate_order": ("shared", "in the same order as the sender"),
        "feedback": ("none", "Neither is told"),
        "public_board": (True, "A public board"),
        "n_senders": (2, "There are 2 senders and 1 receivers."),
        "n_receivers": (2, "There are 1 senders and 2 receivers."),
        "features": ({"mood": ("glad", "sad"), "b": ("x", "y")}, "- mood: glad, sad\n"),
    }
    for knob, (value, words) in knobs.items():
        assert words in lewis_v0.raw_env(**{knob: value}).rules(role), knob
        assert words not in plain, knob
