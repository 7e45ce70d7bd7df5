"""SaveVeyru: two agents save an alien, and every character they say costs time.

## Description

A Veyru, a glowing and humming box, is in trouble: one to five *motifs* show one after another,
the most urgent first. The observer stands beside it and sees the symptoms; the specialist, far
away, has a table that gives the procedure each motif needs, and it changes every round. They
talk on a link on which every character takes a second of one shared budget; more than the
budget, and the Veyru collapses. After the round they may talk for free, in the *postmortem*, and
so agree how to say more with less. Nothing but use gives a code its meaning.

## Agents

`observer_0` and `specialist_0` take turns, the observer first. With `mode`: a second pair
(`observer_1`, `specialist_1`), an `intern_0` who listens and then takes the observer's seat, or
an `eavesdropper_0` who guesses what was needed.

## Actions

| who | as text | shorthand |
| --- | --- | --- |
| both | `{"action":"send","channel":"link","text":"..."}` | `link: ...`, `postmortem: ...` |
| observer | `{"action":"stabilize","procedure":"..."}` | `stabilize: ...` |
| observer, structured | `{"action":"stabilize","template":"A","face":"top","intensity":"firm","seconds":5}` | |
| both, pull delivery | `{"action":"read","channel":"link","last_n":5}` | `read link 5` |
| both | `{"action":"wait"}` | `wait` |
| eavesdropper | `{"action":"guess","template":"...","face":"top","intensity":"firm","seconds":5}` | |

A refused or unreadable move counts as a wait; its reason goes to the agent alone. Two unreadable
moves of one agent in a row end the round (`model_failure`).

A procedure in English is judged by a deterministic reader that knows no case: it must state one
procedure in full, in words that a stranger understands; what is carried by a code or an
abbreviation alone is absent, and a text that states two procedures states none. `judge="core"`
asks for verb and tool, scope and the three slots only. In `structured` format the observer's
labels of the templates are its own, drawn anew every episode, so that a label is no ready-made
code.

In the learners' views a move is composed choice by choice: its kind, then the symbols of a
message up to `max_symbols` and the end, or template, face, intensity and seconds. Each symbol
costs a character.

## Observations

As text, always in this order: round, seat and budget; the last round's result; the observer's
labels or the specialist's table; unread messages; what was seen in this phase; what is new; what
may be done. Earlier rounds are the policy's memory. Agents' words stand in quotation marks.
Nobody is told how many stages there are, the observer never sees the table, the specialist
neither symptoms nor what failed.

As numbers: see `VeyruEncoding`. `state()` holds everybody's features, the stages and what they
need.

## Rewards

Each stabilised stage pays both agents 1/stages, so a round sums to between 0 and 1. In rounds at
odds (`conflict`) the specialist is paid the negative. An eavesdropper is paid the share of right
parts of each guess. Undiscounted. Rewards tell how many stages there are; policies that must not
know should not look at them.

## Episode end

A round ends as `stabilized`, `over_budget`, `stage_lost`, `idle` (both waited in a row and
nothing is unread), `max_turns` or `model_failure`; a postmortem when both wait in a row or its
turns are used up. After `n_rounds` rounds all agents are truncated.

## Presets and knobs

| knob | default | allowed | meaning |
| --- | --- | --- | --- |
| `n_rounds` | 15 | 1 or more | length of an episode (`max_cycles`) |
| `budget` | 150 | 0 or more | seconds a round; the paper's are 150, 250, 450, 800, 2000 |
| `postmortem` | true | true, false | whether the pair can talk for free after each round |
| `show_budget` | false | true, false | whether both see what is used up |
| `mapping` | `rotation` | `rotation`, `derangement` | how procedures are dealt to motifs: shifted by 1 or more places, or any order that leaves none in its place |
| `slots` | `round` | `round`, `motif` | one face, intensity and duration a round, or one for each motif |
| `attempts` | none | 1 or more | procedures that may be tried at a stage before it is lost |
| `charset` | `any` | `any`, `ascii`, `symbols` | characters that may be sent |
| `min_cost` | 0 | 0 or more | least cost of a message on the link |
| `turn_cost` | 0 | 0 or more | cost of a turn of a round in which nothing is sent |
| `noise` | 0 | 0 to 1 | probability that a character on the link is replaced |
| `noise_mode` | `mask` | `mask`, `random_letter` | by `_`, or by another letter |
| `delivery` | `push` | `push`, `pull` | whether messages are shown, or only counted until they are read |
| `action_format` | `english` | `english`, `structured` | how the observer says what it does; results of the two are never pooled |
| `judge` | `strict` | `strict`, `core` | how much of a procedure in English must be said |
| `max_turns` | 60 | 2 or more | turns of a round, both agents' |
| `max_postmortem_turns` | 24 | 2 or more | turns of a postmortem |
| `motifs` | all 14 | 2 or more of 0 to 13 | which motifs occur, and whose procedures are dealt |
| `stage_weights` | 20, 25, 25, 20, 10 | weights | how often a round has 1, 2, ... stages |
| `faces` | all 6 | 1 or more | faces that are drawn |
| `intensities` | all 3 | 1 or more | intensities that are drawn |
| `seconds` | 5, 8, 10, 12, 15, 20 | 1 or more of 1 to 999 | durations that are drawn |
| `symbols` | `abcdefgh` | printable ASCII | what learners spell messages with |
| `max_symbols` | 4 | 1 to 16 | longest message of a learner |
| `mode` | `pair` | `pair`, `two_teams`, `intern`, `eavesdropper` | who takes part |
| `swap_after` | 10 | 1 or more | rounds after which two teams exchange their observers |
| `announce_swap` | true | true, false | whether a new partner is announced |
| `intern_joins` | 3 | 1 or more | round from which an intern listens |
| `intern_takes_over` | 8 | above `intern_joins` | round from which it is the observer |
| `eavesdropper_sees` | `messages` | `messages`, `messages+outcomes` | what is overheard |
| `eavesdropper_budget` | none | 0 or more | characters a round that an eavesdropper may read |
| `conflict` | 0 | 0 to 1 | share of rounds in which the specialist is paid the opposite |

| preset | knobs |
| --- | --- |
| `reference`, `paper` | the defaults: the published game with its holes |
| `sealed` | `mapping="derangement"`, `slots="motif"`, `attempts=3`, `charset="ascii"`, `min_cost=1`, `turn_cost=1` |
| `two_teams` | `mode="two_teams"`, `n_rounds=20`, `swap_after=10` |
| `intern` | `mode="intern"`, joins at 3, takes over at 8 |
| `eavesdropper` | `mode="eavesdropper"` |
| `conflict` | `conflict=0.5` |

`reference` has three holes, and `sealed` closes them: one success gives away the whole table (the
rotation and the slots are one for all motifs), procedures can be tried without end, and a Unicode
character or a counted silence is a free channel (policies `oracle-rotation`, `oracle-delay`).

## Version history

- v0: first version.

## Source

GlossoGen's SaveVeyru (2026). Numbers and rules are the published platform's; all texts are
BabelZoo's own.
"""  # noqa: E501

from babelzoo.envs.core import Game, factories
from babelzoo.envs.saveveyru.encode import VeyruEncoding
from babelzoo.envs.saveveyru.events import (
    Guessed,
    Judged,
    PostmortemEnded,
    RoundEnded,
    Sent,
    Swapped,
    Warned,
)
from babelzoo.envs.saveveyru.history import recollect
from babelzoo.envs.saveveyru.knobs import PRESETS, VeyruConfig, forms
from babelzoo.envs.saveveyru.motifs import MOTIFS, Motif, symptoms
from babelzoo.envs.saveveyru.procedures import Procedure, render
from babelzoo.envs.saveveyru.terms import (
    Guess,
    Notice,
    Perform,
    Previous,
    Read,
    Refused,
    Said,
    Send,
    Stabilize,
    Symptoms,
    Tried,
    VeyruView,
)
from babelzoo.envs.saveveyru.text import VeyruText
from babelzoo.envs.saveveyru.world import VeyruWorld

__all__ = [
    "GAME",
    "MOTIFS",
    "Guess",
    "Guessed",
    "Judged",
    "Motif",
    "Notice",
    "Perform",
    "PostmortemEnded",
    "Previous",
    "Procedure",
    "Read",
    "Refused",
    "RoundEnded",
    "Said",
    "Send",
    "Sent",
    "Stabilize",
    "Swapped",
    "Symptoms",
    "Tried",
    "VeyruConfig",
    "VeyruEncoding",
    "VeyruText",
    "VeyruView",
    "VeyruWorld",
    "Warned",
    "env",
    "parallel_env",
    "raw_env",
    "render",
    "symptoms",
]

GAME = Game(
    id="saveveyru-v0",
    page=__doc__,
    config=VeyruConfig,
    world=VeyruWorld,
    view=VeyruView,
    text=VeyruText,
    encoding=VeyruEncoding,
    drawing="babelzoo.envs.saveveyru.draw",
    forms=forms,
    horizon="n_rounds",
    recollect=recollect,
    presets=PRESETS,
)

raw_env, env, parallel_env = factories(GAME)
