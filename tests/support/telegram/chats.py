"""A chat: who is in it, what stands in it, and what the bot may do there."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tests.support.telegram.entities import Text
from tests.support.telegram.errors import Json
from tests.support.telegram.keyboards import Button, reply_rows
from tests.support.telegram.messages import Message
from tests.support.telegram.screen import Screen

if TYPE_CHECKING:
    from tests.support.telegram.people import Person
    from tests.support.telegram.world import World

DRAFT_LIFE = 30
"""Seconds for which a draft is shown."""
DELETE_LIMIT = 48 * 3600
"""Seconds after which a message cannot be deleted by the bot in a private chat."""
GENERAL = 1
"""The thread of a forum that every forum has."""

_CONTENT_RIGHTS = {
    "photo": "photos",
    "document": "documents",
    "audio": "audios",
    "video": "videos",
    "animation": "other messages",
    "sticker": "other messages",
    "voice": "voice notes",
    "video_note": "video notes",
    "poll": "polls",
}


@dataclass
class Topic:
    """A topic of a forum; its identifier is that of the message that made it."""

    id: int
    name: str
    chat: Chat
    closed: bool = False
    deleted: bool = False

    def closes(self) -> None:
        """A person closes the topic: only administrators write in it."""
        self.closed = True

    def goes(self) -> None:
        """A person deletes the topic and all that stands in it."""
        self.deleted = True
        for message in self.chat.messages:
            if message.thread == self.id:
                message.deleted = True


@dataclass
class Draft:
    """The preview of an answer that is being written. `shown_at` is on the server's clock."""

    id: int
    text: Text
    shown_at: int
    thread: int | None = None
    rich: Json | None = None
    can_stop: bool = False
    keep_on_stop: bool = False
    stopped: bool = False


@dataclass(eq=False)
class Chat:
    """A chat. Tests read it with `screen()`, and let things happen to it by its other methods."""

    world: World
    id: int
    type: str
    title: str = ""
    username: str | None = None
    is_forum: bool = False
    person: Person | None = None
    people: dict[int, Person] = field(default_factory=dict)
    messages: list[Message] = field(default_factory=list)
    topics: dict[int, Topic] = field(default_factory=dict)
    bot_status: str = "member"
    muted: frozenset[str] = frozenset()
    draft: Draft | None = None
    stopped_drafts: set[int] = field(default_factory=set)
    actions: list[str] = field(default_factory=list)
    keyboard: Json | None = None
    pinned: list[Message] = field(default_factory=list)
    migrated_to: Chat | None = None
    migrated_from: Chat | None = None
    last_id: int = 0

    # What is seen

    def screen(self, viewer: Person | None = None, thread: int | None = None) -> Screen:
        """What stands in the chat now, for one person or for all, oldest first."""
        before = self.migrated_from.messages if self.migrated_from else []
        user_id = viewer.id if viewer else self.id if self.is_private else None
        seen = [one for one in (*before, *self.messages) if one.seen_by(user_id)]
        shown = [one for one in seen if thread is None or one.thread == thread]
        draft = self.live_draft()
        if draft is not None and thread is not None and draft.thread != thread:
            draft = None
        return Screen(self, shown, draft, self.reply_keyboard)

    @property
    def newest(self) -> Message:
        """The last message on the screen."""
        return self.screen()[-1]

    @property
    def reply_keyboard(self) -> list[list[Button]]:
        """The rows of the keyboard in place of the person's own."""
        return reply_rows(self.keyboard)

    def live_draft(self) -> Draft | None:
        """The draft, for as long as it is shown."""
        draft = self.draft
        if draft is None or self.world.now >= draft.shown_at + DRAFT_LIFE:
            return None
        return draft

    @property
    def is_private(self) -> bool:
        """One person and the bot."""
        return self.type == "private"

    def json(self) -> Json:
        """The API's `Chat`."""
        if self.person is not None:
            user = self.person.user
            named: Json = {
                key: user[key] for key in ("first_name", "last_name", "username") if key in user
            }
            topics = {"is_forum": True} if self.is_forum else {}
            return {"id": self.id, "type": "private", **named, **topics}
        told: Json = {"id": self.id, "type": self.type, "title": self.title}
        if self.username:
            told["username"] = self.username
        if self.is_forum:
            told["is_forum"] = True
        return told

    # Messages

    def get(self, message_id: int) -> Message | None:
        """The message with this identifier, when it is still there for the bot."""
        return next(
            (one for one in self.messages if one.id == message_id and not one.deleted), None
        )

    def next_id(self) -> int:
        """A new message identifier: each supergroup counts for itself, all others together."""
        if self.type == "supergroup":
            self.last_id += 1
            return self.last_id
        return self.world.next_message_id()

    def add(self, message: Message) -> Message:
        """Put a message at the end of the chat."""
        self.messages.append(message)
        if message.from_bot:
            self.actions.clear()
            self.draft = None
        self.world.touch()
        return message

    def rights_fault(self, kind: str | None) -> str | None:
        """Why the bot may not send this kind of content (None: a text), when it may not."""
        called = "text messages" if kind is None else _CONTENT_RIGHTS.get(kind, "text messages")
        if "all" in self.muted or called in self.muted:
            return f"not enough rights to send {called} to the chat"
        return None

    # What happens to it

    def topic(self, name: str) -> Topic:
        """A person opens a topic in this forum."""
        return self.world.opens_topic(self, name)

    def joins(self, *people: Person) -> None:
        """People join the group."""
        for person in people:
            self.people[person.id] = person

    def adds_bot(self, by: Person, status: str = "member") -> None:
        """A person adds the bot to the group, or makes it an administrator; the bot is told."""
        self.world.bot_status(self, status, by)

    def kicks_bot(self, by: Person) -> None:
        """An administrator removes the bot for good; the bot is told."""
        self.world.bot_status(self, "kicked", by)

    def mutes_bot(self, *kinds: str) -> None:
        """The bot may not send these kinds any more ("photos", "documents"...), or nothing."""
        self.muted = frozenset(kinds or {"all"})

    def unmutes_bot(self) -> None:
        """The bot may send everything again."""
        self.muted = frozenset()

    def upgrades(self) -> Chat:
        """The group becomes a supergroup, which has another identifier; the bot is told twice."""
        return self.world.upgrades(self)

    def deletes(self, message: Message) -> None:
        """Somebody deletes a message for all, and a keyboard goes with the message that brought it.
        The bot is not told, as in real life."""
        message.deleted = True
        if self.keyboard is not None and self.keyboard is message.markup:
            self.keyboard = None
        self.world.touch()

    def puts_out_of_reach(self, message: Message) -> None:
        """A message is still on the screen, but the bot gets it no more, nor edits it."""
        message.inaccessible = True

    def ages(self, message: Message, seconds: int = DELETE_LIMIT + 60) -> None:
        """A message was sent that much earlier."""
        message.date -= seconds
