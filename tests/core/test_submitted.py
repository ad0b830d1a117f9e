"""A submission reads as its summary did, in any language and in any version."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from core.effects import Submission
from core.journey import JourneyType
from core.manifest import Manifest
from core.posts import Attachment, Line
from core.submitted import attachments, rows, title, type_of
from core.texts import flatten
from tests.support.chat import Types

ITEMS: list[dict[str, Any]] = [
    {"name": "format", "value": "choice", "options": ["in_person", "online"]},
    {"name": "day", "value": "date"},
    {"name": "guests", "value": "entries", "required": False},
    {"name": "contact", "value": "form", "fields": [{"name": "email", "value": "email"}]},
    {"name": "poster", "value": "upload", "required": False},
    {"name": "title", "value": "short_text"},
]
ENGLISH: dict[str, Any] = {
    "title": "A dinner",
    "post": {"title": "{title}\n({format})"},
    "items": {
        "format": {"label": "Format", "options": {"in_person": "In person"}},
        "contact": {"fields": {"email": {"label": "E-mail"}}},
    },
}
GERMAN: dict[str, Any] = {
    "title": "Ein Abendessen",
    "items": {"format": {"label": "Form", "options": {"in_person": "Vor Ort"}}},
}
CONTENT: dict[str, Any] = {
    "format": "in_person",
    "day": "2026-12-04",
    "guests": None,
    "contact": {"email": "anna@example.org"},
    "poster": {"ref": "F1", "name": "Plakat.jpg", "mime": "image/jpeg", "size": 20_000},
    "title": "Käse & {braces}",
}


def journey(version: int = 1, items: list[dict[str, Any]] = ITEMS, **texts: Any) -> JourneyType:
    made = Manifest.model_validate({"name": "dinner", "version": version, "items": items})
    spoken = {"en": {**ENGLISH, **texts}, "de": GERMAN}
    return JourneyType(manifest=made, texts={one: flatten(table) for one, table in spoken.items()})


def submission(type: JourneyType, **changes: Any) -> Submission:
    return Submission(
        journey="j",
        manifest="dinner",
        digest=type.manifest.digest,
        revision="r",
        content=json.dumps({**CONTENT, **changes}),
        sources={},
        person="anna",
    )


def test_it_reads_as_the_summary_did_without_what_was_left_out() -> None:
    type = journey()
    assert rows(type, submission(type), "en") == (
        Line(label="Format", value="In person"),
        Line(label="Day", value="Friday, December 4, 2026"),
        Line(label="Contact", value="E-mail: anna@example.org", long=True),
        Line(label="Poster", value="Plakat.jpg (20 kB)"),
        Line(label="Title", value="Käse & {braces}"),
    )
    skipped = rows(type, submission(type), "en", skipped=True)[2]
    assert skipped == Line(label="Guests", value="left out", long=True)


def test_a_time_says_on_whose_clock_it_is() -> None:
    items: list[dict[str, Any]] = [
        {"name": "starts", "value": "time"},
        {"name": "appears", "value": "datetime", "required": False},
        {"name": "day", "value": "date"},
    ]
    type = journey(items=items)
    content = json.dumps({"starts": "19:00", "appears": "2026-12-03T09:00", "day": "2026-12-04"})
    made = msgspec.structs.replace(submission(type), content=content, zone="Europe/Rome")
    assert [one.value for one in rows(type, made, "en")] == [
        "7:00 PM (Rome)",
        "Thursday, December 3, 2026, 9:00 AM (Rome)",
        "Friday, December 4, 2026",
    ]
    assert rows(type, made, "de")[0].value == "19:00 (Rom)"
    skipped = msgspec.structs.replace(
        made, content=json.dumps({"starts": "19:00", "appears": None, "day": "2026-12-04"})
    )
    assert rows(type, skipped, "en", skipped=True)[1].value == "left out"
    of_old = msgspec.structs.replace(made, zone="")
    assert rows(type, of_old, "de")[0].value == "19:00"


def test_it_reads_in_another_language() -> None:
    type = journey()
    assert rows(type, submission(type), "de")[:2] == (
        Line(label="Form", value="Vor Ort"),
        Line(label="Day", value="Freitag, 4. Dezember 2026"),
    )


def test_what_it_is_called_is_one_line_that_the_journey_words() -> None:
    type = journey()
    assert title(type, submission(type), "en") == "Käse & {braces} (In person)"
    plain = journey(post={})
    assert title(plain, submission(plain), "en") == "A dinner"
    assert title(plain, submission(plain), "de") == "Ein Abendessen"
    of_what_was_skipped = journey(post={"title": "{guests}"})
    assert title(of_what_was_skipped, submission(of_what_was_skipped), "en") == "A dinner"


def test_its_files_are_those_of_the_channel_that_they_were_sent_in() -> None:
    type = journey()
    assert attachments(type, submission(type), "telegram") == (
        Attachment(origin="telegram", ref="F1", name="Plakat.jpg", mime="image/jpeg", size=20_000),
    )
    assert attachments(type, submission(type, poster=None), "telegram") == ()


def test_a_version_that_is_served_no_longer_is_read_as_the_store_kept_it() -> None:
    older = journey()
    newer = journey(version=2, items=[*ITEMS[:1], *ITEMS[3:]])
    sent, kept = submission(older), older.manifest.model_dump_json(exclude_unset=True)

    assert type_of(Types((older, newer)), sent, None) == older
    found = type_of(Types((newer,)), sent, kept)
    assert found is not None
    assert rows(found, sent, "en") == rows(older, sent, "en")
    alone = type_of(Types(()), sent, kept)
    assert alone is not None
    assert title(alone, sent, "en") == "title"
    assert type_of(Types((newer,)), sent, None) is None
    assert type_of(Types((newer,)), sent, "{}") is None


def test_a_value_that_a_step_no_longer_knows_reads_as_it_is_kept() -> None:
    type = journey()
    odd = submission(type, contact=["anna@example.org"], day="soon")
    shown = {one.label: one.value for one in rows(type, odd, "en")}
    assert shown["Contact"] == "['anna@example.org']"
    assert shown["Day"] == "soon"
