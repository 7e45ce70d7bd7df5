"""The frame that all environments share: World, View, Move, and their PettingZoo shells."""

from babelzoo.envs.core.aec import OrderEnforcing, WorldEnv
from babelzoo.envs.core.check import Checked, CheckFailed, check
from babelzoo.envs.core.codec import Codec
from babelzoo.envs.core.config import Config, configure, nearest
from babelzoo.envs.core.decoding import Decoder, canonical
from babelzoo.envs.core.errors import (
    BabelZooError,
    BackendError,
    ConfigError,
    MissingExtra,
    RecordingError,
)
from babelzoo.envs.core.game import Encoding, Game
from babelzoo.envs.core.legal import (
    IDLE,
    Choice,
    Field,
    Form,
    Free,
    Legal,
    Range,
    Sequence,
    Spelled,
    describe,
    explain,
    sample,
    schema,
)
from babelzoo.envs.core.parallel import WorldParallelEnv
from babelzoo.envs.core.quoting import normalise, one_line, quote, shorten
from babelzoo.envs.core.randomness import BLOCK, derive_seed, random_bytes, stream
from babelzoo.envs.core.registry import (
    factories,
    find_game,
    game_ids,
    make,
    make_parallel,
    register,
)
from babelzoo.envs.core.spaces import OpenText, TextObservation
from babelzoo.envs.core.tables import Memo, PerObject, Tables, tables
from babelzoo.envs.core.text import Text
from babelzoo.envs.core.turn import Turn, turn_of
from babelzoo.envs.core.views import VIEWS, make_codec
from babelzoo.envs.core.world import (
    Ended,
    Event,
    Invalid,
    Move,
    Outcome,
    Rejected,
    View,
    Wait,
    World,
    role_of,
)

__all__ = [
    "BLOCK",
    "IDLE",
    "VIEWS",
    "BabelZooError",
    "BackendError",
    "CheckFailed",
    "Checked",
    "Choice",
    "Codec",
    "Config",
    "ConfigError",
    "Decoder",
    "Encoding",
    "Ended",
    "Event",
    "Field",
    "Form",
    "Free",
    "Game",
    "Invalid",
    "Legal",
    "Memo",
    "MissingExtra",
    "Move",
    "OpenText",
    "OrderEnforcing",
    "Outcome",
    "PerObject",
    "Range",
    "RecordingError",
    "Rejected",
    "Sequence",
    "Spelled",
    "Tables",
    "Text",
    "TextObservation",
    "Turn",
    "View",
    "Wait",
    "World",
    "WorldEnv",
    "WorldParallelEnv",
    "canonical",
    "check",
    "configure",
    "derive_seed",
    "describe",
    "explain",
    "factories",
    "find_game",
    "game_ids",
    "make",
    "make_codec",
    "make_parallel",
    "nearest",
    "normalise",
    "one_line",
    "quote",
    "random_bytes",
    "register",
    "role_of",
    "sample",
    "schema",
    "shorten",
    "stream",
    "tables",
    "turn_of",
]
