"""A CSV file has every submission once, as a spreadsheet opens it, and nothing in it is run."""

from __future__ import annotations

import asyncio
import csv
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from core.delivery import Confirmed, Delivered, Failed, Means
from core.delivery.table import Csv, CsvFile
from tests.core.delivery.parcels import ITEMS, confirmed, journey, parcel

ROOT = Path(__file__).parents[3]
HEADER = [
    "submitted_at", "person", "zone", "format", "hall", "hall.id", "seats", "price",
    "price.currency", "day", "guests", "contact.email", "contact.phone", "poster", "poster.ref",
    "agreed", "title", "about", "key",
]  # fmt: skip
ROW = [
    "2026-12-01T09:00:00Z", "anna", "Europe/Berlin", "in_person", "Old Mill", "h1", "60", "12.50",
    "EUR", "2026-12-04", "Ada; Grace", "anna@example.org", "'+4930901820", "Plakat.jpg", "F1",
    "yes", "Käse & Wein", "First line.\nSecond line.", "j1:table",
]  # fmt: skip


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "dinners.csv"


def give(file: CsvFile, number: int = 1, as_of: Confirmed | None = None, **changes: Any) -> None:
    """Deliver a submission."""
    sent = parcel(f"j{number}", **changes)
    outcome = asyncio.run(file.deliver(sent, f"j{number}:table", as_of or confirmed()))
    assert outcome == Delivered()


def read(file: Path) -> list[list[str]]:
    """The file as a program opens it that knows the mark at its beginning."""
    with file.open(encoding="utf-8-sig", newline="") as opened:
        return list(csv.reader(opened))


def test_a_submission_is_a_row_below_the_names_of_its_columns(file: Path) -> None:
    give(CsvFile(file))
    assert read(file) == [HEADER, ROW]
    assert file.read_bytes().startswith(b"\xef\xbb\xbf"), "the mark by which UTF-8 is known"
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_key_is_written_once_whoever_writes_it(file: Path) -> None:
    give(CsvFile(file))
    give(CsvFile(file))
    again = CsvFile(file)
    give(again, 2)
    give(again, 1)
    assert [row[-1] for row in read(file)] == ["key", "j1:table", "j2:table"]


def test_what_was_left_out_is_empty(file: Path) -> None:
    give(CsvFile(file), guests=None, poster=None, price=None)
    row = dict(zip(*read(file), strict=True))
    assert [row[one] for one in ("guests", "poster", "poster.ref", "price")] == [""] * 4


@pytest.mark.parametrize(
    "typed, cell",
    [
        ("=1+1", "'=1+1"),
        ('=HYPERLINK("http://x")', '\'=HYPERLINK("http://x")'),
        ("+49 30", "'+49 30"),
        ("-5", "'-5"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", "'\t'=1"),
        ("\r=1", "'\r'=1"),
        ("  =1", "'  =1"),
        ("＝1", "'＝1"),
        ("1=1", "1=1"),
        # Where semicolons separate, or quotes mean nothing, a cell begins in the middle.
        ("a;=1+1", "a;'=1+1"),
        ('a"; "=1+1', 'a"; "\'=1+1'),
        ("a\n@SUM(A1)", "a\n'@SUM(A1)"),
        ("a; 'quoted' - and b", "a; 'quoted' - and b"),
        ('He said "hi", twice;\nthen left', 'He said "hi", twice;\nthen left'),
        ("", ""),
    ],
)
def test_nothing_is_run_by_a_spreadsheet(file: Path, typed: str, cell: str) -> None:
    give(CsvFile(file), title=typed)
    give(CsvFile(file), 2, guests=[typed])
    first, second = (dict(zip(HEADER, row, strict=True)) for row in read(file)[1:])
    assert (first["title"], second["guests"]) == (cell, cell)


def test_a_number_below_zero_is_a_number(file: Path) -> None:
    give(CsvFile(file), seats=-5)
    assert dict(zip(*read(file), strict=True))["seats"] == "-5"


def test_new_columns_come_before_the_key_and_old_ones_stay(file: Path) -> None:
    without = [one for one in ITEMS if one["name"] not in ("hall", "agreed")]
    newer = journey(2, [*without, {"name": "music", "value": "yes_no"}])
    first, other = CsvFile(file), CsvFile(file)
    give(first)
    give(other, 2, confirmed(newer), music=True)
    give(first, 3)
    header, *rows = read(file)
    assert header == [*HEADER[:-1], "music", "key"]
    assert rows[0] == [*ROW[:-1], "", "j1:table"]
    second, third = (dict(zip(header, row, strict=True)) for row in rows[1:])
    assert (second["hall"], second["music"], second["title"]) == ("", "yes", "Käse & Wein")
    assert (third["hall"], third["music"], third["key"]) == ("Old Mill", "", "j3:table")
    assert not list(file.parent.glob(".*")), "the file that replaced it is gone"


def test_a_file_cut_at_any_byte_is_whole_after_the_next_delivery(file: Path) -> None:
    """Killed while the second row was being written."""
    tricky = 'a "quoted", line\r\nand another, "' + "x" * 20
    give(CsvFile(file), title=tricky)
    one = len(file.read_bytes())
    give(CsvFile(file), 2, about=tricky)
    whole = file.read_bytes()
    for end in range(len(whole)):
        file.write_bytes(whole[:end])
        again = CsvFile(file)
        if end < one:
            give(again, title=tricky)
        give(again, 2, about=tricky)
        assert read(file) == _rows(whole), f"cut at {end}"


def _rows(data: bytes) -> list[list[str]]:
    return list(csv.reader(data.decode("utf-8-sig").splitlines(keepends=True)))


def test_a_file_that_a_spreadsheet_saved_anew_goes_on(file: Path) -> None:
    """Columns were moved, quotes taken away, a note added, and the last line has no end."""
    give(CsvFile(file))
    header, row = read(file)
    moved = [header[-1], *header[:-1], "note"], [row[-1], *row[:-1], "call back"]
    lines = [",".join(f'"{one}"' if "\n" in one else one for one in line) for line in moved]
    file.write_text("\n".join(lines), "utf-8")
    give(CsvFile(file), 1)
    give(CsvFile(file), 2, title="Next")
    header, *rows = read(file)
    assert [dict(zip(header, one, strict=True))["key"] for one in rows] == ["j1:table", "j2:table"]
    last = dict(zip(header, rows[-1], strict=True))
    assert (last["title"], last["note"]) == ("Next", "")


@pytest.mark.parametrize(
    "edited",
    [
        lambda text: text.replace('"Old Mill"', '"Old "Mill"', 1),
        lambda text: text.replace('"Old Mill"', '"Old Mill', 1),
        lambda text: text.replace('"Old Mill"', 'Old Mill"', 1),
        lambda text: text.replace('"j1:table"', '"j1:table', 1),
        lambda text: text.replace('"hall"', 'hall"', 1),
        lambda text: text[:-2].replace('"j3:table"', 'j3:table"'),
    ],
    ids=["in a text", "not closed", "not opened", "at the end", "in the first row", "last"],
)
def test_a_quotation_mark_too_many_costs_nobody_a_row(
    file: Path, edited: Callable[[str], str]
) -> None:
    """Somebody put a word right in a text editor, in a row that others follow."""
    for number in (1, 2, 3):
        give(CsvFile(file), number)
    text = edited(file.read_bytes().decode())
    file.write_bytes(text.encode())
    outcome = asyncio.run(CsvFile(file).deliver(parcel("j4"), "j4:table", confirmed()))
    assert isinstance(outcome, Failed)
    assert outcome.reason.startswith("dinners.csv: a quotation mark in it is not closed")
    assert file.read_bytes().decode() == text


def test_a_line_that_somebody_added_stays(file: Path) -> None:
    give(CsvFile(file))
    with file.open("a", encoding="utf-8") as opened:
        opened.write("sum,,12")
    give(CsvFile(file), 2)
    assert [row[0] for row in read(file)[1:]] == ["2026-12-01T09:00:00Z", "sum", row_of(file, 2)]


def row_of(file: Path, number: int) -> str:
    """The first cell of a submission's row."""
    (row,) = (row for row in read(file) if row[-1] == f"j{number}:table")
    return row[0]


def test_what_a_power_failure_left_of_a_row_goes(file: Path) -> None:
    """Some file systems fill what was not written with zeros."""
    give(CsvFile(file))
    whole = file.read_bytes()
    file.write_bytes(whole + b'"2026-12-01T09:00:00Z","an' + b"\0" * 200)
    give(CsvFile(file), 2)
    assert file.read_bytes().startswith(whole)
    assert [row[-1] for row in read(file)] == ["key", "j1:table", "j2:table"]


@pytest.mark.parametrize(
    "text",
    [
        "submitted_at;person;key\n2026;anna;j0:table\n",
        "submitted_at;person;key\n2026;anna",
        "name,address\nAnna,",
        "name,address",
        "Dear diary",
    ],
)
def test_a_file_of_another_form_is_left_alone(file: Path, text: str) -> None:
    file.write_text(text, "utf-8")
    outcome = asyncio.run(CsvFile(file).deliver(parcel(), "j1:table", confirmed()))
    assert isinstance(outcome, Failed)
    assert outcome.reason.startswith("dinners.csv: its first row has no column named key")
    assert file.read_text("utf-8") == text


WRITER = """
import asyncio, sys
from pathlib import Path
from core.delivery.table import CsvFile
from tests.core.delivery.parcels import ITEMS, confirmed, journey, parcel

async def main(file, version, first, last):
    items = [*ITEMS, {"name": f"extra{version}", "value": "number"}] if version else ITEMS
    made, destination = confirmed(journey(version + 1, items)), CsvFile(Path(file))
    for number in range(first, last):
        outcome = await destination.deliver(parcel(f"j{number}"), f"j{number}:table", made)
        print(number, outcome, flush=True)

asyncio.run(main(sys.argv[1], *map(int, sys.argv[2:])))
"""


def writing(file: Path, version: int, first: int, last: int) -> subprocess.Popen[str]:
    """Another process that delivers these submissions, and says so after each."""
    arguments = [str(file), str(version), str(first), str(last)]
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, *arguments], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )


def test_processes_of_two_versions_write_each_key_once(file: Path) -> None:
    running = [writing(file, version, 0, 40) for version in (0, 1)]
    for one in running:
        one.communicate()
    header, *rows = read(file)
    assert header[-2:] == ["extra1", "key"]
    assert sorted(row[-1] for row in rows) == sorted(f"j{number}:table" for number in range(40))
    assert {len(row) for row in rows} == {len(header)}


def test_what_was_acknowledged_before_a_kill_is_there_once(file: Path) -> None:
    with writing(file, 0, 0, 1000) as running:
        assert running.stdout is not None
        acknowledged = [running.stdout.readline() for _ in range(5)]
        running.kill()
    assert all("Delivered" in one for one in acknowledged)
    again = CsvFile(file)
    for number in range(8):
        give(again, number)
    keys = [row[-1] for row in read(file)[1:]]
    assert len(keys) == len(set(keys)) >= 8


def test_an_item_that_is_called_like_a_column_has_its_own(file: Path) -> None:
    items: list[dict[str, Any]] = [
        {"name": "key", "value": "short_text"},
        {"name": "person", "value": "short_text"},
    ]
    sent = msgspec.structs.replace(parcel(), content='{"key":"C","person":"Bob"}')
    asyncio.run(CsvFile(file).deliver(sent, "j1:table", confirmed(journey(items=items))))
    row = dict(zip(*read(file), strict=True))
    assert (row["key"], row["item.key"], row["item.person"]) == ("j1:table", "C", "Bob")
    assert row["person"] == "anna"


def test_settings_are_judged(tmp_path: Path) -> None:
    assert Csv().fault({"path": "2026/dinners.csv"}) == ""
    assert Csv().fault({}) == "Write settings: {path: submissions.csv}."
    wrong = "Write a path in the data folder that ends in .csv, and not ../dinners.csv."
    assert Csv().fault({"path": "../dinners.csv"}) == wrong
    assert Csv().make({"path": "d.csv"}, Means(tmp_path)).file == tmp_path / "d.csv"
