"""Windows (modals) in front of the whole program: opened at once, refused at their fields, closed
half-way, sent too late. Nothing that was typed is lost, and nothing counts twice."""

from __future__ import annotations

from channels.slack.incoming import Seeks
from channels.slack.payload import dest_of
from core.replies import Submit
from tests.support.slack.faults import Refuses, Waits
from tests.support.slack.people import Person
from tests.support.slack.server import SlackServer
from tests.support.slack_bot import SlackBot
from tests.support.slack_people import Fills, Visit

LINK, SEATS = "What is the link?", "How many seats?"


async def at_the_link(visit: Visit) -> None:
    """The journey is at its first field."""
    await visit.does("/surestep new dinner")
    await visit.does("[Online]")
    assert await visit.asked() == "link"


async def test_a_window_opens_without_a_turn_and_its_answer_settles(visit: Visit) -> None:
    await at_the_link(visit)
    turns = (await visit.bot.state(visit.person)).turn
    modal = await visit.opens()

    assert (await visit.bot.state(visit.person)).turn == turns
    assert modal.title == "Link"
    await modal.fills({"Link": "https://example.org/x"}).submits().answered()
    await visit.bot.quiet()
    assert await visit.bot.draft(visit.person) == {
        "format": "online",
        "link": "https://example.org/x",
    }
    await visit.is_in_order()


async def test_who_clicks_before_it_is_known_where_the_card_stands_gets_its_window(
    slack: SlackServer, visit: Visit
) -> None:
    await visit.does("/surestep new dinner")
    posting = Waits(done=True)
    slack.befall(posting, "chat.postMessage")
    visit.person.on(visit.card).clicks("Online")
    await slack.until(lambda: LINK in visit.screen[-1].text, "the next card")
    modal = await visit.person.opens("Answer in a form", visit.screen[-1])

    assert modal.title == "Link"
    posting.open()
    await modal.fills({"Link": "https://example.org/x"}).submits().answered()
    await visit.bot.quiet()
    assert await visit.asked() == "seats"
    await visit.is_in_order()


async def test_what_does_not_fit_is_said_at_its_field_and_nothing_is_stored(visit: Visit) -> None:
    await at_the_link(visit)
    await visit.does(Fills(Link="https://example.org/x"))
    assert await visit.asked() == "seats"
    shown = str(visit)

    modal = await visit.opens()
    await modal.fills(Seats="0").submits().answered()

    assert modal.is_open
    assert modal.errors == {"Seats": "It must be 1 or more."}
    assert modal.value("Seats") == "0"
    await visit.bot.quiet()
    assert str(visit) == shown
    await modal.fills(Seats="40").submits().answered()
    await visit.bot.quiet()
    assert (await visit.bot.draft(visit.person))["seats"] == 40


async def test_a_search_of_another_card_than_the_open_one_finds_nothing(visit: Visit) -> None:
    # Given the card of a directory that is open
    await visit.does("/surestep new dinner")
    await visit.does("[In person]")
    assert await visit.asked() == "hall"
    ask = (await visit.bot.journey(visit.person)).ask
    assert ask is not None
    intake, dest = visit.bot.channel.intake, dest_of(visit.bot.lane(visit.person))

    async def found(card: str) -> list[str]:
        by, at = visit.person.id, ask.drawn_at
        reply = Submit(card=card, values={"query": "old"}, by=by, at=at)
        answer = await intake.take(Seeks(dest=dest, reply=reply))
        assert answer is not None
        return [one["text"]["text"] for one in answer["options"]]

    # When an earlier card is searched, then its select is not filled with what this one finds
    assert await found(ask.card) == ["Old Mill", "Old Mill Annex"]
    assert await found("another-1") == []


async def test_what_was_typed_into_a_closed_window_stands_in_the_next(visit: Visit) -> None:
    await at_the_link(visit)
    modal = await visit.opens()
    (told,) = modal.fills(Link="https://example.org/half").closes()
    await told.answered()

    again = await visit.opens()
    assert again.value("Link") == "https://example.org/half"
    await again.submits().answered()
    await visit.bot.quiet()
    assert (await visit.bot.draft(visit.person))["link"] == "https://example.org/half"


async def test_a_window_whose_card_moved_down_meanwhile_loses_nothing(visit: Visit) -> None:
    await at_the_link(visit)
    modal = await visit.opens()
    await visit.does("why do you need that?")
    await modal.fills(Link="https://example.org/late").submits().answered()
    await visit.bot.quiet()

    assert not modal.is_open
    assert await visit.asked() == "link"
    assert any(one.only_for is visit.person for one in visit.screen), str(visit)
    again = await visit.opens()
    assert again.value("Link") == "https://example.org/late"


async def test_a_window_whose_question_was_answered_meanwhile_changes_nothing(
    visit: Visit,
) -> None:
    await at_the_link(visit)
    modal = await visit.opens()
    await visit.does("https://example.org/typed")
    await modal.fills(Link="https://example.org/late").submits().answered()
    await visit.bot.quiet()

    assert (await visit.bot.draft(visit.person))["link"] == "https://example.org/typed"
    assert await visit.asked() == "seats"
    assert [one.text for one in visit.screen if one.only_for is visit.person] == [
        "That is from an earlier card. The question that is open now is the newest one below."
    ]


async def test_a_trigger_that_is_too_old_is_said_and_the_button_still_works(
    visit: Visit, slack: SlackServer
) -> None:
    await at_the_link(visit)
    slack.befall(Refuses("expired_trigger_id"), "views.open")
    visit.clicks("Answer in a form")
    await visit.bot.quiet()

    assert "press the button once more" in visit.screen[-1].text
    assert visit.screen[-1].only_for is visit.person
    await visit.does(Fills(Link="https://example.org/x"))
    assert await visit.asked() == "seats"


async def test_sent_twice_it_counts_once(visit: Visit, ada: Person, bot: SlackBot) -> None:
    await at_the_link(visit)
    modal = await visit.opens()
    modal.fills(Link="https://example.org/x")
    first, second = modal.submits(), modal.submits()
    await first.ended()
    await second.ended()
    await bot.quiet()

    assert await visit.asked() == "seats"
    state = await bot.state(ada)
    assert state.journey is not None
    assert state.journey.draft.plain()["link"] == "https://example.org/x"


async def test_somebody_elses_card_opens_no_window(slack: SlackServer, bot: SlackBot) -> None:
    ada, grace = slack.workspace.person("Ada"), slack.workspace.person("Grace")
    general = slack.workspace.channel("general", ada, grace)
    root = ada.says("@Surestep hello", in_=general)
    await bot.quiet()
    mine = Visit(bot, ada, root)
    await mine.does("[Online]")

    clicked = grace.on(mine.card).clicks("Answer in a form")
    await clicked.answered()
    await bot.quiet()

    assert not grace.views
    assert "somebody else" in general.screen(grace)[-1].text
    assert await mine.asked() == "link"
