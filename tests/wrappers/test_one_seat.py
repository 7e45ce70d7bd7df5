"""One seat as a Gymnasium environment."""

import copy
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

import babelzoo
from babelzoo.agents import Policy, Turn, resolve, seat
from babelzoo.agents.policy import NoKnobs
from babelzoo.envs import lewis_v0
from babelzoo.envs.core import ConfigError, WorldEnv
from babelzoo.wrappers import OneSeat

ID = "babelzoo/lewis-v0"


def _make(agent: str = "receiver_0", partners: Any = "oracle-compositional", **more: Any) -> Any:
    return gymnasium.make(ID, seat=agent, partners=partners, **more)


@pytest.mark.parametrize("view", ["text", "masked", "flat"])
@pytest.mark.parametrize("agent", ["sender_0", "receiver_0"])
@pytest.mark.parametrize(
    "knobs",
    [{}, {"n_rounds": 3}, {"n_senders": 2, "n_receivers": 3}, {"vocab_size": 26, "noise": 0.1}],
    ids=str,
)
def test_gymnasiums_check(view: str, agent: str, knobs: dict[str, Any]) -> None:
    partners = "oracle-holistic" if "vocab_size" in knobs else "oracle-compositional"
    check_env(_make(agent, partners, view=view, **knobs).unwrapped)


def test_composed_moves() -> None:
    env = _make("sender_0", view="masked", compose=True).unwrapped
    check_env(env)
    observation, _ = env.reset(seed=1)
    assert env.action_space.n == 1 + 3
    assert observation["action_mask"].tolist() == [1, 0, 0, 0]
    for number in (0, 1, 2):
        observation, reward, terminated, truncated, _ = env.step(number)
        assert (reward, terminated, truncated) == (0.0, False, False)
        assert env.action_masks().tolist() == [False, True, True, True]
    env.step(3)
    assert env.env.world.round == 1
    assert env.env.world.last.sent == "ABC"


def test_numbers_cover_the_seats_own_role() -> None:
    assert _make().action_space == gymnasium.spaces.Discrete(4)
    assert _make(n_candidates=6).action_space.n == 6
    assert _make("sender_0").action_space.n == 27


def test_a_perfect_partner_makes_a_perfect_game() -> None:
    env = _make("receiver_0", view="text", n_rounds=30)
    player = resolve("oracle-compositional", "lewis")
    player.reset("receiver_0", "", 1)
    observation, info = env.reset(seed=4)
    assert type(observation) is str
    assert info["legal_actions"] == ("choose(candidate: 1 | 2 | 3 | 4)",)
    total, steps, over = 0.0, 0, False
    while not over:
        view = env.unwrapped.env.view("receiver_0")
        move = player.act(Turn("receiver_0", "receiver", view, 0.0, {}))
        observation, reward, terminated, truncated, info = env.step(str(move.candidate))
        total, steps, over = total + reward, steps + 1, terminated or truncated
    assert (total, steps, truncated, terminated) == (30.0, 30, True, False)
    assert observation.endswith("The game is over.")
    with pytest.raises(ResetNeeded):
        env.unwrapped.step("1")


def test_refusals_are_told() -> None:
    env = _make("receiver_0", view="text")
    env.reset(seed=1)
    _, reward, _, _, info = env.step("nonsense")
    assert (reward, info["rejected"][:9]) == (0.0, "expected ")
    _, _, _, _, info = env.step("1")
    assert "rejected" not in info


def test_seeds_and_streams() -> None:
    env, other = _make(view="text"), _make(view="text")
    with pytest.raises(ResetNeeded):
        env.unwrapped.step("1")
    first = [env.reset(seed=3)[0], env.reset()[0], env.reset()[0]]
    assert len({text.partition("Candidates")[2] for text in first}) == 3
    assert [other.reset(seed=3)[0], other.reset()[0], other.reset()[0]] == first


class Watcher(Policy[NoKnobs]):
    """Remembers what it was told, and always says the same."""

    def __init__(self) -> None:
        super().__init__(NoKnobs())
        self.told: list[tuple[str, float]] = []

    def reset(self, agent: str, rules: str, seed: int) -> None:
        self.told.append((f"reset {agent} {rules[:30]}", float(seed >= 0)))

    def act(self, turn: Turn) -> str:
        self.told.append(("act", turn.reward))
        return "AAA" if turn.role == "sender" else "1"

    def end(self, turn: Turn) -> None:
        self.told.append((f"end {turn.agent}", turn.reward))


def test_partners_are_reset_and_told_the_end() -> None:
    watcher, late = Watcher(), Watcher()
    env = _make("receiver_0", {"sender": watcher, "receiver_1": late}, n_rounds=6, n_receivers=2)
    env.reset(seed=1)
    for _ in range(2):
        over = False
        while not over:
            _, _, terminated, over, _ = env.step(0)
        assert not terminated
        ends = [name for name, _ in watcher.told if name.startswith("end")]
        assert ends == ["end sender_0"]
        assert watcher.told[0] == ("reset sender_0 You play a signaling game as t", 1.0)
        assert late.told[-1][0] == "end receiver_1"
        watcher.told.clear()
        env.reset()


def test_a_seat_that_is_never_drawn() -> None:
    env = _make("receiver_0", n_rounds=1, n_receivers=40)
    observation, _ = env.reset(seed=1)
    assert env.observation_space.contains(observation)
    _, reward, terminated, truncated, info = env.step(0)
    assert (reward, terminated, truncated) == (0.0, False, True)
    assert info["action_mask"].all()


@pytest.mark.parametrize("mode", ["ansi", "rgb_array"])
def test_render_passes_through(mode: str) -> None:
    env = _make(render_mode=mode).unwrapped
    env.reset(seed=1)
    drawn = env.render()
    assert drawn.startswith("Round 1") if mode == "ansi" else drawn.dtype == np.uint8
    assert env.render_mode == mode
    env.close()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({}, "expected seat to be one of sender_0, receiver_0, actual None."),
        ({"seat": "x"}, "expected seat to be one of sender_0, receiver_0, actual 'x'."),
        ({"seat": "sender_0"}, "expected partners for receiver_0, actual none"),
        ({"seat": "sender_0", "partners": "nobody"}, "there is no policy 'nobody'"),
        ({"seat": "sender_0", "partners": {"sender": "random"}}, "policy for 'sender': expected"),
        ({"seat": "sender_0", "partners": {}}, "expected a policy for receiver_0, actual none"),
        ({"seat": "sender_0", "partners": "random", "view": "x"}, "expected view to be one of"),
        ({"seat": "sender_0", "partners": "random", "size": 3}, "has no knob 'size'"),
    ],
)
def test_wrong_arguments(arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        gymnasium.make(ID, **arguments)
    assert said in str(caught.value)


def test_the_class_checks_its_arguments() -> None:
    game = babelzoo.find_game("lewis")
    with pytest.raises(ConfigError, match="expected seat to be one of"):
        OneSeat(WorldEnv(game), "nobody", {})
    with pytest.raises(ConfigError, match="expected a partner for receiver_0"):
        OneSeat(WorldEnv(game), "sender_0", {})
    env = _make(view="text").unwrapped
    env.reset(seed=1)
    with pytest.raises(ConfigError, match="for a mask"):
        env.action_masks()


def test_one_policy_object_plays_one_seat() -> None:
    policy = resolve("random")
    with pytest.raises(ConfigError, match="a policy of its own for receiver_1"):
        seat({"*": policy}, ["receiver_0", "receiver_1"], "lewis")
    seats = seat(
        {"receiver": "random", "*_0": "silent", "receiver_0": "oracle-k"},
        ["sender_0", "receiver_0", "receiver_1"],
        "lewis",
    )
    assert [type(p).__name__ for p in seats.values()] == ["Silent", "OracleK", "RandomLegal"]


def test_copies() -> None:
    env = _make("receiver_0", "q-learning").unwrapped
    env.reset(seed=1)
    env.step(1)
    other = copy.deepcopy(env)
    for number in (0, 1, 2, 3, 1, 2):
        a, b = env.step(number), other.step(number)
        assert np.array_equal(a[0], b[0])
        assert a[1:4] == b[1:4]


def test_raw_environment_is_not_wrapped() -> None:
    assert isinstance(_make().unwrapped.env, WorldEnv)
    assert lewis_v0.raw_env().unwrapped.game.id == "lewis-v0"
