"""Costs, channels, ends, verdicts and pay, at their boundaries."""

from typing import Any

import msgspec
import pytest
from veyru_pair import (
    OBSERVER,
    SPECIALIST,
    WAIT,
    cure,
    entries,
    found,
    link,
    play,
    start,
)

from babelzoo.envs.core import Invalid, Outcome
from babelzoo.envs.saveveyru import (
    MOTIFS,
    Notice,
    Perform,
    PostmortemEnded,
    Previous,
    Procedure,
    Read,
    Refused,
    RoundEnded,
    Said,
    Send,
    Sent,
    Stabilize,
    Symptoms,
    Tried,
    VeyruText,
    VeyruWorld,
    Warned,
    render,
)
from babelzoo.envs.saveveyru.terms import ENDS


def ended(outcome: Outcome) -> RoundEnded:
    event: RoundEnded
    (event,) = found(outcome, RoundEnded)
    return event


def said(world: VeyruWorld, agent: str) -> list[str]:
    return [entry.text for entry in entries(world, agent, Said)]


def test_exactly_the_budget_survives_and_one_more_collapses() -> None:
    world = start(budget=10)
    assert not any(isinstance(e, RoundEnded) for e in play(world, link("x" * 10)).events)
    outcome = play(world, link("x"))
    assert ended(outcome).end == "over_budget" and ended(outcome).used == 11


def test_both_pay_from_one_budget() -> None:
    world = start(budget=10)
    play(world, link("x" * 6), link("y" * 4))
    assert world.teams[0].used == 10
    assert ended(play(world, link("z"))).end == "over_budget"


@pytest.mark.parametrize(
    ("text", "cost"), [("", 0), ("  ", 2), ("\n\t", 2), ("\U0001f47d", 1), ("e\u0301", 2), ("é", 1)]
)
def test_a_character_is_a_code_point(text: str, cost: int) -> None:
    world = start()
    outcome = play(world, link(text))
    (sent,) = [event for event in outcome.events if isinstance(event, Sent)]
    assert sent.cost == world.teams[0].used == cost


def test_an_overrunning_message_is_delivered_whole_before_the_round_ends() -> None:
    world = start(budget=5, postmortem=True)
    play(world, link("a long message"))
    view = world.view(SPECIALIST)
    assert view.new == (Said("observer", "link", "a long message"), Notice("ended"))
    assert view.phase == "postmortem"
    assert view.previous == world.view(OBSERVER).previous == Previous(1, "over_budget", 14)


def test_a_turn_that_costs_the_last_second_treats_too_late() -> None:
    """With `turn_cost` the treatment itself may overrun; then it does not work any more."""
    world = start(budget=3, turn_cost=4)
    outcome = play(world, cure(world))
    assert not outcome.rewards and ended(outcome).end == "over_budget"
    assert ended(outcome).stages_done == 0
    assert any(isinstance(e, Tried) and e.result == "late" for e in world.view(OBSERVER).new)


def test_nothing_can_be_treated_after_a_collapse() -> None:
    world = start(budget=3)
    good = cure(world)
    play(world, link("xxxx"), WAIT)
    outcome = play(world, good)
    assert outcome.rejected and not outcome.rewards


def test_the_warning_comes_once_above_three_quarters_and_to_both() -> None:
    world = start(budget=8)
    assert not any(isinstance(e, Warned) for e in play(world, link("x" * 6)).events)
    assert any(isinstance(e, Warned) for e in play(world, link("x")).events)
    assert Notice("warning", 1) in world.view(OBSERVER).new
    assert Notice("warning", 1) in world.view(SPECIALIST).new
    assert not any(isinstance(e, Warned) for e in play(world, link("x")).events)


def test_no_warning_comes_with_the_collapse() -> None:
    world = start(budget=8)
    assert not any(isinstance(e, Warned) for e in play(world, link("x" * 9)).events)


def test_the_link_is_shut_in_the_postmortem_and_the_other_way_round() -> None:
    world = start()
    outcome = play(world, Send("postmortem", "psst"))
    assert "link" in outcome.rejected and world.teams[0].used == 0
    assert isinstance(world.view(OBSERVER).new[-1], Refused)
    play(world, WAIT)  # with the refused move the second wait in a row
    assert world.teams[0].phase == "postmortem"
    outcome = play(world, link("hello"))
    assert "postmortem" in outcome.rejected and said(world, SPECIALIST) == []
    play(world, Send("postmortem", "x" * 1000))
    assert world.teams[0].used == 0 and said(world, OBSERVER) == ["x" * 1000]


def test_without_a_postmortem_the_next_round_follows_at_once() -> None:
    world = start(postmortem=False)
    play(world, WAIT, WAIT)
    assert world.round == 1 and world.ready() == (OBSERVER,)


WAYS: dict[str, tuple[dict[str, Any], Any]] = {
    "stabilized": ({}, lambda world: [cure(world)]),
    "over_budget": ({"budget": 1}, lambda world: [link("xx")]),
    "stage_lost": ({"attempts": 1}, lambda world: [Stabilize("nothing that helps")]),
    "idle": ({}, lambda world: [WAIT, WAIT]),
    "max_turns": ({"max_turns": 3}, lambda world: [link("a"), link("b"), link("c")]),
    "model_failure": ({}, lambda world: [Invalid("?"), link("a"), Invalid("?")]),
}


@pytest.mark.parametrize("end", ENDS)
def test_every_end_is_reached(end: str) -> None:
    knobs, moves = WAYS[end]
    world = start(stage_weights=(1,), **knobs)
    assert ended(play(world, *moves(world))).end == end


def test_two_unreadable_moves_of_two_agents_are_no_failure_but_idleness() -> None:
    world = start()
    assert ended(play(world, Invalid("?"), Invalid("?"))).end == "idle"


@pytest.mark.parametrize(("turns", "end"), [(2, "idle"), (4, "max_turns")])
def test_both_ends_of_a_postmortem(turns: int, end: str) -> None:
    world = start(max_postmortem_turns=4)
    play(world, WAIT, WAIT)
    talk = [WAIT] * 2 if end == "idle" else [Send("postmortem", "x")] * 4
    outcome = play(world, *talk)
    assert outcome.events[-1] == PostmortemEnded(1, 0, end, turns)
    assert world.round == 1


def test_after_the_last_postmortem_both_are_truncated() -> None:
    world = start(n_rounds=2)
    play(world, *[WAIT] * 6)
    assert world.round == 1 and world.teams[0].phase == "postmortem"
    outcome = play(world, WAIT, WAIT)
    assert outcome.ended == {OBSERVER: "truncated", SPECIALIST: "truncated"}
    assert world.agents() == () and world.ready() == ()


def test_a_won_round_pays_one_and_shows_its_stages_in_order() -> None:
    world = start()
    stages = world.case.stages
    assert len(stages) >= 3
    assert [MOTIFS[m].priority for m in stages] == sorted(MOTIFS[m].priority for m in stages)
    paid = {OBSERVER: 0.0, SPECIALIST: 0.0}
    for place, motif in enumerate(stages):
        shown = [e.motif for e in world.view(OBSERVER).new if isinstance(e, Symptoms)]
        assert shown == [motif]
        assert not any(isinstance(e, Symptoms) for e in world.view(SPECIALIST).new)
        outcome = play(world, cure(world))
        for agent in paid:
            paid[agent] += outcome.rewards[agent]
        last = place == len(stages) - 1
        assert (Notice("fixed") in world.view(SPECIALIST).new) == (not last)
        if not last:
            play(world, link("go on"))
    assert paid == pytest.approx({OBSERVER: 1.0, SPECIALIST: 1.0})
    assert world.view(SPECIALIST).previous == Previous(1, "stabilized", 5 * (len(stages) - 1))


def test_a_failure_is_told_to_the_observer_alone() -> None:
    world = start()
    before = world.view(SPECIALIST)
    outcome = play(world, Stabilize("ring the bell"))
    assert not outcome.rewards
    assert Tried("ring the bell", "fails") in world.view(OBSERVER).new
    assert world.view(SPECIALIST).new == before.new == ()


def test_two_procedures_in_one_text_treat_nothing() -> None:
    world = start()
    needed = world.case.procedures[0]
    other = msgspec.structs.replace(needed, template=(needed.template + 1) % 14)
    assert not play(world, Stabilize(f"{render(needed)} {render(other)}")).rewards
    play(world, WAIT)
    assert play(world, Stabilize(render(needed))).rewards


def test_sealed_charges_silence_and_empty_messages() -> None:
    world = start("sealed")
    play(world, WAIT, link(""), Stabilize("ring"), link("abc"))
    assert world.teams[0].used == 1 + 1 + 1 + 3
    outcome = play(world, link("\u00e9"))
    assert outcome.rejected and world.teams[0].used == 7  # it counts as a wait, which costs


def test_sealed_loses_a_stage_at_the_third_failure() -> None:
    world = start("sealed")
    wrong = Stabilize("ring")
    play(world, wrong, link("a"), wrong, link("b"))
    assert ended(play(world, wrong)).end == "stage_lost"


def test_a_success_gives_the_attempts_back() -> None:
    world = start("sealed")
    wrong = Stabilize("ring")
    play(world, wrong, link("a"), wrong, link("b"), cure(world), link("c"))
    outcome = play(world, wrong, link("d"), wrong)
    assert not any(isinstance(event, RoundEnded) for event in outcome.events)


def test_pull_counts_messages_until_they_are_read() -> None:
    world = start(delivery="pull")
    play(world, link("one"), WAIT, link("two"), WAIT, link("three"))
    assert world.view(SPECIALIST).unread == (3, 0) and said(world, SPECIALIST) == []
    play(world, Read("link", 2))
    assert said(world, SPECIALIST) == ["two", "three"]
    assert world.view(SPECIALIST).unread == (1, 0)
    outcome = play(world, WAIT, WAIT)
    assert not any(isinstance(event, RoundEnded) for event in outcome.events)  # one is unread
    play(world, WAIT, Read("link", 100), WAIT)
    assert ended(play(world, WAIT)).end == "idle"


@pytest.mark.parametrize("last_n", [0, -1, 101])
def test_pull_refuses_other_numbers(last_n: int) -> None:
    world = start(delivery="pull")
    assert "last_n" in play(world, Read("link", last_n)).rejected


@pytest.mark.parametrize("mode", ["mask", "random_letter"])
def test_noise_changes_what_arrives_and_not_what_it_costs(mode: str) -> None:
    worlds = [start(noise=0.5, noise_mode=mode) for _ in range(2)]
    heard = []
    for world in worlds:
        outcome = play(world, link("abcdefghij" * 10))
        (sent,) = [event for event in outcome.events if isinstance(event, Sent)]
        assert sent.text == "abcdefghij" * 10 and sent.cost == 100
        assert said(world, SPECIALIST) == [sent.heard]
        heard.append(sent.heard)
    changed = sum(a != b for a, b in zip(heard[0], sent.text, strict=True))
    assert heard[0] == heard[1] and 30 < changed < 70
    assert ("_" in heard[0]) == (mode == "mask")


def test_structured_treatments_are_equal_or_fail() -> None:
    world = start(action_format="structured")
    needed = world.case.procedures[0]
    labels = world.view(OBSERVER).labels
    assert sorted(labels) == list(range(14)) and labels != tuple(range(14))
    label = "ABCDEFGHIJKLMN"[labels.index(needed.template)]
    near = Perform(label, needed.face, needed.intensity, 5 if needed.seconds != 5 else 8)
    assert not play(world, near).rewards
    play(world, link("?"))
    right = Perform(label, needed.face, needed.intensity, needed.seconds)
    assert play(world, right).rewards
    other = start(action_format="structured", seed=3)
    assert other.view(OBSERVER).labels != labels


@pytest.mark.parametrize("wrong", [Perform("Z", "top", "firm", 5), Perform("A", "up", "firm", 5)])
def test_structured_treatments_out_of_range_are_refused(wrong: Perform) -> None:
    assert play(start(action_format="structured"), wrong).rejected


def test_rounds_at_odds_pay_the_specialist_the_negative_and_tell_it_alone() -> None:
    world = start("conflict", conflict=1.0)
    assert world.view(SPECIALIST).conflict and not world.view(OBSERVER).conflict
    share = 1 / len(world.case.stages)
    assert play(world, cure(world)).rewards == {OBSERVER: share, SPECIALIST: -share}


def test_a_watcher_sees_what_each_message_cost_and_all_so_far() -> None:
    world = start("sealed")
    play(world, link("hello"), link(""), link("ok"))
    watched = VeyruText(world.config).ansi(world)
    assert 'observer on link: "hello" (+5 s, 5 s)' in watched
    assert 'specialist on link: "" (+1 s, 6 s)' in watched
    assert 'observer on link: "ok" (+2 s, 8 s)' in watched
    assert "used: 8 of 150 s" in watched


def test_the_specialist_can_not_treat() -> None:
    world = start()
    play(world, WAIT)
    assert play(world, cure(world)).rejected


def test_a_procedure_is_the_same_only_if_all_parts_are() -> None:
    needed = Procedure(3, "top", "firm", 5)
    assert needed == Procedure(3, "top", "firm", 5) != Procedure(3, "top", "firm", 8)
