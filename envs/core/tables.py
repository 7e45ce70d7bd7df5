"""Tables computed from a config once and shared by every environment that has it."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Generic, TypeVar

import msgspec

from babelzoo.envs.core.config import Config

__all__ = ["Memo", "PerObject", "Tables", "tables"]

ConfigT = TypeVar("ConfigT", bound=Config)
K = TypeVar("K")
V = TypeVar("V")
TablesT = TypeVar("TablesT", bound="Tables[Any]")

T = TypeVar("T")

_KEPT = 64  # tables kept for later environments, objects kept by a PerObject
_cache: OrderedDict[tuple[type[Any], bytes], Any] = OrderedDict()


class Tables(Generic[ConfigT]):
    """What depends on a config alone. Never changed after `__init__`.

    Copies and pickles of an environment hold no copy of its tables: they look them up again.
    """

    def __init__(self, config: ConfigT) -> None:
        self.config = config

    def __reduce__(self) -> tuple[Any, ...]:
        return tables, (type(self), self.config)


class Memo(dict[K, V]):
    """What `build` gives, by its argument; kept until there are `limit`, then all forgotten."""

    def __init__(self, build: Callable[[K], V], limit: int) -> None:
        super().__init__()
        self._build, self._limit = build, limit

    def __missing__(self, key: K) -> V:
        if len(self) >= self._limit:
            self.clear()
        value = self[key] = self._build(key)
        return value


class PerObject(Generic[K, T]):
    """Computes something once for one object, while the same object keeps coming.

    Worlds hand out the same object for equal legal sets where they can.

    Attributes:
        kept: Objects with what was computed for them, by `id`.
    """

    def __init__(self, build: Callable[[K], T], limit: int = _KEPT) -> None:
        self._build, self._limit = build, limit
        self.kept: dict[int, tuple[K, T]] = {}

    def of(self, key: K) -> T:
        """What `build(key)` gives."""
        kept = self.kept.get(id(key))  # what is kept lives, so no other object has its id
        return self._add(key) if kept is None else kept[1]

    def _add(self, key: K) -> T:
        if len(self.kept) >= self._limit:
            self.kept.clear()
        built = self._build(key)
        self.kept[id(key)] = key, built
        return built


def tables(kind: type[TablesT], config: Config) -> TablesT:
    """The shared instance of `kind` for `config`."""
    key = (kind, msgspec.json.encode(config))
    found: TablesT | None = _cache.get(key)
    if found is not None:
        _cache.move_to_end(key)  # the last one asked for is forgotten last
        return found
    found = kind(config)
    if len(_cache) >= _KEPT:
        _cache.popitem(last=False)
    _cache[key] = found
    return found
