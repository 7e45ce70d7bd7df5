"""BabelZoo: environments in which agents invent, ground, learn and pass on a language.

`make` and `make_parallel` build PettingZoo environments, `check` tests any of them. Importing
this package makes the environments known to PettingZoo and Gymnasium; it loads no optional
package.
"""

from babelzoo._seats import register
from babelzoo.envs.core import (
    BabelZooError,
    Checked,
    CheckFailed,
    ConfigError,
    check,
    find_game,
    game_ids,
    make,
    make_parallel,
)

__version__ = "0.1.0"

__all__ = [
    "BabelZooError",
    "CheckFailed",
    "Checked",
    "ConfigError",
    "__version__",
    "check",
    "find_game",
    "game_ids",
    "make",
    "make_parallel",
    "register",
]

register("lewis-v0", "babelzoo.envs.lewis")
register("saveveyru-v0", "babelzoo.envs.saveveyru")
