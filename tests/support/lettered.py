"""Which words a drawing writes, and where."""

from collections.abc import Callable
from typing import Any

import pytest

from babelzoo.envs.core import lettering
from babelzoo.envs.core._pygame import pygame

__all__ = ["lines_drawn"]


def lines_drawn(
    draw: Callable[[Any, Any], None], world: Any, size: tuple[int, int]
) -> list[tuple[str, pygame.Rect]]:
    """Each line of text that is drawn, with the place where it stands."""
    lines: list[tuple[str, pygame.Rect]] = []
    images: dict[int, str] = {}
    drawn = lettering._drawn

    class Spy(pygame.Surface):
        def blit(self, source: Any, dest: Any, *args: Any, **kwargs: Any) -> Any:
            if id(source) in images:
                place = source.get_rect(topleft=pygame.Rect(dest).topleft)
                lines.append((images[id(source)], place))
            return super().blit(source, dest, *args, **kwargs)

    def recording(words: str, *args: Any) -> Any:
        image = drawn(words, *args)
        images[id(image)] = words
        return image

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lettering, "_drawn", recording)
        draw(Spy(size, depth=32), world)
    return [(words, place) for words, place in lines if words]
