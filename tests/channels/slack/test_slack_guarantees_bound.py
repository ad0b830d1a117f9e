"""G15 in Slack: a click, a choice or a window counts only for its owner, in its conversation, on
its card, whatever a changed client sends; who uses somebody else's card is told so, and only they.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random

import msgspec
import pytest

from channels.slack.payload import OPEN, SEND, Dest, Part, block_id, button_id
from channels.slack.views import Origin
from core.state import Conversation
from tests.support.slack.app import App
from tests.support.slack.errors import Json
from tests.support.slack.messages import Message
from tests.support.slack.modals import Modal
from tests.support.slack_dinner import NOT_YOURS, in_thread, told_only
from tests.support.slack_people import Visit
from tests.support.slack_uses import forged, tells
from tests.support.slack_watch import parts_of
from tests.support.wandering import WAY
from tests.support.watching import submissions


@dataclass
class Three:
    """Ada and Bob in one thread, each with a card of their own, and Ada in her direct message."""

    ada: Visit
    bob: Visit
    private: Visit

    async def states(self) -> list[Conversation]:
        """What is stored of Ada's two conversations and, last, of Bob's."""
        visits = (self.ada, self.private, self.bob)
        return [await one.bot.state(one.person, thread=one.thread) for one in visits]


@asynccontextmanager
async def three(app: App, folder: Path, *acts: str) -> AsyncIterator[Three]:
    """Each of them so far as these answers lead."""
    async with in_thread(app, folder) as ada:
        person = ada.bot.server.workspace.person("Bob")
        ada.place.members[person.id] = person
        bob, private = Visit(ada.bot, person, ada.thread), Visit(ada.bot, ada.person)
        person.says("@Surestep", in_=ada.place, thread=ada.thread)
        await private.does("/surestep start dinner")
        for act in acts:
            for one in (private, bob, ada):
                one.person.says(act, in_=one.place, thread=one.thread)
                await one.bot.quiet()
        yield Three(ada, bob, private)


def card(visit: Visit) -> Message:
    """The open card of one of them, where others have theirs too."""
    owned = [one for one in visit.screen.live if parts_of(one)[0].owner == visit.person.id]
    assert len(owned) == 1, f"{len(owned)} cards:\n{visit}"
    return owned[0]


def part(visit: Visit) -> Part:
    """What that card names."""
    return parts_of(card(visit))[0]


async def test_who_uses_somebody_elses_card_is_told_so_and_settles_nothing(
    app: App, tmp_path: Path
) -> None:
    async with three(app, tmp_path) as all_three:
        ada, bob = all_three.ada, all_three.bob
        heard = 0
        for answer in (*WAY, ""):
            before, stood = await all_three.states(), [(one, one.text) for one in ada.screen]
            theirs = card(ada)
            kinds = {one.kind: one for one in theirs.controls if tells(one)}
            for control in (theirs.controls[0], *kinds.values()):
                sent = forged(control, Random(heard), ada.bot.server.next_ts())
                await bob.person.on(theirs).forges(sent).answered()
                await ada.bot.quiet()
                heard += 1
                assert told_only(bob) == [NOT_YOURS] * heard, control.label
            assert told_only(ada) == []
            assert [(one, one.text) for one in ada.screen] == stood
            assert journeys(await all_three.states()) == journeys(before)
            if answer:
                ada.person.says(answer, in_=ada.place, thread=ada.thread)
                await ada.bot.quiet()
        assert "Confirm" in card(ada).labels
        assert await submissions(ada.bot.house) == ()


def made_up(all_three: Three) -> Iterator[Json]:
    """What Bob's changed client sends: of other cards, as somebody else, from another thread."""
    ada, bob, private = all_three.ada, all_three.bob, all_three.private
    own = part(bob)
    for name in (part(ada).card, part(private).card, own.card):
        for owner in (ada.person.id, bob.person.id):
            for thread in (own.thread, "1.000001"):
                if (name, owner, thread) != (own.card, own.owner, own.thread):
                    dest = Dest(bob.person.workspace.id, bob.place.id, owner, thread)
                    for token in ("o0", "confirm", "~cancel", OPEN):
                        yield action(button_id(token), block_id(name, f"{SEND}0", dest))
    for name in ("", "s1|||", "s1|a|b|c|d|e", "x" * 255):
        yield action(button_id("confirm"), name)
    for token in ("", "s1:", "s1:=value", "confirm"):
        yield action(token, card(ada).controls[0].key[0])


def action(action_id: str, block: str) -> Json:
    return {"type": "button", "action_id": action_id, "block_id": block}


async def test_what_a_changed_client_makes_up_settles_nothing_and_takes_nobodys_card_away(
    app: App, tmp_path: Path
) -> None:
    async with three(app, tmp_path) as all_three:
        ada, bob, private = all_three.ada, all_three.bob, all_three.private
        before = await all_three.states()
        hers, alone = card(ada), card(private)
        for number, sent in enumerate(made_up(all_three)):
            await bob.person.on((hers, card(bob))[number % 2]).forges(sent).answered()
            await ada.bot.quiet()
            after = await all_three.states()
            assert after[1] == before[1], "her direct message has nothing to do with it"
            assert after[0].journey == before[0].journey, sent
            assert drafts(after) == drafts(before), sent
            assert (card(ada), card(private)) == (hers, alone), f"{sent} took her card away"
        assert await submissions(ada.bot.house) == ()
        assert told_only(ada) == []


def journeys(states: list[Conversation]) -> list[object]:
    return [one.journey for one in states]


def drafts(states: list[Conversation]) -> list[object]:
    return [one.journey.draft if one.journey is not None else None for one in states]


async def test_a_card_cannot_be_used_from_another_direct_message(app: App, tmp_path: Path) -> None:
    async with three(app, tmp_path) as all_three:
        private = all_three.private
        his = Visit(private.bot, all_three.bob.person)
        await his.does("/surestep start dinner")
        before = await private.bot.state(private.person)
        for control in card(private).controls:
            sent = forged(control, Random(1), private.bot.server.next_ts())
            await his.person.on(card(his)).forges(sent).answered()
        await private.bot.quiet()
        assert await private.bot.state(private.person) == before
        assert told_only(his) == []
        await his.is_in_order()


def of_another(modal: Modal, visit: Visit) -> Modal:
    """The same window, as if it were that of somebody else's card."""
    lane = visit.bot.lane(visit.person, thread=visit.thread)
    origin = msgspec.json.encode(Origin(lane, part(visit).card)).decode()
    modal.view.definition["private_metadata"] = origin
    return modal


@pytest.mark.parametrize("closed", [True, False], ids=["closed", "sent"])
async def test_a_window_that_says_it_is_another_persons_changes_nothing_of_theirs(
    app: App, tmp_path: Path, closed: bool
) -> None:
    async with three(app, tmp_path, *WAY[:2]) as all_three:
        ada, bob = all_three.ada, all_three.bob
        before = await all_three.states()
        hers = await ada.person.opens("Answer in a form", card(ada))
        for made in hers.fills(Seats="77").closes():
            await made.answered()
        opened = await bob.person.opens("Answer in a form", card(bob))
        modal = of_another(opened.fills(Seats="99"), ada)
        for made in modal.closes() if closed else [modal.submits()]:
            await made.answered()
        await ada.bot.quiet()
        assert journeys(await all_three.states()) == journeys(before)
        assert told_only(bob) == ([] if closed else [NOT_YOURS])
        hers = await ada.person.opens("Answer in a form", card(ada))
        assert hers.value("Seats") == "77"
