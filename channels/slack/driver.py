"""Surestep through slack-bolt and slack_sdk: calls of the Web API, and what takes bolt's requests.

    async with connect(OneToken(token), base) as api:
        channel = Slack(api, ...)
        async with socket_mode(app(channel, base), app_token, base):  # listening
            ...

In a program that runs a bolt app already, first of all (see `mount`):

    mount(bolt_app, channel)

A request is taken in one global middleware and never by a listener: bolt answers a listener's
request with 404, after three seconds, when it raises within some ten milliseconds after its ack.
"""

from __future__ import annotations

import json
import logging
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, Protocol, TypeVar
from urllib.parse import parse_qsl, urlsplit

import aiohttp
import structlog
from slack_bolt.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.logger.messages import warning_client_prioritized_and_token_skipped
from slack_bolt.middleware.async_middleware import AsyncMiddleware
from slack_bolt.oauth.async_oauth_settings import AsyncOAuthSettings
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.response import BoltResponse
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.webhook.async_client import AsyncWebhookClient

from channels.slack.api import Api, ApiFailed, Limited, Refused, Unknown, Unreachable
from channels.slack.app_manifest import scopes
from channels.slack.arriving import INSTALL, RETURN, Surestep, is_of_the_token
from channels.slack.fetching import Transfer
from channels.slack.incoming import Gone
from channels.slack.installations import Installations
from channels.slack.native import Json
from channels.slack.read import received
from channels.slack.updates import Kind, kind_of
from core.texts import FALLBACK, Texts

log = structlog.get_logger()

T = TypeVar("T")

_SECONDS = 30.0
"""For an answer of the Web API."""
_TELLING = 2.0
"""Seconds for telling somebody that their click was not kept, of the three that Slack waits."""
_AGAIN = 1.0
"""Seconds to wait where Slack wants quiet and does not say for how long."""

_NEVER_SENT = (
    aiohttp.ClientConnectorError,
    aiohttp.ConnectionTimeoutError,
    aiohttp.InvalidURL,
    aiohttp.NonHttpUrlClientError,
)
"""What aiohttp raises before it has a connection: refused, an unknown host, a bad certificate."""

_BROKEN = frozenset({"fatal_error", "internal_error", "request_timeout", "service_unavailable"})
"""Errors of the server's own: "some aspect of the operation may have succeeded"
(docs.slack.dev/reference/methods/chat.postMessage#errors)."""
_LIMITED = frozenset({"rate_limited", "ratelimited"})
_OTHERS = frozenset({"", "ssl_check", "url_verification"})
"""What is bolt's own to answer."""


# Calls


class Tokens(Protocol):
    """The bot's tokens, by workspace."""

    async def of(self, team: str) -> str | None:
        """The token; None where the app is not installed."""
        ...

    async def again(self, team: str) -> str | None:
        """The token, looked up anew, since Slack refused it."""
        ...


class OneToken:
    """The bot's token in one workspace, which is the only one."""

    def __init__(self, token: str) -> None:
        self._token = token.strip()

    async def of(self, team: str) -> str | None:
        """See Tokens."""
        return self._token

    async def again(self, team: str) -> str | None:
        """See Tokens."""
        return self._token


class SlackApi:
    """The Web API through slack_sdk (see api.Api). It tries nothing again: the sender does."""

    def __init__(self, tokens: Tokens, base: str, session: aiohttp.ClientSession) -> None:
        self._tokens = tokens
        self._client = AsyncWebClient(base_url=base, session=session, retry_handlers=[])
        self._transfer = Transfer(session, base)

    async def call(self, team: str, method: str, /, **parameters: Any) -> Json:
        """Carry out a method in a workspace (see api.Api). Raises ApiFailed."""
        form, token = on_the_wire(parameters), await self._tokens.of(team)
        if not token:
            raise Refused("not_authed")
        try:
            return await self._called(token, method, form)
        except Refused as refused:
            newer = await self._tokens.again(team) if is_of_the_token(refused) else None
            if not newer or newer == token:
                raise
        return await self._called(newer, method, form)

    async def _called(self, token: str, method: str, form: dict[str, str]) -> Json:
        headers = {"Authorization": f"Bearer {token}"}
        try:
            # As a form, which every method takes; users.info and others take no JSON.
            answer = await self._client.api_call(method, data=form, headers=headers)
        except Exception as error:
            raise failure(error, token) from error
        told = answer.data
        if not isinstance(told, dict):
            raise Unknown("no JSON object")
        return told

    async def fetch(self, team: str, address: str, limit: int, mime: str) -> bytes:
        """A private file (see api.Api). Raises ApiFailed."""
        token = await self._tokens.of(team)
        if not token:
            raise Refused("not_authed")
        return await _told_apart(self._transfer.fetch(address, token, limit, mime), token)

    async def upload(self, address: str, content: bytes) -> None:
        """Upload a file (see api.Api). Raises ApiFailed."""
        await _told_apart(self._transfer.upload(address, content))


async def _told_apart(work: Awaitable[T], token: str = "") -> T:
    try:
        return await work
    except ApiFailed:
        raise
    except Exception as error:
        raise failure(error, token) from error


@asynccontextmanager
async def connect(tokens: Tokens, base: str) -> AsyncIterator[SlackApi]:
    """The Web API at this address, ready to be called."""
    timeout = aiohttp.ClientTimeout(total=_SECONDS)
    async with aiohttp.ClientSession(timeout=timeout) as session:
        yield SlackApi(tokens, base, session)


def on_the_wire(parameters: Json) -> dict[str, str]:
    """The parameters of a call as a form has them: numbers, truth values, objects and lists as
    compact JSON. None is left out."""
    return {name: _told(value) for name, value in parameters.items() if value is not None}


def _told(value: Any) -> str:
    if not isinstance(value, str):
        value = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    # No UTF-8 can carry half of a character.
    return value if value.isascii() else _sound(value)


def _sound(text: str) -> str:
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def failure(error: Exception, token: str = "") -> ApiFailed:
    """What an error of slack_sdk or of its HTTP library means."""
    if isinstance(error, SlackApiError):
        return _of_api(error)
    told = f"{type(error).__name__}: {error}"
    told = told.replace(token, "<token>") if token else told
    return Unreachable(told) if isinstance(error, _NEVER_SENT) else Unknown(told)


def _of_api(error: SlackApiError) -> ApiFailed:
    response = error.response
    # slack_sdk hands on aiohttp's own response where the body was no JSON.
    status = int(getattr(response, "status_code", None) or getattr(response, "status", None) or 0)
    data = getattr(response, "data", None)
    answer = data if isinstance(data, dict) else {}
    code = answer.get("error")
    if status == 429 or code in _LIMITED:
        return Limited(_seconds(getattr(response, "headers", {})))
    if status >= 500 or not isinstance(code, str) or not code or code in _BROKEN:
        return Unknown(f"{status} {code or 'no JSON of the Web API'}")
    return Refused(code, answer)


def _seconds(headers: Any) -> float:
    try:
        seconds = float(headers.get("Retry-After", _AGAIN))
    except (TypeError, ValueError):
        return _AGAIN
    return seconds if 0 <= seconds < 86_400 else _AGAIN


# Requests


def app(
    surestep: Surestep,
    base: str,
    *,
    signing_secret: str = "",
    workspaces: Workspaces | None = None,
    locale: str = FALLBACK,
) -> AsyncApp:
    """A bolt app that hands over all that it gets.

    Without a signing secret nothing is taken over HTTP. `workspaces` can install the app, then, at
    arriving.INSTALL. `locale` is the language of what is said to somebody who is not known.
    """
    taker = _Taker(surestep if workspaces is None else _Leaving(surestep, workspaces), locale)
    logging.getLogger("slack_bolt.AsyncApp").addFilter(_needs_no_token)
    return AsyncApp(
        name="surestep",
        client=AsyncWebClient(base_url=base, retry_handlers=[]),
        signing_secret=signing_secret or secrets.token_hex(32),
        # Before bolt asks Slack who it is itself: what fails there is acknowledged, and lost.
        before_authorize=taker,
        authorize=_nobody if workspaces is None else None,
        oauth_settings=None if workspaces is None else workspaces.settings(base),
        ignoring_self_events_enabled=False,
    )


def _needs_no_token(record: logging.LogRecord) -> bool:
    """Leaves out that bolt does without the SLACK_BOT_TOKEN that it found in the environment: that
    is so by intent, and whoever set it would think that it is not used."""
    return record.getMessage() != warning_client_prioritized_and_token_skipped()


async def _nobody() -> AuthorizeResult:
    """Nothing gets as far as bolt's own authorization."""
    return AuthorizeResult(enterprise_id=None, team_id=None)


def mount(bolt: AsyncApp, surestep: Surestep, locale: str = FALLBACK) -> None:
    """Let a bolt app of somebody's own hand over what is for Surestep.

    Call it before any other global middleware is added (an Assistant is one): what those answer
    never comes here. Listeners may be added at any time; they never see what was taken.
    """
    bolt.middleware(_Taker(surestep, locale, asks=True))


class _Taker(AsyncMiddleware):
    """Hands requests over, and answers them itself. With `asks`, only what is wanted."""

    def __init__(self, surestep: Surestep, locale: str, *, asks: bool = False) -> None:
        self._surestep = surestep
        self._locale = locale
        self._asks = asks

    async def async_process(
        self,
        *,
        req: AsyncBoltRequest,
        resp: BoltResponse,
        next: Callable[[], Awaitable[BoltResponse]],
    ) -> BoltResponse | None:
        """Take a request: see bolt's AsyncMiddleware."""
        body = _body(req)
        kind = kind_of(body)
        if kind in _OTHERS:
            return await next()
        try:
            if self._asks and not await self._surestep.wants(kind, body):
                return await next()
            answer = await self._surestep.take(kind, body)
        except Exception:
            log.exception("slack_request_failed", kind=kind)
            return await self._not_kept(kind, body)
        return BoltResponse(status=200, body=answer if answer is not None else "")

    async def _not_kept(self, kind: str, body: Json) -> BoltResponse:
        """An event comes again when it is not acknowledged; all else is over, and whoever did it
        has to be told. Where nothing can be told, Slack's own warning does."""
        said = Texts(self._locale)("slack.not_kept")
        if kind == Kind.COMMAND:
            told: Json = {"response_type": "ephemeral", "text": said}
            return BoltResponse(status=200, body=told)
        fields = _fields(body) if kind == Kind.SUBMISSION else []
        if fields:
            told = {"response_action": "errors", "errors": {fields[0]: said}}
            return BoltResponse(status=200, body=told)
        if kind == Kind.ACTIONS and await _answered(body, said):
            return BoltResponse(status=200)
        return BoltResponse(status=500)


def _body(req: AsyncBoltRequest) -> Json:
    """The body of a request. bolt finds none in a command whose text has the word "payload"."""
    if req.body or not req.raw_body:
        return req.body
    return dict(parse_qsl(req.raw_body, keep_blank_values=True))


def _fields(body: Json) -> list[str]:
    """The block_ids of a modal's fields, below which something can be said."""
    blocks = (body.get("view") or {}).get("blocks") or []
    return [str(one["block_id"]) for one in blocks if one.get("type") == "input"]


async def _answered(body: Json, said: str) -> bool:
    """Tell whoever clicked, and nobody else, by the address that came with their click."""
    url = body.get("response_url")
    if not isinstance(url, str) or urlsplit(url).scheme not in ("http", "https"):
        return False
    client = AsyncWebhookClient(url, timeout=int(_TELLING), retry_handlers=[])
    try:
        answer = await client.send(
            text=said, response_type="ephemeral", replace_original=False, blocks=[]
        )
    except (aiohttp.ClientError, OSError, TimeoutError, SlackApiError):
        return False
    return answer.status_code == 200 and '"ok":false' not in answer.body.replace(" ", "")


# Several workspaces


class Workspaces:
    """The workspaces that install the app, by OAuth."""

    def __init__(self, installations: Installations, client_secret: str, api: Api) -> None:
        self.installations = installations
        self._client_secret = client_secret
        self._api = api

    def settings(self, base: str) -> AsyncOAuthSettings:
        """How people install the app. `base` is the Web API's address; Slack's page on which they
        allow the app is at the same server."""
        known = self.installations
        return AsyncOAuthSettings(
            client_id=known.client_id,
            client_secret=self._client_secret,
            scopes=scopes(),
            user_scopes=(),
            installation_store=known.store,
            state_store=known.states,
            install_path=INSTALL,
            redirect_uri_path=RETURN,
            authorization_url=f"{base.rstrip('/').removesuffix('/api')}/oauth/v2/authorize",
        )

    async def has_left(self, team: str) -> None:
        """A workspace is said to have removed the app, or its token. It may have installed it again
        meanwhile: the tokens are forgotten when Slack refuses them. Raises ApiFailed."""
        try:
            await self._api.call(team, "auth.test")
        except Refused as refused:
            if not is_of_the_token(refused):
                raise
            await self.installations.forget(team)


class _Leaving:
    """Surestep, and besides it what is to be done when a workspace removes the app."""

    def __init__(self, surestep: Surestep, workspaces: Workspaces) -> None:
        self._surestep = surestep
        self._workspaces = workspaces

    async def take(self, kind: str, body: Json) -> Json | None:
        """See arriving.Surestep."""
        answer = await self._surestep.take(kind, body)
        found = received(kind, body) if kind == Kind.EVENT else None
        if isinstance(found, Gone):
            await self._workspaces.has_left(found.team)
        return answer

    async def wants(self, kind: str, body: Json) -> bool:
        """See arriving.Surestep."""
        return await self._surestep.wants(kind, body)
