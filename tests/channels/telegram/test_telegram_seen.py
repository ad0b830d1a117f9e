"""A card's place says when the card came to be seen, by Telegram's clock."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest

from core.cards import Button, Chips
from core.channel import SEEN_AT
from core.effects import Change, Draw
from tests.support.telegram.people import Person
from tests.support.telegram.server import TelegramServer
from tests.support.telegram_bot import TelegramBot, telegram_bot
from tests.support.telegram_cards import begun

CARD = Chips(
    id="c1", item="kind", title="Which one?", options=(Button(token="a", label="This one"),)
)


@pytest.fixture
async def bot(server: TelegramServer, tmp_path: Path, driver: str) -> AsyncIterator[TelegramBot]:
    """The whole program, running."""
    async with telegram_bot(server, tmp_path, driver) as running:
        yield running


async def test_a_card_that_a_turn_drew_was_seen_when_its_message_was_sent(
    bot: TelegramBot, ada: Person
) -> None:
    await begun(bot, ada)
    ask = (await bot.journey(ada)).ask
    assert ask is not None
    place = await bot.house.store.where(bot.lane(ada), ask.card)
    assert place is not None
    assert place[SEEN_AT] == ada.chat.newest.date


async def test_a_card_that_changes_where_it_stands_was_seen_when_it_came(
    bot: TelegramBot, ada: Person
) -> None:
    await begun(bot, ada)
    place = await bot.channel.carry_out(bot.lane(ada), Draw(card=CARD), None)
    assert place is not None
    came = place[SEEN_AT]
    assert came == ada.chat.newest.date
    changed = Change(card=msgspec.structs.replace(CARD, title="Which one is it?"))
    after = await bot.channel.carry_out(bot.lane(ada), changed, place)
    assert after is not None
    assert "Which one is it?" in ada.chat.newest.text
    assert (after[SEEN_AT], after["messages"]) == (came, place["messages"])
