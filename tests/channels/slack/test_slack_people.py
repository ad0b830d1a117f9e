"""Somebody is asked for in Slack: picked from its own list of members, called, or named."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from channels.slack.incoming import Heard
from channels.slack.payload import field_id
from channels.slack.typed import Called
from core.cards import PickerMode
from core.draft import Source
from core.replies import Submit
from tests.support.helper_folder import handover
from tests.support.slack import seeing
from tests.support.slack.cards import control, drawn, picker
from tests.support.slack.clicking import WHO, action, blocks_of, heard, used
from tests.support.slack.clicking import control as control_of
from tests.support.slack.clicking import picker as open_picker
from tests.support.slack.faults import Waits
from tests.support.slack.people import Person
from tests.support.slack.server import SlackServer
from tests.support.slack_bot import PROMPT, SlackBot, slack_bot
from tests.support.slack_people import Names, Visit


@pytest.fixture
def journeys(tmp_path: Path) -> dict[str, Any]:
    return handover(tmp_path)


@pytest.fixture
def bob(slack: SlackServer) -> Person:
    return slack.workspace.person("Bob Berg")


async def begun(visit: Visit) -> Visit:
    """Who helps is asked."""
    await visit.does("/surestep new handover")
    return visit


async def value(bot: SlackBot, ada: Person, item: str = "helper") -> Any:
    return (await bot.journey(ada)).draft.values[item]


def known(person: Person) -> dict[str, str]:
    return {"id": person.id, "handle": person.username, "name": person.username}


# What stands on the card, and what comes of it


def test_the_card_has_slacks_own_list_of_members() -> None:
    posts = drawn(picker(PickerMode.PEOPLE, hint="Type a name or an @handle."))
    assert seeing.lines(posts) == [
        "Which?",
        "Type a name or an @handle.",
        "[ Choose a person ▾ ]",
    ]
    select = control(posts)
    assert (select.kind, select.element["action_id"]) == ("users_select", field_id("value"))


def test_after_a_refusal_the_same_person_can_be_picked_once_more() -> None:
    asked, refused = picker(PickerMode.PEOPLE), picker(PickerMode.PEOPLE, reason="That is a bot.")
    first, second = (control(drawn(card)).key[0] for card in (asked, refused))
    assert first != second


def test_who_is_picked_is_told_by_the_id_alone() -> None:
    blocks = blocks_of(open_picker(PickerMode.PEOPLE))
    select = control_of(blocks, "users_select")
    what = action(select, selected_user="U43")
    found = used(blocks, what)
    assert isinstance(found, Heard)
    assert found.people == (Called("U43"),)
    expected = heard(Submit(card="j-1", values={"value": "U43"}, **WHO), what)
    assert found.reply == expected.reply
    assert used(blocks, action(select, selected_user=None)) is None


# As people meet it


async def test_who_is_picked_is_known_by_the_id_and_shown_by_name(
    visit: Visit, bot: SlackBot, ada: Person, bob: Person
) -> None:
    await begun(visit)
    await visit.does(Names(bob))
    kept = await value(bot, ada)
    assert (kept.value, kept.source) == (known(bob), Source.TAP)
    assert "✓ Helper: bob.berg" in str(visit)

    for act in ("skip", "[Confirm]"):
        await visit.does(act)
    (submitted,) = await visit.submitted()
    assert submitted["helper"] == known(bob)
    assert bob.id not in str(visit)


async def test_who_is_called_and_nothing_else_is_known_by_the_id(
    visit: Visit, bot: SlackBot, ada: Person, bob: Person
) -> None:
    await begun(visit)
    await visit.does("the helper is @bob.berg, please")
    kept = await value(bot, ada)
    assert (kept.value, kept.source) == (known(bob), Source.TYPED)


async def test_who_is_called_among_other_words_is_only_suggested(
    visit: Visit, bot: SlackBot, ada: Person, bob: Person
) -> None:
    await begun(visit)
    await visit.does("why do you ask? perhaps @bob.berg")
    assert await visit.asked() == "helper"
    await visit.does("[bob.berg]")
    kept = await value(bot, ada)
    assert (kept.value, kept.source) == (known(bob), Source.TAP)


async def test_a_name_that_is_typed_is_all_that_is_known(
    visit: Visit, bot: SlackBot, ada: Person
) -> None:
    await begun(visit)
    await visit.does("Zoë Zander")
    kept = await value(bot, ada)
    assert kept.value == {"id": "", "handle": "", "name": "Zoë Zander"}


async def test_words_that_were_changed_in_time_call_whom_they_call_now(
    slack: SlackServer, tmp_path: Path, journeys: dict[str, Any], ada: Person, bob: Person
) -> None:
    eve = slack.workspace.person("Eve")
    async with slack_bot(slack, tmp_path, manners=replace(PROMPT, hold=1.0), **journeys) as bot:
        await begun(Visit(bot, ada))
        said = ada.says("@eve")
        await slack.settled()
        ada.edits(said, "@bob.berg")
        await bot.quiet()
        assert (await value(bot, ada)).value == known(bob) != known(eve)


async def test_nobody_who_could_not_help_is_taken_and_why_is_told(
    slack: SlackServer, visit: Visit, bot: SlackBot, ada: Person, bob: Person
) -> None:
    gone = slack.workspace.person("Gone")
    gone.deactivated = True
    guest = slack.workspace.person("Guest", team="T0OTHER")
    await begun(visit)
    for somebody, reason in (
        (slack.workspace.bot_user_id, "That is a bot."),
        (gone, "That person’s account is closed."),
        (guest, "That person belongs to another organisation"),
    ):
        await visit.does(Names(somebody))
        assert await visit.asked() == "helper"
        assert reason in visit.card.text
    await visit.does("@here")
    assert "more than one person" in visit.card.text
    await visit.does(Names(bob))
    assert (await value(bot, ada)).value == known(bob)


async def test_a_name_that_looks_like_markup_is_shown_as_it_is(
    slack: SlackServer, visit: Visit, bot: SlackBot, ada: Person
) -> None:
    odd = slack.workspace.person("*<!channel>* & <@U1>")
    await begun(visit)
    await visit.does(Names(odd))
    assert odd.username in str(visit)
    assert not slack.violations


async def test_a_pick_is_acknowledged_though_nobody_tells_who_that_is(
    slack: SlackServer, tmp_path: Path, journeys: dict[str, Any], ada: Person, bob: Person
) -> None:
    impatient = replace(PROMPT, patience=0.05)
    async with slack_bot(slack, tmp_path, manners=impatient, **journeys) as bot:
        visit = await begun(Visit(bot, ada))
        slack.delivery.ack_seconds = 1.0
        slack.befall(Waits(), "users.info", times=None)
        await visit.does(Names(bob))
        assert "I cannot see right now who that is." in visit.card.text
        slack.troubles.clear()
        await visit.does(Names(bob))
        assert (await value(bot, ada)).value == known(bob)


async def test_somebody_else_picks_nobody_on_anothers_card(
    slack: SlackServer, bot: SlackBot, ada: Person, bob: Person
) -> None:
    room = slack.workspace.channel("general", ada, bob)
    root = ada.says("@Surestep", in_=room)
    await bot.quiet()
    visit = Visit(bot, ada, root)
    bob.on(visit.card).selects(visit.control("users_select"), bob)
    await bot.quiet()
    assert await visit.asked() == "helper"
    await visit.is_in_order()
