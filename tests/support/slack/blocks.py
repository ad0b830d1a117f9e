"""Block Kit's blocks, and on which surfaces they may stand.

Limits: https://docs.slack.dev/reference/block-kit/blocks; where sources disagree, the smaller one.
"""

from __future__ import annotations

from tests.support.slack.elements import ELEMENTS, in_place
from tests.support.slack.errors import Json
from tests.support.slack.objects import PLAIN, SLACK_FILE, URL, WEB_URL, any_of, both, exactly_one
from tests.support.slack.rich_text import RICH
from tests.support.slack.schema import (
    Also,
    Anything,
    Flag,
    Items,
    Number,
    OneOf,
    Report,
    Rule,
    Shape,
    String,
    Text,
    Whole,
)

MARKDOWN_LIMIT = 12_000
"""Characters of one markdown block, and of all of them in a payload."""

BLOCK_ID = String(255, 1)
_IMAGE_ELEMENT = OneOf({"image": ELEMENTS["image"]})
_TEXTS: dict[str, Rule] = {
    "plain_text": Text(3000),
    "mrkdwn": Text(3000),
}


def _block(fields: dict[str, Rule], *required: str, also: Also | None = None) -> Shape:
    return Shape({**fields, "block_id": BLOCK_ID}, required=required, also=also)


def _divided_or_collapsible(value: Json, at: str, report: Report) -> None:
    if value.get("is_collapsible") and value.get("has_header_divider"):
        report.add("has_header_divider cannot be set when is_collapsible is true", at)


_RICH_TEXT = _block({"elements": Items(OneOf(RICH))}, "elements")
_RICH = OneOf({"rich_text": _RICH_TEXT})
_CELL = OneOf(
    {
        "rich_text": _RICH_TEXT,
        "raw_text": Shape({"text": String(least=1)}, required=("text",)),
        "raw_number": Shape({"value": Number(), "text": String()}, required=("value",)),
    }
)
_TASK = _block(
    {
        "task_id": String(least=1),
        "title": String(least=1),
        "details": _RICH,
        "output": _RICH,
        "sources": Items(OneOf({"url": ELEMENTS["url"]})),
        "status": String(choices=("pending", "in_progress", "complete", "error")),
    },
    "task_id",
    "title",
)
_CARD = _block(
    {
        "hero_image": _IMAGE_ELEMENT,
        "icon": _IMAGE_ELEMENT,
        "slack_icon": Anything(),
        "title": Text(150),
        "subtitle": Text(150),
        "body": Text(200),
        "subtext": Text(200),
        "actions": Items(OneOf({"button": ELEMENTS["button"]}), 3),
    },
    also=any_of("hero_image", "title", "actions", "body"),
)

BLOCKS: dict[str, Rule] = {
    "actions": _block({"elements": Items(OneOf(in_place("actions")), 25, 1)}, "elements"),
    "alert": _block(
        {
            "text": Text(200),
            "level": String(choices=("default", "info", "warning", "error", "success")),
        },
        "text",
    ),
    "call": _block(
        {"call_id": String(least=1), "api_decoration_available": Flag(), "call": Anything()},
        "call_id",
    ),
    "card": _CARD,
    "carousel": _block({"elements": Items(OneOf({"card": _CARD}), 10, 1)}, "elements"),
    "context": _block(
        {"elements": Items(OneOf({**_TEXTS, "image": ELEMENTS["image"]}), 10, 1)}, "elements"
    ),
    "context_actions": _block(
        {"elements": Items(OneOf(in_place("context_actions")), 5, 1)}, "elements"
    ),
    "data_table": _block(
        {
            "rows": Items(Items(_CELL, 20, 1), 101, 2),
            "caption": String(),
            "page_size": Whole(1, 100),
            "row_header_column_index": Whole(0),
        },
        "rows",
    ),
    "divider": _block({}),
    "file": _block(
        {"external_id": String(least=1), "source": String(choices=("remote",))},
        "external_id",
        "source",
    ),
    "header": _block({"text": Text(150, PLAIN)}, "text"),
    "image": _block(
        {
            "image_url": URL,
            "slack_file": SLACK_FILE,
            "alt_text": String(2000, 1),
            "title": Text(2000, PLAIN),
        },
        "alt_text",
        also=exactly_one("image_url", "slack_file"),
    ),
    "input": _block(
        {
            "label": Text(2000, PLAIN),
            "element": OneOf(in_place("input")),
            "dispatch_action": Flag(),
            "hint": Text(2000, PLAIN),
            "optional": Flag(),
        },
        "label",
        "element",
    ),
    "markdown": _block({"text": String(MARKDOWN_LIMIT, 1)}, "text"),
    "plan": _block({"title": String(least=1), "tasks": Items(_TASK, 50)}, "title"),
    "rich_text": _RICH_TEXT,
    "section": _block(
        {
            "text": Text(3000),
            "fields": Items(Text(2000), 10, 1),
            "accessory": OneOf(in_place("accessory")),
            "expand": Flag(),
        },
        also=any_of("text", "fields"),
    ),
    "table": _block(
        {
            "rows": Items(Items(_CELL, 20, 1), 100, 1),
            "column_settings": Items(
                Shape(
                    {
                        "align": String(choices=("left", "center", "right")),
                        "is_wrapped": Flag(),
                    }
                ),
                20,
            ),
        },
        "rows",
    ),
    "task_card": _TASK,
    "video": _block(
        {
            "alt_text": String(2000, 1),
            "author_name": String(49),
            "description": Text(200, PLAIN),
            "provider_icon_url": String(2000),
            "provider_name": String(50),
            "title": Text(199, PLAIN),
            "title_url": String(2000, pattern=r"https://\S+"),
            "thumbnail_url": WEB_URL,
            "video_url": WEB_URL,
        },
        "alt_text",
        "title",
        "thumbnail_url",
        "video_url",
    ),
}
BLOCKS["container"] = _block(
    {
        "title": Text(150, PLAIN),
        "rich_text_title": _RICH,
        "subtitle": Text(150),
        "child_blocks": Items(
            OneOf({kind: rule for kind, rule in BLOCKS.items() if kind != "carousel"}), 10, 1
        ),
        "width": String(choices=("narrow", "standard", "wide", "full")),
        "icon": _IMAGE_ELEMENT,
        "is_collapsible": Flag(),
        "default_collapsed": Flag(),
        "has_header_divider": Flag(),
    },
    "child_blocks",
    also=both(any_of("title", "rich_text_title"), _divided_or_collapsible),
)

_EVERYWHERE = (
    "actions",
    "card",
    "context",
    "divider",
    "header",
    "image",
    "input",
    "rich_text",
    "section",
    "video",
)
SURFACES: dict[str, tuple[str, ...]] = {
    "message": tuple(kind for kind in BLOCKS if kind != "call"),
    "modal": (*_EVERYWHERE, "alert"),
    "home": (*_EVERYWHERE, "carousel", "container", "data_table", "table"),
}
"""Which blocks stand where. Slack's pages name the surfaces of most; the rest is what packages
that were checked against `blocks.validate` say."""

BLOCK = OneOf(BLOCKS, allowed=lambda kind, surface: kind in SURFACES[surface])
