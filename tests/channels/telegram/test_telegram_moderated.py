"""What is submitted in Telegram is looked at in a group; the bot is run from its chats."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest

from core.state import Status
from tests.support.admin_round import goes_round
from tests.support.telegram.chats import Chat
from tests.support.telegram.people import Person
from tests.support.telegram.server import TelegramServer
from tests.support.telegram_bot import TelegramBot, telegram_bot
from tests.support.telegram_people import Visit
from tests.support.trip_folder import moderated_trip

ONLY = "This is only for the people who run this bot."


@pytest.fixture
def olga(server: TelegramServer) -> Person:
    """The owner, as the settings have it."""
    return server.person("Olga")


@pytest.fixture
def bob(server: TelegramServer) -> Person:
    """A moderator."""
    return server.person("Bob")


@pytest.fixture
def room(server: TelegramServer, olga: Person, bob: Person) -> Chat:
    """Where submissions are looked at."""
    return server.group("Moderators", olga, bob)


@pytest.fixture
async def bot(
    server: TelegramServer, room: Chat, olga: Person, bob: Person, tmp_path: Path, driver: str
) -> AsyncIterator[TelegramBot]:
    settings = moderated_trip(tmp_path, f"telegram:{room.id}")
    owners = f"telegram:{olga.id}"
    async with telegram_bot(server, tmp_path, driver, owners=owners, **settings) as running:
        assert f"{bob.id} is moderator now." in await asks(
            running, olga, f"grant telegram:{bob.id} moderator"
        )
        yield running


async def asks(bot: TelegramBot, person: Person, written: str) -> str:
    """What `/admin ...` answers in somebody's private chat."""
    person.says(f"/admin {written}")
    await bot.quiet()
    return str(person.chat.newest.text)


async def submits(bot: TelegramBot, ada: Person) -> Visit:
    visit = Visit(bot, ada)
    for act in ("/start trip", "[The sea]", "5 February 2031", "skip", "[Confirm]"):
        await visit.does(act)
    return visit


async def test_a_submission_goes_back_is_changed_and_approved_in_the_group(
    bot: TelegramBot, ada: Person, bob: Person, room: Chat
) -> None:
    visit = await submits(bot, ada)
    assert "look at it first" in ada.chat.newest.text
    first = room.newest
    assert first.text.startswith(f"#1 A trip\nFrom Ada (telegram:{ada.id}), ")
    assert [one.label for one in first.buttons] == ["Approve", "Ask for changes", "Reject"]

    await bob.taps("Ask for changes", first).answered()
    await bot.quiet()
    bob.says("Please take the hills.", chat=room, reply_to=room.newest)
    await bot.quiet()
    assert "Changes asked for by Bob, " in first.text
    assert first.buttons == []
    assert "Please take the hills." in str(visit)

    for act in ("[Place]", "[The hills]", "[Confirm]"):
        await visit.does(act)
    second = room.newest
    assert "#2 A trip" in second.text
    assert "Place: The hills" in second.text
    answer = await bob.taps("Approve", second).answered()
    assert answer.text == "Approved: no. 2 is on its way."
    await bot.quiet()
    assert "Approved by Bob, " in second.text
    assert await visit.status() is Status.SUBMITTED
    assert "(no. 2) was approved" in str(visit)
    (delivered,) = await visit.delivered("trips.jsonl")
    assert delivered["place"] == "hills"


async def test_who_only_reads_along_decides_nothing_and_the_second_hears_who_was_first(
    bot: TelegramBot, server: TelegramServer, ada: Person, bob: Person, olga: Person, room: Chat
) -> None:
    await submits(bot, ada)
    post = room.newest
    eve = server.person("Eve")
    room.joins(eve)
    assert (await eve.taps("Approve", post).answered()).text == ONLY

    await bob.taps("Reject", post).answered()
    await bot.quiet()
    prompt = room.newest
    assert (await olga.taps("Approve", post).answered()).text == "Approved: no. 1 is on its way."
    await bot.quiet()
    bob.says("Too far.", chat=room, reply_to=prompt)
    await bot.quiet()
    seen = str(room.screen(bob)) + str(bob.chat.screen(bob))
    assert "No. 1 is decided already. Approved by Olga, " in seen
    assert "not accepted" not in str(ada.chat.screen(ada))


async def test_the_bot_is_run_from_the_chat(
    bot: TelegramBot, ada: Person, bob: Person, olga: Person
) -> None:
    await submits(bot, ada)
    assert await asks(bot, ada, "help") == ONLY
    assert "/admin approve N" in await asks(bot, bob, "help")
    assert await asks(bot, bob, "health") == (
        "There is no command “health”. /admin help shows what you can do."
    )
    assert "telegram since " in await asks(bot, olga, "health")

    queue = await asks(bot, olga, "queue")
    assert "#1: A trip, since " in queue
    stood = olga.chat.newest
    await olga.taps("Show 1", stood).answered()
    await bot.quiet()
    assert "Place: The sea" in olga.chat.newest.text

    await asks(bot, olga, "stats trip")
    photos = [one for one in olga.chat.messages if one.from_bot and one.media == "photo"]
    assert len(photos) == 1
    await asks(bot, olga, "export trip csv")
    files = [one for one in olga.chat.messages if one.from_bot and one.media == "document"]
    assert len(files) == 1

    await asks(bot, olga, "pause trip")
    eve = Visit(bot, bot.server.person("Eve"))
    eve.person.says("/start trip")
    await bot.quiet()
    assert "“A trip” cannot be started at the moment" in eve.person.chat.newest.text


async def test_a_long_record_turns_its_pages_where_it_stands(
    bot: TelegramBot, olga: Person
) -> None:
    for number in range(11):
        await asks(bot, olga, f"show {number + 50}")
    first = await asks(bot, olga, "audit")
    stood = olga.chat.newest
    await olga.taps("More", stood).answered()
    await bot.quiet()
    assert olga.chat.newest is stood
    assert stood.text != first
    await olga.taps("Back", stood).answered()
    await bot.quiet()
    assert stood.text.splitlines()[0] == first.splitlines()[0]


async def test_a_chat_says_what_it_is_called_in_a_manifest(
    bot: TelegramBot, olga: Person, room: Chat
) -> None:
    olga.says("/admin here", chat=room)
    await bot.quiet()
    assert f"This chat is telegram:{room.id}. " in olga.chat.newest.text
    assert str(room.id) not in room.newest.text

    lane = f"telegram:{room.id}:7:{olga.id}"
    assert bot.channel.chat_of(lane) == f"{room.id}/7"
    there = bot.channel.chat_lane(bot.channel.chat_of(lane))
    assert there == f"telegram:{room.id}:7:0"


async def test_in_a_private_chat_the_reason_need_not_be_a_reply(
    bot: TelegramBot, ada: Person, bob: Person
) -> None:
    visit = await submits(bot, ada)
    await asks(bot, bob, "show 1")
    await bob.taps("Reject", bob.chat.newest).answered()
    await bot.quiet()
    bob.says("Too far.")
    await bot.quiet()
    assert "Rejected: whoever sent in no. 1 has been told why." in bob.chat.newest.text
    assert "Too far." in str(visit)


async def test_what_is_done_before_the_reason_leaves_the_decision_open(
    bot: TelegramBot, ada: Person, bob: Person, room: Chat
) -> None:
    await submits(bot, ada)
    await asks(bot, bob, "show 1")
    await bob.taps("Reject", bob.chat.newest).answered()
    await bot.quiet()
    await asks(bot, bob, "queue")
    bob.says("Good morning.")
    await bot.quiet()
    assert [one.label for one in room.newest.buttons] == ["Approve", "Ask for changes", "Reject"]


async def test_every_command_is_answered(bot: TelegramBot, ada: Person, olga: Person) -> None:
    people = [ada, *(bot.server.person(name) for name in ("Dan", "Eve"))]
    for person in people:
        await submits(bot, person)
    here = f"This chat is telegram:{olga.id}."
    await goes_round(partial(asks, bot, olga), f"telegram:{people[-1].id}", here)
