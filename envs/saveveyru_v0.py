"""PettingZoo's module idiom: `from babelzoo.envs import saveveyru_v0; saveveyru_v0.env()`."""

from babelzoo.envs.saveveyru import env, parallel_env, raw_env

__all__ = ["env", "parallel_env", "raw_env"]
