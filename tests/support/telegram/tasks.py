"""A call that is being carried out, and what most calls ask of it first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tests.support.telegram.chats import GENERAL, Chat
from tests.support.telegram.errors import ApiError, Json, bad_request, forbidden, migrated, violates
from tests.support.telegram.files import StoredFile
from tests.support.telegram.keyboards import check_markup
from tests.support.telegram.messages import Message
from tests.support.telegram.requests import Upload
from tests.support.telegram.webhook import Reply
from tests.support.telegram.world import World

Handler = Callable[["Task"], Any]
HANDLERS: dict[str, Handler] = {}
"""What carries out which method, by the method's name in small letters."""


def carries_out(*methods: str) -> Callable[[Handler], Handler]:
    """Register a function for these methods. It gives the result, or an awaitable of it."""

    def register(handler: Handler) -> Handler:
        HANDLERS.update({method.lower(): handler for method in methods})
        return handler

    return register


@dataclass
class Task:
    """A call with parameters in their types: `p`. `method` is its name as the API writes it."""

    world: World
    method: str
    p: Json
    uploads: Mapping[str, Upload]
    reply: Reply

    def chat(self, *, write: bool = True, name: str = "chat_id") -> Chat:
        """The chat of the call. Raises ApiError where the bot has no access."""
        given = self.p.get(name)
        if given is None:
            raise violates(f"{name} is empty")
        found = _find(self.world, given)
        if found is None or (found.person is None and found.bot_status == "unknown"):
            raise bad_request("chat not found")
        for fault in _access_faults(found, write):
            raise fault
        return found

    def message(self, called: str, chat: Chat | None = None) -> Message:
        """The message of the call. Raises ApiError when the bot does not find it."""
        if "message_id" not in self.p:
            raise violates("message identifier is not specified")
        place = chat or self.chat()
        found = place.get(self.p["message_id"])
        if found is None or found.inaccessible:
            raise bad_request(f"{called} not found")
        return found

    def file(self, kind: str, value: str) -> StoredFile:
        """The file that a parameter names: an upload, or one that is there already."""
        return self.world.files.sent(kind, value, self.uploads)

    def markup(self, chat: Chat) -> Json | None:
        """The keyboard of the call. Raises ApiError where it breaks a limit."""
        return check_markup(self.p.get("reply_markup"), private=chat.is_private)

    def thread(self, chat: Chat) -> int | None:
        """The thread of the call. Raises ApiError when there is none, or it is closed."""
        thread = self.p.get("message_thread_id")
        if thread is None or (thread == GENERAL and chat.is_forum):
            return None
        topic = chat.topics.get(thread)
        if topic is not None and not topic.deleted:
            if topic.closed and chat.bot_status != "administrator":
                raise bad_request("TOPIC_CLOSED")
            return int(thread)
        answered = any(one.thread == thread for one in chat.messages if not one.deleted)
        if chat.is_forum or topic is not None or not answered:
            raise bad_request("message thread not found")
        return int(thread)

    def reply_to(self, chat: Chat) -> Message | None:
        """The message that the bot answers. Raises ApiError when it is not there."""
        asked = self.p.get("reply_parameters") or {}
        number = asked.get("message_id", self.p.get("reply_to_message_id"))
        if number is None:
            return None
        found = chat.get(number)
        lenient = asked.get(
            "allow_sending_without_reply", self.p.get("allow_sending_without_reply", False)
        )
        if found is None and not lenient:
            raise bad_request("message to be replied not found")
        return found


def _find(world: World, given: int | str) -> Chat | None:
    if isinstance(given, int):
        return world.chats.get(given)
    name = given.removeprefix("@").lower()
    named = (chat for chat in world.chats.values() if (chat.username or "").lower() == name)
    return next(named, None) if given.startswith("@") else None


def _access_faults(chat: Chat, write: bool) -> list[ApiError]:
    if chat.person is not None:
        if not chat.person.started:
            reason = "bot can't initiate conversation with a user"
            return [forbidden(reason) if write else bad_request("chat not found")]
        return [forbidden("bot was blocked by the user")] if chat.person.blocked and write else []
    if not write:
        return []
    if chat.migrated_to is not None:
        return [migrated(chat.migrated_to.id)]
    kind = "supergroup" if chat.type == "supergroup" else "group"
    if chat.bot_status == "kicked":
        return [forbidden(f"bot was kicked from the {kind} chat")]
    if chat.bot_status == "left":
        return [forbidden(f"bot is not a member of the {kind} chat")]
    return []
