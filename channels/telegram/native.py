"""What the channel sends, as plain data of the Bot API that knows no library.

The fields are the Bot API's own JSON (core.telegram.org/bots/api): a driver passes them on as they
are.
"""

from __future__ import annotations

from typing import Any

import msgspec

Json = dict[str, Any]
Keyboard = tuple[tuple[Json, ...], ...]
"""Rows of InlineKeyboardButton."""


class Piece(msgspec.Struct, frozen=True, kw_only=True):
    """One message: either `text` with its `entities`, or `rich`, an InputRichMessage.

    The text is sent without a parse mode, so that no sign in it is ever markup. `keyboard` are its
    inline buttons; a rich message has its buttons among its blocks. `keys` are rows of
    KeyboardButton in place of the person's own keyboard, for as long as the message is there.
    """

    text: str = ""
    entities: tuple[Json, ...] = ()
    rich: Json | None = None
    keyboard: Keyboard = ()
    keys: Keyboard = ()


class Media(msgspec.Struct, frozen=True, kw_only=True):
    """A file that is sent: what the platform calls it ("photo", "document", "video", "audio",
    "animation", "voice") and its file_id there. What the platform does not have yet has its
    `content` along, and `file` is its name."""

    kind: str
    file: str
    content: bytes | None = None


class Drawn(msgspec.Struct, frozen=True, kw_only=True):
    """Where a card stands: its messages in their order, the last with the buttons.

    `media` are the messages of the files that were sent before it. `also` are messages of the same
    card that the bot did not know of until somebody tapped them (the answer to their sending was
    lost). `card` is the card's JSON where its keyboard has pages, so that they can be turned. `at`
    is when the last message was sent, by Telegram's clock (core.channel.SEEN_AT).
    """

    chat: int
    messages: tuple[int, ...]
    rich: bool = False
    media: tuple[int, ...] = ()
    also: tuple[int, ...] = ()
    card: str = ""
    page: int = 0
    at: float | None = None


def learned(native: Json | None, chat: int, message: int) -> Drawn | None:
    """Where a card stands of which a message came to be known that nobody knew of; None where that
    changes nothing. A card that stands nowhere any more is closed, and stays so.

    It is there twice, perhaps, so nobody knows since when it has been seen.
    """
    if native is None:
        return Drawn(chat=chat, messages=(message,))
    drawn = msgspec.convert(native, Drawn)
    if drawn.chat != chat or not drawn.messages or message in (*drawn.messages, *drawn.also):
        return None
    return msgspec.structs.replace(drawn, also=(*drawn.also, message), at=None)


def media_ref(kind: str, file: str) -> str:
    """The reference by which a received file is kept in a draft."""
    return f"{kind}:{file}"


def media_of(ref: str) -> Media | None:
    """The file of a reference; None where it is none of this channel's."""
    kind, _, file = ref.partition(":")
    known = kind in ("photo", "document", "video", "audio", "animation", "voice", "video_note")
    return Media(kind=kind, file=file) if known and file else None
