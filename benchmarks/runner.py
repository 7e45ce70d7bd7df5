"""Running many episodes: one after another or in processes, each perhaps recorded."""

import os
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
from filelock import FileLock

from babelzoo.agents import Policy, seat
from babelzoo.benchmarks.episode import play
from babelzoo.benchmarks.forking import play_swapped
from babelzoo.benchmarks.measures import measure_episode
from babelzoo.benchmarks.recording import (
    FORMAT,
    Header,
    Recorder,
    digest,
    read_recording,
    rules_hash,
)
from babelzoo.benchmarks.rundir import Job, Result, open_run, read_results
from babelzoo.envs.core import ConfigError, RecordingError, WorldEnv, find_game

__all__ = ["execute", "run_jobs"]


def execute(job: Job, folder: Path | None) -> Result:
    """Play a job's episode, and record it in `folder` if it is to be recorded."""
    env, seats = _prepare(job)
    name = env.game.id.rpartition("-v")[0]
    recorded = folder is not None and job.record
    with _sink(folder / f"{job.key}.jsonl") if recorded and folder else _nowhere() as sink:
        recorder = None
        if sink is not None:
            recorder = Recorder(_header(job, env), sink)
        if job.swap is None:
            events, returns = play(env, seats, job.env_seed, job.policy_seed, recorder)
            config = env.config
        else:
            events, returns, config = play_swapped(job, job.swap, env, seats, recorder)
        measures, series = measure_episode(name, events, config)
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
    game = find_game(job.game)
    knobs = dict(job.knobs)
    if job.swap is not None:
        knobs[game.horizon] = job.swap.at_round - 1 + job.swap.rounds
    env = WorldEnv(game, **knobs)
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
    with open_run(jobs, folder, resume, about or {}) as sink:
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
