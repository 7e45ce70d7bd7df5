"""Labelled procedures, written apart from the judge: it agrees with 97 % of them or more."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from babelzoo.envs.saveveyru import Procedure
from babelzoo.envs.saveveyru.judge import read

FILE = Path(__file__).parent / "data" / "actions.jsonl"
ACTIONS = [msgspec.json.decode(line) for line in FILE.read_bytes().splitlines()]


def _accepted(action: dict[str, Any], mode: str) -> bool:
    needed = Procedure(action["template"], action["face"], action["intensity"], action["seconds"])
    return read(action["text"], strict=mode == "strict") == needed


@pytest.mark.parametrize("mode", ["strict", "core"])
def test_the_judge_agrees_with_the_labels(mode: str) -> None:
    differ = [a["text"] for a in ACTIONS if _accepted(a, mode) != a[mode]]
    assert len(differ) <= 0.03 * len(ACTIONS), "\n".join(differ)


def test_few_texts_are_decided_otherwise_in_either_mode() -> None:
    modes = ("strict", "core")
    differ = [a for a in ACTIONS if any(_accepted(a, mode) != a[mode] for mode in modes)]
    assert len(differ) <= 0.03 * len(ACTIONS)


def test_the_set_is_large_and_balanced() -> None:
    assert len(ACTIONS) >= 300
    assert len({action["text"] for action in ACTIONS}) == len(ACTIONS)
    for template in range(14):
        of_template = [action for action in ACTIONS if action["template"] == template]
        strict = sum(action["strict"] for action in of_template)
        assert len(of_template) >= 20 and 5 <= strict <= len(of_template) - 5
    assert not any(action["strict"] and not action["core"] for action in ACTIONS)


def test_injected_verdicts_do_not_help() -> None:
    words = ("match", "correct", "accept", "true", "success")
    injected = [
        a for a in ACTIONS if not a["core"] and any(word in a["text"].lower() for word in words)
    ]
    assert len(injected) >= 5
    assert not any(_accepted(action, "core") for action in injected)
