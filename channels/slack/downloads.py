"""Files that people sent, fetched from Slack (docs.slack.dev/messaging/working-with-files)."""

from __future__ import annotations

import msgspec

from channels.slack.api import ApiFailed, Refused
from channels.slack.calling import Calls
from channels.slack.native import file_of
from channels.slack.refusals import Meaning, meaning_of
from core.channel import Never

_MEGABYTE = 1_000_000


class _Told(msgspec.Struct, frozen=True, kw_only=True):
    """A file as files.info tells it; one that lies elsewhere `is_external`."""

    size: int = 0
    mimetype: str = ""
    is_external: bool = False
    url_private: str = ""
    url_private_download: str = ""


async def download(calls: Calls, ref: str, limit: int) -> bytes:
    """A file of at most `limit` bytes, by its reference. Raises Later, Lost, and Never where it is
    gone, is larger, or does not lie at Slack."""
    found = file_of(ref)
    if found is None:
        raise Never("it is no file of Slack's")
    team, number = found
    try:
        told = await calls.api.call(team, "files.info", file=number)
        file = msgspec.convert(told.get("file"), _Told)
        address = file.url_private_download or file.url_private
        if file.is_external or not address:
            raise Never("the file does not lie at Slack, so that the bot cannot fetch it")
        if file.size > limit:
            raise Never(_too_large(limit))
        return await calls.api.fetch(team, address, limit, file.mimetype)
    except Refused as refused:
        if refused.error == "too_large":
            raise Never(_too_large(limit)) from refused
        if meaning_of(refused) is Meaning.DENIED:
            raise Never("the app may not fetch files: it needs the scope files:read") from refused
        raise calls.failure(refused) from refused
    except ApiFailed as failed:
        raise calls.failure(failed) from failed
    except msgspec.ValidationError as error:
        raise Never("Slack tells nothing about the file") from error


def _too_large(limit: int) -> str:
    return f"the file is larger than the {limit / _MEGABYTE:g} MB that are fetched from Slack"
