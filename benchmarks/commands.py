"""What the command line's verbs do; each gives back a report."""

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
from babelzoo.benchmarks import forking, replaying
from babelzoo.benchmarks.measures import MEASURES
from babelzoo.benchmarks.recording import read_recording
from babelzoo.benchmarks.report import Report, write_report
from babelzoo.benchmarks.rundir import Job, Result, read_results
from babelzoo.benchmarks.runner import run_jobs
from babelzoo.benchmarks.sayings import sayings_table
from babelzoo.benchmarks.suite import Suite, jobs_of, load_suite, suite_names
from babelzoo.benchmarks.tables import Table, summary_table, tables_of
from babelzoo.benchmarks.verifying import verify as verify_recording
from babelzoo.envs.core import BabelZooError, ConfigError, MissingExtra, find_game, game_ids

__all__ = ["Stopped", "bench", "catalogue", "fork", "replay", "run", "verify"]


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
    given = dict(_knob(text) for text in knobs)
    config = game.configure(given)
    assigned = dict(_assignment(text) for text in policies)
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


def _knob(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals:
        raise ConfigError(f"expected --set knob=value, actual {text!r}.")
    try:
        return name, msgspec.json.decode(value)
    except msgspec.DecodeError:
        return name, value


def _assignment(text: str) -> tuple[str, str]:
    """`ROLE=NAME`; a name alone is for all (its knobs may hold `=` too)."""
    role, equals, name = text.partition("=")
    return (role, name) if equals and not set(role) & set("?:") else ("*", text)


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


def replay(
    file: Path,
    *,
    text: bool,
    agent: str | None,
    gif: Path | None,
    mp4: Path | None,
    png: Path | None,
    steps: int | None,
    fps: float,
) -> None:
    """Show a recording."""
    if agent is not None and not text:
        raise ConfigError("expected --text with --agent, which says whose text is printed.")
    recording = read_recording(file)
    if text:
        for line in replaying.as_text(recording, agent, steps):
            print(line)
    if gif is not None:
        replaying.write_gif(recording, gif, fps, steps)
    if mp4 is not None:
        replaying.write_mp4(recording, mp4, fps, steps)
    if png is not None:
        replaying.write_picture(recording, png, steps)
    for path in filter(None, (gif, mp4, png)):
        print(path)
    if not (text or gif or mp4 or png):
        replaying.show(recording, fps, steps)


def fork(
    file: Path,
    *,
    at_round: int,
    out: Path,
    replace: Sequence[str],
    history: int,
    rounds: int,
    seed: int,
    knobs: Sequence[str],
) -> Report:
    """Play a recorded episode on from a round, with newcomers."""
    if out.exists():
        raise ConfigError(f"expected a new file with --out, actual {out}, which exists.")
    newcomers = {}
    for text in replace:
        agent, equals, policy = text.partition("=")
        if not equals:
            raise ConfigError(f"expected --replace AGENT=POLICY, actual {text!r}.")
        newcomers[agent] = policy
    result = forking.fork(
        read_recording(file),
        at_round,
        newcomers,
        history=history,
        rounds=rounds,
        policy_seed=seed,
        knobs=dict(_knob(text) for text in knobs),
        path=out,
    )
    rows = tuple(
        (MEASURES[name].title, f"{value:.3f}")
        for name, value in result.measures.items()
        if value is not None and name in MEASURES
    )
    table = Table(f"Rounds {at_round} to {at_round + rounds - 1}", ("measure", "value"), rows)
    return Report([table], [f"{out} (babelzoo verify {out})"])


def verify(paths: Sequence[Path]) -> Report:
    """Verify recordings; a folder stands for all recordings in it."""
    rows = []
    failed = 0
    for path in _recordings(paths):
        try:
            rows.append((str(path), "agrees", verify_recording(read_recording(path))))
        except BabelZooError as error:
            failed += 1
            rows.append((str(path), "differs", str(error)))
    good = len(rows) - failed
    shown = [row for row in rows if row[1] == "differs"] or rows[:5]
    table = Table("Recordings", ("file", "result", "what was compared"), tuple(shown))
    return Report([table], [f"{good} of {len(rows)} recordings agree."], failed > 0)


def _recordings(paths: Sequence[Path]) -> list[Path]:
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            inside = sorted(path.rglob("*.jsonl"))
            inside = [file for file in inside if file.name != "results.jsonl"]
            if not inside:
                raise ConfigError(f"expected recordings in {path}, actual none.")
            found += inside
        elif path.exists():
            found.append(path)
        else:
            raise ConfigError(f"expected a recording at {path}: there is no such file.")
    return found
