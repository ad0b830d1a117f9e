"""Leaving items out: what a destination is not to know, such as a phone number where all can read.

What is left out is out of all that the destination gets: its content and sources, its lines, its
columns, its title and its files.
"""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from core.draft import canonical
from core.effects import Submission
from core.manifest import Destination, Manifest
from core.submitted import values_of


def left_out(name: str, newest: Manifest | None, own: Manifest) -> frozenset[str]:
    """The items that a destination is not to know, of a submission of the version `own`.

    The newest version decides, as it does about all of a destination; about items that it does not
    have any more, their own version does.
    """
    found = _named(name, own)
    if newest is None:
        return _items(found)
    gone = _items(found) - set(newest.by_name)
    now = _named(name, newest)
    return _items(found) if now is None else _items(now) | gone


def without(submission: Submission, names: Collection[str]) -> Submission:
    """A submission without some items. It has no revision any more, where it lacks something: by
    that, whoever knows the rest could find out by trying what is missing."""
    content = values_of(submission)
    if not any(name in content for name in names):
        return submission
    kept = {name: value for name, value in content.items() if name not in names}
    sources = {name: one for name, one in submission.sources.items() if name not in names}
    spelled = canonical(kept).decode()
    return msgspec.structs.replace(submission, content=spelled, sources=sources, revision="")


def _named(name: str, manifest: Manifest) -> Destination | None:
    return next((one for one in manifest.destinations if one.name == name), None)


def _items(destination: Destination | None) -> frozenset[str]:
    return frozenset(destination.leave_out) if destination is not None else frozenset()
