"""Fills pages from the package: `{{ page MODULE }}` is a docstring, `{{ api MODULE }}` its API."""

import inspect
import re
from importlib import import_module
from typing import Any


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Replace the tags of a page."""
    return re.sub(r"\{\{ (page|api) ([\w.]+) \}\}", _fill, markdown)


def _fill(tag: re.Match[str]) -> str:
    module = import_module(tag.group(2))
    if tag.group(1) == "page":
        title, _, rest = inspect.cleandoc(module.__doc__ or "").partition("\n")
        return f"# {title.rstrip('.')}\n{rest}"
    return "\n".join(_entry(name, getattr(module, name)) for name in module.__all__)


def _entry(name: str, thing: Any) -> str:
    if not (inspect.isclass(thing) or inspect.isfunction(thing)):
        return f"### `{name}`\n"
    try:
        signature = str(inspect.signature(thing))
    except (TypeError, ValueError):
        signature = "(…)"
    text = inspect.getdoc(thing) or ""
    return f"### `{name}`\n\n```\n{name}{signature}\n```\n\n{_indent_free(text)}\n"


def _indent_free(text: str) -> str:
    """Google-style sections as Markdown: heads in bold, entries as lists."""
    lines = []
    for line in text.split("\n"):
        if re.fullmatch(r"(Args|Returns|Raises|Attributes|Yields):", line):
            lines += ["", f"**{line[:-1]}**", ""]
        elif re.match(r"    \w[\w, ]*: ", line):
            head, _, rest = line.strip().partition(": ")
            lines.append(f"- `{head}`: {rest}")
        else:
            lines.append(line.strip() if line.startswith("    ") else line)
    return "\n".join(lines)
