"""Learning libraries train on the learners' views as they are."""

import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest

import babelzoo  # noqa: F401
from babelzoo.envs import lewis_v0

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]


def _ppo(env: Any, policy: str = "MlpPolicy", **more: Any) -> Any:
    torch = pytest.importorskip("torch")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        sb3 = pytest.importorskip("stable_baselines3")
    torch.set_num_threads(1)  # small networks: more threads only wait for each other
    torch.manual_seed(1)
    return sb3.PPO(policy, env, device="cpu", **more)


def test_ppo_learns_a_seat() -> None:
    def make() -> Any:
        return gymnasium.make(
            "babelzoo/lewis-v0", seat="receiver_0", partners="oracle-compositional", view="flat"
        )

    settings = {
        "n_steps": 1000,
        "batch_size": 250,
        "n_epochs": 5,
        "learning_rate": 2e-3,
        "gamma": 0.0,
    }
    model = _ppo(make(), seed=1, **settings)
    model.learn(20_000)
    env = make()
    observation, _ = env.reset(seed=5)
    rewards, over = [], False
    while not over:
        action, _ = model.predict(observation, deterministic=True)
        observation, reward, _, over, _ = env.step(action)
        rewards.append(reward)
    assert np.mean(rewards) > 0.5  # chance is 0.25


@pytest.mark.parametrize(
    ("view", "policy"), [("masked", "MultiInputPolicy"), ("flat", "MlpPolicy")]
)
def test_supersuit_vectors(view: str, policy: str) -> None:
    supersuit = pytest.importorskip("supersuit")
    env = supersuit.pettingzoo_env_to_vec_env_v1(lewis_v0.parallel_env(view=view, n_rounds=20))
    # SuperSuit's vectors can't be seeded through SB3: their ConcatVecEnv has no seed()
    env = supersuit.concat_vec_envs_v1(env, 2, num_cpus=1, base_class="stable_baselines3")
    _ppo(env, policy, n_steps=250, batch_size=100, n_epochs=2).learn(2000)
    env.close()
