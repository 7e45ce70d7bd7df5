"""Lewis signaling in pictures: what both see, the message on its way, and the growing codebook."""

from collections.abc import Sequence

from babelzoo.envs.core import Tables, tables
from babelzoo.envs.core._pygame import pygame
from babelzoo.envs.core.appearance import Appearances
from babelzoo.envs.core.charts import matrix
from babelzoo.envs.core.lettering import line_height, px, text, text_width, wrap
from babelzoo.envs.core.paint import arrow, columns, header, panel, tiles
from babelzoo.envs.core.palette import BLUE, FAINT, GROUND, INK, LINE, MUTED, ORANGE, PAPER
from babelzoo.envs.core.shapes import box, disc, outcome
from babelzoo.envs.lewis.world import LewisConfig, LewisWorld, Pool

__all__ = ["draw"]

_ROWS, _COLUMNS = 16, 12  # of the codebook, at most
_DOTS = 12  # agents of a role that are shown, at most


def draw(surface: pygame.Surface, world: LewisWorld) -> None:
    """Draw a world that has been reset."""
    top, left, right = columns(surface)
    gap = px(surface, 14)
    high = max(px(surface, 84), 4 * line_height(surface))
    stage = pygame.Rect(left.x, left.y, left.w, left.h - high - gap)
    _header(surface, top, world)
    _stage(surface, stage, world)
    _last_round(surface, pygame.Rect(left.x, stage.bottom + gap, left.w, high), world)
    _codebook(surface, right, world)


class _Looks(Tables[LewisConfig]):
    """The looks of the objects of one config."""

    def __init__(self, config: LewisConfig) -> None:
        super().__init__(config)
        self._codes = tables(Pool, config).codes
        self._appearances = Appearances(config.features)

    def paint(
        self,
        surface: pygame.Surface,
        thing: int,
        center: tuple[int, int],
        radius: int,
        ring: bool = False,
    ) -> None:
        """Draw an object by its number."""
        self._appearances.paint(surface, self._codes[thing].tolist(), center, radius, ring)


def _header(surface: pygame.Surface, rect: pygame.Rect, world: LewisWorld) -> None:
    """How far it is, what sets the game apart from the default one, and the score."""
    config, played = world.config, world.round
    won = sum(wins for uses in world.tally.values() for _, wins in uses.values())
    share = won / max(1, played)
    conditions = (
        ("game over", INK, world.over),
        (f"noise {config.noise:.3g}", LINE, config.noise > 0),
        (f"{len(world.possible_agents())} agents", LINE, len(world.possible_agents()) > 2),
        ("public board", LINE, config.public_board),
        ("shared order", LINE, config.candidate_order == "shared"),
        (f"feedback: {config.feedback}", LINE, config.feedback != "full"),
    )
    header(
        surface,
        rect,
        "Lewis signaling",
        f"Round {min(played + 1, config.n_rounds)} of {config.n_rounds}",
        [(words, color) for words, color, holds in conditions if holds],
        f"{won} of {played} rounds won" + (f" ({share:.0%})" if played else ""),
        share,
        1 / config.n_candidates,
    )


def _stage(surface: pygame.Surface, rect: pygame.Rect, world: LewisWorld) -> None:
    """The sender's candidates, the message, the receiver's candidates."""
    config, last = world.config, world.last
    choice = None
    if world.over and last is not None:
        title, aside, choice = "Last round", "the game is over", last.choice
    elif world.sent is None:
        title, aside = "This round", f"{world.sender} is to send"
    else:
        title, aside = "This round", f"{world.receiver} is to choose"
    room = panel(surface, rect, title, aside)
    channel = round(room.h * (0.34 if config.noise else 0.26))
    side = (room.h - channel) // 2
    sees_all = config.sender_sees == "candidates"
    above = pygame.Rect(room.x, room.y, room.w, side)
    below = pygame.Rect(room.x, room.bottom - side, room.w, side)
    cards = _caption(surface, above, world.sender, config.n_senders, BLUE)
    _cards(surface, cards, world, world.candidates, world.target, None, sees_all)
    cards = _caption(surface, below, world.receiver, config.n_receivers, ORANGE)
    _cards(surface, cards, world, world.receiver_candidates, None, choice, True)
    middle = pygame.Rect(room.x, above.bottom, room.w, below.y - above.bottom)
    _message(surface, middle, world)


def _caption(
    surface: pygame.Surface, rect: pygame.Rect, agent: str, count: int, color: tuple[int, int, int]
) -> pygame.Rect:
    """Who plays, among how many; gives the room below."""
    high = line_height(surface)
    radius = max(4, px(surface, 7))
    middle = rect.y + high // 2
    disc(surface, (rect.x + radius, middle), radius, color)
    name = text(surface, agent, (rect.x + 3 * radius, middle), anchor="midleft")
    role, _, number = agent.rpartition("_")
    x = name.right + 3 * radius
    if count > 1:
        for other in range(min(count, _DOTS)):
            disc(surface, (x, middle), radius - 1, color if other == int(number) else LINE)
            x += 2 * radius + 1
        if count > _DOTS:
            x = text(surface, f"of {count}", (x, middle), "small", MUTED, "midleft").right
    duty = "names the ringed one" if role == "sender" else "chooses"
    text(surface, duty, (rect.right, middle), "small", MUTED, "midright", rect.right - x - radius)
    top = high + px(surface, 6)
    return pygame.Rect(rect.x, rect.y + top, rect.w, rect.h - top)


def _cards(
    surface: pygame.Surface,
    rect: pygame.Rect,
    world: LewisWorld,
    things: Sequence[int],
    target: int | None,
    choice: int | None,
    sees_all: bool,
) -> None:
    """Candidates in an agent's order, as many as have room, marked ones always."""
    gap = px(surface, 8)
    least = max(34, px(surface, 70))
    room = max(2, (rect.w + gap) // (least + gap))
    marked = [things.index(thing) for thing in (target, choice) if thing in things]
    places = list(range(len(things)))
    if len(places) > room:
        others = [place for place in places if place not in marked]
        places = sorted(marked + others[: room - 1 - len(marked)])
    slots = len(places) + (len(places) < len(things))
    wide = min(px(surface, 150), (rect.w + gap) // slots - gap)
    x = rect.x + (rect.w - slots * (wide + gap) + gap) // 2
    most = max(1, rect.h // 2 // line_height(surface, "small"))
    room = wide - 2 * px(surface, 3) - 2
    names = [wrap(surface, world.pool.names[things[place]], room, min(4, most)) for place in places]
    lines = max(map(len, names))
    for place, name in zip(places, names, strict=True):
        card = pygame.Rect(x, rect.y, wide, rect.h)
        thing = things[place]
        if sees_all or thing == target:
            _card(surface, card, world, thing, place + 1, name, lines, thing == target)
        else:
            box(surface, card, GROUND, LINE, px(surface, 9))
            text(surface, "hidden", card.center, "small", MUTED, "center", wide - 4)
        if thing == choice:
            radius = max(8, px(surface, 14))
            corner = (card.right - radius, card.y + radius)
            outcome(surface, corner, radius, choice == world.target)
        x += wide + gap
    if slots > len(places):
        more = f"+{len(things) - len(places)}"
        text(surface, more, (x + wide // 2, rect.centery), "body", MUTED, "center", wide)


def _card(
    surface: pygame.Surface,
    rect: pygame.Rect,
    world: LewisWorld,
    thing: int,
    number: int,
    name: Sequence[str],
    lines: int,
    ringed: bool,
) -> None:
    """One candidate: its number, its picture, and its name in the room of so many lines."""
    edge = px(surface, 3) if ringed else 1
    box(surface, rect, PAPER if ringed else GROUND, INK if ringed else LINE, px(surface, 9), edge)
    pad, high = px(surface, 5) + 2, line_height(surface, "small")
    below = rect.bottom - pad - high * lines
    radius = max(4, min(below - rect.y - 2 * pad, rect.w - 2 * pad) // 2)
    center = (rect.centerx, (rect.y + below) // 2)
    tables(_Looks, world.config).paint(surface, thing, center, round(radius * 0.72), ringed)
    text(surface, str(number), (rect.x + pad, rect.y + pad - 1), "small", MUTED)
    for i, line in enumerate(name):
        text(surface, line, (rect.centerx, below + i * high), "small", INK, "midtop")


def _message(surface: pygame.Surface, rect: pygame.Rect, world: LewisWorld) -> None:
    """The message on its way down: as sent, and under noise as heard."""
    length = world.config.message_length
    lanes = 2 if world.config.noise else 1
    pad, gap = max(3, px(surface, 8)), max(2, px(surface, 5))
    side = min(px(surface, 44), (rect.h - (lanes + 1) * 3 * pad) // lanes)
    side = max(8, min(side, rect.w * 2 // 3 // length))
    step = (rect.h - lanes * side) // (lanes + 1)
    y, color = rect.y, FAINT if world.sent is None else MUTED
    for lane, tokens in enumerate((world.sent, world.heard)[:lanes]):
        arrow(surface, (rect.centerx, y + pad), (rect.centerx, y + step - pad), color)
        y += step
        tile = pygame.Rect(0, y, side, side)
        tile.x = rect.centerx - (length * (side + gap) - gap) // 2
        marked = _changed(world.sent, world.heard) if lane else ()
        tiles(surface, tile, gap, tokens or [""] * length, marked)
        if lanes > 1:
            words = "heard" if lane else "sent"
            text(surface, words, (rect.x, y + side // 2), "small", MUTED, "midleft")
        y += side
    arrow(surface, (rect.centerx, y + pad), (rect.centerx, rect.bottom - pad), color)


def _changed(sent: str | None, heard: str | None) -> list[bool]:
    """Which tokens the noise changed."""
    return [a != b for a, b in zip(sent or "", heard or "", strict=True)]


def _last_round(surface: pygame.Surface, rect: pygame.Rect, world: LewisWorld) -> None:
    """How the last round ended: its target, the message, the choice."""
    last = world.last
    box(surface, rect, PAPER, LINE, px(surface, 12))
    if last is None:
        text(surface, "No round has ended yet.", rect.center, "body", MUTED, "center")
        return
    pad, radius = max(6, px(surface, 16)), max(9, px(surface, 17))
    outcome(surface, (rect.x + pad + radius, rect.centery), radius, last.success)
    x, wide = rect.x + 2 * pad + 2 * radius, rect.w * 34 // 100
    what = f"Round {last.round}: {'success' if last.success else 'failure'}"
    text(surface, what, (x, rect.centery), "heading", INK, "bottomleft", wide)
    players = f"{last.sender} to {last.receiver}"
    text(surface, players, (x, rect.centery + 1), "small", MUTED, "topleft", wide)
    high = line_height(surface, "small")
    middle, radius = rect.centery - high // 2, max(14, px(surface, 24))
    slot = text_width(surface, "no choice", "small") // 2
    ends = (x + wide + pad + slot, rect.right - pad - slot)
    for center, thing, words in zip(
        ends, (last.target, last.choice), ("target", "chosen"), strict=True
    ):
        if thing is not None:
            tables(_Looks, world.config).paint(surface, thing, (center, middle), radius)
        else:
            words = "no choice"
            text(surface, "–", (center, middle), "heading", FAINT, "center")
        text(surface, words, (center, middle + radius + 2), "small", MUTED, "midtop")
    room = ends[1] - ends[0] - 2 * max(slot, radius) - pad
    center = sum(ends) // 2
    if last.heard is None:
        text(surface, "no message", (center, middle), "small", MUTED, "center", room)
        return
    length, gap = len(last.heard), px(surface, 3)
    side = min(px(surface, 28), (room + gap) // length - gap)
    if side < text_width(surface, "M", "small"):
        text(surface, last.heard, (center, middle), "small", INK, "center", room)
        return
    tile = pygame.Rect(0, 0, side, max(side, high + 2))
    tile.midleft = (center - (length * (side + gap) - gap) // 2, middle)
    tiles(surface, tile, gap, last.heard, _changed(last.sent, last.heard))


def _codebook(surface: pygame.Surface, rect: pygame.Rect, world: LewisWorld) -> None:
    """What each message was used for: the objects most meant by the messages most heard."""
    tally, names = world.tally, world.pool.names
    meant = dict.fromkeys(range(min(_ROWS, len(names))), 0)
    count = dict.fromkeys(tally, 0)
    for message, uses in tally.items():
        for thing, (times, _) in uses.items():
            meant[thing] = meant.get(thing, 0) + times
            count[message] += times
    things = sorted(sorted(meant, key=lambda thing: -meant[thing])[:_ROWS])
    messages = sorted(tally, key=lambda message: -count[message])[:_COLUMNS]
    cells = [[tally[message].get(thing, (0, 0)) for message in messages] for thing in things]
    main = [max(range(len(things)), key=lambda i: cells[i][j][0]) for j in range(len(messages))]
    order = sorted(range(len(messages)), key=main.__getitem__)
    room = panel(surface, rect, "Codebook", f"different messages heard: {len(tally)}")
    small = line_height(surface, "small")
    matrix(
        surface,
        pygame.Rect(room.x, room.y, room.w, room.h - 3 * small - px(surface, 10)),
        [names[thing] for thing in things],
        [messages[j] for j in order],
        [
            [row[j][0] / max(1, meant[thing]) for j in order]
            for thing, row in zip(things, cells, strict=True)
        ],
        [[row[j][1] / max(1, row[j][0]) for j in order] for row in cells],
        lambda i, at, radius: tables(_Looks, world.config).paint(surface, things[i], at, radius),
    )
    left = (("object", len(names) - len(things)), ("message", len(tally) - len(messages)))
    more = " and ".join(f"{n} more {what}{'s' * (n > 1)}" for what, n in left if n)
    legend = (
        f"and {more}" if more else "",
        "Shade: share of the object's rounds.",
        "Bar: how many of these were won.",
    )
    for i, line in enumerate(reversed(legend)):
        at = (room.x, room.bottom - i * small)
        text(surface, line, at, "small", MUTED, "bottomleft", room.w)
