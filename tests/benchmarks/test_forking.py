"""Newcomers know what they may know, those who stay forget nothing, and the past is kept as is."""

from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import msgspec
import pytest

from babelzoo.agents import Past, Policy, registry
from babelzoo.agents.policy import NoKnobs, Turn
from babelzoo.benchmarks.forking import fork
from babelzoo.benchmarks.recording import Fork, Recording, Sideband, Step, read_recording
from babelzoo.benchmarks.rundir import Job
from babelzoo.benchmarks.runner import run_jobs
from babelzoo.benchmarks.verifying import verify
from babelzoo.envs.core import ConfigError, Move, Wait
from babelzoo.envs.saveveyru import Said, Send, Stabilize

ROUNDS = 14


class Diarist(Policy[NoKnobs]):
    """Says where it is on each channel, tries one procedure a round, and counts what it hears."""

    games = ("saveveyru",)
    recalls = True

    def reset(self, agent: str, rules: str, seed: int) -> None:
        super().reset(agent, rules, seed)
        self._done: set[tuple[str, int, str]] = set()
        self.heard = 0

    def act(self, turn: Turn) -> Move:
        view = turn.observation
        self.heard += sum(isinstance(e, Said) and e.by != view.seat for e in view.new)
        return self._once(view, "say") or self._once(view, "treat") or Wait()

    def _once(self, view: Any, what: str) -> Move | None:
        key = (view.phase, view.round, what)
        if key in self._done or (what == "treat" and (view.phase, view.seat) != self._treats):
            return None
        self._done.add(key)
        if what == "treat":
            return Stabilize(f"TREATED-{view.round}-")
        if view.phase == "postmortem":
            return Send("postmortem", f"SECRET-{view.round}-{view.seat}")
        return Send("link", f"LINK-{view.round}-{view.seat}, heard {self.heard}")

    _treats = ("round", "observer")


class Newcomer(Policy[NoKnobs]):
    """Keeps all that it is ever shown."""

    games = ("saveveyru",)
    view = "text"
    context: ClassVar[list[str]] = []

    def reset(self, agent: str, rules: str, seed: int) -> None:
        super().reset(agent, rules, seed)
        self.context[:] = [rules]

    def brief(self, past: Any) -> None:
        for turn in past:
            assert isinstance(turn, Past)
            move = None if turn.move is None else msgspec.json.encode(turn.move).decode()
            self.context += [f"round {turn.round}", str(turn.observation), str(move)]

    def act(self, turn: Turn) -> Move:
        self.context.append(str(turn.observation))
        return Wait()


class Forgetful(Diarist):
    """Can't be rebuilt."""

    recalls = False


class _Point(NamedTuple):
    name: str
    kind: type[Policy[Any]]

    def load(self) -> type[Policy[Any]]:
        return self.kind


@pytest.fixture(autouse=True)
def _players(monkeypatch: pytest.MonkeyPatch) -> None:
    points = {kind.__name__.lower(): kind for kind in (Diarist, Newcomer, Forgetful)}
    plugins = {name: _Point(name, kind) for name, kind in points.items()}
    monkeypatch.setattr(registry, "_plugins", lambda: plugins)


def record(folder: Path, policies: dict[str, str], rounds: int = ROUNDS, **knobs: Any) -> Recording:
    job = Job("root", "root", "saveveyru-v0", {"n_rounds": rounds} | knobs, policies, 5, 6)
    run_jobs([job], folder, processes=1)
    return read_recording(folder / "episodes" / "root.jsonl")


def with_asides(recording: Recording) -> Recording:
    """The same with a rationale beside every move, as a language model leaves it."""
    lines: list[Any] = []
    for number, line in enumerate(recording.lines):
        if isinstance(line, Step):
            lines.append(Sideband(line.agent, {"rationale": f"RATIONALE-{number}"}))
        lines.append(line)
    return msgspec.structs.replace(recording, lines=lines)


@pytest.mark.parametrize("history", [0, 1, 5, 10])
def test_a_newcomer_gets_exactly_the_window(tmp_path: Path, history: int) -> None:
    root = with_asides(record(tmp_path, {"*": "diarist"}))
    fork(
        root,
        ROUNDS + 1,
        {"observer_0": "newcomer"},
        history=history,
        rounds=3,
        knobs={"postmortem": False},
        path=tmp_path / "fork.jsonl",
    )
    context = "\n".join(Newcomer.context)
    for number in range(1, ROUNDS + 1):
        shown = number > ROUNDS - history
        for mark in (f"LINK-{number}-observer", f"LINK-{number}-specialist", f"TREATED-{number}-"):
            assert (mark in context) == shown, mark
    assert "SECRET" not in context
    assert "RATIONALE" not in context
    assert "postmortem" not in context.lower()
    assert f"Round {ROUNDS}:" not in context and "was overrun" not in context
    assert f"LINK-{ROUNDS + 1}-specialist" in context  # and it plays on


def test_the_recording_up_to_the_fork_is_kept_and_all_of_it_verifies(tmp_path: Path) -> None:
    root = record(tmp_path, {"*": "inventor"})
    path = tmp_path / "fork.jsonl"
    fork(root, 9, {"observer_0": "inventor"}, history=2, rounds=2, path=path)
    old = (tmp_path / "episodes" / "root.jsonl").read_bytes().splitlines()
    new = path.read_bytes().splitlines()
    forked = next(i for i, line in enumerate(read_recording(path).lines) if isinstance(line, Fork))
    assert new[: forked + 1] == old[: forked + 1]  # the header is a line too
    assert forked > 50
    assert "agree" in verify(read_recording(path))


def test_those_who_stay_play_as_if_nothing_had_happened(tmp_path: Path) -> None:
    """A fork without newcomers is the episode that goes on."""
    whole = record(tmp_path / "whole", {"*": "inventor"})
    short = record(tmp_path / "short", {"*": "inventor"}, rounds=9)
    path = tmp_path / "fork.jsonl"
    fork(short, 8, {}, history=0, rounds=7, path=path)

    def moves(recording: Recording) -> list[Any]:
        return [(s.agent, s.move, s.rewards) for s in recording.lines if isinstance(s, Step)]

    assert moves(read_recording(path)) == moves(whole)


def test_the_partner_remembers_all_it_knew(tmp_path: Path) -> None:
    root = record(tmp_path, {"*": "diarist"}, delivery="push")
    path = tmp_path / "fork.jsonl"
    fork(root, ROUNDS + 1, {"observer_0": "newcomer"}, history=0, rounds=1, path=path)
    said = [
        line.move["text"]
        for line in read_recording(path).lines
        if isinstance(line, Step) and line.agent == "specialist_0" and "text" in (line.move or {})
    ]
    assert said[-2] == f"LINK-{ROUNDS + 1}-specialist, heard {2 * ROUNDS}"


def test_who_can_not_remember_can_not_stay(tmp_path: Path) -> None:
    root = record(tmp_path, {"observer": "diarist", "specialist": "forgetful"}, rounds=4)
    path = tmp_path / "fork.jsonl"
    with pytest.raises(ConfigError, match="no recall"):
        fork(root, 3, {"observer_0": "newcomer"}, history=1, rounds=1, path=path)
    fork(root, 3, {"specialist_0": "newcomer"}, history=1, rounds=1, path=tmp_path / "b.jsonl")


@pytest.mark.parametrize(
    "wrong",
    [
        {"at_round": 1},
        {"at_round": 99},
        {"history": -1},
        {"rounds": 0},
        {"replace": {"observer_9": "newcomer"}},
        {"replace": {"observer_0": "nobody"}},
        {"knobs": {"postmorten": False}},
    ],
)
def test_a_fork_that_can_not_be_is_refused_in_one_sentence(
    tmp_path: Path, wrong: dict[str, Any]
) -> None:
    root = record(tmp_path, {"*": "diarist"}, rounds=4)
    given: dict[str, Any] = {"at_round": 3, "replace": {"observer_0": "newcomer"}}
    given |= {"history": 1, "rounds": 1, "path": tmp_path / "fork.jsonl"} | wrong
    with pytest.raises(Exception) as caught:
        fork(root, **given)
    assert type(caught.value).__module__.startswith("babelzoo"), caught.value
    said = str(caught.value)
    assert said.endswith((".", "?")) and "\n" not in said
