"""Emoji in what people write.

Slack tells each by a name (":tada:"), whichever way it was put in; which sign that is stands in the
message's blocks (docs.slack.dev/reference/block-kit/block-elements/emoji-element). An emoji that a
workspace made for itself is no sign, and keeps its name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_SIGN = re.compile(r"[0-9a-f]{2,6}(?:-[0-9a-f]{2,6})*", re.ASCII)
_LAST = 0x10FFFF
_HALVES = range(0xD800, 0xE000)


def signs_in(blocks: Any) -> dict[str, str]:
    """The signs of the emoji in a message's blocks, by their names. Never raises."""
    found: dict[str, str] = {}
    left = [blocks]
    while left:
        one = left.pop()
        if isinstance(one, list):
            left += one
        elif isinstance(one, dict):
            if one.get("type") == "emoji":
                found[_name(one)] = _sign(one.get("unicode"))
            left.append(one.get("elements"))
    return {name: sign for name, sign in found.items() if name and sign}


def _name(element: dict[str, Any]) -> str:
    name, tone = str(element.get("name", "")), element.get("skin_tone")
    return f"{name}::skin-tone-{tone}" if tone and "::" not in name else name


def _sign(told: Any) -> str:
    if not isinstance(told, str) or not _SIGN.fullmatch(told):
        return ""
    points = [int(one, 16) for one in told.split("-")]
    if any(one > _LAST or one in _HALVES for one in points):
        return ""
    return "".join(map(chr, points))


def with_signs(text: str, signs: Mapping[str, str]) -> str:
    """The text with the signs of its emoji in place of their names."""
    if not signs:
        return text
    # The longest first: a name with a skin tone begins with another name.
    names = "|".join(re.escape(one) for one in sorted(signs, key=len, reverse=True))
    return re.sub(f":({names}):", lambda match: signs[match[1]], text)
