"""The views of a game, by name.

`text` is for readers, `masked` and `flat` are for learners. All are the same game: they differ
in encoding alone.
"""

from collections.abc import Iterable

from babelzoo.envs.core.codec import Codec
from babelzoo.envs.core.config import Config
from babelzoo.envs.core.errors import ConfigError
from babelzoo.envs.core.game import Game
from babelzoo.envs.core.learners import FlatCodec, MaskedCodec
from babelzoo.envs.core.readers import StructCodec, TextCodec

__all__ = ["VIEWS", "make_codec"]

VIEWS = ("text", "masked", "flat")


def make_codec(
    game: Game,
    config: Config,
    view: str,
    *,
    compose: bool = False,
    roles: Iterable[str] | None = None,
) -> Codec:
    """The codec of a view; `struct` is one too, for players in Python.

    Raises:
        ConfigError: The view is unknown, or `compose` is asked of the text view.
    """
    if view in ("text", "struct"):
        if compose:
            raise ConfigError(
                f"expected view 'masked' or 'flat' with compose=True, actual {view!r}."
            )
        return TextCodec(game, config) if view == "text" else StructCodec(game, config)
    if view not in VIEWS:
        raise ConfigError(f"expected view to be one of {', '.join(VIEWS)}, actual {view!r}.")
    kind = MaskedCodec if view == "masked" else FlatCodec
    return kind(game, config, roles, compose)
