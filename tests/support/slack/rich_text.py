"""The shape of rich text: sections, lists, quotes and preformatted text.

https://docs.slack.dev/reference/block-kit/blocks/rich-text-block
"""

from __future__ import annotations

from tests.support.slack.objects import URL
from tests.support.slack.schema import Flag, Items, OneOf, Rule, Shape, String, Whole

_STYLE = Shape(
    {
        name: Flag()
        for name in (
            "bold",
            "italic",
            "strike",
            "code",
            "underline",
            "highlight",
            "client_highlight",
            "unlink",
        )
    }
)
_ID = String(least=1)

PARTS: dict[str, Rule] = {
    "text": Shape({"text": String(least=1), "style": _STYLE}, required=("text",)),
    "link": Shape(
        {"url": URL, "text": String(), "unsafe": Flag(), "style": _STYLE}, required=("url",)
    ),
    "emoji": Shape(
        {"name": _ID, "unicode": String(), "skin_tone": Whole(2, 6), "style": _STYLE},
        required=("name",),
    ),
    "user": Shape({"user_id": _ID, "style": _STYLE}, required=("user_id",)),
    "channel": Shape({"channel_id": _ID, "style": _STYLE}, required=("channel_id",)),
    "usergroup": Shape({"usergroup_id": _ID, "style": _STYLE}, required=("usergroup_id",)),
    "team": Shape({"team_id": _ID, "style": _STYLE}, required=("team_id",)),
    "broadcast": Shape(
        {"range": String(choices=("here", "channel", "everyone")), "style": _STYLE},
        required=("range",),
    ),
    "date": Shape(
        {
            "timestamp": Whole(0),
            "format": String(least=1),
            "url": URL,
            "fallback": String(),
            "style": _STYLE,
        },
        required=("timestamp", "format"),
    ),
    "color": Shape({"value": _ID, "style": _STYLE}, required=("value",)),
}
_PARTS = Items(OneOf(PARTS))
SECTION = Shape({"elements": _PARTS}, required=("elements",))
RICH: dict[str, Rule] = {
    "rich_text_section": SECTION,
    "rich_text_preformatted": Shape(
        {"elements": _PARTS, "border": Whole(0, 1), "language": String()}, required=("elements",)
    ),
    "rich_text_quote": Shape({"elements": _PARTS, "border": Whole(0, 1)}, required=("elements",)),
    "rich_text_list": Shape(
        {
            "elements": Items(OneOf({"rich_text_section": SECTION})),
            "style": String(choices=("bullet", "ordered")),
            "indent": Whole(0, 8),
            "offset": Whole(0),
            "border": Whole(0, 1),
        },
        required=("elements", "style"),
    ),
}
