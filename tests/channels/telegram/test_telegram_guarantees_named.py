"""Guarantees of which each has its own story in Telegram: old cards (G8), no model (G12), what is
logged and reported (G14), forged taps (G15), what a change asks anew (G16)."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from random import Random

import pytest
import structlog
from sqlalchemy import select

from bot.logs import set_up
from channels.telegram.payload import Dest, data_for
from core.model import Model
from core.state import Conversation
from core.store.tables import event
from core.texts import Texts
from tests.support.dinner_folder import dinner
from tests.support.mischief import Mischief
from tests.support.telegram.chats import Chat
from tests.support.telegram.features import PLAIN, Feature
from tests.support.telegram.messages import Message
from tests.support.telegram.people import Person
from tests.support.telegram.server import TelegramServer
from tests.support.telegram_bot import DRIVERS, TelegramBot, telegram_bot
from tests.support.telegram_watch import buttons_of, settled, submissions
from tests.support.wandering import WAY

TEXTS = Texts("en")
SERVERS: tuple[frozenset[Feature], ...] = (frozenset(), PLAIN)
NOON = 1_796_126_400
"""1 December 2026, noon."""


@asynccontextmanager
async def chatting(
    folder: Path,
    lacks: frozenset[Feature] = frozenset(),
    driver: str = "aiogram",
    model: Model | None = None,
) -> AsyncIterator[tuple[TelegramBot, Person]]:
    """Ada, with the first question of her dinner open."""
    async with (
        TelegramServer(lacks=lacks, now=NOON) as server,
        telegram_bot(server, folder, driver, model=model, **dinner(folder)) as bot,
    ):
        ada = server.person("Ada")
        await says(bot, ada, "/start dinner")
        yield bot, ada


async def says(bot: TelegramBot, person: Person, *texts: str) -> None:
    """One text after the other, each dealt with before the next."""
    for text in texts:
        person.says(text)
        await settled(bot)


# --- G8: cards that are open no longer -----------------------------------------------------------


@pytest.mark.parametrize("driver", DRIVERS)
@pytest.mark.parametrize("lacks", SERVERS)
async def test_a_late_tap_takes_neither_receipt_nor_summary_away(
    tmp_path: Path, lacks: frozenset[Feature], driver: str
) -> None:
    async with chatting(tmp_path, lacks, driver) as (bot, ada):
        first = bot.card(ada)
        await says(bot, ada, *WAY)
        summary = bot.card(ada)
        late = await ada.taps("Online", first, stale=True).answered()
        await settled(bot)
        assert late.text == TEXTS("turn.stale")
        assert first.text == "✓ Format: In person"
        assert not first.deleted
        summary = bot.card(ada)
        ada.taps("Confirm")
        await settled(bot)
        shown = ada.chat.screen().texts
        for label, message in (("Confirm", summary), ("Cancel", summary), ("Online", first)):
            late = await ada.taps(label, message, stale=True).answered()
            await settled(bot)
            assert late.text == TEXTS("turn.nothing_open")
            assert ada.chat.screen().texts == shown
        assert len(await submissions(bot)) == 1


@pytest.mark.parametrize("lacks", SERVERS)
async def test_a_late_tap_on_a_cancelled_journeys_card_says_that_nothing_is_open(
    tmp_path: Path, lacks: frozenset[Feature]
) -> None:
    async with chatting(tmp_path, lacks) as (bot, ada):
        await says(bot, ada, "In person")
        card = bot.card(ada)
        data = card.buttons[0].data
        await says(bot, ada, "/cancel", "yes")
        assert data is not None
        late = await ada.forges(data, card).answered()
        await settled(bot)
        assert late.text == TEXTS("turn.nothing_open")
        assert not ada.chat.screen().live


# --- G12: no model -------------------------------------------------------------------------------


@pytest.mark.parametrize("driver", DRIVERS)
@pytest.mark.parametrize("lacks", SERVERS)
async def test_with_a_model_that_always_breaks_off_a_journey_is_finished(
    tmp_path: Path, lacks: frozenset[Feature], driver: str
) -> None:
    broken = Mischief(Random(7), fails=1.0)
    async with chatting(tmp_path, lacks, driver, broken) as (bot, ada):
        for text in WAY:
            await says(bot, ada, "why do you need that, and is parking free?")
            asked = ada.chat.screen()
            assert asked.texts[-2] == TEXTS("turn.model_down")
            assert asked[-1] is bot.card(ada)
            assert asked.draft is None
            await says(bot, ada, text)
        assert len(broken.requests) == len(WAY)
        ada.taps("Confirm")
        await settled(bot)
        (row,) = await submissions(bot)
        assert "Winterzauber" in row.content


# --- G14: what is logged and reported ------------------------------------------------------------


@contextmanager
def logging_all() -> Iterator[None]:
    """Logging as the program sets it up, from debug on."""
    before = structlog.get_config()
    set_up("debug")
    try:
        yield
    finally:
        structlog.configure(**before)


PRIVATE = re.compile(r"Winterzauber|Kamin|Suppe|Lovelace|Mallory|Pirate|parking|mill|River", re.I)


@pytest.mark.parametrize("lacks", SERVERS)
async def test_no_word_of_the_chat_is_in_a_log_or_an_event(
    tmp_path: Path, lacks: frozenset[Feature], capfd: pytest.CaptureFixture[str]
) -> None:
    model = Mischief(Random(3), fails=0.5)
    with logging_all():
        async with chatting(tmp_path, lacks, model=model) as (bot, ada):
            await says(bot, ada, *WAY)
            ada.taps("Confirm")
            await settled(bot)
            assert len(await submissions(bot)) == 1
            await says(bot, ada, "/new dinner")
            # What is asked now the model has a part in, so not every answer need be one.
            for text in WAY:
                await says(bot, ada, "is parking free in Lovelace street?", text)
            async with bot.house.store.database.read() as connection:
                events = [
                    str(dict(row._mapping)) for row in await connection.execute(select(event))
                ]
    out, err = capfd.readouterr()
    assert "model_failed" in out + err, "nothing was logged at all"
    assert len(events) > len(WAY)
    for line in (*out.splitlines(), *err.splitlines(), *events):
        assert not PRIVATE.search(line), f"G14: {line}"


# --- G15: forged taps ----------------------------------------------------------------------------


@pytest.mark.parametrize("lacks", SERVERS)
async def test_a_forged_tap_settles_nothing_and_takes_nobodys_card_away(
    tmp_path: Path, lacks: frozenset[Feature]
) -> None:
    async with chatting(tmp_path, lacks) as (bot, ada):
        bob = bot.server.person("Bob")
        group = bot.server.group("Kitchen", ada, bob)
        for person in (ada, bob):
            person.says("/start@surestep_bot dinner", chat=group)
            await settled(bot)
        everywhere = [(ada, None), (ada, group), (bob, group)]
        before = [await bot.state(*one) for one in everywhere]
        (mine,), (theirs,) = cards(group, bob), cards(group, ada)
        private = buttons_of(bot.card(ada))[0]
        open_one, own = buttons_of(theirs)[0], buttons_of(mine)[0]
        forged = [
            data_for(card, token, Dest(chat=group.id, owner=owner, thread=thread))
            for card in (open_one.card, private.card)
            for token in (open_one.token, "confirm", "~cancel", "~page1")
            for owner, thread in ((ada.id, 0), (ada.id, 7), (bob.id, 0), (bob.id, 7))
        ]
        forged.append(data_for(own.card, own.token, Dest(chat=group.id, owner=ada.id)))
        for data in (*forged, "confirm", "s1|||0|0", "s1|a|b|c|0|0", "\u200b" * 20):
            for message in (theirs, mine):
                tap = bob.forges(data, cards(group, bob)[0] if message.deleted else message)
                await tap.answered()
            await settled(bot)
            after = [await bot.state(*one) for one in everywhere]
            assert [drafts(one) for one in after] == [drafts(one) for one in before]
            assert after[0] == before[0], "her private chat has nothing to do with it"
            assert after[1].journey == before[1].journey
            assert not theirs.deleted, f"{data} took her card away"
            assert cards(group, ada) == [theirs]
            assert len(cards(group, bob)) == 1
        assert await submissions(bot) == ()


def drafts(state: Conversation) -> object:
    return state.journey.draft if state.journey is not None else None


def cards(group: Chat, person: Person) -> list[Message]:
    """The cards of one person that have buttons."""
    live = group.screen(person).live
    return [one for one in live if any(b.owner == person.id for b in buttons_of(one))]


async def test_a_card_cannot_be_tapped_from_another_private_chat(tmp_path: Path) -> None:
    async with chatting(tmp_path) as (bot, ada):
        bob = bot.server.person("Bob")
        await says(bot, bob, "/start dinner")
        hers, his = bot.card(ada), bot.card(bob)
        before = await bot.state(ada)
        for button in hers.buttons:
            assert button.data is not None
            answer = await bob.forges(button.data, his).answered()
            assert answer.text == ""
        await settled(bot)
        assert await bot.state(ada) == before
        assert bot.card(ada) is hers
        assert bot.card(bob) is his


# --- G16: what a change asks anew ----------------------------------------------------------------


@pytest.mark.parametrize("driver", DRIVERS)
@pytest.mark.parametrize("lacks", SERVERS)
async def test_a_change_asks_anew_what_hangs_on_it_and_nothing_else(
    tmp_path: Path, lacks: frozenset[Feature], driver: str
) -> None:
    async with chatting(tmp_path, lacks, driver) as (bot, ada):
        await says(bot, ada, *WAY)
        before = await bot.draft(ada)
        edit = next(one for one in bot.card(ada).labels if one.endswith("Hall"))
        ada.taps(edit)
        await settled(bot)
        await says(bot, ada, "Old Mill Annex")
        screen = ada.chat.screen()
        assert "Hall changed from River Hall to Old Mill Annex" in str(screen)
        assert screen.texts[-2] == TEXTS("turn.lost", items="Seats")
        assert "How many seats?" in bot.card(ada).text
        await says(bot, ada, "25")
        after = await bot.draft(ada)
        assert "Confirm" in bot.card(ada).labels
        assert after == {**before, "hall": after["hall"], "seats": 25}
        assert after["hall"]["label"] == "Old Mill Annex"


async def test_what_is_hidden_by_a_change_is_named_and_not_on_the_summary(tmp_path: Path) -> None:
    async with chatting(tmp_path) as (bot, ada):
        await says(bot, ada, *WAY)
        edit = next(one for one in bot.card(ada).labels if one.endswith("Format"))
        ada.taps(edit)
        await settled(bot)
        await says(bot, ada, "Online")
        told = ada.chat.screen().texts[-2]
        assert TEXTS("turn.hidden", items="Hall") in told
        assert TEXTS("turn.lost", items="Seats") in told
        await says(bot, ada, "https://example.org/room", "25")
        summary = bot.card(ada)
        assert "Confirm" in summary.labels
        assert "Hall" not in summary.text
        ada.taps("Confirm")
        await settled(bot)
        (row,) = await submissions(bot)
        assert "hall" not in row.content
