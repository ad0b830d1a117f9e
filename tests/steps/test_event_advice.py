"""The calendar team's advice: some for every kind of event, found by the kind that is settled."""

from __future__ import annotations

from core.catalogue import Catalogue
from core.evals.shelf import Shelf
from core.step.base import Fetch

CATALOGUE = Catalogue.load()
ADVICE = CATALOGUE.journey("event").directories["advice"].records
KINDS = CATALOGUE.journey("event").manifest.item("kind").options


async def found(**arguments: str) -> list[str]:
    shelf = Shelf({"event.advice": ADVICE})
    fetch = Fetch(journey="event", tool="find_advice", arguments=arguments)
    answer = await CATALOGUE.tools(shelf)(fetch)
    return [one.id for one in answer.records]


async def test_there_is_advice_for_every_kind_and_for_nothing_else() -> None:
    assert {one.fields["kind"] for one in ADVICE} == set(KINDS)
    for kind in KINDS:
        assert f"{kind}-1" in await found(kind=kind)


async def test_it_is_searched_by_words_and_by_kind() -> None:
    assert await found(kind="workshop", query="places") == ["workshop-3"]
    assert await found(kind="talk", query="places") == []
    assert await found(query="length") == ["meetup-2", "conference-2", "talk-2", "other-2"]
