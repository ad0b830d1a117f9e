"""What comes in from a person, as plain data that knows no channel.

Each reply says who sent it and when; a channel fills these from what its platform vouches for,
never from what the message itself claims.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal

import msgspec


class File(msgspec.Struct, frozen=True, kw_only=True):
    """An uploaded file, by reference: `ref` is the channel's own handle, never a path.

    `size` is in bytes, 0 when the platform did not say.
    """

    ref: str
    name: str = ""
    mime: str = ""
    size: int = 0


class Somebody(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody whom the platform names: called in words, shared as a contact, picked from a list.

    `id` is the platform's own, empty where it tells none; `handle` is what they are called by
    there, without its "@"; `name` what they are called. `said` is how they stand in the words.
    `wrong` is why they are nobody to name, the end of a text's key (`reason.person_<wrong>`).
    """

    id: str = ""
    handle: str = ""
    name: str = ""
    said: str = ""
    wrong: Literal["", "bot", "group", "outside", "gone", "unknown"] = ""


class _Reply(msgspec.Struct, frozen=True, kw_only=True, tag_field="reply"):
    """`by` is the sender's id on the platform, `at` the moment of sending (aware, UTC).

    `locale` is the language that the platform says the sender uses, empty where it says nothing.
    """

    by: str
    at: datetime
    locale: str = ""


class Tap(_Reply, frozen=True, kw_only=True, tag="tap"):
    """A button of the card `card` was pressed; `token` names the button on that card.

    `handle` is the channel's own, for showing the one who tapped a short answer (a toast).
    """

    card: str
    token: str
    handle: str = ""


class Submit(_Reply, frozen=True, kw_only=True, tag="submit"):
    """A native form or picker was sent: field name to what was entered, as text or as tokens.

    A picker with one native control (a date picker, a select) submits the field `value`, a search
    the field `query`; with both, `value` was taken out of what the search found. `files` are those
    of a form's own file input: unlike an Upload they count on this card alone. `people` are those
    whose ids were picked from a list of the platform's. `handle` is as in Tap.
    """

    card: str
    values: dict[str, str | list[str]]
    files: tuple[File, ...] = ()
    people: tuple[Somebody, ...] = ()
    handle: str = ""


class Words(_Reply, frozen=True, kw_only=True, tag="words"):
    """A person's typed text, as they typed it (the channel has undone its platform's escaping).

    `people` are those whom it calls so that the platform knows who is meant.
    """

    text: str
    people: tuple[Somebody, ...] = ()


class Upload(_Reply, frozen=True, kw_only=True, tag="upload"):
    """One or more files sent together, with the caption typed under them.

    A platform that delivers them one by one gives each the same `album`: waiting side by side, they
    are one upload.
    """

    files: tuple[File, ...]
    caption: str = ""
    album: str = ""


class Shared(_Reply, frozen=True, kw_only=True, tag="shared"):
    """Something that is neither typed nor a file: a sticker, a contact, a location, a poll.

    `kind` is what it is ("sticker", "contact", ...), `value` the one text in it that could answer
    an ask (a contact's phone number), `detail` what else can be told of it in words; `people` are
    those whom it is about. Where they were picked from a list that a card brought along, `card` is
    that card's id, or something else where it is not the open one.
    """

    kind: str
    value: str = ""
    detail: str = ""
    people: tuple[Somebody, ...] = ()
    card: str = ""


class Reload(_Reply, frozen=True, kw_only=True, tag="reload"):
    """The person came back (a re-opened conversation, a restart): the open ask is redrawn."""


RUNTIME = "~"
"""What the names of the runtime's own commands begin with. Nobody can type one: no channel has a
command with a tilde."""

ARRIVED = f"{RUNTIME}arrived"
"""The runtime's own command: what was submitted is where it was to go. Its argument is the
journey."""


class Command(_Reply, frozen=True, kw_only=True, tag="command"):
    """A command of the channel: its plain name ("new", "cancel") and what was typed after it.

    `people` are those whom it calls, `answers` whose message it was an answer to, None where it
    answers nobody.
    """

    name: str
    argument: str = ""
    people: tuple[Somebody, ...] = ()
    answers: Somebody | None = None


class Act(_Reply, frozen=True, kw_only=True, tag="act"):
    """An action below a post was used: its command, and the words that it wanted with it.

    `post` is the post's id, `handle` as in Tap.
    """

    command: str
    words: str = ""
    post: str = ""
    handle: str = ""


Reply = Tap | Submit | Words | Upload | Shared | Reload | Command | Act


def is_of_the_runtime(reply: Reply) -> bool:
    """Whether the runtime itself put it into the person's lane: they did nothing."""
    if isinstance(reply, Reload):
        return True
    return isinstance(reply, Command) and reply.name.startswith(RUNTIME)
