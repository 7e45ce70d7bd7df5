"""PettingZoo's module idiom: `from babelzoo.envs import lewis_v0; lewis_v0.env()`."""

from babelzoo.envs.lewis import env, parallel_env, raw_env

__all__ = ["env", "parallel_env", "raw_env"]
