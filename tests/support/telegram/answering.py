"""The methods that answer people's taps and questions about chats, people and files."""

from __future__ import annotations

from aiogram.types import AcceptedGiftTypes

from tests.support.telegram.chats import Chat
from tests.support.telegram.entities import units
from tests.support.telegram.errors import TOO_OLD, Json, bad_request, violates
from tests.support.telegram.people import QUERY_LIFE, Answer
from tests.support.telegram.tasks import Task, carries_out

ANSWER_LIMIT = 200


@carries_out("answerCallbackQuery")
def answer_callback_query(task: Task) -> bool:
    """Let a button stop spinning, with a toast or an alert if there is a text."""
    text = task.p.get("text", "")
    if units(text) > ANSWER_LIMIT:
        raise violates("MESSAGE_TOO_LONG")
    tap = task.world.taps.get(task.p["callback_query_id"])
    if tap is None or tap.answer is not None or task.world.now > tap.made_at + QUERY_LIFE:
        raise bad_request(TOO_OLD)
    tap.answer = Answer(text, task.p.get("show_alert", False), task.p.get("url"))
    task.world.touch()
    return True


@carries_out("setMessageReaction")
def set_message_reaction(task: Task) -> bool:
    """Put reactions on a message, in place of those before."""
    task.message("message to react").reactions = task.p.get("reaction", [])
    task.world.touch()
    return True


@carries_out("getMe")
def get_me(task: Task) -> Json:
    """Who the bot is."""
    world = task.world
    can = {
        "can_join_groups": True,
        "can_read_all_group_messages": world.reads_all,
        "supports_inline_queries": False,
        "can_connect_to_business": False,
        "has_main_web_app": False,
        "has_topics_enabled": any(c.is_private and c.is_forum for c in world.chats.values()),
    }
    return {**world.bot, **can}


@carries_out("getFile")
def get_file(task: Task) -> Json:
    """Where a file can be downloaded."""
    return task.world.files.get(task.p["file_id"])


@carries_out("getChat")
def get_chat(task: Task) -> Json:
    """All about a chat."""
    chat = task.chat(write=False)
    more = {
        "accent_color_id": 0,
        "max_reaction_count": 11,
        "accepted_gift_types": dict.fromkeys(AcceptedGiftTypes.model_fields, False),
    }
    return {**chat.json(), **more}


@carries_out("getChatMember")
def get_chat_member(task: Task) -> Json:
    """What somebody is in a chat."""
    chat = task.chat(write=False)
    user = task.world.user_json(task.p["user_id"])
    if user is None:
        raise bad_request("user not found")
    if user["id"] == task.world.bot["id"]:
        return task.world.member_json(chat.bot_status)
    status = "member" if user["id"] in chat.people else "left"
    return task.world.member_json(status, user)


@carries_out("getChatMemberCount")
def get_chat_member_count(task: Task) -> int:
    """How many are in a chat, the bot among them."""
    return len(task.chat(write=False).people) + 1


@carries_out("getChatAdministrators")
def get_chat_administrators(task: Task) -> list[Json]:
    """Who leads a group; of its people nobody, as far as this server knows."""
    chat = task.chat(write=False)
    if chat.is_private:
        raise bad_request("there are no administrators in the private chat")
    is_led = chat.bot_status == "administrator"
    return [task.world.member_json("administrator")] if is_led else []


@carries_out("leaveChat")
def leave_chat(task: Task) -> bool:
    """Leave a group."""
    chat = task.chat()
    if chat.is_private:
        raise violates("private chats can't be left")
    chat.bot_status = "left"
    task.world.touch()
    return True


def _led_forum(task: Task) -> Chat:
    chat = task.chat()
    if not chat.is_forum:
        raise bad_request("the chat is not a forum")
    if not chat.is_private and chat.bot_status != "administrator":
        raise bad_request("not enough rights to manage topics")
    return chat


@carries_out("createForumTopic")
def create_forum_topic(task: Task) -> Json:
    """Open a topic."""
    topic = task.world.opens_topic(_led_forum(task), task.p["name"])
    return {"message_thread_id": topic.id, "name": topic.name, "icon_color": 7322096}


@carries_out("closeForumTopic", "reopenForumTopic", "deleteForumTopic")
def change_forum_topic(task: Task) -> bool:
    """Close a topic, open it again, or delete it."""
    topic = _led_forum(task).topics.get(task.p["message_thread_id"])
    if topic is None or topic.deleted:
        raise bad_request("TOPIC_ID_INVALID")
    if task.method == "deleteForumTopic":
        topic.goes()
    else:
        topic.closed = task.method == "closeForumTopic"
    return True
