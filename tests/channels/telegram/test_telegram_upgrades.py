"""A group becomes a supergroup, which has another number and none of the old messages: every
conversation in it goes on. And a server that is older, or takes less, than the bot thought."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from channels.telegram.arriving import WrongToken
from core.model import Scripted
from tests.support.gallery_folder import gallery_folder
from tests.support.telegram.chats import Chat
from tests.support.telegram.faults import Refuses
from tests.support.telegram.features import API_10_0, PLAIN
from tests.support.telegram.people import Person
from tests.support.telegram.server import TelegramServer
from tests.support.telegram_bot import TelegramBot
from tests.support.telegram_faults import bot_texts, hasty_bot, parked

ANSWERS = (
    "About one working day after the approval. Then you can log in. It is never more than three.",
    "About a week. The desk writes to you before that. Nothing else is to be done by you.",
)
PRODUCT = "What should be bought?"


@pytest.fixture
async def bot(server: TelegramServer, tmp_path: Path, driver: str) -> AsyncIterator[TelegramBot]:
    async with hasty_bot(server, tmp_path, driver) as running:
        await running.quiet()
        yield running


async def opened(bot: TelegramBot, server: TelegramServer, *people: Person) -> Chat:
    """A group in which each of these has an open card."""
    team = server.group("Team", *people)
    for one in people:
        one.says("/start request", chat=team)
        await bot.quiet()
    return team


async def test_after_the_service_message_taps_and_words_go_on_in_the_new_group(
    bot: TelegramBot, server: TelegramServer, ada: Person
) -> None:
    team = await opened(bot, server, ada)
    upgraded = team.upgrades()
    await bot.quiet()
    ada.says("/start@surestep_bot", chat=upgraded)
    await bot.quiet()
    ada.taps("Something bought", chat=upgraded)
    await bot.quiet()
    assert PRODUCT in upgraded.newest.text
    ada.says("a chair", chat=upgraded, reply_to=upgraded.newest)
    await bot.quiet()
    assert await bot.draft(ada, team) == {"kind": "purchase", "product": "a chair"}
    receipts = [one.text for one in upgraded.messages if one.text.startswith("Ada\n✓")]
    assert receipts == ["Ada\n✓ Request: Something bought", "Ada\n✓ Item: a chair"]
    assert await parked(bot) == []


async def test_a_tap_on_the_card_in_the_old_group_goes_on_in_the_new_one(
    bot: TelegramBot, server: TelegramServer, ada: Person
) -> None:
    team = await opened(bot, server, ada)
    card = team.newest
    upgraded = team.upgrades()
    await bot.quiet()
    ada.taps("Something bought", card)
    await bot.quiet()
    assert await bot.draft(ada, team) == {"kind": "purchase"}
    assert "Ada\n✓ Request: Something bought" in bot_texts(upgraded)
    assert PRODUCT in upgraded.newest.text
    assert await parked(bot) == []


async def test_what_is_sent_before_the_news_arrives_finds_the_new_group(
    bot: TelegramBot, server: TelegramServer, ada: Person
) -> None:
    grace = server.person("Grace")
    team = await opened(bot, server, ada, grace)
    cards = {one.text.split()[0]: one for one in team.screen().live}
    ada.taps("Something bought", cards["Ada"])
    upgraded = team.upgrades()
    # Numbers begin anew in a supergroup: these are the numbers of the old cards.
    others = [grace.says("/help@surestep_bot", chat=upgraded) for _ in range(3)]
    await bot.quiet()
    assert await bot.draft(ada, team) == {"kind": "purchase"}
    assert [one.text for one in others] == ["/help@surestep_bot"] * 3
    shown = [one for one in upgraded.messages if one.from_bot]
    assert any(one.text == "Ada\n✓ Request: Something bought" for one in shown)
    assert any(PRODUCT in one.text and one.buttons for one in shown)
    assert not any(one.past for one in shown), "no message of another number was written over"
    assert await parked(bot) == []


async def test_a_number_of_the_old_group_is_never_another_message_of_the_new_one(
    bot: TelegramBot, server: TelegramServer, ada: Person
) -> None:
    team = await opened(bot, server, ada)
    upgraded = team.upgrades()
    await bot.quiet()
    upgraded.last_id = team.newest.id - 2
    ada.says("/start@surestep_bot", chat=upgraded)
    await bot.quiet()
    card = upgraded.screen(ada).live[-1]
    assert not card.past
    ada.taps("Something bought", card)
    await bot.quiet()
    assert card.text == "Ada\n✓ Request: Something bought"
    assert PRODUCT in upgraded.newest.text


# What the server is, or does not take


async def serve_until_refused(
    server: TelegramServer, ada: Person, folder: Path, driver: str
) -> None:
    """Serve until the token counts no more, with a tap on its way."""
    async with hasty_bot(server, folder, driver) as bot:
        await bot.quiet()
        ada.starts("request")
        await bot.quiet()
        ada.taps("Something bought")
        await server.until(lambda: server.called("answerCallbackQuery"), "the tap's turn")
        server.token = "4242:another-token"
        await bot.service.receive()


async def test_a_server_that_knows_the_bot_no_more_ends_it_and_a_good_token_goes_on(
    server: TelegramServer, ada: Person, tmp_path: Path, driver: str
) -> None:
    token = server.token
    with pytest.raises(WrongToken, match="BotFather"):
        await serve_until_refused(server, ada, tmp_path, driver)
    server.token = token
    async with hasty_bot(server, tmp_path, driver) as bot:
        await bot.quiet()
        assert await bot.draft(ada) == {"kind": "purchase"}
        assert PRODUCT in bot.card(ada).text
        assert await parked(bot) == []


async def test_a_token_that_is_refused_while_sending_is_waited_for(
    bot: TelegramBot, server: TelegramServer, ada: Person
) -> None:
    ada.starts("request")
    await bot.quiet()
    server.befall(Refuses(401, "Unauthorized"), "editMessageText", "sendMessage", times=3)
    ada.taps("Something bought")
    await bot.quiet()
    assert bot_texts(ada.chat).count("✓ Request: Something bought") == 1
    assert PRODUCT in bot.card(ada).text
    assert await parked(bot) == []


@pytest.mark.parametrize("lacks", [API_10_0, PLAIN], ids=["Bot API 10.0", "plain"])
async def test_what_a_server_does_not_know_is_asked_for_once(
    server: TelegramServer, ada: Person, tmp_path: Path, driver: str, lacks: frozenset[str]
) -> None:
    server.lacks |= set(lacks)  # type: ignore[arg-type]
    model = Scripted(*ANSWERS)
    async with hasty_bot(server, tmp_path, driver, model=model) as bot:
        await bot.quiet()
        ada.starts("request")
        await bot.quiet()
        ada.taps("Access to a system")
        await bot.quiet()
        ada.taps("Analytics")
        await bot.quiet()
        for words in ("How long does it take?", "And the other one?"):
            ada.says(words)
            await bot.quiet()
        assert "By when" in bot.card(ada).text
        assert len(server.called("sendRichMessage")) == 1
        drafts = server.called("sendMessageDraft")
        assert len(drafts) == 1 if lacks == PLAIN else len(drafts) > 1
        texts = bot_texts(ada.chat)
        assert [one for one in ANSWERS if one in texts] == list(ANSWERS)


async def test_one_rich_message_that_is_refused_comes_as_a_plain_one(
    bot: TelegramBot, server: TelegramServer, ada: Person
) -> None:
    ada.starts("request")
    await bot.quiet()
    ada.taps("Access to a system")
    await bot.quiet()
    ada.taps("Analytics")
    await bot.quiet()
    assert bot.card(ada).is_rich
    server.befall(Refuses(400, "Bad Request: RICH_MESSAGE_INVALID"), "sendRichMessage")
    ada.starts()
    await bot.quiet()
    assert not bot.card(ada).is_rich
    day = next(one for one in bot.card(ada).labels if one.isdigit())
    server.befall(Refuses(400, "Bad Request: RICH_MESSAGE_INVALID"), "editMessageText")
    ada.taps(day)
    await bot.quiet()
    ada.says("/back")
    await bot.quiet()
    assert bot.card(ada).is_rich, "the next calendar is rich again"


async def test_entities_that_are_refused_are_left_out(
    bot: TelegramBot, server: TelegramServer, ada: Person
) -> None:
    odd = Refuses(400, "Bad Request: can't parse entities: wrong something")
    server.befall(odd, times=None, where=lambda p: "entities" in p)
    ada.starts("request")
    await bot.quiet()
    assert "What do you need?" in bot.card(ada).text
    assert bot.card(ada).entities == []
    ada.taps("Something bought")
    await bot.quiet()
    assert PRODUCT in bot.card(ada).text
    assert await parked(bot) == []


@pytest.mark.parametrize("lacks", [frozenset(), API_10_0], ids=["rich", "plain"])
async def test_a_file_that_the_server_has_no_more_is_left_out_of_the_summary_and_no_other(
    server: TelegramServer, ada: Person, tmp_path: Path, lacks: frozenset[str]
) -> None:
    server.lacks |= set(lacks)  # type: ignore[arg-type]
    folder = gallery_folder(tmp_path / "journeys")
    async with hasty_bot(server, tmp_path, journeys_dir=folder) as bot:
        await bot.quiet()
        ada.starts("gallery")
        await bot.quiet()
        lost = ada.sends_photo()
        await bot.quiet()
        ada.sends_photo()
        await bot.quiet()
        assert lost.file_id is not None
        server.files.forget(lost.file_id)
        ada.sends_document(b"%PDF-1.7", "plan.pdf")
        await bot.quiet()
        card = bot.card(ada)
        assert all(name in card.text for name in ("Front", "Back", "Plan"))
        shown = [one.media for one in ada.chat.screen() if one.from_bot and one.media]
        assert shown == ["photo", "document"]
        ada.taps("Confirm")
        await bot.quiet()
        assert len(await bot.house.store.submissions(f"telegram:{ada.id}")) == 1
