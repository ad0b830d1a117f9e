"""Blocks and views that Slack takes, and those that break one rule each."""

from __future__ import annotations

from typing import Any

from tests.support.slack.errors import Json


def plain(text: str) -> Json:
    return {"type": "plain_text", "text": text}


def mrkdwn(text: str) -> Json:
    return {"type": "mrkdwn", "text": text}


def choice(text: str, value: str = "v") -> Json:
    return {"text": plain(text), "value": value}


def choices(count: int) -> list[Json]:
    return [choice(f"Choice {number}", f"v{number}") for number in range(count)]


def button(text: str = "Go", **more: Any) -> Json:
    return {"type": "button", "text": plain(text), **more}


def actions(*elements: Json) -> Json:
    return {"type": "actions", "elements": list(elements)}


def section(text: str = "Hi", **more: Any) -> Json:
    return {"type": "section", "text": mrkdwn(text), **more}


def field(element: Json, label: str = "Name", **more: Any) -> Json:
    return {"type": "input", "label": plain(label), "element": element, **more}


def modal(*held: Json, **more: Any) -> Json:
    return {"type": "modal", "title": plain("Event"), "blocks": list(held), **more}


SELECT = {"type": "static_select", "options": choices(2)}
TYPED = {"type": "plain_text_input"}

GOOD = {
    "section": section("x" * 3000),
    "fields": {"type": "section", "fields": [*[plain("x")] * 9, plain("x" * 2000)]},
    "accessory": section(accessory=button("x" * 75, value="v" * 2000, action_id="a" * 255)),
    "header": {"type": "header", "text": plain("x" * 150)},
    "divider": {"type": "divider", "block_id": "b" * 255},
    "context": {"type": "context", "elements": [mrkdwn("x")] * 10},
    "actions": actions(*(button(action_id=f"a{number}") for number in range(25))),
    "select": actions({**SELECT, "options": choices(100), "placeholder": plain("x" * 150)}),
    "groups": actions(
        {"type": "static_select", "option_groups": [{"label": plain("A"), "options": choices(3)}]}
    ),
    "long option": actions(
        {"type": "static_select", "options": [choice("x" * 75, "v" * 150)]},
    ),
    "checkboxes": actions({"type": "checkboxes", "options": choices(10)}),
    "mrkdwn radio": actions(
        {"type": "radio_buttons", "options": [{"text": mrkdwn("*x*"), "value": "v"}]}
    ),
    "initial": actions({**SELECT, "initial_option": choice("Choice 1", "v1")}),
    "overflow": actions({"type": "overflow", "options": choices(5)}),
    "pickers": actions(
        {"type": "datepicker", "initial_date": "2027-02-28"},
        {"type": "timepicker", "initial_time": "23:59", "timezone": "Europe/Berlin"},
        {"type": "datetimepicker", "initial_date_time": 1_800_000_000},
    ),
    "people": actions({"type": "users_select"}, {"type": "conversations_select"}),
    "external": actions({"type": "external_select", "min_query_length": 0}),
    "confirm": actions(
        button(
            confirm={
                "title": plain("x" * 100),
                "text": mrkdwn("x" * 300),
                "confirm": plain("x" * 30),
                "deny": plain("x" * 30),
                "style": "danger",
            }
        )
    ),
    "input": field({**TYPED, "max_length": 3000}, "x" * 2000, hint=plain("x" * 2000)),
    "multi select": field({"type": "multi_static_select", "options": choices(2)}),
    "image": {"type": "image", "image_url": "https://a.example/x.png", "alt_text": "x"},
    "markdown": {"type": "markdown", "text": "x" * 12_000},
    "table": {"type": "table", "rows": [[{"type": "raw_text", "text": "x"}] * 20] * 100},
    "rich text": {
        "type": "rich_text",
        "elements": [
            {"type": "rich_text_section", "elements": [{"type": "text", "text": "x"}]},
            {
                "type": "rich_text_list",
                "style": "bullet",
                "elements": [{"type": "rich_text_section", "elements": []}],
            },
        ],
    },
    "feedback": {
        "type": "context_actions",
        "elements": [
            {
                "type": "feedback_buttons",
                "positive_button": {"text": plain("Good"), "value": "1"},
                "negative_button": {"text": plain("Bad"), "value": "0"},
            }
        ],
    },
    "task": {"type": "task_card", "task_id": "1", "title": "Look", "status": "complete"},
    "plan": {"type": "plan", "title": "Plan", "tasks": []},
    "card": {"type": "card", "title": plain("x" * 150), "actions": [button()] * 3},
}

BAD: dict[str, tuple[Json, str]] = {
    "long section": (section("x" * 3001), "less than 3001 characters [json-pointer:/blocks/0/text"),
    "empty text": (section(""), "more than 0 characters"),
    "no text": ({"type": "section"}, "must define either `text` or `fields`"),
    "eleven fields": ({"type": "section", "fields": [plain("x")] * 11}, "no more than 10 items"),
    "long field": ({"type": "section", "fields": [plain("x" * 2001)]}, "less than 2001"),
    "long header": ({"type": "header", "text": plain("x" * 151)}, "less than 151"),
    "mrkdwn header": ({"type": "header", "text": mrkdwn("x")}, "unsupported type: mrkdwn"),
    "emoji in mrkdwn": (section() | {"text": {**mrkdwn("x"), "emoji": True}}, "property: emoji"),
    "text for an object": ({"type": "header", "text": "x"}, "must provide an object"),
    "26 buttons": (actions(*[button()] * 26), "no more than 25 items"),
    "no buttons": (actions(), "no fewer than 1 items"),
    "11 in a context": ({"type": "context", "elements": [plain("x")] * 11}, "no more than 10"),
    "button in a context": ({"type": "context", "elements": [button()]}, "type: button"),
    "long button": (actions(button("x" * 76)), "less than 76"),
    "mrkdwn button": (actions({"type": "button", "text": mrkdwn("x")}), "type: mrkdwn"),
    "long value": (actions(button(value="v" * 2001)), "less than 2001"),
    "unknown style": (actions(button(style="pretty")), "valid enum value"),
    "long action_id": (actions(button(action_id="a" * 256)), "less than 256"),
    "number as value": (actions(button(value=7)), "must provide a string"),
    "unknown property": (actions(button(colour="red")), "invalid additional property: colour"),
    "no url": (actions(button(url="example")), "must match the expected format"),
    "long option": (actions({**SELECT, "options": [choice("x" * 76)]}), "less than 76"),
    "long option value": (
        actions({**SELECT, "options": [choice("x", "v" * 151)]}),
        "less than 151",
    ),
    "mrkdwn option": (
        actions({**SELECT, "options": [{"text": mrkdwn("x"), "value": "v"}]}),
        "type: mrkdwn",
    ),
    "101 options": (actions({**SELECT, "options": choices(101)}), "no more than 100"),
    "no options": (actions({"type": "static_select", "options": []}), "no fewer than 1"),
    "neither options nor groups": (actions({"type": "static_select"}), "exactly one of"),
    "null option": (actions({**SELECT, "initial_option": None}), "must provide an object"),
    "alien option": (actions({**SELECT, "initial_option": choice("No")}), "one of the options"),
    "eleven checkboxes": (
        actions({"type": "checkboxes", "options": choices(11)}),
        "no more than 10 items allowed [json-pointer:/blocks/0/elements/0/options]",
    ),
    "six in an overflow": (actions({"type": "overflow", "options": choices(6)}), "more than 5"),
    "long placeholder": (actions({**SELECT, "placeholder": plain("x" * 151)}), "less than 151"),
    "no date": (actions({"type": "datepicker", "initial_date": "28.2.2027"}), "expected format"),
    "no time": (actions({"type": "timepicker", "initial_time": "5 pm"}), "expected format"),
    "milliseconds": (
        actions({"type": "datetimepicker", "initial_date_time": 1_800_000_000_000}),
        "less than or equal",
    ),
    "half a confirm": (actions(button(confirm={"title": plain("x")})), "required field: text"),
    "input element in actions": (actions(TYPED), "unsupported type: plain_text_input"),
    "date and time in a section": (section(accessory={"type": "datetimepicker"}), "unsupported"),
    "button in an input": (field(button()), "unsupported type: button"),
    "input without label": ({"type": "input", "element": TYPED}, "missing required field: label"),
    "long typed": (field({**TYPED, "max_length": 3001}), "less than or equal to 3000"),
    "file input in a message": (field({"type": "file_input"}), "unsupported type: file_input"),
    "no alt text": ({"type": "image", "image_url": "https://a.example/x"}, "field: alt_text"),
    "no type": ({"text": plain("x")}, "missing required field: type"),
    "unknown type": ({"type": "chips"}, "unsupported type: chips [json-pointer:/blocks/0/type]"),
    "long markdown": ({"type": "markdown", "text": "x" * 12_001}, "less than 12001"),
    "call": ({"type": "call", "call_id": "x"}, "unsupported type: call"),
    "21 columns": ({"type": "table", "rows": [[{"type": "raw_text", "text": "x"}] * 21]}, "20"),
    "same action_id": (actions(button(action_id="a"), button(action_id="a")), "already exists"),
}

BAD_VIEWS: dict[str, tuple[Json, str]] = {
    "input without submit": (
        modal(field(TYPED)),
        "must define `submit` to use an `input` block in modals [json-pointer:/view/blocks/0",
    ),
    "no blocks": (modal(), "no fewer than 1"),
    "101 blocks": (modal(*[section()] * 101), "no more than 100 items"),
    "long title": (modal(section()) | {"title": plain("x" * 25)}, "less than 25"),
    "long submit": (modal(section(), submit=plain("x" * 25)), "less than 25"),
    "long metadata": (modal(section(), private_metadata="x" * 3001), "less than 3001"),
    "long callback_id": (modal(section(), callback_id="x" * 256), "less than 256"),
    "no title": ({"type": "modal", "blocks": [section()]}, "required field: title"),
    "home with a submit": ({"type": "home", "blocks": [section()], "submit": plain("x")}, "submit"),
    "markdown": (modal({"type": "markdown", "text": "x"}), "unsupported type: markdown"),
    "unknown property": (modal(section(), size="big"), "additional property: size"),
    "unknown type": ({"type": "sheet"}, "unsupported type: sheet"),
    "no object": ({"type": "modal", "title": plain("x"), "blocks": {}}, "must provide an array"),
    "two in focus": (
        modal(
            field({**TYPED, "focus_on_load": True}),
            field({**TYPED, "focus_on_load": True}),
            submit=plain("Send"),
        ),
        "only one element can be focused",
    ),
}
