"""The shell around the turn, on the real store: what arrives together, what waits, what fails."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest

from core.cards import Card, Summary, buttons
from core.channel import Later, Never
from core.effects import Change, Close, Draw, Effect, Say, Toast
from core.model import Failure, ModelFailed, Request, Scripted, says
from core.model.scripted import Script
from core.replies import Command, Reply, Shared, Tap, Words
from core.runtime import Rules, Runtime
from core.sender import Sender
from core.state import AskKind, Conversation, Journey, Status
from core.step.base import Fetch, Fetched
from core.store import Amend, Store
from core.turn import SORRY
from tests.core.store.building import pass_time
from tests.support.chat import ANNA, Types
from tests.support.journeys import dinner, halls

LANE = "test:anna"


@dataclass
class Screen:
    """A channel that keeps what a person would see, and can be told to fail."""

    name: str = "test"
    command = "/"
    shown: list[Effect] = field(default_factory=list)
    previews: list[str] = field(default_factory=list)
    faults: list[Exception] = field(default_factory=list)
    stamp: dict[str, float] = field(default_factory=dict)

    async def carry_out(
        self, lane: str, effect: Effect, drawn: Any, *, again: bool = False
    ) -> dict[str, Any]:
        if self.faults:
            raise self.faults.pop(0)
        self.shown.append(effect)
        return {"message": len(self.shown), **self.stamp}

    def preview(self, lane: str, text: str) -> None:
        self.previews.append(text)

    async def end_preview(self, lane: str) -> None:
        return None

    @property
    def text(self) -> str:
        said = [e.text for e in self.shown if isinstance(e, Say)]
        return "\n".join([*said, *(e.receipt for e in self.shown if isinstance(e, Close))])

    @property
    def card(self) -> Card:
        drawn = [e.card for e in self.shown if isinstance(e, Draw | Change)]
        return drawn[-1]


@dataclass
class Bot:
    """One process: a store, a runtime and a screen."""

    store: Store
    model: Scripted
    screen: Screen
    runtime: Runtime
    sender: Sender
    updates: int = 0

    async def gets(self, reply: Reply, hold: float = 0.0) -> None:
        self.updates += 1
        await self.store.accept(LANE, f"test:{self.updates}", reply, hold, person=ANNA)

    async def says(self, text: str, hold: float = 0.0) -> None:
        await self.gets(Words(text=text, by=ANNA.id, at=datetime.now(UTC)), hold)

    async def works(self) -> None:
        await self.runtime.drain()
        await self.sender.drain()

    async def walks(self, *answers: str) -> None:
        for answer in answers:
            await self.says(answer)
            await self.works()

    def tap(self, label: str) -> Tap:
        token = next(one.token for one in buttons(self.screen.card) if one.label == label)
        return Tap(card=self.screen.card.id, token=token, by=ANNA.id, at=datetime.now(UTC))

    async def state(self) -> Conversation:
        found = await self.store.conversation(LANE)
        assert found is not None
        return found

    async def journey(self) -> Journey:
        journey = (await self.state()).journey
        assert journey is not None
        return journey


Start = Callable[..., Any]


@pytest.fixture
async def start(database_url: str) -> AsyncIterator[Start]:
    """Starts a bot on the test's database; several share it, as processes would."""
    opened: list[Store] = []

    async def bot(model: Scripted | None = None, **rules: float) -> Bot:
        store = await Store.open(database_url)
        opened.append(store)
        await store.migrate()
        screen, model = Screen(), model or Scripted()
        ids = iter(range(1000))

        async def tools(fetch: Fetch) -> Fetched:
            return halls(fetch)

        runtime = Runtime(
            store=store,
            types=Types((dinner(),)),
            model=model,
            tools=tools,
            clock=lambda: datetime.now(UTC),
            fresh=lambda: f"j{next(ids)}",
            owner=f"worker{len(opened)}",
            starts="dinner",
            channels={"test": screen},
            rules=Rules(look=0.01, retry=0.01, **rules),  # type: ignore[arg-type]
        )
        sender = Sender(store, f"sender{len(opened)}", {"test": screen})
        return Bot(store, model, screen, runtime, sender)

    yield bot
    for store in opened:
        await store.close()


async def begun(start: Start, model: Scripted | None = None, **rules: float) -> Bot:
    bot: Bot = await start(model, **rules)
    await bot.gets(Command(name="new", argument="dinner", by=ANNA.id, at=datetime.now(UTC)))
    await bot.works()
    return bot


async def test_a_journey_is_walked_and_submitted_once(start: Start) -> None:
    bot = await begun(start)
    await bot.walks("in person", "Old Mill", "50", "24 December 2030", "19:00", "skip")
    await bot.walks("Winter Dinner", "Food and stories by the fire.")
    assert isinstance(bot.screen.card, Summary)
    tap = bot.tap("Confirm")
    await bot.gets(tap)
    await bot.gets(tap)
    await bot.works()
    assert len(await bot.store.submissions("test:anna")) == 1


async def test_two_fragments_are_one_message(start: Start) -> None:
    bot = await begun(start, Scripted("Noted."))
    await bot.walks("in person", "Old Mill", "50")
    await bot.says("24 December 2030", hold=30)
    await bot.says("at 7 pm")
    await bot.works()

    assert "day" not in (await bot.journey()).draft.values
    assert bot.screen.card.item == "day"
    assert "2030" in bot.screen.card.suggestions[0].label


async def test_words_that_arrive_while_the_model_answers_are_considered_together(
    start: Start,
) -> None:
    asked = asyncio.Event()

    async def slow_at_first(request: Request) -> Any:
        if not asked.is_set():
            asked.set()
            await asyncio.sleep(60)
        return says("I heard both.")

    bot = await begun(start, Scripted(by=slow_at_first))
    await bot.says("why do you ask?")
    working = asyncio.create_task(bot.works())
    await asyncio.wait_for(asked.wait(), 10)
    await bot.says("and is parking free?")
    await asyncio.wait_for(working, 20)

    assert bot.screen.text.count("I heard both.") == 1
    last = bot.model.requests[-1].transcript[-1].text
    assert "why do you ask?" in last
    assert "is parking free?" in last


async def test_words_behind_what_was_passed_on_do_not_ask_the_model_again(start: Start) -> None:
    asked, looked, go_on = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def waits(request: Request) -> Any:
        asked.set()
        await go_on.wait()
        return says("I see.")

    bot = await begun(start, Scripted(by=waits), idle=0.0)
    waiting = bot.store.waiting

    async def looks(*which: Any) -> Any:
        found = await waiting(*which)
        if found:
            looked.set()
        return found

    bot.store.waiting = looks  # type: ignore[method-assign,assignment]
    now = datetime.now(UTC)
    await bot.gets(Shared(kind="forwarded", detail="Old Mill is lovely.", by=ANNA.id, at=now))
    working = asyncio.create_task(bot.works())
    await asyncio.wait_for(asked.wait(), 10)
    await bot.says("what do you think?")
    await asyncio.wait_for(looked.wait(), 10)
    go_on.set()
    await asyncio.wait_for(working, 20)

    assert len(bot.model.requests) == 2


async def test_a_lease_that_could_not_be_renewed_once_is_renewed_the_next_time(
    start: Start,
) -> None:
    asked, renewed = asyncio.Event(), asyncio.Event()

    async def waits(request: Request) -> Any:
        asked.set()
        await renewed.wait()
        return says("Online needs no hall.")

    bot = await begun(start, Scripted(by=waits), lease=1.5)
    renew, faults = bot.store.renew, [OSError("the database is away")]

    async def fails_once(claim: Any) -> None:
        if faults:
            raise faults.pop()
        await renew(claim)
        renewed.set()

    bot.store.renew = fails_once  # type: ignore[method-assign]
    await bot.says("what is the difference?")
    await asyncio.wait_for(bot.works(), 20)
    assert "Online needs no hall." in bot.screen.text


async def test_words_that_are_edited_while_the_model_answers_are_considered_anew(
    start: Start,
) -> None:
    asked, go_on = asyncio.Event(), asyncio.Event()

    async def waits(request: Request) -> Any:
        asked.set()
        await go_on.wait()
        heard = request.transcript[-1].text
        return says("Yes, it is free." if "free" in heard else "There is no fee.")

    bot = await begun(start, Scripted(by=waits))
    await bot.says("is parking fee?")
    working = asyncio.create_task(bot.works())
    await asyncio.wait_for(asked.wait(), 10)
    edited = await bot.store.amend(f"test:{bot.updates}", "is parking free?")
    go_on.set()
    await asyncio.wait_for(working, 20)

    assert edited is Amend.CHANGED
    assert "Yes, it is free." in bot.screen.text
    assert "There is no fee." not in bot.screen.text
    assert await bot.store.parked() == []


async def test_a_tap_while_the_model_answers_settles_and_the_ask_is_not_drawn_again(
    start: Start,
) -> None:
    asked, go_on = asyncio.Event(), asyncio.Event()

    async def waits(request: Request) -> Any:
        asked.set()
        await go_on.wait()
        return says("Online needs no hall.")

    bot = await begun(start, Scripted(by=waits))
    await bot.says("what is the difference?")
    working = asyncio.create_task(bot.works())
    await asyncio.wait_for(asked.wait(), 10)
    await bot.gets(bot.tap("In person"))
    go_on.set()
    await asyncio.wait_for(working, 20)

    assert (await bot.journey()).draft.plain()["format"] == "in_person"
    drawn = [e.card.item for e in bot.screen.shown if isinstance(e, Draw)]
    assert drawn == ["format", "hall"]
    assert "Online needs no hall." in bot.screen.text


async def test_somebody_elses_tap_while_the_model_answers_settles_nothing(start: Start) -> None:
    asked, go_on = asyncio.Event(), asyncio.Event()

    async def waits(request: Request) -> Any:
        asked.set()
        await go_on.wait()
        return says("Online needs no hall.")

    bot = await begun(start, Scripted(by=waits))
    await bot.says("what is the difference?")
    working = asyncio.create_task(bot.works())
    await asyncio.wait_for(asked.wait(), 10)
    await bot.gets(msgspec.structs.replace(bot.tap("In person"), by="bob"))
    go_on.set()
    await asyncio.wait_for(working, 20)

    assert (await bot.journey()).draft.values == {}
    assert bot.screen.card.item == "format"
    toasts = [e.text for e in bot.screen.shown if isinstance(e, Toast)]
    assert any("somebody else" in text for text in toasts)


async def test_of_two_taps_while_the_model_answers_the_first_counts(start: Start) -> None:
    asked, go_on = asyncio.Event(), asyncio.Event()

    async def waits(request: Request) -> Any:
        asked.set()
        await go_on.wait()
        return says("Online needs no hall.")

    bot = await begun(start, Scripted(by=waits))
    await bot.says("what is the difference?")
    working = asyncio.create_task(bot.works())
    await asyncio.wait_for(asked.wait(), 10)
    await bot.gets(bot.tap("Online"))
    await bot.gets(bot.tap("In person"))
    go_on.set()
    await asyncio.wait_for(working, 20)

    assert (await bot.journey()).draft.plain() == {"format": "online"}
    assert bot.screen.card.item == "link"


async def test_a_model_that_never_answers_is_given_up_and_the_question_comes_again(
    start: Start,
) -> None:
    async def silent(request: Request) -> Any:
        await asyncio.Event().wait()

    bot = await begun(start, Scripted(by=silent), model_deadline=0.1)
    await asyncio.wait_for(bot.walks("why do you ask?"), 20)

    assert "I can't answer that right now" in bot.screen.text
    assert bot.screen.card.item == "format"
    await bot.walks("online")
    assert (await bot.journey()).draft.plain() == {"format": "online"}


async def test_a_model_that_breaks_leaves_nothing_of_its_answer(start: Start) -> None:
    rounds: Iterator[Script] = iter(
        [
            says(
                "", ("record_item", {"item": "title", "value": "Feast", "quote": "call it Feast"})
            ),
            ModelFailed(Failure.CONNECTION, "lost"),
        ]
    )
    bot = await begun(start, Scripted(by=lambda _: next(rounds)))
    await bot.walks("call it Feast and why do you ask?")
    assert (await bot.journey()).draft.values == {}
    assert bot.screen.card.item == "format"
    assert "Feast" not in bot.screen.text


async def test_what_is_previewed_is_the_beginning_of_what_is_said(start: Start) -> None:
    answer = "Parking is free. It is behind the mill. Which format would you like?"
    bot = await begun(start, Scripted(answer))
    await bot.walks("is parking free?")
    said = next(e.text for e in bot.screen.shown if isinstance(e, Say) and e.model)
    assert said == "Parking is free. It is behind the mill."
    assert said.startswith("".join(bot.screen.previews).strip())
    assert bot.screen.previews


async def test_a_reply_that_always_fails_is_parked_and_the_lane_goes_on(start: Start) -> None:
    bot = await begun(start)
    broken = bot.runtime.types
    bot.runtime.types = None  # type: ignore[assignment]
    await bot.says("in person")
    for _ in range(20):
        await bot.runtime.drain()
        if await bot.store.parked():
            break
        await asyncio.sleep(0.1)
    bot.runtime.types = broken
    assert len(await bot.store.parked()) == 1
    while await bot.store.ready(LANE):
        await bot.works()
        await asyncio.sleep(0.02)
    assert "went wrong" in bot.screen.text
    await bot.walks("in person")
    assert bot.screen.card.item == "hall"


async def test_who_sent_what_killed_every_process_that_took_it_hears_of_it(start: Start) -> None:
    # Given a reply amid whose turn the process died, again and again
    bot = await begun(start)
    await bot.says("in person")
    for _ in range(bot.store.max_tries):
        assert await bot.store.claim("a process that dies", 30.0) is not None
        await pass_time(bot.store, 31)

    # When another process has the lane
    await bot.works()

    # Then the reply is given up, and the person is told so, once, above the open card
    assert [one.error for one in await bot.store.parked()] == ["the worker was lost"]
    assert bot.screen.text.count("went wrong") == 1
    assert isinstance(bot.screen.shown[-1], Draw)
    await bot.walks("in person")
    assert bot.screen.card.item == "hall"


async def test_nobody_is_sorry_for_an_apology(start: Start) -> None:
    bot = await begun(start)
    await bot.gets(Command(name=SORRY, by=ANNA.id, at=datetime.now(UTC)))
    for _ in range(bot.store.max_tries):
        assert await bot.store.claim("a process that dies", 30.0) is not None
        await pass_time(bot.store, 31)
    await bot.works()
    assert len(await bot.store.parked()) == 1
    assert "went wrong" not in bot.screen.text


async def test_a_platform_that_wants_time_gets_it_and_the_order_is_kept(start: Start) -> None:
    bot = await begun(start)
    before = len(bot.screen.shown)
    bot.screen.faults = [Later(0.3), Later(0.1)]
    await bot.says("in person")
    await bot.works()
    assert len(bot.screen.shown) == before
    for _ in range(50):
        await bot.sender.drain()
        await asyncio.sleep(0.05)
    kinds = [type(e) for e in bot.screen.shown[before:] if not isinstance(e, Toast)]
    assert kinds == [Close, Draw]


async def test_what_a_platform_never_takes_is_parked_and_the_rest_is_sent(start: Start) -> None:
    bot = await begun(start)
    bot.screen.faults = [Never("the message is gone")]
    await bot.walks("in person")
    assert [e for e in bot.screen.shown if isinstance(e, Draw)][-1].card.item == "hall"
    assert [one.error for one in await bot.store.parked()] == ["the message is gone"]


async def test_two_processes_take_the_turns_of_one_lane_in_order(start: Start) -> None:
    one = await begun(start)
    other: Bot = await start()
    for answer in ("in person", "Old Mill", "50"):
        await one.says(answer)
        await asyncio.gather(one.runtime.drain(), other.runtime.drain())
        await one.sender.drain()
    draft = (await one.journey()).draft.plain()
    assert draft["seats"] == 50
    assert (await one.state()).turn == 4


async def test_a_yes_that_was_sent_before_the_summary_was_seen_confirms_nothing(
    start: Start,
) -> None:
    bot = await begun(start, Scripted("I see."))
    await bot.walks("in person", "Old Mill", "50", "24 December 2030", "19:00", "skip")
    await bot.walks("Winter Dinner")
    await bot.says("Food and stories by the fire.")
    await bot.runtime.drain()
    ask = (await bot.journey()).ask
    assert ask is not None
    assert ask.kind is AskKind.SUMMARY

    await bot.says("yes")
    await bot.runtime.drain()
    assert (await bot.journey()).status is Status.OPEN

    await bot.sender.drain()
    await bot.walks("yes")
    assert (await bot.journey()).status is Status.SUBMITTED


async def test_an_answer_to_a_card_that_was_sent_by_a_process_that_died_is_one(
    start: Start,
) -> None:
    bot = await begun(start, Scripted("I see."))
    await bot.says("in person")
    await bot.runtime.drain()
    # It has been posted, and nobody could write that down any more.
    assert await bot.store.due("a process that died", ["test"])
    await bot.says("Old Mill")
    await bot.runtime.drain()
    assert (await bot.journey()).draft.has("hall")


async def test_a_summary_that_was_perhaps_seen_is_confirmed_when_it_is_seen_for_certain(
    start: Start,
) -> None:
    bot = await begun(start, Scripted("I see."))
    await bot.walks("in person", "Old Mill", "50", "24 December 2030", "19:00", "skip")
    await bot.walks("Winter Dinner")
    await bot.says("Food and stories by the fire.")
    await bot.runtime.drain()
    assert await bot.store.due("a process that died", ["test"], lease=0.0)
    for status in (Status.OPEN, Status.SUBMITTED):
        await bot.walks("yes")
        assert (await bot.journey()).status is status


async def test_what_is_early_is_told_by_the_clock_that_stamps_replies(start: Start) -> None:
    ahead = datetime.now(UTC) + timedelta(minutes=5)
    bot = await begun(start, Scripted("I see."))
    bot.screen.stamp = {"at": ahead.timestamp()}
    await bot.walks("in person")
    assert bot.screen.card.item == "hall"
    for minutes, settles in ((4, False), (6, True)):
        sent = datetime.now(UTC) + timedelta(minutes=minutes)
        await bot.gets(Words(text="Old Mill", by=ANNA.id, at=sent))
        await bot.works()
        assert (await bot.journey()).draft.has("hall") is settles
