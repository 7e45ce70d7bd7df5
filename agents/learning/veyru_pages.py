"""Reading SaveVeyru as text: what a player learns of an observation and of its rules."""

import json
import re
from collections.abc import Iterable

import msgspec

__all__ = ["SLOTS", "Page", "bullets", "match", "read_page"]

_SAID = re.compile(r'- (?:The \w+|You) on (link|postmortem): (".*")')
SLOTS = {"[face]": "face", "[intensity]": "intensity", "[seconds]": "seconds"}


class Page(msgspec.Struct):
    """An observation, read.

    Attributes:
        round: Number of the round.
        postmortem: Whether this is a postmortem.
        over_budget: Whether the last round's result says that the budget was overrun.
        signs: New symptoms, as they are described.
        heard: What the other has said since the last turn: channel and text.
        late: What came on the link when the round had ended already.
        table: The specialist's table: treatment by trouble.
        labels: The observer's labels by the title of the treatment.
    """

    round: int
    postmortem: bool
    over_budget: bool
    signs: list[str]
    heard: list[tuple[str, str]]
    late: list[str]
    table: dict[str, str]
    labels: dict[str, str]


def read_page(text: str) -> Page:
    """Read an observation."""
    number = re.match(r"Round (\d+)", text)
    page = Page(
        int(number[1]) if number else 0, "postmortem." in text[:80], False, [], [], [], {}, {}
    )
    section = ""
    for line in text.splitlines()[1:]:
        if not line.startswith("- "):
            section = line
            page.over_budget |= line.startswith("Round ") and "the budget was overrun" in line
        elif section.startswith("Your reader"):
            name, _, treatment = line[2:].partition(": ")
            page.table[name] = treatment
        elif section.startswith("Your treatments"):
            label, _, title = line[2:].partition(": ")
            page.labels[title] = label
        elif section.startswith("New"):
            _take_news(line, page)
    return page


def _take_news(line: str, page: Page) -> None:
    if line == "- Then the round ended.":
        page.signs.clear()
        page.late = [text for channel, text in page.heard if channel == "link"]
        page.heard = [said for said in page.heard if said[0] == "postmortem"]
    elif line.startswith("- Signs: "):
        page.signs.append(line.removeprefix("- Signs: "))
    elif (found := _SAID.fullmatch(line)) and not line.startswith("- You"):
        page.heard.append((found[1], json.loads(found[2])))


def bullets(rules: str, heading: str) -> list[str]:
    """The list items below the line that starts with `heading`."""
    lines: Iterable[str] = rules.splitlines()
    found: list[str] = []
    below = False
    for line in lines:
        if below and line.startswith("- "):
            found.append(line[2:])
        elif found:
            break
        else:
            below = below or line.startswith(heading)
    return found


def match(template: str, sentence: str) -> dict[str, str] | None:
    """The slots' words if `sentence` is an instance of `template`, else None."""
    pattern, seen = "", set()
    for part in re.split(r"(\[\w+\])", template):
        name = SLOTS.get(part)
        if name is None:
            pattern += re.escape(part)
        elif name in seen:
            pattern += f"(?P={name})"
        else:
            seen.add(name)
            pattern += rf"(?P<{name}>\w+)"
    found = re.fullmatch(pattern, sentence)
    return None if found is None else found.groupdict()
