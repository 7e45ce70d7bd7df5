"""The one conformance table: every environment with the knobs under which it is tested."""

from typing import Any

import babelzoo
from babelzoo.envs import lewis_v0, saveveyru_v0

__all__ = ["GAMES", "MODULES", "SETTINGS"]

GAMES = babelzoo.game_ids()
MODULES = {"lewis-v0": lewis_v0, "saveveyru-v0": saveveyru_v0}
_SMALL = {
    "motifs": (0, 1, 2),
    "stage_weights": (1,),
    "intensities": ("firm",),
    "seconds": (5,),
    "action_format": "structured",
    "charset": "symbols",
    "symbols": "ab",
    "max_symbols": 2,
}
_KNOBS: dict[str, dict[str, dict[str, Any]]] = {
    "lewis-v0": {
        "default": {},
        "short": {"n_rounds": 3},
        "population": {"n_senders": 3, "n_receivers": 2, "n_rounds": 20},
        "noise": {"noise": 0.3},
        "board": {"public_board": True, "n_rounds": 30},
        "five": {"n_candidates": 5, "candidate_order": "shared"},
        "target": {"sender_sees": "target"},
        "untold": {"feedback": "none"},
        "outcome": {"feedback": "outcome"},
        "huge": {"vocab_size": 26, "message_length": 16},
        "one token": {"vocab_size": 1, "message_length": 1, "n_candidates": 2},
    },
    "saveveyru-v0": {
        "reference": {},
        "sealed": {"preset": "sealed", "n_rounds": 4},
        "structured": {"action_format": "structured", "n_rounds": 3},
        "two teams": {"mode": "two_teams", "n_rounds": 4, "swap_after": 2},
        "intern": {"mode": "intern", "n_rounds": 5, "intern_joins": 1, "intern_takes_over": 3},
        "eavesdropper": {"mode": "eavesdropper", "n_rounds": 3, "eavesdropper_budget": 9},
        "conflict": {"preset": "conflict", "n_rounds": 4},
        "pull": {"delivery": "pull", "n_rounds": 3},
        "no postmortem": {"postmortem": False, "show_budget": True, "budget": 20, "n_rounds": 5},
        "noise": {"noise": 0.3, "noise_mode": "random_letter", "judge": "core", "n_rounds": 3},
        "small": _SMALL,
    },
}
SETTINGS = [
    (game, f"{game} {name}", knobs) for game in GAMES for name, knobs in _KNOBS[game].items()
]
