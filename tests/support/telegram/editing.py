"""The methods that change or take away what stands in a chat."""

from __future__ import annotations

from collections.abc import Callable

from tests.support.telegram.chats import DELETE_LIMIT, Chat
from tests.support.telegram.errors import NOT_MODIFIED, ApiError, Json, bad_request, violates
from tests.support.telegram.files import media_json
from tests.support.telegram.formatting import message_text
from tests.support.telegram.messages import MEDIA, Message
from tests.support.telegram.sending import caption_content, rich_content, text_content
from tests.support.telegram.tasks import Task, carries_out

CAPTIONED = ("photo", "document", "audio", "video", "animation", "voice")
_NAMED = ("caption", "caption_entities")
Change = Callable[[Task, Message], Json]
"""What a message is made of after an edit."""


def _new_text(task: Task, message: Message) -> Json:
    if "rich_message" in task.p:
        _expect_text(message)
        return rich_content(task, message.chat)
    text = message_text(task.p)
    _expect_text(message)
    return text_content(text, task.p)


def _expect_text(message: Message) -> None:
    if message.media is not None:
        raise bad_request("there is no text in the message to edit")


def _new_caption(task: Task, message: Message) -> Json:
    described = caption_content(task.p)
    if message.media not in CAPTIONED:
        raise bad_request("there is no caption in the message to edit")
    kept = {name: one for name, one in message.content.items() if name not in _NAMED}
    return {**kept, **described}


def _new_media(task: Task, message: Message) -> Json:
    medium = task.p["media"]
    described = caption_content(medium)
    if message.media is not None and message.media not in MEDIA:
        raise bad_request("message can't be edited")
    file = task.file(medium["type"], medium["media"])
    return {file.kind: media_json(file, medium), **described}


def _same_content(task: Task, message: Message) -> Json:
    return message.content


_CHANGES: dict[str, Change] = {
    "MessageText": _new_text,
    "MessageCaption": _new_caption,
    "MessageMedia": _new_media,
    "MessageReplyMarkup": _same_content,
}


@carries_out(*(f"edit{name}" for name in _CHANGES))
def edit(task: Task) -> Json:
    """Change a message of the bot. A call without a keyboard takes the keyboard away."""
    if "inline_message_id" in task.p:
        raise violates("this server has no inline messages")
    message = task.message("message to edit")
    if not message.from_bot or message.is_service:
        raise bad_request("message can't be edited")
    _change(task, message, _CHANGES[task.method.removeprefix("edit")])
    return message.json()


@carries_out(*(f"editEphemeral{name}" for name in _CHANGES))
def edit_ephemeral(task: Task) -> bool:
    """Change a message that only one person sees."""
    message = _ephemeral(task, "message to edit")
    _change(task, message, _CHANGES[task.method.removeprefix("editEphemeral")])
    return True


@carries_out("deleteEphemeralMessage")
def delete_ephemeral(task: Task) -> bool:
    """Take such a message away."""
    _ephemeral(task, "message to delete").deleted = True
    task.world.touch()
    return True


def _ephemeral(task: Task, called: str) -> Message:
    chat = task.chat()
    for message in chat.messages:
        mine = message.for_user is not None and message.for_user["id"] == task.p["receiver_user_id"]
        asked = message.ephemeral_id == task.p["ephemeral_message_id"]
        if mine and asked and not message.deleted:
            return message
    raise bad_request(f"{called} not found")


def _change(task: Task, message: Message, change: Change) -> None:
    if message.markup and "inline_keyboard" not in message.markup:
        raise bad_request("message can't be edited")
    content = change(task, message)
    markup = task.markup(message.chat)
    if markup is not None and "inline_keyboard" not in markup:
        raise violates("inline keyboard expected")
    if content == message.content and markup == message.markup:
        raise bad_request(NOT_MODIFIED)
    refused = message.chat.rights_fault(None)
    if refused:
        raise bad_request(refused)
    message.past.append((message.content, message.markup))
    message.content, message.markup = content, markup
    message.edited = task.world.now
    task.world.touch()


@carries_out("deleteMessage")
def delete_message(task: Task) -> bool:
    """Take a message away for all."""
    chat = task.chat()
    message = task.message("message to delete", chat)
    fault = _delete_fault(task, chat, message)
    if fault is not None:
        raise fault
    chat.deletes(message)
    return True


@carries_out("deleteMessages")
def delete_messages(task: Task) -> bool:
    """Take up to 100 messages away; those that are not there are skipped."""
    if not 1 <= len(task.p["message_ids"]) <= 100:
        raise violates("too many message identifiers specified")
    chat = task.chat()
    found = [one for number in task.p["message_ids"] if (one := chat.get(number)) is not None]
    for message in found:
        if _delete_fault(task, chat, message) is None:
            chat.deletes(message)
    return True


def _delete_fault(task: Task, chat: Chat, message: Message) -> ApiError | None:
    if chat.is_private:
        old = task.world.now - message.date > DELETE_LIMIT
        return bad_request("message can't be deleted for everyone") if old else None
    mine = message.from_bot and not message.is_service
    allowed = mine or chat.bot_status == "administrator"
    return None if allowed else bad_request("message can't be deleted")


@carries_out("pinChatMessage")
def pin(task: Task) -> bool:
    """Pin a message to the top of its chat."""
    message = task.message("message to pin")
    if not message.chat.is_private and message.chat.bot_status != "administrator":
        raise bad_request("not enough rights to manage pinned messages in the chat")
    message.chat.pinned.append(message)
    return True


@carries_out("unpinChatMessage", "unpinAllChatMessages")
def unpin(task: Task) -> bool:
    """Unpin a message, the newest when none is named, or all."""
    chat = task.chat()
    if task.method == "unpinAllChatMessages":
        chat.pinned.clear()
    elif "message_id" in task.p:
        message = task.message("message to unpin", chat)
        chat.pinned = [one for one in chat.pinned if one is not message]
    else:
        del chat.pinned[-1:]
    return True
