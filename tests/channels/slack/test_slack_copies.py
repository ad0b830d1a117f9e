"""A card that is there more than once, since answers to its posting were lost: each copy that comes
to be known is kept, and a card that is closed stays closed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from channels.slack.channel import Slack
from channels.slack.incoming import Heard
from channels.slack.native import Drawn
from channels.slack.payload import Dest, dest_of
from core.channel import SEEN_AT
from core.replies import Tap
from core.store import Store
from tests.support.slack.people import Person
from tests.support.slack_bot import SlackBot
from tests.support.slack_people import Visit


@pytest.fixture
async def taking(bot: SlackBot, tmp_path: Path) -> AsyncIterator[Slack]:
    """A process that only takes what arrives, with a database of its own: nothing has its turn."""
    store = await Store.open(f"sqlite+aiosqlite:///{tmp_path / 'taking.db'}")
    await store.migrate()
    shell = replace(bot.channel.shell, store=store, ring=lambda: None)
    channel = Slack(bot.channel.api, shell)
    yield channel
    await channel.close()
    await store.close()


async def a_tap(bot: SlackBot, taking: Slack, visit: Visit) -> Tap:
    """Ada, whom the process has met, taps her open card."""
    await visit.does("hello")
    state = await bot.state(visit.person)
    ask = state.journey.ask if state.journey is not None else None
    assert ask is not None
    tap = Tap(card=ask.card, token="o0", by=visit.person.id, at=ask.drawn_at)
    await taking.store.accept(state.id, "met", tap, person=state.person)
    return tap


def on_message(dest: Dest, tap: Tap, ts: str) -> Heard:
    """The tap, made on a copy of the card."""
    return Heard(dest=dest, dedupe=f"tap:{ts}", reply=tap, message=ts, shows=True)


@pytest.fixture
def dest(bot: SlackBot, ada: Person) -> Dest:
    return dest_of(bot.lane(ada))


async def test_of_copies_that_are_used_at_once_none_is_forgotten(
    bot: SlackBot, taking: Slack, visit: Visit, dest: Dest
) -> None:
    # Given a card of which one message is known, and since when it has been seen
    tap = await a_tap(bot, taking, visit)
    known = Drawn(channel=dest.channel, messages=("900.1",), at=900.1)
    await taking.store.remember(dest.lane, tap.card, msgspec.to_builtins(known))

    # When three others are used at the same instant
    copies = ("901.1", "902.1", "903.1")
    await asyncio.gather(*(taking.intake.take(on_message(dest, tap, ts)) for ts in copies))

    # Then all are known, and nobody knows any more since when the first was seen
    native = await taking.store.where(dest.lane, tap.card)
    assert native is not None
    drawn = msgspec.convert(native, Drawn)
    assert (drawn.messages, set(drawn.also)) == (("900.1",), set(copies))
    assert native.get(SEEN_AT) is None


async def test_of_a_card_that_nobody_knew_of_both_copies_come_to_be_known(
    bot: SlackBot, taking: Slack, visit: Visit, dest: Dest
) -> None:
    tap = await a_tap(bot, taking, visit)
    taken = (taking.intake.take(on_message(dest, tap, ts)) for ts in ("901.1", "902.1"))
    await asyncio.gather(*taken)

    native = await taking.store.where(dest.lane, tap.card)
    assert native is not None
    drawn = msgspec.convert(native, Drawn)
    assert {*drawn.messages, *drawn.also} == {"901.1", "902.1"}


async def test_a_click_that_comes_late_does_not_open_a_closed_card_again(
    bot: SlackBot, taking: Slack, visit: Visit, dest: Dest
) -> None:
    tap = await a_tap(bot, taking, visit)
    closed = Drawn(channel=dest.channel, messages=())
    await taking.store.remember(dest.lane, tap.card, msgspec.to_builtins(closed))

    await taking.intake.take(on_message(dest, tap, "901.1"))

    assert msgspec.convert(await taking.store.where(dest.lane, tap.card), Drawn) == closed
