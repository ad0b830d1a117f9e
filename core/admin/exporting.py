"""Submissions as a file: made when it is sent, and kept nowhere."""

from __future__ import annotations

import asyncio
import csv
import io
from codecs import BOM_UTF8
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec

from core.admin import showing
from core.admin.base import Answer, Asked, Office, Outcome, said, unclear
from core.admin.journeys import named
from core.admin.stats import DAY
from core.delivery.cells import cells, columns, text_cell
from core.delivery.record import stamp
from core.manifest import Manifest
from core.posts import MADE, Attachment, Post
from core.store.deliveries import Submitted
from core.store.part import account_of, written
from core.submitted import values_of

RECIPE = "export"
"""The first word of an export's recipe: `export NAME FORMAT DAYS`; 0 days are all there were."""

FORMATS = {"csv": "text/csv", "jsonl": "application/jsonl"}

_MOST_DAYS = 3650


async def export(asked: Asked) -> Answer:
    """The submissions of a journey as a file: `export NAME csv|jsonl [DAYS]`."""
    made, days = asked.word(1).casefold(), asked.number(2)
    name = named(asked, "export", asked.word(0))
    if isinstance(name, Answer):
        return name
    if made not in FORMATS or (asked.word(2) and not days):
        return unclear(asked, "export")
    if days > _MOST_DAYS:
        return said(asked, Outcome.UNCLEAR, "days_at_most", most=_MOST_DAYS)
    file = Attachment(
        origin=MADE,
        ref=f"{RECIPE} {name} {made} {days}",
        name=f"{name}.{made}",
        mime=FORMATS[made],
    )
    over = asked.texts("admin.over_days" if days else "admin.over_all", count=days)
    post = Post(
        id="export",
        title=asked.texts("admin.export_title", name=name),
        text=asked.texts("admin.export_text", over=over),
        files=(file,),
    )
    return Answer(Outcome.SHOWN, post=post, subject=f"{name} {made} {days or ''}".strip())


class _Exported(msgspec.Struct, kw_only=True):
    """One line of an export."""

    number: int
    journey: str
    manifest: str
    digest: str
    account: str
    zone: str
    submitted_at: str
    content: msgspec.Raw
    sources: dict[str, str]


@dataclass
class ExportMaker:
    """Makes the file when it is sent (see core.files.Files.makers)."""

    office: Office

    async def __call__(self, recipe: str) -> bytes:
        """The submissions of a recipe, oldest first."""
        name, made, days = recipe.split()
        since = int(days) * DAY or None
        every = [one async for one in self.office.store.submitted_of(name, since)]
        if made != "csv":
            return await asyncio.to_thread(lambda: b"".join(map(_line, every)))
        # Each submission's own version says what its cells are.
        versions: dict[str, Manifest | None] = {}
        for one in every:
            if one.submission.digest not in versions:
                type_ = await showing.type_of(self.office, one)
                versions[one.submission.digest] = type_.manifest if type_ is not None else None
        return await asyncio.to_thread(_table, every, versions)


def _table(every: Sequence[Submitted], versions: Mapping[str, Manifest | None]) -> bytes:
    """A row a submission; a column for all that any of their versions asks."""
    header = ["number", "account"]
    for manifest in filter(None, versions.values()):
        header = list(dict.fromkeys((*header, *columns(manifest))))
    rows = [_row(one, versions[one.submission.digest]) for one in every]
    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_ALL)
    writer.writerow(header)
    writer.writerows([row.get(column, "") for column in header] for row in rows)
    return BOM_UTF8 + out.getvalue().encode()


def _row(one: Submitted, manifest: Manifest | None) -> dict[str, str]:
    """The cells of a submission, by column."""
    found = cells(manifest, values_of(one.submission)) if manifest is not None else {}
    own = {
        "number": str(one.id),
        "account": text_cell(written(account_of(one.lane))),
        "submitted_at": stamp(one.at),
        "person": text_cell(one.submission.person),
        "zone": one.submission.zone,
        "key": one.submission.journey,
    }
    return {**found, **own}


def _line(one: Submitted) -> bytes:
    made = one.submission
    exported = _Exported(
        number=one.id,
        journey=made.journey,
        manifest=made.manifest,
        digest=made.digest,
        account=written(account_of(one.lane)),
        zone=made.zone,
        submitted_at=stamp(one.at),
        content=msgspec.Raw(made.content.encode()),
        sources=made.sources,
    )
    return msgspec.json.encode(exported) + b"\n"
