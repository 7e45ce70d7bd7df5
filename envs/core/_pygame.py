"""pygame, imported in one place: quietly, and with a word on how to install it."""

import os

from babelzoo.envs.core.errors import MissingExtra

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # its greeting goes to stdout
try:
    import pygame
except ImportError as error:
    raise MissingExtra("Rendering", "render") from error

__all__ = ["pygame"]
