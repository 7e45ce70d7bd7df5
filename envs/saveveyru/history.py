"""What a newcomer may be shown of its predecessor's turns in SaveVeyru."""

from collections.abc import Iterator

import msgspec

from babelzoo.envs.saveveyru.terms import Entries, Notice, Said, VeyruView

__all__ = ["recollect"]


def recollect(view: VeyruView) -> Iterator[tuple[int, VeyruView, bool]]:
    """The rounds' link, symptoms, actions and results of one View; never a postmortem.

    Yields:
        Round, the View with nothing else in it, and whether the move made on it goes with it. A
        View may hold what came at the end of the round before; that is a View of its own.
    """
    ended = [place for place, entry in enumerate(view.new) if entry == Notice("ended")]
    late, new = (view.new[: ended[-1]], view.new[ended[-1] + 1 :]) if ended else ((), view.new)
    in_round = view.phase == "round"
    if late:
        number = view.round - in_round
        yield number, _only(view, number, (), late), False
    if in_round:
        yield view.round, _only(view, view.round, view.log, new), True


def _only(view: VeyruView, number: int, log: Entries, new: Entries) -> VeyruView:
    return msgspec.structs.replace(
        view,
        phase="round",
        round=number,
        previous=None,
        log=_without_postmortem(log),
        new=_without_postmortem(new),
    )


def _without_postmortem(entries: Entries) -> Entries:
    return tuple(
        entry
        for entry in entries
        if not (isinstance(entry, Said) and entry.channel == "postmortem")
    )
