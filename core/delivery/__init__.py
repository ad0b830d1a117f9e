"""Confirmed submissions on their way out: destinations, and the worker that serves them."""

from core.delivery.base import (
    Confirmed,
    Delivered,
    Destination,
    Failed,
    Kind,
    Means,
    Outcome,
    Rejected,
    Settings,
    Unknown,
)
from core.delivery.jsonl import Jsonl, JsonlFile
from core.delivery.kinds import KINDS
from core.delivery.troubles import troubles
from core.delivery.worker import Deliverer, Patience

__all__ = [
    "KINDS",
    "Confirmed",
    "Delivered",
    "Deliverer",
    "Destination",
    "Failed",
    "Jsonl",
    "JsonlFile",
    "Kind",
    "Means",
    "Outcome",
    "Patience",
    "Rejected",
    "Settings",
    "Unknown",
    "troubles",
]
