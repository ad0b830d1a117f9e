"""How much of a long transcript is sent: cut rarely and by half, so that what is sent stays the
same from turn to turn, and a prompt cache with it."""

from __future__ import annotations

from collections.abc import Sequence

from core.model.base import Turn


def first_kept(transcript: Sequence[Turn], limit: int) -> int:
    """The place of the first turn to send, for at most `limit` bytes of text (the newest turn is
    always sent).

    Whenever a turn would pass the limit, the oldest turns are left out until half of it is free.
    The place depends on the turns alone, so it stays where it is while a transcript grows, until
    the next cut. That needs the whole transcript: one that was cut before has other places.
    """
    start = size = 0
    for place, turn in enumerate(transcript):
        size += _bytes(turn)
        if size <= limit:
            continue
        while start < place and size > limit // 2:
            size -= _bytes(transcript[start])
            start += 1
    return start


def _bytes(turn: Turn) -> int:
    return len(turn.text.encode("utf-8", "replace"))
