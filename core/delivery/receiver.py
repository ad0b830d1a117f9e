"""An HTTP receiver: each submission is posted as JSON, and signed so that it proves who sent it.

The signature is that of Standard Webhooks (https://www.standardwebhooks.com): `webhook-id` is the
key, the same at every attempt, `webhook-timestamp` the seconds since 1970, and `webhook-signature`
`v1,` with the base64 of the HMAC-SHA256 of `id.timestamp.body`.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import ssl
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from urllib.parse import parse_qsl, unquote, urljoin, urlsplit

import aiohttp

from core.delivery.addresses import Forbidden, public_socket
from core.delivery.base import Confirmed, Delivered, Failed, Outcome, Rejected, Unknown
from core.delivery.record import one_line, record
from core.effects import Submission

_BUSY = frozenset({408, 425, 429})
"""The answers below 500 that say: later."""

_TIMES = aiohttp.ClientTimeout(total=25.0, connect=10.0, sock_connect=10.0, sock_read=20.0)
"""Seconds. All of it is less than the worker waits for an answer."""

_READ = 2048
_SAID = 160
"""Bytes of an answer that are read, and letters of it that an admin sees."""

_TELLING = 8
"""Letters of a part of an address that may be a secret."""

_SHORTEST, _LONGEST = 1.0, 3600.0
"""Seconds: a receiver is not asked sooner than it wants, and not much later than anybody would."""


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True)
class Receiver:
    """One receiver. `private`: it may be at a private address. `tls` says whom to trust; those
    whom this machine trusts, where it is None."""

    url: str = field(repr=False)
    secret: bytes = field(repr=False)
    knows_keys: bool = True
    private: bool = False
    clock: Callable[[], datetime] = _now
    times: aiohttp.ClientTimeout = _TIMES
    tls: ssl.SSLContext | None = None

    async def deliver(self, submission: Submission, key: str, confirmed: Confirmed) -> Outcome:
        """See `core.delivery.base.Destination`."""
        body = record(submission, key, confirmed)
        at = self.clock()
        try:
            async with self._session() as session:
                return await self._post(session, body, self._headers(key, body, at), at)
        except aiohttp.InvalidURL:
            return Failed("url: this is no address")
        except aiohttp.ClientSSLError:
            return Failed("it cannot be trusted: its certificate, or its encryption, is not right")
        except aiohttp.ClientConnectorError as error:
            return Failed(_why_not(error))
        except aiohttp.ConnectionTimeoutError:
            return Failed("it cannot be reached: no connection within 10 s")
        except TimeoutError:
            return Unknown("it gave no answer in time")
        except (aiohttp.ClientError, OSError) as error:
            return Unknown(f"the connection broke ({type(error).__name__})")

    def _session(self) -> aiohttp.ClientSession:
        # One for each: nothing of a connection is used again, and every address is looked at.
        factory = None if self.private else public_socket
        connector = aiohttp.TCPConnector(
            limit=1, force_close=True, use_dns_cache=False, socket_factory=factory
        )
        return aiohttp.ClientSession(
            connector=connector,
            timeout=self.times,
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
        )

    def _headers(self, key: str, body: bytes, at: datetime) -> dict[str, str]:
        stamp = str(int(at.timestamp()))
        return {
            "Content-Type": "application/json",
            "User-Agent": "Surestep",
            "webhook-id": key,
            "webhook-timestamp": stamp,
            "webhook-signature": signature(self.secret, key, stamp, body),
        }

    async def _post(
        self, session: aiohttp.ClientSession, body: bytes, headers: dict[str, str], at: datetime
    ) -> Outcome:
        async with session.post(
            self.url, data=body, headers=headers, allow_redirects=False, ssl=self.tls or True
        ) as answer:
            status = answer.status
            reason = self._without_secrets(one_line(f"{status} {answer.reason or ''}"))[:_SAID]
            if 200 <= status < 300:
                return Delivered()
            if 300 <= status < 400:
                to = _server_of(urljoin(self.url, answer.headers.get("Location", "")))
                return Rejected(
                    f"{reason}: it points elsewhere ({to}), and no redirect is followed; write the"
                    " address that it means"
                )
            if status in _BUSY or status >= 500:
                return Failed(reason, _asked_to_wait(answer.headers.get("Retry-After", ""), at))
            said = self._without_secrets(await _said(answer))[:_SAID]
            return Rejected(f"{reason}: {said}" if said else reason)

    def _without_secrets(self, text: str) -> str:
        """What an answer says, without what it repeats of the address or of the secret: many a
        receiver is known by nothing but its address, which is a secret then, too."""
        parts = urlsplit(self.url)
        values = [value for _, value in parse_qsl(parts.query)]
        long = [one for one in (*parts.path.split("/"), *values) if len(one) >= _TELLING]
        whole = [self.url, f"{parts.path}?{parts.query}", parts.path, parts.query]
        secrets = [*whole, self.secret.decode("utf-8", "replace"), *long]
        secrets += [unquote(one) for one in secrets]
        for one in sorted(filter(_is_telling, secrets), key=len, reverse=True):
            text = text.replace(one, "…")
        return text


def _is_telling(text: str) -> bool:
    return len(text) > 1


def _server_of(url: str) -> str:
    """Where an address leads to, without what stands behind the server's name."""
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return "…"
    return one_line(f"{parts.scheme}://{parts.hostname or ''}{port}")[:_SAID]


def signature(secret: bytes, key: str, stamp: str, body: bytes) -> str:
    """The signature of a body."""
    signed = b".".join((key.encode(), stamp.encode(), body))
    return "v1," + base64.b64encode(hmac.new(secret, signed, hashlib.sha256).digest()).decode()


def _why_not(error: aiohttp.ClientConnectorError) -> str:
    """Why no connection came about: nothing was sent."""
    inner = error.os_error
    if isinstance(inner, Forbidden) or "private address" in str(inner):
        return (
            f"{error.host} leads to a private address, and nothing was sent; if that is meant, set"
            " SURESTEP_ALLOW_PRIVATE_ADDRESSES=true"
        )
    return f"it cannot be reached: {inner.strerror or type(error).__name__}"


def _asked_to_wait(text: str, at: datetime) -> float | None:
    """The seconds of a Retry-After (RFC 9110, 10.2.3), within bounds; None where there is none."""
    try:
        seconds = float(text) if text.strip().isdecimal() else _until(text, at)
    except (TypeError, ValueError):
        return None
    return min(max(seconds, _SHORTEST), _LONGEST)


def _until(text: str, at: datetime) -> float:
    then = parsedate_to_datetime(text)
    then = then if then.tzinfo is not None else then.replace(tzinfo=UTC)
    return (then - at).total_seconds()


async def _said(answer: aiohttp.ClientResponse) -> str:
    """The beginning of what an answer says, in one line."""
    if answer.headers.get("Content-Encoding", "identity") != "identity":
        return ""
    try:
        data = await answer.content.read(_READ)
    except (aiohttp.ClientError, TimeoutError):
        return ""
    return one_line(data.decode("utf-8", "replace"))
