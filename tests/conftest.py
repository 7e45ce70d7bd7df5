"""What all tests share: no display, reproducible Hypothesis, the modules in `support`."""

import os
import sys
import warnings
from pathlib import Path

from hypothesis import HealthCheck, settings

sys.path.insert(0, str(Path(__file__).parent / "support"))  # toy games and players

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

settings.register_profile(
    "babelzoo",
    derandomize=True,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("babelzoo")

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # PettingZoo's tests import its own deprecated modules
    import pettingzoo.test  # noqa: F401
