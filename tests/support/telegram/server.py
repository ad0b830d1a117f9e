"""A Bot API server on loopback, for tests: real HTTP, real refusals, chats as people see them.

    async with TelegramServer() as server:
        ada = server.person("Ada")
        ...  # a bot with server.token, at server.url
        ada.says("/start")
        await server.until(lambda: ada.chat.screen().live, "a card")
        await ada.taps("Workshop").answered()
        print(ada.chat.screen())

aiogram takes the address so:

    api = TelegramAPIServer.from_base(server.url)
    bot = Bot(server.token, session=AiohttpSession(api=api))

and python-telegram-bot so:

    builder = Application.builder().token(server.token)
    builder = builder.base_url(f"{server.url}/bot").base_file_url(f"{server.url}/file/bot")

Every call is checked against the types and limits of the Bot API and refused as the real server
refuses it. A call that no careful bot makes (a wrong type, a broken limit, bad markup, an unknown
method or parameter) is a *violation* as well: leaving the `async with` raises AssertionError when
there was one, so that no test passes over it. Time stands still on the server's clock until a test
lets it pass, and nobody waits for anything but what happens.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Collection
from typing import Any, Self

from aiohttp import web

from tests.support.telegram import answering, drafts, editing, profile, receiving, sending
from tests.support.telegram.calls import POLLING, Call
from tests.support.telegram.chats import Chat
from tests.support.telegram.errors import ApiError, Json, too_many_requests, unauthorized
from tests.support.telegram.faults import (
    Breaks,
    Delays,
    Drops,
    Fault,
    Floods,
    Garbles,
    Refuses,
    Trouble,
    Waits,
)
from tests.support.telegram.features import Feature
from tests.support.telegram.methods import method_of, typed
from tests.support.telegram.requests import UPLOAD_LIMIT, Sent, read_request
from tests.support.telegram.tasks import HANDLERS, Task
from tests.support.telegram.world import World

TOKEN = "4242:a-token-for-tests-on-loopback"
METHOD_MODULES = (answering, drafts, editing, profile, receiving, sending)
"""Imported for the methods that they carry out."""


class TelegramServer(World):
    """The server. `url` is what a bot takes as the base of the API; `calls` has all that it asked.

    `lacks` are the features of an older server; `reads_all` switches the bot's privacy mode off.
    """

    def __init__(
        self,
        *,
        token: str = TOKEN,
        username: str = "surestep_bot",
        name: str = "Surestep",
        reads_all: bool = False,
        lacks: Collection[Feature] = (),
        now: int | None = None,
    ) -> None:
        super().__init__(
            token=token, username=username, name=name, reads_all=reads_all, lacks=lacks, now=now
        )
        self.url = ""
        self.calls: list[Call] = []
        self.violations: list[str] = []
        self.troubles: list[Trouble] = []
        self._runner: web.AppRunner | None = None

    # For tests

    def chat(self, chat_id: int) -> Chat:
        """The chat with this identifier; a person's private chat has the person's."""
        return self.chats[chat_id]

    def called(self, *methods: str, chat: Chat | int | None = None) -> list[Call]:
        """The calls of these methods (of all but polling, when none is named), oldest first."""
        number = chat.id if isinstance(chat, Chat) else chat
        return [
            call
            for call in self.calls
            if (call.method in methods if methods else call.method not in POLLING)
            and (number is None or call.chat == number)
        ]

    def befall(
        self,
        fault: Fault,
        *methods: str,
        chat: Chat | int | None = None,
        times: int | None = 1,
        skip: int = 0,
        where: Callable[[Json], bool] | None = None,
    ) -> Trouble:
        """Let a fault befall the next calls that fit, after `skip` that it spares.

        Without methods it befalls any but polling; `times=None` means always; `where` looks at the
        parameters.
        """
        number = chat.id if isinstance(chat, Chat) else chat
        names = frozenset(method.lower() for method in methods)
        trouble = Trouble(fault, names, number, times, skip, where)
        self.troubles.append(trouble)
        return trouble

    def take_violations(self) -> list[str]:
        """The violations so far, which the test expects; leaving is then no error."""
        taken, self.violations = self.violations, []
        return taken

    # Its life

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=2 * UPLOAD_LIMIT)
        for path in ("/bot{token}/{method}", "/bot{token}/{method}/"):
            app.router.add_route("*", path, self._handle)
        app.router.add_get("/file/bot{token}/{path:.+}", self._download)
        app.router.add_route("*", "/{any:.*}", self._elsewhere)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        host, port = self._runner.addresses[0][:2]
        self.url = f"http://{host}:{port}"
        return self

    async def __aexit__(self, kind: type[BaseException] | None, *_: object) -> None:
        for trouble in self.troubles:
            if isinstance(trouble.fault, Waits):
                trouble.fault.open()
        await self.updates.set_webhook(None)
        self.updates.end_poll("the server is closed")
        if self._runner is not None:
            await self._runner.cleanup()
        if kind is None and self.violations:
            raise AssertionError("The bot violated the Bot API: " + "; ".join(self.violations))

    # A call

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        name = request.match_info["method"]
        call = Call(len(self.calls) + 1, name, self.now)
        self.calls.append(call)
        try:
            if request.match_info["token"] != self.token:
                raise unauthorized()
            sent = await read_request(request)
            return await self._answer(request, call, sent)
        except ApiError as error:
            return self._refuse(call, error)
        finally:
            self.touch()

    async def _answer(self, request: web.Request, call: Call, sent: Sent) -> web.StreamResponse:
        task = self._task(call, sent)
        trouble = self._trouble(call)
        if trouble is None:
            call.result = await self._carry_out(task)
            return web.json_response({"ok": True, "result": call.result})
        fault = trouble.fault
        if fault.done or isinstance(fault, Waits | Delays):
            call.result = await self._in_time(task, fault)
        return await self._befallen(request, call, fault)

    def _task(self, call: Call, sent: Sent) -> Task:
        method = method_of(call.method, self.lacks)
        call.method, call.files = method.__api_method__, sent.files
        call.parameters, call.raw = sent.parameters, dict(sent.parameters)
        call.parameters = typed(method, sent.parameters, sent.files, self.lacks)
        tap = self.taps.get(call.parameters.get("callback_query_id", ""))
        call.chat = call.parameters.get("chat_id", tap.message.chat.id if tap else None)
        return Task(self, call.method, call.parameters, sent.files, self._from_webhook)

    async def _carry_out(self, task: Task) -> Any:
        handler = HANDLERS.get(task.method.lower())
        if handler is None:
            reason = f"this server does not carry {task.method} out"
            raise ApiError(501, f"Not Implemented: {reason}", violation=True)
        result = handler(task)
        return await result if inspect.isawaitable(result) else result

    def _refuse(self, call: Call, error: ApiError) -> web.Response:
        call.error = error
        if error.violation:
            self.violations.append(f"{call.method}: {error.description}")
        return web.json_response(error.body(), status=error.code)

    async def _from_webhook(self, method: str, sent: Sent) -> None:
        """A call in the answer to a webhook: nobody hears what came of it."""
        call = Call(len(self.calls) + 1, method, self.now, by_webhook=True)
        self.calls.append(call)
        try:
            call.result = await self._carry_out(self._task(call, sent))
        except ApiError as error:
            self._refuse(call, error)
        finally:
            self.touch()

    # Faults

    def _trouble(self, call: Call) -> Trouble | None:
        fitting = (
            one for one in self.troubles if one.takes(call.method, call.parameters, call.chat)
        )
        found = next(fitting, None)
        self.touch()
        return found

    async def _in_time(self, task: Task, fault: Fault) -> Any:
        """Carry a call out before or after the time that the fault takes."""
        result = await self._carry_out(task) if fault.done else None
        if isinstance(fault, Waits):
            await fault.gate.wait()
        elif isinstance(fault, Delays):
            await asyncio.sleep(fault.seconds)
        return result if fault.done else await self._carry_out(task)

    async def _befallen(self, request: web.Request, call: Call, fault: Fault) -> web.StreamResponse:
        call.lost = fault.done and not isinstance(fault, Waits | Delays)
        match fault:
            case Refuses():
                error = ApiError(fault.code, fault.description, parameters=fault.parameters)
                return self._refuse(call, error)
            case Floods():
                return self._refuse(call, too_many_requests(fault.left()))
            case Breaks():
                call.error = None if fault.done else ApiError(fault.status, "no answer")
                page = f"<html><h1>{fault.status} Bad Gateway</h1></html>"
                return web.Response(text=page, status=fault.status, content_type="text/html")
            case Garbles():
                call.error = None if fault.done else ApiError(200, "no answer")
                return web.Response(text='{"ok":true,"res', content_type="application/json")
            case Drops():
                call.error = None if fault.done else ApiError(0, "no answer")
                if request.transport is not None:
                    request.transport.abort()
                return web.Response()
            case Waits() | Delays():
                return web.json_response({"ok": True, "result": call.result})

    # Beside the methods

    async def _download(self, request: web.Request) -> web.Response:
        file = self.files.at(request.match_info["path"])
        if request.match_info["token"] != self.token or file is None:
            return await self._elsewhere(request)
        return web.Response(body=file.content, content_type="application/octet-stream")

    async def _elsewhere(self, request: web.Request) -> web.Response:
        return web.json_response(ApiError(404, "Not Found").body(), status=404)
