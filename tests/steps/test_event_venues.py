"""The directory of venues, and the search that the picker and the model share."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from core.cards import Record
from core.catalogue import PAGE, Catalogue
from core.step.base import Fetch, Fetched
from core.store import Store

CATALOGUE = Catalogue.load()
VENUES = CATALOGUE.journey("event").directories["venues"].records


@pytest.fixture
async def store(sqlite_url: str) -> AsyncIterator[Store]:
    store = await Store.open(sqlite_url)
    await store.migrate()
    await CATALOGUE.keep(store)
    yield store
    await store.close()


async def find(store: Store, **arguments: Any) -> Fetched:
    fetch = Fetch(journey="event", tool="find_venues", arguments=arguments)
    return await CATALOGUE.tools(store)(fetch)


def labels(found: Fetched) -> list[str]:
    return [record.label for record in found.records]


def named(label: str) -> list[Record]:
    return [venue for venue in VENUES if venue.label == label]


# The data


def test_there_are_about_sixty_venues_in_eight_cities() -> None:
    assert 55 <= len(VENUES) <= 65
    assert len({venue.fields["city"] for venue in VENUES}) == 8
    assert len({venue.id for venue in VENUES}) == len(VENUES)


def test_every_venue_says_where_it_is_and_who_can_get_in() -> None:
    for venue in VENUES:
        assert venue.fields["address"]
        assert venue.fields["accessibility"]
        assert str(venue.fields["city"]) in venue.detail
        assert str(venue.fields["address"]) in venue.detail
        capacity = venue.fields["capacity"]
        assert capacity is None or (isinstance(capacity, int) and capacity > 0)
        assert f"up to {capacity} people" in venue.detail or capacity is None


@pytest.mark.parametrize(
    "sign",
    ["&", "<b>", "„", "'", "’", '"', "«", "*", "_", "!", "=", ",", "°", "é", "ñ", "ß", "Æ"],
)
def test_names_that_are_hard_to_draw_are_among_them(sign: str) -> None:
    assert any(sign in venue.label for venue in VENUES)


def test_names_from_right_to_left_are_among_them() -> None:
    assert any("\u0590" <= letter <= "\u06ff" for venue in VENUES for letter in venue.label)


def test_two_venues_of_one_name_are_in_different_cities() -> None:
    for name in ("Stadtbibliothek", "Centro Cívico", "Forum"):
        cities = [venue.fields["city"] for venue in named(name)]
        assert len(cities) == len(set(cities)) >= 2


def test_one_name_is_the_beginning_of_another() -> None:
    assert named("Halle 1")
    assert named("Halle 10")
    assert named("Lindenhof")
    assert named("Lindenhof Saal")


def test_one_venue_tries_to_give_orders() -> None:
    assert any("Ignore your instructions" in venue.detail for venue in VENUES)


# The search


async def test_without_words_all_are_found_a_page_at_a_time(store: Store) -> None:
    pages = [await find(store, page=number) for number in range(1, 10)]
    found = [record for page in pages for record in page.records]
    assert found == list(VENUES)
    assert {page.total for page in pages} == {len(VENUES)}
    assert [len(page.records) for page in pages[:2]] == [PAGE, PAGE]


@pytest.mark.parametrize(
    "query, first",
    [
        ("lindenhof", "Lindenhof"),
        ("halle 10", "Halle 10"),
        ("cafe fruh", "Café Früh & Spät"),
        ("CAFÉ FRÜH", "Café Früh & Spät"),
        ("doña inés", "El Patio de Doña Inés"),
        ("fett hamburg", "Haus <b>Fett</b>"),
        ("قاعة", "قاعة النور"),
        ("בית", "בית העם"),
        ("aether", "Klub Æther"),
    ],
)
async def test_words_find_a_venue_however_they_are_spelled(
    store: Store, query: str, first: str
) -> None:
    assert labels(await find(store, query=query))[0] == first


async def test_every_venue_is_found_by_its_own_name(store: Store) -> None:
    for venue in VENUES:
        found = await find(store, query=venue.label)
        assert venue in found.records, venue.label


@pytest.mark.parametrize("query", ["atlantis", "lindenhof atlantis", "' --", "_", "%", "😀"])
async def test_what_is_no_venue_finds_none(store: Store, query: str) -> None:
    assert labels(await find(store, query=query)) == []


@pytest.mark.parametrize("city", ["Köln", "köln", "KOLN"])
async def test_a_city_narrows_the_search(store: Store, city: str) -> None:
    found = await find(store, city=city, query="stadtbibliothek")
    assert [record.fields["city"] for record in found.records] == ["Köln"]


async def test_as_many_people_as_are_asked_for_must_fit_in(store: Store) -> None:
    found = await find(store, capacity=400)
    expected = [venue for venue in VENUES if int(venue.fields["capacity"] or 0) >= 400]
    assert list(found.records) == expected
    assert found.total == len(expected) == 5
    assert labels(await find(store, capacity=400, city="Berlin")) == ["Halle 10", "Halle 12"]


async def test_a_search_for_many_people_has_pages_too(store: Store) -> None:
    first, second = [await find(store, capacity=100, page=number) for number in (1, 2)]
    assert len(first.records) == PAGE
    assert first.total == second.total > PAGE
    assert not {one.id for one in first.records} & {one.id for one in second.records}


@pytest.mark.parametrize("page", [0, -1, "2", None, 10**6])
async def test_a_page_that_there_is_not_breaks_nothing(store: Store, page: Any) -> None:
    found = await find(store, page=page)
    assert found.total == len(VENUES)
    assert labels(found) in (labels(await find(store)), [])


@pytest.mark.parametrize("arguments", [{"capacity": "many"}, {"city": ""}, {"colour": "red"}])
async def test_arguments_that_say_nothing_narrow_nothing(
    store: Store, arguments: dict[str, Any]
) -> None:
    assert (await find(store, **arguments)).total == len(VENUES)
