"""A submission as people read it: its lines, its title and its files, in any language.

What is shown is what was submitted, in the words of the version that it was made with.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Protocol

import msgspec
from pydantic import ValidationError

from core import values
from core.effects import Submission
from core.faults.texts import POST_TITLE
from core.journey import JourneyType, JourneyTypes
from core.manifest import Item, Kind, Manifest
from core.posts import Attachment, Line
from core.reading.result import Context
from core.step.base import Scene
from core.texts import Texts

LONG = frozenset({Kind.LONG_TEXT, Kind.ENTRIES, Kind.FORM})
"""The kinds of value that are shown below their label."""

_ANY_TIME = datetime(1970, 1, 1, tzinfo=UTC)
"""What was submitted reads the same whenever it is read."""

_VALUES: msgspec.json.Decoder[dict[str, Any]] = msgspec.json.Decoder(dict[str, Any])


def values_of(submission: Submission) -> dict[str, Any]:
    """What was submitted, by item; what was skipped is None (see `core.values`)."""
    return _VALUES.decode(submission.content)


def type_of(types: JourneyTypes, submission: Submission, kept: str | None) -> JourneyType | None:
    """The journey type that a submission was made with.

    `kept` is the content of its manifest as the store has kept it: a version that is served no
    longer is read from there, with the texts and steps of the current one. None where neither is to
    be had.
    """
    found = types.version(submission.manifest, submission.digest)
    if found is not None or kept is None:
        return found
    try:
        manifest = Manifest.model_validate_json(kept)
    except ValidationError:
        return None
    latest = types.latest(submission.manifest)
    if latest is None:
        return JourneyType(manifest=manifest)
    return JourneyType(manifest=manifest, texts=latest.texts, steps=latest.steps)


class Keeps(Protocol):
    """Has every version that was ever served: the store."""

    async def manifest(self, name: str, digest: str) -> str | None:
        """The content of a version that was kept; None where it was not."""
        ...


async def version_of(
    types: JourneyTypes, submission: Submission, keeps: Keeps
) -> JourneyType | None:
    """As `type_of`: what is kept is only asked for where the version is not at hand."""
    found = types.version(submission.manifest, submission.digest)
    if found is not None:
        return found
    kept = await keeps.manifest(submission.manifest, submission.digest)
    return type_of(types, submission, kept)


def rows(
    type: JourneyType, submission: Submission, locale: str, *, skipped: bool = False
) -> tuple[Line, ...]:
    """What was submitted, a line an item, as the summary showed it; what was skipped only where
    that is wanted. Whoever reads it may live elsewhere: each time says on whose clock it is."""
    reader = _Reader(type, submission, locale)
    return tuple(
        Line(
            label=reader.texts.label(item.name),
            value=reader.on_its_clock(item, shown),
            long=item.value in LONG,
        )
        for item, shown in reader.shown(skipped=skipped)
    )


def title(type: JourneyType, submission: Submission, locale: str) -> str:
    """What a submission is called: as the journey's text `post.title` says, or as its type is."""
    reader = _Reader(type, submission, locale)
    own = ""
    if reader.texts.find(POST_TITLE) is not None:
        nothing = {item.name: "" for item in type.manifest.items}
        shown = {item.name: value for item, value in reader.shown()}
        own = " ".join(reader.texts(POST_TITLE, **{**nothing, **shown}).split())
    return own or reader.texts("title")


def attachments(type: JourneyType, submission: Submission, channel: str) -> tuple[Attachment, ...]:
    """The files of a submission. `channel` is the one that they were sent in."""
    content = values_of(submission)
    uploads = (item.name for item in type.manifest.items if item.value is Kind.UPLOAD)
    values = (content.get(name) for name in uploads)
    return tuple(
        Attachment(
            origin=channel,
            ref=value["ref"],
            name=value.get("name") or "",
            mime=value.get("mime") or "",
            size=value.get("size") or 0,
        )
        for value in values
        if isinstance(value, Mapping) and value.get("ref")
    )


class _Reader:
    """Reads one submission out in one language."""

    def __init__(self, type: JourneyType, submission: Submission, locale: str) -> None:
        self.type = type
        self.content = values_of(submission)
        self.texts: Texts = type.speak(locale)
        self.locale = locale
        self.zone = submission.zone

    def on_its_clock(self, item: Item, shown: str) -> str:
        """A time with the place whose clock shows it; all else as it is."""
        told = self.content.get(item.name) is not None and item.value in (Kind.TIME, Kind.DATETIME)
        if not told or not self.zone or not self.type.reads_clock(item.name):
            return shown
        return f"{shown} ({values.city(self.zone, self.locale)})"

    def shown(self, *, skipped: bool = False) -> Iterator[tuple[Item, str]]:
        """The items that were submitted, in their order, each with its value as it is read."""
        for item in self.type.manifest.items:
            value = self.content.get(item.name)
            if value is not None:
                yield item, self._shown(item, value)
            elif skipped and item.name in self.content:
                yield item, self.texts("turn.left_out")

    def _shown(self, item: Item, value: Any) -> str:
        scene = Scene(
            manifest=self.type.manifest,
            item=item,
            card="",
            settled={name: one for name, one in self.content.items() if one is not None},
            texts=self.texts,
            context=Context(now=_ANY_TIME, locale=self.locale),
        )
        try:
            return self.type.step(item).show(scene, value)
        except Exception:
            # A step of today may not know what its forerunner wrote: it reads as it is kept.
            return str(value)
