"""Lewis signaling in pictures: what both see, the message on its way, and the growing codebook."""

from collections.abc import Sequence

from babelzoo.envs.core import Tables, tables
from babelzoo.envs.core._pygame import pygame
from babelzoo.envs.core.appearance import Appearances
from babelzoo.envs.core.lettering import line_height, px, text, text_width, wrap
from babelzoo.envs.core.paint import arrow, bar, box, chip, columns, matrix, panel
from babelzoo.envs.core.palette import BLUE, GROUND, INK, LINE, MUTED, ORANGE, PAPER, SKY, mix
from babelzoo.envs.core.shapes import disc, outcome, shape
from babelzoo.envs.lewis.world import LewisConfig, LewisWorld, Pool

__all__ = ["draw"]

_ROWS, _COLUMNS = 16, 12  # of the codebook, at most
_DOTS = 12  # agents of a role that are shown, at most
_PALE = mix(PAPER, SKY, 0.3)


def draw(surface: pygame.Surface, world: LewisWorld) -> None:
    """Draw a world that has been reset."""
    header, left, right = columns(surface)
    gap = px(surface, 14)
    high = max(px(surface, 84), 3 * line_height(surface))
    stage = pygame.Rect(left.x, left.y, left.w, left.h - high - gap)
    _header(surface, header, world)
    _stage(surface, stage, world)
    _last_round(surface, pygame.Rect(left.x, stage.bottom + gap, left.w, high), world)
    _codebook(surface, right, world)


class _Looks(Tables[LewisConfig]):
    """Draws the objects of one config."""

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
        """Draw an object within `radius` of `center`, with a `ring` around it if it is meant."""
        look = self._appearances.look(self._codes[thing].tolist())
        reach = max(3, round(radius * look.size))
        if ring:
            line = px(surface, 3)
            wide = round(1.3 * reach) + line
            disc(surface, center, wide + line, INK)
            disc(surface, center, wide, PAPER)
        shape(surface, look.shape, center, reach, look.color, look.pattern)


def _header(surface: pygame.Surface, rect: pygame.Rect, world: LewisWorld) -> None:
    """Title and score above, round, conditions and success rate below."""
    config, played = world.config, world.round
    won = sum(wins for uses in world.tally.values() for _, wins in uses.values())
    title = text(surface, "Lewis signaling", rect.topleft, "title")
    score = f"{won} of {played} rounds won" + (f" ({won / played:.0%})" if played else "")
    text(
        surface,
        score,
        (rect.right, title.bottom),
        "heading",
        anchor="bottomright",
        width=rect.right - title.right - px(surface, 24),
    )
    middle = title.bottom + px(surface, 8) + line_height(surface) // 2
    meter = pygame.Rect(0, 0, rect.w // 4, max(5, px(surface, 9)))
    meter.midright = (rect.right, middle)
    bar(surface, meter, won / played if played else 0.0, BLUE, 1 / config.n_candidates)
    chance = f"chance {1 / config.n_candidates:.0%}"
    at = (meter.x - px(surface, 12), middle)
    start = text(surface, chance, at, "small", MUTED, "midright").x
    number = f"Round {min(played + 1, config.n_rounds)} of {config.n_rounds}"
    x = text(surface, number, (rect.x, middle), color=MUTED, anchor="midleft").right
    for words, color in _conditions(world):
        wide = text_width(surface, words, "small") + px(surface, 18)
        x += px(surface, 12)
        if x + wide > start - px(surface, 12):
            break
        x = chip(surface, words, (x, middle), color, "midleft").right


def _conditions(world: LewisWorld) -> list[tuple[str, tuple[int, int, int]]]:
    """What sets this game apart from the default one, as chips."""
    config = world.config
    chips = [("game over", INK)] if world.over else []
    many = config.n_senders * config.n_receivers > 1
    for words, holds in (
        (f"noise {config.noise:.0%}", config.noise > 0),
        (f"{config.n_senders} × {config.n_receivers} agents", many),
        ("public board", config.public_board),
        ("shared order", config.candidate_order == "shared"),
        (f"feedback: {config.feedback}", config.feedback != "full"),
    ):
        if holds:
            chips.append((words, LINE))
    return chips


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
    if count > 1:
        shown = range(min(count, _DOTS))
        x = name.right + 3 * radius
        for other in shown:
            disc(surface, (x, middle), radius - 1, color if other == int(number) else LINE)
            x += 2 * radius + 1
        if count > _DOTS:
            text(surface, f"of {count}", (x, middle), "small", MUTED, "midleft")
    duty = "names the ringed one" if role == "sender" else "chooses"
    text(surface, duty, (rect.right, middle), "small", MUTED, "midright")
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
    least = max(38, px(surface, 70))
    room = max(2, (rect.w + gap) // (least + gap))
    marked = [things.index(thing) for thing in (target, choice) if thing in things]
    places = list(range(len(things)))
    if len(places) > room:
        others = [place for place in places if place not in marked]
        places = sorted(marked + others[: room - 1 - len(marked)])
    slots = len(places) + (len(places) < len(things))
    wide = min(px(surface, 150), (rect.w + gap) // slots - gap)
    x = rect.x + (rect.w - slots * (wide + gap) + gap) // 2
    for place in places:
        card = pygame.Rect(x, rect.y, wide, rect.h)
        thing = things[place]
        if sees_all or thing == target:
            _card(surface, card, world, thing, place + 1, thing == target)
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
    ringed: bool,
) -> None:
    """One candidate: its number, its picture, its name."""
    edge = px(surface, 3) if ringed else 1
    box(surface, rect, PAPER if ringed else GROUND, INK if ringed else LINE, px(surface, 9), edge)
    pad = px(surface, 5) + 2
    high = line_height(surface, "small")
    most = max(1, min(3, (rect.h * 55 // 100 - pad) // high))
    lines = wrap(surface, world.pool.names[thing], rect.w - 2 * edge - 2, most)
    below = rect.bottom - pad - high * len(lines)
    radius = max(4, min(below - rect.y - 2 * pad, rect.w - 2 * pad) // 2)
    center = (rect.centerx, (rect.y + below) // 2)
    tables(_Looks, world.config).paint(surface, thing, center, round(radius * 0.72), ringed)
    text(surface, str(number), (rect.x + pad, rect.y + pad - 1), "small", MUTED)
    for i, line in enumerate(lines):
        text(surface, line, (rect.centerx, below + i * high), "small", INK, "midtop")


def _message(surface: pygame.Surface, rect: pygame.Rect, world: LewisWorld) -> None:
    """The message on its way down: as sent, and under noise as heard."""
    length = world.config.message_length
    lanes = 2 if world.config.noise else 1
    pad, gap = max(3, px(surface, 8)), max(2, px(surface, 5))
    side = min(px(surface, 44), (rect.h - (lanes + 1) * 3 * pad) // lanes)
    side = max(8, min(side, rect.w * 2 // 3 // length))
    step = (rect.h - lanes * side) // (lanes + 1)
    y = rect.y
    for lane, tokens in enumerate((world.sent, world.heard)[:lanes]):
        arrow(surface, (rect.centerx, y + pad), (rect.centerx, y + step - pad))
        y += step
        tile = pygame.Rect(0, y, side, side)
        tile.x = rect.centerx - (length * (side + gap) - gap) // 2
        _tiles(surface, tile, gap, tokens, world.sent if lane else None, length)
        if lanes > 1:
            words = "heard" if lane else "sent"
            text(surface, words, (rect.x, y + side // 2), "small", MUTED, "midleft")
        y += side
    arrow(surface, (rect.centerx, y + pad), (rect.centerx, rect.bottom - pad))


def _tiles(
    surface: pygame.Surface,
    tile: pygame.Rect,
    gap: int,
    tokens: str | None,
    sent: str | None,
    length: int,
) -> None:
    """Tokens from `tile` on to the right; those that differ from `sent` are marked."""
    radius = max(2, tile.w // 6)
    step = "heading" if tile.h > line_height(surface, "heading") else "small"
    for i in range(length):
        if tokens is None:
            box(surface, tile, PAPER, LINE, radius)
        else:
            changed = sent is not None and sent[i] != tokens[i]
            fill, edge = (ORANGE, INK) if changed else (_PALE, SKY)
            box(surface, tile, fill, edge, radius, 1 + changed)
            text(surface, tokens[i], tile.center, step, INK, "center")
        tile = tile.move(tile.w + gap, 0)


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
    middle, radius = rect.centery - high // 2, max(9, px(surface, 24))
    slot = text_width(surface, "no choice", "small") // 2
    ends = (x + wide + pad + slot, rect.right - pad - slot)
    for center, thing, words in zip(
        ends, (last.target, last.choice), ("target", "chosen"), strict=True
    ):
        if thing is not None:
            tables(_Looks, world.config).paint(surface, thing, (center, middle), radius)
        label = words if thing is not None else "no choice"
        text(surface, label, (center, middle + radius + 2), "small", MUTED, "midtop")
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
    _tiles(surface, tile, gap, last.heard, last.sent, length)


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
    uses = [[tally[message].get(thing, (0, 0)) for message in messages] for thing in things]
    main = [max(range(len(things)), key=lambda i: uses[i][j][0]) for j in range(len(messages))]
    order = sorted(range(len(messages)), key=main.__getitem__)
    room = panel(surface, rect, "Codebook", f"{len(tally)} messages heard")
    small = line_height(surface, "small")
    matrix(
        surface,
        pygame.Rect(room.x, room.y, room.w, room.h - 3 * small - px(surface, 10)),
        [names[thing] for thing in things],
        [messages[j] for j in order],
        [
            [row[j][0] / max(1, meant[thing]) for j in order]
            for thing, row in zip(things, uses, strict=True)
        ],
        [[row[j][1] / max(1, row[j][0]) for j in order] for row in uses],
        lambda i, at, radius: tables(_Looks, world.config).paint(surface, things[i], at, radius),
    )
    more = []
    if len(names) > len(things):
        more.append(f"{len(names) - len(things)} more objects")
    if len(tally) > len(messages):
        more.append(f"{len(tally) - len(messages)} more messages")
    legend = (
        f"and {', '.join(more)}" if more else "",
        "Shade: share of the object's rounds.",
        "Bar: how many of these were won.",
    )
    for i, line in enumerate(reversed(legend)):
        at = (room.x, room.bottom - i * small)
        text(surface, line, at, "small", MUTED, "bottomleft", room.w)
