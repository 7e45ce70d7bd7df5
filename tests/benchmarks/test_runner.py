"""Runs on disk: order, resuming after a kill, locks, and errors of one sentence."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from filelock import FileLock

from babelzoo.benchmarks.cli import main
from babelzoo.benchmarks.recording import read_recording
from babelzoo.benchmarks.rundir import Job, read_results
from babelzoo.benchmarks.runner import run_jobs
from babelzoo.benchmarks.verifying import verify
from babelzoo.envs.core import ConfigError, RecordingError

KNOBS = {"n_rounds": 20}


def jobs(count: int, knobs: dict | None = None) -> list[Job]:
    return [
        Job(f"e{i}", "c", "lewis-v0", knobs or KNOBS, {"*": "window-bayes"}, i, i)
        for i in range(count)
    ]


def wait_until(ready, seconds: float = 60) -> None:
    """Poll until `ready()` or the time is over."""
    end, clock = time.monotonic() + seconds, threading.Event()
    while not ready():
        assert time.monotonic() < end, "waited in vain"
        clock.wait(0.01)


def test_results_come_in_the_jobs_order_from_any_number_of_processes(tmp_path: Path):
    one = run_jobs(jobs(9), tmp_path / "one")
    two = run_jobs(jobs(9), tmp_path / "two", processes=2)
    assert one == two
    assert [result.key for result in one] == [f"e{i}" for i in range(9)]
    files = [(tmp_path / name / "results.jsonl").read_bytes() for name in ("one", "two")]
    assert files[0] == files[1]
    for file in (tmp_path / "two" / "episodes").glob("*.jsonl"):
        assert "finished" in verify(read_recording(file))


def test_a_run_goes_on_where_it_was_cut(tmp_path: Path):
    whole = run_jobs(jobs(6), tmp_path / "whole")
    cut = tmp_path / "cut"
    run_jobs(jobs(6), cut)
    rows = (cut / "results.jsonl").read_bytes().splitlines(keepends=True)
    (cut / "results.jsonl").write_bytes(b"".join(rows[:2]) + rows[2][:30])
    half = (cut / "episodes" / "e3.jsonl").read_bytes()
    (cut / "episodes" / "e3.jsonl").write_bytes(half[: len(half) // 2])
    (cut / "episodes" / "e4.jsonl").unlink()
    kept = (cut / "episodes" / "e2.jsonl").stat().st_mtime_ns
    seen: list[str] = []
    again = run_jobs(jobs(6), cut, resume=True, progress=lambda result: seen.append(result.key))
    assert again == whole
    assert seen == [f"e{i}" for i in range(6)]
    assert (cut / "results.jsonl").read_bytes() == (tmp_path / "whole/results.jsonl").read_bytes()
    assert (cut / "episodes" / "e2.jsonl").stat().st_mtime_ns == kept  # it was whole: not replayed
    assert all(read_recording(cut / "episodes" / f"e{i}.jsonl").finished for i in range(6))


def test_other_runs_are_not_mixed_up(tmp_path: Path, monkeypatch):
    run_jobs(jobs(2), tmp_path)
    with pytest.raises(ConfigError, match="holds a run already"):
        run_jobs(jobs(2), tmp_path)
    with pytest.raises(ConfigError, match="run of other episodes or versions"):
        run_jobs(jobs(3), tmp_path, resume=True)
    with monkeypatch.context() as patched:
        patched.setattr("babelzoo.__version__", "99")
        with pytest.raises(ConfigError, match="or versions"):
            run_jobs(jobs(2), tmp_path, resume=True)
    (tmp_path / "manifest.json").write_text("[]")
    with pytest.raises(ConfigError, match="manifest"):
        run_jobs(jobs(2), tmp_path, resume=True)


def test_a_second_process_is_told(tmp_path: Path):
    with FileLock(tmp_path / "lock"), pytest.raises(ConfigError, match="in use"):
        run_jobs(jobs(1), tmp_path)


def test_damaged_results_are_told(tmp_path: Path):
    (tmp_path / "results.jsonl").write_text('{"key":3}\n')
    with pytest.raises(RecordingError, match="one result a line"):
        read_results(tmp_path)


def test_a_folder_that_cant_be_made_is_told(tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match="expected a folder to write to"):
        run_jobs(jobs(1), tmp_path / "file")


def test_wrong_policies_leave_no_folder_behind(tmp_path: Path):
    wrong = [Job("e", "c", "lewis-v0", KNOBS, {"*": "nobody"}, 0, 0)]
    with pytest.raises(ConfigError, match="no policy 'nobody'"):
        run_jobs(wrong, tmp_path / "run")
    assert not (tmp_path / "run").exists()


@pytest.mark.slow
@pytest.mark.parametrize("stop", [signal.SIGKILL, signal.SIGINT])
def test_killed_in_the_middle_then_resumed(tmp_path: Path, stop: signal.Signals):
    """200 episodes in two processes: every episode once, the same results, all verify."""
    command = ["run", "lewis-v0", "--policy", "notebook-bayes", "-n", "200", "--jobs", "2"]
    command += ["--set", "n_rounds=60"]
    out = tmp_path / "killed"
    started = subprocess.Popen(
        [sys.executable, "-m", "babelzoo", *command, "--out", str(out)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    results = out / "results.jsonl"
    wait_until(lambda: results.exists() and results.read_bytes().count(b"\n") >= 20)
    os.kill(started.pid, stop)
    _, errors = started.communicate(timeout=60)
    assert started.returncode == (-stop if stop is signal.SIGKILL else 130)
    if stop is signal.SIGINT:
        assert b"--resume" in errors
        assert b"Traceback" not in errors
    before = len(read_results(out))
    assert 20 <= before < 200
    for argv in (
        [*command, "--out", str(out), "--resume"],
        [*command, "--out", str(tmp_path / "b")],
    ):
        with pytest.raises(SystemExit) as ended:
            main(argv)
        assert ended.value.code == 0
    assert results.read_bytes() == (tmp_path / "b/results.jsonl").read_bytes()
    keys = [result.key for result in read_results(out)]
    assert len(set(keys)) == len(keys) == 200
    files = sorted((out / "episodes").glob("*.jsonl"))
    assert len(files) == 200
    assert all(verify(read_recording(file)).endswith("(finished).") for file in files)
