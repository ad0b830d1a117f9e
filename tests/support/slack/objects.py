"""Block Kit's composition objects: texts, options, confirmation dialogs.

Limits: https://docs.slack.dev/reference/block-kit/composition-objects
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tests.support.slack.errors import Json
from tests.support.slack.schema import (
    Also,
    Anything,
    Flag,
    Items,
    Report,
    Rule,
    Shape,
    String,
    Text,
)

PLAIN = ("plain_text",)
ACTION_ID_LIMIT = 255
URL_LIMIT = 3000
OPTION_LIMIT = 100
"""Options in a select, option groups, and options in a group."""
OPTION_TEXT_LIMIT = 75
OPTION_VALUE_LIMIT = 150
PLACEHOLDER_LIMIT = 150

ACTION_ID = String(ACTION_ID_LIMIT, 1)
URL = String(URL_LIMIT, 1, pattern=r"(https?://|slack://|mailto:|tel:)\S+")
WEB_URL = String(URL_LIMIT, 1, pattern=r"https?://\S+")
STYLE = String(choices=("primary", "danger"))
DATE = String(pattern=r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])")
TIME = String(pattern=r"([01]\d|2[0-3]):[0-5]\d")
PLACEHOLDER = Text(PLACEHOLDER_LIMIT, PLAIN)

CONFIRM = Shape(
    {
        "title": Text(100, PLAIN),
        "text": Text(300),
        "confirm": Text(30, PLAIN),
        "deny": Text(30, PLAIN),
        "style": STYLE,
    },
    required=("title", "text", "confirm", "deny"),
)
DISPATCH = Shape(
    {
        "trigger_actions_on": Items(
            String(choices=("on_enter_pressed", "on_character_entered")), 2, 1
        )
    }
)
SLACK_FILE = Shape({"id": String(least=1), "url": URL})
CONVERSATION_FILTER = Shape(
    {
        "include": Items(String(choices=("im", "mpim", "private", "public")), least=1),
        "exclude_external_shared_channels": Flag(),
        "exclude_bot_users": Flag(),
    }
)
WORKFLOW = Shape({"trigger": Anything()}, required=("trigger",))
FEEDBACK = Shape(
    {
        "text": Text(75, PLAIN),
        "value": String(2000, 1),
        "accessibility_label": String(75),
    },
    required=("text", "value"),
)


def option(*, url: bool = False, mrkdwn: bool = False) -> Shape:
    """An option: selects and overflow menus take plain text only, and only overflow an URL."""
    kinds = ("plain_text", "mrkdwn") if mrkdwn else PLAIN
    fields: dict[str, Rule] = {
        "text": Text(OPTION_TEXT_LIMIT, kinds),
        "value": String(OPTION_VALUE_LIMIT),
        "description": Text(75, kinds),
    }
    if url:
        fields["url"] = URL
    return Shape(fields, required=("text",) if url else ("text", "value"))


OPTIONS = Items(option(), OPTION_LIMIT, 1)
OPTION_GROUPS = Items(
    Shape({"label": Text(75, PLAIN), "options": OPTIONS}, required=("label", "options")),
    OPTION_LIMIT,
    1,
)


def exactly_one(*names: str) -> Also:
    """Exactly one of these fields is there."""

    def check(value: Json, at: str, report: Report) -> None:
        given = [name for name in names if name in value]
        if len(given) != 1:
            report.add(f"must define exactly one of {' or '.join(f'`{n}`' for n in names)}", at)

    return check


def any_of(*names: str) -> Also:
    """At least one of these fields is there."""

    def check(value: Json, at: str, report: Report) -> None:
        if not any(name in value for name in names):
            report.add(f"must define either {' or '.join(f'`{name}`' for name in names)}", at)

    return check


def initial_among_options(value: Json, at: str, report: Report) -> None:
    """What is chosen at first is one of the options, word for word."""
    if not isinstance(value.get("options", []), list):
        return
    offered = [one for one in value.get("options", []) if isinstance(one, dict)]
    for group in value.get("option_groups", []) or []:
        if isinstance(group, dict) and isinstance(group.get("options"), list):
            offered += group["options"]
    first = value.get("initial_options", [])
    chosen = {f"initial_options/{number}": one for number, one in enumerate(first or [])}
    if "initial_option" in value:
        chosen["initial_option"] = value["initial_option"]
    for name, one in chosen.items():
        if _told(one) not in [_told(other) for other in offered]:
            report.add("must be one of the options", f"{at}/{name}")


def _told(option_object: object) -> object:
    if not isinstance(option_object, dict) or not isinstance(option_object.get("text"), dict):
        return option_object
    return option_object["text"].get("text"), option_object.get("value")


def both(*checks: Callable[[Json, str, Report], None]) -> Also:
    """All of these."""

    def check(value: Json, at: str, report: Report) -> None:
        for one in checks:
            one(value, at, report)

    return check


Fields = Mapping[str, Rule]
