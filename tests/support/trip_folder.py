"""A journey of three short questions as a folder, for tests of what comes after it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.support import folders

MANIFEST: dict[str, Any] = {
    "name": "trip",
    "version": 1,
    "items": [
        {"name": "place", "value": "choice", "options": ["sea", "hills"]},
        {"name": "day", "value": "date", "minimum": "today"},
        {"name": "notes", "value": "short_text", "required": False},
    ],
    "destinations": [{"name": "file", "kind": "jsonl", "settings": {"path": "trips.jsonl"}}],
}
TEXTS: dict[str, Any] = {
    "title": "A trip",
    "items": {
        "place": {
            "label": "Place",
            "ask": "Where to?",
            "options": {"sea": "The sea", "hills": "The hills"},
        },
        "day": {"label": "Day", "ask": "When?"},
        "notes": {"label": "Notes", "ask": "Anything else?"},
    },
}


def write_trip(folder: Path, manifest: Mapping[str, Any] | None = None, **files: str) -> Path:
    """Write the journey "trip" into a folder of journeys; its own folder. What is given stands in
    place of what it has."""
    whole = json.dumps({**MANIFEST, **(manifest or {})})
    return folders.write(folder / "trip", **{"manifest": whole, "en": json.dumps(TEXTS), **files})


def moderated_trip(folder: Path, chat: str) -> dict[str, Any]:
    """The settings of a program that has this journey and no other, written in this folder: people
    look at what is submitted, in this chat."""
    write_trip(folder / "journeys", {"moderation": {"chat": chat}})
    return {"journeys_dir": folder / "journeys", "journey": "trip"}
