"""A submission that has just been confirmed, as the store has it, on its way to destinations."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from core.delivery import KINDS
from core.draft import canonical
from core.effects import Effects, Submission
from core.loading import load_journey
from core.replies import Tap
from core.state import Conversation, Journey, Person, Status
from core.store import Store
from core.store.deliveries import Delivery, Stage
from tests.core.store.building import MOMENT
from tests.support.dinner_folder import MANIFEST, dinner_folder

CONTENT: dict[str, Any] = {
    "format": "in_person",
    "hall": {"id": "h1", "label": "Old Mill", "capacity": 80},
    "seats": 60,
    "day": "2030-12-24",
    "start": "19:00",
    "guests": None,
    "title": "Winter Dinner",
    "about": "Food and stories by the fire.",
    "poster": None,
}

Where = dict[str, Any]


def dinner_to(folder: Path, *destinations: Where) -> Path:
    """Write the journey "dinner" with these destinations, in a folder of journeys; the folder."""
    journeys = dinner_folder(folder / "journeys")
    changed = {**MANIFEST, "destinations": list(destinations)}
    (journeys / "dinner" / "manifest.yaml").write_text(json.dumps(changed), "utf-8")
    return journeys


async def send_in(
    store: Store, folder: Path, lane: str, person: Person, journey: str = "j", **changes: Any
) -> Submission:
    """A dinner of the folder's journey, which this person has just confirmed in this lane."""
    manifest = load_journey(folder / "journeys" / "dinner", KINDS).manifest
    content = canonical({**CONTENT, **changes}).decode()
    made = Submission(
        journey=journey,
        manifest=manifest.name,
        digest=manifest.digest,
        revision="0123456789abcdef",
        content=content,
        sources={},
        person=person.id,
        zone=person.zone,
    )
    done = Journey(
        id=journey, manifest=manifest.name, digest=manifest.digest, status=Status.SUBMITTED
    )
    confirm = Tap(card="c", token="confirm", by=person.id, at=MOMENT)
    await store.accept(lane, f"{lane}:{journey}:confirm", confirm, person=person)
    claim = await store.claim("test")
    assert claim is not None
    await store.settle(
        claim,
        done=claim.entries,
        state=Conversation(id=lane, person=person, turn=1, journey=done),
        effects=Effects(submission=made),
        destinations=tuple(one.name for one in manifest.destinations),
    )
    return made


async def sent_before(database: Path, folder: Path, lane: str, person: str, **changes: Any) -> None:
    """The same, in a database that no program is at yet."""
    store = await Store.open(f"sqlite+aiosqlite:///{database}")
    await store.migrate()
    await send_in(store, folder, lane, Person(id=person), **changes)
    await store.close()


async def settled(store: Store, journey: str = "j") -> dict[str, Delivery]:
    """The deliveries of a submission by their destination, when none is on its way any more."""
    async with asyncio.timeout(40):
        while True:
            found = await store.deliveries(journey)
            if all(one.stage is not Stage.PENDING for one in found):
                return {one.destination: one for one in found}
            await asyncio.sleep(0.02)  # the database rings no bell
