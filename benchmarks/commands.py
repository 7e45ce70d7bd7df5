"""What the verbs that play do, and `list`; each gives back a report."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from babelzoo.agents import policy_names
from babelzoo.agents.registry import games_of, policy_classes
from babelzoo.benchmarks import replaying
from babelzoo.benchmarks.options import assignment, knob
from babelzoo.benchmarks.recording import read_recording
from babelzoo.benchmarks.report import Report, write_report
from babelzoo.benchmarks.rundir import Job, Result, read_results
from babelzoo.benchmarks.runner import run_jobs
from babelzoo.benchmarks.sayings import sayings_table
from babelzoo.benchmarks.suite import Suite, jobs_of, load_suite, suite_names
from babelzoo.benchmarks.tables import Table, summary_table, tables_of
from babelzoo.envs.core import BabelZooError, ConfigError, MissingExtra, find_game, game_ids

__all__ = ["Stopped", "bench", "catalogue", "run"]


class Stopped(BabelZooError):
    """Ctrl-C ended a run; what was played is kept."""


_RUN_MEASURES = (
    "success_rate",
    "accuracy",
    "round_won",
    "characters",
    "topsim",
    "collision",
    "surprisal",
    "refused",
)


def catalogue() -> Report:
    """Environments, presets, policies and suites, with one line each."""
    games = [find_game(name) for name in game_ids()]
    rows = [(game.id, game.summary, ", ".join(game.presets) or "–") for game in games]
    policies = [row for name in policy_names() for row in _policy_rows(name)]
    suites = [load_suite(name) for name in suite_names()]
    return Report(
        [
            Table("Environments", ("id", "what it is", "presets"), tuple(rows)),
            Table("Policies", ("name", "plays", "what it does"), tuple(policies)),
            Table("Suites", ("name", "what it compares"), tuple((s.name, s.title) for s in suites)),
        ]
    )


def _policy_rows(name: str) -> list[tuple[str, str, str]]:
    return [
        (
            name,
            ", ".join(games_of(kind)) or "all",
            (kind.__doc__ or "").strip().partition("\n")[0],
        )
        for kind in policy_classes(name)
    ]


def run(
    environment: str,
    policies: Sequence[str],
    *,
    episodes: int,
    seed: int,
    knobs: Sequence[str],
    out: Path | None,
    processes: int,
    resume: bool,
    observations: bool,
) -> Report:
    """Play `episodes` episodes of one environment; env seed and policy seed count up together."""
    if resume and out is None:
        raise ConfigError("expected --out with --resume, to say which run goes on.")
    game = find_game(environment)
    given = dict(map(knob, knobs))
    config = game.configure(given)
    assigned = dict(assignment(text) for text in policies)
    jobs = [
        Job(
            f"episode-{place:05d}",
            game.id,
            game.id,
            msgspec.to_builtins(config),
            assigned,
            seed + place,
            seed + place,
            observations=observations,
        )
        for place in range(episodes)
    ]
    folder = out or Path("runs") / f"{game.id}-{time.strftime('%Y%m%d-%H%M%S')}"
    results = _play(jobs, folder, processes, resume, {"command": "run", "policies": assigned})
    found = {name for result in results for name in result.measures}
    shown = [name for name in _RUN_MEASURES if name in found]
    table = summary_table(f"{game.id}: {_who(assigned)}", results, shown)
    report = Report([table])
    write_report(report, folder)
    report.notes.append(f"{len(results)} episodes in {folder} (babelzoo verify {folder})")
    return report


def _who(assigned: dict[str, str]) -> str:
    return ", ".join(name if role == "*" else f"{role}={name}" for role, name in assigned.items())


def _play(
    jobs: list[Job], folder: Path, processes: int, resume: bool | None, about: dict[str, Any]
) -> list[Result]:
    """Run jobs under a progress bar; `resume=None` goes on with whatever is there."""
    how = "" if resume is None else " --resume"
    try:
        with _progress(len(jobs)) as advance:
            return run_jobs(
                jobs,
                folder,
                processes=processes,
                resume=resume is not False,
                about=about,
                progress=advance,
            )
    except KeyboardInterrupt:
        raise Stopped(
            f"stopped: {len(read_results(folder))} of {len(jobs)} episodes are kept; to go on, "
            f"repeat the command with --out {folder}{how}."
        ) from None


@contextmanager
def _progress(total: int) -> Iterator[Any]:
    """A bar on standard error with the success so far and the rate; gone when it is done."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[state]}"),
        TimeRemainingColumn(),
    )
    started, won, count = time.monotonic(), 0.0, 0
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("episodes", total=total, state="")

        def advance(result: Result) -> None:
            nonlocal won, count
            count += 1
            won += result.measures.get("success_rate") or 0.0
            rate = count / max(time.monotonic() - started, 1e-9)
            bar.update(task, advance=1, state=f"success {won / count:.2f}, {rate:.1f}/s")

        yield advance


def bench(
    name: str,
    *,
    quick: bool,
    seeds: int | None,
    out: Path | None,
    processes: int,
    record_all: bool,
) -> Report:
    """Play what is missing of a suite, then write its tables, figures and a picture."""
    suite = load_suite(name)
    count = seeds if seeds is not None else suite.quick_seeds if quick else suite.seeds
    folder = out or Path("runs") / (f"{suite.name}-{count}" if count != suite.seeds else suite.name)
    jobs = jobs_of(suite, seeds=count, record=record_all)
    results = _play(jobs, folder, processes, None, {"command": "bench", "suite": suite.name})
    report = Report(tables_of(suite, results))
    if suite.sayings:
        report.tables.append(sayings_table(suite, results, folder))
    page = write_report(report, folder)
    report.notes.append(f"{len(results)} episodes, tables and figures in {folder} ({page})")
    report.notes += _draw(suite, results, folder)
    return report


def _draw(suite: Suite, results: list[Result], folder: Path) -> list[str]:
    """Figures and a picture of the first recorded episode; what can't be drawn is said."""
    notes = []
    try:
        from babelzoo.benchmarks import plots

        figures = {
            "learning": plots.learning_figure,
            "capacity": plots.capacity_figure,
            "memory": plots.memory_figure,
            "rounds": plots.rounds_figure,
            "transmission": plots.transmission_figure,
        }
        for plot in suite.plots:
            plots.save_figure(figures[plot](suite, results), folder / plot)
    except MissingExtra as error:
        notes.append(str(error))
    first = min((folder / "episodes").glob("*.jsonl"), default=None)
    if first is not None:
        try:
            replaying.write_picture(read_recording(first), folder / "episode.png")
        except MissingExtra as error:
            notes.append(str(error))
    return notes
