"""Files to and from Slack's own addresses: the one thing that is no method of the Web API."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urljoin, urlsplit

import aiohttp

from channels.slack.api import Limited, Refused, Unknown

_HOSTS = ("slack.com", "slack-files.com", "slack-edge.com", "slack-gov.com")
_JUMPS = 3
"""As many redirects are followed."""
_CHUNK = 65_536
_AGAIN = 1.0
"""Seconds to wait where Slack wants quiet and does not say for how long."""
_PAGE = "text/html"


class Transfer:
    """Fetches and uploads. `base` is the Web API's address: files may lie on its own host."""

    def __init__(self, session: aiohttp.ClientSession, base: str) -> None:
        self._session = session
        self._base = urlsplit(base)

    async def fetch(self, address: str, token: str, limit: int, mime: str = "") -> bytes:
        """A private file of at most `limit` bytes, whose type is `mime`. The token is told to
        Slack alone, however the address leads on. Raises ApiFailed, and what aiohttp raises."""
        for _ in range(_JUMPS):
            async with self._session.get(
                address, headers=self._headers(address, token), allow_redirects=False
            ) as answer:
                further = answer.headers.get("Location")
                if 300 <= answer.status < 400 and further:
                    address = urljoin(address, further)
                    continue
                _check(answer.status, answer.headers, mime)
                return await _read(answer, limit)
        raise Refused("too_many_redirects")

    async def upload(self, address: str, content: bytes) -> None:
        """Upload a file to the address that Slack gave for it. Raises ApiFailed, and what aiohttp
        raises."""
        headers = {"Content-Type": "application/octet-stream"}
        async with self._session.post(address, data=content, headers=headers) as answer:
            _check(answer.status, answer.headers, _PAGE)

    def _headers(self, address: str, token: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {token}"} if self._is_slacks(address) else {}

    def _is_slacks(self, address: str) -> bool:
        parts = urlsplit(address)
        if (parts.scheme, parts.netloc) == (self._base.scheme, self._base.netloc):
            return True
        host = parts.hostname or ""
        of_slack = any(host == one or host.endswith(f".{one}") for one in _HOSTS)
        return parts.scheme == "https" and of_slack


def _check(status: int, headers: Mapping[str, str], mime: str) -> None:
    if status == 429:
        raise Limited(_seconds(headers.get("Retry-After", "")))
    if status >= 500:
        raise Unknown(f"{status} from where the file lies")
    if status == 404:
        raise Refused("file_not_found")
    if status != 200:
        raise Refused(f"{status} from where the file lies")
    if headers.get("Content-Type", "").startswith(_PAGE) and not mime.startswith(_PAGE):
        # Slack shows a page to log in where the token may not fetch the file.
        raise Refused("missing_scope", {"needed": "files:read"})


def _seconds(told: str) -> float:
    return float(told) if told.isascii() and told.isdigit() else _AGAIN


async def _read(answer: aiohttp.ClientResponse, limit: int) -> bytes:
    content = bytearray()
    async for chunk in answer.content.iter_chunked(_CHUNK):
        content += chunk
        if len(content) > limit:
            raise Refused("too_large")
    return bytes(content)
