"""What a message carries beside words: files, and what is neither words nor a file."""

from __future__ import annotations

from collections.abc import Set
from typing import Literal

from channels.telegram.native import media_ref
from channels.telegram.updates import (
    Attachment,
    Contact,
    Location,
    Message,
    SharedUser,
    User,
    UsersShared,
    Venue,
)
from core.replies import File, Somebody

SERVICE = frozenset(
    {
        "boost_added",
        "channel_chat_created",
        "chat_background_set",
        "chat_owner_changed",
        "chat_owner_left",
        "chat_shared",
        "checklist_tasks_added",
        "checklist_tasks_done",
        "community_chat_added",
        "community_chat_joined",
        "community_chat_removed",
        "connected_website",
        "delete_chat_photo",
        "direct_message_price_changed",
        "forum_topic_closed",
        "forum_topic_created",
        "forum_topic_edited",
        "forum_topic_reopened",
        "general_forum_topic_hidden",
        "general_forum_topic_unhidden",
        "gift",
        "gift_upgrade_sent",
        "giveaway_completed",
        "giveaway_created",
        "group_chat_created",
        "left_chat_member",
        "managed_bot_created",
        "message_auto_delete_timer_changed",
        "migrate_from_chat_id",
        "migrate_to_chat_id",
        "new_chat_members",
        "new_chat_photo",
        "new_chat_title",
        "paid_message_price_changed",
        "passport_data",
        "pinned_message",
        "poll_option_added",
        "poll_option_deleted",
        "proximity_alert_triggered",
        "refunded_payment",
        "successful_payment",
        "suggested_post_approval_failed",
        "suggested_post_approved",
        "suggested_post_declined",
        "suggested_post_paid",
        "suggested_post_refunded",
        "supergroup_chat_created",
        "unique_gift",
        "user_shared",
        "users_shared",
        "video_chat_ended",
        "video_chat_participants_invited",
        "video_chat_scheduled",
        "video_chat_started",
        "web_app_data",
        "write_access_allowed",
    }
)
"""Fields of a message that tell what happened in the chat: nobody said it."""

_MIME = {
    "photo": "image/jpeg",
    "video": "video/mp4",
    "animation": "video/mp4",
    "video_note": "video/mp4",
    "audio": "audio/mpeg",
    "voice": "audio/ogg",
}
"""What a file is where the platform does not say: its own form of that kind."""


def file_of(message: Message) -> File | None:
    """The file of a message; None where it has none."""
    found = _attachment(message)
    if found is None:
        return None
    kind, file = found
    return File(
        ref=media_ref(kind, file.file_id),
        name=file.file_name,
        mime=file.mime_type or _MIME.get(kind, ""),
        size=max(file.file_size, 0),
    )


def _attachment(message: Message) -> tuple[str, Attachment] | None:
    # Before documents: an animation comes as both.
    for kind in ("video", "animation", "audio", "voice", "video_note", "document"):
        file: Attachment | None = getattr(message, kind)
        if file is not None:
            return kind, file
    if message.photo:
        return "photo", max(message.photo, key=lambda size: size.width * size.height)
    return None


def shared_of(message: Message, fields: Set[str]) -> tuple[str, str, str] | None:
    """What else was sent: its kind, the one value in it, what can be told of it.

    `fields` are the names of all that the message has. None for what nobody said.
    """
    if not SERVICE.isdisjoint(fields):
        return None
    if message.contact is not None:
        return "contact", _phone(message.contact.phone_number), _name(message.contact)
    if message.venue is not None or message.location is not None:
        return "location", "", _place(message.venue, message.location)
    detail = _details(message)
    return detail if detail is not None else ("other", "", "")


def people_of(message: Message) -> tuple[Somebody, ...]:
    """Whom what was sent is about: whose contact it is, who was picked."""
    if message.contact is not None:
        one, name = message.contact, _name(message.contact)
        return (Somebody(id=str(one.user_id or ""), name=name, said=name),)
    shared = message.users_shared or UsersShared(request_id=0)
    return tuple(map(somebody, shared.users))


def somebody(user: User | SharedUser, said: str = "") -> Somebody:
    """Somebody as the platform tells them."""
    name = _name(user)
    if isinstance(user, User):
        bot = user.is_bot
        return _told(user.id, user.username, name, said, "bot" if bot else "")
    unknown = not name and not user.username
    return _told(user.user_id, user.username, name, said, "unknown" if unknown else "")


def _told(
    number: int, handle: str, name: str, said: str, wrong: Literal["", "bot", "unknown"]
) -> Somebody:
    return Somebody(id=str(number), handle=handle, name=name, said=said, wrong=wrong)


def _details(message: Message) -> tuple[str, str, str] | None:
    if message.sticker is not None:
        return "sticker", "", message.sticker.emoji
    if message.poll is not None:
        return "poll", "", message.poll.question
    if message.dice is not None:
        return "dice", "", f"{message.dice.emoji} {message.dice.value}".strip()
    if message.game is not None:
        return "game", "", message.game.title
    if message.story is not None:
        return "story", "", ""
    return None


def _phone(number: str) -> str:
    # The platform leaves the plus sign of a full number out, as its own clients send it.
    return f"+{number}" if number.isascii() and number.isdigit() else number


def _name(one: Contact | User | SharedUser) -> str:
    return f"{one.first_name} {one.last_name}".strip()


def _place(venue: Venue | None, location: Location | None) -> str:
    if venue is not None:
        return ", ".join(filter(None, (venue.title, venue.address)))
    if location is None:
        return ""
    return f"{_degrees(location.latitude)}, {_degrees(location.longitude)}"


def _degrees(angle: float) -> str:
    # Six digits are a hand's breadth on the ground.
    return f"{angle:.6f}".rstrip("0").rstrip(".")
