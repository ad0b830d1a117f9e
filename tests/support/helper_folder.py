"""A journey that asks for people, for tests of the whole program."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from core.journey import JourneyType
from core.manifest import Manifest
from core.texts import flatten
from tests.support.folders import write

MANIFEST = """\
name: handover
version: 1
items:
  - name: helper
    value: person
  - name: deputy
    value: person
    required: false
destinations:
  - {name: file, kind: jsonl, settings: {path: handovers.jsonl}}
"""
ENGLISH = """\
title: A handover
items:
  helper:
    label: Helper
    ask: Who helps?
    nouns: helper
  deputy:
    label: Deputy
    ask: Who steps in?
    nouns: deputy
"""


def handover_type() -> JourneyType:
    """The journey, for tests of the turn alone."""
    read = YAML(typ="safe").load
    return JourneyType(
        manifest=Manifest.model_validate(read(MANIFEST)), texts={"en": flatten(read(ENGLISH))}
    )


def handover(folder: Path) -> dict[str, Any]:
    """The settings of a program that has this journey and no other, written in this folder."""
    write(folder / "journeys" / "handover", manifest=MANIFEST, en=ENGLISH)
    return {"journeys_dir": folder / "journeys", "journey": "handover"}
