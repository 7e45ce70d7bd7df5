"""Forking an episode: somebody else takes a seat, and knows what it may know.

The others keep what they know. The newcomer is given the rules, and of the last `history` rounds
what the game lets a successor see (`Game.recollect`): nothing else of its predecessor's.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from babelzoo.agents import Past, Policy, assigned, resolve, seat
from babelzoo.benchmarks.episode import begin, go_on
from babelzoo.benchmarks.measures import measure_episode
from babelzoo.benchmarks.recording import (
    Fork,
    Recorder,
    Recording,
    Sideband,
    Step,
    digest,
    rules_hash,
)
from babelzoo.benchmarks.rundir import Job, Result, Swap
from babelzoo.benchmarks.verifying import again, branch, open_recorded, verify
from babelzoo.envs.core import (
    Config,
    ConfigError,
    Event,
    Move,
    View,
    WorldEnv,
    derive_seed,
    turn_of,
)

__all__ = ["Memoir", "fork", "play_swapped", "swap"]


class Memoir:
    """Keeps what successors of some agents may see; a watcher of an episode.

    Args:
        agents: Whose turns are kept.
    """

    def __init__(self, agents: Mapping[str, Any]) -> None:
        self._turns: dict[str, list[tuple[View, Move | None]]] = {agent: [] for agent in agents}
        self._seen: View | None = None

    def __contains__(self, agent: str) -> bool:
        return agent in self._turns

    def before(self, env: WorldEnv) -> None:
        """Note what the selected agent sees."""
        agent = env.agent_selection
        self._seen = env.view(agent) if agent in self._turns else None

    def after(self, env: WorldEnv) -> None:
        """Note what it did."""
        if self._seen is not None:
            self._turns[self._seen.agent].append((self._seen, env.move))

    def past(self, env: WorldEnv, agent: str, rounds: range, view: str) -> list[Past]:
        """What a successor of `agent` may see of `rounds`, in its own `view`.

        `env` is in the state at the fork; what the predecessor has not looked at yet counts too.
        """
        codec, told = env.codec(view), []
        last = (env.view(agent), None)
        for seen, move in (*self._turns[agent], last):
            for number, kept, acted in env.game.recollect(seen):
                if number in rounds and (seen is not last[0] or not acted):
                    observation = codec.observation(kept)
                    told.append(Past(number, observation, move if acted else None))
        return told


def swap(
    env: WorldEnv,
    seats: dict[str, Policy[Any]],
    memoir: Memoir,
    line: Fork,
    recorder: Recorder | None = None,
) -> tuple[list[Event], dict[str, float], WorldEnv]:
    """Seat the newcomers and play on to the end.

    Args:
        env: The episode where it forks.
        seats: Who plays; the newcomers take their seats in it.
        memoir: What was kept of the predecessors' turns.
        line: Who comes, what changes, and how much of the past is told.
        recorder: Records on.

    Returns:
        The events and returns since the fork, and the environment that they are from.
    """
    number = env.world.round  # type: ignore[attr-defined]
    name = env.game.id.rpartition("-v")[0]
    newcomers = {agent: resolve(policy, name) for agent, policy in line.replaced.items()}
    rounds = range(number - line.history + 1, number + 1)
    told = {
        agent: memoir.past(env, agent, rounds, policy.view) for agent, policy in newcomers.items()
    }
    other = branch(env, line)
    if recorder is not None:
        recorder.fork(line)
    for agent, policy in newcomers.items():
        begin(other, policy, agent, line.policy_seed)
        policy.brief(told[agent])
        seats[agent] = policy
    events, returns = go_on(other, seats, recorder)
    return events, returns, other


def play_swapped(
    job: Job,
    plan: Swap,
    env: WorldEnv,
    seats: dict[str, Policy[Any]],
    recorder: Recorder | None,
) -> tuple[list[Event], dict[str, float], Config]:
    """Play an episode with newcomers in its middle.

    Returns:
        The events and returns since the fork, and the config of these rounds alone.
    """
    replaced = {
        agent: str(assigned(job.policies, agent) if policy == "same" else policy)
        for agent, policy in plan.replace.items()
    }
    memoir = Memoir(replaced)
    env.reset(seed=job.env_seed)
    for agent in env.agents:
        begin(env, seats[agent], agent, job.policy_seed)
    go_on(env, seats, _Both(memoir, recorder), until=plan.at_round - 1)
    newcomers = derive_seed(job.policy_seed, "newcomers")
    line = Fork(plan.knobs, replaced, plan.history, newcomers)
    events, returns, other = swap(env, seats, memoir, line, recorder)
    return events, returns, _of_rounds(other, plan.rounds)


def _of_rounds(env: WorldEnv, rounds: int) -> Config:
    """The config of the last `rounds` rounds alone."""
    return env.game.configure(msgspec.to_builtins(env.config) | {env.game.horizon: rounds})


class _Both(msgspec.Struct):
    """Two watchers in one."""

    memoir: Memoir
    recorder: Recorder | None

    def before(self, env: WorldEnv) -> None:
        self.memoir.before(env)
        if self.recorder is not None:
            self.recorder.before(env)

    def after(self, env: WorldEnv) -> None:
        self.memoir.after(env)
        if self.recorder is not None:
            self.recorder.after(env)


def fork(
    recording: Recording,
    at_round: int,
    replace: Mapping[str, str],
    *,
    history: int,
    rounds: int,
    policy_seed: int = 0,
    knobs: Mapping[str, Any] | None = None,
    path: Path,
) -> Result:
    """Play a recorded episode on from the start of a round, with newcomers.

    Args:
        recording: What was played; its policies must be able to take it up (`Policy.recall`).
        at_round: The first round that is played anew, from 2.
        replace: The newcomers' policies by agent.
        history: How many of the rounds before the newcomers are told of.
        rounds: How many rounds are played from `at_round` on.
        policy_seed: Seed of the newcomers.
        knobs: Other knobs that change, such as `postmortem=False`.
        path: Where the new recording is written; it holds the old steps too.

    Returns:
        What is measured of the rounds that were played anew.

    Raises:
        ConfigError: The recording has fewer rounds, no such agent, or a policy without recall.
        RecordingError: The recorded steps do not fit the game, or give other lines.
    """
    verify(recording)
    header = recording.header
    env = open_recorded(recording)
    name = env.game.id.rpartition("-v")[0]
    unknown = [agent for agent in replace if agent not in env.possible_agents]
    if unknown or at_round < 2 or history < 0 or rounds < 1:
        raise ConfigError(
            f"expected agents of {', '.join(env.possible_agents)}, a round from 2 on, a history "
            f"of 0 or more and 1 round or more, actual {', '.join(replace)}, round {at_round}, "
            f"history {history} and {rounds} rounds."
        )
    seats = seat(header.policies, env.possible_agents, name)
    for agent in env.agents:
        begin(env, seats[agent], agent, header.policy_seed)
    changed = {env.game.horizon: at_round - 1 + rounds} | dict(knobs or {})
    line = Fork(changed, dict(replace), history, policy_seed)
    memoir = Memoir(replace)
    with _whole_file(path) as sink:
        recorder = Recorder(header, sink)
        _take_up(recording, env, seats, memoir, recorder, at_round - 1)
        events, returns, other = swap(env, seats, memoir, line, recorder)
        config = _of_rounds(other, rounds)
        measures, series = measure_episode(name, events, config)
        result = Result(
            path.stem,
            "fork",
            header.env_seed,
            header.policy_seed,
            digest(msgspec.json.encode(events).decode()),
            rules_hash(other),
            returns,
            measures,
            series,
        )
        recorder.finish(msgspec.to_builtins(result))
    return result


@contextmanager
def _whole_file(path: Path) -> Iterator[BinaryIO]:
    """A new file that is there only once it is whole."""
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("wb") as sink:
            yield sink
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _take_up(
    recording: Recording,
    env: WorldEnv,
    seats: Mapping[str, Policy[Any]],
    memoir: Memoir,
    recorder: Recorder,
    until: int,
) -> None:
    """Play the recorded steps again until `until` rounds have ended; those who stay recall."""
    asides: dict[str, Any] = {}
    for line in recording.lines:
        if env.world.round >= until:  # type: ignore[attr-defined]
            return
        if isinstance(line, Sideband):
            asides |= line.data
            recorder.sideband(line.agent, line.data)
        if isinstance(line, Fork):
            raise ConfigError("expected a recording without a fork: fork its origin instead.")
        if not isinstance(line, Step):
            continue
        agent = env.agent_selection
        policy = seats[agent]
        if agent not in memoir:
            move = (
                None
                if line.move is None
                else msgspec.convert(line.move, env.game.moves(env.config))
            )
            policy.recall(turn_of(env, agent, policy.view), move, asides)
        asides = {}
        recorder.before(env)
        memoir.before(env)
        again(env, line)
        recorder.after(env)
        memoir.after(env)
    raise ConfigError(f"expected a recording of {until} rounds or more, actual fewer.")
