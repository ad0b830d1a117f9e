"""Directories: the records that a journey looks things up in, searched by the words they hold."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Row, delete, func, select
from sqlalchemy import insert as plain_insert
from sqlalchemy.ext.asyncio import AsyncConnection

from core.cards import Record
from core.reading.tokens import fold, normal
from core.step.base import Fetched
from core.store import crash
from core.store.errors import StoreError
from core.store.part import Part
from core.store.sql import insert, storable
from core.store.tables import directory, record

FieldValue = str | int | float | bool | None

_WORD = re.compile(r"[^\W_]+")
_FIELDS: msgspec.json.Decoder[dict[str, FieldValue]] = msgspec.json.Decoder(dict[str, FieldValue])

# Letters that are not a plain letter with a mark, as people without them on the keyboard type them.
_PLAIN_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"}
)


class Directories(Part):
    """Filling and searching directories."""

    async def load_directory(self, name: str, digest: str, records: Iterable[Record]) -> bool:
        """Put these records, in this order, in the place of the directory's; False when it has
        this very `digest` already, and then nothing is done. Raises StoreError for an id twice."""
        rows = [_row(name, position, one) for position, one in enumerate(records)]
        for number, count in Counter(row["id"] for row in rows).items():
            if count > 1:
                raise StoreError(
                    f"the directory {name} has {count} records with the id {number!r}; "
                    "give each record an id of its own"
                )

        async def work(connection: AsyncConnection) -> bool:
            # Its row first: who loads the same directory at once waits here, and finds it done.
            row = insert(connection, directory).values(name=name, digest="")
            row = row.on_conflict_do_nothing(index_elements=["name"])
            await connection.execute(row)
            chosen = directory.c.name == name
            locked = select(directory.c.digest).where(chosen).with_for_update()
            if (await connection.execute(locked)).scalar_one() == digest:
                return False
            await connection.execute(delete(record).where(record.c.directory == name))
            crash.point("load-directory-emptied")
            if rows:
                await connection.execute(plain_insert(record), rows)
            await connection.execute(directory.update().where(chosen).values(digest=digest))
            return True

        return await self.database.write("load-directory", work)

    async def search_directory(
        self,
        name: str,
        query: str = "",
        limit: int = 10,
        offset: int = 0,
        filters: Mapping[str, FieldValue] | None = None,
    ) -> Fetched:
        """A page of the records in which every word of the query begins a word.

        Letter case and accents make no difference. `filters` name fields and the value that
        each must have; None filters nothing. `total` counts all matches, in the order in
        which the records were loaded.
        """
        chosen = _matching(name, query, filters or {})
        page = select(record).where(chosen).order_by(record.c.position)
        counting = select(func.count()).select_from(record).where(chosen)
        async with self.database.read() as connection:
            total = (await connection.execute(counting)).scalar_one()
            found = await connection.execute(page.limit(limit).offset(offset))
            return Fetched(records=tuple(_record(row) for row in found), total=total)

    async def find_record(self, name: str, number: str) -> Record | None:
        """The record of an id; None where there is none."""
        chosen = (record.c.directory == name) & (record.c.id == storable(number))
        async with self.database.read() as connection:
            row = (await connection.execute(select(record).where(chosen))).first()
        return None if row is None else _record(row)


def words_in(text: str) -> list[str]:
    """The words of a text, without letter case and accents."""
    return _WORD.findall(fold(normal(storable(text))).translate(_PLAIN_LETTERS))


def _matching(name: str, query: str, filters: Mapping[str, FieldValue]) -> ColumnElement[bool]:
    chosen = record.c.directory == name
    words = words_in(query)
    if query.strip() and not words:
        # Signs alone begin no word; they must not find everything.
        chosen &= record.c.id.is_(None)
    for word in words:
        chosen &= record.c.search.contains(f" {word}", autoescape=True)
    for field, value in filters.items():
        if value is not None:
            chosen &= record.c.facets.contains(facet(field, value), autoescape=True)
    return chosen


def _row(name: str, position: int, one: Record) -> dict[str, Any]:
    facets = (facet(field, value) for field, value in one.fields.items() if value is not None)
    return {
        "directory": name,
        "id": one.id,
        "position": position,
        "label": one.label,
        "detail": one.detail,
        "fields": msgspec.json.encode(one.fields).decode(),
        "search": searchable(one),
        "facets": "".join(facets),
    }


def searchable(one: Record) -> str:
    """The words by which a record is found, each with a space before it."""
    # Nobody looks for "true" by typing it, and "t" must not find whatever is true.
    spoken = (value for value in one.fields.values() if not isinstance(value, bool))
    shown = [one.label, one.detail, *map(_plain, spoken)]
    return "".join(f" {word}" for text in shown for word in words_in(text))


def _record(row: Row[Any]) -> Record:
    fields = _FIELDS.decode(row.fields)
    return Record(id=row.id, label=row.label, detail=row.detail, fields=fields)


def facet(field: str, value: FieldValue) -> str:
    """A field's value as it is compared: letter case and accents make no difference."""
    plain = " ".join(words_in(value)) if isinstance(value, str) else _plain(value)
    return f"\n{field}={plain}\n"


def _plain(value: FieldValue) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    # 20 and 20.0 are one number
    return f"{value:.15g}" if isinstance(value, float) else str(value)
