"""Whole journeys in Slack, over Socket Mode: with clicks and windows, in words, or both.

What a person sees is kept beside this file (`screens/`), so that a change of it is read in review:
`SCREENS=new python -m pytest tests/channels/slack/test_slack_journeys.py` writes it anew.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from channels.slack.app_manifest import manifest
from core.model import Model
from core.state import Status
from tests.support.slack.app import App
from tests.support.slack.server import SlackServer
from tests.support.slack_bot import slack_bot
from tests.support.slack_people import (
    NOW,
    SUMMARY,
    Chooses,
    Fills,
    Finds,
    Picks,
    Script,
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


async def is_submitted_once(visit: Visit, file: str, content: dict[str, Any]) -> None:
    """The journey is over, and what was answered is what was submitted and has arrived."""
    assert (await visit.bot.journey(visit.person)).status is Status.SUBMITTED
    (submitted,) = await visit.submitted()
    assert plain(submitted) == content
    (arrived,) = await visit.delivered(file)
    assert arrived == submitted


def plain(content: dict[str, Any]) -> dict[str, Any]:
    """A submission with its venue by name, and its photo by what is known of it."""
    venue, cover = content.get("venue"), content.get("cover")
    named = {"venue": venue["label"]} if venue else {}
    shown = {"cover": cover["mime"]} if cover else {}
    return {**content, **named, **shown}


def is_as_kept(name: str, seen: str) -> None:
    """What a person sees is what the file says that they see."""
    file = SCREENS / f"{name}.txt"
    seen = "\n".join(line.rstrip() for line in seen.splitlines()) + "\n"
    if os.environ.get("SCREENS") == "new":
        file.parent.mkdir(exist_ok=True)
        file.write_text(seen, "utf-8")
    assert seen == file.read_text("utf-8")


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
        is_as_kept("words", visit.story)


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
        is_as_kept("clicks", visit.story)
