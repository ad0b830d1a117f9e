"""What a person typed, from the text that Slack makes of it.

Slack writes "&", "<" and ">" as entities, and puts links, names and channels into angle brackets
(docs.slack.dev/messaging/formatting-message-text). The text is what people typed once this is
undone, and emoji are signs; what they typed only to reach the bot, its name, is left out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce

from channels.slack.emoji import with_signs

_TOKEN = re.compile(r"<([^<>]*)>")
_AFTER = re.compile(r"[\s,:;]*")
_SCHEME = re.compile(r"\A(?:https?://(?:www\.)?|mailto:|tel:)", re.IGNORECASE)
_GROUP = re.compile(r"subteam\^(?P<id>[^^]*)")
_PHONE = re.compile(r"[^\d+]")
_SET_OFF = ", \t\r\n\u00a0"
_ENTITIES = (("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"))
"""In this order: "&amp;lt;" is what "&lt;" was typed as."""

_PLAIN = str.maketrans("“”„‟«»‘’‚‛‐‑‒–—―", '""""""\'\'\'\'------')
"""What keyboards make of quotes and dashes on their own (github.com/errbotio/errbot/issues/1145).
"""


@dataclass(frozen=True, slots=True)
class Called:
    """Somebody who is called in a text or picked: their id, and how they stand in the text, "@" and
    the id where Slack did not tell a name. `several` says that it is a group, or all of a channel.
    """

    id: str
    said: str = ""
    several: bool = False


@dataclass(frozen=True, slots=True)
class Typed:
    """A text as it was typed. `mentions` says that the bot is named, `people` are the others who
    are."""

    text: str
    mentions: bool = False
    people: tuple[Called, ...] = ()


def typed(text: str, bot: str = "", emoji: Mapping[str, str] = {}) -> Typed:
    """Read a text as Slack delivers it. `bot` is the bot's own id, `emoji` the signs of the emoji
    in it by their names (see `emoji.signs_in`).

    A link that lies under other words follows them in brackets. Whoever lays a link under "our
    page" means both, and a draft, which is plain text, would lose the address for good.
    """
    pieces, people, end = [""], dict[Called, None](), 0
    for match in _TOKEN.finditer(text):
        pieces[-1] += decoded(with_signs(text[end : match.start()], emoji))
        end = match.end()
        kind, about, label = _read(match[1])
        if kind == "@" and bot and about == bot:
            pieces.append("")
            continue
        shown = _shown(kind, about, label)
        if kind == "@" or (kind == "!" and shown.startswith("@")):
            people[Called(about, shown, several=kind == "!")] = None
        pieces[-1] += shown
    pieces[-1] += decoded(with_signs(text[end:], emoji))
    return Typed(reduce(_without_name, pieces), len(pieces) > 1, tuple(people))


def _without_name(before: str, after: str) -> str:
    """The text without the bot's name, and without the comma or space that set it off."""
    if not before.strip():
        return _AFTER.sub("", after, count=1)
    if not after.strip():
        return before.rstrip(_SET_OFF)
    return before.rstrip(" \t") + after


def decoded(text: str) -> str:
    """The text without Slack's three entities."""
    for entity, sign in _ENTITIES:
        text = text.replace(entity, sign)
    return text


def plain_signs(text: str) -> str:
    """The text of a command, with quotes and dashes as a keyboard has them."""
    return text.translate(_PLAIN)


def _read(token: str) -> tuple[str, str, str]:
    """The sign of a token's kind, empty for a link; what it is about; what it reads."""
    about, _, label = token.partition("|")
    kind = about[:1] if about[:1] in ("@", "#", "!") else ""
    return kind, decoded(about.removeprefix(kind)), decoded(label)


def _shown(kind: str, about: str, label: str) -> str:
    if kind in ("@", "#"):
        return kind + (label or about)
    if kind == "!":
        return _called(about, label)
    return _link(about, label)


def _called(about: str, label: str) -> str:
    """A date, a group of people, or all of a channel."""
    group = _GROUP.match(about)
    if group is not None:
        return label or f"@{group['id']}"
    if "^" in about:
        return label
    return f"@{about}"


def _link(address: str, label: str) -> str:
    known = _SCHEME.sub("", address) if _is_short(address) else address
    if not label:
        return known
    # What has no address that people know of (a link of Slack's own) is what it reads.
    seen = _bare(address) == _bare(label) or _dials(address, label) or not _SCHEME.match(address)
    return label if seen else f"{label} ({known})"


def _is_short(address: str) -> bool:
    """Whether people know the address without its scheme."""
    return address.startswith(("mailto:", "tel:"))


def _dials(address: str, label: str) -> bool:
    return address.startswith("tel:") and _PHONE.sub("", address) == _PHONE.sub("", label)


def _bare(address: str) -> str:
    return _SCHEME.sub("", address.strip()).rstrip("/").casefold()
