"""What the channel sends, as plain data of Slack's API that knows no library."""

from __future__ import annotations

from typing import Any

import msgspec

Json = dict[str, Any]


class Post(msgspec.Struct, frozen=True, kw_only=True):
    """One message: `blocks` (Block Kit), and `text`, which stands in notifications and is read out.

    Blocks are always sent along, empty ones too: text alone would leave old blocks standing.
    """

    text: str
    blocks: tuple[Json, ...] = ()


class Drawn(msgspec.Struct, frozen=True, kw_only=True):
    """Where a card stands: the ts of its messages in their order, the last with the controls.

    `also` are messages of the same card that the bot did not know of until somebody used them.
    `card` is the card's JSON where it is needed again (to open its modal, to leave it standing).
    `at` is when the last message was posted, by Slack's clock (core.channel.SEEN_AT).
    """

    channel: str
    messages: tuple[str, ...]
    also: tuple[str, ...] = ()
    card: str = ""
    at: float | None = None


def learned(native: Json | None, channel: str, message: str) -> Drawn | None:
    """Where a card stands of which a message came to be known that nobody knew of; None where that
    changes nothing. A card that stands nowhere any more is closed, and stays so.

    It is there twice, perhaps, so nobody knows since when it has been seen.
    """
    if native is None:
        return Drawn(channel=channel, messages=(message,))
    drawn = msgspec.convert(native, Drawn)
    if not drawn.messages or message in (*drawn.messages, *drawn.also):
        return None
    return msgspec.structs.replace(drawn, also=(*drawn.also, message), at=None)


def file_ref(team: str, file: str) -> str:
    """The reference by which a received file is kept in a draft: Slack's own id of it, and the
    workspace whose token may fetch it."""
    return f"slack:{team}:{file}"


def file_of(ref: str) -> tuple[str, str] | None:
    """The workspace and the id of a file; None where it is none of this channel's."""
    name, _, rest = ref.partition(":")
    team, _, file = rest.partition(":")
    return (team, file) if name == "slack" and team and file else None
