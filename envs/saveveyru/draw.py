"""SaveVeyru in pictures: the Veyru and what it needs, the budget, and what the pair said."""

from babelzoo.envs.core._pygame import pygame
from babelzoo.envs.core.lettering import line_height, px, text
from babelzoo.envs.core.paint import columns, header, panel
from babelzoo.envs.core.palette import (
    FAINT,
    INK,
    LINE,
    MUTED,
    PAPER,
    PURPLE,
    VERMILION,
)
from babelzoo.envs.core.shapes import box, disc, outcome
from babelzoo.envs.saveveyru.care import END_WORDS, care_height, draw_care, result_of
from babelzoo.envs.saveveyru.cube import COLLAPSED, NIGHT, SAVED, cube
from babelzoo.envs.saveveyru.hum import hum
from babelzoo.envs.saveveyru.motifs import LOCATIONS, MOTIFS
from babelzoo.envs.saveveyru.talk import channel_panel
from babelzoo.envs.saveveyru.world import VeyruWorld

__all__ = ["draw"]


def draw(surface: pygame.Surface, world: VeyruWorld) -> None:
    """Draw a world that has been reset."""
    top, left, right = columns(surface)
    gap = px(surface, 14)
    _header(surface, top, world)
    if len(world.teams) > 1:
        high = (left.h - gap) // 2
        for number, team in enumerate(world.teams):
            y = left.y + number * (high + gap)
            _half(surface, pygame.Rect(left.x, y, left.w, high), world, number)
            channel = (
                "link" if team.phase == "round" or not world.config.postmortem else "postmortem"
            )
            channel_panel(surface, pygame.Rect(right.x, y, right.w, high), world, number, channel)
        return
    high = max(px(surface, 84), 4 * line_height(surface))
    stage = pygame.Rect(left.x, left.y, left.w, left.h - high - gap)
    _whole(surface, stage, world)
    _last_round(surface, pygame.Rect(left.x, stage.bottom + gap, left.w, high), world)
    if len(world.possible_agents()) > 2:
        high = 2 * line_height(surface) + px(surface, 14)
        right.h -= high + gap
        _third(surface, pygame.Rect(right.x, right.bottom + gap, right.w, high), world)
    if not world.config.postmortem:
        channel_panel(surface, right, world, 0, "link")
        return
    high = round((right.h - gap) * (0.76 if world.teams[0].phase == "round" else 0.42))
    below = pygame.Rect(right.x, right.y + high + gap, right.w, right.h - high - gap)
    channel_panel(surface, pygame.Rect(right.x, right.y, right.w, high), world, 0, "link")
    channel_panel(surface, below, world, 0, "postmortem")


def _header(surface: pygame.Surface, rect: pygame.Rect, world: VeyruWorld) -> None:
    """How far it is, what sets the game apart from the default one, and the stages."""
    config, stages = world.config, len(world.case.stages)
    done = [team.stage for team in world.teams]
    conditions = (
        ("game over", INK, world.over),
        ("at odds", VERMILION, world.case.conflict),
        (config.mode.replace("_", " "), LINE, config.mode != "pair"),
        ("no postmortem", LINE, not config.postmortem),
        (f"noise {config.noise:.3g}", LINE, config.noise > 0),
        ("structured actions", LINE, config.action_format == "structured"),
        (f"{config.attempts} attempts a stage", LINE, config.attempts is not None),
        (f"mapping: {config.mapping}", LINE, config.mapping != "rotation"),
        (f"turn: {config.turn_cost} s", LINE, config.turn_cost > 0),
        ("messages are pulled", LINE, config.delivery == "pull"),
    )
    header(
        surface,
        rect,
        "SaveVeyru",
        f"Round {min(world.round + 1, config.n_rounds)} of {config.n_rounds}",
        [(words, color) for words, color, holds in conditions if holds],
        f"{' and '.join(map(str, done))} of {stages} stage{'s' * (stages > 1)} saved",
        sum(done) / (stages * len(done)),
    )


def _look(world: VeyruWorld, number: int) -> int:
    """What a pair's Veyru looks like."""
    result = result_of(world, number)
    if result is not None and result.end == "over_budget":
        return COLLAPSED
    stage = world.teams[number].stage
    return world.case.stages[stage] if stage < len(world.case.stages) else SAVED


def _title(world: VeyruWorld, number: int) -> str:
    """A pair's Veyru in words."""
    look = _look(world, number)
    state = {SAVED: "saved", COLLAPSED: "collapsed"}.get(look)
    if world.over:
        return f"The last Veyru: {state or 'not saved'}"
    return state.capitalize() if state else MOTIFS[look].name


def _whole(surface: pygame.Surface, rect: pygame.Rect, world: VeyruWorld) -> None:
    """The Veyru of a single pair, above what it needs."""
    place = LOCATIONS[world.case.location].removeprefix("The Veyru ").removesuffix(".")
    room = panel(surface, rect, _title(world, 0), "the game is over" if world.over else place)
    high = min(care_height(surface, room.w), room.h * 3 // 5)
    gap = px(surface, 10)
    _scene(surface, pygame.Rect(room.x, room.y, room.w, room.h - high - gap), world, 0)
    draw_care(surface, pygame.Rect(room.x, room.bottom - high, room.w, high), world, 0)


def _half(surface: pygame.Surface, rect: pygame.Rect, world: VeyruWorld, number: int) -> None:
    """One pair's Veyru beside what it needs."""
    last = result_of(world, number, any_round=True)
    aside = f"round {last.round}: {END_WORDS[last.end]}" if last else "no round has ended yet"
    room = panel(surface, rect, _title(world, number), aside)
    wide = min(room.h, room.w * 42 // 100)
    _scene(surface, pygame.Rect(room.x, room.y, wide, room.h), world, number)
    x = room.x + wide + px(surface, 14)
    draw_care(surface, pygame.Rect(x, room.y, room.right - x, room.h), world, number)


def _scene(surface: pygame.Surface, rect: pygame.Rect, world: VeyruWorld, number: int) -> None:
    """The Veyru in the dark, and its hum."""
    team, result, look = world.teams[number], result_of(world, number), _look(world, number)
    pad = px(surface, 12)
    box(surface, rect, NIGHT, None, pad)
    beside = rect.w > rect.h * 6 // 5
    wide = rect.w * 63 // 100 if beside else rect.w - pad
    high = rect.h - 2 if beside else rect.h - 3 * line_height(surface, "small") - pad
    side = max(16, min(wide, high))
    x = rect.x + ((wide if beside else rect.w) - side) // 2
    variant = 5 * (world.round - world.over) + 3 * team.stage
    y = rect.y + (rect.h - side) // 2 if beside else rect.y + pad // 2
    surface.blit(cube(look, side, team.turn, variant), (x, y))
    if beside:
        at = rect.x + max(wide, side + 1)
        aside = pygame.Rect(at, rect.y + pad, rect.right - pad - at, rect.h - 2 * pad)
    else:
        at = y + side
        aside = pygame.Rect(rect.x + pad, at, rect.w - 2 * pad, rect.bottom - pad // 2 - at)
    if beside and world.over:
        _closing(surface, aside, world, number)
    else:
        hum(surface, aside, look, team.turn)
    if result is not None:
        radius = max(8, px(surface, 16))
        center = (rect.right - pad - radius, rect.y + pad + radius)
        outcome(surface, center, radius, result.end == "stabilized")


def _closing(surface: pygame.Surface, rect: pygame.Rect, world: VeyruWorld, number: int) -> None:
    """That it is over, and how it ended."""
    rounds, result, stages = world.config.n_rounds, result_of(world, number), len(world.case.stages)
    lines = [
        ("Game over", "title", PAPER),
        (f"{rounds} round{'s' * (rounds > 1)} played", "body", FAINT),
    ]
    if result is not None:
        lines += [
            (f"the last one: {END_WORDS[result.end]}", "body", FAINT),
            (f"{world.teams[number].stage} of {stages} stages saved", "body", FAINT),
        ]
    y = rect.centery - sum(line_height(surface, step) for _, step, _ in lines) // 2
    for words, step, color in lines:
        y = text(surface, words, (rect.x, y), step, color, width=rect.w).bottom


def _last_round(surface: pygame.Surface, rect: pygame.Rect, world: VeyruWorld) -> None:
    """How the last round ended."""
    last = result_of(world, 0, any_round=True)
    box(surface, rect, PAPER, LINE, px(surface, 12))
    if last is None:
        text(surface, "No round has ended yet.", rect.center, "body", MUTED, "center", rect.w - 4)
        return
    pad, radius = max(6, px(surface, 16)), max(9, px(surface, 17))
    outcome(surface, (rect.x + pad + radius, rect.centery), radius, last.end == "stabilized")
    x = rect.x + 2 * pad + 2 * radius
    what = f"Round {last.round}: {END_WORDS[last.end]}"
    room = rect.right - pad - x
    text(surface, what, (x, rect.centery), "heading", INK, "bottomleft", room)
    words = f"{last.used} of {world.config.budget} s used"
    text(surface, words, (x, rect.centery + 1), "small", MUTED, "topleft", room)


def _third(surface: pygame.Surface, rect: pygame.Rect, world: VeyruWorld) -> None:
    """The third one, and what it does."""
    agent, config, team = world.possible_agents()[2], world.config, world.teams[0]
    seat, number = world.desks[agent].seat, world.round + 1
    if world.over:
        duty = "the game is over"
    elif seat == "observer":
        retired = next(a for a, desk in world.desks.items() if desk.seat == "retired")
        duty = f"is the observer now; {retired} has retired"
    elif seat == "listener":
        duty = f"listens; takes over in round {config.intern_takes_over}"
        if number < config.intern_joins:
            duty = f"waits; listens from round {config.intern_joins}"
    else:
        limit = "" if config.eavesdropper_budget is None else f" of {config.eavesdropper_budget}"
        duty = f"has read {team.overheard}{limit} characters of the link"
        if agent in world.ready():
            duty = f"is to guess what stage {world.view(agent).stage} needed"
    box(surface, rect, PAPER, LINE, px(surface, 12))
    radius, pad = max(4, px(surface, 7)), max(6, px(surface, 16))
    x = rect.x + pad + radius
    disc(surface, (x, rect.centery), radius, PURPLE)
    x += 2 * radius
    room = rect.right - pad - x
    text(surface, agent, (x, rect.centery), "body", INK, "bottomleft", room)
    text(surface, duty, (x, rect.centery + 1), "small", MUTED, "topleft", room)
