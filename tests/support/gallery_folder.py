"""A journey of uploads alone, as a folder: its summary sends photos, a file and an album back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.support.folders import write

PHOTOS, PLAN = ("front", "back"), "plan"


def _upload(name: str, *accepts: str) -> dict[str, Any]:
    return {"name": name, "value": "upload", "accepts": list(accepts)}


MANIFEST: dict[str, Any] = {
    "name": "gallery",
    "version": 1,
    "items": [*(_upload(one, "image/jpeg") for one in PHOTOS), _upload(PLAN, "application/pdf")],
    "destinations": [{"name": "file", "kind": "jsonl", "settings": {"path": "galleries.jsonl"}}],
}
TEXTS = {
    "title": "A gallery",
    "items": {
        one: {"label": one.capitalize(), "ask": f"Please send the {one}."}
        for one in (*PHOTOS, PLAN)
    },
}


def gallery_folder(folder: Path) -> Path:
    """Write the journey "gallery" into this folder of journeys; the folder."""
    write(folder / "gallery", manifest=json.dumps(MANIFEST), en=json.dumps(TEXTS))
    return folder
