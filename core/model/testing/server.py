"""A Messages API on loopback, for tests: real HTTP, real server-sent events, scripted answers.

    async with MessagesServer("Hello!") as server:
        model = AnthropicModel("any-key", ModelSettings(base_url=server.url))
        answer = await model.respond(request)

It answers by a list, in order, or by a function of the request's JSON. Every request is checked as
the service would check it, and answered 400 with the reason where it is not well formed; that is a
*violation*, and leaving the `async with` raises AssertionError when there was one, so that no test
passes over it. It keeps a prompt cache, and reports the usage that follows from what it has seen.
"""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import Callable
from typing import Any, Self

from aiohttp import web

from core.model.messages import LEFT_OUT
from core.model.testing.cache import (
    CacheUse,
    Prefix,
    PromptCache,
    blocks_of,
    prefix_digest,
    prefix_of,
    prompt_blocks,
    was_cut,
)
from core.model.testing.checks import faults_of
from core.model.testing.replies import STATUS_TYPES, Fault, Refuses, Reply, Responder, Says
from core.model.testing.stream import Event, events_of, signature, sse

_BAD_LINE = b'event: content_block_delta\ndata: {"type": "content_block_delta", "in\n\n'


def _all_one(_: dict[str, Any]) -> str:
    return ""


class MessagesServer:
    """The server. Its lists are for a test to look at:

    `requests` has the JSON of every request, `uses` what the cache was to each answered one,
    `prefixes` how each repeats the one before it in its conversation, `violations` the reasons for
    every 400 that the script did not ask for. `cuts` counts requests that left out the oldest
    messages, `abandoned` the answers whose client went away before their end.
    """

    def __init__(
        self,
        *replies: Reply | str,
        by: Responder | None = None,
        conversation: Callable[[dict[str, Any]], str] | None = None,
        append_only: bool = True,
        minimum: int = 1024,
    ) -> None:
        """`conversation` names the conversation of a request, where there is more than one.

        With `append_only`, a request must repeat what the one before it in its conversation had up
        to its last breakpoint. `minimum` is the fewest tokens that are cached.
        """
        self.requests: list[dict[str, Any]] = []
        self.uses: list[CacheUse] = []
        self.prefixes: list[Prefix] = []
        self.violations: list[str] = []
        self.cuts = 0
        self.abandoned = 0
        self.cache = PromptCache(minimum)
        self.url = ""
        self._replies = list(replies)
        self._by = by
        self._conversation = conversation or _all_one
        self._append_only = append_only
        self._latest: dict[str, dict[str, Any]] = {}
        self._went_away = asyncio.Condition()
        self._runner: web.AppRunner | None = None

    def will(self, *replies: Reply | str) -> None:
        """Answer so next, after what is still to be answered."""
        self._replies.extend(replies)

    def answer_by(self, responder: Responder) -> None:
        """Answer by a function of the request, once nothing else is to be answered."""
        self._by = responder

    def take_violations(self) -> list[str]:
        """The violations so far, which the test expects; leaving is then no error."""
        taken, self.violations = self.violations, []
        return taken

    async def until_abandoned(self, times: int = 1) -> None:
        """Wait until so many answers have lost their client."""
        async with self._went_away:
            await self._went_away.wait_for(lambda: self.abandoned >= times)

    # Its life

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=64 * 2**20)
        app.router.add_post("/v1/messages", self._handle)
        self._runner = web.AppRunner(
            app, handler_cancellation=True, access_log=None, shutdown_timeout=0.1
        )
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        host, port = self._runner.addresses[0][:2]
        self.url = f"http://{host}:{port}"
        return self

    async def __aexit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._runner is not None:
            await self._runner.cleanup()
        if kind is None and self.violations:
            raise AssertionError("Requests were refused: " + "; ".join(self.violations))

    # A request

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        try:
            body = json.loads(await request.read())
        except ValueError:
            return self._violated(["the body is no JSON"])
        if not isinstance(body, dict):
            return self._violated(["the body is no object"])
        self.requests.append(body)
        faults = list(faults_of(request.headers, body))
        faults = faults or [*self._own_faults(body), *_binding_faults(body)]
        if faults:
            return self._violated(faults)
        reply = await self._reply(body)
        if isinstance(reply, Refuses):
            return _refused(reply)
        return await self._stream(request, body, reply)

    def _own_faults(self, body: dict[str, Any]) -> list[str]:
        if body.get("stream") is not True:
            return ["stream: this server only streams"]
        key = self._conversation(body)
        before, self._latest[key] = self._latest.get(key), body
        if before is None:
            return []
        prefix = prefix_of(before, body)
        self.prefixes.append(prefix)
        if prefix.whole or not self._append_only:
            return []
        if was_cut(before, body, LEFT_OUT):
            self.cuts += 1
            return []
        return [f"the prompt repeats only {prefix.repeated} bytes of what was cached before"]

    def _violated(self, faults: list[str]) -> web.Response:
        self.violations += faults
        return _refused(Refuses(status=400, message="; ".join(faults)))

    async def _reply(self, body: dict[str, Any]) -> Reply:
        made: Any
        if self._replies:
            made = self._replies.pop(0)
        elif self._by is not None:
            try:
                made = self._by(body)
                made = await made if inspect.isawaitable(made) else made
            except Exception as error:
                self.violations.append(f"the script raised {error!r}")
                made = Refuses(status=500)
        else:
            self.violations.append(f"the script has no answer to request {len(self.requests)}")
            made = Refuses(status=500)
        return Says(text=made) if isinstance(made, str) else made

    # An answer

    async def _stream(
        self, request: web.Request, body: dict[str, Any], says: Says
    ) -> web.StreamResponse:
        blocks = prompt_blocks(body)
        used = self.cache.use(body["model"], blocks)
        self.uses.append(used)
        number = len(self.requests)
        events = events_of(
            says, model=body["model"], number=number, used=used, prefix=prefix_digest(blocks)
        )
        response = web.StreamResponse(
            headers={"content-type": "text/event-stream; charset=utf-8", **_request_id(number)}
        )
        try:
            await response.prepare(request)
            await self._send(request, response, events, says)
            await response.write_eof()
        except (asyncio.CancelledError, ConnectionError):
            async with self._went_away:
                self.abandoned += 1
                self._went_away.notify_all()
            raise
        return response

    async def _send(
        self,
        request: web.Request,
        response: web.StreamResponse,
        events: list[Event],
        says: Says,
    ) -> None:
        fault_at = _place(events, says.after) if says.fault else None
        for place, event in enumerate(events):
            if place == fault_at and await self._befall(request, response, says):
                return
            if says.pause and event.get("delta", {}).get("type") == "text_delta":
                await asyncio.sleep(says.pause)
            await response.write(sse(event))

    async def _befall(self, request: web.Request, response: web.StreamResponse, says: Says) -> bool:
        """Let the fault happen; whether it is the answer's end."""
        if says.fault is Fault.BAD_LINE:
            await response.write(_BAD_LINE)
            return False
        if says.fault is Fault.ERROR:
            inner = {"type": says.error, "message": "told so by the test"}
            await response.write(sse({"type": "error", "error": inner}))
        elif says.fault is Fault.STALLS:
            await asyncio.Event().wait()
        elif says.fault is Fault.DROPS and request.transport is not None:
            request.transport.abort()
        return True


def _place(events: list[Event], after: int) -> int:
    """Where in the events a fault comes: after so many pieces of text, or as many as there are."""
    pieces = [
        place
        for place, event in enumerate(events)
        if event.get("delta", {}).get("type") == "text_delta"
    ][:after]
    return pieces[-1] + 1 if pieces else 1


def _binding_faults(body: dict[str, Any]) -> list[str]:
    """A thinking block counts only where all that stood before it is as it was when it was made."""
    faults = []
    for place, message in enumerate(body["messages"]):
        for block in blocks_of(message["content"]):
            if block["type"] != "thinking":
                continue
            prefix = prefix_digest(prompt_blocks(body, place))
            if block.get("signature") != signature(prefix, block.get("thinking", "")):
                faults.append(
                    f"messages.{place}: Invalid `signature` in `thinking` block. The block is "
                    "bound to a different conversation."
                )
    return faults


def _refused(refuses: Refuses) -> web.Response:
    kind = refuses.type or STATUS_TYPES.get(refuses.status, "api_error")
    body = {"type": "error", "error": {"type": kind, "message": refuses.message}}
    return web.json_response(
        body, status=refuses.status, headers={**_request_id(refuses.status), **refuses.headers}
    )


def _request_id(number: int) -> dict[str, str]:
    return {"request-id": f"req_{number}"}
