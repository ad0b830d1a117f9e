"""What hinders destinations here and now: variables that are missing, or hold something else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from core.delivery.base import Kind, Means
from core.delivery.settings import resolved
from core.manifest import Destination, Manifest


def troubles(manifests: Iterable[Manifest], kinds: Mapping[str, Kind], means: Means) -> list[str]:
    """A line for each destination that nothing can be delivered to, with what to do. The settings
    themselves have no faults."""
    return [
        f"journey {manifest.name}, destination {one.name}: {why}. Until then, what is confirmed"
        " waits for it."
        for manifest in manifests
        for one in manifest.destinations
        if (why := _trouble(one, kinds, means))
    ]


def _trouble(one: Destination, kinds: Mapping[str, Kind], means: Means) -> str:
    kind = kinds.get(one.kind)
    if kind is None or kind.fault(one.settings):
        return ""
    try:
        kind.make(resolved(one.settings, means.environment), means)
    except (LookupError, ValueError) as error:
        return str(error).rstrip(".")
    return ""
