"""How text that agents write is shown, recorded and hashed."""

import json
import re

__all__ = ["normalise", "one_line", "quote", "shorten"]

# C0 and C1 controls, line and paragraph separators, bidirectional and zero-width characters,
# interlinear marks, lone surrogates and the invisible tag block: whatever could start a line
# or hide text.
_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\ud800-\udfff"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)


def _escape(found: re.Match[str]) -> str:
    return json.dumps(found.group())[1:-1]


def quote(text: str) -> str:
    """`text` as one JSON string in quotation marks, with nothing that could leave its line."""
    if text.isascii() and text.isprintable() and '"' not in text and "\\" not in text:
        return f'"{text}"'
    return _UNSAFE.sub(_escape, json.dumps(text, ensure_ascii=False))


def one_line(text: str) -> str:
    """`text` on one line: unsafe characters are escaped, quotation marks are kept."""
    return _UNSAFE.sub(_escape, text)


def shorten(text: str, length: int = 80) -> str:
    """`text` on one line, cut to `length` characters with an ellipsis."""
    line = one_line(text[: length + 1])
    return line if len(line) <= length else line[: length - 1] + "…"


def normalise(text: str) -> str:
    r"""`text` as valid Unicode: a lone surrogate becomes its `\udXXX` escape. Idempotent."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
