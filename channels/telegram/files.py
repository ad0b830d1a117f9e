"""Files that are sent back: by the platform's own file_id, together where it allows it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

import structlog

from channels.telegram import limits
from channels.telegram.api import Refused
from channels.telegram.calling import Calls
from channels.telegram.native import Media
from channels.telegram.payload import Dest

log = structlog.get_logger()

_METHODS = {
    "photo": "sendPhoto",
    "document": "sendDocument",
    "video": "sendVideo",
    "audio": "sendAudio",
    "animation": "sendAnimation",
    "voice": "sendVoice",
    "video_note": "sendVideoNote",
}
_ALBUMS = {"photo": "visual", "video": "visual", "document": "document", "audio": "audio"}
"""What can stand in one album (core.telegram.org/bots/api#sendmediagroup)."""


async def send_files(calls: Calls, dest: Dest, media: Sequence[Media]) -> tuple[int, ...]:
    """Send files; the numbers of their messages. A file that the platform has no more is left out:
    what is said about it stands in the card. Raises ApiFailed."""
    sent: list[int] = []
    for group in _groups(media):
        try:
            sent += await _send(calls, dest, group)
        except Refused as refused:
            if refused.code != 400:
                raise
            log.warning("file_refused", lane=dest.lane, kinds=[one.kind for one in group])
    return tuple(sent)


async def _send(calls: Calls, dest: Dest, group: Sequence[Media]) -> list[int]:
    if len(group) == 1:
        one = group[0]
        files: dict[str, Any] = {one.kind: one.file}
        sent = await calls.send(dest, _METHODS[one.kind], **files)
        return [int(sent["message_id"])]
    album = [{"type": one.kind, "media": one.file} for one in group]
    messages = await calls.send(dest, "sendMediaGroup", media=album)
    return [int(one["message_id"]) for one in messages]


def _groups(media: Sequence[Media]) -> Iterator[list[Media]]:
    """What is sent in one call each: an album where the kinds go together, in their order."""
    for kind, run in groupby(media, key=lambda one: _ALBUMS.get(one.kind, "")):
        together = list(run)
        size = limits.ALBUM if kind else 1
        for start in range(0, len(together), size):
            yield together[start : start + size]
