"""The other side of the chat: what people do, for tests to let them do it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.support.telegram.entities import Text, settled
from tests.support.telegram.errors import Json
from tests.support.telegram.files import media_json, png
from tests.support.telegram.messages import Message
from tests.support.telegram.requests import Upload

if TYPE_CHECKING:
    from tests.support.telegram.chats import Chat, Topic
    from tests.support.telegram.world import World

QUERY_LIFE = 60
"""Seconds on the server's clock in which a tap can be answered."""


@dataclass(frozen=True)
class Answer:
    """What the bot said to a tap: nothing, a toast, an alert to close, or a link to open."""

    text: str = ""
    alert: bool = False
    url: str | None = None


@dataclass(eq=False)
class Tap:
    """A tap on a button: a callback query. Its button keeps spinning until it has an `answer`."""

    id: str
    person: Person
    message: Message
    data: str
    made_at: int
    answer: Answer | None = None

    async def answered(self) -> Answer:
        """Wait for the bot's answer to this tap."""
        await self.person.world.until(lambda: self.answer is not None, f"an answer to {self!r}")
        assert self.answer is not None
        return self.answer

    def __repr__(self) -> str:
        return f"the tap of {self.person.name} on {self.data!r}"


@dataclass(frozen=True)
class Medium:
    """A file for an album: its kind ("photo", "document"...), name and content."""

    kind: str
    name: str
    content: bytes
    caption: str = ""


class Person:
    """Somebody who uses Telegram.

    Everything happens in their private chat with the bot unless `chat` names a group; `thread` is a
    topic, `reply_to` the message that they answer.
    """

    def __init__(self, world: World, user: Json, *, started: bool = True) -> None:
        self.world = world
        self.user = user
        self.id = int(user["id"])
        self.started = started
        self.blocked = False
        self.offline = False
        self._albums = 0

    @property
    def name(self) -> str:
        """The first name."""
        return str(self.user["first_name"])

    @property
    def chat(self) -> Chat:
        """The private chat with the bot."""
        return self.world.chats[self.id]

    def __repr__(self) -> str:
        return f"Person({self.name!r})"

    # Messages

    def says(
        self,
        text: str,
        *,
        chat: Chat | None = None,
        thread: Topic | int | None = None,
        reply_to: Message | None = None,
    ) -> Message:
        """Write words or a command; links, commands and mentions in them are found."""
        found = settled(Text(text), explicit=False)
        content: Json = {"text": found.text}
        if found.entities:
            content["entities"] = found.entities
        return self.sends(content, chat=chat, thread=thread, reply_to=reply_to)

    def starts(self, payload: str = "") -> Message:
        """Press Start, or follow a deep link with this payload."""
        fits = re.fullmatch(r"[A-Za-z0-9_-]{0,64}", payload)
        assert fits, "a deep link's payload has at most 64 of A-Z, a-z, 0-9, _ and -"
        return self.says(f"/start {payload}".rstrip())

    def sends(
        self,
        content: Json,
        *,
        chat: Chat | None = None,
        thread: Topic | int | None = None,
        reply_to: Message | None = None,
        album: str | None = None,
    ) -> Message:
        """Send a message of any content that the Bot API has, given as its JSON."""
        place = chat or self.chat
        assert self.id in place.people, f"{self.name} is not in {place.title}"
        if place.is_private:
            self.unblocks()
            self.started = True
        number = thread if isinstance(thread, int) or thread is None else thread.id
        message = Message(
            place,
            place.next_id(),
            self.user,
            self.world.now,
            content,
            thread=number,
            in_topic=number is not None and number in place.topics,
            reply_to=reply_to,
            album=album,
        )
        in_thread(message)
        place.add(message)
        self.world.tells_message(message)
        return message

    def sends_file(
        self, kind: str, content: bytes, name: str = "", *, caption: str = "", **place: Any
    ) -> Message:
        """Send a "photo", "document", "voice", "audio", "video", "sticker" or "animation"."""
        return self.sends(self._content(Medium(kind, name or kind, content, caption)), **place)

    def sends_photo(
        self, content: bytes | None = None, *, caption: str = "", **place: Any
    ) -> Message:
        """Send a photo: a PNG, GIF or JPEG, a white one when it does not matter."""
        return self.sends_file("photo", content or png(), "photo.jpg", caption=caption, **place)

    def sends_document(
        self, content: bytes, name: str, *, caption: str = "", **place: Any
    ) -> Message:
        """Send a file as it is."""
        return self.sends_file("document", content, name, caption=caption, **place)

    def sends_voice(self, content: bytes = b"OggS", **place: Any) -> Message:
        """Speak."""
        return self.sends_file("voice", content, "voice.ogg", **place)

    def sends_sticker(self, emoji: str = "🙂", **place: Any) -> Message:
        """Send a sticker."""
        file = self.world.files.add("sticker", Upload("sticker.webp", b"RIFF"))
        return self.sends({"sticker": media_json(file, {"emoji": emoji})}, **place)

    def sends_album(self, media: Sequence[Medium], **place: Any) -> list[Message]:
        """Send several files at once: one message for each, with one `media_group_id`."""
        self._albums += 1
        album = f"{self.id}{self._albums:06}"
        return [self.sends(self._content(one), album=album, **place) for one in media]

    def shares_location(self, latitude: float, longitude: float, **place: Any) -> Message:
        """Share a place."""
        location = {"latitude": latitude, "longitude": longitude}
        return self.sends({"location": location}, **place)

    def shares_contact(self, phone: str, of: Person | None = None, **place: Any) -> Message:
        """Share a phone number, their own unless it is somebody else's."""
        who = of or self
        contact = {"phone_number": phone, "first_name": who.name, "user_id": who.id}
        return self.sends({"contact": contact}, **place)

    def sends_poll(self, question: str, *options: str, **place: Any) -> Message:
        """Ask the others."""
        return self.sends(
            {"poll": poll_json(f"p{self.world.next_tap_id()}", question, options)}, **place
        )

    def _content(self, medium: Medium) -> Json:
        file = self.world.files.add(medium.kind, Upload(medium.name, medium.content))
        content: Json = {medium.kind: media_json(file, {})}
        if medium.caption:
            found = settled(Text(medium.caption), explicit=False)
            content |= {"caption": found.text}
            content |= {"caption_entities": found.entities} if found.entities else {}
        return content

    def edits(self, message: Message, text: str) -> Message:
        """Change the words of a message that they sent."""
        assert message.sender["id"] == self.id, "people edit their own messages only"
        found = settled(Text(text), explicit=False)
        name, marks = ("caption", "caption_entities") if message.media else ("text", "entities")
        message.content = {**message.content, name: found.text, marks: found.entities}
        message.edited = self.world.now
        self.world.touch()
        self.world.tells_message(message, "edited_message")
        return message

    def deletes(self, message: Message) -> None:
        """Delete a message for both sides. The bot is not told."""
        message.chat.deletes(message)

    # Buttons

    def taps(
        self, label: str, message: Message | None = None, *, stale: bool = False, **place: Any
    ) -> Tap:
        """Tap a button of a message, of the newest that has it when none is given.

        `stale` taps one that an edit took away, as a client does that has not heard of the edit.
        """
        found = message or self._newest_with(label, **place)
        button = found.button(label, stale=stale)
        assert button is not None, f"no button {label!r}, but {found.labels}"
        assert not button.disabled, f"the button {label!r} is disabled"
        assert button.data is not None, f"the button {label!r} sends nothing"
        return self.forges(button.data, found)

    def forges(self, data: str, message: Message) -> Tap:
        """Send callback data of one's own making, which a changed client can."""
        assert message.from_bot, "only a message of the bot has buttons"
        tap = Tap(self.world.next_tap_id(), self, message, data, self.world.now)
        self.world.taps[tap.id] = tap
        query = {
            "id": tap.id,
            "from": self.user,
            "message": message.maybe_inaccessible(),
            "chat_instance": str(message.chat.id * 7919),
            "data": data,
        }
        self.world.tells("callback_query", query, self.id)
        return tap

    def types(self, label: str, *, chat: Chat | None = None) -> Message:
        """Tap a button of the keyboard in place of one's own: it is sent as words."""
        rows = (chat or self.chat).reply_keyboard
        labels = [button.label for row in rows for button in row]
        assert label in labels, f"no button {label!r} on the keyboard, but {labels}"
        return self.says(label, chat=chat)

    def picks(self, label: str, *people: Person) -> Message:
        """Tap a button of that keyboard that lets them pick people, and pick these."""
        buttons = [button for row in self.chat.reply_keyboard for button in row]
        found = next((one for one in buttons if one.label == label and one.requests), None)
        assert found is not None, f"nothing to pick people with: {buttons}"
        return self.picks_for(found.requests or {}, *people)

    def picks_for(self, wanted: Json, *people: Person) -> Message:
        """Pick people for what a button of such a keyboard asked, which may be gone meanwhile."""
        assert 1 <= len(people) <= wanted.get("max_quantity", 1), "so many cannot be picked"
        if "user_is_bot" in wanted:
            bots = [one.user["is_bot"] for one in people]
            assert set(bots) == {wanted["user_is_bot"]}, "only people who fit are on the list"
        told = {
            "request_id": wanted["request_id"],
            "users": [_picked(one, wanted) for one in people],
        }
        if (self.chat.keyboard or {}).get("one_time_keyboard"):
            self.chat.keyboard = None
        return self.sends({"users_shared": told})

    def _newest_with(self, label: str, *, chat: Chat | None = None, thread: Any = None) -> Message:
        number = thread if isinstance(thread, int) or thread is None else thread.id
        screen = (chat or self.chat).screen(self, number)
        for message in reversed(screen):
            if message.from_bot and message.button(label) is not None:
                return message
        raise AssertionError(f"no button {label!r} here:\n{screen}")

    # The rest

    def stops(self, *, chat: Chat | None = None) -> None:
        """Press the stop button of the draft that is shown."""
        place = chat or self.chat
        draft = place.live_draft()
        assert draft is not None, "no draft is shown"
        assert draft.can_stop, "the draft has no stop button"
        place.stopped_drafts.add(draft.id)
        draft.stopped = True
        if not draft.keep_on_stop:
            place.draft = None
        told: Json = {"chat": place.json(), "draft_id": draft.id}
        if draft.thread is not None:
            told["message_thread_id"] = draft.thread
        self.world.tells("stopped_message_generation", told, self.id)
        self.world.touch()

    def blocks(self) -> None:
        """Block the bot: it is told, and cannot write any more."""
        self.blocked = True
        self.world.bot_status(self.chat, "kicked", self)

    def unblocks(self) -> None:
        """Let the bot write again; it is told."""
        if self.blocked:
            self.blocked = False
            self.world.bot_status(self.chat, "member", self)


def _picked(person: Person, wanted: Json) -> Json:
    """The API's `SharedUser`: no more of somebody than was asked for."""
    names = ("first_name", "last_name") if wanted.get("request_name") else ()
    names = (*names, "username") if wanted.get("request_username") else names
    return {
        "user_id": person.id,
        **{name: person.user[name] for name in names if name in person.user},
    }


def in_thread(message: Message) -> None:
    """Give a message its thread, as the server does.

    In a forum a message that answers nothing counts as an answer to the one that made the topic. In
    another supergroup an answer has the first message of its thread, though that is no topic.
    """
    chat, reply = message.chat, message.reply_to
    if message.in_topic and reply is None and message.thread is not None:
        message.reply_to = chat.get(message.thread)
    elif reply is not None and chat.type == "supergroup" and not chat.is_forum:
        message.thread = reply.thread or reply.id


def poll_json(poll_id: str, question: str, options: Sequence[str]) -> Json:
    """The API's `Poll`, without votes."""
    return {
        "id": poll_id,
        "question": question,
        "options": [
            {"persistent_id": str(number), "text": text, "voter_count": 0}
            for number, text in enumerate(options)
        ],
        "total_voter_count": 0,
        "is_closed": False,
        "is_anonymous": True,
        "type": "regular",
        "allows_multiple_answers": False,
        "allows_revoting": True,
        "members_only": False,
    }
