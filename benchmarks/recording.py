"""Recordings: one JSON Lines file an episode, enough to play it again.

A file holds a header, then one line for each step, each agent's end and each mark (a chained
hash at the end of a round), and at last the end with the episode's result. What a policy thought
stands on lines of its own, so that equal play gives equal step lines. Nothing is ever pickled.
"""

from hashlib import blake2b
from pathlib import Path
from typing import IO, Any

import msgspec

from babelzoo.envs.core import (
    ConfigError,
    Invalid,
    RecordingError,
    WorldEnv,
    shorten,
)

__all__ = [
    "FORMAT",
    "End",
    "Finish",
    "Fork",
    "Header",
    "Line",
    "Mark",
    "Recorder",
    "Recording",
    "Sideband",
    "Step",
    "digest",
    "read_recording",
    "rules_hash",
]

FORMAT = 1
_FULL_HASH_EVERY = 100  # rounds between hashes of the whole state


class Header(msgspec.Struct, tag="header", tag_field="type"):
    """What an episode started from.

    Attributes:
        format: Version of this file format.
        babelzoo: Version of the package.
        numpy: Version of NumPy, whose generators the draws come from.
        game: The game's id.
        config: All its knobs.
        env_seed: Seed of the world.
        policy_seed: Seed of the policies.
        policies: Policy by agent, as named.
        rules: Hash of all roles' rules.
        condition: The condition's name in its suite; empty outside suites.
        observations: Whether steps hold the observations whole.
        started: Date and time, ISO 8601; the one line field that differs between equal runs.
    """

    format: int
    babelzoo: str
    numpy: str
    game: str
    config: dict[str, Any]
    env_seed: int
    policy_seed: int
    policies: dict[str, str]
    rules: str
    condition: str = ""
    observations: bool = False
    started: str = ""


class Step(msgspec.Struct, tag="step", tag_field="type", omit_defaults=True, gc=False):
    """One move.

    Attributes:
        agent: Who moved.
        seen: Digest of the observation it saw, as text.
        move: The move, as plain data; None when what was sent was none.
        text: What was sent when it was no move, normalised and cut.
        reason: Why it was no move.
        rewards: Rewards that it led to, by agent.
        events: What happened, in order, as plain data.
        observation: The observation whole, if the recording holds them.
    """

    agent: str
    seen: str
    move: Any = None
    text: str = ""
    reason: str = ""
    rewards: dict[str, float] = {}
    events: Any = ()
    observation: str = ""


class End(msgspec.Struct, tag="end", tag_field="type"):
    """An agent's end: how, what it saw at last, and its reward since its last move."""

    agent: str
    how: str
    seen: str
    reward: float


class Mark(msgspec.Struct, tag="mark", tag_field="type", omit_defaults=True):
    """A round or tick ended. `hash` chains all lines so far, `state` is the world's own hash."""

    hash: str
    state: str = ""


class Sideband(msgspec.Struct, tag="sideband", tag_field="type"):
    """What a policy said beside its move."""

    agent: str
    data: dict[str, Any]


class Fork(msgspec.Struct, tag="fork", tag_field="type"):
    """From here on somebody else plays on.

    Attributes:
        knobs: Knobs that change.
        replaced: The newcomers' policies by agent.
        history: Rounds before the fork of which the newcomers were told.
        policy_seed: Seed of the newcomers.
    """

    knobs: dict[str, Any]
    replaced: dict[str, str]
    history: int
    policy_seed: int


class Finish(msgspec.Struct, tag="finish", tag_field="type"):
    """The episode ended; `result` is its line in the results."""

    result: dict[str, Any]


Line = Header | Step | End | Mark | Sideband | Fork | Finish

_encode_lines = msgspec.json.Encoder().encode_lines
_decode = msgspec.json.Decoder(Line).decode


def digest(text: str) -> str:
    """16 hexadecimal digits for a text."""
    return blake2b(text.encode("utf-8", "backslashreplace"), digest_size=8).hexdigest()


def rules_hash(env: WorldEnv) -> str:
    """Hash of all roles' rules; tables don't pool episodes whose rules differ."""
    roles = sorted(env.game.forms(env.config))
    return digest("\x1f".join(env.rules(role) for role in roles))


class Recorder:
    """Writes the lines of one episode, flushed at the end of every round.

    Args:
        header: The first line.
        sink: Where lines go, a binary file; None to only hand them to `lines`.
    """

    def __init__(self, header: Header, sink: IO[bytes] | None) -> None:
        self._sink = sink
        self._chain = blake2b(digest_size=8)
        self._whole = header.observations
        self._marks = 0
        self._agent = self._seen = self._observation = ""
        self._pending: list[Line] = []
        self._aside = False  # whether a sideband is pending
        self._kept: list[bytes] = []
        self._write(_encode_lines([header]))

    def before(self, env: WorldEnv) -> None:
        """Note what the selected agent sees; if it has ended, that is its last line."""
        agent = self._agent = env.agent_selection
        text = env.codec("text").observation(env.view(agent))
        self._seen = digest(text)
        self._observation = str.__str__(text) if self._whole else ""
        terminated, truncated = env.terminations[agent], env.truncations[agent]
        if terminated or truncated:
            how = "terminated" if terminated else "truncated"
            self._pending.append(End(agent, how, self._seen, env._cumulative_rewards[agent]))
            if len(env.agents) == 1:
                self._mark(env, full=True)

    def after(self, env: WorldEnv) -> None:
        """Write the step that was carried out."""
        move, outcome = env.move, env.outcome
        step = Step(self._agent, self._seen, observation=self._observation)
        if isinstance(move, Invalid):
            step.text, step.reason = move.text, move.reason
        else:
            step.move = move
        step.rewards, step.events = outcome.rewards or {}, outcome.events
        self._pending.append(step)
        if outcome.boundary:
            self._marks += 1
            self._mark(env, full=self._marks % _FULL_HASH_EVERY == 0)

    def sideband(self, agent: str, data: dict[str, Any]) -> None:
        """Keep what a policy said beside its move."""
        self._pending.append(Sideband(agent, data))
        self._aside = True

    def fork(self, line: Fork) -> None:
        """Note who plays on, and under which knobs."""
        self._write(self._drain() + _encode_lines([line]))
        self._chain.update(_encode_lines([line]))

    def finish(self, result: dict[str, Any]) -> None:
        """Write the last line."""
        self._write(self._drain() + _encode_lines([Finish(result)]))

    def lines(self) -> list[Line]:
        """The lines since the last call; for recorders without a sink."""
        data = b"".join(self._kept) + self._drain()
        self._kept.clear()
        return [_decode(row) for row in data.split(b"\n")[:-1]]

    def _mark(self, env: WorldEnv, full: bool) -> None:
        data = self._drain()
        state = env.world.state_hash() if full else ""
        self._write(data + _encode_lines([Mark(self._chain.hexdigest(), state)]))

    def _drain(self) -> bytes:
        """Encode the pending lines, and chain those of the play."""
        data = played = _encode_lines(self._pending)
        if self._aside:
            played = _encode_lines([x for x in self._pending if not isinstance(x, Sideband)])
        self._chain.update(played)
        self._pending.clear()
        self._aside = False
        return data

    def _write(self, data: bytes) -> None:
        if self._sink is None:
            self._kept.append(data)
        else:
            self._sink.write(data)
            self._sink.flush()


class Recording(msgspec.Struct):
    """A recording as read.

    Attributes:
        header: The first line.
        lines: All other lines, in order.
        torn: Whether the last line was cut off, and so dropped.
    """

    header: Header
    lines: list[Line]
    torn: bool

    @property
    def finished(self) -> Finish | None:
        """The last line, if the episode came to its end."""
        last = self.lines[-1] if self.lines else None
        return last if isinstance(last, Finish) else None


def read_recording(path: str | Path) -> Recording:
    """Read a recording.

    Raises:
        ConfigError: There is no such file.
        RecordingError: It is no recording, or a line is damaged (its number is named).
    """
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise ConfigError(f"expected a recording at {path}: {error.strerror}.") from None
    rows = data.split(b"\n")
    torn = rows.pop() != b""
    lines: list[Line] = []
    for number, row in enumerate(rows, 1):
        try:
            lines.append(_decode(row))
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            what = "a recording's line" if number > 1 else "a recording"
            raise RecordingError(
                f"{path}, line {number}: expected {what}, actual {shorten(str(error))}."
            ) from None
    if not lines or not isinstance(lines[0], Header):
        raise RecordingError(f"{path}: expected a recording that starts with a header.")
    header = lines[0]
    if header.format != FORMAT:
        raise RecordingError(
            f"{path}: expected format {FORMAT}, actual {header.format}: "
            "open it with the version of BabelZoo that wrote it."
        )
    return Recording(header, lines[1:], torn)
