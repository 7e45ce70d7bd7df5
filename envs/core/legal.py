"""What an agent may do now, described once.

`Legal` is a field of every View. Masks, JSON schemas, the list a model reads, live sampling and
the check of a move are all functions of it, so they can't disagree.
"""

from collections.abc import Iterator, Mapping
from typing import Any

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
    "Range",
    "Sequence",
    "Spelled",
    "describe",
    "explain",
    "fill",
    "sample",
    "schema",
    "sizes",
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
    """Any text of at most `max_length` characters; learners choose among `canned` ones.

    Each of `slots` is a choice of its own, filled in where a canned text has its name in braces.
    """

    max_length: int
    canned: tuple[str, ...]
    slots: dict[str, tuple[Value, ...]] = {}


class Spelled(msgspec.Struct, frozen=True, tag="spelled"):
    """Any text of at most `max_length` characters; learners spell it, symbol by symbol.

    They spell at most `length` of `symbols`, or fewer and then the end.
    """

    max_length: int
    symbols: tuple[str, ...]
    length: int


Field = Choice | Range | Sequence | Free | Spelled


class Form(msgspec.Struct, frozen=True):
    """One kind of move: its tag and what each of its fields may hold."""

    action: str
    fields: dict[str, Field] = {}


Legal = tuple[Form, ...]

IDLE: Legal = (Form("wait"),)  # what is legal when it is not one's turn


def sizes(field: Field) -> list[int]:
    """How many choices a learner has at each position of a field."""
    match field:
        case Choice():
            return [len(field.values)]
        case Range():
            return [len(field.levels)]
        case Sequence():
            return [len(field.values)] * field.length
        case Free():
            return [len(field.canned), *map(len, field.slots.values())]
    return [len(field.symbols) + 1] * field.length


def fill(field: Field, digits: list[int]) -> Any:
    """The value of a field whose positions hold `digits`; a spelled text may end early."""
    match field:
        case Choice():
            return field.values[digits[0]]
        case Range():
            return field.levels[digits[0]]
        case Sequence():
            return [field.values[digit] for digit in digits]
        case Free():
            chosen = zip(field.slots, digits[1:], strict=True)
            filled = {name: field.slots[name][digit] for name, digit in chosen}
            text = field.canned[digits[0]]
            return text.format(**filled) if filled else text
    return "".join(field.symbols[digit] for digit in digits if digit < len(field.symbols))


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
            return fill(field, rng.integers(len(field.values), size=field.length).tolist())
        case Spelled():  # at least one symbol, and no end among them
            length = rng.integers(1, field.length + 1)
            return fill(field, rng.integers(len(field.symbols), size=length).tolist())
    return fill(field, [int(rng.integers(size)) for size in sizes(field)])


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
        case Free() | Spelled():
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
        if name not in move:
            yield f"expected {name}: {_describe(field)}, actual none."
        elif not _allowed(move[name], field):
            yield f"expected {name}: {_describe(field)}, actual {_show(move[name])}."


def _allowed(value: Any, field: Field) -> bool:
    match field:
        case Range():
            return isinstance(value, int) and field.low <= value <= field.high
        case Sequence():
            return len(value) == field.length and set(value) <= set(field.values)
        case Free() | Spelled():
            return len(value) <= field.max_length
    return value in field.values


def _show(value: Any) -> str:
    return shorten(
        " ".join(map(str, value[:40])) if isinstance(value, list | tuple) else str(value)
    )
