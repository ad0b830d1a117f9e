"""Posts as Telegram messages: a title, what is told, quietly what belongs to it, and the actions.

    Rust for beginners            bold
    Sent in by Ada.
    Date: Friday, 3 March         bold labels
    About:
    > a long value                a quotation; folded where it is very long
    Number 12                     italic
    [ Approve ] [ Reject ]

All of it is plain text: what is bold or quoted is said by entities, and no sign in it is markup.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from channels.telegram import layout
from channels.telegram.acts import data_of
from channels.telegram.layout import Key
from channels.telegram.limits import BUTTONS, CAPTION
from channels.telegram.native import Keyboard, Media, Piece, media_of
from channels.telegram.payload import NAME
from channels.telegram.text import (
    NOTHING,
    Styled,
    blank,
    clean,
    joined,
    one_line,
    pieces,
    plain,
    styled,
    units,
)
from core.posts import Action, Attachment, Line, Post, Tone

_EMPTY = "–"
_FOLDED, _FOLDED_LINES = 300, 6
"""UTF-16 units and lines of a long value; what is longer is folded, and a tap shows the whole."""

_STYLES = {Tone.PLAIN: "", Tone.GOOD: "success", Tone.BAD: "danger"}
_CAPTIONED = ("photo", "document", "video", "audio", "animation")
"""Files that have a text under them."""
_PICTURES = ("image/jpeg", "image/png", "image/webp")
"""What Telegram takes as a photo."""


@dataclass(frozen=True, slots=True)
class Told:
    """What is said beside a post: `missing` are lines about files that could not be sent, `again`
    is the last line."""

    missing: tuple[str, ...] = ()
    again: str = ""


_NOTHING = Told()


def messages(post: Post, thread: int = 0, told: Told = _NOTHING) -> tuple[Piece, ...]:
    """A post without its files; the last message has the keyboard.

    Raises ValueError where an action does not fit into callback data.
    """
    return pieces(_text(post, told), keyboard(post, thread))


def caption(post: Post, thread: int = 0, told: Told = _NOTHING) -> Piece | None:
    """A post as the text under its file; None where it is too long for that."""
    text = _text(post, told).trimmed()
    if units(text.text) > CAPTION:
        return None
    return Piece(text=text.text, entities=text.entities(), keyboard=keyboard(post, thread))


def can_have_text(media: Sequence[Media]) -> bool:
    """Whether some files are one, under which a text can stand."""
    return len(media) == 1 and media[0].kind in _CAPTIONED


def known(file: Attachment) -> Media | None:
    """A file that Telegram has already; None for another."""
    return media_of(file.ref) if file.origin == NAME else None


def uploaded(file: Attachment, content: bytes, largest_picture: int) -> Media:
    """A file that Telegram does not have yet."""
    is_photo = file.mime in _PICTURES and len(content) <= largest_picture
    kind = "photo" if is_photo else "document"
    return Media(kind=kind, file=name_of(file), content=content)


def name_of(file: Attachment) -> str:
    """What a file is called."""
    name = one_line(file.name)
    return "file" if blank(name) else name


# The text


def _text(post: Post, told: Told) -> Styled:
    title = one_line(post.title)
    head = joined([styled("bold", "" if blank(title) else title), plain(post.text).trimmed()])
    return joined(
        [
            head,
            joined(map(_line, post.lines)),
            joined(plain(one) for one in told.missing),
            styled("italic", clean(post.footer).strip()),
            styled("italic", told.again),
        ],
        "\n\n",
    )


def _line(line: Line) -> Styled:
    label = one_line(line.label)
    shown = Styled() if blank(label) else styled("bold", f"{label}:")
    value = clean(line.value).strip()
    if blank(value):
        return shown + plain(f" {_EMPTY}") if shown else plain(_EMPTY)
    if not line.long and "\n" not in value:
        return shown + plain(f" {value}") if shown else plain(value)
    folded = units(value) > _FOLDED or value.count("\n") >= _FOLDED_LINES
    return joined([shown, styled("expandable_blockquote" if folded else "blockquote", value)])


# The actions


def keyboard(post: Post, thread: int = 0) -> Keyboard:
    """The actions as buttons, as many as a keyboard holds; the first ones count. Raises
    ValueError where one does not fit into callback data."""
    shown = list(_shown(post, thread))
    return tuple(
        tuple(
            {"text": key.label, "callback_data": key.token}
            | ({"style": key.style} if key.style else {})
            for key in row
        )
        for row in layout.flow(shown)
    )


def _shown(post: Post, thread: int) -> Iterator[Key]:
    left = layout.KEYBOARD
    for action in post.actions[:BUTTONS]:
        key = _key(action, post.id, thread)
        left -= len((key.label + key.token).encode()) + layout.BUTTON + layout.STYLE
        if left < 0:
            return
        yield key


def _key(action: Action, post: str, thread: int) -> Key:
    label = one_line(action.label)
    label = layout.shorten(NOTHING if blank(label) else label)
    return Key(data_of(action, post, thread), label, _STYLES[action.tone])
