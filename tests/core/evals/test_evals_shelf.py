"""A shelf in memory finds what the store finds."""

from __future__ import annotations

import pytest

from core.catalogue import Catalogue
from core.evals.shelf import Shelf
from core.store import Store
from core.store.directories import FieldValue

QUERIES = (
    "",
    "  ",
    "lindenhof",
    "LINDENHOF saal",
    "hof",
    "köln",
    "koln",
    "straße",
    "180",
    "free",
    "berlin step",
    "!!!",
    "%",
    "قاعة",
    "nowhere",
    "sa",
)
FILTERS: tuple[dict[str, FieldValue], ...] = (
    {},
    {"city": "berlin"},
    {"city": "Köln", "capacity": 120},
    {"capacity": 40.0},
    {"city": None},
    {"nothing": "x"},
)


@pytest.fixture
def catalogue() -> Catalogue:
    return Catalogue.load()


async def test_every_search_of_the_venues_finds_the_same_in_both(
    sqlite_url: str, catalogue: Catalogue
) -> None:
    records = catalogue.journey("event").directories["venues"].records
    shelf = Shelf()
    shelf.put("event.venues", records)
    store = await Store.open(sqlite_url)
    try:
        await store.migrate()
        await store.load_directory("event.venues", "one", records)
        found = 0
        for query in QUERIES:
            for filters in FILTERS:
                for offset in (0, 3):
                    asked = ("event.venues", query, 5, offset, filters)
                    wanted = await store.search_directory(*asked)
                    assert await shelf.search_directory(*asked) == wanted, asked
                    found += wanted.total
        assert found > 300
    finally:
        await store.close()


async def test_a_directory_that_is_not_there_has_no_records() -> None:
    assert (await Shelf().search_directory("event.venues", "a")).total == 0


async def test_records_that_are_put_again_are_searched_anew(catalogue: Catalogue) -> None:
    records = catalogue.journey("event").directories["venues"].records
    shelf = Shelf()
    shelf.put("v", records)
    assert (await shelf.search_directory("v", "lindenhof")).total == 2
    shelf.put("v", records[1:])
    assert (await shelf.search_directory("v", "lindenhof")).total == 1
