"""Delivery of updates to the bot's own HTTP server, as the Bot API server does it.

Updates of one queue (a chat's messages, a person's taps) go out one after the other, each after the
2xx of the one before; different queues go out side by side. A failed one is sent again at once,
then after 2, 4, 8... units of time. Any 2xx may carry a method to call in its JSON.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import aiohttp

from tests.support.telegram.errors import Json

if TYPE_CHECKING:
    from tests.support.telegram.updates import Pending, Updates

SECRET_HEADER = "X-Telegram-Bot-Api-Secret-Token"
_LONGEST_WAIT = 60.0
Reply = Callable[[str, Json], Awaitable[None]]


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
            status, body = await self._post(pending.json())
        except (aiohttp.ClientError, TimeoutError, OSError):
            status, body = 0, b""
        self.attempts.append(Attempt(pending.id, status))
        if not 200 <= status <= 299:
            reason = f"Wrong response from the webhook: {status}" if status else "Connection failed"
            self.last_error = (self.clock(), reason)
            return False
        call = _method_in(body)
        if call is not None:
            await self.reply(*call)
        return True

    async def _post(self, update: Json) -> tuple[int, bytes]:
        if self._session is None:
            connector = aiohttp.TCPConnector(limit=self.max_connections)
            self._session = aiohttp.ClientSession(connector=connector)
        headers = {SECRET_HEADER: self.secret} if self.secret else {}
        async with self._session.post(self.url, json=update, headers=headers) as answer:
            return answer.status, await answer.read()


def _method_in(body: bytes) -> tuple[str, Json] | None:
    """The call that a webhook's answer asks for."""
    try:
        asked = json.loads(body)
    except ValueError:
        return None
    if not isinstance(asked, dict) or not isinstance(asked.get("method"), str):
        return None
    method = asked.pop("method")
    banned = ("get", "setwebhook", "deletewebhook", "close", "logout")
    return None if method.lower().startswith(banned) else (method, asked)
