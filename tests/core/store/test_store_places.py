"""Where a card stands is changed by whoever learns of it: of two at once, neither is lost."""

import asyncio
from typing import Any

import pytest

from core.store import Store
from core.store.tables import drawn
from tests.core.store.building import LANE, count

Place = dict[str, Any]


def adding(message: int) -> Any:
    def change(native: Place | None) -> Place | None:
        known = (native or {"messages": []})["messages"]
        return None if message in known else {"messages": sorted([*known, message])}

    return change


async def test_a_place_is_made_changed_and_left_as_it_is(store: Store) -> None:
    assert await store.amend_place(LANE, "j-1", adding(1))
    assert await store.amend_place(LANE, "j-1", adding(2))
    assert not await store.amend_place(LANE, "j-1", adding(2))
    assert await store.where(LANE, "j-1") == {"messages": [1, 2]}
    assert await store.where(LANE, "j-2") is None


async def test_what_is_left_unknown_stays_unknown(store: Store) -> None:
    assert not await store.amend_place(LANE, "j-1", lambda native: native)
    assert await store.where(LANE, "j-1") is None
    assert await count(store, drawn) == 0


async def test_a_change_that_breaks_leaves_nothing(store: Store) -> None:
    def breaks(native: Place | None) -> Place | None:
        raise ValueError("no place at all")

    with pytest.raises(ValueError, match="no place"):
        await store.amend_place(LANE, "j-1", breaks)
    assert await count(store, drawn) == 0


@pytest.mark.parametrize("known", [False, True], ids=["unknown", "known"])
async def test_of_many_changes_at_once_in_two_processes_none_is_lost(
    store: Store, other: Store, known: bool
) -> None:
    if known:
        await store.remember(LANE, "j-1", {"messages": []})
    changed = await asyncio.gather(
        *(
            where.amend_place(LANE, "j-1", adding(message))
            for message in range(10)
            for where in (store, other)
        )
    )
    assert changed.count(True) == 10
    assert await store.where(LANE, "j-1") == {"messages": list(range(10))}


async def test_what_was_sent_meanwhile_is_seen_by_the_change(store: Store, other: Store) -> None:
    await store.remember(LANE, "j-1", {"messages": [1]})
    await other.remember(LANE, "j-1", {"messages": []})
    seen: list[Place | None] = []
    assert not await store.amend_place(LANE, "j-1", seen.append)
    assert seen == [{"messages": []}]
