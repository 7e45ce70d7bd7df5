"""The command line: `babelzoo`, also `python -m babelzoo`.

Exit codes: 0 fine, 1 failed, 2 wrong usage, 130 stopped by Ctrl-C. Errors are one sentence;
`--debug` shows where they come from.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from babelzoo.benchmarks import commands, doctoring, recorded
from babelzoo.benchmarks.report import Report, print_report
from babelzoo.envs.core import BabelZooError, ConfigError, MissingExtra

__all__ = ["app", "main"]

_UsageError: Any = typer.BadParameter.__base__  # typer carries click with it, under its own name

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Environments in which agents invent a language, and benchmarks of who plays them.",
)

Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]
Out = Annotated[Path | None, typer.Option("--out", help="Folder of the run.", show_default=False)]
Jobs = Annotated[int, typer.Option("--jobs", min=1, help="Processes that play.")]


@app.callback()
def options(
    debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks of errors.")] = False,
) -> None:
    """Options before the verb."""


@app.command("list")
def list_all(as_json: Json = False) -> None:
    """List environments, presets, policies and suites."""
    _show(commands.catalogue(), as_json)


@app.command()
def run(
    environment: Annotated[str, typer.Argument(help="Such as lewis-v0.", metavar="ENV")],
    policy: Annotated[
        list[str],
        typer.Option("--policy", "-p", help="ROLE=NAME, AGENT=NAME, or NAME for all.", metavar="…"),
    ],
    episodes: Annotated[int, typer.Option("--episodes", "-n", min=1, help="How many.")] = 1,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Seed of the first episode.")] = 0,
    knobs: Annotated[
        list[str] | None, typer.Option("--set", help="A knob of the environment.", metavar="K=V")
    ] = None,
    out: Out = None,
    jobs: Jobs = 1,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a stopped run.")] = False,
    observations: Annotated[
        bool, typer.Option("--observations", help="Record observations whole.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Play episodes, record them and print a table."""
    report = commands.run(
        environment,
        policy,
        episodes=episodes,
        seed=seed,
        knobs=knobs or [],
        out=out,
        processes=jobs,
        resume=resume,
        observations=observations,
    )
    _show(report, as_json)


@app.command()
def bench(
    suite: Annotated[str, typer.Argument(help="A suite's name or TOML file.")] = "demo",
    quick: Annotated[bool, typer.Option("--quick", help="Fewer seeds.")] = False,
    seeds: Annotated[
        int | None, typer.Option("--seeds", min=1, help="Seeds a cell.", show_default=False)
    ] = None,
    out: Out = None,
    jobs: Jobs = 2,
    record_all: Annotated[
        bool, typer.Option("--record-all", help="Record every episode, not some of each cell.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Play a suite (or go on with it), and write its tables and figures."""
    report = commands.bench(
        suite, quick=quick, seeds=seeds, out=out, processes=jobs, record_all=record_all
    )
    _show(report, as_json)


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(help="A recording.")],
    text: Annotated[bool, typer.Option("--text", help="Print it.")] = False,
    agent: Annotated[
        str | None, typer.Option("--agent", help="With --text: what this agent saw and did.")
    ] = None,
    gif: Annotated[Path | None, typer.Option("--gif", help="Write a GIF.")] = None,
    mp4: Annotated[Path | None, typer.Option("--mp4", help="Write a video.")] = None,
    png: Annotated[Path | None, typer.Option("--png", help="Write the last frame.")] = None,
    steps: Annotated[
        int | None, typer.Option("--steps", min=1, help="Only the first steps.", show_default=False)
    ] = None,
    fps: Annotated[float, typer.Option("--fps", min=0.1, help="Steps a second.")] = 2.0,
) -> None:
    """Show a recording in a window, as text, or as a file."""
    recorded.replay(file, text=text, agent=agent, gif=gif, mp4=mp4, png=png, steps=steps, fps=fps)


@app.command()
def fork(
    file: Annotated[Path, typer.Argument(help="A recording.")],
    at_round: Annotated[int, typer.Option("--at-round", min=2, help="First round played anew.")],
    out: Annotated[Path, typer.Option("--out", help="The new recording.")],
    replace: Annotated[
        list[str] | None, typer.Option("--replace", help="A newcomer.", metavar="AGENT=POLICY")
    ] = None,
    history: Annotated[
        int, typer.Option("--history", min=0, help="Rounds before of which newcomers are told.")
    ] = 0,
    rounds: Annotated[int, typer.Option("--rounds", min=1, help="Rounds from then on.")] = 1,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Seed of the newcomers.")] = 0,
    knobs: Annotated[
        list[str] | None, typer.Option("--set", help="A knob that changes.", metavar="K=V")
    ] = None,
    no_postmortem: Annotated[
        bool, typer.Option("--no-postmortem", help="Short for --set postmortem=false.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Play a recorded episode on, with somebody else in a seat."""
    changes = [*(knobs or []), *(["postmortem=false"] if no_postmortem else [])]
    report = recorded.fork(
        file,
        at_round=at_round,
        out=out,
        replace=replace or [],
        history=history,
        rounds=rounds,
        seed=seed,
        knobs=changes,
    )
    _show(report, as_json)


@app.command()
def verify(
    paths: Annotated[list[Path], typer.Argument(help="Recordings, or folders of runs.")],
    as_json: Json = False,
) -> None:
    """Simulate recordings again and compare every line."""
    report = recorded.verify(paths)
    _show(report, as_json)
    if report.failed:
        raise typer.Exit(1)


@app.command()
def doctor(as_json: Json = False) -> None:
    """Say what is installed, what is missing, and what brings it."""
    _show(doctoring.doctor(), as_json)


def _show(report: Report, as_json: bool) -> None:
    if as_json:
        sys.stdout.write(msgspec.json.encode(report).decode() + "\n")
    else:
        print_report(report)


def main(arguments: Sequence[str] | None = None) -> Any:
    """Run the command line and exit with its code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        code = app(given, prog_name="babelzoo", standalone_mode=False)
        sys.exit(code if isinstance(code, int) else 0)
    except (KeyboardInterrupt, typer.Abort):
        _fail("stopped.", 130)
    except commands.Stopped as stopped:
        _fail(str(stopped), 130)
    except _UsageError as error:
        _fail(f"{error.format_message()} See babelzoo --help.", 2)
    except BrokenPipeError:
        sys.exit(1)
    except BabelZooError as error:
        if "--debug" in given:
            raise
        _fail(str(error), 2 if isinstance(error, ConfigError | MissingExtra) else 1)


def _fail(message: str, code: int) -> None:
    sys.stderr.write(f"error: {message}\n")
    sys.exit(code)
