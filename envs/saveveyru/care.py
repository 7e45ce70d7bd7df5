"""What a Veyru needs, what was tried and what is left of the budget, drawn from top to bottom."""

from babelzoo.envs.core._pygame import pygame
from babelzoo.envs.core.charts import bar
from babelzoo.envs.core.lettering import line_height, px, text, text_width, wrap
from babelzoo.envs.core.palette import BLUE, FAINT, INK, LINE, MUTED, ORANGE, PAPER, VERMILION
from babelzoo.envs.core.shapes import disc, outcome
from babelzoo.envs.saveveyru.procedures import TEMPLATES, TITLES, render
from babelzoo.envs.saveveyru.team import Desk, Team
from babelzoo.envs.saveveyru.terms import Previous, Tried
from babelzoo.envs.saveveyru.world import VeyruWorld

__all__ = ["END_WORDS", "care_height", "draw_care", "result_of"]

_LABELS = "ABCDEFGHIJKLMN"  # of an observer's templates
END_WORDS = {
    "stabilized": "stabilised",
    "over_budget": "over budget",
    "stage_lost": "stage lost",
    "idle": "both fell silent",
    "max_turns": "out of turns",
    "model_failure": "unreadable moves",
}


def care_height(surface: pygame.Surface, width: int) -> int:
    """Room that `draw_care` needs in this width, whatever is needed."""
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


def draw_care(surface: pygame.Surface, rect: pygame.Rect, world: VeyruWorld, number: int) -> None:
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
    result = result_of(world, number)
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
        words = END_WORDS[result.end]
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


def result_of(world: VeyruWorld, number: int, any_round: bool = False) -> Previous | None:
    """How a pair's round ended; None while it runs. With `any_round`, how the last one did."""
    team = world.teams[number]
    told = [world.desks[agent].previous for agent in (team.observer, team.specialist)]
    results = [previous for previous in told if previous is not None]
    running = world.round + (not world.over)
    if not any_round:
        results = [previous for previous in results if previous.round == running]
    return max(results, key=lambda previous: previous.round, default=None)
