"""Policies: anything that turns what an agent sees into what it does."""

from babelzoo.agents.policy import CallablePolicy, Policy, Turn
from babelzoo.agents.registry import built_in, policy_names, resolve
from babelzoo.agents.seating import seat

__all__ = ["CallablePolicy", "Policy", "Turn", "built_in", "policy_names", "resolve", "seat"]
