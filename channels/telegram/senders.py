"""Who sent something, and when: what the platform vouches for."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TypedDict

from channels.telegram.updates import Message, User

_LOCALE = re.compile(r"([a-z]{2,3})(?:[-_]([a-z]{4}))?(?:[-_]([a-z]{2}|\d{3}))?", re.IGNORECASE)


class Who(TypedDict):
    """Who sent something, when, and which language their client speaks."""

    by: str
    at: datetime
    locale: str


def who_sent(message: Message, sender: User) -> Who:
    """Who sent a message."""
    return {"by": str(sender.id), "at": moment(message.date), "locale": locale_of(sender)}


def name_of(sender: User) -> str:
    """What somebody is called."""
    return sender.first_name or sender.username


def moment(seconds: int) -> datetime:
    """A moment as the platform stamps it."""
    return datetime.fromtimestamp(seconds, UTC)


def locale_of(sender: User) -> str:
    """The language that a person's client speaks, spelled as we spell it; empty when unknown."""
    found = _LOCALE.fullmatch(sender.language_code)
    if found is None:
        return ""
    language, script, region = found.groups(default="")
    return "-".join(filter(None, (language.lower(), script.title(), region.upper())))
