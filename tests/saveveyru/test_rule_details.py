"""More of the rules at their boundaries: what is charged, shut, warned, read, judged and paid."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from veyru_pair import (
    BAD,
    LABELS,
    OBSERVER,
    PAIR,
    SPECIALIST,
    WAIT,
    WRONG,
    cure,
    end,
    entries,
    found,
    link,
    other,
    perform,
    play,
    start,
    warnings,
)

from babelzoo.envs.core import Move, Outcome
from babelzoo.envs.saveveyru import (
    Judged,
    Notice,
    PostmortemEnded,
    Previous,
    Procedure,
    Read,
    RoundEnded,
    Said,
    Send,
    Sent,
    Stabilize,
    Symptoms,
    Warned,
)
from babelzoo.envs.saveveyru.terms import ENDS

# Costs and warnings


@pytest.mark.parametrize(
    ("preset", "budget", "moves", "ends"),
    [
        ("reference", 0, [link("")], ""),
        ("reference", 0, [link("x")], "over_budget"),
        ("reference", 0, [WRONG, WAIT, WRONG, BAD], ""),
        ("reference", 6, [link("xxx"), link("yyy")], ""),
        ("reference", 6, [link("xxx"), link("yyyy")], "over_budget"),
        ("sealed", 2, [link("x"), WAIT], ""),
        ("sealed", 2, [link("xx"), WAIT], "over_budget"),
        ("sealed", 2, [link(""), link(""), link("")], "over_budget"),
        ("sealed", 2, [link("xx"), link("é")], "over_budget"),
        ("sealed", 2, [link("xx"), BAD], "over_budget"),
    ],
)
def test_only_more_than_the_budget_collapses(
    preset: str, budget: int, moves: list[Move], ends: str
) -> None:
    assert end(play(start(preset, budget=budget), *moves)) == ends


@pytest.mark.parametrize("text", ["\u200d", "\r\n", "👨‍👩‍👧", "a\u0308\u0323", "\U000e0041", "\0"])
def test_odd_characters_cost_and_arrive_as_code_points(text: str) -> None:
    world = start()
    (sent,) = found(play(world, link(text)), Sent)
    assert sent.cost == world.teams[0].used == len(text)
    assert entries(world, SPECIALIST, Said) == [Said("observer", "link", text)]


def test_the_specialists_overrun_is_delivered_whole_too() -> None:
    world = start(budget=5)
    assert end(play(world, link("abc"), link("a long answer"))) == "over_budget"
    assert entries(world, OBSERVER, Said) == [Said("specialist", "link", "a long answer")]


def test_a_budget_is_a_rounds_and_so_is_its_warning() -> None:
    world = start(budget=8)
    for number in (1, 2):
        outcome = play(world, link("x" * 8))
        assert found(outcome, Warned) == [Warned(number, 0, 8)]
        play(world, *[WAIT] * 5)
        assert world.round == number and world.teams[0].used == 0


@pytest.mark.parametrize(
    ("budget", "cost", "warned"),
    [(8, 6, False), (8, 7, True), (8, 8, True), (8, 9, False), (150, 112, False), (150, 113, True)],
)
def test_both_are_warned_above_three_quarters_unless_it_has_collapsed(
    budget: int, cost: int, warned: bool
) -> None:
    world = start(budget=budget)
    outcome = play(world, link("x" * cost))
    assert bool(found(outcome, Warned)) is warned
    for agent in PAIR:
        assert warnings(world, agent) == [budget - cost] * warned
    if budget >= cost:
        play(world, link("x" * (budget - cost)))
        for agent in PAIR:
            assert len(warnings(world, agent)) == 1 or cost == 0.75 * budget


def test_show_budget_alone_shows_what_is_used() -> None:
    for shown in (True, False):
        world = start(show_budget=shown)
        play(world, link("abc"))
        assert [world.view(agent).used for agent in PAIR] == [3 if shown else None] * 2


# Channels and phases


def test_a_shut_channel_costs_nothing_delivers_nothing_and_counts_as_a_wait() -> None:
    world = start()
    outcome = play(world, Send("postmortem", "psst"), Send("postmortem", "psst"))
    ended = found(outcome, RoundEnded)[0]
    assert (ended.end, ended.used, ended.messages, ended.characters) == ("idle", 0, 0, 0)
    outcome = play(world, link("psst"), link("psst"))
    assert found(outcome, PostmortemEnded) == [PostmortemEnded(1, 0, "idle", 2)]
    assert not found(outcome, Sent)
    assert entries(world, OBSERVER, Said) == entries(world, SPECIALIST, Said) == []


def test_a_postmortem_is_free_where_turns_of_a_round_are_not() -> None:
    world = start("sealed", budget=2)
    play(world, link("xxx"))
    outcome = play(world, Send("postmortem", ""), WAIT, Send("postmortem", "y" * 999), BAD)
    assert [sent.cost for sent in found(outcome, Sent)] == [0, 0]
    assert world.teams[0].used == 3 and world.view(OBSERVER).previous == Previous(
        1, "over_budget", 3
    )


@pytest.mark.parametrize("agent", PAIR)
def test_nobody_treats_in_a_postmortem_and_the_table_is_taken_away(agent: str) -> None:
    world = start()
    good = cure(world)
    assert len(world.view(SPECIALIST).table) == 14
    play(world, WAIT, WAIT, *[WAIT] * PAIR.index(agent))
    assert all(world.view(each).table == () for each in PAIR)
    outcome = world.apply(agent, good)
    assert outcome.rejected and not outcome.rewards and not found(outcome, Judged)


# Ends

FIRST_WINS: list[tuple[str, dict[str, Any], list[Move]]] = [
    ("over_budget", {"budget": 2, "max_turns": 2}, [WAIT, link("xxx")]),
    ("over_budget", {"turn_cost": 2, "budget": 3}, [WAIT, WAIT]),
    ("over_budget", {"turn_cost": 2, "budget": 1, "attempts": 1}, [WRONG]),
    ("over_budget", {"turn_cost": 1, "budget": 2}, [BAD, link("a"), BAD]),
    ("stage_lost", {"attempts": 1, "max_turns": 3}, [WAIT, link("a"), WRONG]),
    ("model_failure", {"max_turns": 3}, [BAD, link("a"), BAD]),
    ("model_failure", {}, [BAD, link("a"), BAD, WAIT]),
    ("idle", {"max_turns": 2}, [WAIT, WAIT]),
    ("max_turns", {"max_turns": 3}, [WAIT, link("a"), WAIT]),
]


@pytest.mark.parametrize(("ends", "knobs", "moves"), FIRST_WINS)
def test_of_two_reasons_to_end_the_graver_is_named(
    ends: str, knobs: dict[str, Any], moves: list[Move]
) -> None:
    assert ends in ENDS
    assert end(play(start(**knobs), *moves)) == ends


@pytest.mark.parametrize(
    "moves",
    [
        [BAD, link("a"), WAIT, link("a"), BAD, link("b")],
        [BAD, link("a"), WRONG, link("a"), BAD, link("b")],
        [WAIT, link("a"), WAIT, link("a"), WAIT, link("a")],
        [WRONG, WAIT, WRONG, WAIT, WRONG, WAIT],
        [link(""), WAIT, link(""), WAIT],
        [Send("postmortem", "?"), link("a"), Send("postmortem", "?"), link("a")],
    ],
)
def test_what_is_broken_off_ends_no_round(moves: list[Move]) -> None:
    assert end(play(start(), *moves)) == ""


def test_a_cure_on_the_last_turn_wins_and_one_that_is_not_the_last_stage_does_not() -> None:
    for n_stages, ends in ((1, "stabilized"), (2, "max_turns")):
        world = start(max_turns=3, stage_weights=(0,) * (n_stages - 1) + (1,))
        outcome = play(world, WAIT, link("a"), cure(world))
        assert end(outcome) == ends and outcome.rewards[OBSERVER] == 1 / n_stages


def test_after_every_round_both_are_told_the_same_of_it() -> None:
    world = start(budget=1, n_rounds=3)
    for moves in ([link("xx")], [WAIT, WAIT], [BAD, link("x"), BAD]):
        (ended,) = found(play(world, *moves), RoundEnded)
        told = Previous(world.round + 1, ended.end, ended.used)
        assert [world.view(agent).previous for agent in PAIR] == [told, told]
        assert world.ready() == (OBSERVER,)
        play(world, WAIT, WAIT)
    assert world.over


def test_unreadable_moves_end_no_postmortem_but_by_idleness() -> None:
    world = start()
    play(world, WAIT, WAIT)
    talk = Send("postmortem", "x")
    assert not found(play(world, BAD, talk, BAD, talk, BAD, talk), PostmortemEnded)
    assert found(play(world, BAD, BAD), PostmortemEnded) == [PostmortemEnded(1, 0, "idle", 8)]


# Stages


def test_a_failure_shows_no_new_symptoms_and_changes_no_stage() -> None:
    world = start()
    first = [Symptoms(world.case.stages[0], world.case.location)]
    for _ in range(8):  # reference: attempts are free and without end
        play(world, WRONG, link(""))
        assert entries(world, OBSERVER, Symptoms) == first
    play(world, cure(world))
    assert entries(world, OBSERVER, Symptoms) == [*first, Symptoms(world.case.stages[1])]
    assert entries(world, SPECIALIST, Notice) == [Notice("fixed")]
    assert entries(world, SPECIALIST, Symptoms) == []


@pytest.mark.parametrize("n_stages", [1, 2, 3, 4, 5])
def test_a_round_pays_both_one_in_all(n_stages: int) -> None:
    world = start(stage_weights=(0,) * (n_stages - 1) + (1,))
    paid, outcome = dict.fromkeys(PAIR, 0.0), Outcome()
    for place in range(n_stages):
        outcome = play(world, cure(world))
        assert set(outcome.rewards) == set(PAIR)
        for agent, reward in outcome.rewards.items():
            assert reward == 1 / n_stages
            paid[agent] += reward
        if place < n_stages - 1:
            play(world, link(""))
    assert end(outcome) == "stabilized"
    assert paid == pytest.approx(dict.fromkeys(PAIR, 1.0))


PARTS: dict[str, Callable[[Procedure], Any]] = {
    "template": lambda needed: (needed.template + 1) % 14,
    "face": lambda needed: other(needed.face, "top", "left"),
    "intensity": lambda needed: other(needed.intensity, "firm", "gentle"),
    "seconds": lambda needed: other(needed.seconds, 5, 8),
}


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("judge", ["strict", "core"])
def test_one_wrong_part_fails(part: str, judge: str) -> None:
    world = start(judge=judge)
    wrong = PARTS[part](world.case.procedures[0])
    (judged,) = found(play(world, cure(world, **{part: wrong})), Judged)
    assert not judged.success and getattr(judged.read, part) == wrong
    play(world, link("a"))
    assert found(play(world, cure(world)), Judged)[0].success


# Sealed


@pytest.mark.parametrize("text", ["é", "\n", "\t", "\x7f", "\u200b", "👽", "ok\0"])
def test_sealed_takes_printable_ascii_only(text: str) -> None:
    world = start("sealed")
    outcome = play(world, link(text))
    assert outcome.rejected and outcome.rejected.isprintable() and outcome.rejected.isascii()
    assert world.teams[0].used == 1 and not entries(world, SPECIALIST, Said)
    assert end(play(world, WAIT)) == "idle"


def test_sealed_takes_all_of_printable_ascii() -> None:
    text = "".join(map(chr, range(32, 127)))
    world = start("sealed")
    assert found(play(world, link(text)), Sent)[0].cost == len(text) == 95


@pytest.mark.parametrize("channel", ["link", "postmortem"])
def test_the_charset_holds_on_both_channels(channel: str) -> None:
    world = start("sealed")
    if channel == "postmortem":
        play(world, WAIT, WAIT)
    assert play(world, Send(channel, "é")).rejected
    assert not play(world, Send(channel, "e")).rejected


def test_sealed_counts_attempts_a_stage_and_refused_ones_not() -> None:
    world = start("sealed")
    long = Stabilize("x" * 2001)
    moves = [WRONG, link("a"), long, link("a"), WRONG, link("a"), long, link("a")]
    assert end(play(world, *moves)) == ""
    assert end(play(world, WRONG)) == "stage_lost"
    assert world.view(SPECIALIST).previous == Previous(1, "stage_lost", 9)


def test_sealed_third_attempt_may_still_work() -> None:
    world = start("sealed")
    outcome = play(world, WRONG, link("a"), WRONG, link("a"), cure(world))
    assert end(outcome) == "" and outcome.rewards


# Pull


def test_pull_reads_the_last_unread_each_once_and_by_channel() -> None:
    world = start(delivery="pull")
    play(world, link("1"), WAIT, link("2"), WAIT, link("3"), Read("link", 1))
    assert [said.text for said in entries(world, SPECIALIST, Said)] == ["3"]
    play(world, link("4"), Read("postmortem", 5))
    assert world.view(SPECIALIST).unread == (3, 0)
    play(world, WAIT, Read("link", 2))
    assert [said.text for said in entries(world, SPECIALIST, Said)] == ["3", "2", "4"]
    play(world, WAIT, Read("link", 9), WAIT, Read("link", 9))
    assert [said.text for said in entries(world, SPECIALIST, Said)] == ["3", "2", "4", "1"]
    assert world.view(SPECIALIST).unread == world.view(OBSERVER).unread == (0, 0)


@pytest.mark.parametrize(("turn_cost", "used"), [(0, 2), (1, 4)])
def test_pull_reads_cost_a_turn_that_sends_nothing(turn_cost: int, used: int) -> None:
    world = start(delivery="pull", turn_cost=turn_cost)
    play(world, link("ab"), Read("link", 1), Read("link", 1))
    assert world.teams[0].used == used


def test_pull_leaves_an_overrunning_message_to_be_read_in_the_postmortem() -> None:
    world = start(delivery="pull", budget=3)
    assert end(play(world, link("hello"))) == "over_budget"
    assert world.view(SPECIALIST).unread == (1, 0)
    play(world, WAIT, Read("link", 5))
    assert Said("observer", "link", "hello") in entries(world, SPECIALIST, Said)


def test_pull_postmortems_are_not_idle_while_something_is_unread() -> None:
    world = start(delivery="pull")
    play(world, WAIT, WAIT)
    outcome = play(world, Send("postmortem", "a"), WAIT, WAIT, WAIT, WAIT)
    assert not found(outcome, PostmortemEnded)
    assert world.view(SPECIALIST).unread == (0, 1)
    assert found(play(world, Read("postmortem", 1), WAIT, WAIT), PostmortemEnded)


def test_push_has_nothing_to_read() -> None:
    assert play(start(), Read("link", 1)).rejected


# Noise


def heard(seed: int, **knobs: Any) -> str:
    """A message of 200 letters as it arrives."""
    world = start(seed=seed, budget=2000, **knobs)
    play(world, link("Ab" * 100))
    return str(entries(world, SPECIALIST, Said)[0].text)


@pytest.mark.parametrize("mode", ["mask", "random_letter"])
def test_noise_is_keyed_by_the_seed_and_the_message(mode: str) -> None:
    knobs: dict[str, Any] = {"noise": 0.3, "noise_mode": mode}
    assert heard(2, **knobs) == heard(2, **knobs) != heard(3, **knobs)
    world = start(budget=2000, **knobs)
    (first, second) = found(play(world, link("Ab" * 100), link("Ab" * 100)), Sent)
    assert first.heard != second.heard
    world = start(budget=2000, **knobs)
    assert found(play(world, link("!" * 7), link("Ab" * 100)), Sent)[1].heard == second.heard


def test_noise_of_one_hits_all_and_of_none_nothing() -> None:
    assert heard(2, noise=0.0) == "Ab" * 100
    assert heard(2, noise=1.0) == "_" * 200
    letters = heard(2, noise=1.0, noise_mode="random_letter")
    assert letters.isascii() and letters.isalpha() and len(letters) == 200
    assert all(a != b for a, b in zip(letters, "Ab" * 100, strict=True))


def test_noise_spares_the_postmortem_and_the_senders_cost() -> None:
    world = start(noise=1.0, budget=3)
    (sent,) = found(play(world, link("👽é"), WAIT), Sent)
    assert (sent.text, sent.heard, sent.cost) == ("👽é", "__", 2)
    play(world, WAIT)
    play(world, Send("postmortem", "clear"))
    assert entries(world, SPECIALIST, Said)[-1].text == "clear"


# Structured actions


@pytest.mark.parametrize("part", ["template", "face", "intensity", "seconds"])
def test_structured_actions_are_equal_in_all_parts_or_fail(part: str) -> None:
    world = start(action_format="structured", stage_weights=(1,))
    values = {
        "template": LABELS,
        "face": ("top", "left"),
        "intensity": ("firm", "gentle"),
        "seconds": (5, 8),
    }[part]
    wrong = other(getattr(perform(world), part), *values)
    outcome = play(world, perform(world, **{part: wrong}))
    assert not outcome.rejected and not outcome.rewards
    assert end(play(world, link("a"), perform(world))) == "stabilized"


def test_an_observers_labels_are_its_own_order_and_last_an_episode() -> None:
    orders = set()
    for seed in range(40):
        world = start(action_format="structured", seed=seed, mode="two_teams")
        mine, theirs = world.view(OBSERVER).labels, world.view("observer_1").labels
        assert sorted(mine) == list(range(14)) and mine != tuple(range(14)) and mine != theirs
        assert world.view(SPECIALIST).labels == ()
        orders.add(mine)
    assert len(orders) == 40
    world = start(action_format="structured")
    mine = world.view(OBSERVER).labels
    play(world, *[WAIT] * 4)
    assert world.round == 1 and world.view(OBSERVER).labels == mine
    assert start().view(OBSERVER).labels == ()


# At odds


def test_only_rounds_at_odds_pay_the_specialist_the_negative() -> None:
    world = start("conflict", n_rounds=30, stage_weights=(1,), seed=5)
    kinds = set()
    while not world.over:
        odd = world.view(SPECIALIST).conflict
        assert odd is world.case.conflict and not world.view(OBSERVER).conflict
        outcome = play(world, cure(world))
        assert outcome.rewards == {OBSERVER: 1.0, SPECIALIST: -1.0 if odd else 1.0}
        assert found(outcome, RoundEnded)[0].conflict is odd
        kinds.add(odd)
        play(world, WAIT, WAIT)
    assert kinds == {True, False}


def test_the_same_seed_and_moves_give_the_same_game() -> None:
    games = []
    for _ in range(2):
        world = start("sealed", noise=0.5)
        outcomes = [play(world, m) for m in (link("abc"), link("d"), WRONG, WAIT, cure(world))]
        games.append((msgspec.json.encode(outcomes), world.state_hash()))
    assert games[0] == games[1]


def test_labels_of_two_motifs_are_no_fixed_code() -> None:
    knobs: dict[str, Any] = {"motifs": (0, 1), "stage_weights": (1,)}
    orders = {
        start(action_format="structured", seed=seed, **knobs).view(OBSERVER).labels
        for seed in range(50)
    }
    assert orders == {(0, 1), (1, 0)}
