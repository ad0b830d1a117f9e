"""Posts as Slack messages: a heading, what is told, pictures, quietly what belongs to it, actions.

Titles, labels and values stand in plain text and rich text, so that nothing of them is markup, a
mention or a link.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from channels.slack import acts
from channels.slack import blocks as kit
from channels.slack.blocks import Part, Run, context, lines, plain, rich
from channels.slack.limits import HEADER
from channels.slack.native import Json, file_of
from channels.slack.native import Post as Message
from channels.slack.payload import NAME
from channels.slack.text import blank, clean, one_line, shorten
from core.posts import Attachment, Line, Post

_EMPTY = "–"
_ALT = 2000
"""Characters that describe a picture."""
_PICTURES = ("image/jpeg", "image/png", "image/gif")
"""What an image block shows (docs.slack.dev/reference/block-kit/composition-objects)."""


@dataclass(frozen=True, slots=True)
class Told:
    """What is said beside a post: `missing` are lines about files that could not be had, `again`
    is its last line. Where `bare`, its pictures are not shown in it."""

    missing: tuple[str, ...] = ()
    again: str = ""
    bare: bool = False


_NOTHING = Told()


def messages(post: Post, team: str = "", told: Told = _NOTHING) -> tuple[Message, ...]:
    """A post in a workspace (in the only one, where `team` is empty); the last message has the
    actions. A notification tells the title first.

    Raises ValueError where an action does not fit under a message.
    """
    return kit.posts(_parts(post, team, told))


def shown(file: Attachment, team: str) -> str | None:
    """Slack's id of a picture that a message can show: one that Slack has, in this workspace (in
    whichever, where `team` is empty); None for any other file."""
    found = file_of(file.ref) if file.origin == NAME else None
    if found is None or file.mime not in _PICTURES or (team and team != found[0]):
        return None
    return found[1]


def name_of(file: Attachment) -> str:
    """What a file is called."""
    name = one_line(file.name)
    return "file" if blank(name) else name


def _parts(post: Post, team: str, told: Told) -> Iterator[Part]:
    yield tuple(_head(post))
    for is_long, together in groupby(post.lines, _is_long):
        if is_long:
            yield from map(_long, together)
        else:
            yield rich(lines(map(_short, together)))
    if not told.bare:
        for file in post.files:
            yield tuple(_picture(file, team))
    yield context("\n".join(told.missing))
    yield (*context(post.footer), *context(told.again), *acts.rows(post))


def _head(post: Post) -> Iterator[Json]:
    title = one_line(post.title)
    if not blank(title) and shorten(title, HEADER) == title:
        yield {"type": "header", "text": plain(title, HEADER)}
    elif not blank(title):
        yield from rich([Run(title, "bold")])
    yield from rich(lines([[Run(clean(post.text).strip())]]))


def _is_long(line: Line) -> bool:
    return line.long or "\n" in clean(line.value).strip()


def _short(line: Line) -> list[Run]:
    label, value = one_line(line.label), clean(line.value).strip()
    value = _EMPTY if blank(value) else value
    return [Run(value)] if blank(label) else [Run(f"{label}: ", "bold"), Run(value)]


def _long(line: Line) -> Part:
    label, value = one_line(line.label), clean(line.value).strip()
    if blank(value):
        return rich(_short(line))
    named = () if blank(label) else rich([Run(f"{label}:", "bold")])
    return (*named, *rich([Run(value)], quote=True))


def _picture(file: Attachment, team: str) -> Iterator[Json]:
    found = shown(file, team)
    if found is not None:
        alt = shorten(name_of(file), _ALT)
        yield {"type": "image", "slack_file": {"id": found}, "alt_text": alt}
