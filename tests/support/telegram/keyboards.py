"""Keyboards under messages: what is allowed, and the buttons that a person sees."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from aiogram.types import InlineKeyboardButton

from tests.support.telegram.entities import checked_link, units
from tests.support.telegram.errors import ApiError, Json, violates

ROW_LIMIT = 8
BUTTON_LIMIT = 100
DATA_LIMIT = 64
COPY_LIMIT = 256
PLACEHOLDER_LIMIT = 64
REPLY_ROW_LIMIT = 12
REPLY_BUTTON_LIMIT = 300
REQUEST_LIMIT = 10
_BY_NUMBER = ("request_users", "request_chat")
_KINDS = tuple(
    name
    for name in InlineKeyboardButton.model_fields
    if name not in ("text", "style", "icon_custom_emoji_id")
)
"""A button has exactly one of these."""
_STYLES = ("danger", "success", "primary")


@dataclass(frozen=True)
class Button:
    """A button as a person sees it. `data` is what a tap on it sends, if it sends something."""

    label: str
    data: str | None = None
    url: str | None = None
    copies: str | None = None
    style: str | None = None
    disabled: bool = False
    requests: Json | None = None

    def __str__(self) -> str:
        if self.disabled:
            return f"( {self.label} )"
        return f"[ {self.label} ↗ ]" if self.url else f"[ {self.label} ]"


def button_of(button: Json, label: str | None = None) -> Button:
    """The button of its JSON; `label` where the text is not plain."""
    return Button(
        label=button["text"] if label is None else label,
        data=button.get("callback_data"),
        url=button.get("url"),
        copies=button.get("copy_text", {}).get("text"),
        style=button.get("style"),
        disabled="disabled" in button,
    )


def inline_rows(markup: Json | None) -> list[list[Button]]:
    """The rows of an inline keyboard; none for another kind of markup."""
    rows = (markup or {}).get("inline_keyboard", [])
    return [[button_of(button) for button in row] for row in rows]


def reply_rows(markup: Json | None) -> list[list[Button]]:
    """The rows of a keyboard in place of the person's own."""
    rows = (markup or {}).get("keyboard", [])
    return [
        [Button(button["text"], requests=button.get("request_users")) for button in row]
        for row in rows
    ]


def check_markup(markup: Json | None, *, private: bool) -> Json | None:
    """The markup, when the server takes it; None when it comes to nothing.

    Raises ApiError (a violation).
    """
    if not markup:
        return None
    for fault in _markup_faults(markup, private):
        raise fault
    if "inline_keyboard" in markup:
        rows = [row for row in markup["inline_keyboard"] if row]
        return {"inline_keyboard": rows} if rows else None
    return markup


def _markup_faults(markup: Json, private: bool) -> Iterator[ApiError]:
    if len(markup.get("input_field_placeholder", "")) > PLACEHOLDER_LIMIT:
        yield violates(f"input field placeholder is longer than {PLACEHOLDER_LIMIT} characters")
    if "inline_keyboard" in markup:
        yield from _size_faults(markup["inline_keyboard"], ROW_LIMIT, BUTTON_LIMIT)
        for row in markup["inline_keyboard"]:
            for button in row:
                yield from button_faults(button, private=private)
    if "keyboard" in markup:
        yield from _size_faults(markup["keyboard"], REPLY_ROW_LIMIT, REPLY_BUTTON_LIMIT)
        for row in markup["keyboard"]:
            yield from _reply_faults(row, private)
        yield from _request_faults(markup["keyboard"])


def _size_faults(rows: list[list[Json]], row_limit: int, limit: int) -> Iterator[ApiError]:
    if any(len(row) > row_limit for row in rows) or sum(map(len, rows)) > limit:
        yield violates(
            f"reply markup is too long: at most {row_limit} buttons a row and {limit} in all"
        )


def _reply_faults(row: list[Json], private: bool) -> Iterator[ApiError]:
    for button in row:
        if not button["text"]:
            yield violates("keyboard button text must be non-empty")
        if not private and any(name.startswith("request_") for name in button):
            yield violates("this can be requested in private chats only")


def _request_faults(rows: list[list[Json]]) -> Iterator[ApiError]:
    """What is wrong with buttons that ask for something: one thing each, by a number of 32 bits
    that no other of the message has."""
    buttons = [button for row in rows for button in row]
    for button in buttons:
        if sum(name.startswith("request_") for name in button) > 1:
            yield violates("exactly one of the request_ fields of a keyboard button is expected")
    asked = [one[kind] for one in buttons for kind in _BY_NUMBER if kind in one]
    numbers = [one["request_id"] for one in asked]
    if any(not -(2**31) <= number < 2**31 for number in numbers):
        yield violates("request_id must be a signed 32-bit number")
    if len(set(numbers)) < len(numbers):
        yield violates("request_id must be unique within the message")
    if any(not 1 <= one.get("max_quantity", 1) <= REQUEST_LIMIT for one in asked):
        yield violates(f"max_quantity must be from 1 to {REQUEST_LIMIT}")


def button_faults(button: Json, *, private: bool, rich: bool = False) -> Iterator[ApiError]:
    """What is wrong with one inline button, or with one in a rich message."""
    if not button["text"]:
        yield violates("inline keyboard button text must be non-empty")
    kinds = [kind for kind in _KINDS if kind in button]
    if not kinds:
        yield violates(
            "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard"
        )
    if len(kinds) > 1:
        yield violates(f"exactly one kind of inline keyboard button is expected, not {kinds}")
    data = button.get("callback_data")
    if data is not None and not 1 <= len(data.encode()) <= DATA_LIMIT:
        yield violates("BUTTON_DATA_INVALID")
    yield from _style_faults(button, rich)
    if "url" in button and not re.match(r"tg://", button["url"]) and not _is_link(button["url"]):
        yield violates(f"inline keyboard button URL '{button['url']}' is invalid: Wrong HTTP URL")
    if "copy_text" in button and not 1 <= units(button["copy_text"]["text"]) <= COPY_LIMIT:
        yield violates("BUTTON_COPY_TEXT_INVALID")
    if "web_app" in button and not private:
        yield violates("BUTTON_TYPE_INVALID")


def _is_link(url: str) -> bool:
    return bool(checked_link(url))


def _style_faults(button: Json, rich: bool) -> Iterator[ApiError]:
    style = button.get("style")
    if style == "link" and rich:
        if "callback_data" not in button:
            yield violates("the button style link is allowed only for callback buttons")
    elif style is not None and style not in _STYLES:
        yield violates(f"button style {style!r} is unknown")
