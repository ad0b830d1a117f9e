"""The methods that put something into a chat."""

from __future__ import annotations

from typing import Any

from aiogram.enums import ChatAction

from tests.support.telegram.chats import Chat
from tests.support.telegram.entities import Text, units
from tests.support.telegram.errors import Json, bad_request, violates
from tests.support.telegram.files import media_json
from tests.support.telegram.formatting import caption, formatted, message_text
from tests.support.telegram.messages import Message
from tests.support.telegram.people import in_thread, poll_json
from tests.support.telegram.rich import check_rich, stored
from tests.support.telegram.tasks import Task, carries_out

ALBUM = (2, 10)
_TOGETHER = ({"photo", "video", "live_photo"}, {"document"}, {"audio"})
_FILE_METHODS = {
    "sendPhoto": "photo",
    "sendDocument": "document",
    "sendAudio": "audio",
    "sendVideo": "video",
    "sendAnimation": "animation",
    "sendVoice": "voice",
    "sendVideoNote": "video_note",
    "sendSticker": "sticker",
}
_ACTIONS = frozenset(ChatAction)


def text_content(text: Text, p: Json) -> Json:
    """What a text message is made of."""
    content: Json = {"text": text.text}
    if text.entities:
        content["entities"] = known_people(text.entities)
    if "link_preview_options" in p:
        content["link_preview_options"] = p["link_preview_options"]
    return content


def caption_content(p: Json) -> Json:
    """What a caption is made of; nothing when there is none."""
    text = caption(p)
    content: Json = {"caption": text.text} if text.text else {}
    if text.entities:
        content["caption_entities"] = known_people(text.entities)
    return content


def known_people(entities: list[Json]) -> list[Json]:
    """Mentions of people have a whole user in the API."""
    return [
        {**one, "user": {"is_bot": False, "first_name": "", **one["user"]}}
        if one["type"] == "text_mention"
        else one
        for one in entities
    ]


def rich_content(task: Task, chat: Chat) -> Json:
    """What a rich message is made of."""
    check_rich(task.p["rich_message"], private=chat.is_private)
    return {"rich_message": stored(task.p["rich_message"], lambda *one: _block_medium(task, *one))}


def _block_medium(task: Task, kind: str, medium: Json) -> Any:
    file = task.file("voice" if kind == "voice_note" else kind, medium["media"])
    return media_json(file, medium)


def put(task: Task, chat: Chat, content: Json, *, kind: str | None = None, **more: Any) -> Message:
    """Put a message of the bot into a chat. Raises ApiError where the bot may not."""
    markup = task.markup(chat)
    thread, reply = task.thread(chat), task.reply_to(chat)
    refused = chat.rights_fault(kind)
    if refused:
        raise bad_request(refused)
    message = Message(
        chat,
        0,
        task.world.bot,
        task.world.now,
        content,
        markup=markup,
        thread=thread,
        in_topic=thread in chat.topics,
        reply_to=reply,
        from_bot=True,
        **more,
    )
    if not _is_ephemeral(task, message):
        message.id = chat.next_id()
    in_thread(message)
    _take_keyboard(chat, markup)
    return chat.add(message)


def _take_keyboard(chat: Chat, markup: Json | None) -> None:
    if markup and "keyboard" in markup:
        chat.keyboard = markup
    elif markup and markup.get("remove_keyboard"):
        chat.keyboard = None


def _is_ephemeral(task: Task, message: Message) -> bool:
    """Whether only one person sees the message; it has an identifier of its own kind then."""
    asked = task.p.get("ephemeral_message_parameters") or {}
    receiver = asked.get("receiver_user_id", task.p.get("receiver_user_id"))
    if receiver is None:
        return False
    chat = message.chat
    if chat.is_private:
        raise violates("ephemeral messages can be sent to groups only")
    person = chat.people.get(receiver)
    if person is None:
        raise bad_request("USER_NOT_PARTICIPANT")
    message.for_user = person.user
    message.ephemeral_id = sum(one.ephemeral_id is not None for one in chat.messages) + 1
    if person.offline:
        message.deleted = True
    tap = task.world.taps.get(asked.get("callback_query_id", ""))
    if asked.get("replace_callback_query_message") and tap is not None:
        tap.message.hidden_from.add(person.id)
    return True


@carries_out("sendMessage")
def send_message(task: Task) -> Json:
    """A text."""
    text = message_text(task.p)
    return put(task, task.chat(), text_content(text, task.p)).json()


@carries_out("sendRichMessage")
def send_rich_message(task: Task) -> Json:
    """Blocks."""
    chat = task.chat()
    return put(task, chat, rich_content(task, chat)).json()


@carries_out(*_FILE_METHODS)
def send_file(task: Task) -> Json:
    """One file, with a caption where it may have one."""
    kind = _FILE_METHODS[task.method]
    described = caption_content(task.p)
    chat = task.chat()
    file = task.file(kind, task.p[kind])
    content = {kind: media_json(file, task.p), **described}
    return put(task, chat, content, kind=kind).json()


@carries_out("sendMediaGroup")
def send_media_group(task: Task) -> list[Json]:
    """An album."""
    media = task.p["media"]
    if not ALBUM[0] <= len(media) <= ALBUM[1]:
        raise violates(f"an album has {ALBUM[0]}-{ALBUM[1]} media, not {len(media)}")
    kinds = {one["type"] for one in media}
    if not any(kinds <= together for together in _TOGETHER):
        raise violates("can't use the media of the specified type in the album")
    chat = task.chat()
    album = f"album{len(chat.messages) + 1}"
    contents = []
    for one in media:
        file = task.file(one["type"], one["media"])
        contents.append({file.kind: media_json(file, one), **caption_content(one)})
    sent = [put(task, chat, one, kind=next(iter(one)), album=album) for one in contents]
    return [message.json() for message in sent]


@carries_out("sendLocation")
def send_location(task: Task) -> Json:
    """A place on the map."""
    location = {name: task.p[name] for name in ("latitude", "longitude")}
    return put(task, task.chat(), {"location": _place(location)}).json()


@carries_out("sendVenue")
def send_venue(task: Task) -> Json:
    """A place with a name."""
    location = _place({name: task.p[name] for name in ("latitude", "longitude")})
    venue = {"location": location, "title": task.p["title"], "address": task.p["address"]}
    return put(task, task.chat(), {"venue": venue, "location": location}).json()


def _place(location: Json) -> Json:
    if abs(location["latitude"]) > 90 or abs(location["longitude"]) > 180:
        raise violates("wrong location: latitude is -90-90, longitude -180-180")
    return location


@carries_out("sendContact")
def send_contact(task: Task) -> Json:
    """A phone number."""
    names = ("phone_number", "first_name", "last_name", "vcard")
    contact = {name: task.p[name] for name in names if name in task.p}
    return put(task, task.chat(), {"contact": contact}).json()


@carries_out("sendPoll")
def send_poll(task: Task) -> Json:
    """A poll with 2-12 answers."""
    question = formatted(
        task.p["question"], task.p.get("question_parse_mode"), task.p.get("question_entities")
    )
    options = [option["text"] for option in task.p["options"]]
    if not 1 <= units(question.text) <= 300:
        raise violates("poll question must be 1-300 characters long")
    if not 2 <= len(options) <= 12 or not all(1 <= units(option) <= 100 for option in options):
        raise violates("poll must have 2-12 options of 1-100 characters")
    poll = poll_json(f"b{len(task.world.taps) + len(options)}", question.text, options)
    return put(task, task.chat(), {"poll": poll}, kind="poll").json()


@carries_out("sendDice")
def send_dice(task: Task) -> Json:
    """A die; it always shows one."""
    return put(task, task.chat(), {"dice": {"emoji": task.p.get("emoji", "🎲"), "value": 1}}).json()


@carries_out("copyMessage", "forwardMessage")
def copy_message(task: Task) -> Json:
    """A message of another chat again."""
    origin = task.message("message to copy", task.chat(write=False, name="from_chat_id"))
    content = dict(origin.content)
    if task.method == "forwardMessage":
        origin_json = {"type": "user", "date": origin.date, "sender_user": origin.sender}
        return put(task, task.chat(), {**content, "forward_origin": origin_json}).json()
    if "caption" in task.p and origin.media:
        content = {**content, **caption_content(task.p)}
    return {"message_id": put(task, task.chat(), content, kind=origin.media).id}


@carries_out("sendChatAction")
def send_chat_action(task: Task) -> bool:
    """Typing, for a few seconds or until the next message."""
    chat = task.chat()
    if task.p["action"] not in _ACTIONS:
        raise violates("wrong parameter action in request")
    chat.actions.append(task.p["action"])
    task.world.touch()
    return True
