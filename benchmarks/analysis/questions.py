"""Questions about the code itself, found by rule: "what is zn?", "spell hf".

Source: GlossoGen 2026, metalinguistic questions. There a language model labels every message; here
a message is one if it asks (it ends with a question mark or starts with a verb of decoding) and
names a token that the partner has sent before. A bare "?" asks nothing.
"""

import re
from collections.abc import Sequence

import msgspec

__all__ = ["Message", "Question", "questions"]

_ASKING = re.compile(r"(?:spell|plain|full|clarify|raw|mean|meaning|explain|decode)\b")
_TOKEN = re.compile(r"[^\W_]+")
_COMMON = (
    "a an and are be by can did do does for full he how i in is it just mean meaning means no of "
    "on ok or plain please say should so spell that the then they this to was what which with yes "
    "you your"
)  # words that are no tokens of a code


class Message(msgspec.Struct, frozen=True):
    """What somebody said on a channel.

    Attributes:
        speaker: Who.
        text: What.
    """

    speaker: str
    text: str


class Question(msgspec.Struct, frozen=True):
    """A message that asks what something means.

    Attributes:
        place: Its place among the messages.
        tokens: The partner's tokens that it asks about, lower case.
    """

    place: int
    tokens: tuple[str, ...]


def questions(messages: Sequence[Message]) -> list[Question]:
    """The messages that ask about the code, in order.

    Args:
        messages: All messages of a conversation in order. Common English words are no tokens.
    """
    common = set(_COMMON.split())
    heard: dict[str, set[str]] = {}
    found = []
    for place, message in enumerate(messages):
        text = message.text.strip().lower()
        tokens = [token for token in _TOKEN.findall(text) if token not in common]
        known: set[str] = set()
        for speaker, said in heard.items():
            if speaker != message.speaker:
                known |= said
        asked = tuple(dict.fromkeys(token for token in tokens if token in known))
        if asked and (text.endswith("?") or _ASKING.match(text)):
            found.append(Question(place, asked))
        heard.setdefault(message.speaker, set()).update(tokens)
    return found
