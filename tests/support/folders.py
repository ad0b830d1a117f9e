"""Journeys as folders, written for a test: what is not given is sound."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

MANIFEST = """\
name: trip
version: 1
items:
  - name: place
    value: choice
    options: [sea, hills]
  - name: day
    value: date
    minimum: today
destinations:
  - {name: file, kind: jsonl, settings: {path: trips.jsonl}}
"""
ENGLISH = """\
title: A trip
items:
  place:
    label: Place
    ask: Where to?
    options: {sea: The sea, hills: The hills}
  day:
    label: Day
    ask: When?
"""


def write(folder: Path, **files: str | bytes | None) -> Path:
    """A journey's folder with these files, named by their stem; None leaves a sound one out.

    `manifest`, `en` and `de` are YAML, `journey` is Python, `halls` CSV; any other is named whole.
    """
    written = {"manifest": MANIFEST, "en": ENGLISH, **files}
    for name, text in written.items():
        if text is None:
            continue
        file = folder / _path(name)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else dedent(text).encode())
    return folder


def _path(name: str) -> str:
    if name in ("en", "de", "es", "fr"):
        return f"texts/{name}.yaml"
    kinds = {"manifest": "manifest.yaml", "journey": "journey.py", "halls": "halls.csv"}
    return kinds.get(name, name)
