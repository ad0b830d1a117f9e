"""Replies that belong together: what a person sent in pieces is one reply of theirs."""

from __future__ import annotations

import msgspec

from core.replies import File, Reply, Upload, Words
from core.store import Entry


def together(entries: list[Entry] | tuple[Entry, ...]) -> tuple[list[Entry], Reply]:
    """The entries that are one reply: words of one person that follow each other are one message,
    sent when the first of them was; so are the files of one album. Anything else stands alone."""
    first = entries[0]
    if isinstance(first.reply, Upload):
        return _album(entries, first.reply)
    if not isinstance(first.reply, Words):
        return [first], first.reply
    taken = [first]
    for entry in entries[1:]:
        if not are_words(entry, first.reply.by):
            break
        taken.append(entry)
    said = [one.reply for one in taken if isinstance(one.reply, Words)]
    text = "\n".join(one.text for one in said)
    people = tuple(somebody for one in said for somebody in one.people)
    return taken, msgspec.structs.replace(first.reply, text=text, people=people)


def _album(entries: list[Entry] | tuple[Entry, ...], first: Upload) -> tuple[list[Entry], Reply]:
    taken: list[Entry] = []
    files: list[File] = []
    captions: list[str] = []
    for entry in entries:
        reply = entry.reply
        same = isinstance(reply, Upload) and reply.album == first.album and reply.by == first.by
        if taken and not (same and first.album):
            break
        assert isinstance(reply, Upload)
        taken.append(entry)
        files += reply.files
        captions.append(reply.caption)
    caption = "\n".join(filter(None, captions))
    return taken, msgspec.structs.replace(first, files=tuple(files), caption=caption)


def are_words(entry: Entry, by: str) -> bool:
    """Whether an entry is words of this person."""
    return isinstance(entry.reply, Words) and entry.reply.by == by
