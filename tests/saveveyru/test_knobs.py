"""Each knob: what it allows, and what is said when it does not."""

from typing import Any

import pytest

import babelzoo
from babelzoo.envs.core import ConfigError
from babelzoo.envs.saveveyru import VeyruConfig
from babelzoo.envs.saveveyru.knobs import PRESETS

REFUSED: list[tuple[str, dict[str, Any]]] = [
    *(("n_rounds", {"n_rounds": n}) for n in (0, -1, 1.5, "many")),
    *(("budget", {"budget": n}) for n in (-1, 0.5, None)),
    *(("postmortem", {"postmortem": value}) for value in (1, "no", None)),
    *(("mapping", {"mapping": value}) for value in ("random", None)),
    *(("slots", {"slots": value}) for value in ("stage", 1)),
    *(("attempts", {"attempts": n}) for n in (0, -1, "three")),
    *(("charset", {"charset": value}) for value in ("utf8", None)),
    *(("min_cost", {"min_cost": n}) for n in (-1, 0.5)),
    *(("turn_cost", {"turn_cost": n}) for n in (-1, 0.5)),
    *(("noise", {"noise": value}) for value in (-0.1, 1.1, float("nan"), "0.1")),
    ("noise_mode", {"noise_mode": "swap"}),
    ("delivery", {"delivery": "pop"}),
    ("action_format", {"action_format": "json"}),
    ("judge", {"judge": "llm"}),
    *(("max_turns", {"max_turns": n}) for n in (0, 1)),
    *(("max_postmortem_turns", {"max_postmortem_turns": n}) for n in (0, 1)),
    *(("motifs", {"motifs": value}) for value in ((), (1,), (1, 1), (0, 14), (-1, 2))),
    *(("stage_weights", {"stage_weights": value}) for value in ((), (0, 0), (1,) * 15, (-1, 2))),
    ("stage_weights", {"motifs": (0, 1), "stage_weights": (1, 1, 1)}),
    *(("faces", {"faces": value}) for value in ((), ("up",), ("top", "top"))),
    *(("intensities", {"intensities": value}) for value in ((), ("soft",))),
    *(("seconds", {"seconds": value}) for value in ((), (0,), (5, 5), (1000,))),
    *(("symbols", {"symbols": value}) for value in ("", "aa", "é", "a\n")),
    *(("max_symbols", {"max_symbols": n}) for n in (0, 17)),
    ("mode", {"mode": "trio"}),
    ("swap_after", {"swap_after": 0}),
    ("intern_joins", {"intern_joins": 0}),
    ("intern_takes_over", {"mode": "intern", "intern_joins": 4, "intern_takes_over": 4}),
    ("eavesdropper_sees", {"eavesdropper_sees": "all"}),
    ("eavesdropper_budget", {"eavesdropper_budget": -1}),
    *(("conflict", {"conflict": value}) for value in (-0.1, 1.1, "half")),
]


@pytest.mark.parametrize(("knob", "knobs"), REFUSED, ids=str)
def test_other_values_are_refused_by_name(knob: str, knobs: dict[str, Any]) -> None:
    with pytest.raises(ConfigError) as caught:
        babelzoo.make("saveveyru-v0", **knobs)
    said = str(caught.value)
    assert f"knob '{knob}'" in said and "expected" in said and "actual" in said
    assert "\n" not in said and said.endswith(".")


def test_an_unknown_knob_names_the_nearest() -> None:
    with pytest.raises(ConfigError, match=r"did you mean 'postmortem'\?"):
        babelzoo.make("saveveyru-v0", postmorten=False)
    with pytest.raises(ConfigError, match="known are reference"):
        babelzoo.make("saveveyru-v0", preset="closed")


def test_presets() -> None:
    made = {name: babelzoo.make("saveveyru-v0", preset=name).unwrapped.config for name in PRESETS}
    assert made["reference"] == made["paper"] == VeyruConfig()
    sealed = made["sealed"]
    assert (sealed.mapping, sealed.slots, sealed.attempts) == ("derangement", "motif", 3)
    assert (sealed.charset, sealed.min_cost, sealed.turn_cost) == ("ascii", 1, 1)
    alone = babelzoo.make("saveveyru-v0", preset="sealed", attempts=None, budget=9).unwrapped
    assert (alone.config.attempts, alone.config.budget) == (None, 9)
    assert alone.config.mapping == "derangement"


def test_every_knob_is_on_the_page() -> None:
    page = babelzoo.envs.saveveyru.__doc__ or ""
    for name in VeyruConfig.__struct_fields__:
        assert f"| `{name}` |" in page, name
