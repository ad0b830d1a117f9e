"""A Slack server on loopback, for tests: real HTTP and WebSockets, real refusals, chats as seen.

    async with SlackServer() as server:
        ada = server.workspace.person("Ada")
        general = server.workspace.channel("general", ada)
        ...  # a bolt app: AsyncApp(client=AsyncWebClient(server.token, base_url=server.api),
        ...  #                      signing_secret=server.signing_secret)
        await server.posts_to("http://127.0.0.1:3000/slack/events")  # or Socket Mode, see below
        ada.says("hello")
        await server.until(lambda: ada.dm.screen().live, "a card")
        await ada.clicks("Workshop").answered()
        modal = await ada.opens("Details")
        await modal.fills({"Title": "Bees"}).submits().answered()
        print(ada.dm.screen())

Socket Mode is used while no request URL is set: AsyncSocketModeHandler(app, server.app_token), with
the same client. Every call, every view and every acknowledgement is checked against Slack's
documented types and limits and refused as Slack refuses it. What no careful bot does (a wrong type,
a broken limit, a scope that was not asked for, a click that is never acknowledged) is a *violation*
as well: leaving the `async with` raises AssertionError when there was one, so that no test passes
over it. Time stands still on the server's clock until a test lets it pass (`passes`), so a
trigger_id expires when the test says so.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection
from typing import Any, Self

from aiohttp import web

from tests.support.slack import (
    assisting,
    chatting,
    filing,
    installing,
    looking_up,
    oauth,
    streaming,
    viewing,
)
from tests.support.slack.app import App
from tests.support.slack.calls import RESPONSE_URL, Call
from tests.support.slack.channels import Channel
from tests.support.slack.delivery import ACK_SECONDS
from tests.support.slack.disturbances import Holds, Loses, Repeats, Upset
from tests.support.slack.errors import ApiError, Json, ratelimited, refused, violates
from tests.support.slack.faults import (
    Breaks,
    Drops,
    Fault,
    Garbles,
    Limits,
    Refuses,
    Trouble,
    Waits,
)
from tests.support.slack.installing import CLIENT_SECRET
from tests.support.slack.methods import METHODS, typed
from tests.support.slack.oauth import Page
from tests.support.slack.people import Person
from tests.support.slack.posting import Poster
from tests.support.slack.requests import BODY_LIMIT, Sent, read_request
from tests.support.slack.tasks import HANDLERS, Task
from tests.support.slack.workspace import Access, Workspace
from tests.support.slack.world import World

TOKEN = "xoxb-a-bot-token-for-tests-on-loopback"
APP_TOKEN = "xapp-an-app-token-for-tests-on-loopback"
SIGNING_SECRET = "a-signing-secret-for-tests-on-loopback"
METHOD_MODULES = (assisting, chatting, filing, installing, looking_up, streaming, viewing)
"""Imported for the methods that they carry out."""


class SlackServer(World):
    """The server. `api` is what a bot takes as its base_url; `calls` has all that it asked.

    `lacks` are methods that an older Slack does not have. `ack_seconds` is the real time that a bot
    has for its acknowledgements. `access` is that of the app in the first workspace.
    """

    def __init__(
        self,
        app: App | None = None,
        *,
        token: str = TOKEN,
        lacks: Collection[str] = (),
        now: float | None = None,
        ack_seconds: float = ACK_SECONDS,
        access: Access = "installed",
    ) -> None:
        super().__init__(
            app or App(),
            token=token,
            lacks=lacks,
            now=now,
            ack_seconds=ack_seconds,
            access=access,
        )
        self.token = token
        self.app_token = APP_TOKEN
        self.signing_secret = SIGNING_SECRET
        self.client_secret = CLIENT_SECRET
        self.calls: list[Call] = []
        self.troubles: list[Trouble] = []
        self._runner: web.AppRunner | None = None

    # For tests

    @property
    def api(self) -> str:
        """The base of the Web API, with the slash that slack_sdk needs."""
        return f"{self.url}/api/"

    @property
    def authorize_url(self) -> str:
        """Where a person allows the app; bolt's `authorization_url`."""
        return f"{self.url}/oauth/v2/authorize"

    async def posts_to(self, url: str) -> None:
        """Set the request URL: events, interactions and commands are posted there from now on.

        Slack first asks for a challenge back. Raises AssertionError when it does not come.
        """
        poster = Poster(url, self.signing_secret)
        asked = {"type": "url_verification", "token": "", "challenge": secrets.token_hex(8)}
        status, body, _ = await poster.post("events_api", asked)
        if status != 200 or asked["challenge"] not in body:
            await poster.close()
            raise AssertionError(f"The request URL did not answer the challenge: {status} {body}")
        if self.delivery.poster is not None:
            await self.delivery.poster.close()
        self.delivery.poster = poster
        self.touch()

    async def installs(self, person: Person, address: str, *, denied: bool = False) -> Page:
        """Let a person install the app from the bot's page at this address.

        The bot must send a redirect_uri, or have been set as the request URL (see `posts_to`): then
        it is bolt's own path beside it.
        """
        return await oauth.installed(self, person, address, denied=denied)

    def called(self, *methods: str, channel: Channel | str | None = None) -> list[Call]:
        """The calls of these methods (of all, when none is named), oldest first."""
        identifier = channel.id if isinstance(channel, Channel) else channel
        return [
            call
            for call in self.calls
            if (not methods or call.method in methods)
            and (identifier is None or call.channel == identifier)
        ]

    def befall(
        self,
        fault: Fault,
        *methods: str,
        channel: Channel | str | None = None,
        times: int | None = 1,
        skip: int = 0,
        where: Callable[[Json], bool] | None = None,
    ) -> Trouble:
        """Let a fault befall the next calls that fit, after `skip` that it spares.

        `times=None` means always; `where` looks at the arguments; "response_url" is a method, too.
        """
        identifier = channel.id if isinstance(channel, Channel) else channel
        trouble = Trouble(fault, frozenset(methods), identifier, times, skip, where)
        self.troubles.append(trouble)
        return trouble

    def upset(
        self,
        how: Repeats | Holds | Loses,
        *kinds: str,
        times: int | None = 1,
        where: Callable[[Json], bool] | None = None,
    ) -> Upset:
        """Upset the next deliveries of these kinds: "message.im", "block_actions"..."""
        found = Upset(how, frozenset(kinds), times, where)
        self.delivery.upsets.append(found)
        return found

    def take_violations(self) -> list[str]:
        """The violations so far, which the test expects; leaving is then no error."""
        taken, self.violations = self.violations, []
        return taken

    # Its life

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=BODY_LIMIT)
        app.router.add_route("*", "/api/{method}", self._handle)
        app.router.add_post("/hooks/{rest:.+}", self._hook)
        app.router.add_get("/link/", self.delivery.sockets.handle)
        app.router.add_post("/upload/v1/{file}", self._upload)
        app.router.add_get("/files-pri/{rest:.+}", self._download)
        app.router.add_get("/oauth/v2/authorize", self._authorize)
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
        await self.delivery.close()
        if self._runner is not None:
            await self._runner.cleanup()
        if kind is None and self.violations:
            raise AssertionError("The bot violated Slack's rules: " + "; ".join(self.violations))

    # A call

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        call = Call(len(self.calls) + 1, request.match_info["method"], self.now)
        self.calls.append(call)
        try:
            sent = await read_request(request)
            task = self._task(call, sent)
            return await self._answer(request, call, lambda: self._carry_out(task))
        except ApiError as error:
            return self._refuse(call, error)
        finally:
            self.touch()

    def _task(self, call: Call, sent: Sent) -> Task:
        call.arguments = {name: one for name, one in sent.arguments.items() if name != "token"}
        if call.method in self.lacks:
            raise refused("unknown_method")
        if call.method not in METHODS:
            raise violates("unknown_method", f"this server has no {call.method}")
        named = sent.arguments.get("channel", sent.arguments.get("channel_id"))
        call.channel = named if isinstance(named, str) else None
        return Task(self, call.method, call.arguments, sent, None)

    def _carry_out(self, task: Task) -> Json:
        method = METHODS[task.method]
        task.space = self._authorized(task, method.token)
        if method.token == "bot":
            task.needs(*method.scopes)
        task.a = typed(task.method, task.a, form=task.sent.form)
        return {"ok": True, **HANDLERS[task.method](task)}

    def _authorized(self, task: Task, kind: str) -> Workspace | None:
        """The workspace of the token. Raises ApiError where it does not let the call in."""
        token = task.sent.token
        if not kind:
            return None
        if not token:
            raise refused("not_authed")
        if kind == "app" or token == self.app_token:
            if kind == "app" and token == self.app_token:
                return None
            known = token == self.app_token or self.of_token(token) is not None
            raise refused("not_allowed_token_type" if known else "invalid_auth")
        space = self.of_token(token)
        if space is None and any(token in one.past_tokens for one in self.workspaces):
            raise refused("token_expired")
        if space is None:
            raise refused("invalid_auth")
        if space.access != "installed":
            revoked = space.access == "revoked"
            raise refused("token_revoked" if revoked else "account_inactive")
        return space

    def _refuse(self, call: Call, error: ApiError) -> web.Response:
        call.error = error
        if error.violation:
            self.violates(f"{call.method}: {error.told}")
        return web.json_response(error.body(), status=error.status, headers=error.headers)

    async def _answer(
        self, request: web.Request, call: Call, carry_out: Callable[[], Any]
    ) -> web.StreamResponse:
        fitting = (
            one for one in self.troubles if one.takes(call.method, call.arguments, call.channel)
        )
        trouble = next(fitting, None)
        self.touch()
        if trouble is None:
            call.result = carry_out()
            return web.json_response(call.result)
        fault = trouble.fault
        if fault.done:
            call.result = carry_out()
        if isinstance(fault, Waits):
            await fault.gate.wait()
            call.result = call.result if fault.done else carry_out()
            return web.json_response(call.result)
        return self._befallen(request, call, fault)

    def _befallen(self, request: web.Request, call: Call, fault: Fault) -> web.Response:
        call.lost = fault.done
        match fault:
            case Refuses():
                return self._refuse(call, ApiError(fault.error, more=fault.more))
            case Limits():
                return self._refuse(call, ratelimited(fault.left()))
        call.error = None if fault.done else ApiError("no answer")
        if isinstance(fault, Breaks):
            page = f"<html><h1>{fault.status} Bad Gateway</h1></html>"
            return web.Response(text=page, status=fault.status, content_type="text/html")
        if isinstance(fault, Garbles):
            return web.Response(text='{"ok":true,"cha', content_type="application/json")
        assert isinstance(fault, Drops)
        if request.transport is not None:
            request.transport.abort()
        return web.Response()

    # Beside the methods

    async def _hook(self, request: web.Request) -> web.StreamResponse:
        """A post to a response_url."""
        call = Call(len(self.calls) + 1, RESPONSE_URL, self.now)
        self.calls.append(call)
        try:
            hook = self.hooks.get(request.path)
            if hook is None:
                raise ApiError("no_such_url", status=404)
            call.channel = hook.channel.id
            sent = await read_request(request)
            call.arguments = sent.arguments

            def carry_out() -> Json:
                hook.answers(sent.arguments)
                return {"ok": True}

            return await self._answer(request, call, carry_out)
        except ApiError as error:
            return self._refuse(call, error)
        finally:
            self.touch()

    async def _upload(self, request: web.Request) -> web.Response:
        """The second step of an upload: the content, as it is or as a form's file."""
        files = (space.files.get(request.match_info["file"]) for space in self.workspaces)
        file = next((one for one in files if one is not None and not one.shared), None)
        if file is None:
            return web.Response(status=404, text="no such upload")
        content = await request.read()
        if request.content_type == "multipart/form-data":
            parts = (await request.post()).values()
            content = next(one.file.read() for one in parts if isinstance(one, web.FileField))
        if len(content) != file.length:
            self.violates(f"{len(content)} bytes of {file.name} instead of {file.length}")
            return web.Response(status=400, text="the length is not as announced")
        file.content = content
        return web.Response(text=f"OK - {len(content)}")

    async def _download(self, request: web.Request) -> web.Response:
        """A private file. Without a right to it, Slack answers 200 and the page to log in."""
        path = request.path.replace("/files-pri/download/", "/files-pri/")
        token = request.headers.get("Authorization", "").removeprefix("Bearer ")
        space = self.of_token(token)
        may = (
            space is not None and space.access == "installed" and not self.app.lacks({"files:read"})
        )
        files = space.files.values() if space is not None and may else []
        file = next((one for one in files if one.path == path and not one.deleted), None)
        if not may:
            return web.Response(text="<html>Sign in to Slack</html>", content_type="text/html")
        if file is None or file.content is None:
            return web.Response(status=404, text="file not found")
        if file.moved_to:
            return web.Response(status=302, headers={"Location": file.moved_to})
        return web.Response(body=file.content, content_type=file.json()["mimetype"])

    async def _authorize(self, request: web.Request) -> web.Response:
        return oauth.authorize(self, request)
