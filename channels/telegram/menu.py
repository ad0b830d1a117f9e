"""The menu of commands that Telegram shows beside the input, in each language of the runtime.

Only for a bot of Surestep's own: in a program that runs a bot already, the menu is that program's.
"""

from __future__ import annotations

import structlog

from channels.telegram.api import Api, ApiFailed
from channels.telegram.limits import COMMAND_DESCRIPTION
from channels.telegram.native import Json
from channels.telegram.payload import Dest
from core.state import Person
from core.store import Store
from core.texts import FALLBACK, Texts, language_of, runtime_texts

log = structlog.get_logger()

COMMANDS = (
    "start",
    "new",
    "resume",
    "review",
    "mine",
    "back",
    "cancel",
    "language",
    "timezone",
    "privacy",
    "help",
)
"""In the order of the menu."""

ADMIN = "admin"
"""For those who run the bot. No menu shows it."""

_PLACE = "~menu"
"""Where the language of a chat's menu is kept, among the places of the lane's cards."""

_CODE_LENGTH = 2
"""Telegram's language codes are those of ISO 639-1."""


def entries(language: str) -> list[Json]:
    """The menu in a language, as the Bot API's BotCommands."""
    texts = Texts(language)
    return [
        {"command": name, "description": texts(f"telegram.menu.{name}")[:COMMAND_DESCRIPTION]}
        for name in COMMANDS
    ]


class Menus:
    """The menus of those who chose another language than their client's: each has one in their own
    private chat. What was set is kept, so that it is set once."""

    def __init__(self, api: Api, store: Store) -> None:
        self._api = api
        self._store = store
        self._known: dict[str, str] = {}

    async def follow(self, dest: Dest, person: Person) -> None:
        """Speak the language that a person chose. A failure is logged, and the next message to
        them tries again."""
        language = language_of(person.locale)
        chose = dest.private and person.locale_chosen
        if not chose or self._known.get(dest.lane) == language:
            return
        place = await self._store.where(dest.lane, _PLACE)
        if place is None or place.get("language") != language:
            scope = {"type": "chat", "chat_id": dest.chat}
            try:
                await self._api.call("setMyCommands", commands=entries(language), scope=scope)
            except ApiFailed as failed:
                log.warning("telegram_menu_not_set", error=str(failed))
                return
            await self._store.remember(dest.lane, _PLACE, {"language": language})
        self._known[dest.lane] = language


async def show(api: Api, default: str = FALLBACK) -> None:
    """Set the menu wherever it is not what it should be.

    Whoever's language is none of the runtime's sees it in the `default` one. The bot is complete
    without its menu: a failure is logged, and the next start tries again.
    """
    languages = [None, *(code for code in sorted(runtime_texts()) if len(code) == _CODE_LENGTH)]
    try:
        for code in languages:
            wanted = entries(code or default)
            if await api.call("getMyCommands", language_code=code) != wanted:
                await api.call("setMyCommands", commands=wanted, language_code=code)
    except ApiFailed as failed:
        log.warning("telegram_menu_not_set", error=str(failed))
