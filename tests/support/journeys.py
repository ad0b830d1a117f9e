"""A small journey for the turn's own tests: every kind of dependency, in few items."""

from __future__ import annotations

from typing import Any

from core.cards import Record
from core.journey import JourneyType
from core.manifest import Manifest, condition_from
from core.step.base import Fetch, Fetched
from core.texts import flatten

HALLS = (
    Record(id="h1", label="Old Mill", detail="80 seats", fields={"capacity": 80}),
    Record(id="h2", label="Old Mill Annex", detail="30 seats", fields={"capacity": 30}),
    Record(id="h3", label="River Hall", detail="200 seats", fields={"capacity": 200}),
)

ITEMS: list[dict[str, Any]] = [
    {"name": "format", "value": "choice", "options": ["in_person", "online"]},
    {
        "name": "hall",
        "value": "record",
        "step": "picker",
        "records": "halls",
        "when": {"format": "in_person"},
    },
    {"name": "link", "value": "url", "when": {"format": "online"}},
    {
        "name": "seats",
        "value": "number",
        "minimum": 1,
        "maximum": "hall.capacity",
        "depends_on": ["hall"],
    },
    {"name": "day", "value": "date", "minimum": "today"},
    {"name": "start", "value": "time"},
    {"name": "guests", "value": "entries", "required": False},
    {"name": "title", "value": "short_text", "gather": "talk"},
    {"name": "about", "value": "long_text", "gather": "talk", "draftable": True},
]

TEXTS: dict[str, Any] = {
    "title": "A dinner",
    "items": {
        "format": {"label": "Format", "ask": "In person or online?"},
        "hall": {"label": "Hall", "ask": "Which hall?"},
        "link": {"label": "Link", "ask": "What is the link?"},
        "seats": {"label": "Seats", "ask": "How many seats?", "nouns": "seats, people"},
        "day": {"label": "Day", "ask": "On which day?"},
        "start": {"label": "Start", "ask": "When does it start?"},
        "guests": {"label": "Guests", "ask": "Who is coming?"},
        "title": {"label": "Title", "ask": "What is it called?"},
        "about": {"label": "About", "ask": "What is it about?"},
    },
}


def halls(fetch: Fetch) -> Fetched:
    """The directory of halls: a query matches the beginning of a word."""
    query = str(fetch.arguments.get("query", "")).casefold().split()
    found = tuple(
        one
        for one in HALLS
        if all(any(w.startswith(q) for w in one.label.casefold().split()) for q in query)
    )
    return Fetched(records=found, total=len(found))


def dinner(version: int = 1, **changes: dict[str, Any] | None) -> JourneyType:
    """The journey; `changes` alter an item by name, None takes it out."""
    items = []
    for item in ITEMS:
        change = changes.get(str(item["name"]), {})
        if change is not None:
            merged = {**item, **change}
            if "when" in merged:
                merged["when"] = condition_from(merged["when"])
            items.append(merged)
    manifest = Manifest.model_validate(
        {
            "name": "dinner",
            "version": version,
            "items": items,
            "human": "ask@example.org",
            "tools": [
                {
                    "name": "find_halls",
                    "description": "Search the halls.",
                    "records": "halls",
                    "item": "hall",
                    "arguments": [
                        {"name": "query", "description": "words of the name"},
                        {"name": "seats", "type": "integer", "description": "seats needed"},
                    ],
                }
            ],
        }
    )
    return JourneyType(manifest=manifest, texts={"en": flatten(TEXTS)})
