"""Pictures of SaveVeyru: every motif, every kind of game, at every stage, at every size."""

from functools import lru_cache
from itertools import combinations

import numpy as np
import pytest
from lettered import lines_drawn

from babelzoo.envs.core import Wait
from babelzoo.envs.core._pygame import pygame
from babelzoo.envs.core.canvas import frame
from babelzoo.envs.core.paint import columns
from babelzoo.envs.saveveyru import (
    MOTIFS,
    Perform,
    Send,
    Stabilize,
    VeyruConfig,
    VeyruWorld,
    render,
    talk,
)
from babelzoo.envs.saveveyru.cube import COLLAPSED, PHASES, SAVED, VARIANTS, cube
from babelzoo.envs.saveveyru.draw import draw
from babelzoo.envs.saveveyru.knobs import PRESETS

SIZES = [(1280, 720), (640, 480)]
CONFIGS = {
    **PRESETS,
    "structured": {"action_format": "structured"},
    "no postmortem": {"postmortem": False},
    "no budget": {"budget": 0},
    "noise": {"noise": 0.5, "delivery": "pull", "show_budget": True},
    "fourteen stages": {"stage_weights": (0,) * 13 + (1,)},
    "two silent teams": {"mode": "two_teams", "postmortem": False},
    "counted eavesdropper": {"mode": "eavesdropper", "eavesdropper_budget": 9},
    "early intern": {"mode": "intern", "intern_joins": 1, "intern_takes_over": 2},
}
STATES = ["new", "busy", "warned", "collapsed", "talked", "saved", "silent", "next", "over"]
TALK = ["bands that slide, edges smeared", "D4", "cloth on 2 edges of top, firm 12 s; bell x3", "?"]
HOSTILE = [
    "A7F3" * 500,
    "a very long story " * 100,
    "W" * 41,
    "\u26a1\U0001f600 \U0001f469\u200d\U0001f680 emoji",
    "one\ntwo\r\nthree\tfour\x00five\x1b[31m\x85six\u2028seven",
    "\u202eright to left\u202c \u200b\ufeff \u0301\u0301\u0301",
    "\ud800 alone",
    " \n ",
    "",
]


def start(seed=7, **knobs):
    world = VeyruWorld(VeyruConfig(**{"n_rounds": 2} | knobs))
    world.reset(seed)
    return world


def say(world, text):
    """Whoever is ready says something; a third one waits."""
    agent = world.ready()[0]
    desk = world.desks[agent]
    channel = "link" if world.teams[desk.team].phase == "round" else "postmortem"
    spoken = desk.seat in ("observer", "specialist")
    world.apply(agent, Send(channel, text) if spoken else Wait())


def treat(world):
    """The observer who is ready does what is needed; everybody else waits."""
    agent = world.ready()[0]
    desk = world.desks[agent]
    team = world.teams[desk.team]
    if desk.seat != "observer" or team.phase != "round":
        world.apply(agent, Wait())
        return
    needed = world.case.procedures[team.stage]
    move = Stabilize(render(needed))
    if world.config.action_format == "structured":
        label = "ABCDEFGHIJKLMN"[desk.labels.index(needed.template)]
        move = Perform(label, needed.face, needed.intensity, needed.seconds)
    world.apply(agent, move)


def bring(world, state):
    """Bring a fresh world into a state, as far as its knobs let it."""
    budget = world.config.budget
    if state == "busy":
        for number in range(26):
            if sum(team.used for team in world.teams) + 30 > budget * 0.7:
                break
            say(world, TALK[number % len(TALK)])
            if number == 4:
                world.apply(world.ready()[0], Wait())
    elif state == "warned":
        while not any(team.warned for team in world.teams) and budget > 9 and not world.round:
            say(world, "x" * (budget // 8))
    elif state in ("collapsed", "talked"):
        while not world.round and any(team.phase == "round" for team in world.teams):
            say(world, "x" * (budget + 1))
        for number in range(8 * (state == "talked")):
            if not world.over:
                say(world, TALK[number % len(TALK)])
    elif state == "saved":
        while not world.round and any(team.phase == "round" for team in world.teams):
            treat(world)
    elif state != "new":
        while not (world.over if state == "over" else world.round):
            if state == "silent" and any(team.phase != "round" for team in world.teams):
                break
            world.apply(world.ready()[0], Wait())
    return world


@lru_cache(maxsize=14)
def ill(motif):
    """A round whose first stage shows this motif."""
    other = (motif + 1) % 14
    for seed in range(99):
        world = start(seed, motifs=(motif, other), stage_weights=(1,))
        if world.case.stages == (motif,):
            return world
    raise AssertionError


def written(world, size=(1280, 720)):
    return lines_drawn(draw, world, size)


@pytest.mark.parametrize("size", [*SIZES, (320, 240)])
@pytest.mark.parametrize("motif", range(14), ids=[motif.name for motif in MOTIFS])
def test_every_motif_is_drawn_and_named(motif, size):
    image = frame(draw, ill(motif), size)
    assert image.dtype == np.uint8
    assert image.shape == (size[1], size[0], 3)
    assert MOTIFS[motif].name in [words for words, _ in written(ill(motif))]


def test_motifs_differ_at_a_glance():
    """At any phase, wherever the trouble sits; the closest two are 10.9 apart."""

    def pixels(look, phase, variant):
        image = pygame.image.tobytes(cube(look, 100, phase, variant), "RGB")
        return np.frombuffer(image, np.uint8).astype(int)

    moments = [(0, 0), (1, 1), (3, 2), (6, 5)]
    looks = [
        [pixels(look, *moment) for moment in moments] for look in [*range(14), SAVED, COLLAPSED]
    ]
    for one, other in combinations(looks, 2):
        assert min(abs(a - b).mean() for a in one for b in other) > 8


def test_frames_of_motifs_differ_in_the_world_alone():
    size = (640, 480)
    left = columns(pygame.Surface(size))[1]
    worlds = [frame(draw, ill(motif), size).astype(int) for motif in range(14)]
    parts = [image[left.y : left.bottom // 2, left.x : left.right] for image in worlds]
    for one, other in combinations(parts, 2):
        assert abs(one - other).mean() > 3


@pytest.mark.parametrize("look", [0, 1, 2, 5, 6, 7, 8, 9, 11, 12, SAVED])
def test_pictures_move_and_repeat(look):
    def pixels(phase):
        return pygame.image.tobytes(cube(look, 64, phase), "RGB")

    assert len({pixels(phase) for phase in range(PHASES)}) > 1
    assert pixels(1) == pixels(1 + PHASES)


def test_what_is_frozen_does_not_move():
    for look in (10, COLLAPSED):
        images = {pygame.image.tobytes(cube(look, 64, phase), "RGB") for phase in range(PHASES)}
        assert len(images) == 1


@pytest.mark.parametrize("look", range(16))
def test_cubes_of_all_sizes(look):
    for size in (16, 17, 41, 100):
        for variant in range(VARIANTS):
            assert cube(look, size, 3, variant).get_size() == (size, size)


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("knobs", CONFIGS.values(), ids=CONFIGS)
def test_every_state_is_drawn_at_every_size(knobs, state):
    world = bring(start(**knobs), state)
    for size in [*SIZES, (320, 240), (333, 777), (1600, 300)]:
        image = frame(draw, world, size)
        assert image.shape == (size[1], size[0], 3)
        assert len(np.unique(image.astype(int) @ [1, 256, 65536])) > 50


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("knobs", CONFIGS.values(), ids=CONFIGS)
def test_no_text_covers_another_or_leaves_the_frame(knobs, state, size):
    lines = written(bring(start(**knobs), state), size)
    assert len(lines) > 10
    whole = pygame.Rect((0, 0), size)
    for words, rect in lines:
        assert whole.contains(rect), words
    for (words, rect), (others, other) in combinations(lines, 2):
        apart = not rect.inflate(-2, -4).colliderect(other.inflate(-2, -4))
        assert apart, (words, rect, others, other)


@pytest.mark.parametrize("size", [*SIZES, (320, 240)])
@pytest.mark.parametrize("channel", ["link", "postmortem"])
@pytest.mark.parametrize("mode", ["pair", "two_teams", "eavesdropper"])
def test_no_message_leaves_its_panel(mode, channel, size, monkeypatch):
    rooms, boxes = [], []
    bubbles, box = talk._bubbles, talk.box

    def within(surface, rect, *args):
        rooms.append(rect.copy())
        bubbles(surface, rect, *args)
        rooms.append(None)

    def noting(surface, rect, *args):
        if len(rooms) % 2:
            boxes.append((rooms[-1], rect.copy()))
        box(surface, rect, *args)

    monkeypatch.setattr(talk, "_bubbles", within)
    monkeypatch.setattr(talk, "box", noting)
    world = start(mode=mode, budget=0 if channel == "postmortem" else 10_000)
    if channel == "postmortem":
        bring(world, "collapsed")
    right = columns(pygame.Surface(size))[2]
    for text in HOSTILE:
        for _ in world.teams:
            say(world, text)
        lines = written(world, size)
        for words, rect in lines:
            assert rect.right <= right.x or right.contains(rect) or rect.bottom <= right.y, words
    assert len(boxes) > 9 or size == (320, 240)
    for room, bubble in boxes:
        assert room.contains(bubble)


def test_messages_are_cut_and_the_latest_shown():
    world = start(budget=10_000)
    for number in range(50):
        say(world, f"message {number}")
    lines = [words for words, _ in written(world)]
    assert "message 49" in lines
    assert "message 0" not in lines
    shown = [words for words in lines if words.startswith("message ")]
    assert f"{50 - len(shown)} earlier messages" in lines
    assert "10 s" in lines
    say(world, "A7F3" * 500)
    lines = [words for words, _ in written(world)]
    code = [words for words in lines if words.startswith(("A7F3", "7F3A", "F3A7", "3A7F"))]
    assert len(code) > 1
    assert code[-1].endswith("…") or sum(map(len, code)) == 400
    assert "2000 s" in lines


def test_drawing_depends_on_the_world_alone_and_leaves_it_alone():
    world = bring(start(), "busy")
    before = world.snapshot()
    first = frame(draw, world)
    frame(draw, bring(start(3, mode="two_teams"), "talked"), (640, 480))
    assert (frame(draw, world) == first).all()
    again = VeyruWorld(world.config)
    again.restore(before)
    assert (frame(draw, again) == first).all()
    assert world.snapshot() == before


def test_the_words_say_what_happened():
    def words(world):
        return {line for line, _ in written(world)}

    fresh = words(start())
    assert {"No round has ended yet.", "Not open yet.", "0 of 150 s used", "to act"} <= fresh
    assert {"attempt 1", "Nothing has been tried.", "Round 1 of 2"} <= fresh
    assert any(line.startswith("warning: ") for line in words(bring(start(), "warned")))
    collapsed = words(bring(start(), "collapsed"))
    assert {"Collapsed", "over budget", "151 of 150 s used", "1 s too many"} <= collapsed
    assert "Round 1: over budget" in collapsed
    saved = words(bring(start(), "saved"))
    assert {"Saved", "stabilised", "Round 1: stabilised", "Nothing more is needed."} <= saved
    assert "Round 1: both fell silent" in words(bring(start(), "next"))
    over = words(bring(start(), "over"))
    assert {"Game over", "2 rounds played", "The last Veyru: not saved"} <= over
    sealed = start(**PRESETS["sealed"])
    sealed.apply("observer_0", Stabilize("hum along"))
    assert {"attempt 2 of 3", "Tried: hum along", "3 attempts a stage"} <= words(sealed)
    pairs = words(start(mode="two_teams"))
    assert {"two teams", "observer_1", "specialist_1", "no round has ended yet"} <= pairs
    assert {"waits; listens from round 3"} <= words(start(mode="intern"))
    intern = start(mode="intern", intern_joins=1, intern_takes_over=2)
    assert "listens; takes over in round 2" in words(intern)
    assert "is the observer now; observer_0 has retired" in words(bring(intern, "next"))
    reader = start(mode="eavesdropper", eavesdropper_budget=40)
    say(reader, "hello")
    assert "has read 5 of 40 characters of the link" in words(reader)
    say(reader, "")
    treat(reader)
    assert "is to guess what stage 1 needed" in words(reader)
    assert any("(label " in line for line in words(start(action_format="structured")))
    assert "at odds" in words(start(conflict=1.0))
