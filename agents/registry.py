"""Policies by name: `name:argument?knob=value&knob=value`."""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any
from urllib.parse import parse_qsl

import msgspec

from babelzoo.agents.policy import CallablePolicy, Policy
from babelzoo.envs.core import ConfigError, configure, nearest, shorten

__all__ = [
    "GROUP",
    "built_in",
    "games_of",
    "policy_class",
    "policy_classes",
    "policy_names",
    "resolve",
]

GROUP = "babelzoo.policies.v1"  # entry points by which other packages add names

_LEWIS = "babelzoo.agents.scripted.lewis"
_TABULAR = "babelzoo.agents.learning.tabular"
_BAYES = "babelzoo.agents.learning.bayes"
_INVENTOR = "babelzoo.agents.learning.inventor"
_VEYRU = "babelzoo.agents.scripted.saveveyru"
_VEYRU_CONTROLS = "babelzoo.agents.scripted.saveveyru_controls"
_VEYRU_TRICKS = "babelzoo.agents.scripted.saveveyru_tricks"

_BUILT_IN = {
    "inventor": (f"{_INVENTOR}:Inventor",),
    "masked-q": ("babelzoo.agents.learning.masked_q:MaskedQ",),
    "notebook-bayes": (f"{_BAYES}:NotebookBayes",),
    "notebook-greedy": (f"{_BAYES}:NotebookGreedy",),
    "oracle-code": (f"{_VEYRU}:OracleCode",),
    "oracle-compositional": (f"{_LEWIS}:OracleCompositional",),
    "oracle-delay": (f"{_VEYRU_TRICKS}:OracleDelay",),
    "oracle-english": (f"{_VEYRU}:OracleEnglish",),
    "oracle-holistic": (f"{_LEWIS}:OracleHolistic",),
    "oracle-k": (f"{_LEWIS}:OracleK",),
    "oracle-leap": (f"{_VEYRU_TRICKS}:OracleLeap",),
    "oracle-rotation": (f"{_VEYRU_TRICKS}:OracleRotation",),
    "positional": (f"{_LEWIS}:Positional",),
    "q-learning": (f"{_TABULAR}:QLearning",),
    "random": ("babelzoo.agents.scripted.random_legal:RandomLegal",),
    "rank-code": (f"{_LEWIS}:RankCode",),
    "roth-erev": (f"{_TABULAR}:RothErev",),
    "shuffled": ("babelzoo.agents.scripted.shuffled:Shuffled", f"{_VEYRU_CONTROLS}:Shuffled"),
    "silent": (f"{_LEWIS}:Silent", f"{_VEYRU_CONTROLS}:Silent"),
    "window-bayes": (f"{_BAYES}:WindowBayes",),
    "window-greedy": (f"{_BAYES}:WindowGreedy",),
}  # a name may stand for one class a game


@cache
def _plugins() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}


def built_in() -> tuple[str, ...]:
    """The names that come with BabelZoo."""
    return tuple(_BUILT_IN)


def policy_names() -> tuple[str, ...]:
    """All names: built-in ones and those of other packages."""
    return tuple(sorted({*_BUILT_IN, *_plugins()}))


def policy_classes(name: str) -> tuple[Any, ...]:
    """What stands behind a name: `Policy` classes, each for its games, or a plain function.

    Raises:
        ConfigError: There is no such name, or its package does not load.
    """
    if name in _BUILT_IN:
        places = [target.partition(":") for target in _BUILT_IN[name]]
        return tuple(getattr(import_module(module), attribute) for module, _, attribute in places)
    if name in _plugins():
        return (_load(_plugins()[name]),)
    raise ConfigError(f"there is no policy {name!r}: {nearest(name, policy_names())}")


def policy_class(name: str, game: str | None = None) -> Any:
    """What stands behind a name for a game, without version; None for any.

    Raises:
        ConfigError: There is no such name, its package does not load, or it plays other games.
    """
    classes = policy_classes(name)
    for kind in classes:
        if game is None or not games_of(kind) or game in games_of(kind):
            return kind
    games = ", ".join(game for kind in classes for game in games_of(kind))
    raise ConfigError(f"policy {name!r} plays {games}, actual game {game}.")


def games_of(kind: Any) -> tuple[str, ...]:
    """The games that a class or function plays; empty for all."""
    return kind.games if isinstance(kind, type) and issubclass(kind, Policy) else ()


def _load(point: EntryPoint) -> Any:
    """What an entry point names. Whatever goes wrong is the other package's fault, and named."""
    try:
        found = point.load()
    except Exception as error:
        raise ConfigError(
            f"policy {point.name!r} of another package ({point.value}) does not load: "
            f"{type(error).__name__}: {shorten(str(error), 200)}."
        ) from error
    if not callable(found) or (isinstance(found, type) and not issubclass(found, Policy)):
        raise ConfigError(
            f"policy {point.name!r} of another package: expected a Policy class or a function at "
            f"{point.value}, actual {type(found).__name__}."
        )
    return found


def resolve(spec: str | Policy[Any] | Callable[[str], str], game: str | None = None) -> Policy[Any]:
    """Build a policy.

    Args:
        spec: `name:argument?knob=value`, a function from text to text, or a policy, which is
            given back as it is.
        game: The game's name without version; a policy that can't play it is refused.

    Raises:
        ConfigError: The name or a knob is unknown, a value is out of range, or the policy
            plays other games.
    """
    if isinstance(spec, Policy):
        if game is not None and spec.games and game not in spec.games:
            raise ConfigError(
                f"policy {type(spec).__name__!r} plays {', '.join(spec.games)}, actual game {game}."
            )
        return spec
    if not isinstance(spec, str):
        if not callable(spec) or isinstance(spec, type):
            raise ConfigError(
                "expected a policy: a name, a Policy object or a function from text to text, "
                f"actual {shorten(repr(spec))}."
            )
        return CallablePolicy(spec)
    head, _, query = spec.partition("?")
    name, _, argument = head.partition(":")
    kind = policy_class(name, game)
    if not (isinstance(kind, type) and issubclass(kind, Policy)):
        if argument or query:
            raise ConfigError(f"policy {name!r} takes no argument and no knobs, actual {spec!r}.")
        return CallablePolicy(kind)
    return kind(configure(kind.knobs_type, _knobs(kind, name, argument, query), f"policy {name!r}"))


def _knobs(kind: type[Policy[Any]], name: str, argument: str, query: str) -> dict[str, Any]:
    try:
        pairs = parse_qsl(query, keep_blank_values=True, strict_parsing=bool(query))
    except ValueError:
        raise ConfigError(f"policy {name!r}: expected knob=value&…, actual {query!r}.") from None
    if argument:
        if kind.argument is None:
            raise ConfigError(f"policy {name!r} takes no argument, actual {argument!r}.")
        pairs.append((kind.argument, argument))
    knobs: dict[str, Any] = {}
    for knob, text in pairs:
        if knob in knobs:
            raise ConfigError(f"policy {name!r}: expected knob {knob!r} once, actual twice.")
        knobs[knob] = text if knob == kind.argument else _value(text)
    return knobs


def _value(text: str) -> Any:
    """A JSON value, or the text itself."""
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError:
        return text
