"""Pictures of Lewis signaling: every kind of game, at every stage, at every size."""

import os
import subprocess
import sys
from itertools import combinations

import numpy as np
import pytest
from lettered import lines_drawn

from babelzoo.envs.core import ConfigError
from babelzoo.envs.core._pygame import pygame
from babelzoo.envs.core.appearance import Appearances
from babelzoo.envs.core.canvas import frame
from babelzoo.envs.lewis import Choose, LewisConfig, LewisWorld, Signal
from babelzoo.envs.lewis.draw import draw

SIZES = [(1280, 720), (640, 480)]
UNKNOWN = {
    "tone": ("do", "re", "mi"),
    "beast": ("cat", "wyvern-like-beast-of-the-north", "ox"),
    "weight": ("light", "heavy"),
    "grain": ("fine", "rough", "odd"),
    "age": ("old", "new"),
}
LARGE = {
    "color": ("red", "blue", "green", "yellow"),
    "shape": ("circle", "square", "triangle", "star"),
    "size": ("tiny", "small", "medium", "large"),
    "fill": ("solid", "striped", "hollow", "dotted"),
}
CONFIGS = {
    "default": {},
    "eight candidates": {"n_candidates": 8, "message_length": 5},
    "population": {"n_senders": 3, "n_receivers": 2},
    "crowd": {"n_senders": 40, "n_receivers": 13, "noise": 0.5},
    "public board": {"public_board": True, "feedback": "outcome", "candidate_order": "shared"},
    "noise": {"noise": 0.5},
    "target alone": {"sender_sees": "target"},
    "unknown words": {"features": UNKNOWN, "vocab_size": 26},
    "pool of 256": {"features": LARGE, "n_candidates": 256, "vocab_size": 4, "message_length": 4},
    "long messages": {"features": LARGE, "vocab_size": 26, "message_length": 16, "noise": 0.3},
    "one token": {"features": {"color": ("red", "blue")}, "n_candidates": 2, "message_length": 1},
}


def start(**knobs):
    world = LewisWorld(LewisConfig(**knobs))
    world.reset(7)
    return world


def send(world, tokens=None):
    vocabulary, length = world.pool.task.vocabulary, world.config.message_length
    code = [vocabulary[(world.target >> i) % len(vocabulary)] for i in range(length)]
    world.apply(world.sender, Signal(tuple(code) if tokens is None else tokens))


def play(world, rounds):
    """Every other round is won."""
    for number in range(rounds):
        send(world)
        right = world.receiver_candidates.index(world.target)
        wrong = (right + 1) % world.config.n_candidates
        world.apply(world.receiver, Choose((wrong if number % 2 else right) + 1))
    return world


def written(world, size=(1280, 720)):
    return lines_drawn(draw, world, size)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("knobs", CONFIGS.values(), ids=CONFIGS)
def test_frames_have_their_shape_and_follow_the_game(knobs, size):
    world = start(**knobs)
    frames = [frame(draw, world, size)]
    for _ in range(3):
        send(world)
        frames.append(frame(draw, world, size))
        world.apply(world.receiver, Choose(1))
        frames.append(frame(draw, world, size))
    for image in frames:
        assert image.dtype == np.uint8
        assert image.shape == (size[1], size[0], 3)
        assert image.flags.writeable
        assert len(np.unique(image.astype(int) @ [1, 256, 65536])) > 50
    for one, other in combinations(frames, 2):
        assert (one != other).any()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("stage", ["new", "sent", "ended", "over"])
@pytest.mark.parametrize("knobs", CONFIGS.values(), ids=CONFIGS)
def test_no_text_covers_another_or_leaves_the_frame(knobs, stage, size):
    world = start(n_rounds=40, **knobs)
    play(world, {"new": 0, "sent": 21, "ended": 12, "over": 40}[stage])
    if stage == "sent":
        send(world)
    lines = written(world, size)
    assert len(lines) > 20
    whole = pygame.Rect((0, 0), size)
    for words, rect in lines:
        assert whole.contains(rect), words
    for (words, rect), (others, other) in combinations(lines, 2):
        apart = not rect.inflate(-2, -4).colliderect(other.inflate(-2, -4))
        assert apart, (words, rect, others, other)


@pytest.mark.parametrize("knobs", CONFIGS.values(), ids=CONFIGS)
def test_odd_sizes_are_drawn_without_complaint(knobs):
    world = play(start(**knobs), 3)
    for size in ((320, 240), (333, 777), (1600, 300)):
        assert frame(draw, world, size).shape == (size[1], size[0], 3)


def test_a_frame_that_is_too_small_is_refused():
    with pytest.raises(ConfigError, match="320x240 pixels, actual 319x240"):
        frame(draw, start(), (319, 240))


def test_drawing_depends_on_the_world_alone_and_leaves_it_alone():
    world = play(start(noise=0.2), 9)
    before = world.snapshot()
    first = frame(draw, world)
    frame(draw, play(start(features=UNKNOWN, n_candidates=7), 5), (640, 480))
    assert (frame(draw, world) == first).all()
    assert world.snapshot() == before


def test_the_words_say_what_happened():
    def words(world):
        return {line for line, _ in written(world)}

    assert {"No round has ended yet.", "0 of 0 rounds won", "sender_0 is to send"} <= words(start())
    assert "receiver_0 is to choose" in words(_sent(start()))
    assert {"Round 8: failure", "4 of 8 rounds won (50%)", "Round 9 of 200"} <= words(
        play(start(), 8)
    )
    over = words(play(start(n_rounds=5), 5))
    assert {"game over", "the game is over", "Round 5 of 5", "Round 5: success"} <= over
    refused = start()
    send(refused, ("Z",))
    assert {"Round 1: failure", "no message", "no choice"} <= words(refused)
    refused = _sent(start())
    refused.apply(refused.receiver, Choose(99))
    assert {"Round 1: failure", "no choice"} <= words(refused)
    assert "no message" not in words(refused)
    assert "hidden" in words(start(sender_sees="target"))
    assert not {"hidden", "sent", "heard"} & words(start())
    assert {"sent", "heard", "noise 0.5"} <= words(start(noise=0.5))
    assert "and 240 more objects" in words(start(features=LARGE))
    assert "and 1 more object" in words(start(features={"x": tuple("abcdefghijklmnopq")}))
    assert {"53 agents", "of 40"} <= words(start(n_senders=40, n_receivers=13))


def _sent(world):
    send(world)
    return world


@pytest.mark.parametrize("seed", range(8))
def test_the_target_is_shown_however_many_candidates_there_are(seed):
    world = LewisWorld(LewisConfig(features=LARGE, n_candidates=256))
    world.reset(seed)
    left = [line for line, rect in written(world) if rect.right < 690 and rect.y < 350]
    assert str(world.candidates.index(world.target) + 1) in left
    shown = [line for line in left if line.isdigit()]
    assert f"+{256 - len(shown)}" in left


def test_known_words_look_as_they_say():
    looks = Appearances({
        "kind": ("star", "circle"), "colour": ("blue", "red"), "size": ("large", "small")
    })  # fmt: skip
    star, dot = looks.look([0, 0, 0]), looks.look([1, 1, 1])
    assert (star.shape, dot.shape) == ("star", "circle")
    assert star.color[2] > star.color[0]
    assert dot.color[0] > dot.color[2]
    assert star.size > dot.size


@pytest.mark.parametrize(
    "features",
    [LARGE, dict(list(UNKNOWN.items())[:4]), {"color": ("red", "mauve", "blue", "ecru", "puce")}],
)
def test_objects_look_different_and_always_the_same(features):
    looks = Appearances(features)
    codes = list(np.ndindex(*(len(values) for values in features.values())))
    seen = [looks.look(code) for code in codes]
    assert len(set(seen)) == len(codes)
    assert seen == [Appearances(features).look(code) for code in codes]


def run(code, **environment):
    variables = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "SDL_VIDEODRIVER")}
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env=variables | environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    ).stdout


def test_rendering_without_a_display_initialises_fonts_only():
    out = run(
        "import babelzoo, sys\n"
        "assert 'pygame' not in sys.modules\n"
        "env = babelzoo.make('lewis-v0', render_mode='rgb_array')\n"
        "env.reset(seed=1)\n"
        "print(env.render().shape, 'pygame' in sys.modules)\n"
        "import pygame\n"
        "print(pygame.font.get_init(), pygame.display.get_init(), pygame.mixer.get_init(),"
        " pygame.get_init())\n"
        "env.close(); env.close()\n"
    )
    assert out == "(720, 1280, 3) True\nTrue False None False\n"


def test_importing_babelzoo_leaves_pygame_alone():
    assert run("import babelzoo, babelzoo.envs.core, sys; print('pygame' in sys.modules)") == (
        "False\n"
    )


@pytest.mark.parametrize("mode", ["rgb_array", "human"])
def test_rendering_without_pygame_says_what_to_install(mode):
    out = run(
        "import sys; sys.modules['pygame'] = None\n"
        "import babelzoo\n"
        f"env = babelzoo.make('lewis-v0', render_mode='{mode}')\n"
        "env.reset(seed=1)\n"
        "for _ in range(2):\n"
        "    try: env.render()\n"
        "    except babelzoo.envs.core.MissingExtra as error: print(error)\n"
    )
    assert out == 2 * (
        'Rendering needs packages that are not installed: run pip install "babelzoo[render]".\n'
    )
