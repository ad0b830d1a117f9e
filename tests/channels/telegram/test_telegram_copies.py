"""A card that is there more than once, since answers to its sending were lost: each copy that comes
to be known is kept, and a card that is closed stays closed."""

from __future__ import annotations

import asyncio
import copy
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from channels.telegram.channel import Telegram
from channels.telegram.native import Drawn
from core.channel import SEEN_AT
from core.store import Store
from tests.support.telegram.people import Person
from tests.support.telegram.server import TelegramServer
from tests.support.telegram_bot import TelegramBot, telegram_bot
from tests.support.telegram_cards import begun


@pytest.fixture
async def bot(server: TelegramServer, tmp_path: Path) -> AsyncIterator[TelegramBot]:
    """The whole program, running."""
    async with telegram_bot(server, tmp_path) as running:
        yield running


@pytest.fixture
async def taking(bot: TelegramBot, tmp_path: Path) -> AsyncIterator[Telegram]:
    """A process that only takes what arrives, with a database of its own: nothing has its turn."""
    store = await Store.open(f"sqlite+aiosqlite:///{tmp_path / 'taking.db'}")
    await store.migrate()
    channel = Telegram(bot.channel.api, store, bot.channel.me)
    yield channel
    await channel.close()
    await store.close()


async def a_tap(bot: TelegramBot, ada: Person) -> dict[str, Any]:
    """The update of Ada's tap on her open card, as Telegram tells it."""
    await begun(bot, ada)
    ada.taps("Meetup")
    await bot.quiet()
    return bot.server.updates.log[-1].json()


def on_message(update: dict[str, Any], number: int) -> dict[str, Any]:
    """The same tap, made on another copy of the card."""
    made = copy.deepcopy(update)
    made["update_id"] += number
    query = made["callback_query"]
    query["id"] = f"{query['id']}{number}"
    query["message"]["message_id"] = number
    return made


def card_of(update: dict[str, Any]) -> str:
    return str(update["callback_query"]["data"].split("|")[1])


async def test_of_copies_that_are_tapped_at_once_none_is_forgotten(
    bot: TelegramBot, taking: Telegram, ada: Person
) -> None:
    # Given a card of which one message is known, and since when it has been seen
    tap = await a_tap(bot, ada)
    lane, card = bot.lane(ada), card_of(tap)
    known = Drawn(chat=ada.id, messages=(900,), at=1_800_000_000.0)
    await taking.store.remember(lane, card, msgspec.to_builtins(known))

    # When three others are tapped at the same instant
    copies = (901, 902, 903)
    await asyncio.gather(*(taking.take(on_message(tap, number)) for number in copies))

    # Then all are known, and nobody knows any more since when the first was seen
    native = await taking.store.where(lane, card)
    assert native is not None
    drawn = msgspec.convert(native, Drawn)
    assert (drawn.messages, set(drawn.also)) == ((900,), set(copies))
    assert native.get(SEEN_AT) is None


async def test_of_a_card_that_nobody_knew_of_both_copies_come_to_be_known(
    bot: TelegramBot, taking: Telegram, ada: Person
) -> None:
    tap = await a_tap(bot, ada)
    await asyncio.gather(*(taking.take(on_message(tap, number)) for number in (901, 902)))

    native = await taking.store.where(bot.lane(ada), card_of(tap))
    assert native is not None
    drawn = msgspec.convert(native, Drawn)
    assert {*drawn.messages, *drawn.also} == {901, 902}


async def test_a_tap_that_comes_late_does_not_open_a_closed_card_again(
    bot: TelegramBot, taking: Telegram, ada: Person
) -> None:
    tap = await a_tap(bot, ada)
    lane, card = bot.lane(ada), card_of(tap)
    closed = Drawn(chat=ada.id, messages=())
    await taking.store.remember(lane, card, msgspec.to_builtins(closed))

    await taking.take(on_message(tap, 901))

    assert msgspec.convert(await taking.store.where(lane, card), Drawn) == closed
