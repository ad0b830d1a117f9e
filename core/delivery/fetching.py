"""The files of a submission, fetched from the channel that they were sent in."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import structlog

from core.channel import Channel, Chats
from core.delivery.base import Confirmed
from core.delivery.letter import Enclosed
from core.effects import Submission
from core.posts import Attachment
from core.submitted import attachments

log = structlog.get_logger()

_LARGEST = 5_000_000
"""Bytes of a file that is sent along; a larger one is only named."""

_FETCHING = 6.0
"""Seconds for all of them."""


async def fetched(
    channels: Mapping[str, Channel], submission: Submission, confirmed: Confirmed
) -> list[Enclosed]:
    """The files of a submission, as far as they can be had now: it does not wait for them."""
    files = attachments(confirmed.type, submission, confirmed.channel)
    return list(await asyncio.gather(*(_fetch(channels, one) for one in files)))


async def _fetch(channels: Mapping[str, Channel], file: Attachment) -> Enclosed:
    channel = channels.get(file.origin)
    if not isinstance(channel, Chats) or file.size > _LARGEST:
        return Enclosed(file, None)
    try:
        async with asyncio.timeout(_FETCHING):
            return Enclosed(file, await channel.download(file.ref, _LARGEST))
    except Exception as error:
        log.warning("file_not_fetched", channel=file.origin, error=type(error).__name__)
        return Enclosed(file, None)
