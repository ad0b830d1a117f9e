"""Somebody is asked for in Telegram: picked from its own list, called, shared, or named."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from channels.telegram import render
from channels.telegram.payload import Dest, request_of
from core.cards import Picker, PickerMode
from core.draft import Source
from core.texts import Texts
from tests.support.helper_folder import handover
from tests.support.telegram.people import Person
from tests.support.telegram.server import TelegramServer
from tests.support.telegram_bot import DRIVERS, PROMPT, TelegramBot, telegram_bot
from tests.support.telegram_people import NOW, Visit

PICK = "Choose a person"
PRIVATE, GROUP = Dest(chat=7, owner=7), Dest(chat=-5, owner=7)


@pytest.fixture
async def server() -> AsyncIterator[TelegramServer]:
    async with TelegramServer(now=NOW) as running:
        yield running


@pytest.fixture
def driver(request: pytest.FixtureRequest) -> str:
    """One library, where a test does not name both."""
    return str(getattr(request, "param", "aiogram"))


@pytest.fixture
def bob(server: TelegramServer) -> Person:
    return server.person("Bob", last_name="Berg", username="bob_b", started=False)


@pytest.fixture
async def bot(server: TelegramServer, tmp_path: Path, driver: str) -> AsyncIterator[TelegramBot]:
    async with telegram_bot(server, tmp_path, driver, **handover(tmp_path)) as running:
        yield running


@pytest.fixture
async def visit(bot: TelegramBot, ada: Person) -> Visit:
    """Who helps is asked of Ada."""
    begun = Visit(bot, ada)
    await begun.does("/start handover")
    return begun


async def picks(visit: Visit, *people: Person) -> None:
    visit.person.picks(PICK, *people)
    await visit.bot.quiet()
    await visit.is_in_order()


async def kept(visit: Visit, item: str = "helper") -> Any:
    return (await visit.bot.journey(visit.person)).draft.values[item]


KNOWN = {"handle": "bob_b", "name": "Bob Berg"}


def known(person: Person) -> dict[str, str]:
    return {"id": str(person.id), **KNOWN}


def keyboard(visit: Visit) -> list[str]:
    """What stands on the keyboard in place of the person's own."""
    return [button.label for row in visit.person.chat.reply_keyboard for button in row]


# The keyboard


def test_the_platforms_list_stands_in_a_message_of_its_own_before_the_card() -> None:
    card = Picker(id="j-3", item="who", title="Who helps?", mode=PickerMode.PEOPLE)
    first, last = render.card(card, PRIVATE, Texts("en"))
    assert first.text == "👤 With the button below you can choose somebody from your contacts."
    assert first.keyboard == ()
    ((key,),) = first.keys
    assert key["text"] == PICK
    assert key["request_users"] == {
        "request_id": request_of("j-3"),
        "user_is_bot": False,
        "request_name": True,
        "request_username": True,
    }
    assert last.keys == ()
    assert "Who helps?" in last.text
    assert [one.keys for one in render.card(card, GROUP, Texts("en"))] == [()]
    other = Picker(id="j-3", item="who", title="When?", mode=PickerMode.DATE)
    assert [one.keys for one in render.card(other, PRIVATE, Texts("en"))] == [()]


async def test_the_keyboard_is_there_for_as_long_as_the_card_is(visit: Visit) -> None:
    assert keyboard(visit) == [PICK]
    await visit.does("Zoë Zander")
    assert await visit.asked() == "deputy"
    assert keyboard(visit) == [PICK]
    await visit.does("[Skip]")
    assert keyboard(visit) == []
    assert not any("With the button below" in text for text in visit.person.chat.screen().texts)


# Picked


@pytest.mark.parametrize("driver", DRIVERS, indirect=True)
async def test_who_is_picked_is_known_by_the_number_and_shown_by_name(
    visit: Visit, bob: Person
) -> None:
    await picks(visit, bob)
    value = await kept(visit)
    assert (value.value, value.source) == (known(bob), Source.TAP)
    assert "✓ Helper: Bob Berg (@bob_b)" in str(visit)
    for act in ("[Skip]", "[Confirm]"):
        await visit.does(act)
    (submitted,) = await visit.submitted()
    assert submitted["helper"] == known(bob)
    assert str(bob.id) not in str(visit)


async def test_a_pick_of_an_earlier_card_settles_nothing_and_says_so(
    visit: Visit, bob: Person
) -> None:
    (row,) = visit.person.chat.reply_keyboard
    wanted = row[0].requests or {}
    await visit.does("Zoë Zander")
    visit.person.picks_for(wanted, bob)
    await visit.bot.quiet()
    await visit.is_in_order()
    assert await visit.asked() == "deputy"
    assert "That is from an earlier card." in visit.person.chat.screen().texts[-3]
    await picks(visit, bob)
    assert (await kept(visit, "deputy")).value == known(bob)


async def test_a_pick_when_nothing_is_asked_says_so(visit: Visit, bob: Person) -> None:
    (row,) = visit.person.chat.reply_keyboard
    wanted = row[0].requests or {}
    for act in ("Zoë Zander", "[Skip]", "[Confirm]"):
        await visit.does(act)
    visit.person.picks_for(wanted, bob)
    await visit.bot.quiet()
    await visit.is_in_order()
    assert visit.person.chat.newest.text.startswith("Nothing is open at the moment.")


async def test_somebody_whose_name_an_old_server_does_not_tell_is_asked_for_again(
    visit: Visit, bob: Person
) -> None:
    (row,) = visit.person.chat.reply_keyboard
    number = (row[0].requests or {})["request_id"]
    visit.person.picks_for({"request_id": number}, bob)
    await visit.bot.quiet()
    await visit.is_in_order()
    assert await visit.asked() == "helper"
    assert "I cannot see right now who that is." in visit.card.text
    await picks(visit, bob)
    assert (await kept(visit)).value == known(bob)


async def test_a_program_that_lets_people_be_picked_itself_hears_of_its_own(
    visit: Visit, bob: Person
) -> None:
    intake = visit.bot.channel.intake
    (row,) = visit.person.chat.reply_keyboard
    for wanted, ours in ((row[0].requests or {}, True), ({"request_id": 3}, False)):
        update = {"update_id": 1, "message": visit.person.picks_for(wanted, bob).json()}
        assert await intake.wants(update) is ours
    await visit.bot.quiet()


# Called, shared, named


async def test_whose_contact_is_shared_is_who_is_meant(visit: Visit, bob: Person) -> None:
    visit.person.shares_contact("+493012345678", bob)
    await visit.bot.quiet()
    await visit.is_in_order()
    value = await kept(visit)
    assert value.value == {"id": str(bob.id), "handle": "", "name": "Bob"}
    assert value.source is Source.TYPED


async def test_who_is_not_on_telegram_is_known_by_the_name_of_their_contact(visit: Visit) -> None:
    contact = {"phone_number": "+4930", "first_name": "ada", "last_name": "lee and sons"}
    visit.person.sends({"contact": contact})
    await visit.bot.quiet()
    assert (await kept(visit)).value == {"id": "", "handle": "", "name": "ada lee and sons"}


async def test_a_name_that_links_to_somebody_tells_who_they_are(visit: Visit, bob: Person) -> None:
    user = {key: bob.user[key] for key in ("id", "is_bot", "first_name", "last_name", "username")}
    link = {"type": "text_mention", "offset": 13, "length": 3, "user": user}
    visit.person.sends({"text": "my helper is Bob", "entities": [link]})
    await visit.bot.quiet()
    value = await kept(visit)
    assert (value.value, value.source) == (known(bob), Source.TYPED)


async def test_a_handle_is_all_that_a_mention_tells(visit: Visit) -> None:
    await visit.does("@bob_b")
    assert (await kept(visit)).value == {"id": "", "handle": "bob_b", "name": ""}
    assert "✓ Helper: @bob_b" in str(visit)


async def test_a_bot_is_nobody_to_name(visit: Visit) -> None:
    await visit.does("@weather_bot")
    assert await visit.asked() == "helper"
    assert "That is a bot." in visit.card.text


async def test_who_is_called_among_other_words_is_only_suggested(visit: Visit) -> None:
    await visit.does("why do you ask? perhaps Zoë Zander")
    assert await visit.asked() == "helper"
    await visit.does("[Zoë Zander]")
    assert (await kept(visit)).source is Source.TAP


async def test_words_that_were_changed_in_time_call_whom_they_call_now(
    server: TelegramServer, tmp_path: Path, driver: str, ada: Person, bob: Person
) -> None:
    slow = replace(PROMPT, hold=1.0)
    async with telegram_bot(server, tmp_path, driver, manners=slow, **handover(tmp_path)) as bot:
        visit = Visit(bot, ada)
        ada.starts("handover")
        await bot.quiet()
        said = ada.sends(
            {
                "text": "Bob",
                "entities": [{"type": "text_mention", "offset": 0, "length": 3, "user": bob.user}],
            }
        )
        ada.edits(said, "Bob Berg")
        await bot.quiet()
        assert (await kept(visit)).value == {"id": "", "handle": "", "name": "Bob Berg"}


# Where others are


async def test_in_a_group_there_is_no_list_and_a_name_will_do(
    server: TelegramServer, bot: TelegramBot, ada: Person, bob: Person
) -> None:
    team = server.group("Team", ada, bob, supergroup=True)
    name = server.bot["username"]
    ada.says(f"/start@{name} handover", chat=team)
    await bot.quiet()
    card = next(one for one in reversed(team.screen()) if one.buttons)
    assert team.reply_keyboard == []
    ada.says("Zoë Zander", chat=team, reply_to=card)
    await bot.quiet()
    assert any("Helper: Zoë Zander" in text for text in team.screen().texts)
