"""The event journey: its eighteen items, when they belong, and what a change takes with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from core import planner
from core.catalogue import Catalogue, shipped
from core.draft import Draft, Source
from core.loading import Loaded
from core.manifest import Gather, Kind
from core.reading.result import Context
from core.step.base import Scene
from tests.support.scenes import NOW

CATALOGUE = Catalogue.load()
EVENT = CATALOGUE.journey("event")
MANIFEST = EVENT.manifest

HALL = {"id": "x", "label": "Hall", "city": "Berlin", "address": "Way 1", "capacity": 80}
PERSON = {"name": "Anna", "email": "anna@example.org", "phone": None}
ANSWERS: dict[str, Any] = {
    "kind": "meetup",
    "title": "Mending Café",
    "description": "We mend clothes, bikes and radios together.",
    "format": "in_person",
    "venue": HALL,
    "online_link": "https://meet.example.org/x",
    "date": "2026-12-24",
    "start_time": "18:00",
    "duration": 120,
    "capacity": 60,
    "admission": "paid",
    "price": {"amount": "5.00", "currency": "EUR"},
    "speakers": ["Anna", "Bo"],
    "languages": ["english", "german"],
    "contact": PERSON,
    "cover": None,
    "publish_at": "now",
    "attestation": True,
}


def answered(**changes: Any) -> Draft:
    """A draft with all that belongs answered, in the order in which it is asked."""
    answers, draft = {**ANSWERS, **changes}, Draft()
    while True:
        item = planner.next_item(MANIFEST, draft)
        if item is None:
            return draft
        draft = write(draft, item.name, answers[item.name]).draft


def write(draft: Draft, name: str, value: Any) -> planner.Written:
    return planner.write(MANIFEST, draft, name, value, source=Source.TAP, turn=1)


def scene(name: str, settled: Mapping[str, Any], language: str = "en") -> Scene:
    return Scene(
        manifest=MANIFEST,
        item=MANIFEST.item(name),
        card="c1",
        settled=settled,
        texts=EVENT.type.speak(language),
        context=Context(now=NOW, locale=language, currency="EUR"),
    )


def fault(name: str, value: Any, **settled: Any) -> str:
    asked = scene(name, settled)
    return EVENT.type.step(asked.item).fault(asked, value)


def test_both_journeys_ship_without_a_fault() -> None:
    assert CATALOGUE.names() == ("event", "request")
    assert CATALOGUE.faulty == {}
    assert shipped().name == "steps"


def test_it_has_eighteen_items_in_this_order() -> None:
    assert [(item.name, item.value.value) for item in MANIFEST.items] == [
        ("kind", "choice"),
        ("title", "short_text"),
        ("description", "long_text"),
        ("format", "choice"),
        ("venue", "record"),
        ("online_link", "url"),
        ("date", "date"),
        ("start_time", "time"),
        ("duration", "duration"),
        ("capacity", "number"),
        ("admission", "choice"),
        ("price", "money"),
        ("speakers", "entries"),
        ("languages", "choices"),
        ("contact", "form"),
        ("cover", "upload"),
        ("publish_at", "custom"),
        ("attestation", "attestation"),
    ]


def test_the_talk_gathers_the_title_and_the_description_and_may_draft_the_latter() -> None:
    talk = {item.name: item.draftable for item in MANIFEST.items if item.gather is Gather.TALK}
    assert talk == {"title": False, "description": True}


def test_only_the_cover_and_the_phone_may_be_left_out() -> None:
    assert [item.name for item in MANIFEST.items if not item.required] == ["cover"]
    fields = MANIFEST.item("contact").fields
    assert [(one.name, one.required) for one in fields] == [
        ("name", True),
        ("email", True),
        ("phone", False),
    ]


@pytest.mark.parametrize(
    "chosen, asked",
    [
        ("in_person", {"venue"}),
        ("online", {"online_link"}),
        ("both", {"venue", "online_link"}),
    ],
)
def test_the_format_decides_about_venue_and_link(chosen: str, asked: set[str]) -> None:
    draft = answered(format=chosen)
    assert {"venue", "online_link"} & set(draft.values) == asked
    assert planner.owed(MANIFEST, draft) == ()


@pytest.mark.parametrize("chosen, asked", [("free", False), ("paid", True), ("donation", False)])
def test_a_price_is_asked_for_a_paid_event_alone(chosen: str, asked: bool) -> None:
    assert answered(admission=chosen).has("price") is asked


def test_before_the_format_is_known_venue_and_link_are_owed_and_not_asked() -> None:
    draft = write(Draft(), "kind", "talk").draft
    assert {"venue", "online_link"} <= set(planner.owed(MANIFEST, draft))
    item = planner.next_item(MANIFEST, draft)
    assert item is not None
    assert item.name == "format"


# Capacity and venue


@pytest.mark.parametrize(
    "value, told", [(80, ""), (81, "It can be 80 at most."), (0, "It must be 1 or more.")]
)
def test_no_more_people_than_the_venue_holds(value: int, told: str) -> None:
    assert fault("capacity", value, venue=HALL) == told


def test_online_there_is_no_maximum() -> None:
    draft = answered(format="online", capacity=100_000)
    assert draft.values["capacity"].value == 100_000
    assert fault("capacity", 100_000) == ""


def test_a_venue_whose_capacity_nobody_knows_bounds_nothing() -> None:
    assert fault("capacity", 5000, venue={**HALL, "capacity": None}) == ""


def test_another_venue_asks_for_the_capacity_again_and_for_nothing_else() -> None:
    written = write(answered(), "venue", {**HALL, "id": "y", "capacity": 20})
    assert (written.lost, written.hidden) == (("capacity",), ())
    assert planner.owed(MANIFEST, written.draft) == ("capacity",)


def test_going_online_hides_the_venue_and_asks_for_the_link_and_the_capacity() -> None:
    written = write(answered(), "format", "online")
    assert written.hidden == ("venue",)
    assert written.lost == ("capacity",)
    assert planner.owed(MANIFEST, written.draft) == ("online_link", "capacity")
    assert "venue" not in planner.content(MANIFEST, written.draft)


@pytest.mark.parametrize("name, value", [("date", "2026-12-31"), ("start_time", "12:00")])
def test_another_start_asks_for_the_publication_again(name: str, value: str) -> None:
    written = write(answered(), name, value)
    assert (written.lost, written.hidden) == (("publish_at",), ())


def test_without_a_price_nothing_else_is_asked_again() -> None:
    written = write(answered(), "admission", "donation")
    assert (written.lost, written.hidden) == ((), ("price",))
    assert planner.owed(MANIFEST, written.draft) == ()


def test_the_date_is_not_in_the_past() -> None:
    assert fault("date", "2026-11-30") == "It cannot be before Tuesday, December 1, 2026."
    assert fault("date", "2026-12-01") == ""


# How it speaks

LANGUAGES = ["en", "de", "es"]


@pytest.mark.parametrize("name", ["event", "request"])
def test_it_says_the_same_in_every_language(name: str) -> None:
    """Every language has its own text for every key; other words for an option may differ."""
    tables = CATALOGUE.journey(name).type.texts
    keys = {
        language: {key for key in table if ".aliases." not in key}
        for language, table in tables.items()
    }
    assert set(keys) == set(LANGUAGES)
    assert keys["de"] == keys["en"] == keys["es"]
    for key in keys["en"]:
        if key.endswith((".ask", ".hint", ".statement", ".about")):
            assert len({tables[language][key] for language in LANGUAGES}) == 3, key


@pytest.mark.parametrize("name", ["event", "request"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_item_is_asked_in_its_language(name: str, language: str) -> None:
    journey: Loaded = CATALOGUE.journey(name)
    texts = journey.type.speak(language)
    own = journey.type.texts[language]
    for item in journey.manifest.items:
        assert texts.of(item.name, "ask") == own[f"items.{item.name}.ask"]
        assert texts.label(item.name) == own[f"items.{item.name}.label"]
        # A button's label is cut at 60 characters.
        assert all(len(texts.option(item.name, key)) <= 40 for key in item.options)


def test_receipts_tell_two_venues_of_one_name_apart() -> None:
    asked = scene("venue", {})
    other = {**HALL, "city": "Wien"}
    step = EVENT.type.step(asked.item)
    assert step.show(asked, HALL) == "Hall (Way 1, Berlin)"
    assert step.show(asked, other) == "Hall (Way 1, Wien)"


# The description's draft

DRAFT = "We mend clothes, bikes and radios together. Bring something broken."


@pytest.mark.parametrize(
    "language, buttons",
    [
        ("en", ["Use this text", "Edit it", "Write my own"]),
        ("de", ["Diesen Text nehmen", "Bearbeiten", "Selbst schreiben"]),
    ],
)
def test_a_draft_is_shown_as_it_is_and_decided_by_a_tap(language: str, buttons: list[str]) -> None:
    asked = replace(scene("description", {}, language), proposals=(DRAFT,))
    card: Any = EVENT.type.step(asked.item).draw(asked)
    assert card.verbatim == DRAFT
    assert [one.label for one in card.options] == buttons


def test_the_attestation_shows_what_is_attested() -> None:
    asked = scene("attestation", {})
    card: Any = EVENT.type.step(asked.item).draw(asked)
    assert card.verbatim == (
        "I may use and publish all texts, names and images that I am submitting, "
        "and I accept the code of conduct."
    )
    assert [one.label for one in card.options] == ["I agree"]


def test_the_model_is_offered_two_searches_and_nothing_that_publishes() -> None:
    assert [tool.name for tool in MANIFEST.tools] == ["find_venues", "find_advice"]
    arguments = [one.name for one in MANIFEST.tools[0].arguments]
    assert arguments == ["query", "city", "capacity"]
    assert [one.name for one in MANIFEST.tools[1].arguments] == ["query", "kind"]
    assert MANIFEST.item("venue").value is Kind.RECORD
