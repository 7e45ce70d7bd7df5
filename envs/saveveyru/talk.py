"""What was said on a channel, as two columns of bubbles."""

from babelzoo.envs.core._pygame import pygame
from babelzoo.envs.core.lettering import line_height, px, text, text_width, wrap
from babelzoo.envs.core.paint import chip, panel
from babelzoo.envs.core.palette import BLUE, INK, MUTED, ORANGE, PAPER, PURPLE, mix
from babelzoo.envs.core.shapes import box, disc
from babelzoo.envs.saveveyru.team import Team
from babelzoo.envs.saveveyru.terms import Said
from babelzoo.envs.saveveyru.world import VeyruWorld

__all__ = ["channel_panel"]

_LONGEST = 400  # characters of a message that are laid out
_DEEPEST = 6  # lines of a bubble
_SPEAKERS = {"observer": BLUE, "specialist": ORANGE}


def channel_panel(
    surface: pygame.Surface, rect: pygame.Rect, world: VeyruWorld, number: int, channel: str
) -> None:
    """What was said on a channel, the latest if there is too much."""
    team, config = world.teams[number], world.config
    said = [message for message in team.said if message.channel == channel]
    phase = "round" if channel == "link" else "postmortem"
    is_open = team.phase == phase and not world.over
    count = f"{len(said)} message{'s' * (len(said) != 1)}"
    if channel == "link":
        room = panel(surface, rect, "Link", f"{count}, {team.characters} characters")
    else:
        room = panel(surface, rect, "Postmortem", f"{count}, free of charge", PURPLE)
    small = line_height(surface, "small")
    mover = team.mover if is_open and team.mover in world.ready() else ""
    caption = pygame.Rect(room.x, room.y, room.w, small + px(surface, 4))
    _captions(surface, caption, team, mover)
    top = caption.bottom + px(surface, 8)
    room = pygame.Rect(room.x, top, room.w, max(0, room.bottom - top))
    if said:
        _bubbles(surface, room, said, config.min_cost if channel == "link" else None)
    elif room.h >= small:
        words = "Nothing has been said." if is_open or team.phase != "round" else "Not open yet."
        text(surface, words, room.center, "small", MUTED, "center", room.w)


def _captions(surface: pygame.Surface, rect: pygame.Rect, team: Team, mover: str) -> None:
    """Who speaks on which side, and whose turn it is."""
    radius, gap = max(4, px(surface, 7)), px(surface, 8)
    room = rect.w // 2 - 3 * radius
    for agent, color in ((team.observer, BLUE), (team.specialist, ORANGE)):
        left = agent == team.observer
        sign = 1 if left else -1
        x = (rect.x if left else rect.right) + sign * radius
        disc(surface, (x, rect.centery), radius, color)
        at = (x + 2 * sign * radius, rect.centery)
        anchor = "midleft" if left else "midright"
        name = text(surface, agent, at, "small", INK, anchor, max(1, room))
        wide = text_width(surface, "to act", "small") + 2 * px(surface, 9)
        if agent == mover and name.w + gap + wide <= room:
            at = ((name.right + gap) if left else (name.x - gap), rect.centery)
            chip(surface, "to act", at, INK, anchor)


def _bubbles(
    surface: pygame.Surface, rect: pygame.Rect, said: list[Said], min_cost: int | None
) -> None:
    """The last messages that have room, and how many came before. `min_cost` is None if free."""
    small, pad, gap = line_height(surface, "small"), px(surface, 8), px(surface, 7)
    costs = ["" if min_cost is None else f"{max(len(one.text), min_cost)} s" for one in said]
    aside = max(text_width(surface, cost, "small") for cost in costs) + gap
    wide = max(1, rect.w * 94 // 100 - aside - 2 * pad)
    most = min(_DEEPEST, (rect.h - pad - small - gap) // small)
    shown: list[tuple[str, ...]] = []
    left = rect.h + gap
    for place in reversed(range(len(said))):
        lines = _laid_out(surface, said[place].text, wide, most)
        left -= len(lines) * small + pad + gap
        if most < 1 or left < (small + gap if place else 0):
            break
        shown.insert(0, lines)
    first, y = len(said) - len(shown), rect.y
    if first and rect.h >= small:
        words = f"{first} earlier message{'s' * (first > 1)}"
        y = text(surface, words, rect.midtop, "small", MUTED, "midtop", rect.w).y + small + gap
    for one, lines, cost in zip(said[first:], shown, costs[first:], strict=True):
        across = max(text_width(surface, line, "small") for line in lines) + 2 * pad
        bubble = pygame.Rect(rect.x, y, across, len(lines) * small + pad)
        at, anchor = (bubble.right + gap, bubble.centery), "midleft"
        if one.by != "observer":
            bubble.right = rect.right
            at, anchor = (bubble.x - gap, bubble.centery), "midright"
        color = _SPEAKERS[one.by]
        box(surface, bubble, mix(PAPER, color, 0.16), mix(PAPER, color, 0.6), px(surface, 9))
        for i, line in enumerate(lines):
            text(surface, line, (bubble.x + pad, bubble.y + pad // 2 + i * small), "small")
        text(surface, cost, at, "small", MUTED, anchor)
        y = bubble.bottom + gap


def _laid_out(surface: pygame.Surface, words: str, width: int, lines: int) -> tuple[str, ...]:
    """A message in lines; words that are too long for one, such as codes, are broken."""
    words = words[: _LONGEST + 1]
    widest = text_width(surface, "W", "small")
    if any(len(word) * widest > width for word in words.split()):
        words = " ".join(_broken(surface, word, width) for word in words.split())
    return wrap(surface, words, width, lines) or ("(blank)",)


def _broken(surface: pygame.Surface, word: str, width: int) -> str:
    """Parts of a word that fit, with spaces between them."""
    parts = []
    while word:
        low, high = 1, len(word)
        while low < high:
            middle = (low + high + 1) // 2
            fits = text_width(surface, word[:middle], "small") <= width
            low, high = (middle, high) if fits else (low, middle - 1)
        parts.append(word[:low])
        word = word[low:]
    return " ".join(parts)
