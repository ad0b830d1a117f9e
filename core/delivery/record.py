"""A submission as other programs read it: one JSON object, the same wherever it goes.

Its `content` is byte for byte what was confirmed, unless items are left out of it (see
`core.delivery.leaving`).
"""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec

from core.delivery.base import Confirmed
from core.effects import Submission


class _Record(msgspec.Struct, kw_only=True):
    key: str
    journey: str
    manifest: str
    digest: str
    revision: str
    person: str
    channel: str
    zone: str
    submitted_at: str
    content: msgspec.Raw
    sources: dict[str, str]


def record(submission: Submission, key: str, confirmed: Confirmed) -> bytes:
    """The record of a submission, in one line."""
    return msgspec.json.encode(
        _Record(
            key=key,
            journey=submission.journey,
            manifest=submission.manifest,
            digest=submission.digest,
            revision=submission.revision,
            person=submission.person,
            channel=confirmed.channel,
            zone=submission.zone,
            submitted_at=stamp(confirmed.at),
            content=msgspec.Raw(submission.content.encode()),
            sources=submission.sources,
        )
    )


def stamp(at: datetime) -> str:
    """A moment as records have it: to the second, in UTC."""
    return f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def one_line(text: str) -> str:
    """A text in one line, of letters that can be seen: as headers hold it, and as admins read what
    another program said."""
    return " ".join("".join(one if one.isprintable() else " " for one in text).split())
