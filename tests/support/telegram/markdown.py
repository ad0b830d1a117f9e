"""MarkdownV2 and the old Markdown, as the Bot API reads them (TDLib's `parse_markdown_v2`)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tests.support.telegram.entities import Text, link_entity, ordered, units
from tests.support.telegram.errors import Json, violates

_RESERVED = "_*[]()~`>#+-=|{}.!\n"
_SIGNS = {"*": "bold", "~": "strikethrough"}
_NAMES = {
    "bold": "Bold",
    "italic": "Italic",
    "underline": "Underline",
    "strikethrough": "Strikethrough",
    "spoiler": "Spoiler",
    "code": "Code",
    "pre": "Pre",
    "text_link": "TextUrl",
    "custom_emoji": "CustomEmoji",
    "blockquote": "BlockQuote",
}
_EMOJI = re.compile(r"tg://emoji/?\?id=(\d+)", re.I)


@dataclass
class _Open:
    kind: str
    offset: int
    place: int
    start: int
    language: str = ""


class _Reader:
    def __init__(self, source: str) -> None:
        self.source = source
        self.at = 0
        self.out: list[str] = []
        self.offset = 0
        self.open: list[_Open] = []
        self.entities: list[Json] = []
        self.in_quote = False

    def read(self) -> Text:
        while self.at < len(self.source):
            self._step()
        if self.in_quote and self.open[-1].kind == "blockquote":
            self._close_quote()
        if self.open:
            raise self._unfinished(self.open[-1])
        return Text("".join(self.out), ordered(self.entities))

    def _peek(self, ahead: int = 0) -> str:
        return self.source[self.at + ahead : self.at + ahead + 1]

    def _has(self, text: str) -> bool:
        return self.source.startswith(text, self.at)

    def _put(self, text: str) -> None:
        self.out.append(text)
        self.offset += units(text)

    def _fault(self, reason: str, place: int | None = None) -> Exception:
        where = ""
        if place is not None:
            where = f" at byte offset {len(self.source[:place].encode())}"
        return violates(f"can't parse entities: {reason}{where}")

    def _unfinished(self, opened: _Open) -> Exception:
        return self._fault(f"Can't find end of {_NAMES[opened.kind]} entity", opened.place)

    def _reserved(self) -> Exception:
        return self._fault(
            f"Character '{self._peek()}' is reserved and must be escaped with the preceding '\\'"
        )

    def _step(self) -> None:
        character = self._peek()
        following = self._peek(1)
        if character == "\\" and following and 0 < ord(following) <= 126:
            self.at += 2
            self._put(following)
            return
        verbatim = bool(self.open) and self.open[-1].kind in ("code", "pre")
        if character not in ("`" if verbatim else _RESERVED):
            self.at += 1
            self._put(character)
        elif self.open and self._ends(self.open[-1].kind):
            self._end()
        elif character == "\n":
            self._newline()
        else:
            self._start()

    def _ends(self, kind: str) -> bool:
        character = self._peek()
        if self.in_quote and character == "\n" and self._peek(1) != ">":
            return True
        doubled = self._peek(1) == character
        return {
            "bold": character == "*",
            "italic": character == "_" and not doubled,
            "underline": character == "_" and doubled,
            "strikethrough": character == "~",
            "spoiler": character == "|" and doubled,
            "code": character == "`",
            "pre": self._has("```"),
            "text_link": character == "]",
            "custom_emoji": character == "]",
            "blockquote": False,
        }[kind]

    def _newline(self) -> None:
        self.at += 1
        self._put("\n")
        if self._peek() == ">":
            self.at += 1
            if not self.in_quote:
                self._opens("blockquote", self.at - 1)
                self.in_quote = True

    def _opens(self, kind: str, place: int, language: str = "") -> None:
        self.open.append(_Open(kind, self.offset, place, len(self.out), language))

    def _start(self) -> None:
        place, character = self.at, self._peek()
        doubled = self._peek(1) == character
        if character == "_":
            kind = "underline" if doubled else "italic"
        elif character == "|" and doubled:
            kind = "spoiler"
        elif character == "!" and self._peek(1) == "[":
            kind = "custom_emoji"
        elif character == "[":
            kind = "text_link"
        elif character == "`":
            self._opens_code(place)
            return
        elif character == ">" and self.at == 0:
            kind = "blockquote"
            self.in_quote = True
        elif character in _SIGNS:
            kind = _SIGNS[character]
        else:
            raise self._reserved()
        self.at += 2 if kind in ("underline", "spoiler", "custom_emoji") else 1
        self._opens(kind, place)

    def _opens_code(self, place: int) -> None:
        if not self._has("```"):
            self.at += 1
            self._opens("code", place)
            return
        self.at += 3
        language = re.compile(r"[^\s`]+(?=\s)").match(self.source, self.at)
        if language:
            self.at = language.end()
        if self._peek() in ("\n", "\r") and self._peek():
            self.at += 1
        self._opens("pre", place, language[0] if language else "")

    def _end(self) -> None:
        opened = self.open[-1]
        if self._peek() == "\n" and opened.kind != "blockquote":
            raise self._unfinished(opened)
        if opened.kind == "blockquote":
            self._put("\n")
            self.at += 1
            self._close_quote()
            return
        self.at += {"underline": 2, "spoiler": 2, "pre": 3}.get(opened.kind, 1)
        length = self.offset - opened.offset
        entity: Json | None = {"type": opened.kind, "offset": opened.offset, "length": length}
        if opened.kind == "text_link":
            url = self._target("URL") if self._peek() == "(" else "".join(self.out[opened.start :])
            entity = link_entity(url, opened.offset, length)
        elif opened.kind == "custom_emoji":
            entity = {**(entity or {}), "custom_emoji_id": self._emoji()}
        elif opened.language:
            entity = {**(entity or {}), "language": opened.language}
        self.open.pop()
        if entity is not None and length:
            self.entities.append(entity)

    def _close_quote(self) -> None:
        opened = self.open.pop()
        self.in_quote = False
        length = self.offset - opened.offset
        if not length:
            return
        kind = "blockquote"
        self.entities.append({"type": kind, "offset": opened.offset, "length": length})

    def _target(self, called: str) -> str:
        self.at += 1
        start, url = self.at, []
        while self._peek() and self._peek() != ")":
            if self._peek() == "\\" and self._peek(1):
                self.at += 1
            url.append(self._peek())
            self.at += 1
        if not self._peek():
            raise self._fault(f"Can't find end of a {called}", start)
        self.at += 1
        return "".join(url)

    def _emoji(self) -> str:
        if self._peek() != "(":
            raise self._fault("Custom emoji entity must contain a tg://emoji URL")
        found = _EMOJI.match(self._target("custom emoji URL"))
        if not found:
            raise self._fault("Custom emoji URL must have an emoji identifier")
        return found[1]


def parse_markdown_v2(source: str) -> Text:
    """The text of MarkdownV2. Raises ApiError (a violation) where it is not well formed."""
    return _Reader(source).read()


_OLD = re.compile(
    r"\\(?P<escaped>[_*`\[])|```(?P<pre>.*?)```|`(?P<code>[^`]*)`|\*(?P<bold>[^*]*)\*"
    r"|_(?P<italic>[^_]*)_|\[(?P<label>[^\]]*)\](?:\((?P<url>[^)]*)\))?|(?P<open>[_*`\[])",
    re.DOTALL,
)


def parse_markdown(source: str) -> Text:
    """The text of the old Markdown. Raises ApiError (a violation) where an entity has no end."""
    text, at = Text(), 0
    for match in _OLD.finditer(source):
        text.text += source[at : match.start()]
        at = match.end()
        kind = match.lastgroup if match["label"] is None else "label"
        if kind == "open":
            place = len(source[: match.start()].encode())
            raise violates(
                "can't parse entities: Can't find end of the entity starting at byte offset "
                f"{place}"
            )
        inner = match[kind or "escaped"] or ""
        offset = units(text.text)
        text.text += inner
        if kind == "label":
            entity = link_entity(match["url"] or inner, offset, units(inner))
        else:
            entity = {"type": kind, "offset": offset, "length": units(inner)}
        if entity is not None and inner and kind != "escaped":
            text.entities.append(entity)
    text.text += source[at:]
    return text
