"""Running many episodes: jobs, processes, results on disk, resuming.

A run's folder holds `manifest.json`, `results.jsonl` (one line an episode, in the order of the
jobs, so that a resumed run's file equals an uninterrupted one's) and `episodes/*.jsonl`.
"""

import os
import platform
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from filelock import FileLock, Timeout

from babelzoo.agents import Policy, seat
from babelzoo.benchmarks.episode import play
from babelzoo.benchmarks.measures import measure_episode
from babelzoo.benchmarks.recording import (
    FORMAT,
    Header,
    Recorder,
    digest,
    read_recording,
    rules_hash,
)
from babelzoo.envs.core import ConfigError, RecordingError, WorldEnv, find_game

__all__ = ["Job", "Result", "execute", "read_results", "run_jobs"]


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
    series: dict[str, list[int | float]] = {}


def execute(job: Job, folder: Path | None) -> Result:
    """Play a job's episode, and record it in `folder` if it is to be recorded."""
    env, seats = _prepare(job)
    name = env.game.id.rpartition("-v")[0]
    recorded = folder is not None and job.record
    with _sink(folder / f"{job.key}.jsonl") if recorded and folder else _nowhere() as sink:
        recorder = None
        if sink is not None:
            recorder = Recorder(_header(job, env), sink)
        events, returns = play(env, seats, job.env_seed, job.policy_seed, recorder)
        measures, series = measure_episode(name, events, env.config)
        result = Result(
            job.key,
            job.condition,
            job.env_seed,
            job.policy_seed,
            digest(msgspec.json.encode(events).decode()),
            rules_hash(env),
            returns,
            measures,
            series,
        )
        if recorder is not None:
            recorder.finish(msgspec.to_builtins(result))
    return result


def _prepare(job: Job) -> tuple[WorldEnv, dict[str, Policy[Any]]]:
    """The environment and the policies at its seats."""
    env = WorldEnv(find_game(job.game), **job.knobs)
    name = env.game.id.rpartition("-v")[0]
    return env, seat(job.policies, env.possible_agents, name)


def _header(job: Job, env: WorldEnv) -> Header:
    from babelzoo import __version__

    return Header(
        FORMAT,
        __version__,
        np.__version__,
        env.game.id,
        msgspec.to_builtins(env.config),
        job.env_seed,
        job.policy_seed,
        job.policies,
        rules_hash(env),
        job.condition,
        job.observations,
        datetime.now(UTC).isoformat(timespec="seconds"),
    )


@contextmanager
def _nowhere() -> Iterator[None]:
    yield None


@contextmanager
def _sink(path: Path) -> Iterator[Any]:
    """A file for one recording, locked so that a worker left over from a killed run is awaited."""
    with FileLock(path.with_suffix(".lock"), timeout=60), path.open("wb") as sink:
        yield sink
    path.with_suffix(".lock").unlink(missing_ok=True)


def _finished(path: Path) -> Result | None:
    """The result in a finished recording; None if there is none to be had."""
    try:
        finish = read_recording(path).finished
    except (ConfigError, RecordingError):
        return None
    return None if finish is None else msgspec.convert(finish.result, Result)


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


def run_jobs(
    jobs: Sequence[Job],
    folder: Path,
    *,
    processes: int = 1,
    resume: bool = False,
    about: dict[str, Any] | None = None,
    progress: Callable[[Result], None] = lambda result: None,
) -> list[Result]:
    """Play all jobs and keep what comes of them in `folder`.

    Args:
        jobs: The episodes; their keys differ.
        folder: Where the run is kept; made if need be.
        processes: Number of processes; with 1 all is played in this one.
        resume: Go on with a run that stopped; only what is missing is played.
        about: What the manifest says beside versions, machine and jobs.
        progress: Called for each finished episode, in order.

    Raises:
        ConfigError: The folder holds another run, can't be written, or is in use.
        BackendError: A policy failed.
    """
    for job in {(job.game, str(job.knobs), str(job.policies)): job for job in jobs}.values():
        _prepare(job)
    with _open_run(jobs, folder, resume, about or {}) as sink:
        done = read_results(folder)
        results: list[Result] = []
        for result in done:
            results.append(result)
            progress(result)
        for result in _missing(jobs[len(done) :], folder / "episodes", processes):
            sink.write(msgspec.json.encode(result) + b"\n")
            sink.flush()
            results.append(result)
            progress(result)
    return results


@contextmanager
def _open_run(
    jobs: Sequence[Job], folder: Path, resume: bool, about: dict[str, Any]
) -> Iterator[Any]:
    """Lock the run's folder, check or write its manifest, and open the results."""
    jobs_hash = digest(msgspec.json.encode(jobs).decode())
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
                        f"{folder} holds a run of other episodes: repeat its command with "
                        "--resume, or give another --out."
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


def _missing(jobs: Sequence[Job], episodes: Path, processes: int) -> Iterator[Result]:
    """The results of jobs in order: read from finished recordings, or played."""
    if processes == 1:
        for job in jobs:
            yield _finished(episodes / f"{job.key}.jsonl") or execute(job, episodes)
        return
    executor = ProcessPoolExecutor(processes, get_context("spawn"), _start_worker)
    try:
        pending: list[Future[Result] | Result] = []
        for job in jobs:
            known = _finished(episodes / f"{job.key}.jsonl")
            pending.append(known or executor.submit(execute, job, episodes))
        for result in pending:
            yield result if isinstance(result, Result) else result.result()
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


def _start_worker() -> None:
    """Leave Ctrl-C to the parent, and end with it however it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    assert parent is not None

    def follow() -> None:
        wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=follow, daemon=True).start()
