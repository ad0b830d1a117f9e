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
    """

    channel: str
    messages: tuple[str, ...]
    also: tuple[str, ...] = ()
    card: str = ""
