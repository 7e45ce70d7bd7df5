"""Suites: benchmarks as data, in TOML files.

A suite crosses *settings* (knobs of an environment) with *players* (policies) and plays every
cell on every seed. Beside the measures it may hold the figures of a paper and contrasts between
cells. Users write their own files with the same keys.
"""

import re
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from babelzoo.agents import resolve
from babelzoo.benchmarks.measures import MEASURES
from babelzoo.benchmarks.rundir import Job, Swap
from babelzoo.envs.core import ConfigError, find_game, nearest

__all__ = [
    "Contrast",
    "Correlation",
    "Paper",
    "Player",
    "Setting",
    "Suite",
    "jobs_of",
    "load_suite",
    "suite_names",
]

_SEPARATOR = " @ "


class Setting(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One setting of the environment's knobs.

    Attributes:
        name: Its name in tables.
        knobs: Knobs on top of the suite's.
        x: Where it stands on a plot's axis.
        swap: Newcomers in the middle of each episode.
    """

    name: str
    knobs: dict[str, Any] = {}
    x: float | None = None
    swap: Swap | None = None


class Player(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who plays.

    Attributes:
        name: Its name in tables.
        policies: Policy by agent, role or pattern.
        stands_for: What of the paper it stands for; empty for controls.
        settings: The settings it plays in; all if empty.
        line: The line of a `memory` plot that it is a point of.
        x: Where it stands on that line.
    """

    name: str
    policies: dict[str, str]
    stands_for: str = ""
    settings: tuple[str, ...] = ()
    line: str = ""
    x: float | None = None


class Paper(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A figure of the paper.

    Attributes:
        who: What it was measured of; a player's `stands_for`.
        measure: The measure.
        value: The figure.
        setting: The setting's name; empty if the suite has one setting.
        spread: Standard deviation over seeds, if it is given.
        n: Number of seeds.
    """

    who: str
    measure: str
    value: float
    setting: str = ""
    spread: float | None = None
    n: int = 1


class Contrast(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A weighted sum of cells, taken seed by seed; `{"a @ x" = 1, "b @ x" = -1}`."""

    name: str
    measure: str
    weights: dict[str, float]


class Correlation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Pearson's r of two measures over runs, and the paper's."""

    measures: tuple[str, str]
    paper: float


class Suite(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A benchmark.

    Attributes:
        name: Its name on the command line.
        title: One line.
        environment: The game's id.
        settings: The settings.
        players: The players.
        seeds: Number of seeds, from `first_seed` on.
        quick_seeds: Number of seeds with `--quick`.
        first_seed: The first seed.
        knobs: Knobs of all settings.
        measures: Columns of the table.
        record: Episodes of each cell that are recorded.
        plots: Plots that are drawn: `learning`, `capacity`, `memory`, `rounds`, `transmission`.
        sayings: Whether a table shows how each player says one thing.
        source: Where the paper's figures come from.
        differs: What differs from the paper, in words.
        paper: The paper's figures.
        contrasts: Contrasts between cells.
        correlation: Two measures whose correlation over runs is shown, and the paper's.
    """

    name: str
    title: str
    environment: str
    settings: tuple[Setting, ...]
    players: tuple[Player, ...]
    seeds: Annotated[int, Meta(ge=1)]
    quick_seeds: Annotated[int, Meta(ge=1)] = 5
    first_seed: Annotated[int, Meta(ge=0)] = 1
    knobs: dict[str, Any] = {}
    measures: tuple[str, ...] = ("success_rate",)
    record: Annotated[int, Meta(ge=0)] = 1
    plots: tuple[Literal["learning", "capacity", "memory", "rounds", "transmission"], ...] = ()
    sayings: bool = False
    source: str = ""
    differs: str = ""
    paper: tuple[Paper, ...] = ()
    contrasts: tuple[Contrast, ...] = ()
    correlation: Correlation | None = None

    def cells(self) -> Iterator[tuple[Setting, Player]]:
        """Every setting with every player that plays in it."""
        for setting in self.settings:
            for player in self.players:
                if not player.settings or setting.name in player.settings:
                    yield setting, player

    def condition(self, setting: Setting, player: Player) -> str:
        """The name of a cell: `player @ setting`, or `player` if there is one setting."""
        return (
            player.name if len(self.settings) == 1 else f"{player.name}{_SEPARATOR}{setting.name}"
        )


def suite_names() -> tuple[str, ...]:
    """The suites that come with BabelZoo."""
    folder = files("babelzoo.benchmarks.suites")
    return tuple(
        sorted(
            entry.name.removesuffix(".toml")
            for entry in folder.iterdir()
            if entry.name.endswith(".toml")
        )
    )


def load_suite(name: str) -> Suite:
    """A suite by name, or from a TOML file.

    Raises:
        ConfigError: There is no such suite, or its file is not what it should be.
    """
    if name in suite_names():
        data = files("babelzoo.benchmarks.suites").joinpath(f"{name}.toml").read_bytes()
    elif name.endswith(".toml"):
        try:
            data = Path(name).read_bytes()
        except OSError as error:
            raise ConfigError(f"expected a suite at {name}: {error.strerror}.") from None
    else:
        raise ConfigError(f"there is no suite {name!r}: {nearest(name, suite_names())}")
    try:
        suite = msgspec.convert(tomllib.loads(data.decode()), Suite)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError) as error:
        raise ConfigError(f"suite {name}: {str(error).replace('`', '')}.") from None
    _check(suite)
    return suite


def _check(suite: Suite) -> None:
    """Refuse a suite whose parts don't fit, before anything is played."""
    game = find_game(suite.environment)
    conditions = [suite.condition(setting, player) for setting, player in suite.cells()]
    if len(set(conditions)) < len(conditions):
        raise ConfigError(f"suite {suite.name}: expected cells with different names.")
    for setting in suite.settings:
        config = game.configure(suite.knobs | setting.knobs)
        if setting.swap is not None:
            _check_swap(suite, setting, setting.swap, game.world(config).possible_agents())
    for player in suite.players:
        for policy in player.policies.values():
            resolve(policy, suite.environment.rpartition("-v")[0])
    named = [
        *(suite.correlation.measures if suite.correlation else ()),
        *suite.measures,
        *(p.measure for p in suite.paper),
        *(c.measure for c in suite.contrasts),
    ]
    for measure in named:
        if measure not in MEASURES:
            raise ConfigError(
                f"suite {suite.name}: no measure {measure!r}: {nearest(measure, MEASURES)}"
            )
    for contrast in suite.contrasts:
        for cell in contrast.weights:
            if cell not in conditions:
                raise ConfigError(
                    f"suite {suite.name}: no cell {cell!r}: {nearest(cell, conditions)}"
                )


def _check_swap(suite: Suite, setting: Setting, swap: Swap, agents: tuple[str, ...]) -> None:
    find_game(suite.environment).configure(suite.knobs | setting.knobs | swap.knobs)
    for agent, policy in swap.replace.items():
        if agent not in agents:
            raise ConfigError(
                f"suite {suite.name}: {setting.name} replaces {agent!r}: {nearest(agent, agents)}"
            )
        if policy != "same":
            resolve(policy, suite.environment.rpartition("-v")[0])


def jobs_of(suite: Suite, *, seeds: int | None = None, record: bool = False) -> list[Job]:
    """The suite's episodes, cell by cell.

    Args:
        suite: The suite.
        seeds: Seeds a cell instead of the suite's own number.
        record: Record every episode, not only the first ones of each cell.
    """
    jobs: list[Job] = []
    count = suite.seeds if seeds is None else seeds
    for setting, player in suite.cells():
        condition = suite.condition(setting, player)
        for place in range(count):
            seed = suite.first_seed + place
            jobs.append(
                Job(
                    key=f"{_slug(condition)}-seed{seed}",
                    condition=condition,
                    game=suite.environment,
                    knobs=suite.knobs | setting.knobs,
                    policies=player.policies,
                    env_seed=seed,
                    policy_seed=seed,
                    record=record or place < suite.record,
                    swap=setting.swap,
                )
            )
    return jobs


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
