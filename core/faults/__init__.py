"""What is wrong with a manifest that is well-formed: its parts do not fit together.

Every fault says what to write instead. Each module beside this one judges one matter; to judge
another, add a module and a line to `CHECKS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from core.faults.base import MANIFEST, Fault, Known, Place, SettingsCheck, listed, meant, nearest
from core.faults.bounds import bound_faults
from core.faults.conditions import condition_faults
from core.faults.kinds import TALK_KINDS, kind_faults
from core.faults.names import RUNTIME_TOOLS, name_faults
from core.faults.order import circles, order_faults
from core.faults.places import place_faults
from core.faults.texts import Tables, file_of, missing_texts, text_faults
from core.manifest import Manifest

__all__ = [
    "MANIFEST",
    "RUNTIME_TOOLS",
    "TALK_KINDS",
    "Fault",
    "Known",
    "Place",
    "SettingsCheck",
    "circles",
    "faults",
    "file_of",
    "listed",
    "meant",
    "missing_texts",
    "nearest",
]

CHECKS: tuple[Callable[[Manifest, Known], Iterator[Fault]], ...] = (
    name_faults,
    order_faults,
    condition_faults,
    kind_faults,
    bound_faults,
    place_faults,
)


def faults(
    manifest: Manifest, texts: Tables | None = None, known: Known | None = None
) -> list[Fault]:
    """Everything that is wrong with a manifest, and with its texts where they are given."""
    known = known or Known()
    found = [fault for check in CHECKS for fault in check(manifest, known)]
    if texts is not None:
        found += text_faults(manifest, texts, known)
    return [fault for fault in found if not _of_unsure(fault, known)]


def _of_unsure(fault: Fault, known: Known) -> bool:
    places = (fault.path[:length] for length in range(1, len(fault.path) + 1))
    return fault.file == MANIFEST and any(place in known.unsure for place in places)
