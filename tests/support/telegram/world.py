"""All that the server knows: people, chats, files, updates, and what time it is."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection
from typing import TypeVar

from aiogram.types import ChatMemberAdministrator

from tests.support.telegram.chats import Chat, Topic
from tests.support.telegram.conform import required_of
from tests.support.telegram.errors import Json
from tests.support.telegram.features import Feature
from tests.support.telegram.files import Files
from tests.support.telegram.messages import Message
from tests.support.telegram.people import Person, Tap
from tests.support.telegram.updates import Updates

_RIGHTS = [name for name, kind in required_of(ChatMemberAdministrator).items() if kind is bool]
PATIENCE = 30.0
"""Real seconds after which a test that waits for something gives up."""
_TAPS_QUEUE = 3 << 33
_MEMBERS_QUEUE = 6 << 33
T = TypeVar("T")


class World:
    """The state behind the server. Its clock `now` (Unix seconds) stands still until `passes`."""

    def __init__(
        self,
        *,
        token: str,
        username: str,
        name: str = "Bot",
        reads_all: bool = False,
        lacks: Collection[Feature] = (),
        now: int | None = None,
    ) -> None:
        self.token = token
        self.bot: Json = {
            "id": int(token.split(":", maxsplit=1)[0]),
            "is_bot": True,
            "first_name": name,
            "username": username,
        }
        self.reads_all = reads_all
        self.lacks: set[Feature] = set(lacks)
        self.now = int(time.time()) if now is None else now
        self.chats: dict[int, Chat] = {}
        self.people: dict[int, Person] = {}
        self.files = Files()
        self.updates = Updates(lambda: self.now, self.touch)
        self.taps: dict[str, Tap] = {}
        self.commands: dict[tuple[str, str], list[Json]] = {}
        self.told: dict[tuple[str, str], str] = {}
        self.menus: dict[int, Json] = {}
        self.logged_out = False
        self._last_message_id = 0
        self._next_person = 10_001
        self._next_group = 5_001
        self._next_tap = 4_000_000_001
        self._changed = asyncio.Event()

    # Time, and waiting for the bot

    def passes(self, seconds: int) -> None:
        """Let time pass on the server's clock; no real time does."""
        self.now += seconds
        self.touch()

    def touch(self) -> None:
        """Something changed: whoever waits looks again."""
        self._changed.set()

    async def until(self, happens: Callable[[], T], told: str = "it") -> T:
        """Wait until a function of the state gives something true, and give that back.

        Raises AssertionError, with all the chats drawn, after half a minute without it.
        """
        try:
            async with asyncio.timeout(PATIENCE):
                while not (found := happens()):
                    self._changed.clear()
                    await self._changed.wait()
                return found
        except TimeoutError:
            drawn = "\n".join(str(chat.screen()) for chat in self.chats.values())
            raise AssertionError(f"Waited in vain for {told}.\n{drawn}") from None

    # People and chats

    def person(
        self,
        first_name: str,
        *,
        language: str | None = "en",
        last_name: str | None = None,
        username: str | None = None,
        started: bool = True,
    ) -> Person:
        """A person with a private chat; one who has not `started` the bot cannot be written to."""
        user: Json = {"id": self._next_person, "is_bot": False, "first_name": first_name}
        more = {"last_name": last_name, "username": username, "language_code": language}
        user |= {key: value for key, value in more.items() if value is not None}
        self._next_person += 1
        person = Person(self, user, started=started)
        chat = Chat(self, person.id, "private", person=person, people={person.id: person})
        self.people[person.id] = person
        self.chats[chat.id] = chat
        return person

    def group(
        self, title: str, *people: Person, forum: bool = False, supergroup: bool = False
    ) -> Chat:
        """A group with these people and the bot in it; a forum is always a supergroup."""
        number = self._next_group
        self._next_group += 1
        is_super = supergroup or forum
        chat_id = int(f"-100{number}000000") if is_super else -number
        kind = "supergroup" if is_super else "group"
        chat = Chat(self, chat_id, kind, title=title, is_forum=forum)
        chat.last_id = 1  # that it was made is the first message of a supergroup
        chat.joins(*people)
        self.chats[chat.id] = chat
        return chat

    def user_json(self, user_id: int) -> Json | None:
        """The API's `User` of somebody known."""
        if user_id == self.bot["id"]:
            return self.bot
        person = self.people.get(user_id)
        return person.user if person else None

    def next_message_id(self) -> int:
        """Private chats and small groups share one count of messages."""
        self._last_message_id += 1
        return self._last_message_id

    def next_tap_id(self) -> str:
        """The identifier of a callback query."""
        self._next_tap += 1
        return str(self._next_tap)

    # What the bot is told

    def tells_message(self, message: Message, kind: str = "message") -> None:
        """Queue a message for the bot, when it may read it."""
        if self._reads(message):
            self.updates.put(kind, message.json(), message.chat.id)

    def tells(self, kind: str, payload: Json, user_id: int) -> None:
        """Queue something else that a person did; it has its own queue, beside the messages."""
        self.updates.put(kind, payload, user_id + _TAPS_QUEUE)

    def _reads(self, message: Message) -> bool:
        """In groups a bot in privacy mode reads what is meant for it only."""
        chat = message.chat
        if chat.bot_status in ("left", "kicked"):
            return False
        if chat.is_private or self.reads_all or chat.bot_status == "administrator":
            return True
        if message.is_service or (message.reply_to is not None and message.reply_to.from_bot):
            return True
        name = f"@{self.bot['username']}".lower()
        if any(part.lower() == name for part in message.marked("mention")):
            return True
        commands = [part.lower() for part in message.marked("bot_command")]
        return any("@" not in part or part.endswith(name) for part in commands)

    def bot_status(self, chat: Chat, status: str, by: Person) -> None:
        """The bot's place in a chat changes, and it is told."""
        before, chat.bot_status = chat.bot_status, status
        payload = {
            "chat": chat.json(),
            "from": by.user,
            "date": self.now,
            "old_chat_member": self.member_json(before),
            "new_chat_member": self.member_json(status),
        }
        self.updates.put("my_chat_member", payload, chat.id + _MEMBERS_QUEUE)
        self.touch()

    def member_json(self, status: str, user: Json | None = None) -> Json:
        """The API's `ChatMember`, of the bot when of nobody else."""
        told: Json = {"user": user or self.bot, "status": status}
        if status == "kicked":
            told["until_date"] = 0
        if status == "administrator":
            told |= dict.fromkeys(_RIGHTS, True) | {"is_anonymous": False}
        return told

    # Groups

    def opens_topic(self, chat: Chat, name: str) -> Topic:
        """A topic begins with a message about it, whose identifier it has."""
        assert chat.is_forum, f"{chat.title or 'a private chat'} has no topics"
        made = {"forum_topic_created": {"name": name, "icon_color": 7322096}}
        by = next(iter(chat.people.values()))
        message = Message(chat, chat.next_id(), by.user, self.now, made, in_topic=True)
        message.thread = message.id
        chat.add(message)
        topic = chat.topics[message.id] = Topic(message.id, name, chat)
        self.tells_message(message)
        return topic

    def upgrades(self, chat: Chat) -> Chat:
        """Both chats get a message about it; the old one stays as it is, closed."""
        assert chat.type == "group", "only a small group becomes a supergroup"
        new = self.group(chat.title, *chat.people.values(), supergroup=True)
        new.bot_status = chat.bot_status
        new.migrated_from, chat.migrated_to = chat, new
        by = next(iter(chat.people.values())).user
        for where, content in (
            (chat, {"migrate_to_chat_id": new.id}),
            (new, {"migrate_from_chat_id": chat.id}),
        ):
            message = Message(where, where.next_id(), by, self.now, content)
            where.add(message)
            self.tells_message(message)
        return new
