"""A webhook: Telegram delivers each update to an address of the bot's own.

Telegram delivers an update again until it is answered with 200, and the next one of the same chat
or person only then (core.telegram.org/bots/api#setwebhook). So 200 means: it is stored.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import re
from collections.abc import Callable
from typing import NoReturn
from urllib.parse import urlsplit

import structlog
from aiohttp import web

from channels.telegram.api import Api, ApiFailed, Flooded, Refused
from channels.telegram.arriving import KINDS, Backoff, Sleep, Take, of_the_token
from channels.telegram.limits import SECRET
from core.channel import CannotServe

log = structlog.get_logger()

SECRET_HEADER = "X-Telegram-Bot-Api-Secret-Token"
HEALTH = "/healthz"
BODY = 2**20
"""Bytes of an update at most; the longest messages take a tenth of it."""
CONNECTIONS = 40
"""Updates that Telegram delivers at a time; it takes 1 to 100."""
_SECRET_SIGNS = re.compile(rf"[A-Za-z0-9_-]{{1,{SECRET}}}")
_CLOSING = 10.0
"""Seconds for which updates that are being stored are waited for at the end."""


class WebhookFaulty(CannotServe):
    """The webhook cannot be set as it is given; the message says what to change."""


async def serve(  # noqa: PLR0913  # what it needs belongs to nobody together
    api: Api,
    take: Take,
    url: str,
    *,
    host: str,
    port: int,
    secret: str,
    sleep: Sleep = asyncio.sleep,
    listening: Callable[[], None] = lambda: None,
) -> NoReturn:
    """Listen at `host` and `port` and have Telegram deliver to `url`, until cancelled.

    `secret` comes with each update and proves that it is Telegram's: 1 to 256 of A-Z, a-z, 0-9, _
    and -. `listening` is called when updates can come. At the end the webhook stays set, so that
    what arrives meanwhile waits for the next start. Raises WebhookFaulty, WrongToken, and OSError
    where the port is taken.
    """
    runner = web.AppRunner(
        application(take, path_of(url), secret), access_log=None, shutdown_timeout=_CLOSING
    )
    await runner.setup()
    try:
        await web.TCPSite(runner, host, port).start()
        await register(api, url, secret, sleep)
        log.info("telegram_webhook_served", host=host, port=port)
        listening()
        await asyncio.Event().wait()
        raise AssertionError("nobody sets this event")
    finally:
        await runner.cleanup()


def path_of(url: str) -> str:
    """The path at which Telegram will call. Raises WebhookFaulty for an address that it cannot."""
    parts = urlsplit(url)
    if parts.scheme not in ("https", "http") or not parts.hostname:
        raise WebhookFaulty(
            f"TELEGRAM_WEBHOOK_URL is {url!r}, but Telegram calls a public https address, such as"
            " https://bot.example.org/telegram. Give it one, or leave it out to use long polling."
        )
    path = parts.path or "/"
    if path == HEALTH or set("{}") & set(path):
        raise WebhookFaulty(
            f"The path {path} of TELEGRAM_WEBHOOK_URL is in use or has braces in it. Choose another"
            " one, such as /telegram."
        )
    return path


async def register(api: Api, url: str, secret: str, sleep: Sleep = asyncio.sleep) -> None:
    """Tell Telegram where to deliver. Raises WebhookFaulty and WrongToken.

    It is told at each start, for getWebhookInfo does not tell the secret; Telegram changes nothing
    where everything is as it was.
    """
    if not _SECRET_SIGNS.fullmatch(secret):
        raise WebhookFaulty(
            f"The webhook's secret has to be 1 to {SECRET} of A-Z, a-z, 0-9, _ and -."
        )
    backoff = Backoff()
    while True:
        try:
            await api.call(
                "setWebhook",
                url=url,
                secret_token=secret,
                allowed_updates=list(KINDS),
                max_connections=CONNECTIONS,
            )
            return
        except ApiFailed as failed:
            await sleep(_wait(failed, backoff))


def _wait(failed: ApiFailed, backoff: Backoff) -> float:
    """The seconds until the next try. Raises where another would fail as well."""
    if (wrong := of_the_token(failed)) is not None:
        raise wrong from failed
    if isinstance(failed, Refused):
        raise WebhookFaulty(
            f"Telegram does not deliver to TELEGRAM_WEBHOOK_URL ({failed.description}). It takes a"
            " public https address with a valid certificate, at port 443, 80, 88 or 8443."
        ) from failed
    wait = failed.seconds if isinstance(failed, Flooded) else backoff.after_failure()
    log.warning("telegram_webhook_not_set", error=str(failed), again_in=wait)
    return wait


def application(take: Take, path: str, secret: str) -> web.Application:
    """An aiohttp application that hands over what is posted to `path`, and tells at /healthz that
    it runs. `take` has stored an update when it returns."""
    hook = _Hook(take, secret.encode())
    app = web.Application(client_max_size=BODY)
    app.router.add_post(path, hook.receive)
    app.router.add_get(HEALTH, _healthy)
    return app


async def _healthy(_: web.Request) -> web.Response:
    return web.Response(text="ok")


class _Hook:
    """What is posted by Telegram."""

    def __init__(self, take: Take, secret: bytes) -> None:
        self._take = take
        self._secret = secret

    async def receive(self, request: web.Request) -> web.Response:
        """Store an update: 200. 401 for a stranger, 400 for what is no JSON object, 413 for what is
        too long, 500 where it could not be stored, so that it comes again."""
        given = request.headers.get(SECRET_HEADER, "")
        if not hmac.compare_digest(given.encode("utf-8", "surrogateescape"), self._secret):
            return web.Response(status=401, text="This address is for Telegram only.")
        try:
            update = json.loads(await request.read())
        except (ValueError, RecursionError):
            update = None
        if not isinstance(update, dict):
            return web.Response(status=400, text="An update is a JSON object.")
        try:
            await self._take(update)
        except Exception:
            log.exception("telegram_update_failed", update_id=update.get("update_id"))
            return web.Response(status=500, text="It could not be stored. Send it again.")
        return web.Response()
