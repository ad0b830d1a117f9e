"""Files that people sent, fetched from the platform."""

from __future__ import annotations

import structlog

from channels.telegram.api import ApiFailed, Refused
from channels.telegram.calling import Calls
from channels.telegram.limits import DOWNLOAD
from channels.telegram.native import media_of
from core.channel import Never

log = structlog.get_logger()

_MEGABYTE = 1_000_000


async def download(calls: Calls, ref: str, limit: int) -> bytes:
    """A file of at most `limit` bytes, by its reference. Raises Later, Lost, and Never where it is
    gone, or larger than that, or than a bot can fetch (core.telegram.org/bots/api#getfile)."""
    media = media_of(ref)
    if media is None:
        raise Never("it is no file of Telegram's")
    try:
        told = await calls.api.call("getFile", file_id=media.file)
        _check(int(told.get("file_size", 0)), limit)
        return await calls.api.fetch(str(told["file_path"]), limit)
    except Refused as refused:
        if refused.says("too big"):
            raise Never(_too_large(DOWNLOAD)) from refused
        if refused.code == 413:
            raise Never(_too_large(limit)) from refused
        if refused.code in (400, 404):
            raise Never(f"Telegram does not have the file any more ({refused})") from refused
        raise calls.failure(refused) from refused
    except ApiFailed as failed:
        raise calls.failure(failed) from failed


def _check(size: int, limit: int) -> None:
    if size > limit:
        raise Never(_too_large(limit))


def _too_large(limit: int) -> str:
    return f"the file is larger than the {limit / _MEGABYTE:g} MB that can be fetched from Telegram"
