"""HTML markup, as the Bot API reads it.

The rules and the wording of the refusals are those of TDLib's `parse_html`. Places are counted in
bytes of UTF-8, as the server counts them.
"""

from __future__ import annotations

from dataclasses import dataclass

from tests.support.telegram.entities import Text, link_entity, ordered, units
from tests.support.telegram.errors import Json, violates

_KINDS = {
    "b": "bold",
    "strong": "bold",
    "i": "italic",
    "em": "italic",
    "u": "underline",
    "ins": "underline",
    "s": "strikethrough",
    "strike": "strikethrough",
    "del": "strikethrough",
    "tg-spoiler": "spoiler",
    "span": "spoiler",
    "blockquote": "blockquote",
    "code": "code",
    "pre": "pre",
    "a": "text_link",
    "tg-emoji": "custom_emoji",
    "tg-time": "date_time",
}
_NAMED = {"lt": "<", "gt": ">", "amp": "&", "quot": '"'}
_SPACE = " \t\r\n\0\v"


@dataclass
class _Open:
    tag: str
    attributes: dict[str, str]
    offset: int
    place: int


class _Reader:
    def __init__(self, source: str) -> None:
        self.source = source
        self.at = 0
        self.out: list[str] = []
        self.offset = 0
        self.open: list[_Open] = []
        self.entities: list[Json] = []

    def read(self) -> Text:
        while self.at < len(self.source):
            character = self.source[self.at]
            if character == "<":
                self._end() if self._peek(1) == "/" else self._start()
            elif character == "&":
                self._put(self._reference())
            else:
                self.at += 1
                self._put(character)
        if self.open:
            tag = self.open[-1].tag
            raise self._fault(f'Can\'t find end tag corresponding to start tag "{tag}"')
        return Text("".join(self.out), ordered(self.entities))

    def _put(self, text: str) -> None:
        self.out.append(text)
        self.offset += units(text)

    def _peek(self, ahead: int = 0) -> str:
        return self.source[self.at + ahead : self.at + ahead + 1]

    def _bytes(self, place: int) -> int:
        return len(self.source[:place].encode())

    def _fault(self, reason: str, place: int | None = None) -> Exception:
        where = "" if place is None else f" at byte offset {self._bytes(place)}"
        return violates(f"can't parse entities: {reason}{where}")

    def _reference(self) -> str:
        """What stands at an ampersand: the character that it names, or the ampersand itself."""
        end = self.at + 1
        if self._peek(1) == "#":
            base, digits = (16, "0123456789abcdefABCDEF") if self._peek(2) == "x" else (10, "")
            start = end = self.at + (3 if base == 16 else 2)
            while self.source[end : end + 1] and self.source[end] in (digits or "0123456789"):
                end += 1
            number = int(self.source[start:end] or "0", base)
            character = chr(number) if 0 < number < 0x10FFFF and end - self.at < 10 else ""
        else:
            while self.source[end : end + 1].isascii() and self.source[end : end + 1].isalpha():
                end += 1
            character = _NAMED.get(self.source[self.at + 1 : end], "")
        if not character:
            self.at += 1
            return "&"
        self.at = end + (self.source[end : end + 1] == ";")
        return character

    def _start(self) -> None:
        place = self.at
        self.at += 1
        tag = self._until(_SPACE + ">").lower()
        if self.at >= len(self.source):
            raise self._fault("Unclosed start tag", place)
        if tag not in _KINDS:
            raise self._fault(f'Unsupported start tag "{tag}"', place)
        attributes = self._attributes(tag, place)
        if tag == "span" and attributes.get("class") != "tg-spoiler":
            raise self._fault('Tag "span" must have class "tg-spoiler"', place)
        self.open.append(_Open(tag, attributes, self.offset, len(self.out)))

    def _until(self, stops: str) -> str:
        start = self.at
        while self.at < len(self.source) and self.source[self.at] not in stops:
            self.at += 1
        return self.source[start : self.at]

    def _skip_space(self) -> None:
        while self._peek() and self._peek() in _SPACE:
            self.at += 1

    def _attributes(self, tag: str, place: int) -> dict[str, str]:
        attributes: dict[str, str] = {}
        while True:
            self._skip_space()
            if self._peek() == ">":
                self.at += 1
                return attributes
            name = self._until(_SPACE + "=>")
            if not self._peek():
                raise self._fault(f'Unclosed start tag "{tag}"', place)
            if not name:
                raise self._fault(f'Empty attribute name in the tag "{tag}"', place)
            self._skip_space()
            attributes[name.lower()] = self._value(place) if self._peek() == "=" else ""

    def _value(self, place: int) -> str:
        self.at += 1
        self._skip_space()
        quote = self._peek()
        if quote not in ("'", '"') or not quote:
            start = self.at
            while self._peek().isalnum() or self._peek() in (".", "-"):
                self.at += 1
            if self._peek() != ">" and self._peek() not in list(_SPACE):
                raise self._fault("Unexpected end of name token", start)
            return self.source[start : self.at].lower()
        self.at += 1
        value = []
        while self._peek() and self._peek() != quote:
            if self._peek() == "&":
                value.append(self._reference())
            else:
                value.append(self._peek())
                self.at += 1
        if not self._peek():
            raise self._fault("Unclosed start tag", place)
        self.at += 1
        return "".join(value)

    def _end(self) -> None:
        place = self.at
        if not self.open:
            raise self._fault("Unexpected end tag", place)
        self.at += 2
        tag = self._until(_SPACE + ">").lower()
        self._skip_space()
        if self._peek() != ">":
            raise self._fault("Unclosed end tag", place)
        self.at += 1
        opened = self.open.pop()
        if tag and tag != opened.tag:
            reason = f'Unmatched end tag at byte offset {self._bytes(place)}, expected "</'
            raise self._fault(f'{reason}{opened.tag}>", found "</{tag}>"')
        if self.offset > opened.offset:
            self._add(opened)

    def _add(self, opened: _Open) -> None:
        offset, length = opened.offset, self.offset - opened.offset
        kind, given = _KINDS[opened.tag], opened.attributes
        entity: Json | None = {"type": kind, "offset": offset, "length": length}
        assert entity is not None
        if opened.tag == "a":
            entity = link_entity(given.get("href") or self._since(opened), offset, length)
        elif opened.tag == "tg-emoji":
            if not given.get("emoji-id", "").isdigit():
                raise self._fault("Invalid custom emoji identifier specified")
            entity["custom_emoji_id"] = given["emoji-id"]
        elif opened.tag == "tg-time":
            if not given.get("unix", "").removeprefix("-").isdigit():
                raise self._fault("Invalid date specified")
            entity |= {"unix_time": int(given["unix"]), "date_time_format": given.get("format", "")}
        elif opened.tag == "blockquote" and "expandable" in given:
            entity["type"] = "expandable_blockquote"
        elif opened.tag == "code" and given.get("class", "").startswith("language-"):
            entity["language"] = given["class"].removeprefix("language-")
        elif opened.tag == "pre":
            entity |= self._language(offset, length)
        if entity is not None:
            self.entities.append(entity)

    def _since(self, opened: _Open) -> str:
        return "".join(self.out[opened.place :])

    def _language(self, offset: int, length: int) -> Json:
        """A `code` that fills its `pre` gives it its language, and is no entity of its own."""
        last = self.entities[-1] if self.entities else {}
        if (last.get("type"), last.get("offset"), last.get("length")) != ("code", offset, length):
            return {}
        if "language" not in last:
            return {}
        self.entities.pop()
        return {"language": last["language"]}


def parse_html(source: str) -> Text:
    """The text of HTML markup. Raises ApiError (a violation) where it is not well formed."""
    text = _Reader(source).read()
    inline = [one for one in text.entities if one["type"] == "code"]
    for entity in inline:
        entity.pop("language", None)
    return text
