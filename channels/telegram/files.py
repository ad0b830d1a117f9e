"""Files that are sent back: by the platform's own file_id, together where it allows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import takewhile

import structlog
from msgspec.structs import replace

from channels.telegram import limits
from channels.telegram.api import File, Flooded, Refused, Unreachable
from channels.telegram.calling import SHUT, Calls
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


@dataclass
class Sent:
    """How far the files of an effect have come: `handled` of them, as `messages`. Those up to
    `alone` go by themselves, because their album was refused whole. `again` is True when some are
    there twice, perhaps: the answer to their sending was lost. `left_out` are the numbers of those
    that were not taken."""

    handled: int = 0
    alone: int = 0
    again: bool = False
    messages: list[int] = field(default_factory=list)
    left_out: list[int] = field(default_factory=list)


async def send_files(calls: Calls, dest: Dest, media: Sequence[Media], sent: Sent) -> None:
    """Send files, from where it stopped before. What comes below them says what is there twice.

    A file that the platform has no more is left out, and no other with it: what is said about it
    stands in the card. A new picture that it does not take as one is sent as a document. Raises
    ApiFailed.
    """
    media = list(media)
    while sent.handled < len(media):
        rest = media[sent.handled :]
        group = rest[:1] if sent.handled < sent.alone else _together(rest)
        try:
            sent.messages += await _send(calls, dest, group)
        except Refused as refused:
            if refused.code != 400:
                raise
            if len(group) > 1 and not refused.says(*SHUT):
                sent.alone = sent.handled + len(group)
                continue
            if as_document(group[0]) is not None and not refused.says(*SHUT):
                media[sent.handled] = as_document(group[0]) or group[0]
                continue
            log.warning("file_refused", lane=dest.lane, kinds=[one.kind for one in group])
            sent.left_out.append(sent.handled)
        except (Flooded, Unreachable):
            raise
        except BaseException:
            # Its answer is lost, or whoever waited for it is cancelled.
            sent.again = True
            raise
        sent.handled += len(group)
        sent.again = False


async def _send(calls: Calls, dest: Dest, group: Sequence[Media]) -> list[int]:
    if len(group) == 1:
        one = group[0]
        sent = await calls.send(dest, method_of(one), **{one.kind: value_of(one)})
        return [int(sent["message_id"])]
    album = [{"type": one.kind, "media": value_of(one)} for one in group]
    messages = await calls.send(dest, "sendMediaGroup", media=album)
    return [int(one["message_id"]) for one in messages]


def method_of(media: Media) -> str:
    """The method that sends a file."""
    return _METHODS[media.kind]


def value_of(media: Media) -> str | File:
    """What a file's parameter has."""
    return media.file if media.content is None else File(media.file, media.content)


def as_document(media: Media) -> Media | None:
    """A new picture as a document; None for anything else."""
    is_new = media.content is not None and media.kind == "photo"
    return replace(media, kind="document") if is_new else None


def _together(media: Sequence[Media]) -> Sequence[Media]:
    """The first files, those that go in one call: an album where the kinds go together."""
    kind = _ALBUMS.get(media[0].kind)
    if kind is None:
        return media[:1]
    run = list(takewhile(lambda one: _ALBUMS.get(one.kind) == kind, media))
    return run[: limits.ALBUM]
