"""Whole journeys in Slack, over Socket Mode: with clicks and windows, in words, or both.

What a person sees is kept beside this file (`screens/`), so that a change of it is read in review:
`SCREENS=new python -m pytest tests/channels/slack/test_slack_journeys.py` writes it anew.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from channels.slack.app_manifest import manifest
from core.model import Model, Scripted, says
from core.state import Status
from tests.support.arrived import is_as_kept, is_submitted_once, plain
from tests.support.slack.app import App
from tests.support.slack.server import SlackServer
from tests.support.slack_bot import slack_bot
from tests.support.slack_people import (
    NOW,
    SUMMARY,
    Chooses,
    Fills,
    Finds,
    Names,
    Picks,
    Script,
    Uploads,
    Visit,
)

SCREENS = Path(__file__).parent / "screens"


@asynccontextmanager
async def visiting(folder: Path, model: Model | None = None, **person: Any) -> AsyncIterator[Visit]:
    """Ada in front of a running bot, whose app is that of the manifest."""
    async with (
        SlackServer(App.of_manifest(manifest()), now=NOW) as server,
        slack_bot(server, folder, model=model) as bot,
    ):
        yield Visit(bot, server.workspace.person("Ada", **person))


# In words alone

WORDS: Script = {
    "kind": ["a workshop"],
    "format": ["both"],
    "venue": ["hamburg", "the first one"],
    "online_link": ["https://meet.example.org/x"],
    "date": ["the 5th of February 2027"],
    "start_time": ["half past seven in the evening"],
    "duration": ["two hours"],
    "capacity": ["60 people"],
    "admission": ["tickets"],
    "price": ["12.50 euros"],
    "speakers": ["Ada Lovelace\nGrace Hopper", "that's all"],
    "languages": ["english and german"],
    "contact": ["Name: Anna Meier\nE-mail: anna@example.org", "skip"],
    "cover": ["skip"],
    "publish_at": ["3 February 2027 at 9 am"],
    "attestation": ["I agree"],
    "title": ["Python Evening"],
    "description": ["Two short talks about testing, then <pizza> & tea."],
}
CONTENT: dict[str, Any] = {
    "kind": "workshop",
    "title": "Python Evening",
    "description": "Two short talks about testing, then <pizza> & tea.",
    "format": "both",
    "venue": "Speicher 7",
    "online_link": "https://meet.example.org/x",
    "date": "2027-02-05",
    "start_time": "19:30",
    "duration": 120,
    "capacity": 60,
    "admission": "paid",
    "price": {"amount": "12.50", "currency": "EUR"},
    "speakers": ["Ada Lovelace", "Grace Hopper"],
    "languages": ["english", "german"],
    "contact": {"name": "Anna Meier", "email": "anna@example.org", "phone": None},
    "cover": None,
    "publish_at": "2027-02-03T09:00",
    "attestation": True,
}


async def test_an_event_is_submitted_in_words(tmp_path: Path) -> None:
    async with visiting(tmp_path) as visit:
        await visit.does("hello")
        await visit.answers(WORDS)
        assert await visit.asked() == SUMMARY
        await visit.does("yes, that's right")

        await is_submitted_once(visit, "events.jsonl", CONTENT)
        assert not visit.bot.server.delivery.attempted("block_actions")
        is_as_kept(SCREENS / "words.txt", visit.story)


# With clicks and windows alone

SPEAKERS = "Speakers or hosts"
CLICKS: Script = {
    "kind": ["[Workshop]"],
    "format": ["[In person and online]"],
    "venue": [Finds("hamb", "Speicher 7")],
    "online_link": [Fills(Link="https://meet.example.org/x")],
    "date": [Picks("2027-02-05")],
    "start_time": [Picks(time="19:30")],
    "duration": [Fills(Duration="2 hours")],
    "capacity": [Fills(Places="60")],
    "admission": ["[A fixed price]"],
    "price": [Fills(Price="12.50")],
    "speakers": [Fills(**{SPEAKERS: "Ada Lovelace\nGrace Hopper"}), "[Done]"],
    "languages": [Chooses("English", "German"), "[Done]"],
    "contact": [Fills(**{"Name": "Anna Meier", "E-mail": "anna@example.org"})],
    "cover": ["[Skip]"],
    "publish_at": [Picks("2027-02-03", "09:00")],
    "attestation": ["[I agree]"],
    "title": [Fills(Title="Python Evening")],
    "description": [Fills(Description="Two short talks about testing, then <pizza> & tea.")],
}


async def test_an_event_is_submitted_with_clicks_and_windows(tmp_path: Path) -> None:
    async with visiting(tmp_path) as visit:
        await visit.does("/surestep new event")
        await visit.answers(CLICKS)
        assert await visit.asked() == SUMMARY
        await visit.does("[Confirm]")

        await is_submitted_once(visit, "events.jsonl", CONTENT)
        assert not [one for one in visit.screen if one.sender is visit.person]
        is_as_kept(SCREENS / "clicks.txt", visit.story)


# As people do it: questions, changes of mind and a file in between, in a thread of a channel

TITLE = ("record_item", {"item": "title", "value": "Python Evening", "quote": "the Python Evening"})
DRAFT = "Two short talks about testing in Python, and time to meet."
DRAFTED = ("suggest_value", {"item": "description", "value": DRAFT})
MIXED: Script = {
    "kind": ["Hi! We want to do the Python Evening again, is that ok here?", "[Talk]"],
    "format": ["[In person]"],
    "venue": [
        "Do you book it for me?",
        "halle",
        "[Show all]",
        "[Next ›]",
        Finds("halle 10", "Halle 10"),
    ],
    "date": ["next Monday or so?", Picks("2027-02-05")],
    "start_time": [Picks(time="19:00")],
    "duration": ["2 hours, or is that too long?", "[2 hours]"],
    "capacity": ["a hundred thousand", "60"],
    "admission": ["[By donation]"],
    "speakers": [
        "Ada Lovelace",
        "Grace Hoper",
        "[Remove: 2. Grace Hoper]",
        "Grace Hopper",
        "[Done]",
    ],
    "languages": [
        Chooses("English"),
        "what do most people take?",
        Chooses("English", "German"),
        "[Done]",
    ],
    "contact": ["E-mail: anna@example.org\nName: Anna Meyer", Fills(Name="Anna Meier")],
    "cover": [Uploads("crowd.png")],
    "publish_at": ["[Now]"],
    "attestation": ["[I agree]"],
    "description": ["could you write something short?", "[Use this text]"],
}
MIXED_CONTENT: dict[str, Any] = {
    "kind": "talk",
    "title": "Python Evening",
    "description": DRAFT,
    "format": "in_person",
    "venue": "Halle 10",
    "date": "2027-02-05",
    "start_time": "19:00",
    "duration": 120,
    "capacity": 80,
    "admission": "donation",
    "speakers": ["Ada Lovelace", "Grace Hopper"],
    "languages": ["english", "german"],
    "contact": {"name": "Anna Meier", "email": "anna@example.org", "phone": None},
    "cover": "image/png",
    "publish_at": "now",
    "attestation": True,
}


async def test_an_event_is_submitted_as_people_do_it(tmp_path: Path) -> None:
    model = Scripted(
        says("", TITLE),
        "It is! Events of every size are welcome.",
        "It is not booked by this form: you book with the venue.",
        "Any day is fine.",
        "Two hours is fine.",
        "Most take English. Which do you speak?",
        says("Here is a draft.", DRAFTED),
        "Take it, or write your own.",
    )
    async with visiting(tmp_path, model) as visit:
        ada = visit.person
        general = visit.bot.server.workspace.channel("general", ada)
        visit.thread = ada.says("@Surestep", in_=general)
        await visit.bot.quiet()
        await visit.answers(MIXED)

        await visit.answers({SUMMARY: ["[Edit: Places]"], "capacity": ["80"]})
        assert "Places changed from 60 to 80" in str(visit)
        await visit.answers({SUMMARY: ["[Confirm]"]})

        lane_journey = await visit.bot.journey(ada, thread=visit.thread)
        assert lane_journey.status is Status.SUBMITTED
        (submitted,) = await visit.submitted()
        assert plain(submitted) == MIXED_CONTENT
        assert await visit.delivered("events.jsonl") == [submitted]
        assert len(model.requests) == 8
        is_as_kept(SCREENS / "mixed.txt", visit.story)


# Something is asked for

REQUEST_CLICKS: Script = {
    "kind": ["[Something bought]"],
    "product": [Fills(Item="Headset, wired, USB-C")],
    "cost": [Fills(Cost="129.90")],
    "needed_by": [Picks("2026-12-15")],
    "approver": [Names("Kim")],
    "urgency": ["[I cannot work without it]"],
    "attestation": ["[I confirm]"],
    "reason": [Fills(Reason="The old one broke, and I am on the phone all day.")],
}
REQUEST_WORDS: Script = {
    "kind": ["something bought"],
    "product": ["Headset, wired, USB-C"],
    "cost": ["129.90"],
    "needed_by": ["15 December"],
    "approver": ["my team lead is @kim"],
    "urgency": ["urgent"],
    "attestation": ["yes"],
    "reason": ["The old one broke, and I am on the phone all day."],
}
REQUEST_MIXED: Script = {
    **REQUEST_CLICKS,
    "product": ["Headset, wired, USB-C"],
    "approver": ["perhaps @kim", "[kim]"],
    "urgency": ["urgent"],
}


@pytest.mark.parametrize(
    "script", [REQUEST_CLICKS, REQUEST_WORDS, REQUEST_MIXED], ids=["clicks", "words", "mixed"]
)
async def test_something_is_asked_for(tmp_path: Path, script: Script) -> None:
    async with visiting(tmp_path) as visit:
        kim = visit.person.workspace.person("Kim")
        await visit.does("/surestep new request")
        await visit.answers({**script, SUMMARY: ["yes"]})
        await is_submitted_once(
            visit,
            "requests.jsonl",
            {
                "kind": "purchase",
                "product": "Headset, wired, USB-C",
                "cost": {"amount": "129.90", "currency": "EUR"},
                "needed_by": "2026-12-15",
                "approver": {"id": kim.id, "handle": "kim", "name": "kim"},
                "urgency": "urgent",
                "attestation": True,
                "reason": "The old one broke, and I am on the phone all day.",
            },
        )
