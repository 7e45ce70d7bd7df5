"""Errors, one class for each party that can be at fault.

Every message is one sentence: what was expected, what came, what to do.
"""

__all__ = ["BabelZooError", "BackendError", "ConfigError", "MissingExtra", "RecordingError"]


class BabelZooError(Exception):
    """Any fault that BabelZoo reports on purpose."""


class ConfigError(BabelZooError, ValueError):
    """A knob, a name or a file that the user gave is not what it should be."""


class MissingExtra(BabelZooError, ImportError):
    """A feature needs packages of an extra that is not installed."""

    def __init__(self, feature: str, extra: str) -> None:
        super().__init__(
            f'{feature} needs packages that are not installed: run pip install "babelzoo[{extra}]".'
        )


class BackendError(BabelZooError, RuntimeError):
    """A model server or a model failed; no agent is to blame."""


class RecordingError(BabelZooError, ValueError):
    """A recording is damaged, of another version, or does not replay."""
