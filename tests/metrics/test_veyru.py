"""What is measured of SaveVeyru, on events made by hand and on whole runs."""

import math
from pathlib import Path
from typing import Any

import pytest

from babelzoo.benchmarks.measures import MEASURES
from babelzoo.benchmarks.metrics.veyru import last_words, measure_veyru
from babelzoo.benchmarks.plots import rounds_figure, save_figure, transmission_figure
from babelzoo.benchmarks.runner import run_jobs
from babelzoo.benchmarks.sayings import sayings_table
from babelzoo.benchmarks.suite import jobs_of, load_suite
from babelzoo.envs.core import Event
from babelzoo.envs.saveveyru import Guessed, Procedure, RoundEnded, Sent, VeyruConfig
from babelzoo.envs.saveveyru.terms import ENDS

NEEDED = Procedure(0, "top", "firm", 5)


def ended(number: int, done: int, of: int, end: Any, **other: Any) -> RoundEnded:
    given: dict[str, Any] = {"messages": 0, "characters": 0, "attempts": 0} | other
    procedures = tuple(Procedure(i, "top", "firm", 5 + i) for i in range(of))
    people = ("observer_0", "specialist_0")
    motifs = tuple(range(of))
    return RoundEnded(
        number, 0, *people, motifs, procedures, done, end, 0, 150, **given, turns=2, conflict=False
    )


def sent(number: int, text: str, seat: Any = "specialist", stage: int = 0, **other: Any) -> Sent:
    given: dict[str, Any] = {"team": 0, "channel": "link", "heard": "noise"} | other
    agent = f"{seat}_0"
    return Sent(
        round=number, agent=agent, seat=seat, text=text, cost=len(text), stage=stage, **given
    )


EVENTS: list[Event] = [
    sent(1, "hello there", "observer"),
    sent(1, "the box"),
    ended(1, 1, 2, "over_budget", messages=2, characters=18, attempts=3),
    sent(2, "free of charge", channel="postmortem"),
    sent(2, "qx", stage=0),
    sent(2, "zv", stage=1),
    ended(2, 2, 2, "stabilized", messages=2, characters=4, attempts=2),
    ended(3, 0, 1, "idle"),
]


def test_by_hand() -> None:
    measures, series = measure_veyru(EVENTS, VeyruConfig(n_rounds=4))
    assert measures["success_rate"] == (0.5 + 1 + 0) / 4  # the fourth was not played
    assert measures["round_won"] == 1 / 4
    assert measures["unplayed_rounds"] == 1
    assert measures["characters"] == 22 / 3
    assert measures["messages"] == 4 / 3
    assert measures["attempts"] == 5 / 3
    assert [measures[end] for end in ("over_budget", "stabilized", "idle")] == [1 / 3] * 3
    assert measures["characters_per_message"] == 22 / 4
    assert measures["repetition_rate"] == 0
    assert measures["word_types"] == 6
    assert series["success"] == [0.5, 1, 0]
    first, second, third = series["surprisal"]
    assert third is None and first is not None and second is not None and second > first + 2
    assert measures["surprisal"] == pytest.approx((first + second) / 2)
    assert math.isnan(measures["surprisal_slope"] or math.nan)  # two rounds make no slope
    assert measures["success_slope"] == pytest.approx(-0.25)


def test_every_measure_has_a_title() -> None:
    guess = Guessed(1, "eavesdropper_0", 0, None, NEEDED, (True, False, False, True))
    measures, _ = measure_veyru([*EVENTS, guess], VeyruConfig(n_rounds=3))
    assert set(measures) <= set(MEASURES)
    assert set(ENDS) <= set(measures)
    assert measures["guess_score"] == 0.5


def test_nothing_said_and_nothing_played() -> None:
    measures, series = measure_veyru([], VeyruConfig(n_rounds=3))
    assert measures["success_rate"] == 0 and measures["unplayed_rounds"] == 3
    assert series == {"success": [], "surprisal": []}
    assert math.isnan(measures["characters"] or math.nan)


def test_the_last_words() -> None:
    assert last_words(EVENTS) == ""
    assert last_words(EVENTS[:7]) == "qx"


def test_two_pairs_are_pooled() -> None:
    measures, series = measure_veyru(EVENTS, VeyruConfig(n_rounds=3, mode="two_teams"))
    assert measures["success_rate"] == 1.5 / 6
    assert series["success"] == [0.5, 1, 0]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["saveveyru-e1", "saveveyru-e4"])
def test_the_suites_draw_their_figures(name: str, tmp_path: Path) -> None:
    suite = load_suite(name)
    jobs = jobs_of(suite, seeds=3)
    results = run_jobs(jobs, tmp_path, processes=1)
    figure = {"saveveyru-e1": rounds_figure, "saveveyru-e4": transmission_figure}[name]
    for path in save_figure(figure(suite, results), tmp_path / "figure"):
        assert path.stat().st_size > 10_000
    if suite.sayings:
        table = sayings_table(suite, results, tmp_path)
        said = {row[0]: row[1] for row in table.rows}
        assert len(said) == 20 and said["silent @ 150 s, none"] == "(nothing)"
        english = said["oracle-english @ 2000 s, none"]
        assert english.rstrip("…") in table.note
