"""A text with its entities, counted as Telegram counts: in UTF-16 code units."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from aiogram.enums import MessageEntityType

from tests.support.telegram.errors import Json, violates

ENTITY_LIMIT = 100
_WHOLE = ("code", "pre", "text_link", "text_mention", "custom_emoji")
"""Nothing is looked for inside these."""
_FOUND = (
    (
        "bot_command",
        re.compile(r"(?<![\w/<>])/[A-Za-z0-9_]{1,64}(?:@[A-Za-z0-9_]{3,32})?(?![\w/])"),
    ),
    ("url", re.compile(r"(?:https?|tg)://[^\s<>\"]*[^\s<>\".,;:!?()\]]", re.IGNORECASE)),
    ("email", re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{2,}")),
    (
        "url",
        re.compile(
            r"(?<![\w@.])(?:[\w-]+\.)+(?:com|org|net|io|me|dev|app|info|de|es|uk|eu|ru)"
            r"(?:/[^\s<>\"]*[^\s<>\".,;:!?()\]])?(?![\w.]*\w)",
            re.IGNORECASE,
        ),
    ),
    ("mention", re.compile(r"(?<![\w@])@[A-Za-z][A-Za-z0-9_]{3,31}(?!\w)")),
    ("hashtag", re.compile(r"(?<![\w&#])#(?!\d+\b)\w{1,256}(?!#)")),
)
_KNOWN = frozenset(MessageEntityType) | {"bank_card_number"}


@dataclass
class Text:
    """A text as it stands in a chat: markup is gone, its meaning is in the entities."""

    text: str = ""
    entities: list[Json] = field(default_factory=list)

    def part(self, entity: Json) -> str:
        """The characters that an entity covers."""
        start = int(entity["offset"])
        units = self.text.encode("utf-16-le")[2 * start : 2 * (start + int(entity["length"]))]
        return units.decode("utf-16-le")


def units(text: str) -> int:
    """The length of a text in UTF-16 code units."""
    return len(text) + sum(character > "\uffff" for character in text)


def ordered(entities: Iterable[Json]) -> list[Json]:
    """Entities in the order in which the server gives them: outer before inner."""
    return sorted(entities, key=lambda one: (one["offset"], -one["length"]))


def settled(text: Text, *, explicit: bool) -> Text:
    """The text as the server keeps it: cleaned, trimmed, with what it finds by itself.

    `explicit` entities came from the bot as they are. Raises ApiError (a violation) for one that
    lies outside of the text or cuts a character in two.
    """
    if explicit:
        _check(text)
    cleaned = _cleaned(text.text) if not text.entities else text.text
    trimmed = _trimmed(Text(cleaned, [one for one in text.entities if one["length"] > 0]))
    if len(trimmed.entities) > ENTITY_LIMIT:
        raise violates(f"there can be at most {ENTITY_LIMIT} entities in a message")
    return Text(trimmed.text, ordered([*trimmed.entities, *found_in(trimmed)]))


def _check(text: Text) -> None:
    end = units(text.text)
    inside = _middles(text.text)
    for entity in text.entities:
        offset, length = entity["offset"], entity["length"]
        if entity["type"] not in _KNOWN:
            raise violates("can't parse MessageEntity: Unsupported type specified")
        if offset < 0 or length < 0:
            raise violates(f"receive an entity with incorrect offset {offset} or length {length}")
        if offset >= end:
            raise violates(f"entity begins after the end of the text at UTF-16 offset {offset}")
        if offset + length > end:
            raise violates(
                f"entity beginning at UTF-16 offset {offset} ends after the end of the text at "
                f"UTF-16 offset {offset + length}"
            )
        if offset in inside or offset + length in inside:
            raise violates(
                f"entity beginning at UTF-16 offset {offset} begins or ends in a middle of a "
                "UTF-16 symbol"
            )


def _middles(text: str) -> set[int]:
    """The offsets between the two halves of a character outside of the basic plane."""
    middles, offset = set(), 0
    for character in text:
        if character > "\uffff":
            middles.add(offset + 1)
            offset += 1
        offset += 1
    return middles


def _cleaned(text: str) -> str:
    """Without carriage returns; other control characters become spaces."""
    return "".join(
        " " if character < " " and character != "\n" else character
        for character in text.replace("\r", "")
    )


def _trimmed(text: Text) -> Text:
    """White space goes at both ends, but at the start only before the first entity."""
    right = text.text.rstrip()
    end = units(right)
    kept = [
        {**one, "length": min(one["length"], end - one["offset"])}
        for one in text.entities
        if one["offset"] < end
    ]
    first = min((one["offset"] for one in kept), default=len(right))
    left = 0
    while left < first and left < len(right) and right[left] in " \n":
        left += 1
    moved = [{**one, "offset": one["offset"] - left} for one in kept]
    return Text(right[left:], moved)


def found_in(text: Text) -> list[Json]:
    """Commands, links, addresses, mentions and hashtags, which need no markup."""
    taken = [
        (one["offset"], one["offset"] + one["length"])
        for one in text.entities
        if one["type"] in _WHOLE
    ]
    known = {(one["type"], one["offset"]) for one in text.entities}
    found: list[Json] = []
    for kind, pattern in _FOUND:
        for match in pattern.finditer(text.text):
            start, end = units(text.text[: match.start()]), units(text.text[: match.end()])
            if (kind, start) in known or any(start < last and end > first for first, last in taken):
                continue
            taken.append((start, end))
            found.append({"type": kind, "offset": start, "length": end - start})
    return found


_LINK = re.compile(r"(?:(?:https?|tg|ton|mailto|tel):\S+|[^\s/:]+\.[^\s/.]{2,}(?:[/?#]\S*)?)", re.I)


def checked_link(url: str) -> str:
    """The address that a link leads to, or nothing when it is none."""
    url = url.strip()
    if not _LINK.fullmatch(url):
        return ""
    if not re.match(r"[a-z]+:", url, re.I):
        url = f"http://{url}"
    return f"{url}/" if re.fullmatch(r"https?://[^/?#]+", url, re.I) else url


_USER = re.compile(r"tg://user/?\?id=(\d+)", re.I)


def link_entity(url: str, offset: int, length: int) -> Json | None:
    """What a link in markup becomes: a mention of a person, a link, or nothing."""
    person = _USER.match(url)
    if person:
        user = {"id": int(person[1])}
        return {"type": "text_mention", "offset": offset, "length": length, "user": user}
    checked = checked_link(url)
    if not checked:
        return None
    return {"type": "text_link", "offset": offset, "length": length, "url": checked}
