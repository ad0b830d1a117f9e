"""A CSV file, as a spreadsheet opens it: one row a submission, the first row names the columns.

It begins with the mark by which spreadsheets know UTF-8. Where a version of the journey brings
columns that the file does not have, the file is written anew with them, and replaces the old one in
one step; a column that no version has any more stays.
"""

from __future__ import annotations

import csv
import io
import os
import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Sequence
from pathlib import Path

from core.delivery.base import Confirmed, Means, Setting, Settings
from core.delivery.cells import BEFORE, KEY, cells, columns, text_cell
from core.delivery.keyed import KeyedFile, NotOurs, sync_folder, write
from core.delivery.record import stamp
from core.delivery.settings import data_file, fault_of, judged
from core.effects import Submission
from core.submitted import values_of

_BEGINNING = BOM_UTF8 + f'"{BEFORE[0]}","{BEFORE[1]}",'.encode()
"""How every file begins that was written here."""


_TORN = re.compile(rb'(?:"(?:[^"]|"")*",)*(?:"(?:[^"]|"")*"?\r?)?')
"""What a row that is written here may be torn off to: every cell of it stands between quotes."""


def _open_quote() -> NotOurs:
    return NotOurs(
        'a quotation mark in it is not closed, or stands alone (in a text, write it twice: "");'
        " put that right, or move the file away, and a new one is begun"
    )


def _not_ours() -> NotOurs:
    return NotOurs(
        "its first row has no column named key (a spreadsheet may have saved it with other"
        " separators); move it away, and a new one is begun"
    )


class Csv:
    """The kind `csv`."""

    here = True
    about = "A CSV file, one row a submission: for a spreadsheet."
    settings = (
        Setting(
            "path",
            "submissions.csv",
            "the file, in the data folder",
            needed=True,
            judge=data_file(".csv"),
        ),
    )

    def fault(self, settings: Settings) -> str:
        """See `core.delivery.base.Kind`."""
        return fault_of(settings, self.settings)

    def make(self, settings: Settings, means: Means) -> CsvFile:
        """See `core.delivery.base.Kind`."""
        return CsvFile(means.data / judged(self.settings, settings)["path"])


class CsvFile(KeyedFile):
    """One such file."""

    def __init__(self, file: Path) -> None:
        super().__init__(file)
        self._header: list[str] = []

    def _entry(self, submission: Submission, key: str, confirmed: Confirmed) -> bytes:
        known = cells(confirmed.type.manifest, values_of(submission))
        own = (stamp(confirmed.at), text_cell(submission.person), submission.zone)
        known |= {**dict(zip(BEFORE, own, strict=True)), KEY: key}
        return _spelled([[known.get(column, "") for column in self._header]])

    def _split(self, data: bytes) -> tuple[list[bytes], bytes]:
        """A row ends at a line break that does not stand between quotes."""
        *lines, rest = data.split(b"\n")
        rows: list[bytes] = []
        row = b""
        for line in lines:
            row += line + b"\n"
            if row.count(b'"') % 2 == 0:
                rows.append(row)
                row = b""
        return rows, row + rest

    def _learn(self, entry: bytes) -> str:
        row = _row(entry)
        if not self._header:
            if KEY not in row:
                raise _not_ours()
            self._header = row
            return ""
        return dict(zip(self._header, row, strict=False)).get(KEY, "")

    def _is_whole(self, rest: bytes) -> bool:
        if not self._header and not _BEGINNING.startswith(rest[: len(_BEGINNING)]):
            raise _not_ours()
        begun = rest.rstrip(b"\0")
        row = _row(begun)
        if not _TORN.fullmatch(begun.removeprefix(BOM_UTF8)):
            # Nobody tore that off: whatever it is, somebody else wrote it, and it stays.
            if rest.count(b'"') % 2:
                raise _open_quote()
            return bool(self._header) or KEY in row
        if begun != rest or rest.count(b'"') % 2:
            return False
        if not self._header:
            return KEY in row
        return len(row) == len(self._header) and bool(row[self._header.index(KEY)])

    def _prepare(self, handle: int, end: int, confirmed: Confirmed) -> int | None:
        wanted = columns(confirmed.type.manifest, confirmed.left_out)
        if not self._header:
            first = BOM_UTF8 + _spelled([wanted])
            write(handle, first)
            self._header, self._read_to = wanted, len(first)
            return self._read_to
        new = [column for column in wanted if column not in self._header]
        if new:
            self._replace(handle, new)
            return None
        return end

    def _replace(self, handle: int, new: Sequence[str]) -> None:
        """Write the file anew with more columns."""
        data = b""
        while block := os.pread(handle, 1 << 20, len(data)):
            data += block
        entries, _ = self._split(data)
        rows = [dict(zip(self._header, _row(entry), strict=False)) for entry in entries[1:]]
        old = [column for column in self._header if column != KEY]
        header = [*old, *new, KEY]
        wider = ([row.get(column, "") for column in header] for row in rows)
        self._put(_spelled([header, *wider]))

    def _put(self, data: bytes) -> None:
        written = self.file.with_name(f".{self.file.name}.new")
        handle = os.open(written, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            write(handle, BOM_UTF8 + data)
            os.fsync(handle)
        finally:
            os.close(handle)
        written.replace(self.file)
        sync_folder(self.file.parent)

    def _forget(self) -> None:
        super()._forget()
        self._header = []


def _spelled(rows: Iterable[Sequence[str]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, quoting=csv.QUOTE_ALL).writerows(rows)
    return text.getvalue().encode("utf-8", "surrogateescape")


def _row(entry: bytes) -> list[str]:
    text = entry.removeprefix(BOM_UTF8).decode("utf-8", "surrogateescape")
    return next(csv.reader(io.StringIO(text, newline="")), [])
