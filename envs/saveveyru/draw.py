"""SaveVeyru in pictures: the Veyru and what it needs, the budget, and what the pair said."""

from babelzoo.envs.core._pygame import pygame
from babelzoo.envs.core.charts import bar
from babelzoo.envs.core.lettering import line_height, px, text, text_width, wrap
from babelzoo.envs.core.paint import columns, header, panel
from babelzoo.envs.core.palette import (
    BLUE,
    FAINT,
    INK,
    LINE,
    MUTED,
    ORANGE,
    PAPER,
    PURPLE,
    VERMILION,
)
from babelzoo.envs.core.shapes import box, disc, outcome
from babelzoo.envs.saveveyru.cube import COLLAPSED, NIGHT, SAVED, cube
from babelzoo.envs.saveveyru.hum import hum
from babelzoo.envs.saveveyru.motifs import LOCATIONS, MOTIFS
from babelzoo.envs.saveveyru.procedures import TEMPLATES, TITLES, render
from babelzoo.envs.saveveyru.talk import channel_panel
from babelzoo.envs.saveveyru.team import Desk, Team
from babelzoo.envs.saveveyru.terms import Previous, Tried
from babelzoo.envs.saveveyru.world import VeyruWorld

__all__ = ["draw"]

_LABELS = "ABCDEFGHIJKLMN"  # of an observer's templates
_ENDS = {
    "stabilized": "stabilised",
    "over_budget": "over budget",
    "stage_lost": "stage lost",
    "idle": "both fell silent",
    "max_turns": "out of turns",
    "model_failure": "unreadable moves",
}


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


def _result(world: VeyruWorld, number: int, any_round: bool = False) -> Previous | None:
    """How a pair's round ended; None while it runs. With `any_round`, how the last one did."""
    team = world.teams[number]
    told = [world.desks[agent].previous for agent in (team.observer, team.specialist)]
    results = [previous for previous in told if previous is not None]
    running = world.round + (not world.over)
    if not any_round:
        results = [previous for previous in results if previous.round == running]
    return max(results, key=lambda previous: previous.round, default=None)


def _look(world: VeyruWorld, number: int) -> int:
    """What a pair's Veyru looks like."""
    result = _result(world, number)
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
    high = min(_high(surface, room.w), room.h * 3 // 5)
    gap = px(surface, 10)
    _scene(surface, pygame.Rect(room.x, room.y, room.w, room.h - high - gap), world, 0)
    _needs(surface, pygame.Rect(room.x, room.bottom - high, room.w, high), world, 0)


def _half(surface: pygame.Surface, rect: pygame.Rect, world: VeyruWorld, number: int) -> None:
    """One pair's Veyru beside what it needs."""
    last = _result(world, number, any_round=True)
    aside = f"round {last.round}: {_ENDS[last.end]}" if last else "no round has ended yet"
    room = panel(surface, rect, _title(world, number), aside)
    wide = min(room.h, room.w * 42 // 100)
    _scene(surface, pygame.Rect(room.x, room.y, wide, room.h), world, number)
    x = room.x + wide + px(surface, 14)
    _needs(surface, pygame.Rect(x, room.y, room.right - x, room.h), world, number)


def _scene(surface: pygame.Surface, rect: pygame.Rect, world: VeyruWorld, number: int) -> None:
    """The Veyru in the dark, and its hum."""
    team, result, look = world.teams[number], _result(world, number), _look(world, number)
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
    rounds, result, stages = world.config.n_rounds, _result(world, number), len(world.case.stages)
    lines = [
        ("Game over", "title", PAPER),
        (f"{rounds} round{'s' * (rounds > 1)} played", "body", FAINT),
    ]
    if result is not None:
        lines += [
            (f"the last one: {_ENDS[result.end]}", "body", FAINT),
            (f"{world.teams[number].stage} of {stages} stages saved", "body", FAINT),
        ]
    y = rect.centery - sum(line_height(surface, step) for _, step, _ in lines) // 2
    for words, step, color in lines:
        y = text(surface, words, (rect.x, y), step, color, width=rect.w).bottom


def _high(surface: pygame.Surface, width: int) -> int:
    """Room that `_needs` needs in this width, whatever is needed."""
    small, gap = line_height(surface, "small"), px(surface, 8)
    return (
        2 * max(7, px(surface, 13))
        + line_height(surface)
        + (_lines(surface, width) + 2) * small
        + max(6, px(surface, 12))
        + 5 * gap
    )


def _lines(surface: pygame.Surface, width: int) -> int:
    """Lines that the longest procedure takes."""
    return text_width(surface, max(TEMPLATES, key=len), "small") * 21 // 20 // max(1, width) + 1


def _needs(surface: pygame.Surface, rect: pygame.Rect, world: VeyruWorld, number: int) -> None:
    """The stages, what this one needs, what was tried, and the budget, from top to bottom."""
    team, case = world.teams[number], world.case
    desk = world.desks[team.observer]
    small, gap = line_height(surface, "small"), px(surface, 8)
    y = _stages(surface, rect, world, number) + gap
    meter = max(6, px(surface, 12))
    below = rect.bottom - meter - small - gap
    _budget(surface, pygame.Rect(rect.x, below, rect.w, rect.bottom - below), world, team)
    if team.stage == len(case.stages):
        text(surface, "Nothing more is needed.", (rect.x, y), "body", MUTED, width=rect.w)
    else:
        procedure = case.procedures[team.stage]
        title = f"Needs: {TITLES[procedure.template]}"
        if procedure.template in desk.labels:
            title += f" (label {_LABELS[desk.labels.index(procedure.template)]})"
        y = text(surface, title, (rect.x, y), "body", width=rect.w).bottom
        lines = max(1, min((below - y - small - 3 * gap // 2) // small, _lines(surface, rect.w)))
        for line in wrap(surface, render(procedure), rect.w, lines):
            y = text(surface, line, (rect.x, y), "small", MUTED).y + small
    if below - small - gap >= y:
        _tried(surface, pygame.Rect(rect.x, below - small - gap, rect.w, small), desk)


def _stages(surface: pygame.Surface, rect: pygame.Rect, world: VeyruWorld, number: int) -> int:
    """Marks of the stages: done, running, to come; gives where they end."""
    team, stages = world.teams[number], len(world.case.stages)
    result = _result(world, number)
    radius = max(3, min(max(7, px(surface, 13)), rect.w * 6 // 10 // stages // 2 - 1))
    x, y = rect.x + radius, rect.y + radius
    for stage in range(stages):
        if stage < team.stage or (stage == team.stage and result is not None):
            outcome(surface, (x, y), radius, stage < team.stage)
        else:
            running = stage == team.stage
            disc(surface, (x, y), radius, INK if running else LINE)
            if radius > 6:
                color = PAPER if running else MUTED
                text(surface, str(stage + 1), (x, y), "small", color, "center")
        x += 2 * radius + px(surface, 6)
    limit = world.config.attempts
    words = f"attempt {team.attempts + 1}" + (f" of {limit}" if limit else "")
    if result is not None:
        words = _ENDS[result.end]
    at = (rect.right, y)
    text(surface, words, at, "small", MUTED, "midright", max(1, rect.right - x))
    return y + radius


def _tried(surface: pygame.Surface, rect: pygame.Rect, desk: Desk) -> None:
    """What the observer did last, and what came of it."""
    tried = [entry for entry in (*desk.log, *desk.new) if isinstance(entry, Tried)]
    if not tried:
        text(surface, "Nothing has been tried.", rect.midleft, "small", FAINT, "midleft", rect.w)
        return
    radius = max(5, rect.h // 2)
    outcome(surface, (rect.x + radius, rect.centery), radius, tried[-1].result == "works")
    x = rect.x + 3 * radius
    words = f"Tried: {tried[-1].procedure}"
    text(surface, words, (x, rect.centery), "small", INK, "midleft", rect.right - x)


def _budget(surface: pygame.Surface, rect: pygame.Rect, world: VeyruWorld, team: Team) -> None:
    """Seconds used, with a notch where the warning comes."""
    budget, used = world.config.budget, team.used
    color, words = BLUE, f"{max(0, budget - used)} s left"
    if used > budget:
        color, words = VERMILION, f"{used - budget} s too many"
    elif team.warned:
        color, words = ORANGE, f"warning: {budget - used} s left"
    left = text(surface, f"{used} of {budget} s used", rect.topleft, "small", width=rect.w)
    at, room = (rect.right, rect.y), rect.right - left.right - px(surface, 8)
    text(surface, words, at, "small", INK if color != BLUE else MUTED, "topright", max(1, room))
    high = rect.h - line_height(surface, "small") - px(surface, 4)
    meter = pygame.Rect(rect.x, rect.bottom - high, rect.w, high)
    bar(surface, meter, used / budget if budget else float(used > 0), color, 0.75)


def _last_round(surface: pygame.Surface, rect: pygame.Rect, world: VeyruWorld) -> None:
    """How the last round ended."""
    last = _result(world, 0, any_round=True)
    box(surface, rect, PAPER, LINE, px(surface, 12))
    if last is None:
        text(surface, "No round has ended yet.", rect.center, "body", MUTED, "center", rect.w - 4)
        return
    pad, radius = max(6, px(surface, 16)), max(9, px(surface, 17))
    outcome(surface, (rect.x + pad + radius, rect.centery), radius, last.end == "stabilized")
    x = rect.x + 2 * pad + 2 * radius
    what = f"Round {last.round}: {_ENDS[last.end]}"
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
