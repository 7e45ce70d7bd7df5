"""What code costs, counted and never timed: function calls and memory."""

import gc
import sys
import tracemalloc
from collections.abc import Callable
from typing import Any

__all__ = ["calls", "grown", "memory_of"]


def calls(run: Callable[[], object]) -> int:
    """Function calls, Python's and C's, that `run` makes."""
    count = 0

    def counting(frame: Any, event: str, argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(counting)
    try:
        run()
    finally:
        sys.setprofile(None)
    return count


def memory_of(make: Callable[[], Any]) -> int:
    """Bytes that what `make` gives holds: the least of three.

    What is shared, or made by another thread meanwhile, is counted in the first at most.
    """
    return min(_memory(make) for _ in range(3))


def _memory(make: Callable[[], Any]) -> int:
    kept = []
    used = grown(lambda: kept.append(make()))
    assert kept
    return used


def grown(run: Callable[[], object]) -> int:
    """Bytes that are held after `run` and were not before."""
    gc.collect()
    tracemalloc.start(1)
    try:
        before = tracemalloc.get_traced_memory()[0]
        run()
        gc.collect()
        return tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
