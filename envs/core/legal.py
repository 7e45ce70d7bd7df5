"""What an agent may do now, described once.

`Legal` is a field of every View. Masks, JSON schemas, the list a model reads, live sampling and
the check of a move are all functions of it, so they can't disagree.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Generic, TypeVar

import msgspec
import numpy as np

from babelzoo.envs.core.quoting import shorten

__all__ = [
    "IDLE",
    "Choice",
    "Field",
    "Form",
    "Free",
    "Legal",
    "PerLegal",
    "Range",
    "Sequence",
    "describe",
    "explain",
    "options",
    "sample",
    "schema",
]

Value = str | int


class Choice(msgspec.Struct, frozen=True, tag="choice"):
    """One of `values`: named in text, numbered by position for learners."""

    values: tuple[Value, ...]


class Range(msgspec.Struct, frozen=True, tag="range"):
    """A whole number from `low` to `high`; learners choose among `levels`."""

    low: int
    high: int
    levels: tuple[int, ...]


class Sequence(msgspec.Struct, frozen=True, tag="sequence"):
    """Exactly `length` symbols out of `values`."""

    values: tuple[str, ...]
    length: int


class Free(msgspec.Struct, frozen=True, tag="free"):
    """Any text of at most `max_length` characters; learners choose among `canned` ones."""

    max_length: int
    canned: tuple[str, ...]


Field = Choice | Range | Sequence | Free


class Form(msgspec.Struct, frozen=True):
    """One kind of move: its tag and what each of its fields may hold."""

    action: str
    fields: dict[str, Field] = {}


Legal = tuple[Form, ...]

IDLE: Legal = (Form("wait"),)  # what is legal when it is not one's turn

T = TypeVar("T")
_KEPT = 64  # legal sets that a PerLegal keeps


class PerLegal(Generic[T]):
    """Computes something once for one legal set, while the same object keeps coming.

    Worlds hand out the same object for equal legal sets where they can.

    Attributes:
        kept: Legal sets with what was computed for them, by `id`.
    """

    def __init__(self, build: Callable[[Legal], T]) -> None:
        self._build = build
        self.kept: dict[int, tuple[Legal, T]] = {}

    def of(self, legal: Legal) -> T:
        """What `build(legal)` gives."""
        kept = self.kept.get(id(legal))  # what is kept lives, so no other object has its id
        return self._add(legal) if kept is None else kept[1]

    def _add(self, legal: Legal) -> T:
        if len(self.kept) >= _KEPT:
            self.kept.clear()
        built = self._build(legal)
        self.kept[id(legal)] = legal, built
        return built


def options(field: Field) -> tuple[Value, ...]:
    """The values that a learner chooses among (for a `Sequence`: one symbol's values)."""
    match field:
        case Range():
            return field.levels
        case Free():
            return field.canned
    return field.values


def sample(legal: Legal, rng: np.random.Generator) -> dict[str, Any]:
    """A move drawn from `legal`: first its kind, then each field, all uniformly."""
    form = legal[rng.integers(len(legal))] if len(legal) > 1 else legal[0]
    return {"action": form.action} | {
        name: _sample_field(field, rng) for name, field in form.fields.items()
    }


def _sample_field(field: Field, rng: np.random.Generator) -> Any:
    match field:
        case Range():
            return int(rng.integers(field.low, field.high + 1))
        case Sequence():
            return [field.values[i] for i in rng.integers(len(field.values), size=field.length)]
    values = options(field)
    return values[rng.integers(len(values))]


def schema(legal: Legal) -> dict[str, Any]:
    """The JSON schema of the legal moves, one `anyOf` branch a form."""
    branches = [_form_schema(form) for form in legal]
    return branches[0] if len(branches) == 1 else {"anyOf": branches}


def _form_schema(form: Form) -> dict[str, Any]:
    properties = {"action": {"type": "string", "const": form.action}}
    properties |= {name: _field_schema(field) for name, field in form.fields.items()}
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _field_schema(field: Field) -> dict[str, Any]:
    match field:
        case Choice():
            kind = "integer" if all(isinstance(v, int) for v in field.values) else "string"
            return {"type": kind, "enum": list(field.values)}
        case Range():
            return {"type": "integer", "minimum": field.low, "maximum": field.high}
        case Sequence():
            symbols = {"type": "string", "enum": list(field.values)}
            size = {"minItems": field.length, "maxItems": field.length}
            return {"type": "array", "items": symbols} | size
    return {"type": "string", "maxLength": field.max_length}


def describe(legal: Legal) -> tuple[str, ...]:
    """One short string a form: `signal(tokens: 3 of A B C)`."""
    return tuple(
        f"{form.action}({', '.join(f'{n}: {_describe(f)}' for n, f in form.fields.items())})"
        for form in legal
    )


def _describe(field: Field) -> str:
    match field:
        case Range():
            return f"{field.low}..{field.high}"
        case Sequence():
            return f"{field.length} of {' '.join(field.values)}"
        case Free():
            return f"text, at most {field.max_length} characters"
    return " | ".join(map(str, field.values))


def explain(move: Mapping[str, Any], legal: Legal) -> str:
    """Why a move is not legal, "expected X, actual Y"; empty when it is legal."""
    forms = {form.action: form for form in legal}
    form = forms.get(move["action"])
    if form is None:
        return f"expected {' or '.join(forms) or 'no move'}, actual {move['action']}."
    return next(_complaints(move, form), "")


def _complaints(move: Mapping[str, Any], form: Form) -> Iterator[str]:
    for name, field in form.fields.items():
        if not _allowed(move[name], field):
            yield f"expected {name}: {_describe(field)}, actual {_show(move[name])}."


def _allowed(value: Any, field: Field) -> bool:
    match field:
        case Range():
            return isinstance(value, int) and field.low <= value <= field.high
        case Sequence():
            return len(value) == field.length and set(value) <= set(field.values)
        case Free():
            return len(value) <= field.max_length
    return value in field.values


def _show(value: Any) -> str:
    return shorten(
        " ".join(map(str, value[:40])) if isinstance(value, list | tuple) else str(value)
    )
