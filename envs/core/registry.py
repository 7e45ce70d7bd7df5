"""Which games there are, and how an environment is made from a game's id."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import pettingzoo

from babelzoo.envs.core.aec import OrderEnforcing, WorldEnv
from babelzoo.envs.core.config import nearest
from babelzoo.envs.core.errors import ConfigError
from babelzoo.envs.core.game import Game
from babelzoo.envs.core.parallel import WorldParallelEnv

__all__ = ["factories", "find_game", "game_ids", "make", "make_parallel", "register"]

_GAMES: dict[str, str] = {}


def register(game_id: str, module: str) -> None:
    """Make a game known by its id, to BabelZoo and to PettingZoo.

    Args:
        game_id: Name and version, such as `lewis-v0`.
        module: Import name of a module with `GAME`, `env` and `parallel_env`; it is imported
            only when the game is used.
    """
    _GAMES[game_id] = module
    pettingzoo.register("aec", f"babelzoo/{game_id}", f"{module}:env")
    pettingzoo.register("parallel", f"babelzoo/{game_id}", f"{module}:parallel_env")


def game_ids() -> tuple[str, ...]:
    """The ids of all games."""
    return tuple(_GAMES)


def find_game(game_id: str) -> Game:
    """The game of an id; `lewis_v0`, `babelzoo/lewis-v0` and `lewis` (newest) are accepted too.

    Raises:
        ConfigError: There is no such game (the nearest one is named).
    """
    name = game_id.removeprefix("babelzoo/").replace("_v", "-v")
    if name not in _GAMES:
        versions = [known for known in _GAMES if known.rpartition("-v")[0] == name]
        if not versions:
            raise ConfigError(f"there is no environment {game_id!r}: {nearest(name, _GAMES)}")
        name = max(versions, key=lambda known: int(known.rpartition("-v")[2]))
    game: Game = import_module(_GAMES[name]).GAME
    return game


def make(game_id: str, **arguments: Any) -> OrderEnforcing:
    """An AEC environment with order enforcement.

    Args:
        game_id: Such as `lewis-v0`.
        **arguments: `view` (`text`, `masked`, `flat`), `render_mode`, `compose`, `preset`,
            `max_cycles` and the game's knobs.

    Raises:
        ConfigError: An argument is not what it should be.
    """
    return OrderEnforcing(WorldEnv(find_game(game_id), **arguments))


def make_parallel(game_id: str, **arguments: Any) -> WorldParallelEnv:
    """A native parallel environment; arguments as for `make`."""
    return WorldParallelEnv(find_game(game_id), **arguments)


def factories(
    game: Game,
) -> tuple[Callable[..., WorldEnv], Callable[..., OrderEnforcing], Callable[..., WorldParallelEnv]]:
    """PettingZoo's module idiom for a game: `raw_env`, `env` and `parallel_env`."""

    def raw_env(**arguments: Any) -> WorldEnv:
        """The AEC environment without order enforcement, for training."""
        return WorldEnv(game, **arguments)

    def env(**arguments: Any) -> OrderEnforcing:
        """The AEC environment."""
        return OrderEnforcing(WorldEnv(game, **arguments))

    def parallel_env(**arguments: Any) -> WorldParallelEnv:
        """The parallel environment."""
        return WorldParallelEnv(game, **arguments)

    return raw_env, env, parallel_env
