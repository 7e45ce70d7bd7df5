"""Two teams, an intern, an eavesdropper and pairs at odds: who hears, acts, guesses and is paid."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from babelzoo.envs.core import IDLE, Move, Outcome, Wait, tables
from babelzoo.envs.saveveyru import (
    GAME,
    Guess,
    Guessed,
    Notice,
    Perform,
    Previous,
    Procedure,
    RoundEnded,
    Said,
    Send,
    Stabilize,
    Swapped,
    Symptoms,
    Tried,
    VeyruConfig,
    VeyruText,
    VeyruView,
    VeyruWorld,
    render,
)
from babelzoo.envs.saveveyru.cases import Dealer
from babelzoo.envs.saveveyru.procedures import TITLES

TEAMS = (("observer_0", "specialist_0"), ("observer_1", "specialist_1"))
MEMBERS = TEAMS[0] + TEAMS[1]
INTERN, EAVESDROPPER = "intern_0", "eavesdropper_0"


def _world(seed: int = 4, **knobs: Any) -> VeyruWorld:
    world = VeyruWorld(VeyruConfig(**knobs))
    world.reset(seed)
    return world


def _preset(name: str) -> VeyruConfig:
    config = GAME.configure({"preset": name})
    assert isinstance(config, VeyruConfig)
    return config


def _cure(world: VeyruWorld, number: int = 0) -> Stabilize:
    """What pair `number`'s Veyru needs now."""
    return Stabilize(render(world.case.procedures[world.teams[number].stage]))


def _entries(view: VeyruView) -> tuple[Any, ...]:
    return (*view.log, *view.new)


def _heard(view: VeyruView) -> list[str]:
    """What was said, as a View has it."""
    return [entry.text for entry in _entries(view) if isinstance(entry, Said)]


def _text(world: VeyruWorld, agent: str) -> str:
    return tables(VeyruText, world.config).observation(world.view(agent))


def _channel(world: VeyruWorld, agent: str) -> str:
    team = world.teams[world.desks[agent].team]
    return "link" if team.phase == "round" else "postmortem"


def _step(world: VeyruWorld, move: Move) -> Outcome:
    """One move of the first who is ready."""
    return world.apply(world.ready()[0], move)


def _wait_until(world: VeyruWorld, number: int) -> None:
    """Let everybody wait until round `number` (from 1) begins."""
    while world.round + 1 < number:
        _step(world, Wait())


def _chat(world: VeyruWorld) -> Iterator[Outcome]:
    """A game in which all say their team, name, round and phase; observers cure now and then."""
    while not world.over:
        agent = world.ready()[0]
        desk = world.desks[agent]
        team = world.teams[desk.team]
        move: Move = Send(
            _channel(world, agent), f"<{desk.team} {agent} {world.round + 1} {team.phase}>"
        )
        if desk.seat not in ("observer", "specialist"):
            move = Wait()
        elif team.phase == "round" and team.turn % 8 == 4:
            move = _cure(world, desk.team)
        yield world.apply(agent, move)


# Two teams

TWO: dict[str, Any] = {
    "mode": "two_teams",
    "n_rounds": 4,
    "swap_after": 2,
    "budget": 1000,
    "max_turns": 13,
    "max_postmortem_turns": 5,
}


def test_the_preset_swaps_the_observers_of_two_teams_after_10_of_20_rounds() -> None:
    config = _preset("two_teams")
    assert (config.mode, config.n_rounds, config.swap_after) == ("two_teams", 20, 10)
    world = VeyruWorld(config)
    world.reset(0)
    assert world.possible_agents() == world.agents() == MEMBERS
    _wait_until(world, 10)
    assert [team.observer for team in world.teams] == ["observer_0", "observer_1"]
    _wait_until(world, 11)
    assert [team.observer for team in world.teams] == ["observer_1", "observer_0"]
    assert [team.specialist for team in world.teams] == ["specialist_0", "specialist_1"]


@pytest.mark.parametrize("delivery", ["push", "pull"])
@pytest.mark.parametrize("announced", [True, False])
def test_a_message_of_one_team_is_in_no_view_of_the_other(announced: bool, delivery: str) -> None:
    world = _world(**TWO, announce_swap=announced, delivery=delivery)
    heard = 0
    for _ in _chat(world):
        for agent in MEMBERS:
            view = world.view(agent)
            assert sum(view.unread) <= len(world.teams[world.desks[agent].team].said)
            for text in _heard(view):
                assert text.startswith(f"<{world.desks[agent].team} ")
                heard += agent not in text
            other = 1 - world.desks[agent].team
            assert f"<{other} " not in _text(world, agent)
    assert heard or delivery == "pull"


def test_both_teams_have_the_same_cases_and_a_budget_of_their_own() -> None:
    world = _world(**TWO)
    ended: dict[int, list[RoundEnded]] = {0: [], 1: []}
    for outcome in _chat(world):
        for event in outcome.events:
            if isinstance(event, RoundEnded):
                ended[event.team].append(event)
    assert [e.motifs for e in ended[0]] == [e.motifs for e in ended[1]]
    assert [e.procedures for e in ended[0]] == [e.procedures for e in ended[1]]
    assert [e.observer for e in ended[0]] == ["observer_0"] * 2 + ["observer_1"] * 2
    assert [e.observer for e in ended[1]] == ["observer_1"] * 2 + ["observer_0"] * 2
    assert [e.specialist for e in ended[0]] == ["specialist_0"] * 4
    pair = _world(**TWO | {"mode": "pair"})
    assert ended[0][0].motifs == pair.case.stages


def test_one_teams_collapse_does_not_stop_or_charge_the_other() -> None:
    world = _world(**TWO)
    outcome = world.apply("observer_0", Send("link", "x" * 1001))
    (ended,) = [event for event in outcome.events if isinstance(event, RoundEnded)]
    assert (ended.team, ended.end) == (0, "over_budget")
    assert [team.phase for team in world.teams] == ["postmortem", "round"]
    assert world.teams[1].used == 0
    assert world.view("specialist_1").previous is None
    assert world.view("specialist_1").table and not world.view("specialist_0").table
    for agent in ("observer_0", "specialist_0"):
        world.apply(agent, Wait())
    assert world.ready() == ("observer_1",)
    assert [form.action for form in world.view("observer_0").legal] == ["wait"]
    with pytest.raises(ValueError, match="observer_0"):
        world.apply("observer_0", Wait())
    assert world.round == 0


def test_a_success_pays_its_own_pair_alone() -> None:
    world = _world(**TWO)
    share = 1 / len(world.case.stages)
    outcome = world.apply("observer_1", _cure(world, 1))
    assert outcome.rewards == {"observer_1": share, "specialist_1": share}
    assert [team.stage for team in world.teams] == [0, 1]
    assert Notice("fixed") not in _entries(world.view("specialist_0"))


@pytest.mark.parametrize("announced", [True, False])
def test_a_swap_is_told_to_all_four_or_to_nobody(announced: bool) -> None:
    world = _world(**TWO, announce_swap=announced)
    swapped = []
    for outcome in _chat(world):
        swapped += [event for event in outcome.events if isinstance(event, Swapped)]
        if swapped and world.round == 2:
            break
    assert swapped == [
        Swapped(3, "observer_1", 0, announced),
        Swapped(3, "observer_0", 1, announced),
    ]
    told = [Notice("new_partner") in world.view(agent).new for agent in MEMBERS]
    assert told == [announced] * 4


@pytest.mark.parametrize("announced", [True, False])
def test_a_newcomer_sees_nothing_of_the_former_link(announced: bool) -> None:
    knobs = TWO | {"announce_swap": announced, "n_rounds": 3}
    world = _world(**knobs)
    _wait_until(world, 2)
    for team in TEAMS:  # the last word of the last postmortem is still to be read
        for turn in range(2):
            world.apply(team[turn], Wait())
        for turn in range(5):
            world.apply(team[turn % 2], Send("postmortem", f"<{team[0]} postmortem>"))
    assert world.round == 2
    for agent, place in (("observer_1", 0), ("observer_0", 1)):
        view = world.view(agent)
        assert view.previous == (None if announced else Previous(2, "idle", 0))
        assert view.log == ()
        assert not _heard(view) and "postmortem>" not in _text(world, agent)
        shown = [entry for entry in view.new if isinstance(entry, Symptoms)]
        assert shown == [Symptoms(world.case.stages[0], world.case.location)]
        assert world.desks[agent].team == place
    stayed = world.view("specialist_0")
    assert stayed.previous == Previous(2, "idle", 0)
    assert _heard(stayed) == ["<observer_0 postmortem>"]


def _same_in_both_teams(world: VeyruWorld) -> Iterator[None]:
    """Both teams say and do the same, so that a partner's words don't give a swap away."""
    for turn in range(1000):
        if world.over:
            return
        for team in list(world.teams):
            if team.phase == "done" or world.over:
                continue
            number, agent = world.teams.index(team), team.mover
            move: Move = Send(_channel(world, agent), "F9") if turn % 5 < 3 else Wait()
            if turn % 5 == 4 and agent == team.observer and team.phase == "round":
                move = _cure(world, number)
            world.apply(agent, move)
        yield
    raise AssertionError("the game does not end")


def test_a_silent_swap_changes_no_view() -> None:
    games = [_world(**TWO | {"announce_swap": False, "swap_after": after}) for after in (2, 99)]
    swapped = 0
    for _ in zip(*[_same_in_both_teams(world) for world in games], strict=True):
        swapped += games[0].teams[0].observer == "observer_1"
        for agent in MEMBERS:
            views = [msgspec.json.encode(world.view(agent)) for world in games]
            assert views[0] == views[1]
    assert swapped


# The intern

LEARNING: dict[str, Any] = {
    "mode": "intern",
    "n_rounds": 5,
    "intern_joins": 2,
    "intern_takes_over": 4,
    "budget": 1000,
    "max_turns": 13,
    "max_postmortem_turns": 5,
}


def test_the_preset_lets_the_intern_listen_from_3_and_take_over_at_8() -> None:
    config = _preset("intern")
    assert (config.mode, config.intern_joins, config.intern_takes_over) == ("intern", 3, 8)


def test_the_intern_hears_the_link_from_its_round_on_and_never_the_postmortem() -> None:
    world = _world(**LEARNING)
    heard: dict[int, set[str]] = {}
    for _ in _chat(world):
        for text in _heard(world.view(INTERN)):
            heard.setdefault(world.round + 1, set()).add(text)
        if world.round == 3:
            break
    assert 1 not in heard
    for number in (2, 3):
        names = {f"<0 {agent} {number} round>" for agent in TEAMS[0]}
        assert heard[number] == names


def test_the_intern_is_shown_each_round_once_after_it_ended() -> None:
    world = _world(**LEARNING)
    shown = []
    for outcome in _chat(world):
        if world.round == 3:
            break
        if world.ready() == (INTERN,):
            view = world.view(INTERN)
            assert [form.action for form in view.legal] == ["wait"]
            assert view.log == () and view.seat == "listener"
            assert any(isinstance(event, RoundEnded) for event in outcome.events)
            tried = [entry.result for entry in view.new if isinstance(entry, Tried)]
            shown.append((world.round + 1, bool(_heard(view)), "works" in tried))
    assert shown == [(2, True, True), (3, True, True)]


@pytest.mark.parametrize("works", [True, False])
def test_the_intern_is_shown_what_the_observer_tried_and_how_it_went(works: bool) -> None:
    world = _world(**LEARNING)
    for text in ("too early", "a bell, somewhere"):
        world.apply("observer_0", Stabilize(text))
        assert not _entries(world.view(INTERN)) or world.round
        world.apply("specialist_0", Wait())
        if not world.round:
            _wait_until(world, 2)
    move = _cure(world) if works else Stabilize("wrong")
    world.apply("observer_0", move)
    seen = [entry for entry in _entries(world.view(INTERN)) if isinstance(entry, Tried)]
    assert seen == [
        Tried("a bell, somewhere", "fails"),
        Tried(move.procedure, "works" if works else "fails"),
    ]


def test_the_intern_acts_from_its_takeover_only_and_its_predecessor_only_waits() -> None:
    world = _world(**LEARNING)
    acted: dict[str, set[int]] = {}
    swapped = []
    for outcome in _chat(world):
        swapped += [event for event in outcome.events if isinstance(event, Swapped)]
        for agent in world.ready():
            if world.view(agent).legal != IDLE:
                acted.setdefault(agent, set()).add(world.round + 1)
        if world.round + 1 >= 4 and not world.over:
            view = world.view("observer_0")
            assert (view.legal, view.seat) == (IDLE, "retired")
            assert "observer_0" in world.agents()
            with pytest.raises(ValueError, match="observer_0"):
                world.apply("observer_0", Wait())
    assert acted == {"observer_0": {1, 2, 3}, "specialist_0": {1, 2, 3, 4, 5}, INTERN: {4, 5}}
    assert swapped == [Swapped(4, INTERN, 0, True)]


def test_the_intern_starts_with_the_new_signs_alone_and_is_then_paid_as_observer() -> None:
    world = _world(**LEARNING)
    for _ in _chat(world):
        if world.round + 1 == 4:
            break
    view = world.view(INTERN)
    assert (view.seat, view.previous, view.log) == ("observer", None, ())
    signs = Symptoms(world.case.stages[0], world.case.location)
    assert set(view.new) == {signs, Notice("new_partner")}
    retired = world.view("observer_0")
    assert signs not in _entries(retired)
    outcome = world.apply(INTERN, _cure(world))
    share = 1 / len(world.case.stages)
    assert outcome.rewards == {INTERN: share, "specialist_0": share}
    assert world.view("observer_0") == retired


# The eavesdropper

SPYING: dict[str, Any] = {"mode": "eavesdropper", "n_rounds": 2}


def _guess(procedure: Procedure) -> Guess:
    return Guess(TITLES[procedure.template], procedure.face, procedure.intensity, procedure.seconds)


def _spied(n_stages: int = 2, **knobs: Any) -> VeyruWorld:
    """A world whose first round has this many stages."""
    weights = (0,) * (n_stages - 1) + (1,)
    return _world(**SPYING | {"stage_weights": weights} | knobs)


@pytest.mark.parametrize(
    ("sees", "told"), [("messages", False), ("messages+outcomes", True)], ids=str
)
def test_the_eavesdropper_sees_messages_and_outcomes_only_where_it_may(
    sees: str, told: bool
) -> None:
    world = _spied(eavesdropper_sees=sees)
    world.apply("observer_0", Send("link", "dim"))
    world.apply("specialist_0", Send("link", "B7"))
    world.apply("observer_0", Stabilize("wrong"))
    heard = [Said("observer", "link", "dim"), Said("specialist", "link", "B7")]
    assert [*_entries(world.view(EAVESDROPPER))] == heard
    world.apply("specialist_0", Wait())
    world.apply("observer_0", _cure(world))
    assert [*_entries(world.view(EAVESDROPPER))] == heard + [Notice("fixed")] * told
    assert world.view(EAVESDROPPER).previous is None
    assert world.view(EAVESDROPPER).table == ()


def test_the_eavesdropper_hears_no_postmortem_and_forgets_the_round_after_it() -> None:
    world = _world(**SPYING | {"max_turns": 13, "max_postmortem_turns": 5, "n_rounds": 3})
    rounds = set()
    for _ in _chat(world):
        for text in _heard(world.view(EAVESDROPPER)):
            assert text.endswith(f" {world.round + 1} round>")
            rounds.add(world.round + 1)
    assert rounds == {1, 2, 3}


def test_the_eavesdropper_guesses_after_each_stage_and_nobody_moves_meanwhile() -> None:
    world = _spied(3)
    asked = []
    for stage in range(3):
        world.apply("observer_0", _cure(world))
        assert world.ready() == (EAVESDROPPER,)
        view = world.view(EAVESDROPPER)
        assert [form.action for form in view.legal] == ["guess"]
        assert f"Which treatment did trouble {stage + 1} of this round need?\n" in _text(
            world, EAVESDROPPER
        )
        asked.append(view.stage)
        with pytest.raises(ValueError, match="specialist_0"):
            world.apply("specialist_0", Wait())
        outcome = world.apply(EAVESDROPPER, _guess(world.case.procedures[stage]))
        assert outcome.rewards == {EAVESDROPPER: 1.0}
        (event,) = outcome.events
        assert isinstance(event, Guessed)
        assert (event.stage, event.required) == (stage, world.case.procedures[stage])
        assert world.view(EAVESDROPPER).stage == 0
        if stage < 2:
            world.apply("specialist_0", Wait())
    assert asked == [1, 2, 3]
    assert world.teams[0].phase == "postmortem"


@pytest.mark.parametrize("postmortem", [True, False])
def test_the_eavesdropper_is_asked_for_the_stage_at_which_a_round_fails(postmortem: bool) -> None:
    world = _spied(postmortem=postmortem)
    world.apply("observer_0", _cure(world))
    world.apply(EAVESDROPPER, Wait())
    world.apply("specialist_0", Send("link", "x" * 151))
    assert (world.ready(), world.view(EAVESDROPPER).stage) == ((EAVESDROPPER,), 2)
    assert world.round == 0
    world.apply(EAVESDROPPER, Wait())
    assert world.ready() == ("observer_0",)
    assert world.round == (0 if postmortem else 1)


@pytest.mark.parametrize("n_hits", range(5))
def test_a_guess_is_paid_the_mean_of_its_four_hits(n_hits: int) -> None:
    world = _spied()
    needed = world.case.procedures[0]
    wrong = Procedure(
        (needed.template + 1) % 14,
        "left" if needed.face != "left" else "top",
        "firm" if needed.intensity != "firm" else "gentle",
        5 if needed.seconds != 5 else 8,
    )
    parts = [
        getattr(needed if place < n_hits else wrong, name)
        for place, name in enumerate(("template", "face", "intensity", "seconds"))
    ]
    world.apply("observer_0", _cure(world))
    outcome = world.apply(EAVESDROPPER, _guess(Procedure(*parts)))
    assert outcome.rewards == {EAVESDROPPER: n_hits / 4}
    (event,) = outcome.events
    assert isinstance(event, Guessed) and sum(event.hits) == n_hits


@pytest.mark.parametrize(
    "move",
    [
        Wait(),
        Send("link", "x"),
        Stabilize("x"),
        Guess("no such treatment", "top", "firm", 5),
        Guess(TITLES[0], "top", "firm", 7),
    ],
    ids=repr,
)
def test_what_is_no_guess_is_refused_and_hits_nothing(move: Move) -> None:
    world = _spied()
    world.apply("observer_0", _cure(world))
    outcome = world.apply(EAVESDROPPER, move)
    assert outcome.rejected.startswith("expected ")
    assert outcome.rewards == {EAVESDROPPER: 0.0}
    assert outcome.events[-1] == Guessed(
        1, EAVESDROPPER, 0, None, world.case.procedures[0], (False,) * 4
    )
    assert world.ready() == ("specialist_0",)


def test_a_budget_cuts_what_the_eavesdropper_reads_in_a_round() -> None:
    world = _spied(1, eavesdropper_budget=5)
    for text in ("abc", "", "defg", "", "hi"):
        _step(world, Send("link", text))
    assert _heard(world.view(EAVESDROPPER)) == ["abc", "", "de", ""]
    world.apply(world.ready()[0], Wait())
    world.apply("observer_0", _cure(world))
    world.apply(EAVESDROPPER, Wait())
    _wait_until(world, 2)
    world.apply("observer_0", Send("link", "new round"))
    assert _heard(world.view(EAVESDROPPER)) == ["new r"]


# At odds


def test_at_odds_the_specialist_is_paid_the_negative_and_alone_is_told() -> None:
    world = _world(conflict=1.0, stage_weights=(0, 1))
    assert world.view("specialist_0").conflict and not world.view("observer_0").conflict
    assert "you are paid the opposite" in _text(world, "specialist_0")
    assert "opposite:" not in _text(world, "observer_0")
    outcome = world.apply("observer_0", _cure(world))
    assert outcome.rewards == {"observer_0": 0.5, "specialist_0": -0.5}
    world.apply("specialist_0", Wait())
    (_, ended) = world.apply("observer_0", _cure(world)).events
    assert isinstance(ended, RoundEnded) and ended.conflict
    assert not world.view("specialist_0").conflict  # in the postmortem


def _odd_rounds(share: float, seed: int = 4, n_rounds: int = 4000, **knobs: Any) -> set[int]:
    dealer = Dealer(VeyruConfig(conflict=share, **knobs))
    return {number for number in range(n_rounds) if dealer.deal(seed, number).conflict}


def test_the_rounds_at_odds_are_a_keyed_share() -> None:
    assert _odd_rounds(0.0) == set()
    assert _odd_rounds(1.0) == set(range(4000))
    for share in (0.1, 0.5, 0.9):
        assert abs(len(_odd_rounds(share)) / 4000 - share) < 0.04
    assert _odd_rounds(0.1) < _odd_rounds(0.5) < _odd_rounds(0.9)
    assert _odd_rounds(0.5) == _odd_rounds(0.5, budget=800, mapping="derangement")
    assert _odd_rounds(0.5) != _odd_rounds(0.5, seed=5)


def test_oddness_changes_nothing_else_of_a_case() -> None:
    plain, odd = (Dealer(VeyruConfig(conflict=share)) for share in (0.0, 1.0))
    for number in range(50):
        case = odd.deal(4, number)
        assert msgspec.structs.replace(case, conflict=False) == plain.deal(4, number)


def test_only_the_rules_of_games_that_may_be_at_odds_speak_of_it() -> None:
    for role in ("observer", "specialist"):
        for share in (0.0, 0.5):
            rules = tables(VeyruText, VeyruConfig(conflict=share)).rules(role)
            assert ("paid for the opposite" in rules) == bool(share)


def test_structured_guesses_and_labels_have_nothing_in_common() -> None:
    world = _spied(action_format="structured")
    assert world.view(EAVESDROPPER).labels == ()
    needed = world.case.procedures[0]
    label = "ABCDEFGHIJKLMN"[world.view("observer_0").labels.index(needed.template)]
    world.apply("observer_0", Perform(label, needed.face, needed.intensity, needed.seconds))
    assert "Your treatments:" not in _text(world, EAVESDROPPER)
    assert world.apply(EAVESDROPPER, _guess(needed)).rewards == {EAVESDROPPER: 1.0}


def test_a_stage_put_right_on_a_rounds_last_turn_is_guessed_too() -> None:
    world = _spied(2, max_turns=3)
    world.apply("observer_0", Wait())
    world.apply("specialist_0", Send("link", "x"))
    outcome = world.apply("observer_0", _cure(world))
    assert outcome.rewards
    stages = []
    while EAVESDROPPER in world.ready():
        stages.append(world.view(EAVESDROPPER).stage)
        world.apply(EAVESDROPPER, Wait())
    assert stages == [1, 2]


def test_the_intern_reads_a_tried_treatment_in_its_own_labels() -> None:
    knobs = {"mode": "intern", "action_format": "structured"}
    world = _world(**knobs, intern_joins=1, intern_takes_over=2)
    needed = world.case.procedures[0]
    labels = "ABCDEFGHIJKLMN"
    label = labels[world.view("observer_0").labels.index(needed.template)]
    move = Perform(label, needed.face, needed.intensity, needed.seconds)
    world.apply("observer_0", move)
    seen = world.view(INTERN)
    (shown,) = [entry.procedure for entry in seen.new if isinstance(entry, Tried)]
    assert seen.labels[labels.index(shown[0])] == needed.template
    assert shown[1:] == f", {needed.face}, {needed.intensity}, {needed.seconds} s"


def test_a_retired_observer_is_shown_nothing_more() -> None:
    world = _world(mode="intern", n_rounds=4, intern_joins=1, intern_takes_over=2)
    _wait_until(world, 2)
    view = world.view("observer_0")
    assert (view.seat, view.log, view.new, view.previous) == ("retired", (), (), None)


@pytest.mark.parametrize("action_format", ["english", "structured"])
def test_a_move_of_the_other_format_is_refused(action_format: str) -> None:
    world = _world(action_format=action_format)
    english = action_format == "english"
    move = Perform("A", "top", "firm", 5) if english else Stabilize("anything")
    assert world.apply("observer_0", move).rejected


@pytest.mark.parametrize("delivery", ["push", "pull"])
def test_an_overrunning_message_is_delivered_even_without_a_postmortem(delivery: str) -> None:
    world = _world(delivery=delivery, postmortem=False, budget=3, n_rounds=2)
    world.apply("observer_0", Send("link", "hello"))
    view = world.view("specialist_0")
    assert [entry.text for entry in view.new if isinstance(entry, Said)] == ["hello"]
    assert Notice("ended") in view.new
