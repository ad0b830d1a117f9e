"""A directory is found by how its words begin, in any spelling that people use."""

import asyncio
from collections.abc import Mapping

import pytest

from core.cards import Record
from core.store import Store, StoreError
from core.store.directories import FieldValue
from core.store.tables import record
from tests.core.store.building import count

VENUES = (
    Record(id="v1", label="Café Zentral", detail="Wien, 1. Bezirk", fields={"capacity": 80}),
    Record(id="v2", label="Straße des Lernens", fields={"city": "Łódź", "capacity": 20}),
    Record(id="v3", label="O'Brien's Pub", detail="100% vegan", fields={"city": "wien"}),
    Record(
        id="v4",
        label="Ørsted Hall",
        detail="København",
        fields={"city": "København", "open": True, "rate": 12.5, "note": None},
    ),
    Record(id="v5", label="ÇAĞDAŞ Sanat Merkezi", fields={"city": "İstanbul", "open": False}),
)


@pytest.fixture
async def venues(store: Store) -> Store:
    """A store with the venues."""
    assert await store.load_directory("venues", "1", VENUES)
    return store


async def found(
    store: Store, query: str, filters: Mapping[str, FieldValue] | None = None
) -> list[str]:
    page = await store.search_directory("venues", query, filters=filters)
    assert page.total == len(page.records)
    return [one.id for one in page.records]


QUERIES: list[tuple[str, list[str]]] = [
    ("", ["v1", "v2", "v3", "v4", "v5"]),
    ("   ", ["v1", "v2", "v3", "v4", "v5"]),
    ("cafe", ["v1"]),
    ("CAFÉ", ["v1"]),
    ("cafe\u0301", ["v1"]),  # an accent of its own
    ("zen ca", ["v1"]),
    ("wie", ["v1", "v3"]),
    ("strasse", ["v2"]),
    ("STRASSE lern", ["v2"]),
    ("lodz", ["v2"]),
    ("orsted", ["v4"]),
    ("kobenhavn", ["v4"]),
    ("cagdas", ["v5"]),
    ("istanbul", ["v5"]),
    ("brien", ["v3"]),
    ("o'brien", ["v3"]),
    ("o’brien", ["v3"]),
    ("80", ["v1"]),
    ("12.5", ["v4"]),
    ("1. bezirk", ["v1"]),
    # what begins no word
    ("entral", []),
    ("cafe berlin", []),
    ("nowhere", []),
    # signs are no wildcards, and find nothing by themselves
    ("%", []),
    ("_", []),
    ("100%", ["v3"]),
    ("c_f", []),
    ("👋", []),
    ("caf\0", ["v1"]),
    ("'; DROP TABLE record; --", []),
]

FILTERS: list[tuple[str, dict[str, FieldValue], list[str]]] = [
    ("", {"city": "Wien"}, ["v3"]),
    ("", {"city": "WIEN"}, ["v3"]),
    ("", {"city": "wie"}, []),
    ("", {"city": "kobenhavn"}, ["v4"]),
    ("", {"capacity": 80}, ["v1"]),
    ("", {"capacity": 20.0}, ["v2"]),
    ("", {"capacity": 8}, []),
    ("", {"open": True}, ["v4"]),
    ("", {"open": False}, ["v5"]),
    ("", {"rate": 12.5}, ["v4"]),
    ("hall", {"open": True, "city": "København"}, ["v4"]),
    ("cafe", {"open": True}, []),
    ("", {"nothing_has_this": "x"}, []),
    ("cafe", {"city": None}, ["v1"]),
    ("", {"city": "%"}, []),
]


async def test_every_word_of_a_query_begins_a_word(venues: Store) -> None:
    assert [(query, await found(venues, query)) for query, _ in QUERIES] == QUERIES


async def test_filters_name_what_fields_must_be(venues: Store) -> None:
    assert [(query, by, await found(venues, query, by)) for query, by, _ in FILTERS] == FILTERS


async def test_pages_have_a_stable_order_and_the_whole_count(store: Store) -> None:
    rooms = [Record(id=f"r{number}", label=f"Room {number}") for number in range(25)]
    await store.load_directory("rooms", "1", reversed(rooms))
    pages = [
        await store.search_directory("rooms", "room", 10, offset) for offset in (0, 10, 20, 30)
    ]
    assert [page.total for page in pages] == [25] * 4
    ids = [one.id for page in pages for one in page.records]
    assert ids == [f"r{number}" for number in reversed(range(25))]


async def test_a_record_is_found_by_its_id_as_it_was_loaded(venues: Store) -> None:
    assert [await venues.find_record("venues", one.id) for one in VENUES] == list(VENUES)
    assert await venues.find_record("venues", "v9") is None
    assert await venues.find_record("venues", "v\0") is None
    assert await venues.find_record("people", "v1") is None


async def test_a_directory_is_loaded_again_when_it_changed(venues: Store) -> None:
    fewer = VENUES[2:3]
    assert not await venues.load_directory("venues", "1", fewer)
    assert len(await found(venues, "")) == 5
    assert await venues.load_directory("venues", "2", fewer)
    assert await found(venues, "") == ["v3"]
    assert await venues.load_directory("venues", "3", [])
    assert await found(venues, "") == []


async def test_directories_are_apart(venues: Store) -> None:
    await venues.load_directory("people", "1", [Record(id="v1", label="Café owner")])
    assert await found(venues, "owner") == []
    assert (await venues.search_directory("people", "cafe")).total == 1


async def test_processes_that_load_at_once_load_once(store: Store, other: Store) -> None:
    loaded = await asyncio.gather(
        *(where.load_directory("venues", "1", VENUES) for where in (store, other) * 3)
    )
    assert loaded.count(True) == 1
    assert await count(store, record) == len(VENUES)


async def test_processes_that_load_a_change_at_once_load_it_once(
    venues: Store, other: Store
) -> None:
    loaded = await asyncio.gather(
        *(where.load_directory("venues", "2", VENUES[:3]) for where in (venues, other) * 3)
    )
    assert loaded.count(True) == 1
    assert await found(venues, "") == ["v1", "v2", "v3"]


async def test_an_id_twice_is_refused_and_the_old_records_stay(venues: Store) -> None:
    with pytest.raises(StoreError, match="2 records with the id 'v1'"):
        await venues.load_directory("venues", "2", [*VENUES, VENUES[0]])
    assert len(await found(venues, "")) == 5
