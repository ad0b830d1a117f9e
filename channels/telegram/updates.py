"""The parts of an Update that this channel reads (core.telegram.org/bots/api#update).

Unknown fields are ignored, so that a newer server is no surprise. `msgspec.convert(json, Update)`
raises ValidationError for a field that is there and is not of the Bot API's type.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

Seconds = Annotated[int, msgspec.Meta(ge=0, le=253_402_300_799)]
"""Unix seconds, as far as a calendar goes."""


class User(msgspec.Struct, frozen=True, kw_only=True):
    """Who did it."""

    id: int
    is_bot: bool = False
    first_name: str = ""
    last_name: str = ""
    username: str = ""
    language_code: str = ""


class Chat(msgspec.Struct, frozen=True, kw_only=True):
    """Where it was done. `is_direct_messages` is the post box of a channel."""

    id: int
    type: str = ""
    is_direct_messages: bool = False


class Entity(msgspec.Struct, frozen=True, kw_only=True):
    """A marked part of a text; `offset` and `length` count UTF-16 units."""

    type: str
    offset: int
    length: int
    url: str = ""
    user: User | None = None


class Attachment(msgspec.Struct, frozen=True, kw_only=True):
    """A file of any kind; sizes in bytes and pixels, 0 where the platform did not say."""

    file_id: str
    file_name: str = ""
    mime_type: str = ""
    file_size: int = 0
    width: int = 0
    height: int = 0


class Sticker(msgspec.Struct, frozen=True, kw_only=True):
    """A sticker, and the emoji that it stands for."""

    emoji: str = ""


class Contact(msgspec.Struct, frozen=True, kw_only=True):
    """A shared phone number, with or without its plus sign, and whose it is: `user_id` is 0 where
    they are not on the platform."""

    phone_number: str
    first_name: str = ""
    last_name: str = ""
    user_id: int = 0


class SharedUser(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody who was picked; servers before Bot API 7.2 tell the number alone."""

    user_id: int
    first_name: str = ""
    last_name: str = ""
    username: str = ""


class UsersShared(msgspec.Struct, frozen=True, kw_only=True):
    """People were picked with a button, which had the number `request_id`."""

    request_id: int
    users: list[SharedUser] = []


class Location(msgspec.Struct, frozen=True, kw_only=True):
    """A point on the map, in degrees."""

    latitude: float
    longitude: float


class Venue(msgspec.Struct, frozen=True, kw_only=True):
    """A place with a name."""

    title: str = ""
    address: str = ""


class Poll(msgspec.Struct, frozen=True, kw_only=True):
    """A poll."""

    question: str = ""


class Dice(msgspec.Struct, frozen=True, kw_only=True):
    """A rolled die, or one of its kin."""

    emoji: str = ""
    value: int = 0


class Game(msgspec.Struct, frozen=True, kw_only=True):
    """A game."""

    title: str = ""


class Markup(msgspec.Struct, frozen=True, kw_only=True):
    """The inline keyboard under a message."""

    inline_keyboard: list[list[dict[str, Any]]] = []


class Replied(msgspec.Struct, frozen=True, kw_only=True):
    """The message that was answered.

    A message in a topic that answers nothing comes as an answer to the one that made the topic,
    which `forum_topic_created` tells.
    """

    author: User | None = msgspec.field(name="from", default=None)
    sender_chat: Chat | None = None
    forward_origin: Any = None
    forward_date: Seconds = 0
    reply_markup: Markup | None = None
    rich_message: dict[str, Any] | None = None
    entities: list[Entity] = []
    forum_topic_created: Any = None


class Message(msgspec.Struct, frozen=True, kw_only=True):
    """A message. `forward_date` is what older servers have in place of `forward_origin`.

    `message_id` is 0 for what has no number of its own (ephemeral and scheduled messages). A live
    photo comes with its `photo`, an animation also as a `document`, a venue with its `location`.
    """

    message_id: int
    chat: Chat
    date: Seconds = 0
    edit_date: Seconds = 0
    author: User | None = msgspec.field(name="from", default=None)
    sender_chat: Chat | None = None
    business_connection_id: str = ""
    message_thread_id: int = 0
    is_topic_message: bool = False
    forward_origin: Any = None
    forward_date: Seconds = 0
    via_bot: User | None = None
    reply_to_message: Replied | None = None
    media_group_id: str = ""
    text: str | None = None
    entities: list[Entity] = []
    caption: str | None = None
    caption_entities: list[Entity] = []
    photo: list[Attachment] = []
    video: Attachment | None = None
    animation: Attachment | None = None
    audio: Attachment | None = None
    voice: Attachment | None = None
    video_note: Attachment | None = None
    document: Attachment | None = None
    sticker: Sticker | None = None
    contact: Contact | None = None
    users_shared: UsersShared | None = None
    venue: Venue | None = None
    location: Location | None = None
    poll: Poll | None = None
    dice: Dice | None = None
    game: Game | None = None
    story: Any = None
    migrate_to_chat_id: int = 0
    migrate_from_chat_id: int = 0


class Tapped(msgspec.Struct, frozen=True, kw_only=True):
    """The message whose button was tapped. Out of reach of the bot it has no more than its number,
    its chat and the date 0."""

    message_id: int
    chat: Chat
    date: Seconds = 0
    reply_markup: Markup | None = None
    rich_message: dict[str, Any] | None = None


class Query(msgspec.Struct, frozen=True, kw_only=True):
    """A tap on an inline button. The platform does not say when it was made."""

    id: str
    author: User = msgspec.field(name="from")
    message: Tapped | None = None
    data: str = ""


class Member(msgspec.Struct, frozen=True, kw_only=True):
    """What the bot is in a chat."""

    status: str


class Membership(msgspec.Struct, frozen=True, kw_only=True):
    """The bot came into a chat, or left it."""

    chat: Chat
    new_chat_member: Member


class Stopped(msgspec.Struct, frozen=True, kw_only=True):
    """The stop button of a draft was pressed, in a private chat."""

    chat: Chat
    draft_id: int
    message_thread_id: int = 0


class Update(msgspec.Struct, frozen=True, kw_only=True):
    """What happened. All other kinds of update are none of this channel's."""

    update_id: int = 0
    message: Message | None = None
    edited_message: Message | None = None
    callback_query: Query | None = None
    my_chat_member: Membership | None = None
    stopped_message_generation: Stopped | None = None
