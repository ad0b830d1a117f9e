"""A command that was typed, with whom it calls and whose message it answers."""

from __future__ import annotations

import msgspec

from channels.telegram.incoming import Me
from channels.telegram.menu import ADMIN
from channels.telegram.senders import Who
from channels.telegram.shared import somebody
from channels.telegram.typed import Typed
from channels.telegram.updates import Message, Replied, User
from core.replies import Command, Somebody


def commanded(message: Message, said: Typed, me: Me, who: Who) -> Command | None:
    """The command; None where it is not this bot's: a program that it is a part of has its own."""
    ours = said.command == me.admin
    if said.command == ADMIN and not ours:
        return None
    return Command(
        name=ADMIN if ours else said.command,
        argument=said.text,
        people=said.people,
        answers=_answered(message.reply_to_message, me),
        **who,
    )


def _answered(replied: Replied | None, me: Me) -> Somebody | None:
    """Whose message it answers; None where it answers none, or the bot itself. What was passed on
    is whose it was before, as far as the platform tells that."""
    if replied is None or replied.author is None or replied.author.id == me.id:
        return None
    # In a topic, what answers nothing comes as an answer to the message that made the topic.
    if replied.forum_topic_created is not None:
        return None
    if replied.sender_chat is not None:
        return Somebody(wrong="group")
    if replied.forward_origin is not None or replied.forward_date:
        return _of_origin(replied.forward_origin)
    return somebody(replied.author)


def _of_origin(origin: object) -> Somebody:
    sender = origin.get("sender_user") if isinstance(origin, dict) else None
    try:
        return somebody(msgspec.convert(sender, User))
    except msgspec.ValidationError:
        return Somebody(wrong="unknown")
