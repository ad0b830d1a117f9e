"""An update becomes a reply in somebody's lane, or one of a few other things; or nothing.

Who, where and when is what the platform vouches for. Nothing here decides what a reply means.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import Any

import msgspec

from channels.telegram.acts import Used, used, wanted_by
from channels.telegram.commanded import commanded
from channels.telegram.incoming import (
    Address,
    Amended,
    Asked,
    Gone,
    Heard,
    Me,
    Moved,
    Received,
    Turned,
    Unread,
)
from channels.telegram.limits import CALLBACK_DATA
from channels.telegram.menu import COMMANDS
from channels.telegram.native import Json
from channels.telegram.payload import NAME, NO_CARD, Dest, page_of, pressed
from channels.telegram.senders import locale_of, moment, name_of, who_sent
from channels.telegram.shared import file_of, people_of, shared_of
from channels.telegram.typed import Typed, typed
from channels.telegram.updates import Chat, Message, Query, Replied, Stopped, Tapped, Update, User
from core.replies import Act, Command, Reply, Shared, Tap, Upload, Words
from core.turn import STOP

__all__ = [
    "Address",
    "Amended",
    "Asked",
    "Gone",
    "Heard",
    "Me",
    "Moved",
    "Received",
    "Turned",
    "Unread",
    "received",
]


def received(update: Any, me: Me) -> Received | None:
    """What an update of the Bot API (its own JSON, without nulls) tells.

    None for what concerns nobody's conversation, and for what cannot be read. Never raises.
    """
    try:
        read = msgspec.convert(update, Update)
    except (msgspec.ValidationError, UnicodeEncodeError):  # half a surrogate pair in a name
        return None
    if read.message is not None:
        return _message(read.message, _fields(update["message"]), me)
    if read.edited_message is not None:
        return _edited(read.edited_message, me)
    if read.callback_query is not None:
        return _query(read.callback_query, me)
    if read.my_chat_member is not None:
        gone = read.my_chat_member.new_chat_member.status in ("kicked", "left")
        return Gone(chat=read.my_chat_member.chat.id) if gone else None
    if read.stopped_message_generation is not None:
        return _stopped(read.stopped_message_generation, read.update_id, me)
    return None


# Messages


def _fields(message: Json) -> Set[str]:
    """What a message has. A library may tell of service fields that a message has them not."""
    return {name for name, value in message.items() if value is not None and value is not False}


def _message(message: Message, fields: Set[str], me: Me) -> Received | None:
    if message.migrate_to_chat_id:
        return Moved(old=message.chat.id, new=message.migrate_to_chat_id)
    if message.migrate_from_chat_id:
        return Moved(old=message.migrate_from_chat_id, new=message.chat.id)
    sender = _sender(message)
    if sender is None:
        return None
    said = _said(message, me)
    act = _act(message, sender, said, me)
    address = Address.YES if act else _address(message, sender, said, me)
    reply = act or _reply(message, fields, sender, said, me)
    if address is None or reply is None:
        return None
    return Heard(
        dest=_dest(message, sender),
        dedupe=_dedupe(message, me),
        reply=reply,
        name=name_of(sender),
        held=isinstance(reply, Words) or (isinstance(reply, Upload) and bool(reply.album)),
        address=address,
        message=message.message_id,
        handle=sender.username,
        request=message.users_shared.request_id if message.users_shared is not None else None,
    )


def _edited(message: Message, me: Me) -> Amended | None:
    sender = _sender(message)
    # A caption may have been taken away; a live location is edited with every step.
    has_words = message.text is not None or file_of(message) is not None
    if sender is None or not has_words:
        return None
    # What is edited into a command is none: its words are what they read.
    said = _said(message, me, commands=False)
    return Amended(
        dest=_dest(message, sender),
        dedupe=_dedupe(message, me),
        text=said.text,
        at=moment(message.edit_date or message.date),
        people=said.people,
    )


def _sender(message: Message) -> User | None:
    """The person who sent it, in a place where the bot talks to people.

    None for other bots, for what is said in the name of a channel or of the group itself
    (anonymous administrators), and for messages without a number of their own.
    """
    sender = message.author
    here = message.chat.type in ("private", "group", "supergroup")
    if sender is None or sender.is_bot or not here or message.chat.is_direct_messages:
        return None
    if message.sender_chat is not None or message.business_connection_id:
        return None
    # Without a number, two messages would look like one.
    return sender if message.message_id > 0 and sender.id > 0 else None


def _is_private(chat: Chat) -> bool:
    return chat.type == "private"


def _dest(message: Message, sender: User) -> Dest:
    # A thread that is no topic is a chain of answers: the same conversation goes on.
    thread = message.message_thread_id if message.is_topic_message else 0
    return Dest(chat=message.chat.id, owner=sender.id, thread=max(thread, 0))


def _dedupe(message: Message, me: Me) -> str:
    return f"{NAME}:{me.id}:m:{message.chat.id}:{message.message_id}"


def _said(message: Message, me: Me, *, commands: bool = True) -> Typed:
    """What stands in the message, or under its file."""
    bot = User(id=me.id, username=me.username)
    public = not _is_private(message.chat)
    if message.text is None:
        marked = message.caption_entities
        return typed(message.caption or "", marked, bot, public=public, commands=False)
    # Whoever passes a command on does not give it.
    commands = commands and not _is_passed_on(message) and message.via_bot is None
    return typed(message.text, message.entities, bot, public=public, commands=commands)


def _is_passed_on(message: Message) -> bool:
    return message.forward_origin is not None or message.forward_date > 0


def _is_own(message: Message, sender: User) -> bool:
    """Whether somebody said it themselves, though it may be passed on from another chat."""
    if not _is_passed_on(message):
        return True
    origin = message.forward_origin if isinstance(message.forward_origin, dict) else {}
    author = origin.get("sender_user")
    return isinstance(author, dict) and author.get("id") == sender.id


def _reply(message: Message, fields: Set[str], sender: User, said: Typed, me: Me) -> Reply | None:
    who = who_sent(message, sender)
    if said.command:
        return commanded(message, said, me, who)
    if message.text is not None and not _is_own(message, sender):
        # Another's words are no answer, and no value may be quoted from them (G2).
        return Shared(kind="forwarded", detail=said.text, **who)
    if message.text is not None:
        # Who writes the bot's name and nothing else calls it.
        words = Words(text=said.text, people=said.people, **who)
        return words if said.text else Command(name="start", **who)
    file = file_of(message)
    if file is not None:
        return Upload(files=(file,), caption=said.text, album=message.media_group_id, **who)
    people = people_of(message)
    if message.users_shared is not None:
        return Shared(kind="person", people=people, card=NO_CARD, **who)
    found = shared_of(message, fields)
    if found is None:
        return None
    kind, value, detail = found
    return Shared(kind=kind, value=value, detail=detail, people=people, **who)


def _act(message: Message, sender: User, said: Typed, me: Me) -> Act | None:
    """The words that an action wants, as the answer to the bot's own prompt for them; None for
    anything else. Only whom it asked can answer it, and only in their own words."""
    replied = message.reply_to_message
    if replied is None or replied.author is None or replied.author.id != me.id:
        return None
    wanted = wanted_by(replied.entities)
    if wanted is None or wanted.by != sender.id or said.command or not said.text.strip():
        return None
    if message.text is None or not _is_own(message, sender):
        return None
    who = who_sent(message, sender)
    return Act(command=wanted.command, words=said.text, post=wanted.post, **who)


# Whom it is meant for


def _address(message: Message, sender: User, said: Typed, me: Me) -> Address | None:
    """Whether it is meant for the bot; None when it is not."""
    if _is_private(message.chat):
        return Address.YES
    if said.other:
        return None
    if said.mentions or (said.command and (said.named or said.command in (*COMMANDS, me.admin))):
        return Address.YES
    replied = message.reply_to_message
    if replied is None or replied.author is None or replied.author.id != me.id:
        return Address.IF_ALBUM if message.media_group_id else None
    if replied.forum_topic_created is not None:
        return None
    return _answered(replied, sender)


def _answered(replied: Replied, sender: User) -> Address | None:
    """An answer to one's own card is meant for the bot, one to a message without buttons may be;
    other people's cards, and buttons that are not this channel's, are other matters."""
    buttons = list(_callback_data(replied))
    if not buttons:
        return Address.IF_OPEN
    owners = {found.owner for found in map(pressed, buttons) if found is not None}
    return Address.YES if sender.id in owners else None


def _callback_data(replied: Replied | Tapped) -> Iterator[str]:
    """What the buttons under and in a message send, wherever among its blocks they stand."""
    left: list[Any] = [replied.rich_message]
    if replied.reply_markup is not None:
        left.append(replied.reply_markup.inline_keyboard)
    while left:
        one = left.pop()
        if isinstance(one, list):
            left.extend(one)
        elif isinstance(one, dict):
            data = one.get("callback_data")
            if isinstance(data, str):
                yield data
            left.extend(one.values())


def _stopped(stopped: Stopped, number: int, me: Me) -> Heard | None:
    """The person wants to hear no more of the answer that is coming."""
    chat = stopped.chat.id
    if not _is_private(stopped.chat) or chat < 1:
        return None
    return Heard(
        dest=Dest(chat=chat, owner=chat, thread=max(stopped.message_thread_id, 0)),
        # Drafts are numbered anew after a restart, so that their number alone is not enough.
        dedupe=f"{NAME}:{me.id}:s:{chat}:{stopped.draft_id}:{number}",
        # The platform does not say when.
        reply=Command(name=STOP, by=str(chat), at=moment(0)),
        name="",
        held=False,
        address=Address.IF_OPEN,
        message=0,
    )


# Taps


def _query(query: Query, me: Me) -> Heard | Asked | Turned | Unread:
    # Longer data was never sent by a server.
    data = query.data if len(query.data) <= CALLBACK_DATA else ""
    message, action = query.message, used(data)
    if message is not None and action is not None:
        return _used(query, message, action, me)
    found = pressed(data)
    if found is None or message is None:
        return Unread(handle=query.id)
    dest = Dest(chat=message.chat.id, owner=found.owner, thread=found.thread)
    if message.chat.id > 0 and not dest.private:
        # Nobody else's card was ever drawn there.
        return Unread(handle=query.id)
    by, page = str(query.author.id), page_of(found.token)
    if page is not None:
        return Turned(
            dest=dest,
            card=found.card,
            page=page,
            handle=query.id,
            message=message.message_id,
            by=by,
        )
    return Heard(
        dest=dest,
        dedupe=f"{NAME}:{me.id}:q:{query.id}",
        reply=Tap(
            card=found.card,
            token=found.token,
            handle=query.id,
            by=by,
            # The platform does not say when it was tapped; the message was there before.
            at=moment(message.date),
            locale=locale_of(query.author),
        ),
        name=name_of(query.author),
        held=False,
        address=Address.YES,
        message=message.message_id,
        handle=query.author.username,
        shows=_shows(message, query.data),
    )


def _used(query: Query, message: Tapped, action: Used, me: Me) -> Heard | Asked:
    """An action below a post, which anybody in the chat may use: it counts by who did. In a channel
    all read what is said, and nobody can answer: who uses it there is talked to alone."""
    dest = Dest(chat=message.chat.id, owner=query.author.id, thread=action.thread)
    if message.chat.type == "channel":
        dest = Dest(chat=query.author.id, owner=query.author.id)
    name, locale = name_of(query.author), locale_of(query.author)
    if action.asks:
        return Asked(
            dest=dest,
            command=action.command,
            post=action.post,
            handle=query.id,
            chat=message.chat.id,
            message=message.message_id,
            label=_label(message, query.data),
            name=name,
            locale=locale,
        )
    return Heard(
        dest=dest,
        dedupe=f"{NAME}:{me.id}:q:{query.id}",
        reply=Act(
            command=action.command,
            post=action.post,
            handle=query.id,
            by=str(query.author.id),
            at=moment(message.date),
            locale=locale,
        ),
        name=name,
        held=False,
        address=Address.YES,
        message=message.message_id,
        handle=query.author.username,
    )


def _label(message: Tapped, data: str) -> str:
    """What stands on the button that was tapped; empty where the platform does not say."""
    rows = message.reply_markup.inline_keyboard if message.reply_markup is not None else []
    labels = (one.get("text") for row in rows for one in row if one.get("callback_data") == data)
    return next((one for one in labels if isinstance(one, str)), "")


def _shows(message: Tapped, data: str) -> bool:
    """Whether a message has the button that was tapped. One out of reach cannot tell; where nobody
    else is, it is the person's own all the same."""
    out_of_reach = not message.date
    return (out_of_reach and message.chat.id > 0) or data in _callback_data(message)
