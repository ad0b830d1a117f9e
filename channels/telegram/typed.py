"""What a person typed, without what they typed only to reach the bot."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from channels.telegram.shared import somebody
from channels.telegram.updates import Entity, User
from core.replies import Somebody

_BEFORE = re.compile(r"[\s,]*\Z")
_AFTER = re.compile(r"[\s,:;]*")
_SPACE = re.compile(r"[ \t]*\Z")
_SCHEME = re.compile(r"https?://(?:www\.)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Typed:
    """A text as it is meant.

    `command` is the name of the command that it begins with, lower case, `text` then what stands
    after it. `named` says that the command names this bot, `other` that it is another's; `mentions`
    that the bot is named among words; `people` are the others who are, so that it is known who.
    """

    text: str
    command: str = ""
    named: bool = False
    other: bool = False
    mentions: bool = False
    people: tuple[Somebody, ...] = ()


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a text that an entity marks, in Python's own places."""

    entity: Entity
    start: int
    end: int


def typed(
    text: str, entities: Sequence[Entity], bot: User, *, public: bool, commands: bool
) -> Typed:
    """Read a text. Where others are, in a `public` chat, the bot's name is left out of it.

    A command counts at the very beginning, and only with `commands`. Where nobody else is, one that
    names another bot is but words.

    A link that lies under other words follows them in brackets. Whoever lays a link under "our
    page" means both: the words are how it reads, the address is what it is about, and a draft,
    which is plain text, would lose the address for good. What is typed is kept as it is.
    """
    parts = list(_parts(text, entities))
    first = next((one for one in parts if one.start == 0), None)
    if commands and first is not None and first.entity.type == "bot_command":
        name, _, owner = text[1 : first.end].partition("@")
        named = owner.casefold() == bot.username.casefold()
        other = bool(owner) and not named
        if other and not public:
            return typed(text, entities, bot, public=public, commands=False)
        rest = [one for one in parts if one.start >= first.end]
        argument, _ = _changed(text, rest, bot, public=public)
        called = tuple(one for part in rest for one in _called(text, part, bot, public=public))
        argument = argument[first.end :].strip()
        return Typed(argument, name.casefold(), named, other, people=called)
    said, mentions = _changed(text, parts, bot, public=public)
    people = (one for part in parts for one in _called(text, part, bot, public=public))
    return Typed(said, mentions=mentions, people=tuple(people))


def _called(text: str, part: _Part, bot: User, *, public: bool) -> Iterator[Somebody]:
    """Who is called by a name that links to them. A handle tells nothing but itself; only of a bot
    it tells that it is one (core.telegram.org/bots/features#creating-a-new-bot)."""
    shown, user = text[part.start : part.end], part.entity.user
    if public and _names(part.entity, shown, bot):
        return
    if part.entity.type == "text_mention" and user is not None:
        yield somebody(user, shown)
    if part.entity.type == "mention" and shown.casefold().endswith("bot"):
        yield Somebody(handle=shown.removeprefix("@"), said=shown, wrong="bot")


def _changed(text: str, parts: list[_Part], bot: User, *, public: bool) -> tuple[str, bool]:
    mentions = False
    # From the end, so that the places of what stands before stay true.
    for part in sorted(parts, key=lambda one: (one.start, one.end), reverse=True):
        shown = text[part.start : part.end]
        if public and _names(part.entity, shown, bot):
            text, mentions = _without(text, part), True
        elif part.entity.type == "text_link" and _hides(shown, part.entity.url):
            text = f"{text[: part.end]} ({part.entity.url}){text[part.end :]}"
    return text, mentions


def _names(entity: Entity, shown: str, bot: User) -> bool:
    if entity.type == "text_mention":
        return entity.user is not None and entity.user.id == bot.id
    return entity.type == "mention" and shown.casefold() == f"@{bot.username}".casefold()


def _without(text: str, part: _Part) -> str:
    """The text without the bot's name, and without the comma or space that set it off."""
    before, after = text[: part.start], text[part.end :]
    if not before.strip():
        return _AFTER.sub("", after, count=1)
    if not after.strip():
        return _BEFORE.sub("", before)
    return _SPACE.sub("", before) + after


def _hides(shown: str, url: str) -> bool:
    """Whether a web address cannot be seen in the words that it lies under."""
    is_web = _SCHEME.match(url) is not None
    return is_web and _bare(url) != _bare(shown)


def _bare(url: str) -> str:
    return _SCHEME.sub("", url.strip(), count=1).rstrip("/").casefold()


def _parts(text: str, entities: Sequence[Entity]) -> Iterator[_Part]:
    """The marked parts that lie in the text and cut no character in two."""
    places = _places(text)
    for one in entities:
        start, end = places.get(one.offset), places.get(one.offset + one.length)
        if start is not None and end is not None and start < end:
            yield _Part(one, start, end)


def _places(text: str) -> dict[int, int]:
    """From a place in UTF-16 units to the place in the text."""
    places, units = {0: 0}, 0
    for number, character in enumerate(text, start=1):
        units += 2 if character > "\uffff" else 1
        places[units] = number
    return places
