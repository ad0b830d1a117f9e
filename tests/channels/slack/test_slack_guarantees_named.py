"""Guarantees of which each has its own story in Slack: what was confirmed (G3), old cards and
windows (G8), the same twice (G11), no model (G12), what is logged and reported (G14), what a change
asks anew (G16). Whose clicks count (G15) is in test_slack_guarantees_bound.py."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import msgspec
import pytest
import structlog
from sqlalchemy import select

from bot.logs import set_up
from core.state import Status
from core.store.tables import event
from tests.support.mischief import Mischief
from tests.support.slack.app import App
from tests.support.slack_dinner import (
    NOTHING_OPEN,
    STALE,
    TEXTS,
    direct,
    does,
    in_thread,
    shown,
    told_only,
)
from tests.support.slack_people import Act, Fills, Picks
from tests.support.slack_uses import PHOTO
from tests.support.wandering import WAY
from tests.support.watching import submissions

CLICKS: tuple[str | Act, ...] = (
    "[In person]",
    "[Choose: River Hall]",
    Fills(Seats="120"),
    Picks("2026-12-24"),
    Picks(time="19:00"),
    Fills(Guests="Ada Lovelace"),
    "[Done]",
    "[Skip]",
    Fills(Title="Winterzauber"),
    Fills(About="Geschichten am Kamin, und eine Suppe."),
)
"""The same answers as WAY, by clicks and windows."""


# --- G3: what was confirmed ----------------------------------------------------------------------


async def test_a_summary_that_was_changed_meanwhile_is_not_confirmed(
    app: App, tmp_path: Path
) -> None:
    async with direct(app, tmp_path) as visit:
        await does(visit, *WAY)
        old = visit.card
        await does(visit, "[Edit: Seats]", "60")
        await visit.person.on(old).clicks("Confirm", stale=True).answered()
        await visit.bot.quiet()
        assert await submissions(visit.bot.house) == ()
        assert told_only(visit) == [STALE]
        await visit.is_in_order()
        await does(visit, "[Confirm]")
        (row,) = await submissions(visit.bot.house)
        assert msgspec.json.decode(row.content)["seats"] == 60


# --- G8: cards and windows that are open no longer -----------------------------------------------


async def test_a_late_click_takes_neither_receipt_nor_summary_away(
    app: App, tmp_path: Path
) -> None:
    async with direct(app, tmp_path) as visit:
        first = visit.card
        await does(visit, *WAY)
        await visit.person.on(first).clicks("Online", stale=True).answered()
        await visit.bot.quiet()
        assert told_only(visit) == [STALE]
        assert first.text == "✓ Format: In person"
        assert not first.deleted
        summary = visit.card
        await does(visit, "[Confirm]")
        stood = shown(visit)
        for number, (label, card) in enumerate((("Confirm", summary), ("Online", first)), 2):
            await visit.person.on(card).clicks(label, stale=True).answered()
            await visit.bot.quiet()
            assert told_only(visit)[1:] == [NOTHING_OPEN] * (number - 1)
            assert shown(visit) == stood
        assert len(await submissions(visit.bot.house)) == 1


async def test_a_late_click_on_a_cancelled_journeys_card_says_that_nothing_is_open(
    app: App, tmp_path: Path
) -> None:
    async with direct(app, tmp_path) as visit:
        card = visit.card
        await does(visit, "In person", "/surestep cancel", "[Yes, cancel]")
        await visit.person.on(card).clicks("In person", stale=True).answered()
        await visit.bot.quiet()
        assert told_only(visit) == [NOTHING_OPEN]
        assert not visit.screen.live


async def test_a_file_from_a_window_whose_card_is_gone_settles_nothing_and_is_told_so(
    app: App, tmp_path: Path
) -> None:
    model = Mischief(Random(1))
    async with direct(app, tmp_path, model) as visit:
        await does(visit, *WAY[:7])
        assert await visit.asked() == "poster"
        modal = await visit.opens()
        await does(visit, "skip")
        assert await visit.asked() == "title"
        asked = len(model.requests)
        await modal.fills({"File": [PHOTO]}).submits().answered()
        await visit.bot.quiet()
        assert told_only(visit) == [STALE]
        assert (await visit.bot.draft(visit.person))["poster"] is None
        assert await visit.asked() == "title"
        assert len(model.requests) == asked
        await visit.is_in_order()


async def test_a_file_from_a_window_settles_the_card_that_it_belongs_to(
    app: App, tmp_path: Path
) -> None:
    async with direct(app, tmp_path) as visit:
        await does(visit, *WAY[:7])
        modal = await visit.opens()
        await modal.fills({"File": [PHOTO]}).submits().answered()
        await visit.bot.quiet()
        assert (await visit.bot.draft(visit.person))["poster"]["name"] == "crowd.jpg"
        assert await visit.asked() == "title"
        await visit.is_in_order()


# --- G11: the same twice -------------------------------------------------------------------------


async def test_the_same_clicks_show_the_same_and_ask_no_model(app: App, tmp_path: Path) -> None:
    stories: list[str] = []
    for number in range(2):
        folder = tmp_path / str(number)
        folder.mkdir()
        model = Mischief(Random(number))
        async with direct(app, folder, model) as visit:
            await does(visit, *CLICKS, "[Edit: Seats]", Fills(Seats="60"), "[Confirm]")
            assert (await visit.bot.journey(visit.person)).status is Status.SUBMITTED
            assert model.requests == []
            stories.append(visit.story)
    assert stories[0] == stories[1]


# --- G12: no model -------------------------------------------------------------------------------


async def test_with_a_model_that_always_breaks_off_a_journey_is_finished(
    app: App, tmp_path: Path
) -> None:
    broken = Mischief(Random(7), fails=1.0)
    async with in_thread(app, tmp_path, broken) as visit:
        for text in WAY:
            await does(visit, "why do you need that, and is parking free?")
            assert visit.screen.texts[-2] == TEXTS("turn.model_down")
            await does(visit, text)
        assert len(broken.requests) == len(WAY)
        await does(visit, "[Confirm]")
        (row,) = await submissions(visit.bot.house)
        assert "Winterzauber" in row.content


# --- G14: what is logged and reported ------------------------------------------------------------

PRIVATE = re.compile(r"Winterzauber|Kamin|Suppe|Lovelace|Mallory|Pirate|parking|mill|River", re.I)


@contextmanager
def logging_all() -> Iterator[None]:
    """Logging as the program sets it up, from debug on."""
    before = structlog.get_config()
    set_up("debug")
    try:
        yield
    finally:
        structlog.configure(**before)


async def test_no_word_of_the_chat_is_in_a_log_or_an_event(
    app: App, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    model = Mischief(Random(3), fails=0.5)
    with logging_all():
        async with direct(app, tmp_path, model) as visit:
            await does(visit, *CLICKS, "[Confirm]", "/surestep new dinner")
            assert len(await submissions(visit.bot.house)) == 1
            # What is asked then the model has a part in, so not every answer need be one.
            for text in WAY:
                await does(visit, "is parking free in Lovelace street?", text)
            async with visit.bot.house.store.database.read() as connection:
                events = [str(row) for row in await connection.execute(select(event))]
    out, err = capfd.readouterr()
    assert "model_failed" in out + err, "nothing was logged at all"
    assert len(events) > len(CLICKS)
    for line in (*out.splitlines(), *err.splitlines(), *events):
        assert not PRIVATE.search(line), f"G14: {line}"


# --- G16: what a change asks anew ----------------------------------------------------------------


async def test_a_change_asks_anew_what_hangs_on_it_and_nothing_else(
    app: App, tmp_path: Path
) -> None:
    async with in_thread(app, tmp_path) as visit:
        await does(visit, *WAY)
        before = (await visit.bot.journey(visit.person, thread=visit.thread)).draft.plain()
        await does(visit, "[Edit: Hall]", "Old Mill Annex")
        assert "Hall changed from River Hall to Old Mill Annex" in str(visit)
        assert shown(visit)[-2] == TEXTS("turn.lost", items="Seats")
        assert "How many seats?" in visit.card.text
        await does(visit, "25")
        after = (await visit.bot.journey(visit.person, thread=visit.thread)).draft.plain()
        assert "Confirm" in visit.card.labels
        assert after == {**before, "hall": after["hall"], "seats": 25}
        assert after["hall"]["label"] == "Old Mill Annex"


async def test_what_is_hidden_by_a_change_is_named_and_not_on_the_summary(
    app: App, tmp_path: Path
) -> None:
    async with direct(app, tmp_path) as visit:
        await does(visit, *WAY, "[Edit: Format]", "Online")
        told = shown(visit)[-2]
        assert TEXTS("turn.hidden", items="Hall") in told
        assert TEXTS("turn.lost", items="Seats") in told
        await does(visit, "https://example.org/room", "25")
        assert "Confirm" in visit.card.labels
        assert "Hall" not in visit.card.text
        await does(visit, "[Confirm]")
        (row,) = await submissions(visit.bot.house)
        assert "hall" not in row.content
