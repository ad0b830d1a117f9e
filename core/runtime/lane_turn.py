"""One turn of one claimed lane: it is taken, the model is asked where it says so, it is settled."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable

import structlog

from core.gathering import are_words, together
from core.model import Failure, ModelFailed, Usage, deadline
from core.replies import Command, Reload, Reply, Submit, Tap, Words
from core.runtime.doors import both, is_below, taken_by
from core.runtime.turns import Turns
from core.state import Conversation, is_open
from core.step.base import Fetch, Fetched
from core.store import Claim, Entry
from core.store.moderation import Look
from core.store.part import account_of, channel_of
from core.talk import Talk, with_needs, words_of
from core.turn import STOP, Consult, Taken, answered

log = structlog.get_logger()

Wrote = Callable[[], Awaitable[bool]]
"""Whether the person wrote on while the model was answering."""


class _MoreWords(Exception):
    """The person wrote on while the model was answering."""


class _Stopped(Exception):
    """The person wants to hear no more of the answer that is coming."""

    def __init__(self, entry: Entry) -> None:
        self.entry = entry


class LaneTurn:
    """One turn of one claimed lane."""

    def __init__(self, turns: Turns, claim: Claim) -> None:
        self.turns = turns
        self.claim = claim
        self.channel = turns.channels.get(channel_of(claim.lane))
        self.fetched: dict[str, Fetched] = {}

    async def run(self) -> None:
        state = self.claim.state
        done, reply = together(self.claim.entries)
        if state is None:
            raise LookupError(f"nobody has been met in {self.claim.lane}")
        taken = await self._at_a_door(state, reply)
        if taken is None:
            try:
                taken, done = await self._turn(state, reply, done)
            finally:
                await self._end_preview()
        await self.turns.store.settle(
            self.claim,
            done=done,
            state=taken.state,
            effects=taken.effects,
            destinations=self._destinations(taken),
            look=await self._look(taken),
        )
        if taken.effects.show:
            self.turns.store.outgoing.ring()

    async def _at_a_door(self, state: Conversation, reply: Reply) -> Taken | None:
        """What a door makes of the reply; None where all let it through."""
        for door in self.turns.doors:
            effects = await door.answer(self.claim.lane, state, reply)
            if effects is None:
                continue
            if isinstance(effects, Taken):
                return effects
            taken = taken_by(state, effects)
            if is_below(effects, reply) and is_open(state):
                # What was said stands below the open card, which is to be the newest thing (G7).
                back = Reload(by=state.person.id, at=self.turns.clock())
                again = await self._taken(taken.state, back)
                return Taken(again.state, both(effects, again.effects))
            return taken
        return None

    def _destinations(self, taken: Taken) -> tuple[str, ...]:
        submission = taken.effects.submission
        if submission is None:
            return ()
        found = self.turns.types.version(submission.manifest, submission.digest)
        return tuple(one.name for one in found.manifest.destinations) if found else ()

    async def _look(self, taken: Taken) -> Look | None:
        submission, moderates = taken.effects.submission, self.turns.moderates
        if submission is None or moderates is None:
            return None
        return await moderates.look(self.claim.lane, submission, taken.state.person.name)

    async def _turn(
        self, state: Conversation, reply: Reply, done: list[Entry]
    ) -> tuple[Taken, list[Entry]]:
        for attempt in range(self.turns.rules.restarts + 1):
            taken = await self._taken(state, reply)
            if taken.consult is None:
                return taken, done
            try:
                more = self._looks_behind(done) if attempt < self.turns.rules.restarts else None
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
        return await self.turns.taken(self.claim.lane, state, reply, self.fetched)

    async def _fetch(self, fetch: Fetch) -> Fetched:
        return await self.turns.fetch(self.claim.lane, fetch)

    async def _text(self, consult: Consult, more: Wrote | None) -> str | None:
        """The model's whole text; None where there is none. Raises _MoreWords."""
        if not consult.turn.world.talks:
            return None
        # Only the model needs what was said before, so only its turns grow with it.
        journey = consult.turn.journey.id
        notes = await self.turns.store.transcript(self.claim.lane, journey)
        consult.said = words_of(notes)

        shown = ""

        async def preview(piece: str) -> None:
            nonlocal shown
            shown += piece
            self._preview(shown)

        self._preview(shown)
        talk = Talk(self.turns.model, self._fetch, self.fetched, preview)
        try:
            async with deadline(self.turns.rules.model_deadline):
                return await self._unless(more, talk.ask(consult, notes))
        except ModelFailed as failed:
            if failed.kind is not Failure.ABSENT:
                self.turns.model_failed(failed.kind)
                log.warning("model_failed", kind=failed.kind.value, detail=failed.detail)
            return None
        finally:
            await self._spend(talk.usage)

    async def _spend(self, usage: Usage) -> None:
        """Count what the model cost, where a person may not have any amount of it."""
        tokens = usage.read + usage.output
        if tokens and self.turns.rules.tokens_a_day:
            account = account_of(self.claim.lane)
            await self.turns.store.spend(account, tokens, self.turns.clock())

    def _preview(self, text: str) -> None:
        if self.channel is not None:
            with contextlib.suppress(Exception):
                self.channel.preview(self.claim.lane, text)

    async def _end_preview(self) -> None:
        """Before anything can be sent of this turn, by any process, its preview has ended."""
        if self.channel is None:
            return
        try:
            async with asyncio.timeout(self.turns.rules.preview_end):
                await self.channel.end_preview(self.claim.lane)
        except Exception:
            log.exception("preview_not_ended", lane=self.claim.lane)

    async def _unless(self, more: Wrote | None, asking: Awaitable[str]) -> str:
        task = asyncio.ensure_future(asking)
        try:
            while not task.done():
                await asyncio.wait({task}, timeout=self.turns.rules.look)
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
        behind = [*self.claim.entries, *await self.turns.store.waiting(self.claim)]
        return [entry for entry in behind if entry.id not in taken]

    def _looks_behind(self, done: list[Entry]) -> Wrote:
        """Whether the person wrote on; what is asked raises _Stopped when they stopped it."""
        by, bell, idle = done[0].reply.by, self.turns.bell, self.turns.rules.idle
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


def _stops(entry: Entry, by: str) -> bool:
    reply = entry.reply
    return isinstance(reply, Command) and reply.name == STOP and reply.by == by
