"""The rules as each role reads them say what holds under the knobs, and nothing else."""

from typing import Any

import pytest
from conformance import SETTINGS

from babelzoo.envs.core import find_game
from babelzoo.envs.saveveyru import MOTIFS, VeyruConfig, symptoms
from babelzoo.envs.saveveyru.knobs import PRESETS, forms
from babelzoo.envs.saveveyru.rules import write_rules

VEYRU = [(name, knobs) for game, name, knobs in SETTINGS if game == "saveveyru-v0"]


def rules(role: str = "observer", **knobs: Any) -> str:
    return write_rules(VeyruConfig(**knobs), role)


@pytest.mark.parametrize(("name", "knobs"), VEYRU)
def test_every_role_has_rules_without_gaps(name: str, knobs: dict[str, Any]) -> None:
    config = find_game("saveveyru-v0").configure(knobs)
    assert isinstance(config, VeyruConfig)
    for role in forms(config):
        text = write_rules(config, role)
        assert "{action" not in text.replace('{"action"', "") and "{n_" not in text
        assert "\n\n\n" not in text and "  " not in text and "None" not in text
        for wrong in ("1 seconds", "1 Veyrus", "1 turns,"):
            assert f" {wrong}" not in text


# Knobs, the role that is told, and words that stand in its rules with them and not without.
TOLD: list[tuple[dict[str, Any], str, str]] = [
    ({"postmortem": True}, "observer", "`postmortem`"),
    ({"postmortem": True}, "specialist", "postmortem"),
    ({"show_budget": True}, "observer", "see what is used"),
    ({"min_cost": 3}, "specialist", "a message takes 3 seconds at least"),
    ({"turn_cost": 1}, "observer", "a turn in which nothing is sent on it takes 1 second"),
    ({"charset": "ascii"}, "observer", "plain ASCII"),
    ({"charset": "symbols"}, "specialist", "a b c d e f g h."),
    ({"noise": 0.25}, "specialist", "an underscore with probability 0.25"),
    ({"noise": 0.25, "noise_mode": "random_letter"}, "observer", "another letter"),
    ({"delivery": "pull"}, "observer", "`read link 5`"),
    ({"delivery": "pull"}, "specialist", "there is something to read"),
    ({"attempts": 3}, "observer", "each trouble allows 3"),
    ({"conflict": 0.5}, "specialist", "paid for the opposite"),
    ({"action_format": "structured"}, "observer", '"template":"A"'),
    (PRESETS["eavesdropper"] | {"eavesdropper_budget": 7}, "eavesdropper", "at most 7 characters"),
]


@pytest.mark.parametrize(("knobs", "role", "words"), TOLD)
def test_a_knob_is_told_where_it_holds_and_not_elsewhere(
    knobs: dict[str, Any], role: str, words: str
) -> None:
    assert words in rules(role, **knobs)
    without = PRESETS["eavesdropper"] if role == "eavesdropper" else {"postmortem": False}
    assert words not in rules(role, **without)


@pytest.mark.parametrize("role", ["observer", "specialist"])
@pytest.mark.parametrize("budget", [1, 150, 2000])
def test_budget_rounds_and_turns_are_told(role: str, budget: int) -> None:
    text = rules(role, budget=budget, n_rounds=7, max_turns=31, max_postmortem_turns=13)
    for words in (f"share {budget} second", "7 Veyrus", "31 turns", "13 turns"):
        assert words in text


def test_the_observer_has_no_glossary_and_no_list_in_english() -> None:
    text = rules("observer")
    for place, motif in enumerate(MOTIFS):
        assert motif.name not in text
        assert symptoms(place) not in text
    assert "[face]" not in text


def test_the_specialists_lists_tell_no_pairing() -> None:
    """Symptoms stand in the motifs' order, treatments in that of the alphabet."""
    text = rules("specialist")
    assert all(f"- {m.name}: {symptoms(i)}" in text for i, m in enumerate(MOTIFS))
    listed = text.partition("in alphabetical order")[2].partition("\n\n")[0].splitlines()[1:]
    assert len(listed) == 14 and listed == sorted(listed)
    order = text.partition("the most urgent first: ")[2].partition(".")[0].split(", ")
    urgency = {motif.name: motif.priority for motif in MOTIFS}
    assert [urgency[name] for name in order] == sorted(urgency.values())


def test_an_intern_reads_when_it_listens_and_then_the_observers_rules() -> None:
    text = rules("intern", **PRESETS["intern"])
    assert "From round 3 to round 7 you only listen; from round 8 on" in text
    assert text.endswith(rules("observer", **PRESETS["intern"]))
    one = {"mode": "intern", "intern_joins": 2, "intern_takes_over": 3}
    assert "In round 2 you only listen; from round 3 on" in rules("intern", **one)
