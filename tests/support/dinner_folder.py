"""The small journey of tests/support/journeys.py as a folder, for tests of the whole program."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.support import journeys
from tests.support.folders import write

POSTER: dict[str, Any] = {
    "name": "poster",
    "value": "upload",
    "required": False,
    "accepts": ["image/jpeg"],
}
MANIFEST: dict[str, Any] = {
    "name": "dinner",
    "version": 1,
    "items": [*journeys.ITEMS, POSTER],
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
    "directories": {"halls": "halls.csv"},
    "destinations": [{"name": "file", "kind": "jsonl", "settings": {"path": "dinners.jsonl"}}],
}
OPTIONS = {"in_person": "In person", "online": "Online"}


def dinner_folder(folder: Path) -> Path:
    """Write the journey "dinner" into this folder of journeys; the folder."""
    items: dict[str, Any] = dict(journeys.TEXTS["items"])
    items["format"] = {**items["format"], "options": OPTIONS}
    items["poster"] = {"label": "Poster", "ask": "Is there a poster?"}
    texts = {**journeys.TEXTS, "items": items}
    lines = [
        f"{one.id},{one.label},{one.detail},{one.fields['capacity']}" for one in journeys.HALLS
    ]
    halls = "\n".join(["id,label,detail,capacity", *lines, ""])
    write(folder / "dinner", manifest=json.dumps(MANIFEST), en=json.dumps(texts), halls=halls)
    return folder


def dinner(folder: Path) -> dict[str, Any]:
    """The settings of a program that has the small journey and no other, written in this folder."""
    return {"journeys_dir": dinner_folder(folder / "journeys"), "journey": "dinner"}
