"""Tables computed from a config once and shared by every environment that has it."""

from typing import Any, Generic, TypeVar

import msgspec

from babelzoo.envs.core.config import Config

__all__ = ["Tables", "tables"]

ConfigT = TypeVar("ConfigT", bound=Config)
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


def tables(kind: type[TablesT], config: Config) -> TablesT:
    """The shared instance of `kind` for `config`."""
    key = (kind, msgspec.json.encode(config))
    found: TablesT | None = _cache.get(key)
    if found is None:
        if len(_cache) >= _KEPT:
            del _cache[next(iter(_cache))]
        found = _cache[key] = kind(config)
    return found
