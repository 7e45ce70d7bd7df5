"""A run's folder: manifest, lock, and results that a stopped run goes on from.

It holds `manifest.json`, `results.jsonl` (one line an episode, in the order of the jobs, so that a
resumed run's file equals an uninterrupted one's) and `episodes/*.jsonl`.
"""

import os
import platform
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import msgspec
import numpy as np
from filelock import FileLock, Timeout
from msgspec import Meta

from babelzoo.benchmarks.recording import digest
from babelzoo.envs.core import ConfigError, RecordingError

__all__ = ["Job", "Result", "Swap", "open_run", "read_results"]


class Swap(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Newcomers in the middle of an episode; only what comes after it is measured.

    Attributes:
        at_round: The first round that they play, from 2.
        rounds: Rounds from then on.
        history: Rounds before it of which they are told.
        replace: Their policies by agent; `same` for what played before.
        knobs: Knobs that change.
    """

    at_round: Annotated[int, Meta(ge=2)]
    rounds: Annotated[int, Meta(ge=1)]
    history: Annotated[int, Meta(ge=0)] = 0
    replace: dict[str, str] = {}
    knobs: dict[str, Any] = {}


class Job(msgspec.Struct, frozen=True):
    """One episode to play.

    Attributes:
        key: Its name in the run, also the recording's file name.
        condition: The condition it belongs to.
        game: The game's id.
        knobs: The game's knobs.
        policies: Policy by agent, role or pattern.
        env_seed: Seed of the world.
        policy_seed: Seed of the policies.
        record: Whether the episode is recorded.
        observations: Whether the recording holds observations whole.
        swap: Newcomers in its middle.
    """

    key: str
    condition: str
    game: str
    knobs: dict[str, Any]
    policies: dict[str, str]
    env_seed: int
    policy_seed: int
    record: bool = True
    observations: bool = False
    swap: Swap | None = None


class Result(msgspec.Struct, frozen=True):
    """One episode's line in the results.

    Attributes:
        key: The job's key.
        condition: The job's condition.
        env_seed: Seed of the world.
        policy_seed: Seed of the policies.
        trajectory: Hash of all events; equal for equal play.
        rules: Hash of the rules that the agents read.
        returns: Return by agent, undiscounted.
        measures: Measures by name; null where undefined.
        series: Measures over rounds by name.
    """

    key: str
    condition: str
    env_seed: int
    policy_seed: int
    trajectory: str
    rules: str
    returns: dict[str, float]
    measures: dict[str, float | None]
    series: dict[str, list[int | float | None]] = {}


def read_results(folder: Path) -> list[Result]:
    """The results of a run, in order; a torn last line is left out.

    Raises:
        RecordingError: A line is damaged.
    """
    path = folder / "results.jsonl"
    if not path.exists():
        return []
    rows = path.read_bytes().split(b"\n")[:-1]
    try:
        return [msgspec.json.decode(row, type=Result) for row in rows]
    except msgspec.MsgspecError as error:
        raise RecordingError(f"{path}: expected one result a line: {error}.") from None


@contextmanager
def open_run(
    jobs: Sequence[Job], folder: Path, resume: bool, about: dict[str, Any]
) -> Iterator[Any]:
    """Lock the run's folder, check or write its manifest, and open the results."""
    from babelzoo import __version__

    jobs_hash = digest(__version__ + msgspec.json.encode(jobs).decode())
    manifest = folder / "manifest.json"
    try:
        (folder / "episodes").mkdir(parents=True, exist_ok=True)
        with FileLock(folder / "lock", timeout=0):
            if manifest.exists():
                known = _read_manifest(manifest)
                if not resume:
                    raise ConfigError(
                        f"{folder} holds a run already: add --resume, or give another --out."
                    )
                if known != jobs_hash:
                    raise ConfigError(
                        f"{folder} holds a run of other episodes or versions: repeat its command "
                        "with the version that began it, or give another --out."
                    )
            else:
                _write_manifest(manifest, jobs, jobs_hash, about)
            results = folder / "results.jsonl"
            with results.open("ab") as sink:
                sink.truncate(_whole_lines(results))
                yield sink
    except Timeout:
        raise ConfigError(f"{folder} is in use by another run: wait until it ends.") from None
    except OSError as error:
        raise ConfigError(
            f"expected a folder to write to, actual {folder}: {error.strerror}."
        ) from error


def _whole_lines(path: Path) -> int:
    """Bytes of a file up to its last line end."""
    return path.read_bytes().rfind(b"\n") + 1


def _read_manifest(path: Path) -> str:
    try:
        return str(msgspec.json.decode(path.read_bytes())["jobs_hash"])
    except (msgspec.DecodeError, KeyError, TypeError):
        raise ConfigError(f"expected a run's manifest at {path}: give another --out.") from None


def _write_manifest(path: Path, jobs: Sequence[Job], jobs_hash: str, about: dict[str, Any]) -> None:
    from babelzoo import __version__

    data = {
        "babelzoo": __version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "episodes": len(jobs),
        "jobs_hash": jobs_hash,
    }
    partial = path.with_suffix(".partial")
    partial.write_bytes(msgspec.json.format(msgspec.json.encode(data | about)))
    partial.replace(path)
