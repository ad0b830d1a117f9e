"""In the event journey the time zone is asked before its first day, and never for its other items;
its own step, which reads the clock too, says so."""

from __future__ import annotations

import msgspec

from core.catalogue import Catalogue
from core.state import AskKind
from core.step.base import ReadsClock
from tests.support.chat import ANNA, Chat, Types
from tests.support.guarantees import check

CATALOGUE = Catalogue.load()


def test_the_zone_is_asked_before_the_date_only() -> None:
    types = Types((CATALOGUE.journey("event").type,))
    person = msgspec.structs.replace(ANNA, locale="de", zone="UTC", zone_known=False)
    chat = Chat(types, person=person, watch=check).commands("new", "event")
    chat.says("ein Kurs").says("online").says("https://meet.example.org/x")
    assert chat.state.journey is not None
    assert chat.state.journey.ask is not None
    assert chat.state.journey.ask.kind is AskKind.ZONE

    chat.taps("Berlin · 13:00")
    assert chat.said == "Zeitzone: Berlin (13:00)"
    assert chat.card.item == "date"
    chat.says("5. Februar 2027")
    assert chat.card.item == "start_time"


def test_the_events_own_step_reads_the_clock() -> None:
    kind = CATALOGUE.journey("event").type
    step = kind.step(kind.manifest.item("publish_at"))
    assert isinstance(step, ReadsClock)
    assert step.reads_clock
