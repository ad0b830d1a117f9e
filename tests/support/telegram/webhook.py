"""Delivery of updates to the bot's own HTTP server, as the Bot API server does it.

Updates of one queue (a chat's messages, a person's taps) go out one after the other, each after the
2xx of the one before; different queues go out side by side. A failed one is sent again at once,
then after 2, 4, 8... units of time. Any 2xx may carry a call, as JSON or as a form.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import aiohttp

from tests.support.telegram.errors import Json
from tests.support.telegram.requests import Sent, read_answer

if TYPE_CHECKING:
    from tests.support.telegram.updates import Pending, Updates

SECRET_HEADER = "X-Telegram-Bot-Api-Secret-Token"
_LONGEST_WAIT = 60.0
_NEVER = ("get", "setwebhook", "deletewebhook", "close", "logout")
Reply = Callable[[str, Sent], Awaitable[None]]
"""Carries out a call that came in the answer to a webhook: its method and its parameters."""


@dataclass(frozen=True)
class Attempt:
    """One delivery: of which update, and the status it got (0: no answer)."""

    update_id: int
    status: int


@dataclass
class Webhook:
    """A webhook that is set. `unit` is the real seconds of one second of waiting."""

    updates: Updates
    url: str
    secret: str | None
    reply: Reply
    clock: Callable[[], int]
    max_connections: int = 40
    unit: float = 0.01
    attempts: list[Attempt] = field(default_factory=list)
    last_error: tuple[int, str] | None = None
    _tasks: dict[int, asyncio.Task[None]] = field(default_factory=dict)
    _session: aiohttp.ClientSession | None = None

    def wake(self) -> None:
        """There is something to deliver."""
        for head in self.updates.heads():
            if head.queue not in self._tasks:
                task = asyncio.get_running_loop().create_task(self._drain(head.queue))
                self._tasks[head.queue] = task

    async def close(self) -> None:
        """Deliver no more; what waits stays in the queue."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._tasks.clear()
        if self._session is not None:
            await self._session.close()

    def info(self) -> Json:
        """What getWebhookInfo tells of it."""
        told: Json = {"max_connections": self.max_connections, "ip_address": "127.0.0.1"}
        if self.last_error is not None:
            told["last_error_date"], told["last_error_message"] = self.last_error
        return told

    async def _drain(self, queue: int) -> None:
        try:
            while head := self._head(queue):
                for _ in range(head.copies):
                    await self._deliver(head)
                self.updates.forget(head)
        finally:
            self._tasks.pop(queue, None)

    def _head(self, queue: int) -> Pending | None:
        return next((one for one in self.updates.heads() if one.queue == queue), None)

    async def _deliver(self, pending: Pending) -> None:
        """Send an update until it is taken, or too old."""
        failures, wait = 0, 1.0
        while pending in self.updates.waiting():
            if await self._attempt(pending):
                return
            if failures:
                wait = min(wait * 2, _LONGEST_WAIT)
                await asyncio.sleep(wait * self.unit)
            failures += 1

    async def _attempt(self, pending: Pending) -> bool:
        try:
            status, call = await self._post(pending.json())
        except (aiohttp.ClientError, TimeoutError, OSError):
            status, call = 0, None
        self.attempts.append(Attempt(pending.id, status))
        self.updates.touch()
        if not _is_taken(status):
            reason = f"Wrong response from the webhook: {status}" if status else "Connection failed"
            self.last_error = (self.clock(), reason)
            return False
        if call is not None:
            await self._reply(call)
        return True

    async def _post(self, update: Json) -> tuple[int, Sent | None]:
        if self._session is None:
            connector = aiohttp.TCPConnector(limit=self.max_connections)
            self._session = aiohttp.ClientSession(connector=connector)
        headers = {SECRET_HEADER: self.secret} if self.secret else {}
        async with self._session.post(self.url, json=update, headers=headers) as answer:
            call = await read_answer(answer) if _is_taken(answer.status) else None
            return answer.status, call

    async def _reply(self, call: Sent) -> None:
        """Carry out what the webhook's answer asks for, when it may be asked for so."""
        method = call.parameters.pop("method", None)
        if isinstance(method, str) and not method.lower().startswith(_NEVER):
            await self.reply(method, call)


def _is_taken(status: int) -> bool:
    return 200 <= status <= 299
