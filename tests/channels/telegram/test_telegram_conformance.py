"""Both libraries send the same: one long script of what people do, and every call that comes of it
compared, parameter by parameter, byte by byte."""

from __future__ import annotations

import itertools
from collections.abc import Awaitable, Callable, Collection
from pathlib import Path
from typing import Any

import pytest

from core.model import Scripted, says
from tests.support.telegram.bare import PNG
from tests.support.telegram.calls import Call
from tests.support.telegram.features import PLAIN, Feature
from tests.support.telegram.people import Medium, Person
from tests.support.telegram.server import TelegramServer
from tests.support.telegram_bot import DRIVERS, TelegramBot, telegram_bot
from tests.support.telegram_people import NOW, PHOTO, SUMMARY, Script, Visit

Scene = Callable[[TelegramBot, Person], Awaitable[None]]


async def sent_by(
    driver: str, folder: Path, lacks: Collection[Feature], scenes: Collection[Scene]
) -> list[Call]:
    """What a driver sends into chats while these things happen, one after the other."""
    numbers = itertools.count(1)
    model = Scripted(by=lambda _: says("That is a good question! Anything is welcome."))
    async with (
        TelegramServer(now=NOW, lacks=lacks) as server,
        telegram_bot(server, folder, driver, model=model) as bot,
    ):
        bot.house.runtime.fresh = lambda: f"journey-{next(numbers):04}"
        for number, scene in enumerate(scenes):
            await scene(bot, server.person(f"Ada {number}", language="de" if number else "en"))
        return [one for one in server.calls if one.chat is not None]


# What people do

EVENT: Script = {
    "kind": ["what do people like?", "[Workshop]"],
    "format": ["[In person and online]"],
    "venue": ["[Next ›]", "halle", "[Halle 10]"],
    "online_link": ["https://meet.example.org/?a=1&b=<2>"],
    "date": ["[January 2027 ›]", "5 February 2027"],
    "start_time": ["[7:00 PM]", "/start", "[7:30 PM]"],
    "duration": ["2 hours, or is that too long?", "[2 hours]"],
    "capacity": ["a million", "60"],
    "admission": ["[A fixed price]"],
    "price": ["12.50"],
    "speakers": ["Ada Łukasiewicz 👩🏽‍💻\nגרייס הופר", "[✕ 2]", "Grace", "[Done]"],
    "languages": ["[English]", "[Polish]", "[Polish]", "[Done]"],
    "contact": ["Anna", "anna@example.org", "[Leave out “Phone”]"],
    "cover": [PHOTO],
    "publish_at": ["[Now]"],
    "attestation": ["[I agree]"],
    "title": ["*Python* _Evening_ `<b>&amp;</b>` 🎉"],
    "description": ["Zeile & <Zeile>\n\n" + "Two short talks about testing. 🐍 " * 50],
}


async def an_event(bot: TelegramBot, ada: Person) -> None:
    visit = Visit(bot, ada)
    await visit.does("/start event")
    await visit.answers(EVENT)
    await visit.answers({SUMMARY: ["[Places]"], "capacity": ["80"]})
    await visit.answers({SUMMARY: ["/review", "[Confirm]"]})


async def commands(bot: TelegramBot, ada: Person) -> None:
    visit = Visit(bot, ada)
    for act in ("/help", "/privacy", "/new event", "/language", "[English]", "/cancel"):
        await visit.does(act)
    await visit.does("[No, go on]")
    for act in ("/mine", "/timezone", "Berlin", "/restart", "[Yes, start over]"):
        await visit.does(act)
    await visit.does("/cancel")
    await visit.does("[Yes, cancel]")


async def other_things(bot: TelegramBot, ada: Person) -> None:
    """Old cards, edited words, and what is neither words nor a tap."""
    visit = Visit(bot, ada)
    await visit.does("/new event")
    old = visit.card.buttons[0]
    words = await said(bot, ada, "Was geht denn?")
    ada.edits(words, "Was geht denn so?")
    await bot.quiet()
    ada.forges(old.data or "", visit.card)
    await bot.quiet()
    for send in (
        ada.sends_sticker,
        ada.sends_voice,
        lambda: ada.shares_location(52.5, 13.4),
        lambda: ada.shares_contact("+4930901820"),
        lambda: ada.sends_poll("Wann?", "Fr", "Sa"),
        lambda: ada.sends_album([Medium("photo", f"{n}.png", PNG, "zwei") for n in (1, 2)]),
        lambda: ada.sends_document(b"%PDF", "plan.pdf", caption="der Plan"),
    ):
        send()
        await bot.quiet()
    await visit.is_in_order()


async def said(bot: TelegramBot, ada: Person, text: str, **place: Any) -> Any:
    message = ada.says(text, **place)
    await bot.quiet()
    return message


async def a_group(bot: TelegramBot, ada: Person) -> None:
    """A topic of a forum, where others tap and talk, too."""
    bo = bot.server.person("Bo")
    forum = bot.server.group("Veranstaltungen", ada, bo, forum=True)
    topic = forum.topic("Ideen")
    await said(bot, ada, "/new@surestep_bot event", chat=forum, thread=topic)
    card = bot.card(ada, forum)
    bo.taps(card.labels[0], card)
    await bot.quiet()
    ada.taps(card.labels[0], card)
    await bot.quiet()
    await said(bot, ada, "ist das gut?", chat=forum, thread=topic, reply_to=bot.card(ada, forum))
    await said(bot, ada, "vor Ort", chat=forum, thread=topic, reply_to=bot.card(ada, forum))
    group = bot.server.group("Klein", ada, bo)
    await said(bot, ada, "/new@surestep_bot request", chat=group)
    larger = group.upgrades()
    await bot.quiet()
    await said(bot, ada, "/cancel@surestep_bot", chat=larger)


SCENES: dict[str, tuple[Scene, ...]] = {
    "rich": (an_event, commands, other_things, a_group),
    "plain": (an_event, other_things),
}


@pytest.mark.parametrize("form", SCENES)
async def test_both_libraries_send_the_same(tmp_path: Path, form: str) -> None:
    lacks = PLAIN if form == "plain" else ()
    one, other = [
        await sent_by(driver, tmp_path / driver, lacks, SCENES[form]) for driver in DRIVERS
    ]
    for first, second in zip(one, other, strict=False):
        assert (first.method, first.raw) == (second.method, second.raw)
        assert first.files == second.files
    assert len(one) == len(other) > 100
