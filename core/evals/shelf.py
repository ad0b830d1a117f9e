"""Directories in memory: searched as the store searches them, so that a scenario finds what a
person would find, without a database."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from core.cards import Record
from core.step.base import Fetched
from core.store.directories import FieldValue, facet, searchable, words_in


@dataclass
class Shelf:
    """The directories of some journeys, by their name in the store (`event.venues`)."""

    directories: dict[str, tuple[Record, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._words: dict[str, list[str]] = {}

    def put(self, name: str, records: Iterable[Record]) -> None:
        """Let a directory have these records, in this order."""
        self.directories[name] = tuple(records)
        self._words.pop(name, None)

    async def search_directory(
        self,
        name: str,
        query: str = "",
        limit: int = 10,
        offset: int = 0,
        filters: Mapping[str, FieldValue] | None = None,
    ) -> Fetched:
        """See `core.store.directories.Directories.search_directory`."""
        records = self.directories.get(name, ())
        words = words_in(query)
        if query.strip() and not words:
            return Fetched()
        wanted = {key: value for key, value in (filters or {}).items() if value is not None}
        found = [
            record
            for record, text in zip(records, self._texts(name), strict=True)
            if all(f" {word}" in text for word in words) and _has(record, wanted)
        ]
        return Fetched(records=tuple(found[offset : offset + limit]), total=len(found))

    def _texts(self, name: str) -> list[str]:
        if name not in self._words:
            self._words[name] = [searchable(one) for one in self.directories.get(name, ())]
        return self._words[name]


def _has(record: Record, wanted: Mapping[str, FieldValue]) -> bool:
    return all(
        record.fields.get(name) is not None
        and facet(name, record.fields[name]) == facet(name, value)
        for name, value in wanted.items()
    )
