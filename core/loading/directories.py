"""A directory's data file: one record a line, as CSV with a header or as JSON lines.

Each record has an `id` and a `label`, perhaps a `detail` that is shown under it, and fields. In CSV
a column whose cells are all whole numbers holds numbers; an empty cell holds nothing.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from core.cards import Record
from core.loading.lines import FileFault, read_text

Row = tuple[int, dict[str, Any]]
"""The line that a record begins on, and its columns."""

_OWN = ("id", "label", "detail")
_COLUMN = re.compile(r"[a-z][a-z0-9_]{0,31}")
# A zero in front is part of a code, not of a number.
_WHOLE = re.compile(r"-?(0|[1-9][0-9]{0,14})")


@dataclass(frozen=True)
class Directory:
    """The records of a directory, and the digest of the file that they were read from."""

    records: tuple[Record, ...]
    digest: str

    def columns(self) -> frozenset[str]:
        """The names of the fields that its records have."""
        return frozenset(name for record in self.records for name in record.fields)


def load_directory(file: Path) -> tuple[Directory, list[FileFault]]:
    """The records of a data file, and everything that is wrong in it."""
    text = read_text(file)
    if isinstance(text, FileFault):
        return Directory((), ""), [text]
    found: list[FileFault] = []
    rows = list(_csv(file, text, found) if file.suffix == ".csv" else _jsonl(file, text, found))
    if not rows and not found:
        found.append(FileFault(file, 1, "there is no record in it", "Write at least one."))
    records = _records(file, rows, found)
    return Directory(records, sha256(text.encode()).hexdigest()[:16]), found


def _records(file: Path, rows: list[Row], found: list[FileFault]) -> tuple[Record, ...]:
    records: dict[str, Record] = {}
    for line, row in rows:
        key = str(row.get("id") or "").strip()
        label = str(row.get("label") or "").strip()
        if not key or not label:
            missing = "label" if key else "id"
            found.append(
                FileFault(file, line, f"a record without {missing}", f"Write its {missing}.")
            )
        elif key in records:
            found.append(
                FileFault(file, line, f"two records have the id {key}", "Write another id.")
            )
        else:
            fields = {name: value for name, value in row.items() if name not in _OWN}
            detail = str(row.get("detail") or "")
            records[key] = Record(id=key, label=label, detail=detail, fields=fields)
    return tuple(records.values())


def _csv(file: Path, text: str, found: list[FileFault]) -> Iterator[Row]:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    rows: list[tuple[int, list[str]]] = []
    begins = 1
    try:
        for cells in reader:
            if cells:
                rows.append((begins, cells))
            begins = reader.line_num + 1
    except csv.Error as error:
        advice = 'Put a cell with a comma or a quote in it between quotes, and write " as "".'
        found.append(FileFault(file, begins, f"this is no CSV: {error}", advice))
    if not rows or not _header(file, rows[0][1], found):
        return
    header, body = rows[0][1], rows[1:]
    for line, cells in body:
        if len(cells) != len(header):
            advice = f"Write {len(header)} cells; one with a comma in it goes between quotes."
            found.append(FileFault(file, line, f"this line has {len(cells)} cells", advice))
    whole = [(line, cells) for line, cells in body if len(cells) == len(header)]
    numbers = {
        number
        for number, name in enumerate(header)
        if name not in _OWN and _are_numbers([cells[number] for _, cells in whole])
    }
    for line, cells in whole:
        yield (
            line,
            {name: _cell(cells[number], number in numbers) for number, name in enumerate(header)},
        )


def _header(file: Path, header: list[str], found: list[FileFault]) -> bool:
    before = len(found)
    for name in ("id", "label"):
        if name not in header:
            advice = f"Write a header that has {name} in it, such as id,label,detail."
            found.append(FileFault(file, 1, f"there is no column {name}", advice))
    for number, name in enumerate(header):
        if not _COLUMN.fullmatch(name):
            advice = "Write lower-case letters, digits and _ in the header."
            found.append(FileFault(file, 1, f"{name or 'a column'} is no name", advice))
        elif name in header[:number]:
            advice = "Give one of them another name."
            found.append(FileFault(file, 1, f"there are two columns {name}", advice))
    return len(found) == before


def _are_numbers(cells: list[str]) -> bool:
    given = [cell for cell in cells if cell]
    return bool(given) and all(_WHOLE.fullmatch(cell) for cell in given)


def _cell(text: str, number: bool) -> str | int | None:
    if not text:
        return None
    return int(text) if number else text


def _jsonl(file: Path, text: str, found: list[FileFault]) -> Iterator[Row]:
    for line, one in enumerate(text.split("\n"), 1):
        if not one.strip():
            continue
        try:
            row = msgspec.json.decode(one)
        except (msgspec.DecodeError, RecursionError):
            row = None
        if not isinstance(row, Mapping):
            advice = 'Write an object, such as {"id": "1", "label": "Town Hall"}.'
            found.append(FileFault(file, line, "this is no JSON object", advice))
            continue
        for name, value in row.items():
            if not _COLUMN.fullmatch(name) or isinstance(value, dict | list):
                advice = "Write plain values under lower-case names."
                found.append(FileFault(file, line, f"{name} is no field of a record", advice))
                break
        else:
            yield line, dict(row)
