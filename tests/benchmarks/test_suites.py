"""Suites are data that is checked; conditions are paired; tables say what was measured."""

from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from babelzoo.benchmarks.plots import capacity_figure, learning_figure, save_figure
from babelzoo.benchmarks.report import Report, print_report, write_report
from babelzoo.benchmarks.rundir import Result
from babelzoo.benchmarks.runner import run_jobs
from babelzoo.benchmarks.suite import Suite, jobs_of, load_suite, suite_names
from babelzoo.benchmarks.tables import Table, markdown, tables_of
from babelzoo.envs import lewis_v0
from babelzoo.envs.core import ConfigError

MINE = """
name = "mine"
title = "Mine"
environment = "lewis-v0"
seeds = 4
knobs = { n_rounds = 60 }
measures = ["accuracy", "topsim", "collision", "context_coded"]
[[settings]]
name = "small"
x = 8
knobs = { vocab_size = 2 }
[[settings]]
name = "large"
x = 27
[[players]]
name = "oracle"
stands_for = "people"
policies = { "*" = "oracle-k" }
[[players]]
name = "random"
policies = { sender = "random", receiver_0 = "random" }
[[paper]]
who = "people"
setting = "large"
measure = "accuracy"
value = 0.9
spread = 0.1
n = 3
[[paper]]
who = "apes"
setting = "small"
measure = "topsim"
value = 0.5
[[contrasts]]
name = "oracle − random"
measure = "accuracy"
weights = { "oracle @ large" = 1, "random @ large" = -1 }
"""


def mine(tmp_path: Path, text: str = MINE) -> Suite:
    file = tmp_path / "mine.toml"
    file.write_text(text)
    return load_suite(str(file))


@pytest.mark.parametrize("name", suite_names())
def test_suites_that_come_along_load_and_have_controls(name: str):
    suite = load_suite(name)
    assert suite.name == name
    policies = {spec for player in suite.players for spec in player.policies.values()}
    assert any(spec.startswith("oracle") for spec in policies)
    assert any(spec in ("random", "silent") for spec in policies)
    assert any(spec.startswith("shuffled") for spec in policies)
    jobs = jobs_of(suite)
    assert len({job.key for job in jobs}) == len(jobs)
    assert all(figure.who and suite.source and suite.differs for figure in suite.paper)


def test_conditions_are_paired_by_seed(tmp_path: Path):
    """Candidates and targets follow from the seed, whatever the capacity or the policies are."""
    jobs = jobs_of(mine(tmp_path), seeds=2)
    draws = {}
    for job in jobs:
        env = lewis_v0.raw_env(**job.knobs)
        env.reset(seed=job.env_seed)
        drawn = []
        for _ in range(60):
            drawn.append((env.world.candidates, env.world.receiver_candidates, env.world.target))
            env.step("no message")
        draws.setdefault(job.env_seed, set()).add(tuple(drawn))
    assert {len(found) for found in draws.values()} == {1}
    assert len(draws) == 2


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('name = "mine"\n', "", "missing required field name"),
        ("seeds = 4", "seeds = 0", ">= 1"),
        ("seeds = 4", "seeds = 4\nfoo = 1", "unknown field foo"),
        ('environment = "lewis-v0"', 'environment = "luis-v0"', "did you mean 'lewis-v0'"),
        ("vocab_size = 2", "vocabs = 2", "did you mean 'vocab_size'"),
        ('"oracle-k"', '"oracle-j"', "did you mean 'oracle-k'"),
        ('measures = ["accuracy"', 'measures = ["acuracy"', "did you mean 'accuracy'"),
        ('"oracle @ large" = 1', '"oracle @ larg" = 1', "did you mean 'oracle @ large'"),
        ('name = "large"', 'name = "small"', "different names"),
        ("[[settings]]", "[[settings]", "suite"),
    ],
)
def test_wrong_suites_are_refused_in_one_sentence(tmp_path: Path, old: str, new: str, message: str):
    assert old in MINE
    with pytest.raises(ConfigError, match=message) as caught:
        mine(tmp_path, MINE.replace(old, new, 1))
    assert "\n" not in str(caught.value)


def test_missing_suites_are_told(tmp_path: Path):
    with pytest.raises(ConfigError, match="did you mean 'demo'"):
        load_suite("demoo")
    with pytest.raises(ConfigError, match="No such file"):
        load_suite(str(tmp_path / "none.toml"))


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Suite, Sequence[Result]]:
    folder = tmp_path_factory.mktemp("suite")
    suite = mine(folder)
    return suite, run_jobs(jobs_of(suite), folder / "run")


def test_tables_hold_cells_chance_paper_and_contrasts(played):
    suite, results = played
    cells, chance, paper, contrasts = tables_of(suite, results)
    assert [row[0] for row in cells.rows] == [
        "oracle @ small",
        "random @ small",
        "oracle @ large",
        "random @ large",
    ]
    assert cells.rows[0][1:3] == ("4/4/4", "1.000")  # constant values carry no interval
    assert "[" in cells.rows[1][2]
    assert [row[0] for row in chance.rows] == ["small", "large"]
    assert paper.rows[0][0] == "people @ large: accuracy, last 50 rounds"
    assert paper.rows[0][1:] == ("0.900 ± 0.100, n=3", "1.000, oracle, n=4")
    assert paper.rows[1][2] == "–"
    assert contrasts.rows[0][2] == "4"
    assert 0.5 < float(contrasts.rows[0][1].split()[0]) < 1


def test_equal_play_is_counted_once(tmp_path: Path):
    suite = mine(tmp_path)
    results = run_jobs(jobs_of(suite, seeds=1), tmp_path / "run")
    doubled = [*results, *[msgspec.structs.replace(r, key=f"{r.key}-again") for r in results]]
    assert tables_of(suite, doubled)[0].rows[0][1] == "2/1/1"


def test_other_rules_are_not_pooled(played):
    suite, results = played
    other = msgspec.structs.replace(results[0], rules="another")
    with pytest.raises(ConfigError, match="not pooled"):
        tables_of(suite, [*results, other])


def test_reports_are_written_and_printed(
    played, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    suite, results = played
    report = Report(tables_of(suite, results), ["a note with [brackets]"])
    page = write_report(report, tmp_path).read_text()
    assert page.count("\n## ") + page.startswith("## ") == 4
    assert markdown(report.tables[0]) in page
    assert msgspec.json.decode((tmp_path / "table.json").read_bytes(), type=list)
    print_report(report)
    printed = capsys.readouterr().out
    assert "a note with [brackets]" in printed
    assert "oracle @ small" in printed


def test_a_narrow_screen_cuts_no_column_off(capsys: pytest.CaptureFixture[str]):
    values = ["0.123 [0.023, 0.456]", "10.500 [10.023, 10.956]", "-0.200 [-0.345, 0.012]"]
    names = [f"measure, long name {place}" for place in range(9)]
    rows = tuple((f"condition {row}", *values * 3) for row in range(2))
    print_report(Report([Table("Wide", ("condition", *names), rows)]))
    lines = capsys.readouterr().out.split("\n")
    assert all(len(line.rstrip()) <= 80 for line in lines)
    text = "\n".join(lines)
    for bounds in ("[.02, .46]", "[10.02, 10.96]", "[-.34, .01]"):
        assert text.count(bounds) == 6, text
    words = text.split()
    assert all(words.count(str(place)) >= 1 for place in range(9))


def test_figures_are_drawn(played, tmp_path: Path):
    suite, results = played
    for name, figure in (
        ("learning", learning_figure(suite, results)),
        ("capacity", capacity_figure(suite, results)),
    ):
        files = save_figure(figure, tmp_path / name)
        assert [file.suffix for file in files] == [".png", ".svg"]
        assert all(file.stat().st_size > 5000 for file in files)
    lines = capacity_figure(suite, results).axes[0].get_lines()
    assert any(list(line.get_ydata()) == [0.9] for line in lines)  # the paper's point


@pytest.mark.slow
def test_study_two_shows_the_gap_grow_with_capacity(tmp_path: Path):
    """150 runs a cell: the notebook's lead over the window grows from 8 to 25 to 64."""
    suite = load_suite("lewis-study2")
    settings = [s for s in suite.settings if s.name in ("capacity 8", "capacity 25", "capacity 64")]
    wanted = ("notebook-bayes", "window-bayes", "window-greedy")
    players = [player for player in suite.players if player.name in wanted]
    gaps = ("gap at 25 − gap at 8", "gap at 64 − gap at 25")
    contrasts = [contrast for contrast in suite.contrasts if contrast.name in gaps]
    small = msgspec.structs.replace(
        suite,
        settings=tuple(settings),
        players=tuple(players),
        contrasts=tuple(contrasts),
        measures=("accuracy",),
        paper=(),
    )
    assert small.seeds >= 150
    results = run_jobs(jobs_of(small), tmp_path / "run", processes=2)
    table, contrasted = tables_of(small, results)
    for row in contrasted.rows:
        low = float(row[1].partition("[")[2].partition(",")[0])
        assert low > 0, row
        assert int(row[2]) >= 150
    greedy = {row[0]: float(row[2].split()[0]) for row in table.rows if "greedy" in row[0]}
    assert len(greedy) == 3
    expected = 1 - 0.75 * (7 / 8) ** 20
    assert all(abs(accuracy - expected) < 0.02 for accuracy in greedy.values()), greedy


SWAPPED = """
name = "swapped"
title = "Swapped"
environment = "saveveyru-v0"
seeds = 2
[[settings]]
name = "new observer"
swap = { at_round = 3, rounds = 2, history = 1, replace = { observer_0 = "same" } }
[[players]]
name = "oracle"
policies = { "*" = "oracle-code" }
"""


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("observer_0", "observer_9", "replaces 'observer_9': did you mean 'observer_0'?"),
        ('"same"', '"oracle-cod"', "did you mean 'oracle-code'?"),
        ('"same"', '"q-learning"', "plays lewis"),
        ("at_round = 3", "at_round = 1", "Expected int >= 2"),
        ("rounds = 2,", "rounds = 0,", "Expected int >= 1"),
        ("history = 1", "history = -1", "Expected int >= 0"),
        ("history = 1", "windows = 1", "windows"),
        ("rounds = 2,", "rounds = 2, knobs = { budgit = 1 },", "did you mean 'budget'?"),
    ],
)
def test_a_swap_that_can_not_be_is_refused_before_anything_is_played(
    tmp_path: Path, old: str, new: str, words: str
):
    assert mine(tmp_path, SWAPPED).settings[0].swap is not None
    assert old in SWAPPED
    with pytest.raises(ConfigError) as caught:
        mine(tmp_path, SWAPPED.replace(old, new))
    assert words in str(caught.value)
