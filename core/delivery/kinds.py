"""The kinds of destination there are. Another one is a file beside this, and a line here."""

from __future__ import annotations

from core.delivery.base import Kind
from core.delivery.jsonl import Jsonl

KINDS: dict[str, Kind] = {"jsonl": Jsonl()}
