"""The command line as a person uses it: output, files, exit codes, one-sentence errors."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from babelzoo.benchmarks.cli import main


def call(*argv: str | Path) -> int:
    with pytest.raises(SystemExit) as ended:
        main([str(word) for word in argv])
    code = ended.value.code
    assert isinstance(code, int)
    return code


@pytest.fixture
def run_folder(tmp_path: Path) -> Path:
    out = tmp_path / "run"
    args = ("--set", "n_rounds=8", "--seed", "3", "--out", out, "--observations")
    assert (
        call("run", "lewis-v0", "-p", "sender=silent", "-p", "receiver=random", "-n", 2, *args) == 0
    )
    return out


def test_run_leaves_recordings_results_and_a_table(run_folder: Path):
    assert "sender=silent, receiver=random" in (run_folder / "table.md").read_text()
    names = {path.name for path in run_folder.iterdir()}
    assert {"episodes", "results.jsonl", "manifest.json", "table.md", "table.json"} <= names
    assert len(list((run_folder / "episodes").glob("*.jsonl"))) == 2
    manifest = json.loads((run_folder / "manifest.json").read_text())
    assert manifest["command"] == "run"
    assert manifest["episodes"] == 2


def test_verify_says_what_agrees_and_fails_on_what_does_not(run_folder: Path, capsys):
    assert call("verify", run_folder) == 0
    assert "2 of 2 recordings agree." in capsys.readouterr().out
    file = min((run_folder / "episodes").glob("*.jsonl"))
    file.write_text(file.read_text().replace('"sent":"AAA"', '"sent":"BBB"', 1))
    assert call("verify", run_folder) == 1
    assert "1 of 2 recordings agree." in capsys.readouterr().out
    assert call("verify", run_folder, "--json") == 1
    report = json.loads(capsys.readouterr().out)
    assert report["failed"] is True


def test_replay_as_text(run_folder: Path, capsys):
    file = min((run_folder / "episodes").glob("*.jsonl"))
    capsys.readouterr()
    assert call("replay", file, "--text") == 0
    watched = capsys.readouterr().out
    assert "Round 8 of 8" in watched
    assert "The game is over." in watched
    assert call("replay", file, "--text", "--agent", "receiver_0") == 0
    seen = capsys.readouterr().out
    assert seen.count("You are receiver_0.") == 9  # eight turns and the end
    assert seen.count('> {"action":"choose"') == 8
    assert "Target: " not in seen
    assert call("replay", file, "--text", "--agent", "judge_0") == 2


def test_replay_as_files(run_folder: Path, tmp_path: Path):
    from PIL import Image

    file = min((run_folder / "episodes").glob("*.jsonl"))
    gif, png, mp4 = tmp_path / "a.gif", tmp_path / "sub" / "a.png", tmp_path / "a.mp4"
    assert call("replay", file, "--gif", gif, "--png", png, "--mp4", mp4, "--steps", 4) == 0
    with Image.open(gif) as image:
        assert image.n_frames == 5
    with Image.open(png) as image:
        assert image.size == (1280, 720)
    assert mp4.stat().st_size > 1000


def test_replay_in_a_window_obeys_the_keys(run_folder: Path, monkeypatch):
    """Pause at the end, go back a step, jump, then the user closes the window."""
    import pygame

    from babelzoo.envs.core import canvas

    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    script = [[], ["space"], ["left"], ["left"], ["end"], ["home"], ["up"], ["close"]]
    keys = {name: getattr(pygame, f"K_{name.upper()}") for name in ("left", "home", "end", "up")}
    keys["space"] = pygame.K_SPACE
    rounds: list[int] = []
    update = canvas.Window.update

    def press(window, draw, world, fps):
        for name in script[len(rounds)]:
            what = {"key": keys[name]} if name in keys else {}
            pygame.event.post(pygame.event.Event(pygame.KEYDOWN if what else pygame.QUIT, what))
        update(window, draw, world, 60)
        rounds.append(world.snapshot()["round"] * 2 + (world.sent is not None))

    monkeypatch.setattr(canvas.Window, "update", press)
    file = min((run_folder / "episodes").glob("*.jsonl"))
    assert call("replay", file) == 0
    assert rounds == [0, 1, 1, 0, 0, 17, 0, 0]  # the last message stays in sight


def test_bench_goes_on_and_writes_tables_figures_and_a_picture(tmp_path: Path, capsys):
    suite = tmp_path / "mine.toml"
    suite.write_text(
        'name = "mine"\ntitle = "Mine"\nenvironment = "lewis-v0"\nseeds = 3\nplots = ["learning"]\n'
        'knobs = { n_rounds = 20 }\n[[settings]]\nname = "one"\n'
        '[[players]]\nname = "oracle"\npolicies = { "*" = "oracle-k" }\n'
    )
    out = tmp_path / "out"
    assert call("bench", suite, "--out", out, "--jobs", 1) == 0
    first = (out / "results.jsonl").read_bytes()
    for name in ("table.md", "learning.png", "learning.svg", "episode.png"):
        assert (out / name).stat().st_size > 100, name
    assert len(list((out / "episodes").glob("*.jsonl"))) == 1
    assert call("bench", suite, "--out", out, "--jobs", 1, "--json") == 0
    assert (out / "results.jsonl").read_bytes() == first
    report = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert report["tables"][0]["rows"][0][:3] == ["oracle", "3/3/3", "1.000"]


@pytest.mark.parametrize("verb", ["list", "doctor"])
def test_tables_as_json(verb: str, capsys):
    assert call(verb, "--json") == 0
    tables = json.loads(capsys.readouterr().out)["tables"]
    assert all(table["rows"] for table in tables)


def test_list_names_what_there_is(capsys):
    assert call("list") == 0
    printed = capsys.readouterr().out
    for name in (
        "lewis-v0",
        "saveveyru-v0",
        "inventor",
        "oracle-compositional",
        "window-bayes",
        "lewis-study2",
        "demo",
    ):
        assert name in printed


def test_doctor_says_what_brings_a_missing_package(capsys, monkeypatch):
    from importlib.metadata import PackageNotFoundError

    from babelzoo.benchmarks import doctoring

    def absent(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(doctoring, "version", absent)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    assert call("doctor") == 0
    printed = capsys.readouterr().out
    assert 'pip install "babelzoo[render]"' in printed
    assert "127.0.0.1 can't be reached" in printed


WRONG = [
    ["run", "lewis-v0"],
    ["run", "lewis-v7", "-p", "random"],
    ["run", "lewis-v0", "-p", "nobody"],
    ["run", "lewis-v0", "-p", "judge=random"],
    ["run", "lewis-v0", "-p", "sender=random"],
    ["run", "lewis-v0", "-p", "window-bayes?m=x"],
    ["run", "lewis-v0", "-p", "random", "--set", "nonsense=1"],
    ["run", "lewis-v0", "-p", "random", "--set", "vocab_size"],
    ["run", "lewis-v0", "-p", "random", "--set", "noise=2"],
    ["run", "lewis-v0", "-p", "random", "--set", 'features={"a":["b"]}'],
    ["run", "lewis-v0", "-p", "random", "-n", "0"],
    ["run", "lewis-v0", "-p", "random", "--seed", "-1"],
    ["run", "lewis-v0", "-p", "random", "--out", "FILE/run"],
    ["run", "lewis-v0", "-p", "random", "--resume"],
    ["replay", "nothing.jsonl", "--agent", "sender_0"],
    ["bench", "nothing"],
    ["bench", "nothing.toml"],
    ["replay", "nothing.jsonl", "--text"],
    ["verify", "nothing.jsonl"],
    ["verify", "EMPTY"],
    ["fly"],
    ["list", "--nonsense"],
]


@pytest.mark.parametrize("argv", WRONG, ids=" ".join)
def test_wrong_usage_is_one_sentence_and_code_2(
    argv: list[str], tmp_path: Path, capsys, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "FILE").write_text("")
    (tmp_path / "EMPTY").mkdir()
    assert call(*argv) == 2
    captured = capsys.readouterr()
    message = captured.err.strip()
    assert message.startswith("error: "), captured
    assert message.count("\n") == 0
    assert "Traceback" not in message
    assert not (tmp_path / "runs").exists()


def test_damaged_recordings_are_code_1(tmp_path: Path, capsys):
    file = tmp_path / "x.jsonl"
    file.write_text("no recording\n")
    assert call("replay", file, "--text") == 1
    assert capsys.readouterr().err.startswith("error: ")


def test_debug_shows_where_an_error_comes_from(tmp_path: Path):
    command = [sys.executable, "-m", "babelzoo", "--debug", "bench", "nothing"]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert "Traceback" in ran.stderr
    assert ran.returncode == 1


def test_fork_plays_on_with_a_newcomer_and_verifies(tmp_path: Path, capsys):
    out = tmp_path / "run"
    knobs = ("--set", "n_rounds=4", "--out", out)
    assert call("run", "saveveyru-v0", "-p", "inventor", *knobs) == 0
    file = out / "episodes" / "episode-00000.jsonl"
    forked = tmp_path / "fork.jsonl"
    command = ("fork", file, "--at-round", 5, "--out", forked, "--replace", "observer_0=inventor")
    assert call(*command, "--history", 2, "--rounds", 3, "--no-postmortem") == 0
    assert "Rounds 5 to 7" in capsys.readouterr().out
    assert call("verify", forked) == 0
    assert call("replay", forked, "--text") == 0
    assert "Round 7 of 7" in capsys.readouterr().out
    before = forked.read_bytes()
    for wrong in (
        command,  # the file exists
        (*command[:5], tmp_path / "b.jsonl", "--replace", "observer_0"),
        (*command[:5], tmp_path / "b.jsonl", "--replace", "observer_7=inventor"),
        (*command[:5], tmp_path / "b.jsonl", "--replace", "observer_0=invento"),
        ("fork", file, "--at-round", 9, "--out", tmp_path / "b.jsonl"),
        ("fork", forked, "--at-round", 7, "--out", tmp_path / "b.jsonl"),
    ):
        assert call(*wrong) in (1, 2), wrong
        assert not (tmp_path / "b.jsonl").exists(), wrong
        said = capsys.readouterr().err
        assert "Traceback" not in said and len(said.strip().splitlines()) <= 3, said
    assert forked.read_bytes() == before
