"""The shell around the turn: it loads, asks the model, saves and hands on. No rule of a turn is
here, only the order of things that must not be lost.

A worker claims a lane, takes one turn of what waits in it, and settles state, inbox and outbox in
one transaction under the lane's fence. Over a model call no transaction is open; what arrives
meanwhile is looked at before the answer counts. One process works on many lanes at once: a slow
model delays its own lane only. Nobody asks the database again and again: a bell tells.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

import structlog

from core import own
from core.bell import Bell
from core.channel import SEEN_AT, Channel
from core.gathering import are_words, together
from core.journey import JourneyTypes
from core.model import Failure, Model, ModelFailed, deadline
from core.replies import Command, Reply, Submit, Tap, Words
from core.state import Conversation, Status
from core.step.base import Fetch, Fetched
from core.store import Amended, Claim, Entry, Fenced, Store
from core.store.part import channel_of
from core.talk import Talk, with_needs, words_of
from core.texts import COMMAND
from core.turn import SORRY, STOP, Consult, Sight, Taken, World, answered, take

log = structlog.get_logger()

Tools = Callable[[Fetch], Awaitable[Fetched]]
"""Carries out a domain tool's call."""


@dataclass(frozen=True)
class Rules:
    """The shell's limits, in seconds and counts.

    While a model answers it is noticed within `look` that the bell rang, and looked whether the
    person wrote on. After `idle` without a ring it is looked all the same: another process may have
    accepted something.
    """

    lease: float = 60.0
    model_deadline: float = 60.0
    look: float = 0.15
    idle: float = 1.0
    restarts: int = 5
    retry: float = 2.0


Wrote = Callable[[], Awaitable[bool]]
"""Whether the person wrote on while the model was answering."""


class _MoreWords(Exception):
    """The person wrote on while the model was answering."""


class _Stopped(Exception):
    """The person wants to hear no more of the answer that is coming."""

    def __init__(self, entry: Entry) -> None:
        self.entry = entry


@dataclass
class Runtime:
    """Takes the turns of every lane. `clock` gives aware UTC times and `fresh` new journey ids.

    Whoever has accepted a reply rings `bell`.
    """

    store: Store
    types: JourneyTypes
    model: Model
    tools: Tools
    clock: Callable[[], datetime]
    fresh: Callable[[], str]
    owner: str
    starts: str = ""
    talks: bool = True
    channels: dict[str, Channel] = field(default_factory=dict)
    rules: Rules = field(default_factory=Rules)
    bell: Bell = field(default_factory=Bell)

    async def work(self) -> bool:
        """Take one turn of one lane; False when nothing waits."""
        claim = await self.store.claim(self.owner, lease=self.rules.lease)
        if claim is None:
            return False
        await self._take_turn(claim)
        return True

    async def _take_turn(self, claim: Claim) -> None:
        try:
            async with self._renewing(claim):
                await _LaneTurn(self, claim).run()
        except Fenced:
            log.warning("lane_lost", lane=claim.lane)
        except Amended:
            # The person changed these words meanwhile: the turn is taken anew, with the newest.
            await self.store.release(claim)
        except asyncio.CancelledError:
            await self.store.release(claim)
            raise
        except Exception as error:
            log.exception("turn_failed", lane=claim.lane)
            await self._failed(claim, type(error).__name__)

    async def _failed(self, claim: Claim, error: str) -> None:
        """Try it again later; what failed too often is parked, and the person hears of it."""
        first = claim.entries[0]
        held = await self.store.fail(claim, [first.id], error, self.rules.retry)
        self.bell.ring(after=self.rules.retry * 2.0**first.tries)
        apology = isinstance(first.reply, Command) and first.reply.name == SORRY
        if held and not apology and first.tries + 1 >= self.store.max_tries:
            sorry = Command(name=SORRY, by=first.reply.by, at=self.clock())
            await self.store.accept(claim.lane, f"{claim.lane}:sorry:{first.id}", sorry)

    async def drain(self) -> None:
        """Work until nothing waits."""
        while await self.work():
            pass

    async def run(self, workers: int = 16) -> None:
        """Work until cancelled, on so many lanes at once; then every lane is given back."""
        free = asyncio.Semaphore(workers)
        async with asyncio.TaskGroup() as lanes:
            while True:
                await free.acquire()
                lanes.create_task(self._work_on(await self._next(), free))

    async def _next(self) -> Claim:
        """The next lane that is ready, as soon as there is one."""
        while True:
            try:
                claim = await self.store.claim(self.owner, lease=self.rules.lease)
            except Exception:
                # A database that is away comes back, and is not asked faster than this.
                log.exception("claim_failed")
                await asyncio.sleep(self.rules.idle)
                continue
            if claim is not None:
                return claim
            await self.bell.wait(self.rules.idle)

    async def _work_on(self, claim: Claim, free: asyncio.Semaphore) -> None:
        rings = self.bell.rings
        try:
            await self._take_turn(claim)
        except Exception:
            # Not even its failure could be written down: another gets the lane after its lease.
            log.exception("lane_failed", lane=claim.lane)
        finally:
            free.release()
            # What is left in this lane, or came into it, nobody could find meanwhile.
            if self.bell.rings != rings or len(claim.entries) > 1:
                self.bell.ring()

    async def trial(self, lane: str, reply: Reply) -> Taken | None:
        """What would come of a reply right now; nothing is kept, and the model is not asked.

        For a platform that wants an answer before the reply can have its turn (the faults of a
        native form, what a search finds). None where nobody has been met in the lane.
        """
        state = await self.store.conversation(lane)
        return None if state is None else await self.taken(lane, state, reply, {})

    async def taken(
        self, lane: str, state: Conversation, reply: Reply, fetched: dict[str, Fetched]
    ) -> Taken:
        """The pure turn of a reply, with all that it needs fetched into `fetched`."""
        channel = self.channels.get(channel_of(lane))
        world = World(
            types=self.types,
            now=self.clock(),
            fresh=self.fresh(),
            fetched=fetched,
            starts=self.starts,
            talks=self.talks,
            command=channel.command if channel is not None else COMMAND,
            sight=await self._sight(lane, state, reply),
        )

        async def fetch(one: Fetch) -> Fetched:
            return await self.fetch(lane, one)

        return await with_needs(lambda: take(state, reply, world), fetch, fetched)

    async def _sight(self, lane: str, state: Conversation, reply: Reply) -> Sight:
        ask = state.journey.ask if state.journey is not None else None
        if ask is None or channel_of(lane) not in self.channels or isinstance(reply, Tap | Submit):
            return Sight()
        place = await self.store.where(lane, ask.card)
        if place is None:
            unsure = await self.store.is_perhaps_drawn(lane, ask.card)
            return Sight(unseen=not unsure, unsure=unsure)
        stamp = place.get(SEEN_AT)
        return Sight(at=None if stamp is None else datetime.fromtimestamp(stamp, UTC))

    async def fetch(self, lane: str, fetch: Fetch) -> Fetched:
        """What a tool answers; one that breaks has an answer that says so."""
        try:
            if fetch.tool.startswith(own.PREFIX):
                return await own.answer(self.store, lane, fetch)
            return await self.tools(fetch)
        except Exception:
            log.exception("tool_failed", tool=fetch.tool)
            return Fetched(failed="not available right now")

    @contextlib.asynccontextmanager
    async def _renewing(self, claim: Claim) -> AsyncIterator[None]:
        async def renew() -> None:
            while True:
                await asyncio.sleep(self.rules.lease / 3)
                try:
                    await self.store.renew(claim)
                except Fenced:
                    return
                except Exception:
                    # Two more attempts fit into the lease; a database that is away comes back.
                    log.exception("renew_failed", lane=claim.lane)

        keeper = asyncio.create_task(renew())
        try:
            yield
        finally:
            keeper.cancel()
            with contextlib.suppress(asyncio.CancelledError, Exception):
                await keeper


class _LaneTurn:
    """One turn of one claimed lane."""

    def __init__(self, runtime: Runtime, claim: Claim) -> None:
        self.runtime = runtime
        self.claim = claim
        self.fetched: dict[str, Fetched] = {}

    async def run(self) -> None:
        state = self.claim.state
        done, reply = together(self.claim.entries)
        if state is None:
            raise LookupError(f"nobody has been met in {self.claim.lane}")
        taken, done = await self._turn(state, reply, done)
        await self.runtime.store.settle(
            self.claim,
            done=done,
            state=taken.state,
            effects=taken.effects,
            destinations=self._destinations(taken),
        )
        if taken.effects.show:
            self.runtime.store.outgoing.ring()

    def _destinations(self, taken: Taken) -> tuple[str, ...]:
        submission = taken.effects.submission
        if submission is None:
            return ()
        found = self.runtime.types.version(submission.manifest, submission.digest)
        return tuple(one.name for one in found.manifest.destinations) if found else ()

    async def _turn(
        self, state: Conversation, reply: Reply, done: list[Entry]
    ) -> tuple[Taken, list[Entry]]:
        for attempt in range(self.runtime.rules.restarts + 1):
            taken = await self._taken(state, reply)
            if taken.consult is None:
                return taken, done
            try:
                more = self._looks_behind(done) if attempt < self.runtime.rules.restarts else None
                text = await self._text(taken.consult, more)
                whole = text is not None
            except _MoreWords:
                done, reply = together([*done, *await self._waiting(done)])
                continue
            except _Stopped as stopped:
                done, text, whole = [*done, stopped.entry], "", False
            if not whole:
                taken = await self._taken(state, reply)
            assert taken.consult is not None
            return await self._finished(taken.consult, text, done)
        raise AssertionError("the last attempt is never interrupted")

    async def _finished(
        self, consult: Consult, text: str | None, done: list[Entry]
    ) -> tuple[Taken, list[Entry]]:
        """The turn with the model's answer, and with a tap that waited for it."""
        tap = await self._waiting_tap(consult, done)
        after = tap.reply if tap is not None else None
        assert after is None or isinstance(after, Tap | Submit)
        finished = await with_needs(
            lambda: answered(consult, text, after), self._fetch, self.fetched
        )
        return finished, done if tap is None else [*done, tap]

    async def _taken(self, state: Conversation, reply: Reply) -> Taken:
        return await self.runtime.taken(self.claim.lane, state, reply, self.fetched)

    async def _fetch(self, fetch: Fetch) -> Fetched:
        return await self.runtime.fetch(self.claim.lane, fetch)

    async def _text(self, consult: Consult, more: Wrote | None) -> str | None:
        """The model's whole text; None where there is none. Raises _MoreWords."""
        lane, channel = self.claim.lane, self._channel()
        # Only the model needs what was said before, so only its turns grow with it.
        journey = consult.turn.journey.id
        notes = await self.runtime.store.transcript(lane, journey)
        consult.said = words_of(notes)

        shown = ""

        async def preview(piece: str) -> None:
            nonlocal shown
            shown += piece
            if channel is not None:
                with contextlib.suppress(Exception):
                    await channel.preview(lane, shown)

        await preview("")

        talk = Talk(self.runtime.model, self._fetch, self.fetched, preview)
        try:
            async with deadline(self.runtime.rules.model_deadline):
                return await self._unless(more, talk.ask(consult, notes))
        except ModelFailed as failed:
            if failed.kind is not Failure.ABSENT:
                log.warning("model_failed", kind=failed.kind.value, detail=failed.detail)
            return None

    async def _unless(self, more: Wrote | None, asking: Awaitable[str]) -> str:
        task = asyncio.ensure_future(asking)
        try:
            while not task.done():
                await asyncio.wait({task}, timeout=self.runtime.rules.look)
                if more is not None and not task.done() and await more():
                    raise _MoreWords
            return await task
        finally:
            if not task.done():
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError, Exception):
                    await task

    async def _waiting(self, done: list[Entry]) -> list[Entry]:
        """What waits in the lane behind the entries that this turn takes."""
        taken = {entry.id for entry in done}
        behind = [*self.claim.entries, *await self.runtime.store.waiting(self.claim)]
        return [entry for entry in behind if entry.id not in taken]

    def _looks_behind(self, done: list[Entry]) -> Wrote:
        """Whether the person wrote on; what is asked raises _Stopped when they stopped it."""
        by, bell, idle = done[0].reply.by, self.runtime.bell, self.runtime.rules.idle
        clock = asyncio.get_running_loop().time
        heard, looked = -1, 0.0

        async def wrote_on() -> bool:
            nonlocal heard, looked
            if bell.rings == heard and clock() - looked < idle:
                return False
            heard, looked = bell.rings, clock()
            waiting = await self._waiting(done)
            if waiting and _stops(waiting[0], by):
                raise _Stopped(waiting[0])
            # Words are joined to words only: behind anything else they have a turn of their own.
            joins = isinstance(done[0].reply, Words)
            return joins and bool(waiting) and are_words(waiting[0], by)

        return wrote_on

    async def _waiting_tap(self, consult: Consult, done: list[Entry]) -> Entry | None:
        ask = consult.turn.ask
        waiting = await self._waiting(done)
        if not waiting or ask is None:
            return None
        first = waiting[0].reply
        owner = consult.turn.state.person.id
        counts = isinstance(first, Tap | Submit) and first.card == ask.card and first.by == owner
        return waiting[0] if counts else None

    def _channel(self) -> Channel | None:
        return self.runtime.channels.get(channel_of(self.claim.lane))


def _stops(entry: Entry, by: str) -> bool:
    reply = entry.reply
    return isinstance(reply, Command) and reply.name == STOP and reply.by == by


def is_over(state: Conversation | None) -> bool:
    """Whether the conversation's last journey has ended."""
    return state is not None and state.journey is not None and state.journey.status != Status.OPEN
