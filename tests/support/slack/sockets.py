"""Socket Mode: the WebSockets of the bot, envelopes and acknowledgements, disconnects.

https://docs.slack.dev/apis/events-api/using-socket-mode: up to ten sockets, each payload to any one
of them.
"""

from __future__ import annotations

import asyncio
import itertools
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from aiohttp import WSMsgType, web

from tests.support.slack.errors import Json

if TYPE_CHECKING:
    from tests.support.slack.world import World

LIMIT = 10
_WITH_ANSWER = ("interactive", "slash_commands")


@dataclass(eq=False)
class Socket:
    """One WebSocket of the bot."""

    number: int
    ws: web.WebSocketResponse
    waiting: dict[str, asyncio.Future[Any]] = field(default_factory=dict)
    leaving: bool = False


@dataclass
class Sockets:
    """All WebSockets that are open, and the tickets for new ones."""

    world: World
    open: list[Socket] = field(default_factory=list)
    tickets: set[str] = field(default_factory=set)
    opened: int = 0
    limit: int = LIMIT
    _turn: itertools.count[int] = field(default_factory=itertools.count)

    def ticket(self) -> str:
        """The ticket of a new address; it is good once."""
        ticket = self.world.next_id("ticket-")
        self.tickets.add(ticket)
        return ticket

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """A bot connects."""
        ticket = request.query.get("ticket", "")
        if ticket not in self.tickets:
            return web.Response(status=404, text="unknown ticket")
        self.tickets.remove(ticket)
        ws = web.WebSocketResponse()
        await ws.prepare(request)
        if len(self.open) >= self.limit:
            await ws.send_json(_disconnect("too_many_websockets"))
            await ws.close()
            return ws
        await self._serve(ws)
        return ws

    async def _serve(self, ws: web.WebSocketResponse) -> None:
        self.opened += 1
        socket = Socket(self.opened, ws)
        await ws.send_json(self._hello())
        self.open.append(socket)
        self.world.touch()
        try:
            async for message in ws:
                if message.type == WSMsgType.TEXT:
                    self._acknowledged(socket, message.data)
        finally:
            self._gone(socket)

    def _gone(self, socket: Socket) -> None:
        if socket in self.open:
            self.open.remove(socket)
        for future in socket.waiting.values():
            if not future.done():
                future.set_exception(ConnectionError("the socket was closed"))
        self.world.touch()

    def _hello(self) -> Json:
        return {
            "type": "hello",
            "num_connections": len(self.open) + 1,
            "debug_info": {
                "host": "applink-loopback",
                "build_number": 1,
                "approximate_connection_time": 18060,
            },
            "connection_info": {"app_id": self.world.app_id},
        }

    def _acknowledged(self, socket: Socket, text: str) -> None:
        try:
            answer = json.loads(text)
            future = socket.waiting.get(answer["envelope_id"])
        except (ValueError, KeyError, TypeError):
            self.world.violates(f"{text[:80]!r} acknowledges nothing")
            return
        if future is None:
            self.world.violates(f"the envelope {answer['envelope_id']} is not known")
        elif not future.done():
            future.set_result(answer.get("payload"))

    async def send(self, over: str, payload: Json, retry: int, reason: str) -> Any:
        """Send an envelope over one of the sockets, and wait for its acknowledgement.

        Gives the payload of the acknowledgement. Raises OSError when there is no socket, or the
        socket is closed before.
        """
        ready = [one for one in self.open if not one.leaving] or self.open
        if not ready:
            raise ConnectionError("no socket is open")
        socket = ready[next(self._turn) % len(ready)]
        envelope: Json = {
            "envelope_id": self.world.next_id("envelope-"),
            "type": over,
            "payload": payload,
            "accepts_response_payload": over in _WITH_ANSWER,
        }
        if over == "events_api":
            envelope |= {"retry_attempt": retry, "retry_reason": reason}
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        socket.waiting[envelope["envelope_id"]] = future
        await socket.ws.send_json(envelope)
        return await future

    # What a test does to them

    async def refreshes(self, *, warns: bool = True) -> None:
        """Ask the bot to reconnect, as happens every few hours; the socket is closed after."""
        await self.dismisses("warning" if warns else "refresh_requested")

    async def dismisses(self, reason: str) -> None:
        """Tell the bot that a socket ends, and why."""
        socket = self.open[0]
        socket.leaving = True
        await socket.ws.send_json(_disconnect(reason))

    async def cuts(self) -> None:
        """Close a socket without a warning."""
        await self.open[0].ws.close()

    async def close(self) -> None:
        """Close all."""
        for socket in list(self.open):
            await socket.ws.close()


def _disconnect(reason: str) -> Json:
    return {"type": "disconnect", "reason": reason, "debug_info": {"host": "applink-loopback"}}
