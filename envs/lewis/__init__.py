"""Lewis signaling: a sender and a receiver invent a code.

## Description

Each round, some objects are drawn as candidates and one of them is the target. The sender sends
a message of exactly L tokens out of |V|; the receiver sees the candidates and the message and
chooses. Nothing gives the tokens a meaning but use. A message carries at most |V|^L different
signals, its *capacity*; guessing scores 1/`n_candidates`.

## Agents

`sender_0`, `receiver_0`; with `n_senders` or `n_receivers` above 1 one of each is drawn every
round and the others sit out. Only the sender knows the target before the choice.

## Actions

| who | as text | shorthand |
| --- | --- | --- |
| sender | `{"action":"signal","tokens":["A","B","A"]}` | `ABA`, `A B A` |
| receiver | `{"action":"choose","candidate":2}` | `2` |

A message that is not exactly L tokens of the vocabulary is refused: the round fails at once, the
receiver isn't asked and learns only that it failed, and the reason goes to the sender alone. A
refused choice fails the round likewise. Length counts what is sent; there is no hidden end mark.

In the learners' views one `Discrete` numbers all messages, then all candidates, then `wait`;
above 4,096 messages (or with `compose=True`) a message is spelled choice by choice.

## Observations

As text, always in this order: round; task; vocabulary and length; feedback of the last round in
which the agent took part; the public board when it is on; the candidates, numbered from 1; the
target (sender) or the message (receiver). What came before is the policy's memory.

As numbers: role, target, candidates and message, one-hot (see `LewisEncoding`). `state()` holds
both agents' knowledge.

## Rewards

Both players of a round get 1 for the right choice and 0 otherwise; the return of an episode is
its number of successful rounds, undiscounted.

## Episode end

After `n_rounds` rounds all agents are truncated.

## Presets and knobs

| knob | default | allowed | meaning |
| --- | --- | --- | --- |
| `features` | color, shape, size of two values each | 1 or more features of 2 or more values, at most 65,536 objects | the objects are all combinations, in product order |
| `n_candidates` | 4 | 2 to the number of objects | candidates a round, drawn without replacement |
| `vocab_size` | 3 | 1 to 26 | tokens A, B, … |
| `message_length` | 3 | 1 to 16 | tokens of a message |
| `n_rounds` | 200 | 1 or more | length of an episode (`max_cycles`) |
| `candidate_order` | `independent` | `independent`, `shared` | whether the receiver sees the candidates in the sender's order |
| `sender_sees` | `candidates` | `candidates`, `target` | whether the sender sees all candidates or the target alone |
| `feedback` | `full` | `full`, `outcome`, `none` | outcome and target, outcome alone, or nothing |
| `public_board` | false | true, false | a board of won rounds, message by object, that all can read |
| `noise` | 0 | 0 to 1 | probability that a token is replaced by another on the way |
| `n_senders`, `n_receivers` | 1, 1 | 1 to 65,536 | population |

Two channels lie beside the code, and both are the user's to close. Under
`candidate_order="shared"` a pair can send the printed position (policy `positional`); under
`sender_sees="candidates"` it can send the target's rank among the sorted candidates (policy
`rank-code`) and name no object at all.

## Version history

- v0: first version.

## Source

Talebirad et al. (2026), From Signals to Structure: How Memory Architecture Drives Language
Emergence in LLM Agents. Defaults are the paper's setup.
"""  # noqa: E501

from babelzoo.envs.core import Game, factories
from babelzoo.envs.lewis.encode import LewisEncoding
from babelzoo.envs.lewis.text import LewisText
from babelzoo.envs.lewis.world import (
    BoardRow,
    Choose,
    Feedback,
    LewisConfig,
    LewisView,
    LewisWorld,
    Pool,
    RoundEnded,
    Signal,
    Task,
    forms,
)

__all__ = [
    "GAME",
    "BoardRow",
    "Choose",
    "Feedback",
    "LewisConfig",
    "LewisEncoding",
    "LewisText",
    "LewisView",
    "LewisWorld",
    "Pool",
    "RoundEnded",
    "Signal",
    "Task",
    "env",
    "parallel_env",
    "raw_env",
]

GAME = Game(
    id="lewis-v0",
    page=__doc__,
    config=LewisConfig,
    world=LewisWorld,
    view=LewisView,
    text=LewisText,
    encoding=LewisEncoding,
    drawing="babelzoo.envs.lewis.draw",
    forms=forms,
    horizon="n_rounds",
)

raw_env, env, parallel_env = factories(GAME)
