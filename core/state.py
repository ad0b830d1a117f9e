"""The state that a turn takes and gives: one conversation, and the journey in it."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any

import msgspec

from core.draft import Draft


class Person(msgspec.Struct, frozen=True, kw_only=True):
    """Whose conversation it is. `zone` is an IANA name; `country` an ISO code where it is known.

    With `zone_known` False, `zone` is only what is taken until the person is asked for theirs.
    `locale_chosen` is whether they chose the language: until then it is what the platform says.
    """

    id: str
    name: str = ""
    locale: str = "en"
    zone: str = "UTC"
    country: str | None = None
    zone_known: bool = True
    locale_chosen: bool = False


class AskKind(StrEnum):
    """What is being asked.

    Zone and language are asked about the person, beside the journey: they settle no item.
    """

    STEP = "step"
    SUMMARY = "summary"
    CANCEL = "cancel"
    RESTART = "restart"
    NUDGE = "nudge"
    ZONE = "zone"
    LANGUAGE = "language"


class Ask(msgspec.Struct, frozen=True, kw_only=True):
    """A card that is open. `card` is the id of its newest draw; every older one is inert.

    `cursor` is the step's own state, `proposals` are suggestions beside it, `refusals` counts the
    replies that it refused, `drawn` are the tokens of a picker's options as they were shown.
    `revision` is what a summary shows. `seen_before`: it was seen on an earlier card of the same
    question, drawn at `drawn_at`, so an answer that was on its way to that one counts.
    """

    kind: AskKind = AskKind.STEP
    item: str = ""
    card: str
    drawn_at: datetime
    cursor: dict[str, Any] = {}
    proposals: tuple[Any, ...] = ()
    refusals: int = 0
    revision: str = ""
    drawn: tuple[str, ...] = ()
    seen_before: bool = False


class Status(StrEnum):
    """How far a journey is."""

    OPEN = "open"
    SUBMITTED = "submitted"
    CANCELLED = "cancelled"
    EXPIRED = "expired"


class Journey(msgspec.Struct, frozen=True, kw_only=True):
    """One person's way through one manifest.

    `manifest` and `digest` name the very version that it is on. `order` has the settled items in
    the order they were first settled, for Back. `reopened` is the settled item that is being asked
    again (by the review, by Back, by the model), empty otherwise. `proposals` are suggestions for
    items that are not open, and `cursors` what was half done on their cards, by item. `nudged`:
    the person was reminded of it once. `reached` has the items that were asked or settled, and ""
    for the summary. `instead` is the journey whose submission this one is to replace, because
    moderators asked for changes.
    """

    id: str
    manifest: str
    digest: str
    status: Status = Status.OPEN
    draft: Draft = Draft()
    ask: Ask | None = None
    order: tuple[str, ...] = ()
    reopened: str = ""
    proposals: dict[str, tuple[Any, ...]] = {}
    cursors: dict[str, dict[str, Any]] = {}
    nudged: bool = False
    reached: tuple[str, ...] = ()
    instead: str = ""


class Returned(msgspec.Struct, frozen=True, kw_only=True):
    """What moderators decided about a submission, for its person: its number, what it is called,
    and their words. What is to be changed comes with its journey, and all that was submitted."""

    number: int
    title: str
    words: str = ""
    journey: str = ""
    manifest: str = ""
    digest: str = ""
    content: dict[str, Any] = {}
    sources: dict[str, str] = {}


class Conversation(msgspec.Struct, frozen=True, kw_only=True):
    """One person in one chat (or thread). `serial` numbers the cards, `turn` the turns.

    `facts` are what happened since the model last heard: it is told them once. `returned` are the
    submissions that are to be changed, and wait until what is open has ended.
    """

    id: str
    person: Person
    serial: int = 0
    turn: int = 0
    journey: Journey | None = None
    facts: tuple[str, ...] = ()
    returned: tuple[Returned, ...] = ()


def is_open(state: Conversation | None) -> bool:
    """Whether a journey is under way in a conversation; None is one with nobody in it yet."""
    journey = state.journey if state is not None else None
    return journey is not None and journey.status is Status.OPEN


def encode(state: Conversation) -> bytes:
    """The state as it is stored."""
    return msgspec.json.encode(state)


def decode(data: bytes | str) -> Conversation:
    """The stored state; msgspec.DecodeError where it is none."""
    return msgspec.json.decode(data, type=Conversation)
