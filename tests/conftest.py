"""What all tests share: no display, reproducible Hypothesis."""

import os
import warnings

from hypothesis import HealthCheck, settings

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
