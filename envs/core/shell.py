"""What both PettingZoo shells share: spaces, views, encodings, snapshots and drawing."""

import secrets
from typing import Any

import msgspec
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from babelzoo.envs.core import legal as legality
from babelzoo.envs.core.codec import Codec
from babelzoo.envs.core.errors import ConfigError
from babelzoo.envs.core.game import Game
from babelzoo.envs.core.randomness import derive_seed
from babelzoo.envs.core.tables import tables
from babelzoo.envs.core.views import VIEWS, make_codec
from babelzoo.envs.core.world import Move, Outcome, View

__all__ = ["RENDER_MODES", "Shell"]

RENDER_MODES = ("human", "rgb_array", "ansi")


class Shell:
    """A world in a PettingZoo coat; the AEC and the parallel shell derive from it.

    Args:
        game: The game.
        view: How agents observe and act: `text`, `masked` or `flat`.
        render_mode: None, `human`, `rgb_array` or `ansi`.
        compose: Learners' views only: make each move by successive choices.
        **knobs: The game's knobs, also `preset` and `max_cycles`.

    Raises:
        ConfigError: An argument or a knob is not what it should be.
    """

    metadata: dict[str, Any]
    agents: list[str]
    possible_agents: list[str]

    def __init__(
        self,
        game: Game,
        *,
        view: str = "text",
        render_mode: str | None = None,
        compose: bool = False,
        **knobs: Any,
    ) -> None:
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise ConfigError(
                f"expected render_mode to be one of {', '.join(RENDER_MODES)}, "
                f"actual {render_mode!r}."
            )
        self.game = game
        self.config = game.configure(knobs)
        self.world = game.world(self.config)
        self.render_mode = render_mode
        self.metadata = {
            "name": game.id.replace("-", "_"),
            "render_modes": list(RENDER_MODES),
            "render_fps": 4,
            "is_parallelizable": game.cyclic,
        }
        self.possible_agents = list(self.world.possible_agents())
        self.agents = []
        self.episode_seed: int | None = None
        self._stream: tuple[int, int] | None = None  # the user's seed and episodes since
        if view not in VIEWS:
            raise ConfigError(f"expected view to be one of {', '.join(VIEWS)}, actual {view!r}.")
        self._codec = make_codec(game, self.config, view, compose=compose)
        self._codecs: dict[str, Codec] = {view: self._codec}
        self._last_views: dict[str, View] = {}
        self._spaces: dict[tuple[str, str], spaces.Space[Any]] = {}
        self._window: Any = None

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The observation space of `agent`, always the same object."""
        space = self._spaces.get(("observation", agent))
        if space is None:
            self._known(agent)
            space = self._spaces["observation", agent] = self._codec.observation_space(agent)
        return space

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The action space of `agent`, always the same object."""
        space = self._spaces.get(("action", agent))
        if space is None:
            self._known(agent)
            space = self._spaces["action", agent] = self._codec.action_space(agent)
        return space

    def _known(self, agent: str) -> None:
        if agent not in self.possible_agents:
            raise ConfigError(
                f"expected an agent among {', '.join(self.possible_agents[:8])}, actual {agent!r}."
            )

    def _need_reset(self, call: str) -> None:
        if self.episode_seed is None:
            raise ConfigError(
                f"expected reset() before {call}(), actual order is the other way round."
            )

    def ready(self) -> tuple[str, ...]:
        """The agents whose View can no longer change before they act, in turn order."""
        self._need_reset("ready")
        return self.world.ready()

    def view(self, agent: str) -> View:
        """All that `agent` may know now; for one that has ended, what it knew at the end."""
        return self._view_of(agent)

    def _view_of(self, agent: str) -> View:
        view = self._last_views.get(agent)
        if view is None:
            self._known(agent)
            self._need_reset("observe")
            view = self.world.view(agent)
        return view

    def observe(self, agent: str) -> Any:
        """What `agent` observes; every possible agent may be asked for."""
        return self._codec.observation(self.view(agent))

    def codec(self, view: str) -> Codec:
        """The codec of any view, for players that don't use the environment's own."""
        codec = self._codecs.get(view)
        if codec is None:
            codec = self._codecs[view] = make_codec(self.game, self.config, view)
        return codec

    def encode(self, agent: str, view: str) -> Any:
        """What `agent` would observe in another view; in `struct` it is the View itself."""
        return self.codec(view).observation(self.view(agent))

    def rules(self, role: str) -> str:
        """The rules as `role` reads them."""
        return tables(self.game.text, self.config).rules_by_role[role]

    def schema(self, agent: str) -> dict[str, Any]:
        """The JSON schema of what `agent` may do now."""
        return legality.schema(self.view(agent).legal)

    def sample_legal(self, agent: str, rng: np.random.Generator) -> Move:
        """One move that `agent` may make now, drawn at random."""
        drawn = legality.sample(self.view(agent).legal, rng)
        move: Move = msgspec.convert(drawn, self.game.moves(self.config))
        return move

    @property
    def state_space(self) -> spaces.Space[Any]:
        """The space of `state()`."""
        return spaces.Box(0, 1, (tables(self.game.encoding, self.config).state_size,), np.float32)

    def state(self) -> NDArray[np.float32]:
        """The whole state as a vector, for centralised critics: a superset of all Views."""
        self._need_reset("state")
        return tables(self.game.encoding, self.config).state(self.world)

    def render(self) -> NDArray[np.uint8] | str | None:
        """Draw the world: a frame (height, width, 3), text, or a window that returns None.

        Raises:
            ConfigError: The environment was made without a `render_mode`.
            MissingExtra: The extra `render` is not installed.
        """
        self._need_reset("render")
        if self.render_mode is None:
            raise ConfigError("expected a render_mode to render, actual None: pass it to make().")
        if self.render_mode == "ansi":
            return tables(self.game.text, self.config).ansi(self.world)
        from babelzoo.envs.core import canvas

        scene = self.game.draw()
        if self.render_mode == "rgb_array":
            return canvas.frame(scene.draw, self.world)
        self._window = canvas.show(
            self._window, scene.draw, self.world, self.metadata["name"], self.metadata["render_fps"]
        )
        return None

    def close(self) -> None:
        """Close the window, if one is open. May be called twice."""
        if self._window is not None:
            from babelzoo.envs.core import canvas

            canvas.close(self._window)
            self._window = None

    def __str__(self) -> str:
        return str(self.metadata["name"])

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_window": None}

    def _start(self, seed: int | None) -> None:
        """Seed and reset the world: `seed` starts a stream of episodes, None continues it."""
        if seed is not None:
            if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
                raise ConfigError(f"expected seed to be an integer of at least 0, actual {seed!r}.")
            root, episode = int(seed), 0
        elif self._stream is None:
            root, episode = secrets.randbits(63), 0
        else:
            root, episode = self._stream[0], self._stream[1] + 1
        self._stream = root, episode
        self.episode_seed = root if episode == 0 else derive_seed(root, "episode", episode)
        self._last_views.clear()
        for codec in self._codecs.values():
            codec.restore({})
        self.world.reset(self.episode_seed)
        self.agents = list(self.world.agents())

    def _welcome(self, outcome: Outcome) -> None:
        """Let newborns join. Their spaces' streams follow from the seed and their name."""
        for agent in outcome.born:
            assert self.episode_seed is not None
            self.action_space(agent).seed(derive_seed(self.episode_seed, "action_space", agent))
        self.agents = [*self.agents, *outcome.born]

    def _shell_snapshot(self) -> dict[str, Any]:
        return {
            "stream": self._stream and list(self._stream),
            "seed": self.episode_seed,
            "agents": list(self.agents),
            "world": self.world.snapshot(),
            "codecs": {
                view: prefixes
                for view, codec in self._codecs.items()
                if (prefixes := codec.snapshot())
            },
            "last_views": {
                agent: msgspec.to_builtins(view) for agent, view in self._last_views.items()
            },
        }

    def _shell_restore(self, state: dict[str, Any]) -> None:
        self._stream = state["stream"][0], state["stream"][1]
        self.episode_seed = state["seed"]
        self.agents = list(state["agents"])
        self.world.restore(state["world"])
        for codec in self._codecs.values():
            codec.restore({})
        for view, prefixes in state["codecs"].items():
            self.codec(view).restore(prefixes)
        self._last_views = {
            agent: msgspec.convert(view, self.game.view)
            for agent, view in state["last_views"].items()
        }
