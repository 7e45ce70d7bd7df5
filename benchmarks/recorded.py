"""What the verbs that take recordings do: `replay`, `fork` and `verify`."""

from collections.abc import Sequence
from pathlib import Path

from babelzoo.benchmarks import forking, replaying
from babelzoo.benchmarks.measures import MEASURES
from babelzoo.benchmarks.options import knob
from babelzoo.benchmarks.recording import read_recording
from babelzoo.benchmarks.report import Report
from babelzoo.benchmarks.tables import Table
from babelzoo.benchmarks.verifying import verify as verify_recording
from babelzoo.envs.core import BabelZooError, ConfigError

__all__ = ["fork", "replay", "verify"]


def replay(
    file: Path,
    *,
    text: bool,
    agent: str | None,
    gif: Path | None,
    mp4: Path | None,
    png: Path | None,
    steps: int | None,
    fps: float,
) -> None:
    """Show a recording."""
    if agent is not None and not text:
        raise ConfigError("expected --text with --agent, which says whose text is printed.")
    recording = read_recording(file)
    if text:
        for line in replaying.as_text(recording, agent, steps):
            print(line)
    if gif is not None:
        replaying.write_gif(recording, gif, fps, steps)
    if mp4 is not None:
        replaying.write_mp4(recording, mp4, fps, steps)
    if png is not None:
        replaying.write_picture(recording, png, steps)
    for path in filter(None, (gif, mp4, png)):
        print(path)
    if not (text or gif or mp4 or png):
        replaying.show(recording, fps, steps)


def fork(
    file: Path,
    *,
    at_round: int,
    out: Path,
    replace: Sequence[str],
    history: int,
    rounds: int,
    seed: int,
    knobs: Sequence[str],
) -> Report:
    """Play a recorded episode on from a round, with newcomers."""
    if out.exists():
        raise ConfigError(f"expected a new file with --out, actual {out}, which exists.")
    newcomers = {}
    for text in replace:
        agent, equals, policy = text.partition("=")
        if not equals:
            raise ConfigError(f"expected --replace AGENT=POLICY, actual {text!r}.")
        newcomers[agent] = policy
    result = forking.fork(
        read_recording(file),
        at_round,
        newcomers,
        history=history,
        rounds=rounds,
        policy_seed=seed,
        knobs=dict(map(knob, knobs)),
        path=out,
    )
    rows = tuple(
        (MEASURES[name].title, f"{value:.3f}")
        for name, value in result.measures.items()
        if value is not None and name in MEASURES
    )
    table = Table(f"Rounds {at_round} to {at_round + rounds - 1}", ("measure", "value"), rows)
    return Report([table], [f"{out} (babelzoo verify {out})"])


def verify(paths: Sequence[Path]) -> Report:
    """Verify recordings; a folder stands for all recordings in it."""
    rows = []
    failed = 0
    for path in _recordings(paths):
        try:
            rows.append((str(path), "agrees", verify_recording(read_recording(path))))
        except BabelZooError as error:
            failed += 1
            rows.append((str(path), "differs", str(error)))
    good = len(rows) - failed
    shown = [row for row in rows if row[1] == "differs"] or rows[:5]
    table = Table("Recordings", ("file", "result", "what was compared"), tuple(shown))
    return Report([table], [f"{good} of {len(rows)} recordings agree."], failed > 0)


def _recordings(paths: Sequence[Path]) -> list[Path]:
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            inside = sorted(path.rglob("*.jsonl"))
            inside = [file for file in inside if file.name != "results.jsonl"]
            if not inside:
                raise ConfigError(f"expected recordings in {path}, actual none.")
            found += inside
        elif path.exists():
            found.append(path)
        else:
            raise ConfigError(f"expected a recording at {path}: there is no such file.")
    return found
