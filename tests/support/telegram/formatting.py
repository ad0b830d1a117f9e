"""From what a bot sends (a text, a parse mode, entities) to what stands in the chat."""

from __future__ import annotations

from tests.support.telegram.entities import Text, settled, units
from tests.support.telegram.errors import Json, violates
from tests.support.telegram.html import parse_html
from tests.support.telegram.markdown import parse_markdown, parse_markdown_v2

TEXT_LIMIT = 4096
CAPTION_LIMIT = 1024
_PARSERS = {"html": parse_html, "markdownv2": parse_markdown_v2, "markdown": parse_markdown}
_RAW_LIMIT = 1 << 15


def formatted(source: str, parse_mode: str | None, entities: list[Json] | None) -> Text:
    """The text after entity parsing. Raises ApiError (a violation) for bad markup."""
    if len(source.encode()) > _RAW_LIMIT:
        raise violates("text is too long")
    mode = (parse_mode or "").lower()
    if mode in ("", "none") or not source:
        given = [dict(one) for one in entities or []]
        return settled(Text(source, given), explicit=True)
    if mode not in _PARSERS:
        raise violates("unsupported parse_mode")
    return settled(_PARSERS[mode](source), explicit=False)


def message_text(p: Json, *, allow_empty: bool = False) -> Text:
    """The text of a message from a call's parameters: 1-4096 characters."""
    text = formatted(p.get("text", ""), p.get("parse_mode"), p.get("entities"))
    if not text.text and not allow_empty:
        raise violates("message text is empty" if not p.get("text") else "text must be non-empty")
    if units(text.text) > TEXT_LIMIT:
        raise violates("message is too long")
    return text


def caption(p: Json) -> Text:
    """The caption from a call's or a medium's parameters: 0-1024 characters."""
    text = formatted(p.get("caption", ""), p.get("parse_mode"), p.get("caption_entities"))
    if units(text.text) > CAPTION_LIMIT:
        raise violates("message caption is too long")
    return text
