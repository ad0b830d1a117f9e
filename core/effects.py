"""What a turn wants to happen, in order. The shell stores these with the new state and carries
them out; a channel turns them into its platform's calls."""

from __future__ import annotations

import msgspec

from core.cards import Card
from core.events import Event
from core.posts import Post


class Say(msgspec.Struct, frozen=True, kw_only=True, tag_field="effect", tag="say"):
    """A message without buttons. `model` tells the model's words from the runtime's own.

    `personal` is what only this person is to see, even where others read along.
    """

    text: str
    model: bool = False
    personal: bool = False


class Close(msgspec.Struct, frozen=True, kw_only=True, tag_field="effect", tag="close"):
    """The card is open no longer: it loses its buttons, and shows the receipt where there is one.

    A channel that cannot edit prints the receipt instead; one without a receipt is simply inert.
    """

    card: str
    receipt: str = ""


class Draw(msgspec.Struct, frozen=True, kw_only=True, tag_field="effect", tag="draw"):
    """A new card at the end of the chat: the newest thing in it (G7)."""

    card: Card


class Change(msgspec.Struct, frozen=True, kw_only=True, tag_field="effect", tag="change"):
    """The open card, drawn again where it stands: its own state changed (a box was ticked)."""

    card: Card


class Toast(msgspec.Struct, frozen=True, kw_only=True, tag_field="effect", tag="toast"):
    """The short answer to the tap itself, shown to the one who tapped. May be empty.

    `to` is the tap's own handle. `told` is True where the card itself says the same, so that a
    platform without short answers need not send a message.
    """

    text: str = ""
    to: str = ""
    told: bool = False


class Put(msgspec.Struct, frozen=True, kw_only=True, tag_field="effect", tag="put"):
    """A post at the end of the chat, or changed where it stands when it was put there before.

    A `personal` one is for nobody else's eyes, where others read along.
    """

    post: Post
    personal: bool = False


class Page(msgspec.Struct, frozen=True, kw_only=True, tag_field="effect", tag="page"):
    """Another page of the open card's buttons, on a platform that shows fewer of them at once.

    It is a channel's own: no turn wants it, and the card's own state stays what it is. On a card
    that is open no longer it is nothing. `to` is as in Toast.
    """

    card: str
    number: int
    to: str = ""


Effect = Say | Close | Draw | Change | Toast | Put | Page


class Submission(msgspec.Struct, frozen=True, kw_only=True):
    """A confirmed draft, frozen: `content` is exactly the canonical bytes of the shown revision.

    `zone` is the person's (an IANA name): dates and times in the content are on their clock.
    """

    journey: str
    manifest: str
    digest: str
    revision: str
    content: str
    sources: dict[str, str]
    person: str
    zone: str = ""


class Note(msgspec.Struct, frozen=True, kw_only=True):
    """One addition to the transcript. `role` is "person" or "bot"; `words` marks what the person
    typed, which a quote may be verified against."""

    role: str
    text: str
    words: bool = False


class Effects(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a turn asks of the shell."""

    show: tuple[Effect, ...] = ()
    notes: tuple[Note, ...] = ()
    events: tuple[Event, ...] = ()
    submission: Submission | None = None
