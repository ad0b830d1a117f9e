"""Who runs the bot in Telegram: whom their commands are about, and who sees the answers."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.telegram.chats import Chat
from tests.support.telegram.people import Person
from tests.support.telegram.server import TelegramServer
from tests.support.telegram_bot import TelegramBot, telegram_bot
from tests.support.trip_folder import moderated_trip

ONLY = "This is only for the people who run this bot."


@pytest.fixture
def olga(server: TelegramServer) -> Person:
    """The owner, as the settings have it."""
    return server.person("Olga")


@pytest.fixture
def bob(server: TelegramServer) -> Person:
    return server.person("Bob", username="Bob_B")


@pytest.fixture
def room(server: TelegramServer, olga: Person, bob: Person) -> Chat:
    return server.group("Friends", olga, bob)


@pytest.fixture
async def bot(
    server: TelegramServer, room: Chat, olga: Person, tmp_path: Path
) -> AsyncIterator[TelegramBot]:
    settings = moderated_trip(tmp_path, f"telegram:{room.id}")
    async with telegram_bot(server, tmp_path, owners=f"telegram:{olga.id}", **settings) as running:
        olga.says("/admin help")
        await running.quiet()
        yield running


async def asks(bot: TelegramBot, person: Person, written: str, **where: object) -> str:
    """What a command answers in somebody's private chat, wherever it is given."""
    person.says(written, **where)  # type: ignore[arg-type]
    await bot.quiet()
    return str(person.chat.newest.text)


async def test_whose_message_is_answered_in_a_group_is_given_a_role_in_private(
    bot: TelegramBot, olga: Person, bob: Person, room: Chat
) -> None:
    hello = bob.says("Hello all", chat=room)
    told = await asks(bot, olga, "/admin grant moderator", chat=room, reply_to=hello)
    assert told == f"telegram:{bob.id} is moderator now."
    # The group reads that there is an answer, and nothing of it.
    assert str(bob.id) not in str(room.screen(bob))
    assert f"telegram:{bob.id}" in await asks(bot, olga, "/admin roles")


async def test_who_has_written_is_known_by_what_they_go_by_and_by_nothing_of_before(
    bot: TelegramBot, olga: Person, bob: Person
) -> None:
    assert (await asks(bot, olga, "/admin grant @bob_b moderator")).startswith(
        "Nobody who goes by @bob_b has written to me."
    )
    bob.says("/start trip")
    await bot.quiet()
    assert f"{bob.id} is moderator" in await asks(bot, olga, "/admin grant @bob_b moderator")
    bob.user["username"] = "robert"
    bob.says("/mine")
    await bot.quiet()
    assert "Nobody who goes by @BOB_B" in await asks(bot, olga, "/admin revoke @BOB_B")
    assert f"{bob.id} has no role now" in await asks(bot, olga, "/admin revoke @Robert")


async def test_a_stranger_who_answers_in_a_group_is_told_in_private(
    bot: TelegramBot, olga: Person, bob: Person, room: Chat
) -> None:
    bob.says("/start trip")
    await bot.quiet()
    hello = olga.says("Hello all", chat=room)
    await asks(bot, bob, "/admin block", chat=room, reply_to=hello)
    assert ONLY in bob.chat.screen().texts
    assert ONLY not in room.screen(bob).texts
    assert not await bot.house.store.is_blocked(f"telegram:{olga.id}")


async def test_their_command_may_be_called_otherwise(
    server: TelegramServer, olga: Person, room: Chat, tmp_path: Path
) -> None:
    settings = moderated_trip(tmp_path, f"telegram:{room.id}")
    owners = f"telegram:{olga.id}"
    async with telegram_bot(
        server, tmp_path, owners=owners, telegram_admin_command="surestep", **settings
    ) as bot:
        told = await asks(bot, olga, "/surestep help")
        assert "/surestep approve N" in told
        assert "/admin" not in told
        assert "/surestep help shows" in await asks(bot, olga, "/surestep xyzzy")
        before = len(olga.chat.messages)
        olga.says("/admin help")
        await bot.quiet()
        assert len(olga.chat.messages) == before + 1


async def test_it_is_the_programs_own_where_there_is_to_be_none(
    server: TelegramServer, olga: Person, room: Chat, tmp_path: Path
) -> None:
    settings = moderated_trip(tmp_path, f"telegram:{room.id}")
    async with telegram_bot(server, tmp_path, telegram_admin_command="off", **settings) as bot:
        olga.says("/start trip")
        await bot.quiet()
        olga.says("/admin help")
        await bot.quiet()
        update = server.updates.log[-1].json()
        assert update["message"]["text"] == "/admin help"
        assert not await bot.channel.wants(update)
        olga.says("/new trip")
        await bot.quiet()
        assert await bot.channel.wants(server.updates.log[-1].json())


async def test_below_a_post_in_a_channel_only_who_acts_is_asked_and_alone(
    bot: TelegramBot, server: TelegramServer, olga: Person, bob: Person, room: Chat
) -> None:
    room.type = "channel"
    for act in ("/start trip", "The sea", "5 February 2031", "skip"):
        bob.says(act)
        await bot.quiet()
    await bob.taps("Confirm").answered()
    await bot.quiet()
    post = room.newest
    assert [one.label for one in post.buttons] == ["Approve", "Ask for changes", "Reject"]

    await olga.taps("Reject", post).answered()
    await bot.quiet()
    assert room.newest is post
    assert "Reject: Why?" in olga.chat.newest.text
    olga.says("Too far.", reply_to=olga.chat.newest)
    await bot.quiet()
    assert "Rejected by Olga" in post.text
    assert room.newest is post
    assert "Too far." in "\n".join(bob.chat.screen().texts)


async def test_who_never_wrote_to_the_bot_is_told_to_where_it_may_not_write(
    bot: TelegramBot, server: TelegramServer, bob: Person, room: Chat
) -> None:
    room.type = "channel"
    for act in ("/start trip", "The sea", "5 February 2031", "skip"):
        bob.says(act)
        await bot.quiet()
    await bob.taps("Confirm").answered()
    await bot.quiet()
    eve = server.person("Eve", started=False)
    room.joins(eve)
    answer = await eve.taps("Reject", room.newest).answered()
    assert "t.me/surestep_bot" in answer.text
