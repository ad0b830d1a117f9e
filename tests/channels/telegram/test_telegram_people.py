"""What people send beside an ask: never more than an answer settles, nothing goes unheard, and the
open card is the newest message after it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.model import Request, Scripted
from tests.support.telegram.bare import PNG
from tests.support.telegram.people import Medium, Person
from tests.support.telegram.server import TelegramServer
from tests.support.telegram_bot import PROMPT, TelegramBot, telegram_bot

ANSWERS = {
    "kind": "talk",
    "format": "online",
    "online_link": "https://example.org/talk",
    "date": "5 February 2027",
    "start_time": "19:00",
    "duration": "2 hours",
    "capacity": "60",
    "admission": "free",
    "speakers": "Ada Lovelace",
    "languages": "english",
    "contact": "Name: Ada Lovelace\nE-mail: ada@example.org",
    "cover": "skip",
    "publish_at": "now",
    "attestation": "yes",
    "title": "Python Evening",
}
"""What is typed until an item is asked; a list and a form are done by a word more."""


class Listener:
    """A model that answers with one sentence and keeps what it was told last."""

    def __init__(self) -> None:
        self.model = Scripted(by=self.answer)

    def answer(self, request: Request) -> str:
        return "I see."

    @property
    def heard(self) -> str:
        """The person's newest message, as the model gets it."""
        return self.model.requests[-1].transcript[-1].text

    @property
    def asked(self) -> int:
        return len(self.model.requests)


@pytest.fixture
def listener() -> Listener:
    return Listener()


@pytest.fixture
async def bot(
    server: TelegramServer, tmp_path: Path, listener: Listener
) -> AsyncIterator[TelegramBot]:
    """The whole program, with a model that listens."""
    async with telegram_bot(server, tmp_path, model=listener.model) as running:
        yield running


async def at(bot: TelegramBot, ada: Person, item: str) -> None:
    """Ada's event is as far as this question."""
    ada.starts("event")
    await bot.quiet()
    while (ask := (await bot.journey(ada)).ask) is not None and ask.item != item:
        begun = ask.item in ("speakers", "contact") and ask.cursor
        ada.says("done" if begun else ANSWERS[ask.item])
        await bot.quiet()


async def asks(bot: TelegramBot, person: Person, item: str) -> None:
    """The item is asked by the one live card, and nothing stands below it (G7, G8)."""
    ask = (await bot.journey(person)).ask
    assert ask is not None
    assert ask.item == item
    assert person.chat.newest is bot.card(person)


# --- what is no text -----------------------------------------------------------------------------

Sends = Callable[[Person], Any]
SENT: dict[str, tuple[Sends, str]] = {
    "sticker": (lambda ada: ada.sends_sticker("👍"), "a sticker 👍"),
    "voice": (lambda ada: ada.sends_voice(), "audio/ogg"),
    "poll": (lambda ada: ada.sends_poll("Meetup or talk?", "Meetup", "Talk"), "Meetup or talk?"),
    "location": (lambda ada: ada.shares_location(48.25, 16.5), "48.25, 16.5"),
    "contact": (lambda ada: ada.shares_contact("+431234567"), "+431234567"),
    "dice": (lambda ada: ada.sends({"dice": {"emoji": "🎲", "value": 6}}), "🎲 6"),
    "photo": (lambda ada: ada.sends_photo(), "image/jpeg"),
    "document": (lambda ada: ada.sends_document(b"%PDF", "plan.pdf"), "plan.pdf"),
    "forwarded": (
        lambda ada: ada.sends(
            {
                "text": "meetup",
                "forward_origin": {"type": "hidden_user", "sender_user_name": "Bob", "date": 1},
            }
        ),
        "a forwarded message: meetup",
    ),
    "something new": (lambda ada: ada.sends({"telepathy": {"depth": 3}}), "something"),
}


@pytest.mark.parametrize("item", ["kind", "date", "speakers", "title"])
async def test_what_is_no_answer_goes_to_the_model_in_words_and_settles_nothing(
    bot: TelegramBot, ada: Person, listener: Listener, item: str
) -> None:
    await at(bot, ada, item)
    before, asked = await bot.draft(ada), listener.asked
    for number, (kind, (sends, told)) in enumerate(SENT.items(), 1):
        sends(ada)
        await bot.quiet()
        assert listener.asked == asked + number, kind
        assert listener.heard.startswith("(sent: ")
        assert told in listener.heard
        assert await bot.draft(ada) == before, kind
        await asks(bot, ada, item)


async def test_a_contact_is_the_phone_number_that_is_asked_for(
    bot: TelegramBot, ada: Person, listener: Listener
) -> None:
    await at(bot, ada, "contact")
    ada.taps("Phone")
    await bot.quiet()
    asked = listener.asked
    ada.shares_contact("49309018200")
    await bot.quiet()
    assert listener.asked == asked
    assert "+49 30 9018200" in bot.card(ada).text
    await asks(bot, ada, "contact")


# --- files beside an ask, and for one ------------------------------------------------------------

PHOTOS = [Medium("photo", "a.png", PNG), Medium("photo", "b.png", PNG)]


async def test_an_album_beside_an_ask_is_one_message_to_the_model(
    bot: TelegramBot, ada: Person, listener: Listener
) -> None:
    await at(bot, ada, "kind")
    ada.sends_album([Medium("photo", "a.png", PNG, "like last year"), *PHOTOS])
    await bot.quiet()
    assert listener.asked == 1
    assert listener.heard.count("image/jpeg") == 3
    assert "like last year" in listener.heard
    assert await bot.draft(ada) == {}
    await asks(bot, ada, "kind")


async def test_of_an_album_for_an_upload_the_first_fitting_file_is_taken_and_it_is_said(
    bot: TelegramBot, ada: Person
) -> None:
    await at(bot, ada, "cover")
    ada.sends_album(PHOTOS)
    await bot.quiet()
    first = next(one for one in ada.chat.screen() if one.media == "photo")
    assert (await bot.draft(ada))["cover"]["ref"] == f"photo:{first.file_id}"
    assert any("one file is enough here" in text for text in ada.chat.screen().texts)
    await asks(bot, ada, "publish_at")


async def test_a_question_under_a_cover_photo_is_answered_and_the_photo_is_one_tap_away(
    bot: TelegramBot, ada: Person, listener: Listener
) -> None:
    await at(bot, ada, "cover")
    ada.sends_photo(caption="Is this one large enough?")
    await bot.quiet()
    assert listener.heard == "(sent: image/jpeg) Is this one large enough?"
    assert "cover" not in await bot.draft(ada)
    await asks(bot, ada, "cover")
    ada.taps("💡 JPG (88 bytes)")
    await bot.quiet()
    assert (await bot.draft(ada))["cover"]["mime"] == "image/jpeg"
    await asks(bot, ada, "publish_at")


async def test_a_caption_that_asks_nothing_hinders_no_photo(bot: TelegramBot, ada: Person) -> None:
    await at(bot, ada, "cover")
    ada.sends_photo(caption="our poster")
    await bot.quiet()
    assert "✓ Cover photo: JPG (88 bytes)" in ada.chat.screen().texts
    await asks(bot, ada, "publish_at")


async def test_a_file_that_does_not_fit_is_refused_kindly_and_asked_for_again(
    bot: TelegramBot, ada: Person
) -> None:
    await at(bot, ada, "cover")
    ada.sends_voice()
    await bot.quiet()
    assert "That kind of file does not fit: JPEG, PNG, WEBP." in bot.card(ada).text
    assert "cover" not in await bot.draft(ada)
    await asks(bot, ada, "cover")


# --- long words ----------------------------------------------------------------------------------


async def test_words_of_several_messages_are_one_answer(bot: TelegramBot, ada: Person) -> None:
    await at(bot, ada, "title")
    part = "a very long evening " * 200
    ada.says(part.strip())
    ada.says(part.strip())
    await bot.quiet()
    assert "title" not in await bot.draft(ada)
    assert "up to 120 characters fit" in bot.card(ada).text
    await asks(bot, ada, "title")


# --- edited words --------------------------------------------------------------------------------

LATE = (
    "I had read your message before you changed it, so the change did not count. Please write what"
    " you want changed as a new message."
)


async def test_words_edited_before_they_are_considered_count_as_they_are_now(
    server: TelegramServer, ada: Person, tmp_path: Path
) -> None:
    patient = replace(PROMPT, hold=60.0)
    async with telegram_bot(server, tmp_path, manners=patient) as bot:
        ada.starts("event")
        await bot.quiet()
        said = ada.says("a workshop")
        ada.edits(said, "a meetup")
        await server.until(lambda: not server.updates.waiting(), "both updates")
        # A command is not held, and what waits before it goes first.
        ada.says("/review")
        await bot.quiet()
        assert await bot.draft(ada) == {"kind": "meetup"}
        assert LATE not in ada.chat.screen().texts


async def test_words_edited_while_the_model_still_answers_count_as_they_are_now(
    server: TelegramServer, ada: Person, tmp_path: Path
) -> None:
    asked, goes_on = asyncio.Event(), asyncio.Event()
    heard: list[str] = []

    async def slow(request: Request) -> str:
        heard.append(request.transcript[-1].text)
        asked.set()
        await goes_on.wait()
        return f"You asked: {heard[-1]}"

    async with telegram_bot(server, tmp_path, model=Scripted(by=slow)) as bot:
        ada.starts("event")
        await bot.quiet()
        said = ada.says("is parking free")
        await asked.wait()
        ada.edits(said, "is the Wi-Fi free")
        await server.until(lambda: not server.updates.waiting(), "the edit")
        goes_on.set()
        await bot.quiet()
        texts = ada.chat.screen().texts
        assert "You asked: is the Wi-Fi free" in texts
        assert not any("You asked: is parking" in text for text in texts)
        assert LATE not in texts
        notes = await bot.house.store.transcript(bot.lane(ada), (await bot.journey(ada)).id)
        assert "is the Wi-Fi free" in [note.text for note in notes]
        assert "is parking free" not in [note.text for note in notes]
        await asks(bot, ada, "kind")


async def test_words_edited_after_they_were_taken_change_nothing_and_the_person_hears_it_once(
    bot: TelegramBot, server: TelegramServer, ada: Person
) -> None:
    ada.starts("event")
    await bot.quiet()
    said = ada.says("a workshop")
    await bot.quiet()
    with server.updates.repeated(2):
        ada.edits(said, "a meetup")
        await bot.quiet()
        server.passes(5)
        # The preview of a link in it came, or nothing at all changed.
        ada.edits(said, "a meetup")
        await bot.quiet()
    assert await bot.draft(ada) == {"kind": "workshop"}
    assert ada.chat.screen().texts.count(LATE) == 1
    await asks(bot, ada, "format")
    ada.edits(said, "a conference")
    await bot.quiet()
    assert ada.chat.screen().texts.count(LATE) == 2
    await asks(bot, ada, "format")


async def test_an_edit_that_leaves_the_words_as_they_were_says_nothing(
    bot: TelegramBot, ada: Person
) -> None:
    ada.starts("event")
    await bot.quiet()
    said = ada.says("a workshop")
    await bot.quiet()
    shown = ada.chat.screen().texts
    ada.edits(said, "a workshop")
    await bot.quiet()
    assert ada.chat.screen().texts == shown


async def test_a_caption_edited_too_late_is_told_as_well(bot: TelegramBot, ada: Person) -> None:
    await at(bot, ada, "cover")
    photo = ada.sends_photo(caption="our poster")
    await bot.quiet()
    ada.edits(photo, "not our poster")
    await bot.quiet()
    assert LATE in ada.chat.screen().texts
    await asks(bot, ada, "publish_at")


async def test_old_words_that_are_edited_when_nothing_is_open_are_left_alone(
    bot: TelegramBot, ada: Person
) -> None:
    ada.starts("event")
    await bot.quiet()
    said = ada.says("a workshop")
    await bot.quiet()
    ada.says("/cancel")
    await bot.quiet()
    ada.taps("Yes, cancel")
    await bot.quiet()
    shown = ada.chat.screen().texts
    ada.edits(said, "a meetup")
    await bot.quiet()
    assert ada.chat.screen().texts == [text.replace("a workshop", "a meetup") for text in shown]
