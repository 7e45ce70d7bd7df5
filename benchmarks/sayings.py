"""How each player says one thing: GlossoGen's "six ways to say the same thing" (2026)."""

from pathlib import Path

from babelzoo.benchmarks.metrics.veyru import last_words
from babelzoo.benchmarks.recording import Recording, read_recording
from babelzoo.benchmarks.rundir import Result
from babelzoo.benchmarks.suite import Suite, jobs_of
from babelzoo.benchmarks.tables import Table
from babelzoo.benchmarks.verifying import replay
from babelzoo.envs.core import Event, shorten
from babelzoo.envs.saveveyru import RoundEnded, render

__all__ = ["sayings_table"]

_LONGEST = 120  # characters of a message that the table shows


def sayings_table(suite: Suite, results: list[Result], folder: Path) -> Table:
    """One message of each condition for one fixed meaning, beside the run's success.

    The meaning is the first procedure of the last round, with which a pair has had the longest
    time; it is the same in all conditions, for the first seed's episode of each is read.

    Raises:
        RecordingError: A recording is damaged.
    """
    of_key = {result.key: result for result in results}
    rows, meaning = [], ""
    for job in jobs_of(suite, seeds=1):
        path = folder / "episodes" / f"{job.key}.jsonl"
        if job.key not in of_key or not path.exists():
            continue
        events = _events(read_recording(path))
        ended = [event for event in events if isinstance(event, RoundEnded) and event.team == 0]
        meaning = render(ended[-1].procedures[0])
        said = shorten(last_words(events), _LONGEST) or "(nothing)"
        success = of_key[job.key].measures["success_rate"]
        rows.append((job.condition, said, "–" if success is None else f"{success:.2f}"))
    return Table(
        "Ways to say the same thing",
        ("condition", "specialist's message", "run success"),
        tuple(rows),
        f"Each means: {meaning}",
    )


def _events(recording: Recording) -> list[Event]:
    return [event for env, line in replay(recording) if line for event in env.outcome.events]
