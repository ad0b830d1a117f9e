"""Requests to the bot's own HTTP server, signed with the signing secret.

https://docs.slack.dev/authentication/verifying-requests-from-slack
"""

from __future__ import annotations

import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from urllib.parse import urlencode

import aiohttp

from tests.support.slack.errors import Json

_JSON = "application/json"
_FORM = "application/x-www-form-urlencoded"


class Poster:
    """Posts to one request URL. `skew` moves the signatures' time, in seconds."""

    def __init__(self, url: str, secret: str) -> None:
        self.url = url
        self.secret = secret
        self.skew = 0
        self._session: aiohttp.ClientSession | None = None

    async def post(
        self, over: str, payload: Json, retry: int = 0, reason: str = ""
    ) -> tuple[int, str, Mapping[str, str]]:
        """Post a payload as its kind is posted: events as JSON, all else as forms.

        Gives status, body and headers. Raises OSError when there is no connection.
        """
        body, kind = _body(over, payload)
        headers = {"Content-Type": kind, **self.signed(body)}
        if retry:
            headers |= {"X-Slack-Retry-Num": str(retry), "X-Slack-Retry-Reason": reason}
        if self._session is None:
            self._session = aiohttp.ClientSession(headers={"User-Agent": "Slackbot 1.0"})
        try:
            async with self._session.post(self.url, data=body.encode(), headers=headers) as answer:
                return answer.status, await answer.text(), dict(answer.headers.items())
        except aiohttp.ClientError as error:
            raise OSError(str(error)) from error

    def signed(self, body: str) -> dict[str, str]:
        """The headers that prove that the body is Slack's. Real time: the bot's clock is real."""
        timestamp = str(int(time.time()) + self.skew)
        base = f"v0:{timestamp}:{body}".encode()
        digest = hmac.new(self.secret.encode(), base, hashlib.sha256).hexdigest()
        return {"X-Slack-Request-Timestamp": timestamp, "X-Slack-Signature": f"v0={digest}"}

    async def close(self) -> None:
        """Close the connections."""
        if self._session is not None:
            await self._session.close()


def _body(over: str, payload: Json) -> tuple[str, str]:
    if over == "events_api":
        return json.dumps(payload), _JSON
    if over == "slash_commands":
        return urlencode(payload), _FORM
    return urlencode({"payload": json.dumps(payload)}), _FORM
