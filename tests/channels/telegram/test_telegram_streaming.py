"""The model's answer while it comes: a draft in private, elsewhere a message that is edited. Never
is anything shown that is taken back, nothing unfinished is left, and the answer comes once."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from channels.telegram.manners import Manners
from core.model import Answer, Failure, ModelFailed
from core.model.scripted import says
from core.texts import Texts
from tests.support.dinner_folder import dinner
from tests.support.telegram.chats import Chat
from tests.support.telegram.faults import Refuses
from tests.support.telegram.features import API_10_0, PLAIN, Feature
from tests.support.telegram.people import Person
from tests.support.telegram.server import TelegramServer
from tests.support.telegram_bot import DRIVERS, PROMPT, TelegramBot, telegram_bot
from tests.support.told import Told

TEXTS = Texts("en")
IMPATIENT = replace(PROMPT, patience=0.01)
"""A tap hears at once that it has to wait."""
PREVIEWS = ("sendMessageDraft", "sendMessage", "editMessageText")
FIRST = "Parking is free in the yard."
KEPT = f"{FIRST} There are two yards, and both are close. The gates are open all night."
QUESTION = "What time should the dinner start?"
PIECES = (
    "Parking is free ",
    "in the yard. ",
    "There are two yards, ",
    "and both are close. ",
    "The gates are open ",
    "all night. ",
)


def bare(text: str) -> str:
    """A message without the name of whom it is for, which it begins with in a group."""
    return text.removeprefix("Ada\n\n")


@dataclass
class Scene:
    """A chat in which the first question is open, and a model that waits to be told."""

    bot: TelegramBot
    ada: Person
    model: Told
    group: Chat | None
    begun: int = 0

    @property
    def server(self) -> TelegramServer:
        return self.bot.server

    @property
    def chat(self) -> Chat:
        return self.group or self.ada.chat

    def asks(self, text: str) -> None:
        """Ada asks the bot something."""
        self.ada.says(f"@surestep_bot {text}" if self.group else text, chat=self.group)

    def previews(self) -> list[str]:
        """What was shown of an answer so far, in order, by drafts, new messages and edits."""
        calls = self.server.called(*PREVIEWS, chat=self.chat)[self.begun :]
        told = (bare(str(one.parameters.get("text", ""))) for one in calls if one.error is None)
        return [text for text in told if text.startswith(("Parking", "Dogs"))]

    def begins(self) -> int:
        """How often an answer was begun: the chat says that something is being written."""
        return len(self.server.called("sendChatAction", chat=self.chat))

    async def shows(self, text: str) -> None:
        """Wait until this much of an answer is seen."""
        await self.server.until(lambda: text in self.previews(), f"{text!r}, coming")

    def standing(self, *begins: str) -> list[str]:
        """The texts on the screen that begin so."""
        texts = map(bare, self.chat.screen(self.ada).texts)
        return [one for one in texts if one.startswith(begins)]

    def card_is_last(self) -> bool:
        screen = self.chat.screen(self.ada)
        return self.bot.card(self.ada, self.group) is screen[-1]


@asynccontextmanager
async def scene(
    folder: Path,
    lacks: frozenset[Feature] = frozenset(),
    driver: str = "aiogram",
    *,
    group: bool = False,
    manners: Manners = PROMPT,
) -> AsyncIterator[Scene]:
    model = Told()
    async with (
        TelegramServer(lacks=lacks) as running,
        telegram_bot(
            running, folder, driver, model=model, manners=manners, **dinner(folder)
        ) as bot,
    ):
        ada = running.person("Ada")
        where = running.group("Kitchen", ada) if group else None
        made = Scene(bot, ada, model, where)
        ada.says("/start@surestep_bot dinner", chat=where)
        await bot.quiet()
        running.passes(2)
        made.begun = len(running.called(*PREVIEWS, chat=made.chat))
        yield made


PLACES = [
    pytest.param(frozenset(), False, id="drafts"),
    pytest.param(API_10_0, False, id="drafts of 10.0"),
    pytest.param(PLAIN, False, id="edits in private"),
    pytest.param(frozenset(), True, id="edits in a group"),
    pytest.param(PLAIN, True, id="edits in a group, plainly"),
]


@pytest.mark.parametrize("driver", DRIVERS)
@pytest.mark.parametrize("lacks, group", PLACES)
async def test_what_is_shown_of_an_answer_is_its_beginning_and_stays(
    tmp_path: Path, lacks: frozenset[Feature], group: bool, driver: str
) -> None:
    async with scene(tmp_path, lacks, driver, group=group) as it:
        it.asks("is parking free?")
        it.model.tell(*PIECES)
        await it.shows(FIRST)
        it.model.tell(QUESTION, None)
        await it.bot.quiet()
        assert FIRST in it.previews()
        assert all(KEPT.startswith(text) for text in it.previews())
        assert it.standing("Parking") == [KEPT]
        assert it.card_is_last()
        assert it.chat.live_draft() is None
        drafts = it.server.called("sendMessageDraft", chat=it.chat)
        assert bool([one for one in drafts if not one.error]) is (not group and lacks != PLAIN)


@pytest.mark.parametrize("lacks, group", PLACES)
async def test_an_answer_that_breaks_off_leaves_nothing_behind(
    tmp_path: Path, lacks: frozenset[Feature], group: bool
) -> None:
    async with scene(tmp_path, lacks, group=group) as it:
        it.asks("is parking free?")
        it.model.tell(*PIECES)
        await it.shows(FIRST)
        it.model.tell(ModelFailed(Failure.BROKEN))
        await it.bot.quiet()
        assert it.standing("Parking") == []
        assert len(it.standing(TEXTS("turn.model_down"))) == 1
        assert it.card_is_last()
        assert it.chat.live_draft() is None


@pytest.mark.parametrize("lacks, group", PLACES)
async def test_what_is_written_meanwhile_begins_the_answer_anew_in_the_same_place(
    tmp_path: Path, lacks: frozenset[Feature], group: bool
) -> None:
    async with scene(tmp_path, lacks, group=group) as it:
        it.asks("is parking free?")
        it.model.tell(*PIECES)
        await it.shows(FIRST)
        it.asks("and may dogs come along?")
        await it.server.until(lambda: it.begins() == 2, "the answer's second beginning")
        it.model.tell("Dogs are welcome. ", "Parking is free as well, ", "all day. ", "Do come ")
        await it.shows("Dogs are welcome.")
        it.model.tell("soon.", None)
        await it.bot.quiet()
        assert it.standing("Parking", "Dogs") == [
            "Dogs are welcome. Parking is free as well, all day. Do come soon."
        ]
        assert it.card_is_last()
        assert it.chat.live_draft() is None
        asked = [one.text for one in it.model.requests[1].transcript]
        assert "is parking free?\nand may dogs come along?" in asked
        drafts = it.server.called("sendMessageDraft", chat=it.chat)
        assert len({one.parameters["draft_id"] for one in drafts if not one.error}) <= 1


@pytest.mark.parametrize("lacks, group", PLACES)
async def test_an_answer_that_is_only_a_question_is_never_seen(
    tmp_path: Path, lacks: frozenset[Feature], group: bool
) -> None:
    async with scene(tmp_path, lacks, group=group) as it:
        before = it.chat.screen(it.ada).texts
        it.asks("hello")
        it.model.tell("What time ", "should the dinner ", "start? ", "And on which day? ", None)
        await it.bot.quiet()
        texts = [str(one.parameters.get("text", "")) for one in it.server.called(chat=it.chat)]
        assert not any("What time" in one or "which day" in one for one in texts)
        assert it.card_is_last()
        assert len(it.chat.screen(it.ada).texts) == len(before) + 1


@pytest.mark.parametrize("lacks, group", PLACES)
async def test_an_answer_in_two_rounds_is_one_message(
    tmp_path: Path, lacks: frozenset[Feature], group: bool
) -> None:
    async with scene(tmp_path, lacks, group=group) as it:
        it.asks("is there a mill?")
        found = says("", ("find_halls", {"query": "mill"}))
        it.model.tell("Parking comes later. ", "Let me look for mills. ", "They are ")
        await it.shows("Parking comes later.")
        look = "Parking comes later. Let me look for mills. They are near."
        it.model.tell(Answer(text=look, calls=found.calls, stop=found.stop, blocks=found.blocks))
        it.model.tell("There are two mills. ", "Both are old. ", None)
        await it.bot.quiet()
        (shown,) = it.standing("Parking")
        assert shown.split("\n\n")[1] == "There are two mills. Both are old."
        assert all(shown.startswith(text) for text in it.previews())
        assert it.card_is_last()


@pytest.mark.parametrize("group", [False, True])
async def test_a_tap_while_the_answer_comes_settles_under_it(tmp_path: Path, group: bool) -> None:
    async with scene(tmp_path, PLAIN, group=group, manners=IMPATIENT) as it:
        it.asks("is parking free?")
        it.model.tell(*PIECES)
        await it.shows(FIRST)
        answer = await it.ada.taps("In person", chat=it.group).answered()
        assert answer.text == TEXTS("telegram.wait")
        await it.server.until(lambda: not it.server.updates.waiting(), "the tap, on disk")
        it.model.tell(QUESTION, None)
        await it.bot.quiet()
        assert (await it.bot.draft(it.ada, it.group))["format"] == "in_person"
        assert it.standing("Parking") == [KEPT]
        assert it.card_is_last()
        assert "Which hall?" in it.bot.card(it.ada, it.group).text


@pytest.mark.parametrize("group", [False, True])
async def test_a_preview_that_the_person_deletes_does_not_take_the_answer_with_it(
    tmp_path: Path, group: bool
) -> None:
    async with scene(tmp_path, PLAIN, group=group) as it:
        it.asks("is parking free?")
        it.model.tell(*PIECES)
        await it.shows(FIRST)
        (preview,) = [one for one in it.chat.screen() if bare(one.text) == FIRST]
        it.ada.deletes(preview)
        it.model.tell(QUESTION, None)
        await it.bot.quiet()
        assert it.standing("Parking") == [KEPT]
        assert it.card_is_last()


@pytest.mark.parametrize("lacks", [frozenset(), PLAIN])
async def test_a_preview_that_is_refused_is_missed_by_nobody(
    tmp_path: Path, lacks: frozenset[Feature]
) -> None:
    async with scene(tmp_path, lacks) as it:
        method = "sendMessage" if lacks == PLAIN else "sendMessageDraft"
        trouble = it.server.befall(Refuses(400, "Bad Request: no preview today"), method)
        it.asks("is parking free?")
        it.model.tell(*PIECES)
        await it.server.until(lambda: trouble.met, "the refused preview")
        it.model.tell(QUESTION, None)
        await it.bot.quiet()
        assert it.standing("Parking") == [KEPT]
        assert it.card_is_last()


async def test_a_long_answer_goes_on_from_its_preview(tmp_path: Path) -> None:
    async with scene(tmp_path, PLAIN) as it:
        it.asks("tell me all about parking")
        it.model.tell(*PIECES)
        await it.shows(FIRST)
        more = [f"Yard number {number} has room for {number} cars. " for number in range(1, 150)]
        it.model.tell(*more, None)
        await it.bot.quiet()
        standing = it.standing("Parking", "Yard")
        assert len(standing) == 2
        assert " ".join(" ".join(standing).split()) == KEPT + " " + "".join(more).strip()
        assert it.card_is_last()


@pytest.mark.parametrize("group", [False, True])
async def test_a_restart_amid_an_answer_leaves_no_unfinished_one(
    tmp_path: Path, group: bool
) -> None:
    """The next process answers the same words, in the place of what the first had begun."""
    journeys = dinner(tmp_path)
    async with TelegramServer(lacks=PLAIN) as server:
        ada = server.person("Ada")
        where = server.group("Kitchen", ada) if group else None
        model = Told()
        async with telegram_bot(server, tmp_path, model=model, **journeys) as bot:
            it = Scene(bot, ada, model, where)
            ada.says("/start@surestep_bot dinner", chat=where)
            await bot.quiet()
            server.passes(2)
            it.asks("is parking free?")
            model.tell(*PIECES)
            await it.shows(FIRST)
        model = Told()
        async with telegram_bot(server, tmp_path, model=model, **journeys) as bot:
            it = Scene(bot, ada, model, where)
            model.tell("Parking costs two euros. ", "Trams are near.", None)
            await bot.quiet()
            assert len(model.requests) == 1
            assert it.standing("Parking") == ["Parking costs two euros. Trams are near."]
            assert it.card_is_last()
