"""What the tests of single taps and messages in Telegram have in common."""

from __future__ import annotations

import pytest

from tests.support.telegram.features import API_10_0, PLAIN
from tests.support.telegram.people import Person
from tests.support.telegram_bot import TelegramBot

FORMS = pytest.mark.parametrize(
    "lacks", [frozenset(), API_10_0, PLAIN], ids=["rich", "api_10_0", "plain"]
)
STALE = "That is from an earlier card. The question that is open now is the newest one below."


async def begun(bot: TelegramBot, ada: Person) -> None:
    """Ada is asked what kind of event it is."""
    ada.starts("event")
    await bot.quiet()


def asks_last(bot: TelegramBot, person: Person, words: str) -> None:
    """The one live card asks this, and nothing stands below it (G7, G8)."""
    card = bot.card(person)
    assert words in card.text
    assert person.chat.newest is card
