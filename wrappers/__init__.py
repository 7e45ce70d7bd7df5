"""Other forms of an environment: so far, one seat of it for Gymnasium."""

from babelzoo.wrappers.one_seat import OneSeat, Partner

__all__ = ["OneSeat", "Partner"]
