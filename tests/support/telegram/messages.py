"""A message in a chat, as its people see it and as the Bot API tells it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.support.telegram import rich
from tests.support.telegram.entities import Text
from tests.support.telegram.errors import Json
from tests.support.telegram.keyboards import Button, inline_rows

if TYPE_CHECKING:
    from tests.support.telegram.chats import Chat

MEDIA = ("photo", "document", "audio", "video", "animation", "voice", "video_note", "sticker")
PLACED = ("location", "venue", "contact", "poll", "dice")
_SERVICE = frozenset(
    (
        "new_chat_members",
        "left_chat_member",
        "forum_topic_created",
        "forum_topic_closed",
        "forum_topic_reopened",
        "migrate_to_chat_id",
        "migrate_from_chat_id",
        "pinned_message",
        "users_shared",
    )
)


def _rows(content: Json, markup: Json | None) -> list[list[Button]]:
    inside = rich.rich_rows(content["rich_message"]) if "rich_message" in content else []
    return [*inside, *inline_rows(markup)]


@dataclass(eq=False)
class Message:
    """One message. `content` is what the Bot API has of it: text, entities, photo, caption...

    `markup` is its reply markup. `for_user` is the only person who sees an ephemeral message.
    `inaccessible` messages are still on the screen, but the bot gets and edits them no more.
    `past` has what it was before its edits (content and markup), oldest first.
    """

    chat: Chat
    id: int
    sender: Json
    date: int
    content: Json
    markup: Json | None = None
    thread: int | None = None
    in_topic: bool = False
    reply_to: Message | None = None
    edited: int | None = None
    from_bot: bool = False
    deleted: bool = False
    inaccessible: bool = False
    for_user: Json | None = None
    ephemeral_id: int | None = None
    album: str | None = None
    past: list[tuple[Json, Json | None]] = field(default_factory=list)
    hidden_from: set[int] = field(default_factory=set)
    reactions: list[Json] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The text, the caption, or the characters of the rich message."""
        if "rich_message" in self.content:
            return "\n".join(rich.drawn(self.content["rich_message"]))
        return str(self.content.get("text", self.content.get("caption", "")))

    @property
    def entities(self) -> list[Json]:
        """Bold, links and the like, with offsets in UTF-16 units."""
        return [*self.content.get("entities", ()), *self.content.get("caption_entities", ())]

    def marked(self, kind: str) -> list[str]:
        """The parts of the text that an entity of this type covers."""
        text = Text(self.text, self.entities)
        return [text.part(one) for one in self.entities if one["type"] == kind]

    @property
    def media(self) -> str | None:
        """What the message carries beside text: "photo", "location"..."""
        return next((kind for kind in (*MEDIA, *PLACED) if kind in self.content), None)

    @property
    def file_id(self) -> str | None:
        """The identifier of the message's file; of the largest size of a photo."""
        kind = self.media
        if kind not in MEDIA or kind is None:
            return None
        medium = self.content[kind]
        return str((medium[-1] if isinstance(medium, list) else medium)["file_id"])

    @property
    def is_service(self) -> bool:
        """Told by Telegram, not by a person."""
        return any(name in self.content for name in _SERVICE)

    @property
    def rows(self) -> list[list[Button]]:
        """The buttons in and under the message, in reading order."""
        return _rows(self.content, self.markup)

    @property
    def is_rich(self) -> bool:
        """Made of blocks."""
        return "rich_message" in self.content

    @property
    def buttons(self) -> list[Button]:
        """The same, in one list."""
        return [button for row in self.rows for button in row]

    @property
    def labels(self) -> list[str]:
        """What stands on the buttons."""
        return [button.label for button in self.buttons]

    def button(self, label: str, *, stale: bool = False) -> Button | None:
        """The button with this label; with `stale` also one that was there before."""
        shown = next((one for one in self.buttons if one.label == label), None)
        if shown is not None or not stale:
            return shown
        rows = [row for then in reversed(self.past) for row in _rows(*then)]
        return next((one for row in rows for one in row if one.label == label), None)

    def seen_by(self, user_id: int | None) -> bool:
        """Whether this person has it on the screen."""
        if self.deleted or user_id in self.hidden_from:
            return False
        return self.for_user is None or user_id is None or self.for_user["id"] == user_id

    def json(self, *, nested: bool = False) -> Json:
        """The API's `Message`; a nested one has no reply of its own."""
        told: Json = {
            "message_id": self.id,
            "from": self.sender,
            "chat": self.chat.json(),
            "date": self.date,
            **self.content,
        }
        extra: dict[str, Any] = {
            "message_thread_id": self.thread,
            "is_topic_message": True if self.in_topic else None,
            "edit_date": self.edited,
            "media_group_id": self.album,
            "receiver_user": self.for_user,
            "ephemeral_message_id": self.ephemeral_id,
            "reply_markup": self.markup
            if self.markup and "inline_keyboard" in self.markup
            else None,
        }
        told.update({name: value for name, value in extra.items() if value is not None})
        if not nested and self.reply_to is not None and not self.reply_to.deleted:
            told["reply_to_message"] = self.reply_to.json(nested=True)
        return told

    def maybe_inaccessible(self) -> Json:
        """The message as a callback query tells it: without its content when it is out of reach."""
        if self.inaccessible or self.deleted:
            return {"chat": self.chat.json(), "message_id": self.id, "date": 0}
        return self.json()

    def __repr__(self) -> str:
        return f"Message({self.id}, {self.text[:40]!r})"
