"""The queue of updates, and the two ways out of it: getUpdates and a webhook."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from tests.support.telegram.errors import Json, conflict
from tests.support.telegram.webhook import Webhook

LIFE = 24 * 3600
"""Seconds on the server's clock after which an update is dropped."""
OTHER_POLLER = (
    "terminated by other getUpdates request; make sure that only one bot instance is running"
)
ON_REQUEST_ONLY = ("chat_member", "message_reaction", "message_reaction_count")
"""What a bot gets only when it names it in `allowed_updates`."""


@dataclass
class Pending:
    """An update that waits. Those of one `queue` go out in order; `copies` is how often."""

    id: int
    kind: str
    payload: Json
    queue: int
    copies: int
    made_at: int

    def json(self) -> Json:
        """The API's `Update`."""
        return {"update_id": self.id, self.kind: self.payload}


class Updates:
    """The updates that the bot has not confirmed yet, oldest first; `log` has all there were."""

    def __init__(self, clock: Callable[[], int], touch: Callable[[], None]) -> None:
        self.pending: list[Pending] = []
        self.log: list[Pending] = []
        self.next_id = 700_000_001
        self.allowed: frozenset[str] | None = None
        self.webhook: Webhook | None = None
        self.touch = touch
        self._clock = clock
        self._copies = 1
        self._held: asyncio.Future[None] | None = None

    def put(self, kind: str, payload: Json, queue: int) -> None:
        """Queue an update, when the bot takes its kind."""
        if not self.takes(kind):
            return
        number = self.next_id
        self.next_id += 1
        made = Pending(number, kind, payload, queue, self._copies, self._clock())
        self.pending.append(made)
        self.log.append(made)
        self._wake()

    def takes(self, kind: str) -> bool:
        """Whether the bot wants updates of this kind."""
        if self.allowed is None:
            return kind not in ON_REQUEST_ONLY
        return kind in self.allowed

    @contextmanager
    def repeated(self, copies: int) -> Iterator[None]:
        """Every update queued meanwhile is delivered so often, with one and the same identifier."""
        self._copies = copies
        try:
            yield
        finally:
            self._copies = 1

    def allow(self, kinds: list[str] | None) -> None:
        """Take `allowed_updates`: None leaves it as it is, an empty list is the default."""
        if kinds is not None:
            self.allowed = frozenset(kinds) or None

    def clear(self) -> None:
        """Drop all that waits."""
        self.pending.clear()

    def waiting(self) -> list[Pending]:
        """What waits and is not too old."""
        kept = [one for one in self.pending if self._clock() < one.made_at + LIFE]
        self.pending[:] = kept
        return kept

    # Long polling

    async def poll(self, offset: int, limit: int, seconds: int) -> list[Json]:
        """Answer getUpdates; waits up to so many `seconds` for the first update.

        Raises ApiError (409) when another poller comes, or a webhook is set, meanwhile.
        """
        found = self._from(offset, limit)
        if found or not seconds:
            return found
        self.end_poll(OTHER_POLLER)
        held = self._held = asyncio.get_running_loop().create_future()
        self.touch()
        try:
            async with asyncio.timeout(seconds):
                await held
        except TimeoutError:
            return []
        finally:
            if self._held is held:
                self._held = None
        return self._from(0, limit)

    def _from(self, offset: int, limit: int) -> list[Json]:
        waiting = self.waiting()
        if offset < 0:
            self.pending[:] = waiting[offset:]
        elif offset <= self.next_id:
            # An offset beyond the end confirms nothing: identifiers may have started anew.
            self.pending[:] = [one for one in waiting if one.id >= offset]
        copies = [one.json() for one in self.pending for _ in range(one.copies)]
        return copies[:limit]

    def end_poll(self, reason: str) -> None:
        """Answer the poll that waits with a conflict."""
        if self._held is not None and not self._held.done():
            self._held.set_exception(conflict(reason))

    @property
    def is_polled(self) -> bool:
        """Whether a poll waits right now."""
        return self._held is not None and not self._held.done()

    def _wake(self) -> None:
        if self.webhook is not None:
            self.webhook.wake()
        elif self._held is not None and not self._held.done():
            self._held.set_result(None)

    # Webhook

    async def set_webhook(self, webhook: Webhook | None) -> None:
        """Deliver to this webhook from now on, or to none."""
        if self.webhook is not None:
            await self.webhook.close()
        self.webhook = webhook
        if webhook is not None:
            self.end_poll("terminated by setWebhook request")
            webhook.wake()

    def heads(self) -> list[Pending]:
        """The oldest update of each queue."""
        first: dict[int, Pending] = {}
        for one in self.waiting():
            first.setdefault(one.queue, one)
        return list(first.values())

    def forget(self, pending: Pending) -> None:
        """An update was delivered."""
        if pending in self.pending:
            self.pending.remove(pending)
