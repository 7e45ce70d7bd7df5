"""Recordings replay and verify; damaged or forged ones are told in one sentence."""

import json
from pathlib import Path

import pytest

from babelzoo.agents import seat
from babelzoo.benchmarks.episode import play
from babelzoo.benchmarks.recording import (
    End,
    Mark,
    Recorder,
    Recording,
    Step,
    read_recording,
)
from babelzoo.benchmarks.rundir import Job
from babelzoo.benchmarks.runner import _header, execute
from babelzoo.benchmarks.verifying import replay, verify
from babelzoo.envs import lewis_v0
from babelzoo.envs.core import BabelZooError, BackendError, ConfigError, RecordingError

KNOBS = {"n_rounds": 12, "noise": 0.2, "public_board": True}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    job = Job("one", "c", "lewis-v0", KNOBS, {"*": "q-learning"}, 5, 6, observations=True)
    execute(job, tmp_path)
    return tmp_path / "one.jsonl"


def rewrite(path: Path, change) -> Path:
    rows = [json.loads(row) for row in path.read_text().splitlines()]
    change(rows)
    path.write_text("".join(json.dumps(row, separators=(",", ":")) + "\n" for row in rows))
    return path


def test_holds_each_step_mark_and_end(path: Path):
    recording = read_recording(path)
    kinds = [type(line) for line in recording.lines]
    assert kinds.count(Step) == 24
    assert kinds.count(End) == 2
    assert kinds.count(Mark) == 13  # one a round, one at the end
    assert recording.finished is not None
    assert recording.header.env_seed == 5
    assert recording.header.policy_seed == 6
    steps = [line for line in recording.lines if isinstance(line, Step)]
    assert all(step.observation.startswith("Round ") for step in steps)
    assert verify(recording) == "26 steps agree (finished)."


def test_replay_passes_through_the_same_states(path: Path):
    recording = read_recording(path)
    states = [env.world.state_hash() for env, _ in replay(recording)]
    again = [env.world.state_hash() for env, _ in replay(recording)]
    assert states == again
    assert len(set(states)) == 25  # every move changes the state, an agent's end does not
    last = [line for line in recording.lines if isinstance(line, Mark)][-1]
    assert last.state == states[-1]


def test_equal_play_gives_equal_step_lines(tmp_path: Path):
    rows = []
    for name, player in (("a", "oracle-k"), ("b", "oracle-k?k=8")):
        execute(Job(name, "c", "lewis-v0", {"n_rounds": 5}, {"*": player}, 1, 1), tmp_path)
        rows.append((tmp_path / f"{name}.jsonl").read_bytes().splitlines()[1:-1])
    assert rows[0] == rows[1]


def test_what_is_said_beside_leaves_the_step_lines_as_they_are(tmp_path: Path):
    def record(name: str, says: bool) -> list[bytes]:
        env = lewis_v0.raw_env(n_rounds=3)
        job = Job(name, "c", "lewis-v0", {"n_rounds": 3}, {"*": "f"}, 0, 0)
        path = tmp_path / name
        with path.open("wb") as sink:
            recorder = Recorder(_header(job, env), sink)

            def answer(observation: str) -> str:
                if says:
                    recorder.sideband("sender_0", {"rationale": "because"})
                return "AAA" if "sender_0" in observation else "1"

            play(env, seat({"*": answer}, env.possible_agents, "lewis"), 0, 0, recorder)
        assert "8 steps agree" in verify(read_recording(path))
        return path.read_bytes().splitlines()[1:]

    quiet, talking = record("quiet", False), record("talking", True)
    assert len(talking) == len(quiet) + 6
    assert [row for row in talking if b'"sideband"' not in row] == quiet


def forge_reward(rows):
    rows[5]["rewards"] = {"sender_0": 9.0, "receiver_0": 9.0}


def forge_event(rows):
    rows[2]["events"][0]["heard"] = "ZZZ"


def forge_observation(rows):
    rows[1]["seen"] = "0" * 16


def forge_move(rows):
    rows[1]["move"]["tokens"] = (
        ["A", "A", "A"] if rows[1]["move"]["tokens"][0] != "A" else ["B"] * 3
    )


def forge_state(rows):
    rows[-2]["state"] = "0" * 16


def drop_a_step(rows):
    del rows[1]


def swap_agents(rows):
    rows[1]["agent"] = "receiver_0"


def add_a_mark(rows):
    rows.insert(-1, {"type": "mark", "hash": "0" * 16})


def end_early(rows):
    del rows[13:-1]


FORGERIES = [
    forge_reward,
    forge_event,
    forge_observation,
    forge_move,
    forge_state,
    drop_a_step,
    swap_agents,
    add_a_mark,
    end_early,
]


@pytest.mark.parametrize("forge", FORGERIES, ids=lambda forge: forge.__name__)
def test_verify_finds_what_was_forged(path: Path, forge):
    with pytest.raises(RecordingError, match="expected"):
        verify(read_recording(rewrite(path, forge)))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        b"not json\n",
        b"[]\n",
        b'{"type":"mark","hash":"00"}\n',
        b'{"type":"step","agent":1}\n',
        b"\xff\xfe\n",
        b'{"type":"header"}\n',
        b'{"a":' * 5000 + b"\n",
    ],
)
def test_other_files_are_refused_in_one_sentence(tmp_path: Path, data: bytes):
    file = tmp_path / "x.jsonl"
    file.write_bytes(data)
    with pytest.raises(RecordingError) as caught:
        read_recording(file)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "change",
    [
        {"game": "chess-v6"},
        {"config": {"n_rounds": -1}},
        {"config": {"nonsense": 1}},
        {"config": {"features": {"a": ["x", "y\nz"]}}},
        {"env_seed": -1},
        {"format": 99},
    ],
)
def test_headers_of_strangers_raise_no_traceback(path: Path, change: dict):
    rewrite(path, lambda rows: rows[0].update(change))
    with pytest.raises(RecordingError):
        verify(read_recording(path))


@pytest.mark.parametrize("move", [{}, [], 3, {"action": "fly"}, {"action": "choose"}, "x"])
def test_moves_of_strangers_raise_no_traceback(path: Path, move):
    rewrite(path, lambda rows: rows[1].update({"move": move}))
    with pytest.raises(RecordingError):
        verify(read_recording(path))


@pytest.mark.parametrize("cut", [1, 2, 50, 400])
def test_a_torn_line_is_dropped_and_said(path: Path, cut: int):
    data = path.read_bytes()
    path.write_bytes(data[:-cut])
    recording = read_recording(path)
    assert recording.torn
    assert recording.finished is None
    assert "torn" in verify(recording)
    assert "unfinished" in verify(recording)


def test_cut_anywhere_what_is_left_verifies(path: Path):
    data = path.read_bytes()
    first = data.index(b"\n") + 1
    for cut in range(first, len(data), 97):
        path.write_bytes(data[:cut])
        assert "steps agree" in verify(read_recording(path))


def test_a_missing_file_is_the_users_fault(tmp_path: Path):
    with pytest.raises(ConfigError, match="No such file"):
        read_recording(tmp_path / "none.jsonl")


def test_refused_moves_are_recorded_and_replay(tmp_path: Path):
    sent = iter(
        ["\ud800", "x" * 5000, '{"action":"signal","tokens":["A\\nB"]}', "ABC", "7", "  "] * 9
    )
    env = lewis_v0.raw_env(n_rounds=6)
    job = Job("x", "c", "lewis-v0", {"n_rounds": 6}, {"*": "f"}, 0, 0)
    with (tmp_path / "x.jsonl").open("wb") as sink:
        recorder = Recorder(_header(job, env), sink)
        policies = {"*": lambda observation: next(sent)}
        _, returns = play(env, seat(policies, env.possible_agents, "lewis"), 0, 0, recorder)
        recorder.finish({})
    assert returns == {"sender_0": 0.0, "receiver_0": 0.0}
    recording: Recording = read_recording(tmp_path / "x.jsonl")
    assert verify(recording).endswith("(finished).")
    steps = [line for line in recording.lines if isinstance(line, Step)]
    reasons = [step.reason for step in steps if step.move is None]
    assert reasons
    assert all(reason and "\n" not in reason for reason in reasons)


def test_a_failing_policy_is_named(tmp_path: Path):
    def broken(observation: str) -> str:
        raise KeyError("no such thing")

    env = lewis_v0.raw_env(n_rounds=2)
    with pytest.raises(BackendError, match="CallablePolicy of sender_0 failed: KeyError"):
        play(env, seat({"*": broken}, env.possible_agents, "lewis"), 0, 0)


@pytest.mark.parametrize(
    ("policies", "message"),
    [
        ({"sender": "random"}, "expected a policy for receiver_0"),
        ({"*": "random", "judge": "random"}, "policy for 'judge'"),
        ({"*": "randm"}, "did you mean 'random'"),
        ({"*": "window-bayes?m=0"}, "knob 'm': expected int >= 1, actual 0"),
        ({"*": "window-bayes?n=3"}, "no knob 'n'"),
        ({"*": "random:x"}, "takes no argument"),
        ({"*": "random?"}, ""),
        ({"*": "roth-erev?rate"}, "knob"),
    ],
)
def test_seats_are_given_or_refused(policies: dict, message: str):
    if not message:
        assert len(seat(policies, ["sender_0", "receiver_0"], "lewis")) == 2
        return
    with pytest.raises(BabelZooError, match=message):
        seat(policies, ["sender_0", "receiver_0"], "lewis")


def test_the_most_exact_key_counts():
    policies = {"*": "random", "sender": "silent", "sender_1": "oracle-k"}
    seats = seat(policies, ["sender_0", "sender_1", "receiver_0"], "lewis")
    names = {agent: type(policy).__name__ for agent, policy in seats.items()}
    assert names == {"sender_0": "Silent", "sender_1": "OracleK", "receiver_0": "RandomLegal"}
