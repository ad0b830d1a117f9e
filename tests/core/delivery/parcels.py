"""A submission to be delivered, of a journey with every kind of value that looks different."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from core.channel import Native
from core.delivery import Confirmed
from core.effects import Effect, Submission
from core.journey import JourneyType
from core.manifest import Manifest
from core.texts import flatten

ITEMS: list[dict[str, Any]] = [
    {"name": "format", "value": "choice", "options": ["in_person", "online"]},
    {"name": "hall", "value": "record", "records": "halls"},
    {"name": "seats", "value": "number"},
    {"name": "price", "value": "money"},
    {"name": "day", "value": "date"},
    {"name": "guests", "value": "entries", "required": False},
    {
        "name": "contact",
        "value": "form",
        "fields": [{"name": "email", "value": "email"}, {"name": "phone", "value": "phone"}],
    },
    {"name": "poster", "value": "upload", "required": False},
    {"name": "agreed", "value": "attestation"},
    {"name": "title", "value": "short_text"},
    {"name": "about", "value": "long_text"},
]
TEXTS: dict[str, Any] = {
    "title": "A dinner",
    "post": {"title": "{title}"},
    "items": {
        "format": {"label": "Format", "options": {"in_person": "In person"}},
        "agreed": {"label": "Agreed"},
        "contact": {"fields": {"email": {"label": "E-mail"}, "phone": {"label": "Phone"}}},
    },
}
GERMAN: dict[str, Any] = {
    "title": "Ein Abendessen",
    "post": {"title": "{title}"},
    "items": {"about": {"label": "Beschreibung"}},
}
CONTENT: dict[str, Any] = {
    "format": "in_person",
    "hall": {"id": "h1", "label": "Old Mill", "capacity": 80},
    "seats": 60,
    "price": {"amount": "12.50", "currency": "EUR"},
    "day": "2026-12-04",
    "guests": ["Ada", "Grace"],
    "contact": {"email": "anna@example.org", "phone": "+4930901820"},
    "poster": {"ref": "F1", "name": "Plakat.jpg", "mime": "image/jpeg", "size": 20_000},
    "agreed": True,
    "title": "Käse & Wein",
    "about": "First line.\nSecond line.",
}


def journey(version: int = 1, items: list[dict[str, Any]] = ITEMS) -> JourneyType:
    made = Manifest.model_validate(
        {"name": "dinner", "version": version, "items": items, "languages": ["en", "de"]}
    )
    return JourneyType(manifest=made, texts={"en": flatten(TEXTS), "de": flatten(GERMAN)})


def confirmed(type: JourneyType | None = None) -> Confirmed:
    return Confirmed(
        at=datetime(2026, 12, 1, 9, 0, tzinfo=UTC), channel="chats", type=type or journey()
    )


def parcel(journey_id: str = "j1", **changes: Any) -> Submission:
    return Submission(
        journey=journey_id,
        manifest="dinner",
        digest="d1",
        revision="0123456789abcdef",
        content=json.dumps({**CONTENT, **changes}, ensure_ascii=False),
        sources={"title": "typed"},
        person="anna",
        zone="Europe/Berlin",
    )


Answers = Native | BaseException | None


@dataclass
class Chats:
    """A channel with chats that others read. It gives its `answers` in their order; an exception is
    raised. `files` are what was sent there."""

    name: str = "chats"
    command: str = "/"
    answers: list[Answers] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)
    shown: list[tuple[str, Effect, bool]] = field(default_factory=list)

    def chat_lane(self, chat: str) -> str:
        if not chat.isdecimal():
            raise ValueError(f"{chat!r} is no chat: write its number")
        return f"{self.name}:{chat}"

    async def download(self, ref: str, limit: int) -> bytes:
        return self.files[ref]

    async def carry_out(
        self, lane: str, effect: Effect, drawn: Native | None, *, again: bool = False
    ) -> Native | None:
        self.shown.append((lane, effect, again))
        answer = self.answers.pop(0) if self.answers else {"at": len(self.shown)}
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def preview(self, lane: str, text: str) -> None:
        return None

    async def end_preview(self, lane: str) -> None:
        return None
