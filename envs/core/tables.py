"""Tables computed from a config once and shared by every environment that has it."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

import msgspec

from babelzoo.envs.core.config import Config

__all__ = ["Memo", "Tables", "tables"]

ConfigT = TypeVar("ConfigT", bound=Config)
K = TypeVar("K")
V = TypeVar("V")
TablesT = TypeVar("TablesT", bound="Tables[Any]")

_KEPT = 64  # tables kept for later environments
_cache: dict[tuple[type[Any], bytes], Any] = {}


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


def tables(kind: type[TablesT], config: Config) -> TablesT:
    """The shared instance of `kind` for `config`."""
    key = (kind, msgspec.json.encode(config))
    found: TablesT | None = _cache.get(key)
    if found is None:
        if len(_cache) >= _KEPT:
            del _cache[next(iter(_cache))]
        found = _cache[key] = kind(config)
    return found
