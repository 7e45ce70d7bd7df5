"""The inventor: a pair that builds a code for SaveVeyru out of nothing but rules and observations.

Two objects with seeds of their own and no shared state. Each reads text alone: its rules, and
what it observes. The rule is the same in every condition; the inventor does not know whether
there is a budget or a postmortem.
"""

import json
import re
from collections.abc import Callable, Sequence
from itertools import permutations
from string import ascii_lowercase
from typing import Annotated

from msgspec import Meta

from babelzoo.agents.learning.veyru_pages import SLOTS, Page, bullets, match, read_page
from babelzoo.agents.policy import Past, Policy, Turn
from babelzoo.envs.core import Config
from babelzoo.envs.saveveyru import Send, Stabilize

__all__ = ["Inventor"]

_FACES = ("top", "bottom", "left", "right", "front", "back")
_INTENSITIES = ("gentle", "moderate", "firm")
_WORDS: dict[str, Callable[[str], bool]] = {
    "[face]": _FACES.__contains__,
    "[intensity]": _INTENSITIES.__contains__,
    "[seconds]": str.isdigit,
}


class InventorKnobs(Config, frozen=True, kw_only=True):
    """Knobs of `inventor`.

    Attributes:
        definitions: Definitions that a specialist proposes at most in one postmortem.
        blank_postmortem: Ablation: whatever is said in a postmortem reaches this seat as nothing.
    """

    definitions: Annotated[int, Meta(ge=0)] = 4
    blank_postmortem: bool = False


class Inventor(Policy[InventorKnobs]):
    """Agrees codes in the postmortem, after rounds that talked too much, and uses them.

    On the link the observer says the symptoms, the specialist the treatment: in agreed codes
    where there are some, else in full English. After a round whose result says that the budget
    was overrun, the specialist proposes definitions `code = English`, first of what was just
    needed, then of its glossary in random order; the observer stores them and answers `ok code`.
    A code is used only after that answer. The observer expands codes to the stored English.
    """

    view = "text"
    games = ("saveveyru",)
    recalls = True
    knobs_type = InventorKnobs

    def reset(self, agent: str, rules: str, seed: int) -> None:
        """Start an episode, with nothing agreed."""
        super().reset(agent, rules, seed)
        self._meanings: dict[str, str] = {}  # English by agreed code
        self._proposed: dict[str, str] = {}
        self._needed: list[str] = []
        self._queue: list[str] = []  # definitions to propose in this postmortem
        self._postmortem = 0  # the round of this postmortem
        self._glossary = bullets(rules, "What the observer may report")
        self._templates = bullets(rules, "These are the treatments") or bullets(
            rules, "Your reader gives"
        )
        pairs = ["".join(pair) for pair in permutations(ascii_lowercase, 2)]
        self._letters = [str(pair) for pair in self.rng.permutation(pairs)]

    def brief(self, past: Sequence[Past]) -> None:
        """Learn codes from what a predecessor at the Veyru said, heard and did.

        A code that was sent on new symptoms means these; four words that were answered by a
        treatment in full English mean it, word by word.
        """
        for turn in past:
            page, move = read_page(str(turn.observation)), turn.move
            if isinstance(move, Send) and page.signs and " " not in move.text:
                signs = page.signs[-1]
                if "\nSo far:" not in str(turn.observation):  # a round's first signs name the place
                    signs = signs.partition(". ")[2] or signs
                self._meanings[move.text] = signs
            heard = [text.split() for channel, text in page.heard if channel == "link"]
            if isinstance(move, Stabilize) and heard and len(heard[-1]) == len(SLOTS) + 1:
                self._align(heard[-1], move.procedure)

    def _align(self, words: list[str], english: str) -> None:
        """Learn what four words mean from the treatment that they stood for."""
        code, *parts = words
        for slot, part in zip(SLOTS, parts, strict=True):
            known = [word for word in re.findall(r"\w+", english) if _WORDS[slot](word)]
            if not known:
                return
            english = re.sub(rf"\b{known[0]}\b", slot, english)
            if part != known[0]:
                self._meanings[part] = known[0]
        self._meanings[code] = english

    def act(self, turn: Turn) -> str:
        """Talk, treat or wait."""
        page = read_page(str(turn.observation))
        if self.knobs.blank_postmortem:
            page.heard = [said for said in page.heard if said[0] != "postmortem"]
        advising = bool(self._glossary)
        if page.postmortem:
            return (self._propose if advising else self._agree)(page)
        return (self._advise if advising else self._observe)(page)

    def _code(self, english: str) -> str | None:
        """The agreed code of an English phrase."""
        codes = (code for code, meaning in self._meanings.items() if meaning == english)
        return next(codes, None)

    # The observer.

    def _observe(self, page: Page) -> str:
        """Say the symptoms, or carry out what was said."""
        if page.signs:
            signs = page.signs[-1]
            codes = (code for code, meaning in self._meanings.items() if signs.endswith(meaning))
            return _send("link", next(codes, signs))
        heard = [text for channel, text in page.heard if channel == "link"]
        return self._treat(self._expand(heard[-1]), page) if heard else "wait"

    def _expand(self, advice: str) -> str:
        """What a message of the specialist says in English."""
        words = advice.split()
        template = self._meanings.get(words[0], "") if len(words) == 4 else ""
        if not template:
            return advice
        for slot, word in zip(SLOTS, words[1:], strict=True):
            template = template.replace(slot, self._meanings.get(word, word))
        return template

    def _treat(self, english: str, page: Page) -> str:
        """The treatment as a move: in English, or by the observer's own labels."""
        if not page.labels:
            return json.dumps({"action": "stabilize", "procedure": english})
        for line in self._templates:
            title, _, template = line.partition(": ")
            parts = match(template, english)
            if parts is not None and title in page.labels:
                seconds = int(parts.pop("seconds"))
                move = {"template": page.labels[title], **parts, "seconds": seconds}
                return json.dumps({"action": "stabilize"} | move)
        return "wait"

    def _agree(self, page: Page) -> str:
        """Store definitions, and say so."""
        for channel, text in page.heard:
            code, equals, meaning = text.partition(" = ")
            if channel == "postmortem" and equals:
                self._meanings[code] = meaning
                return _send("postmortem", f"ok {code}")
        return "wait"

    # The specialist.

    def _advise(self, page: Page) -> str:
        """Answer the symptoms with the treatment."""
        heard = [text for channel, text in page.heard if channel == "link"]
        if not heard:
            return "wait"
        signs, name = self._understand(heard[-1])
        if name not in page.table:
            return "wait"
        return _send("link", self._prescribe(signs, page.table[name]))

    def _understand(self, report: str) -> tuple[str, str]:
        """The symptoms and the trouble of a report; empty if there are none."""
        said = self._meanings.get(report, report)
        for line in self._glossary:
            name, _, signs = line.partition(": ")
            if said.endswith(signs):
                return signs, name
        return "", ""

    def _prescribe(self, signs: str, treatment: str) -> str:
        """`template face intensity seconds` if the template has a code, else full English."""
        self._need(signs)
        for template in self._sentences():
            parts = match(template, treatment)
            if parts is None:
                continue
            self._need(template, parts["face"], parts["intensity"])
            code = self._code(template)
            if code is None:
                break
            words = (self._code(parts[name]) or parts[name] for name in SLOTS.values())
            return " ".join((code, *words))
        return treatment

    def _sentences(self) -> list[str]:
        """The treatments without their titles, where the rules give them."""
        return [line.partition(": ")[2] or line for line in self._templates]

    def _need(self, *concepts: str) -> None:
        for concept in concepts:
            if concept in self._needed:
                self._needed.remove(concept)
            self._needed.append(concept)

    def _propose(self, page: Page) -> str:
        """Take in agreements; propose the next definition."""
        for channel, text in page.heard:
            code = text.removeprefix("ok ")
            if channel == "postmortem" and code in self._proposed:
                self._meanings[code] = self._proposed.pop(code)
        if page.round != self._postmortem:
            self._postmortem = page.round
            for text in page.late:
                self._need(self._understand(text)[0])
            self._queue = self._choose() if page.over_budget else []
            self._needed.clear()
        if not self._queue:
            return "wait"
        meaning = self._queue.pop(0)
        code = self._letters.pop()
        self._proposed[code] = meaning
        return _send("postmortem", f"{code} = {meaning}")

    def _choose(self) -> list[str]:
        """What to define next: what was just needed, then the glossary in random order."""
        signs = [line.partition(": ")[2] for line in self._glossary]
        glossary = [*signs, *self._sentences(), *_FACES, *_INTENSITIES]
        order = [glossary[place] for place in self.rng.permutation(len(glossary))]
        known = set(self._meanings.values())
        wanted = dict.fromkeys(c for c in (*self._needed, *order) if c and c not in known)
        return list(wanted)[: self.knobs.definitions]


def _send(channel: str, text: str) -> str:
    return json.dumps({"action": "send", "channel": channel, "text": text}, ensure_ascii=False)
