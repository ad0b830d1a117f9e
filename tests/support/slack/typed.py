"""What people type, as Slack delivers it: escaped, with links and mentions in angle brackets, and
emoji by their names, whichever way they were put in."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tests.support.slack.errors import Json
from tests.support.slack.text import Names, escaped

_TOP_LEVELS = "com|org|net|io|dev|app|ai|co|de|eu|fr|uk|example|test"
EMOJI = {"🎉": "tada", "👍": "+1", "👋": "wave", "🙂": "slightly_smiling_face", "❌": "x"}
"""Some signs and their names (docs.slack.dev/reference/block-kit/block-elements/emoji-element)."""
_TONES = {chr(0x1F3F9 + number): number for number in range(2, 7)}
_NAMED = {name: sign for sign, name in EMOJI.items()} | {"thumbsup": "👍"}

_TYPED = re.compile(
    rf"""
    (?P<url>https?://[^\s<>]*[^\s<>.,;:!?)'"])
    | (?P<mail>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)
    | (?P<site>(?<![\w@.])(?:[a-z0-9-]+\.)+(?:{_TOP_LEVELS})(?:/[^\s<>]*[^\s<>.,;:!?)])?(?![\w@]))
    | (?P<phone>(?<!\w)\+\d[\d ()/-]{{6,}}\d)
    | (?<!\w)@(?P<person>[\w-]+(?:\.[\w-]+)*)
    | (?<!\w)\#(?P<channel>[\w-]+)
    | :(?P<emoji>[a-z0-9_+-]+):
    | (?P<sign>[{"".join(EMOJI)}][{"".join(_TONES)}]?)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_CALLS = ("here", "channel", "everyone")


def delivered(text: str, names: Names) -> tuple[str, list[Json]]:
    """The `text` and the rich text block of what somebody typed.

    `names` gives the identifier of "@ada" or "#general"; a name that nobody has stays a word.
    """
    pieces = list(_pieces(text, names))
    words = "".join(piece for piece, _ in pieces)
    elements = [element for _, element in pieces]
    section = {"type": "rich_text_section", "elements": elements}
    return words, [{"type": "rich_text", "elements": [section]}] if elements else []


def _pieces(text: str, names: Names) -> Iterator[tuple[str, Json]]:
    end = 0
    for match in _TYPED.finditer(text):
        found = _found(match, names)
        if found is None:
            continue
        if match.start() > end:
            yield _word(text[end : match.start()])
        yield found
        end = match.end()
    if text[end:]:
        yield _word(text[end:])


def _word(text: str) -> tuple[str, Json]:
    return escaped(text), {"type": "text", "text": text}


def _found(match: re.Match[str], names: Names) -> tuple[str, Json] | None:
    kind, held = match.lastgroup or "", match[match.lastgroup or 0]
    whole = escaped(match[0])
    if kind == "url":
        return f"<{whole}>", {"type": "link", "url": held}
    if kind == "mail":
        address = f"mailto:{held}"
        return f"<{address}|{whole}>", {"type": "link", "url": address, "text": held}
    if kind == "site":
        return f"<http://{whole}|{whole}>", {"type": "link", "url": f"http://{held}", "text": held}
    if kind == "phone":
        address = "tel:" + re.sub(r"[^\d+]", "", held)
        return f"<{address}|{whole}>", {"type": "link", "url": address, "text": held}
    if kind == "emoji":
        return whole, _emoji(held, _NAMED.get(held, ""))
    if kind == "sign":
        return _signed(held)
    if kind == "person" and held in _CALLS:
        return f"<!{held}>", {"type": "broadcast", "range": held}
    return _named(kind, held, names)


def _signed(sign: str) -> tuple[str, Json]:
    name, tone = EMOJI[sign[0]], _TONES.get(sign[1:])
    if tone is None:
        return f":{name}:", _emoji(name, sign)
    return f":{name}::skin-tone-{tone}:", {**_emoji(name, sign), "skin_tone": tone}


def _emoji(name: str, sign: str) -> Json:
    """An emoji; one that the workspace made for itself is no sign."""
    points = "-".join(f"{ord(one):04x}" for one in sign)
    return {"type": "emoji", "name": name, **({"unicode": points} if sign else {})}


def _named(kind: str, held: str, names: Names) -> tuple[str, Json] | None:
    if kind == "person":
        user = names(f"@{held}")
        return (f"<@{user}>", {"type": "user", "user_id": user}) if user else None
    channel = names(f"#{held}")
    if channel is None:
        return None
    return f"<#{channel}|{held}>", {"type": "channel", "channel_id": channel}


_CALLED = re.compile(r"(?<![\w<])@(?P<person>[\w-]+(?:\.[\w-]+)*)")


def escaped_command(text: str, names: Names) -> str:
    """The text of a slash command that is to be escaped: a person who is called stands in it by
    their identifier, with their name behind it
    (docs.slack.dev/interactivity/implementing-slash-commands)."""

    def found(match: re.Match[str]) -> str:
        user = names(match[0])
        return f"<@{user}|{match['person']}>" if user else match[0]

    return _CALLED.sub(found, escaped(text))
