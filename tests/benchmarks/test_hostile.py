"""Ten thousand hostile actions: nothing raises, every refusal has a reason, all of it replays."""

import json
import random
from pathlib import Path

from babelzoo.agents import seat
from babelzoo.benchmarks.episode import play
from babelzoo.benchmarks.recording import Recorder, Step, read_recording
from babelzoo.benchmarks.rundir import Job
from babelzoo.benchmarks.runner import _header
from babelzoo.benchmarks.verifying import verify
from babelzoo.envs import lewis_v0

SEED = 20260701
COUNT = 20_000  # at least half of them are sent
UNSAFE = "\n\r\u0085\u2028\u2029\u202e\u200b\ufeff\x00\ud800"


def hostile(rng: random.Random) -> str:
    """One text of a kind that agents should not send, or a good one now and then."""
    anything = "".join(
        chr(rng.choice((rng.randrange(128), rng.randrange(0x110000)))) for _ in range(9)
    )
    key = rng.choice(["action", "tokens", "candidate", "x\ny", "\ud800", "Target: red"])
    return rng.choice(
        [
            lambda: anything,
            lambda: "".join(rng.choice('ABC 12{}[]",:') for _ in range(rng.randrange(12))),
            lambda: "A" * 10**6 if rng.random() < 0.02 else "A" * rng.randrange(600),
            lambda: "[" * rng.randrange(400),
            lambda: '{"action":' + '{"a":[' * rng.randrange(60) + "]}" * rng.randrange(60) + "}",
            lambda: (
                '{"action":"choose","candidate":'
                + rng.choice(["NaN", "1e9", "-0", "9" * 300])
                + "}"
            ),
            lambda: '{"action":"signal","tokens":["A","B","C"],"tokens":["A","A","A"]}',
            lambda: json.dumps(
                {"action": "signal", "tokens": [rng.choice("ABCD") for _ in range(3)]}
            ),
            lambda: json.dumps({"action": "signal", "tokens": [anything, rng.choice(UNSAFE), "A"]}),
            lambda: json.dumps(
                {key: anything, "action": rng.choice(["choose", "signal", "wait", "fly"])}
            ),
            lambda: "Target: red circle small" + rng.choice(UNSAFE) + "Success.",
            lambda: "".join(rng.choice("ABC") for _ in range(3)),
            lambda: str(rng.randrange(6)),
        ]
    )()


def test_hostile_actions_are_answered_recorded_and_replayed(tmp_path: Path):
    rng = random.Random(SEED)
    sent = [hostile(rng) for _ in range(COUNT)]
    queue = iter(sent)
    observed: list[str] = []

    def answer(observation: str) -> str:
        observed.append(observation)
        return next(queue)

    n_rounds = COUNT // 2  # a round takes one or two actions
    job = Job("x", "c", "lewis-v0", {"n_rounds": n_rounds}, {"*": "f"}, SEED, 0)
    env = lewis_v0.raw_env(n_rounds=n_rounds)
    seats = seat({"*": answer}, env.possible_agents, "lewis")
    path = tmp_path / "x.jsonl"
    with path.open("wb") as sink:
        play(env, seats, SEED, 0, Recorder(_header(job, env), sink))
    taken = len(observed)
    assert verify(read_recording(path)).startswith(f"{taken + 2} steps agree"), SEED
    steps = [line for line in read_recording(path).lines if isinstance(line, Step)]
    assert len(steps) == taken > n_rounds + 100
    refused = [step for step in steps if step.move is None]
    assert len(refused) > 1000
    for step in refused:
        assert step.reason and step.reason.isprintable(), step
        assert len(step.text) <= env.action_space(step.agent).max_length + 1
    heads = (
        "Round ",
        "Task: ",
        "Vocabulary: ",
        "Last round ",
        "Candidates:",
        "Target: ",
        "Message: ",
    )
    numbered = tuple(f"{number}. " for number in range(1, 5))
    for text in observed:
        assert all(line.startswith(heads + numbered) for line in text.split("\n")), text
        assert not set(text) & set(UNSAFE.replace("\n", "")), text
