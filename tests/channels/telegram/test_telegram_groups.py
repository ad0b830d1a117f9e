"""Groups and topics: one conversation per person per chat and thread, nobody in another's way."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from channels.telegram.payload import Dest, data_for
from core.model import Request, Scripted
from tests.support.telegram.bare import PNG
from tests.support.telegram.chats import Chat, Topic
from tests.support.telegram.features import API_10_0, PLAIN, Feature
from tests.support.telegram.messages import Message
from tests.support.telegram.people import Medium, Person
from tests.support.telegram.server import TelegramServer
from tests.support.telegram_bot import DRIVERS, TelegramBot, telegram_bot

NOT_YOURS = "These buttons belong to somebody else. Write to me to start your own."
FORMS = pytest.mark.parametrize(
    "lacks", [frozenset(), API_10_0, PLAIN], ids=["rich", "api_10_0", "plain"]
)


@pytest.fixture
async def bot(server: TelegramServer, tmp_path: Path) -> AsyncIterator[TelegramBot]:
    """The whole program, running; the bot's privacy mode is on."""
    async with telegram_bot(server, tmp_path) as running:
        yield running


@pytest.fixture
def bob(server: TelegramServer) -> Person:
    return server.person("Bob")


@pytest.fixture
def group(server: TelegramServer, ada: Person, bob: Person) -> Chat:
    return server.group("Orga", ada, bob)


def card_of(person: Person, chat: Chat, thread: Topic | int | None = None) -> Message:
    """The one card in a group whose buttons are this person's; it names them."""
    number = thread.id if isinstance(thread, Topic) else thread
    live = [one for one in chat.screen(person, number).live if one.text.startswith(person.name)]
    assert len(live) == 1, f"{len(live)} cards of {person.name}:\n{chat.screen(person, number)}"
    return live[0]


# --- one conversation per person and place -------------------------------------------------------


@FORMS
async def test_two_people_in_one_group_go_their_own_ways(
    bot: TelegramBot,
    server: TelegramServer,
    ada: Person,
    bob: Person,
    group: Chat,
    lacks: frozenset[Feature],
) -> None:
    server.lacks = set(lacks)
    ada.says("/new event", chat=group)
    bob.says("/new event", chat=group)
    await bot.quiet()
    taps = ada.taps("Meetup", card_of(ada, group)), bob.taps("Talk", card_of(bob, group))
    await asyncio.gather(*(tap.answered() for tap in taps))
    await bot.quiet()
    ada.taps("In person", card_of(ada, group))
    bob.says("online", chat=group, reply_to=card_of(bob, group))
    await bot.quiet()
    assert await bot.draft(ada, group) == {"kind": "meetup", "format": "in_person"}
    assert await bot.draft(bob, group) == {"kind": "talk", "format": "online"}
    # What is printed says whose it is.
    texts = group.screen().texts
    assert "Ada\n✓ Kind of event: Meetup" in texts
    assert "Bob\n✓ Kind of event: Talk" in texts


async def test_one_person_in_two_topics_and_in_private_has_three_drafts(
    bot: TelegramBot, server: TelegramServer, ada: Person, bob: Person
) -> None:
    forum = server.group("Forum", ada, bob, forum=True)
    spring, autumn = forum.topic("Spring"), forum.topic("Autumn")
    ada.says("/new event", chat=forum, thread=spring)
    ada.says("/new request", chat=forum, thread=autumn)
    ada.starts("event")
    await bot.quiet()
    ada.taps("Meetup", card_of(ada, forum, spring))
    ada.taps("Access to a system", card_of(ada, forum, autumn))
    ada.taps("Talk", bot.card(ada))
    await bot.quiet()
    assert await bot.draft(ada, forum, spring.id) == {"kind": "meetup"}
    assert await bot.draft(ada, forum, autumn.id) == {"kind": "access"}
    assert await bot.draft(ada) == {"kind": "talk"}
    # Each card stands in its own topic.
    assert "Where does it take place?" in card_of(ada, forum, spring).text
    assert "Access to which system?" in card_of(ada, forum, autumn).text


async def test_a_tap_on_a_card_in_another_topic_settles_that_one(
    bot: TelegramBot, server: TelegramServer, ada: Person, bob: Person
) -> None:
    forum = server.group("Forum", ada, bob, forum=True)
    spring, autumn = forum.topic("Spring"), forum.topic("Autumn")
    for topic in (spring, autumn):
        ada.says("/new event", chat=forum, thread=topic)
    await bot.quiet()
    # What was drawn in one topic cannot be forged into the other.
    there = card_of(ada, forum, autumn)
    ask = (await bot.journey(ada, forum, spring.id)).ask
    assert ask is not None
    forged = data_for(ask.card, "o0", Dest(chat=forum.id, owner=ada.id, thread=autumn.id))
    await ada.forges(forged, there).answered()
    await bot.quiet()
    assert await bot.draft(ada, forum, spring.id) == {}
    assert await bot.draft(ada, forum, autumn.id) == {}
    ada.taps("Talk", card_of(ada, forum, autumn))
    await bot.quiet()
    assert await bot.draft(ada, forum, spring.id) == {}
    assert await bot.draft(ada, forum, autumn.id) == {"kind": "talk"}


async def test_topics_of_a_private_chat_are_apart_as_well(bot: TelegramBot, ada: Person) -> None:
    ada.chat.is_forum = True
    ada.says("/new event")
    topic = ada.chat.topic("Spring")
    ada.says("/new event", thread=topic)
    await bot.quiet()
    in_topic = ada.chat.screen(ada, topic.id).live
    assert len(in_topic) == 1
    ada.taps("Meetup", in_topic[0])
    await bot.quiet()
    assert await bot.draft(ada, None, topic.id) == {"kind": "meetup"}
    assert await bot.draft(ada) == {}


# --- other people's cards ------------------------------------------------------------------------


@pytest.mark.parametrize("driver", DRIVERS)
async def test_somebody_elses_tap_settles_nothing_and_is_told_so_in_their_own_language(
    server: TelegramServer, ada: Person, tmp_path: Path, driver: str
) -> None:
    bea = server.person("Bea", language="de")
    async with telegram_bot(server, tmp_path, driver) as bot:
        group = server.group("Orga", ada, bea)
        ada.says("/new event", chat=group)
        await bot.quiet()
        card = card_of(ada, group)
        shown = group.screen().texts
        answer = await bea.taps("Meetup", card).answered()
        await bot.quiet()
        assert answer.text.startswith("Diese Knöpfe gehören jemand anderem.")
        assert await bot.draft(ada, group) == {}
        assert group.screen().texts == shown
        assert card_of(ada, group) is card


async def test_a_tap_of_somebody_else_while_the_model_answers_is_told_whose_card_it_is(
    server: TelegramServer, ada: Person, bob: Person, group: Chat, tmp_path: Path
) -> None:
    asked, goes_on = asyncio.Event(), asyncio.Event()

    async def slow(request: Request) -> str:
        asked.set()
        await goes_on.wait()
        return "It is."

    async with telegram_bot(server, tmp_path, model=Scripted(by=slow)) as bot:
        ada.says("/new event", chat=group)
        await bot.quiet()
        card = card_of(ada, group)
        ada.says("is parking free", chat=group, reply_to=card)
        await asked.wait()
        answer = await bob.taps("Meetup", card).answered()
        assert answer.text == NOT_YOURS
        goes_on.set()
        await bot.quiet()
        assert await bot.draft(ada, group) == {}
        assert "Ada\n\nIt is." in group.screen().texts


async def test_a_reply_to_another_persons_card_is_left_alone(
    bot: TelegramBot, ada: Person, bob: Person, group: Chat
) -> None:
    ada.says("/new event", chat=group)
    bob.says("/new event", chat=group)
    await bot.quiet()
    shown = group.screen().texts
    bob.says("meetup", chat=group, reply_to=card_of(ada, group))
    await bot.quiet()
    assert await bot.draft(ada, group) == {}
    assert await bot.draft(bob, group) == {}
    assert group.screen().texts == [*shown, "meetup"]


async def test_data_forged_for_another_persons_card_settles_nothing_and_takes_nothing_away(
    bot: TelegramBot, ada: Person, bob: Person, group: Chat
) -> None:
    ada.says("/new event", chat=group)
    await bot.quiet()
    card, ask = card_of(ada, group), (await bot.journey(ada, group)).ask
    assert ask is not None
    for owner in (ada, bob):
        data = data_for(ask.card, "o0", Dest(chat=group.id, owner=owner.id))
        await bob.forges(data, card).answered()
        await bot.quiet()
        assert await bot.draft(ada, group) == {}
        assert card_of(ada, group) is card


# --- what is meant for the bot -------------------------------------------------------------------


async def test_a_reply_to_ones_card_counts_and_talk_among_people_does_not(
    server: TelegramServer, ada: Person, bob: Person, tmp_path: Path
) -> None:
    server.reads_all = True
    async with telegram_bot(server, tmp_path) as bot:
        group = server.group("Orga", ada, bob)
        ada.says("meetup", chat=group)
        ada.sends_photo(chat=group)
        ada.says("/roll 6", chat=group)
        ada.says("/new@other_bot", chat=group)
        ada.says("hello @bob", chat=group)
        await bot.quiet()
        assert server.called("sendMessage", chat=group) == []
        ada.says("/new event", chat=group)
        await bot.quiet()
        # While a card is open, too.
        shown = group.screen().texts
        ada.says("meetup", chat=group)
        bob.says("talk", chat=group)
        ada.sends_sticker(chat=group)
        await bot.quiet()
        assert await bot.draft(ada, group) == {}
        assert group.screen().texts == [*shown, "meetup", "talk", ""]
        ada.says("meetup", chat=group, reply_to=card_of(ada, group))
        await bot.quiet()
        assert await bot.draft(ada, group) == {"kind": "meetup"}


@pytest.mark.parametrize("words", ["@surestep_bot", "@surestep_bot hello", "hello @surestep_bot"])
async def test_a_mention_starts(bot: TelegramBot, ada: Person, group: Chat, words: str) -> None:
    ada.says(words, chat=group)
    await bot.quiet()
    assert (await bot.journey(ada, group)).manifest == "event"
    assert "What kind of event is it?" in card_of(ada, group).text


async def test_a_mention_answers_while_a_card_is_open(
    bot: TelegramBot, ada: Person, group: Chat
) -> None:
    ada.says("/new@surestep_bot event", chat=group)
    await bot.quiet()
    ada.says("@surestep_bot meetup", chat=group)
    await bot.quiet()
    assert await bot.draft(ada, group) == {"kind": "meetup"}


async def test_an_album_is_heard_whole_where_one_file_names_the_bot(
    server: TelegramServer, ada: Person, bob: Person, tmp_path: Path
) -> None:
    server.reads_all = True
    heard: list[str] = []

    def listen(request: Request) -> str:
        heard.append(request.transcript[-1].text)
        return "Nice."

    async with telegram_bot(server, tmp_path, model=Scripted(by=listen)) as bot:
        group = server.group("Orga", ada, bob)
        ada.says("/new event", chat=group)
        await bot.quiet()
        photo = Medium("photo", "a.png", PNG)
        ada.sends_album([photo, photo], chat=group)
        ada.sends_album(
            [Medium("photo", "a.png", PNG, "@surestep_bot look"), photo, photo], chat=group
        )
        bob.sends_album([photo, photo], chat=group)
        await bot.quiet()
        assert heard == ["(sent: image/jpeg, image/jpeg, image/jpeg) look"]


async def test_who_is_nobody_in_particular_is_left_alone(
    server: TelegramServer, ada: Person, bob: Person, tmp_path: Path
) -> None:
    server.reads_all = True
    async with telegram_bot(server, tmp_path) as bot:
        group = server.group("Orga", ada, bob, supergroup=True)
        anonymous = {"id": 1087968824, "is_bot": True, "first_name": "Group"}
        channel = {"id": 777000, "is_bot": False, "first_name": "Telegram"}
        for sender, chat_id, kind in (
            (anonymous, group.id, "supergroup"),
            (channel, -1, "channel"),
        ):
            said = Message(
                group,
                group.next_id(),
                sender,
                server.now,
                {
                    "text": "/new event",
                    "entities": [{"type": "bot_command", "offset": 0, "length": 4}],
                    "sender_chat": {"id": chat_id, "type": kind, "title": "Orga"},
                },
            )
            server.tells_message(group.add(said))
        await bot.quiet()
        assert server.called("sendMessage", chat=group) == []


# --- the bot comes and goes ----------------------------------------------------------------------


@pytest.mark.parametrize("driver", DRIVERS)
async def test_a_bot_that_was_removed_says_nothing_and_goes_on_when_it_is_back(
    server: TelegramServer, ada: Person, bob: Person, tmp_path: Path, driver: str
) -> None:
    async with telegram_bot(server, tmp_path, driver) as bot:
        group = server.group("Orga", ada, bob)
        group.adds_bot(ada)
        ada.says("/new event", chat=group)
        await bot.quiet()
        ada.taps("Meetup", card_of(ada, group))
        await bot.quiet()
        group.kicks_bot(bob)
        ada.says("/resume", chat=group)
        await bot.quiet()
        # Elsewhere all goes on.
        ada.starts("event")
        await bot.quiet()
        assert "What kind of event" in bot.card(ada).text
        group.adds_bot(ada)
        ada.says("/resume@surestep_bot", chat=group)
        await bot.quiet()
        assert await bot.draft(ada, group) == {"kind": "meetup"}
        assert "Where does it take place?" in group.newest.text
        ada.taps("Online", group.newest)
        await bot.quiet()
        assert await bot.draft(ada, group) == {"kind": "meetup", "format": "online"}


# --- what is nobody else's business --------------------------------------------------------------


@pytest.mark.parametrize("command", ["/mine", "/privacy"])
async def test_what_is_personal_is_said_in_private(
    bot: TelegramBot, ada: Person, group: Chat, command: str
) -> None:
    ada.says("/new event", chat=group)
    await bot.quiet()
    ada.says(command, chat=group)
    await bot.quiet()
    told = ada.chat.newest.text
    assert told.startswith(
        "Yours, the newest first:" if command == "/mine" else "What I hold about you here:"
    )
    line = "Ada\n\nThat concerns you alone, so I have written to you in our private chat."
    assert line in group.screen().texts
    assert told not in "\n".join(group.screen().texts)
    assert group.newest is card_of(ada, group)


async def test_what_is_personal_leaves_the_open_card_of_the_private_chat_the_newest(
    bot: TelegramBot, ada: Person, group: Chat
) -> None:
    ada.starts("event")
    ada.says("/new event", chat=group)
    await bot.quiet()
    ada.says("/mine", chat=group)
    await bot.quiet()
    assert any(text.startswith("Yours, the newest first:") for text in ada.chat.screen().texts)
    assert ada.chat.newest is bot.card(ada)
    assert group.newest is card_of(ada, group)


@pytest.mark.parametrize("driver", DRIVERS)
async def test_whom_the_bot_may_not_write_to_is_told_where_to_ask(
    server: TelegramServer, ada: Person, tmp_path: Path, driver: str
) -> None:
    shy = server.person("Shy", started=False)
    async with telegram_bot(server, tmp_path, driver) as bot:
        group = server.group("Orga", ada, shy)
        shy.says("/new event", chat=group)
        await bot.quiet()
        shy.says("/privacy", chat=group)
        await bot.quiet()
        line = "Ask me for it in our private chat: https://t.me/surestep_bot"
        assert any(text.endswith(line) for text in group.screen().texts)
        assert not any("What I hold" in text for text in group.screen().texts)
        assert group.newest is card_of(shy, group)
        # There it is told.
        shy.says("/privacy")
        await bot.quiet()
        assert shy.chat.newest.text.startswith("What I hold about you here:")
