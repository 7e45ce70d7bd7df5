"""Configs: frozen structs whose fields are an environment's knobs."""

import difflib
import re
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar, get_args, get_type_hints

import msgspec

from babelzoo.envs.core.errors import ConfigError
from babelzoo.envs.core.quoting import shorten

__all__ = ["Config", "configure", "nearest"]


class Config(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The knobs of a world or a policy. Values are checked by `configure`."""


ConfigT = TypeVar("ConfigT", bound=Config)


def nearest(name: str, known: Iterable[str]) -> str:
    """A clause that names the known name closest to `name`, or all of them."""
    names = sorted(known)
    close = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    if close:
        return f"did you mean {close[0]!r}?"
    return "known are " + ", ".join(names) + "." if names else "none is known."


def configure(kind: type[ConfigT], knobs: Mapping[str, Any], owner: str) -> ConfigT:
    """Build the config `kind` from `knobs`.

    Args:
        kind: The config class.
        knobs: Values by knob name; absent ones keep their defaults.
        owner: Whose knobs these are, for messages.

    Raises:
        ConfigError: A knob is unknown (the nearest known one is named) or a value is out of
            its type or range ("expected X, actual Y").
    """
    known = kind.__struct_fields__
    for knob in knobs:
        if knob not in known:
            raise ConfigError(f"{owner} has no knob {knob!r}: {nearest(knob, known)}")
    try:
        return msgspec.convert(dict(knobs), kind)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{owner}: {_explain(str(error), kind, knobs)}") from None


def _explain(message: str, kind: type[Config], knobs: Mapping[str, Any]) -> str:
    """Turn msgspec's message into "knob x: expected X, actual Y."."""
    found = re.fullmatch(r"(.*) - at .*?`\$\.(\w+).*`", message, re.DOTALL)
    if found is None:
        return message if message.endswith(".") else f"{message}."
    what, knob = found.groups()
    actual = shorten(repr(knobs.get(knob)))
    if what.startswith("Invalid enum value"):
        choices = ", ".join(map(repr, get_args(get_type_hints(kind)[knob])))
        return f"knob {knob!r}: expected one of {choices}, actual {actual}."
    if not what.startswith("Expected"):
        return what if what.endswith(".") else f"knob {knob!r}: {what}."
    expected = what.split(", got ")[0].replace("Expected", "expected", 1).replace("`", "")
    return f"knob {knob!r}: {expected}, actual {actual}."
