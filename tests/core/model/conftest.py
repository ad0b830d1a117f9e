"""A journey to talk about, and a model that answers over real HTTP on loopback."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from core.manifest import Argument, Condition, Gather, Item, Kind, Manifest, Tool
from core.manifest import Test as Check
from core.model.base import Request, ToolSpec, Turn
from core.model.testing import MessagesServer
from core.texts import Texts


@pytest.fixture
def manifest() -> Manifest:
    """Submit an event: steps, talk items, a lookup."""
    return Manifest(
        name="submit_event",
        version=1,
        items=(
            Item(name="title", value=Kind.SHORT_TEXT, gather=Gather.TALK, max_length=80),
            Item(
                name="description",
                value=Kind.LONG_TEXT,
                gather=Gather.TALK,
                required=False,
                draftable=True,
            ),
            Item(name="speakers", value=Kind.ENTRIES, gather=Gather.TALK, count=(1, 10)),
            Item(name="format", value=Kind.CHOICE, options=("in_person", "online", "both")),
            Item(
                name="venue",
                value=Kind.RECORD,
                records="venues",
                when=Condition(tests={"format": Check(one_of=("in_person", "both"))}),
                needs=("format",),
            ),
            Item(
                name="capacity",
                value=Kind.NUMBER,
                minimum=1,
                maximum="venue.capacity",
                depends_on=("venue",),
            ),
            Item(name="poster", value=Kind.UPLOAD, required=False),
            Item(name="conduct", value=Kind.ATTESTATION),
        ),
        tools=(
            Tool(
                name="find_venue",
                description="Find a venue by what people call it.",
                arguments=(
                    Argument(name="query", description="A name or a part of it.", required=True),
                    Argument(name="capacity", type="integer", description="For how many people."),
                ),
                records="venues",
                item="venue",
            ),
        ),
        directories={"venues": "venues.csv"},
    )


@pytest.fixture
def texts() -> Texts:
    """What that journey says."""
    return Texts(
        "en",
        {
            "en": {
                "talk.persona": "You are Ada, who helps the library's guests.",
                "talk.about": "Events are free. Parking is behind the house.",
                "items.title.label": "Title",
                "items.title.ask": "What is your event called?",
                "items.title.about": "It is printed in the programme.",
                "items.format.options.in_person": "In person",
            }
        },
    )


@pytest.fixture
async def server() -> AsyncIterator[MessagesServer]:
    """A Messages API; a request that it had to refuse fails the test."""
    async with MessagesServer() as running:
        yield running


def asked(*texts: str, tail: str = "<runtime_facts>\n</runtime_facts>") -> Request:
    """A request in which person and bot said these texts in turns, the person first."""
    roles = ("person", "bot")
    return Request(
        system=("Be kind.", "The journey."),
        tools=(
            ToolSpec(
                name="find_venue",
                description="Find a venue.",
                schema={
                    "type": "object",
                    "properties": {"query": {"type": "string"}},
                    "required": ["query"],
                },
            ),
        ),
        transcript=tuple(
            Turn(role=roles[number % 2], text=text)  # type: ignore[arg-type]
            for number, text in enumerate(texts)
        ),
        tail=tail,
    )
