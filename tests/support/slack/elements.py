"""Block Kit's elements, and in which blocks they may stand.

Limits: https://docs.slack.dev/reference/block-kit/block-elements
"""

from __future__ import annotations

from tests.support.slack.errors import Json
from tests.support.slack.objects import (
    ACTION_ID,
    CONFIRM,
    CONVERSATION_FILTER,
    DATE,
    DISPATCH,
    FEEDBACK,
    OPTION_GROUPS,
    OPTIONS,
    PLACEHOLDER,
    PLAIN,
    SLACK_FILE,
    STYLE,
    TIME,
    URL,
    WORKFLOW,
    Fields,
    both,
    exactly_one,
    initial_among_options,
    option,
)
from tests.support.slack.schema import (
    Anything,
    Flag,
    Items,
    Report,
    Rule,
    Shape,
    String,
    Text,
    Whole,
)

CHECKBOX_LIMIT = 10
OVERFLOW_LIMIT = 5
TYPED_LIMIT = 3000

_ACTION: Fields = {"action_id": ACTION_ID}
_ASKS: Fields = {**_ACTION, "confirm": CONFIRM}
_FOCUS: Fields = {"focus_on_load": Flag()}
_PICKS: Fields = {**_ASKS, **_FOCUS, "placeholder": PLACEHOLDER}
_TYPED: Fields = {
    **_ACTION,
    **_FOCUS,
    "placeholder": PLACEHOLDER,
    "initial_value": String(TYPED_LIMIT),
    "dispatch_action_config": DISPATCH,
}
_ID = String(least=1)
_MANY: Fields = {"max_selected_items": Whole(1)}
_STATIC: Fields = {**_PICKS, "options": OPTIONS, "option_groups": OPTION_GROUPS}
_EXTERNAL: Fields = {**_PICKS, "min_query_length": Whole(0)}
_CHECKS = Items(option(mrkdwn=True), CHECKBOX_LIMIT, 1)
_ONE_SOURCE = both(exactly_one("options", "option_groups"), initial_among_options)


def _lengths_in_order(value: Json, at: str, report: Report) -> None:
    least, most = value.get("min_length", 0), value.get("max_length", TYPED_LIMIT)
    if isinstance(least, int) and isinstance(most, int) and least > most:
        report.add("min_length must be less than or equal to max_length", at)


ELEMENTS: dict[str, Rule] = {
    "button": Shape(
        {
            **_ASKS,
            "text": Text(75, PLAIN),
            "url": URL,
            "value": String(2000),
            "style": STYLE,
            "accessibility_label": String(75),
            "agent_prompt": String(4000),
            "agent_prompt_display": String(choices=("visible", "hidden")),
            "visible_to_user_ids": Items(_ID, 10),
        },
        required=("text",),
    ),
    "checkboxes": Shape(
        {**_ASKS, **_FOCUS, "options": _CHECKS, "initial_options": Items(option(mrkdwn=True))},
        required=("options",),
        also=initial_among_options,
    ),
    "radio_buttons": Shape(
        {**_ASKS, **_FOCUS, "options": _CHECKS, "initial_option": option(mrkdwn=True)},
        required=("options",),
        also=initial_among_options,
    ),
    "datepicker": Shape({**_PICKS, "initial_date": DATE}),
    "timepicker": Shape({**_PICKS, "initial_time": TIME, "timezone": String(least=1)}),
    "datetimepicker": Shape(
        {**_ASKS, **_FOCUS, "initial_date_time": Whole(1_000_000_000, 9_999_999_999)}
    ),
    "image": Shape(
        {"image_url": URL, "slack_file": SLACK_FILE, "alt_text": String(2000)},
        required=("alt_text",),
        also=exactly_one("image_url", "slack_file"),
    ),
    "overflow": Shape(
        {**_ASKS, "options": Items(option(url=True), OVERFLOW_LIMIT, 1)}, required=("options",)
    ),
    "static_select": Shape({**_STATIC, "initial_option": option()}, also=_ONE_SOURCE),
    "multi_static_select": Shape(
        {**_STATIC, **_MANY, "initial_options": Items(option())}, also=_ONE_SOURCE
    ),
    "external_select": Shape({**_EXTERNAL, "initial_option": option()}),
    "multi_external_select": Shape({**_EXTERNAL, **_MANY, "initial_options": Items(option())}),
    "users_select": Shape({**_PICKS, "initial_user": _ID}),
    "multi_users_select": Shape({**_PICKS, **_MANY, "initial_users": Items(_ID)}),
    "conversations_select": Shape(
        {
            **_PICKS,
            "initial_conversation": _ID,
            "default_to_current_conversation": Flag(),
            "response_url_enabled": Flag(),
            "filter": CONVERSATION_FILTER,
        }
    ),
    "multi_conversations_select": Shape(
        {
            **_PICKS,
            **_MANY,
            "initial_conversations": Items(_ID),
            "default_to_current_conversation": Flag(),
            "filter": CONVERSATION_FILTER,
        }
    ),
    "channels_select": Shape({**_PICKS, "initial_channel": _ID, "response_url_enabled": Flag()}),
    "multi_channels_select": Shape({**_PICKS, **_MANY, "initial_channels": Items(_ID)}),
    "plain_text_input": Shape(
        {
            **_TYPED,
            "multiline": Flag(),
            "min_length": Whole(0, TYPED_LIMIT),
            "max_length": Whole(1, TYPED_LIMIT),
        },
        also=_lengths_in_order,
    ),
    "email_text_input": Shape(_TYPED),
    "url_text_input": Shape(_TYPED),
    "number_input": Shape(
        {
            **_TYPED,
            "is_decimal_allowed": Flag(),
            "min_value": String(),
            "max_value": String(),
        },
        required=("is_decimal_allowed",),
    ),
    "rich_text_input": Shape(
        {
            **_TYPED,
            "initial_value": Anything(),
            "min_lines": Whole(1, 100),
            "max_lines": Whole(1, 100),
        }
    ),
    "file_input": Shape(
        {**_ACTION, "filetypes": Items(String(least=1), least=1), "max_files": Whole(1, 10)}
    ),
    "workflow_button": Shape(
        {
            **_ACTION,
            "text": Text(75, PLAIN),
            "workflow": WORKFLOW,
            "style": STYLE,
            "accessibility_label": String(75),
        },
        required=("text", "workflow"),
    ),
    "feedback_buttons": Shape(
        {**_ACTION, "positive_button": FEEDBACK, "negative_button": FEEDBACK},
        required=("positive_button", "negative_button"),
    ),
    "icon_button": Shape(
        {
            **_ASKS,
            "icon": String(least=1),
            "text": Text(75, PLAIN),
            "value": String(2000),
            "accessibility_label": String(75),
            "visible_to_user_ids": Items(_ID, 10),
        },
        required=("icon", "text"),
    ),
    "url": Shape({"url": URL, "text": String()}, required=("url", "text")),
}

_SINGLE_SELECTS = (
    "static_select",
    "external_select",
    "users_select",
    "conversations_select",
    "channels_select",
)
_MULTI_SELECTS = tuple(f"multi_{name}" for name in _SINGLE_SELECTS)
_CHOICES = ("checkboxes", "radio_buttons", "datepicker", "timepicker", *_SINGLE_SELECTS)
_TYPING = (
    "plain_text_input",
    "email_text_input",
    "url_text_input",
    "number_input",
    "rich_text_input",
    "file_input",
)

PLACES: dict[str, tuple[str, ...]] = {
    "accessory": ("button", "image", "overflow", "workflow_button", *_CHOICES, *_MULTI_SELECTS),
    "actions": ("button", "overflow", "workflow_button", "datetimepicker", *_CHOICES),
    "input": ("datetimepicker", *_CHOICES, *_MULTI_SELECTS, *_TYPING),
    "context_actions": ("feedback_buttons", "icon_button"),
}
"""Which elements stand where, by the "works with block types" of each element's page."""


def in_place(place: str) -> dict[str, Rule]:
    """The elements of a place: "accessory", "actions", "input" or "context_actions"."""
    return {kind: ELEMENTS[kind] for kind in PLACES[place]}
