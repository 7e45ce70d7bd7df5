"""Policies: anything that turns what an agent sees into what it does."""

from babelzoo.agents.policy import CallablePolicy, Past, Policy, Turn
from babelzoo.agents.registry import built_in, policy_names, resolve
from babelzoo.agents.seating import assigned, seat

__all__ = [
    "CallablePolicy",
    "Past",
    "Policy",
    "Turn",
    "assigned",
    "built_in",
    "policy_names",
    "resolve",
    "seat",
]
