"""One seat of a game as a Gymnasium environment, made from names."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import gymnasium

from babelzoo.envs import core
from babelzoo.envs.core import ConfigError, WorldEnv, find_game

if TYPE_CHECKING:
    from babelzoo.agents.seating import PolicySpec
    from babelzoo.wrappers import OneSeat

__all__ = ["make_seat", "register"]


def register(game_id: str, module: str) -> None:
    """Make a game known by its id, to BabelZoo, PettingZoo and Gymnasium.

    Args:
        game_id: Name and version, such as `lewis-v0`.
        module: Import name of a module with `GAME`, `env` and `parallel_env`; it is imported
            only when the game is used.
    """
    core.register(game_id, module)
    gymnasium.register(
        f"babelzoo/{game_id}", "babelzoo._seats:make_seat", kwargs={"game_id": game_id}
    )


def make_seat(
    game_id: str,
    seat: str | None = None,
    partners: "PolicySpec | Mapping[str, PolicySpec] | None" = None,
    view: str = "flat",
    render_mode: str | None = None,
    compose: bool = False,
    **knobs: Any,
) -> "OneSeat":
    """One seat of a game; what `gymnasium.make("babelzoo/lewis-v0", seat=…)` calls.

    Args:
        game_id: The game.
        seat: The agent to be played, such as `receiver_0`.
        partners: Who plays the others: one policy, or policies by agent, role or pattern.
        view: How the seat observes and acts: `text`, `masked` or `flat`.
        render_mode: None, `human`, `rgb_array` or `ansi`.
        compose: Learners' views only: make each move by successive choices.
        **knobs: The game's knobs, also `preset` and `max_cycles`.

    Raises:
        ConfigError: An argument is not what it should be.
    """
    from babelzoo.agents import seat as assign
    from babelzoo.wrappers import OneSeat

    game = find_game(game_id)
    env = WorldEnv(game, render_mode=render_mode, **knobs)
    if seat not in env.possible_agents:
        known = ", ".join(env.possible_agents[:8])
        raise ConfigError(f"expected seat to be one of {known}, actual {seat!r}.")
    others = [agent for agent in env.possible_agents if agent != seat]
    if partners is None:
        raise ConfigError(
            f"expected partners for {', '.join(others[:8])}, actual none: give the name of a "
            "policy, such as 'random'."
        )
    by_agent = partners if isinstance(partners, Mapping) else {"*": partners}
    players = assign(by_agent, others, game.id.rpartition("-v")[0])
    return OneSeat(env, seat, players, view, compose)
