"""What always holds in a chat in Telegram, looked at from the server's side after every act: what
stands on the screen, what was sent, what is on disk (see DESIGN's G1 to G16)."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import msgspec
from sqlalchemy import select

from channels.telegram.native import Drawn
from channels.telegram.payload import Pressed, pressed
from core import planner
from core.cards import Card, Summary
from core.draft import Draft, Source, canonical, revision
from core.journey import JourneyType
from core.manifest import Kind
from core.state import Conversation, Journey, Status
from core.store.tables import submission
from core.turn.quotes import folded
from core.turn.turning import Turning, World
from tests.support.mischief import ASKED
from tests.support.telegram.calls import Call
from tests.support.telegram.chats import Chat
from tests.support.telegram.messages import Message
from tests.support.telegram.people import Person, Tap
from tests.support.telegram_bot import TelegramBot

_CARD: msgspec.json.Decoder[Card] = msgspec.json.Decoder(Card)
_SENDS = ("sendMessage", "sendRichMessage", "sendPhoto", "sendDocument", "sendMediaGroup")


@dataclass(frozen=True)
class Look:
    """How things stood before or after an act."""

    state: Conversation | None
    shown: dict[int, str]
    calls: int
    taps: int
    summary: Summary | None
    submissions: tuple[Any, ...]

    @property
    def journey(self) -> Journey | None:
        return self.state.journey if self.state is not None else None

    @property
    def draft(self) -> Draft:
        return self.journey.draft if self.journey is not None else Draft()


@dataclass
class Watch:
    """Looks after one person's conversation, in their private chat or in a group.

    `typed` is all that they typed; `cards` every button that was ever seen, with its message;
    `gone` what was deleted by hand. `others` are looked after too, whoever acts.
    """

    bot: TelegramBot
    person: Person
    group: Chat | None = None
    typed: list[str] = field(default_factory=list)
    cards: list[tuple[Message, str, str]] = field(default_factory=list)
    gone: set[int] = field(default_factory=set)
    others: list[Watch] = field(default_factory=list)

    @property
    def chat(self) -> Chat:
        return self.group or self.person.chat

    # What stands

    def live(self) -> list[Message]:
        """The messages with buttons of this person's."""
        return [one for one in self.chat.screen(self.person).live if self._is_theirs(one)]

    def _is_theirs(self, message: Message) -> bool:
        return any(found.owner == self.person.id for found in buttons_of(message))

    async def look(self) -> Look:
        """How things stand now."""
        lane = self.bot.lane(self.person, self.group)
        screen = self.chat.screen(self.person)
        return Look(
            state=await self.bot.house.store.conversation(lane),
            shown={one.id: one.text for one in screen if one.from_bot},
            calls=len(self.bot.server.calls),
            taps=len(self.bot.server.taps),
            summary=await self._summary(lane),
            submissions=await submissions(self.bot, lane),
        )

    async def _summary(self, lane: str) -> Summary | None:
        """The summary that stands on the screen, as the channel drew it."""
        for message in self.live():
            native = await self.bot.house.store.where(lane, buttons_of(message)[0].card)
            kept = msgspec.convert(native, Drawn).card if native else ""
            card = _CARD.decode(kept) if kept else None
            if isinstance(card, Summary):
                return card
        return None

    # An act, and what must hold after it

    @asynccontextmanager
    async def act(self) -> AsyncIterator[None]:
        """This person does something; then everything must hold, for the others too."""
        watches = [self, *self.others]
        before = [await watch.look() for watch in watches]
        try:
            yield
            await settled(self.bot)
            for watch, then in zip(watches, before, strict=True):
                watch.check(then, await watch.look(), theirs=watch is self)
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self.chat.screen()}") from error
        for message in self.live():
            known = {(one.id, label) for one, label, _ in self.cards}
            for button in message.buttons:
                if button.data and (message.id, button.label) not in known:
                    self.cards.append((message, button.label, button.data))

    def check(self, before: Look, after: Look, *, theirs: bool) -> None:
        """All that one act can show; an AssertionError names the guarantee that broke."""
        if not theirs:
            assert after.journey == before.journey, "G15: somebody else changed it"
        calls = self.bot.server.calls[before.calls : after.calls]
        self._every_tap_is_answered()
        self._one_live_card(after)
        if theirs:
            self._last_word(before, after)
            self._receipt_and_card_together(calls)
        self._nothing_is_asked_twice(after, calls)
        if after.state is None or after.journey is None:
            return
        kind = self.bot.house.catalogue.version(after.journey.manifest, after.journey.digest)
        assert kind is not None
        self._summary_is_complete(kind, after)
        self._never_invented(kind, after)
        self._changes_are_told(kind, before, after)
        self._confirmed_as_shown(before, after)

    def _every_tap_is_answered(self) -> None:
        assert all(tap.answer is not None for tap in self.bot.server.taps.values()), "a spinner"

    def _one_live_card(self, after: Look) -> None:
        """G8: one message with live buttons, which are the open ask's; G1 and the owner (G15)."""
        live = self.live()
        journey = after.journey
        ask = journey.ask if journey is not None and journey.status is Status.OPEN else None
        cards = {one.card for message in live for one in buttons_of(message)}
        owners = {one.owner for message in live for one in buttons_of(message)}
        assert len(live) <= 1, f"G8: {len(live)} live cards"
        assert cards <= ({ask.card} if ask is not None else set()), "G8: a card that is not open"
        assert owners <= {self.person.id}, "G15: a card of two people"
        if ask is not None and not live:
            assert self.gone, "G8: something is asked, and no card is there"

    def _last_word(self, before: Look, after: Look) -> None:
        """G7: when something was sent, and something is asked, the card is the newest."""
        fresh = set(after.shown) - set(before.shown)
        live = self.live()
        if fresh and live:
            assert max(after.shown) == live[0].id, "G7: something stands below the card"

    def _nothing_is_asked_twice(self, after: Look, calls: list[Call]) -> None:
        """G10: the model's own question is seen nowhere, not even while it is written."""
        said = [str(call.parameters.get("text", "")) for call in calls]
        for text in (*after.shown.values(), *said):
            for question in ASKED:
                assert question not in text, f"G10: {question!r} in {text!r}"

    def _receipt_and_card_together(self, calls: list[Call]) -> None:
        """G9: after a receipt comes the next card, with nothing between but what it took away."""
        here = [call for call in calls if call.chat == self.chat.id and call.error is None]
        for at, call in enumerate(here):
            text = str(call.parameters.get("text", ""))
            if call.method != "editMessageText" or "✓ " not in text or _callbacks(call):
                continue
            sent = next((one for one in here[at + 1 :] if one.method in _SENDS), None)
            if sent is not None and not _callbacks(sent):
                named = f"{self.person.name}\n\n"
                told = str(sent.parameters.get("text", "")).removeprefix(named)
                ending = ("Because of that", "No longer needed", "Thank you")
                assert told.startswith(ending) or sent.method == "sendPhoto", f"G9: {told!r}"

    def _summary_is_complete(self, kind: JourneyType, after: Look) -> None:
        """G1: no Confirm while something is owed, by what the summary itself says."""
        for message in self.live():
            if "Confirm" not in message.labels:
                continue
            labels = kind.speak("en")
            asked = planner.belonging(kind.manifest, after.draft)
            for name, truth in asked.items():
                if truth is not planner.Truth.NO:
                    assert labels.label(name) in message.text, f"G1: {name} is not on the summary"
                    assert after.draft.has(name), f"G1: {name} is owed"

    def _never_invented(self, kind: JourneyType, after: Look) -> None:
        """G2: a value has a source, a quote was typed; G5: a record was accepted."""
        typed = [folded(text) for text in self.typed]
        for name, value in after.draft.values.items():
            assert isinstance(value.source, Source), "G2"
            if value.source is Source.QUOTED:
                wanted = folded(value.quote).strip(" .,;:!?\"'()")
                assert wanted, f"G2: {name} has no quote"
                assert any(wanted in text for text in typed), f"G2: {value.quote!r} was not typed"
            if kind.manifest.item(name).value is Kind.RECORD:
                assert value.source in (Source.RECORD, Source.TAP), f"G5: {name} by {value.source}"

    def _changes_are_told(self, kind: JourneyType, before: Look, after: Look) -> None:
        """G4: old and new of every change are on the screen; G16: what was lost is named."""
        if before.journey is None or after.journey is None or before.state is None:
            return
        if before.journey.id != after.journey.id or after.journey.status is Status.CANCELLED:
            return
        told = plainly(fresh_text(before, after))
        world = World(types=self.bot.house.catalogue, now=self.bot.house.runtime.clock(), fresh="")
        labels = kind.speak("en")
        for name, old in before.draft.values.items():
            new = after.draft.values.get(name)
            if new is None:
                assert labels.label(name) in told, f"G16: {name} went unsaid"
            elif new.value != old.value:
                assert after.state is not None
                display = Turning(before.state, world).display, Turning(after.state, world).display
                assert plainly(display[0](name, old.value)) in told, f"G4: the old {name}"
                assert plainly(display[1](name, new.value)) in told, f"G4: the new {name}"

    def _confirmed_as_shown(self, before: Look, after: Look) -> None:
        """G3: what was submitted is what the confirmed summary showed, and still shows."""
        fresh = after.submissions[len(before.submissions) :]
        assert len(fresh) <= 1, "G3: submitted twice"
        for row in fresh:
            shown = before.summary
            assert shown is not None, "G3: nothing was shown"
            assert row.revision == shown.revision, "G3: another revision"
            content = json.loads(row.content)
            assert canonical(content).decode() == row.content, "G3"
            assert revision(row.digest, content) == row.revision, "G3"
            assert set(content) == {one.item for one in shown.rows}, "G3"
            assert row.person == str(self.person.id), "G15"
            stays = plainly(fresh_text(before, after))
            for one in shown.rows:
                assert plainly(f"{one.label}") in stays, f"G3: {one.label} is not seen"
                assert plainly(one.value) in stays, f"G3: {one.value} is not seen"


def buttons_of(message: Message) -> list[Pressed]:
    """What the buttons of a message name."""
    return [found for one in message.buttons if one.data and (found := pressed(one.data))]


def fresh_text(before: Look, after: Look) -> str:
    """All that is new on the screen, or looks otherwise than before."""
    return "\n".join(
        text for number, text in after.shown.items() if before.shown.get(number) != text
    )


def plainly(text: str) -> str:
    """A text without its line breaks and the bars of a table."""
    return " ".join(text.replace("|", " ").split())


def _callbacks(call: Call) -> list[str]:
    return list(_data(call.parameters))


def _data(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        found = value.get("callback_data")
        if isinstance(found, str):
            yield found
        for one in value.values():
            yield from _data(one)
    elif isinstance(value, list):
        for one in value:
            yield from _data(one)


async def settled(bot: TelegramBot) -> None:
    """Wait until all is dealt with, and every tap has its answer."""
    await bot.quiet()
    taps: list[Tap] = list(bot.server.taps.values())
    await bot.server.until(lambda: all(tap.answer is not None for tap in taps), "every answer")


async def submissions(bot: TelegramBot, lane: str = "") -> tuple[Any, ...]:
    """The rows of what was submitted, in one conversation or in all."""
    chosen = select(submission).order_by(submission.c.id)
    if lane:
        chosen = chosen.where(submission.c.lane == lane)
    async with bot.house.store.database.read() as connection:
        return tuple((await connection.execute(chosen)).all())
