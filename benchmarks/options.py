"""Options of the command line that are more than one word."""

from typing import Any

import msgspec

from babelzoo.envs.core import ConfigError

__all__ = ["assignment", "knob"]


def knob(text: str) -> tuple[str, Any]:
    """`name=value`, the value in JSON or as text."""
    name, equals, value = text.partition("=")
    if not equals:
        raise ConfigError(f"expected --set knob=value, actual {text!r}.")
    try:
        return name, msgspec.json.decode(value)
    except msgspec.DecodeError:
        return name, value


def assignment(text: str) -> tuple[str, str]:
    """`ROLE=NAME`; a name alone is for all (its knobs may hold `=` too)."""
    role, equals, name = text.partition("=")
    return (role, name) if equals and not set(role) & set("?:") else ("*", text)
