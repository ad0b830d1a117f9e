"""Any sequence of operations does on both engines what it does to a few lists and flags."""

import asyncio
from collections.abc import Coroutine
from typing import Any, ClassVar

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from sqlalchemy import select

from core.effects import Effects, Say, Toast
from core.replies import Reply, Tap, Words
from core.state import decode
from core.store import (
    AlreadySubmitted,
    Amend,
    Amended,
    Claim,
    Delivery,
    Entry,
    Fenced,
    Outgoing,
    Store,
)
from core.store.outbox import Sent
from core.store.tables import conversation
from core.store.tables import lane as lane_table
from tests.core.store.building import (
    ANNA,
    empty,
    pass_time,
    state,
    submission,
    tap,
    words,
)
from tests.core.store.model import TRIES, Hold, Job, Lane

LANES = ("test:a", "test:b", "test:c")
AN_HOUR = 3600.0
"""More than anything waits: the model only has to know what waits, not for how long."""

ANY_LANE = st.sampled_from(LANES)


class StoreMachine(RuleBasedStateMachine):
    """Operations on two stores of one database, as two processes would have them."""

    stores: ClassVar[tuple[Store, Store]]
    runner: ClassVar[asyncio.Runner]

    def __init__(self) -> None:
        super().__init__()
        self.do(empty(self.stores[0]))
        self.lanes = {key: Lane() for key in LANES}
        self.accepted = 0
        self.words: dict[str, str] = {}
        self.parked: list[str] = []
        self.ended: list[Claim] = []
        self.outgoing: dict[str, Outgoing] = {}
        self.delivering: dict[str, Delivery] = {}

    def do(self, work: Coroutine[Any, Any, Any]) -> Any:
        return self.runner.run(work)

    @rule()
    def pass_time(self) -> None:
        self.do(pass_time(self.stores[0], AN_HOUR))
        for lane in self.lanes.values():
            lane.backing_off = False
            lane.lost = lane.claim is not None
            lane.hold = Hold.FREE if lane.hold is Hold.HELD else lane.hold
            for job in (*lane.unsent, *([lane.delivery] if lane.delivery else [])):
                job.pass_time()

    # Coming in

    @rule(key=ANY_LANE, where=st.integers(0, 1), held=st.booleans())
    def accept(self, key: str, where: int, held: bool) -> None:
        self.accepted += 1
        name, lane = f"{self.accepted}", self.lanes[key]
        reply = words(name) if held else tap(name)
        assert self.do(self.stores[where].accept(key, name, reply, 20.0 if held else 0.0, ANNA))
        if not held:
            lane.hold = Hold.FREE
        elif not lane.pending or lane.hold is not Hold.FREE:
            lane.hold = Hold.HELD
        self.words[name] = name if held else ""
        lane.pending.append(Job(name, self.words[name]))
        lane.met = True

    @precondition(lambda self: self.accepted)
    @rule(key=ANY_LANE, data=st.data())
    def accept_again(self, key: str, data: st.DataObject) -> None:
        name = f"{data.draw(st.integers(1, self.accepted))}"
        assert not self.do(self.stores[0].accept(key, name, words(name), 20.0, ANNA))

    @precondition(lambda self: self.accepted)
    @rule(data=st.data(), where=st.integers(0, 1), text=st.sampled_from(["a", "b"]))
    def amend(self, data: st.DataObject, where: int, text: str) -> None:
        name = f"{data.draw(st.integers(1, self.accepted + 1))}"
        jobs = [job for lane in self.lanes.values() for job in lane.pending if job.name == name]
        known = self.words.get(name)
        expected = Amend.LATE
        if known is None:
            expected = Amend.UNKNOWN
        elif known == text:
            expected = Amend.SAME
        elif known and jobs:
            expected = Amend.CHANGED
            jobs[0].words = self.words[name] = text
            jobs[0].amended = True
        assert self.do(self.stores[where].amend(name, text)) is expected

    # Taking turns

    @rule(where=st.integers(0, 1))
    def claim(self, where: int) -> None:
        ready = [key for key, lane in self.lanes.items() if lane.is_ready()]
        claim: Claim | None = self.do(self.stores[where].claim(f"worker {where}"))
        found = {one.key for one in self.do(self.stores[0].parked())}
        for key in ready[:]:
            lane = self.lanes[key]
            # Which lane is looked at first depends on the clock, and the search ends with a claim.
            if lane.is_used_up() and lane.pending[0].name in found:
                self.parked.append(lane.pending.pop(0).name)
                self._end(lane, Hold.NONE_WAITS)
                ready.remove(key)
        if claim is None:
            assert ready == []
            return
        assert claim.lane in ready
        self._claimed(self.lanes[claim.lane], claim)

    def _claimed(self, lane: Lane, claim: Claim) -> None:
        if lane.lost:
            lane.pending[0].tries += 1
            if lane.pending[0].tries == TRIES:
                self.parked.append(lane.pending.pop(0).name)
        if lane.claim is not None:
            self.ended.append(lane.claim)
        lane.claim, lane.lost, lane.hold = claim, False, Hold.NONE_WAITS
        assert pairs(claim.entries) == [(job.shown(), job.tries) for job in lane.pending]
        for job in lane.pending:
            job.read, job.amended = job.shown(), False
        assert claim.state is not None
        assert claim.state.turn == lane.turn

    def _end(self, lane: Lane, hold: Hold) -> None:
        if lane.claim is not None:
            self.ended.append(lane.claim)
        lane.claim, lane.lost, lane.hold = None, False, hold

    def _claims(self) -> list[str]:
        return [key for key, lane in self.lanes.items() if lane.claim is not None]

    @precondition(lambda self: self._claims())
    @rule(data=st.data(), says=st.lists(st.booleans(), max_size=3), submits=st.booleans())
    def settle(self, data: st.DataObject, says: list[bool], submits: bool) -> None:
        key = data.draw(st.sampled_from(self._claims()))
        lane = self.lanes[key]
        claim = lane.claim
        assert claim is not None
        waiting = self.do(self.stores[0].waiting(claim))
        entries = [*claim.entries, *waiting]
        for job in lane.pending[len(claim.entries) :]:
            job.read, job.amended = job.shown(), False
        assert pairs(entries) == [(job.read, job.tries) for job in lane.pending]
        done = entries[: data.draw(st.integers(1, len(entries)))]
        shown = tuple(Say(text="hello") if message else Toast() for message in says)
        settling = self.stores[1].settle(
            claim,
            done=done,
            state=state(lane.turn + 1, key=key, journey=key),
            effects=Effects(show=shown, submission=submission(key) if submits else None),
            destinations=["webhook"],
        )
        if any(job.amended for job in lane.pending[: len(done)]):
            with pytest.raises(Amended):
                self.do(settling)
            return
        if submits and (lane.delivery or lane.delivered):
            with pytest.raises(AlreadySubmitted):
                self.do(settling)
            return
        self.do(settling)
        left_over = len(done) < len(claim.entries)
        lane.pending = lane.pending[len(done) :]
        lane.turn += 1
        lane.unsent += [
            Job(f"{key}:{lane.turn}:{number}", message=message)
            for number, message in enumerate(says)
        ]
        if submits:
            lane.delivery = Job(f"{key}:webhook")
        self._end(lane, Hold.FREE if left_over else lane.hold)

    @precondition(lambda self: self._claims())
    @rule(data=st.data())
    def fail(self, data: st.DataObject) -> None:
        lane = self.lanes[data.draw(st.sampled_from(self._claims()))]
        claim = lane.claim
        assert claim is not None
        first = lane.pending[0]
        assert self.do(self.stores[0].fail(claim, [claim.entries[0].id], "OSError", 20.0))
        first.tries += 1
        lane.backing_off = first.tries < TRIES
        if first.tries == TRIES:
            self.parked.append(lane.pending.pop(0).name)
        self._end(lane, Hold.FREE)

    @precondition(lambda self: self._claims())
    @rule(data=st.data())
    def renew_or_release(self, data: st.DataObject) -> None:
        lane = self.lanes[data.draw(st.sampled_from(self._claims()))]
        assert lane.claim is not None
        if data.draw(st.booleans()):
            self.do(self.stores[0].renew(lane.claim))
            lane.lost = False
        else:
            self.do(self.stores[0].release(lane.claim))
            self._end(lane, Hold.FREE)

    @precondition(lambda self: self.ended)
    @rule(data=st.data())
    def write_too_late(self, data: st.DataObject) -> None:
        claim = data.draw(st.sampled_from(self.ended))
        ids = [entry.id for entry in claim.entries]
        store = self.stores[0]
        for late in (store.renew(claim), store.settle(claim, done=claim.entries, state=state(999))):
            with pytest.raises(Fenced):
                self.do(late)
        assert not self.do(store.fail(claim, ids, "too late"))
        self.do(store.release(claim))

    # Going out

    @rule(where=st.integers(0, 1))
    def take_what_is_due(self, where: int) -> None:
        expected = []
        for lane in self.lanes.values():
            run, given_up = lane.take_run()
            expected += [(job.name, job.tries) for job in run]
            self.parked += [job.name for job in given_up]
        rows = self.do(self.stores[where].due(f"sender {where}", ["test"]))
        for key in LANES:
            # Each lane's in its order; which lane comes first is not said.
            found = [(row.key, row.tries) for row in rows if row.lane == key]
            assert found == [one for one in expected if one[0].startswith(key)]
        self.outgoing |= {row.key: row for row in rows}

    def _being_sent(self) -> list[str]:
        return [key for key, lane in self.lanes.items() if lane.unsent and lane.unsent[0].leased]

    @precondition(lambda self: self._being_sent())
    @rule(data=st.data(), how=st.sampled_from(["sent", "retry", "wait", "park", "hold"]))
    def say_how_sending_went(self, data: st.DataObject, how: str) -> None:
        lane = self.lanes[data.draw(st.sampled_from(self._being_sent()))]
        run = [job for job in lane.unsent if job.leased]
        rows, store = [self.outgoing[job.name] for job in run], self.stores[0]
        if how == "sent":
            count = data.draw(st.integers(1, len(run)))
            self.do(store.all_sent([Sent(row, {"n": 1}, "card") for row in rows[:count]]))
            lane.unsent = lane.unsent[count:]
        elif how == "park":
            self.do(store.park(rows[0], "blocked"))
            self.parked.append(lane.unsent.pop(0).name)
        elif how == "hold":
            assert self.do(store.hold(rows))
            for job in run:
                job.lost = False
        else:
            counts = how == "retry"
            self.do(store.retry(rows[0], "flood", 20.0, counts=counts, behind=rows[1:]))
            for job in run:
                job.give_back()
            run[0].put_off(counts=counts)

    @rule(where=st.integers(0, 1))
    def take_deliveries_that_are_due(self, where: int) -> None:
        expected = []
        for lane in self.lanes.values():
            if lane.delivery is None or not lane.delivery.is_due():
                continue
            if lane.delivery.lease():
                expected.append((lane.delivery.name, lane.delivery.tries))
            else:
                self._delivery_ended(lane, dead=True)
        rows = self.do(self.stores[where].due_deliveries(f"deliverer {where}"))
        assert sorted((row.key, row.tries) for row in rows) == sorted(expected)
        self.delivering |= {row.key: row for row in rows}

    def _delivery_ended(self, lane: Lane, *, dead: bool) -> None:
        assert lane.delivery is not None
        if dead:
            self.parked.append(lane.delivery.name)
        lane.delivery, lane.delivered = None, True

    def _being_delivered(self) -> list[str]:
        return [key for key, lane in self.lanes.items() if lane.delivery and lane.delivery.leased]

    @precondition(lambda self: self._being_delivered())
    @rule(data=st.data(), how=st.sampled_from(["delivered", "retry", "wait", "dead"]))
    def say_how_delivering_went(self, data: st.DataObject, how: str) -> None:
        lane = self.lanes[data.draw(st.sampled_from(self._being_delivered()))]
        assert lane.delivery is not None
        row, store = self.delivering[lane.delivery.name], self.stores[0]
        if how == "delivered":
            self.do(store.delivered(row))
        elif how == "dead":
            self.do(store.dead(row, "gone"))
        else:
            self.do(store.retry_delivery(row, "busy", 20.0, counts=how == "retry"))
            lane.delivery.put_off(counts=how == "retry")
            return
        self._delivery_ended(lane, dead=how == "dead")

    # What is always so

    @invariant()
    def nothing_is_lost(self) -> None:
        expected = {
            key: (len(lane.pending), lane.turn) for key, lane in self.lanes.items() if lane.met
        }
        assert self.do(observe(self.stores[1])) == expected

    def teardown(self) -> None:
        found = [one.key for one in self.do(self.stores[0].parked())]
        assert sorted(found) == sorted(self.parked)


def pairs(entries: list[Entry] | tuple[Entry, ...]) -> list[tuple[str, int]]:
    """Entries as the model names them: by the word or the token in them, and their tries."""
    return [
        (one.reply.text if isinstance(one.reply, Words) else token(one.reply), one.tries)
        for one in entries
    ]


def token(reply: Reply) -> str:
    assert isinstance(reply, Tap)
    return reply.token


async def observe(store: Store) -> dict[str, tuple[int, int]]:
    """How many entries wait in each lane, and its turn."""
    both = lane_table.join(conversation, lane_table.c.key == conversation.c.key)
    columns = (lane_table.c.key, lane_table.c.ready, conversation.c.state)
    async with store.database.read() as connection:
        rows = await connection.execute(select(*columns).select_from(both))
        return {row.key: (row.ready, decode(row.state).turn) for row in rows}


EXAMPLES = {"sqlite": 25, "postgres": 10}


@pytest.mark.parametrize("engine", EXAMPLES)
def test_operations_in_any_order(engine: str, request: pytest.FixtureRequest) -> None:
    url: str = request.getfixturevalue(f"kept_{engine}")
    deep = settings.get_current_profile_name() == "deep"
    examples = EXAMPLES[engine] * (20 if deep else 1)
    with asyncio.Runner() as runner:

        async def open_both() -> tuple[Store, Store]:
            return await Store.open(url, TRIES), await Store.open(url, TRIES)

        async def close_both() -> None:
            for store in both:
                await store.close()

        both = runner.run(open_both())

        class Machine(StoreMachine):
            pass

        Machine.stores, Machine.runner = both, runner

        try:
            run_state_machine_as_test(
                Machine, settings=settings(max_examples=examples, stateful_step_count=40)
            )
        finally:
            runner.run(close_both())
