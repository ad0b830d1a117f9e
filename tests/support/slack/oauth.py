"""Installing the app: what a person's browser does, and Slack's page on which they allow it.

https://docs.slack.dev/authentication/installing-with-oauth
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import aiohttp
from aiohttp import web

from tests.support.slack.world import Grant, World

if TYPE_CHECKING:
    from tests.support.slack.people import Person


@dataclass(frozen=True)
class Page:
    """What a browser shows in the end."""

    status: int
    text: str


async def installed(world: World, person: Person, address: str, *, denied: bool) -> Page:
    """Go to the bot's install page, from there to Slack, allow or deny, and come back."""
    # A browser keeps Secure cookies of loopback; the jar of aiohttp does not, so it has none.
    async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as browser:
        async with browser.get(address, allow_redirects=False) as answer:
            page = await answer.text()
            link = answer.headers.get("Location") or _link(page, f"{world.url}/oauth/")
            cookies = {name: morsel.value for name, morsel in answer.cookies.items()}
        who = {"as": person.id, **({"denied": "1"} if denied else {})}
        async with browser.get(f"{link}&{urlencode(who)}", allow_redirects=False) as answer:
            assert answer.status == 302, await answer.text()
            back = answer.headers["Location"]
        async with browser.get(back, cookies=cookies) as answer:
            return Page(answer.status, await answer.text())


def _link(page: str, start: str) -> str:
    found = re.search(rf'href="({re.escape(start)}[^"]+)"', page)
    assert found is not None, f"no link to Slack on the install page:\n{page}"
    return unescape(found[1])


def authorize(world: World, request: web.Request) -> web.Response:
    """Slack's page, where they press Allow at once, or (`denied`) Cancel."""
    asked = request.query
    back = asked.get("redirect_uri") or world.redirect_uri
    spaces = (space.people.get(asked.get("as", "")) for space in world.workspaces)
    person = next((one for one in spaces if one is not None), None)
    if asked.get("client_id") != world.client_id or person is None:
        return web.Response(status=400, text="invalid client_id or person")
    scopes = frozenset(asked.get("scope", "").split(","))
    if scopes != world.app.scopes:
        differing = sorted(scopes ^ world.app.scopes)
        world.violates(f"the app asks for other scopes than its manifest: {differing}")
    answer = {"error": "access_denied"}
    if "denied" not in asked:
        code = f"{person.workspace.id}.{world.next_id('code')}"
        world.grants[code] = Grant(person.workspace, person, back, ",".join(sorted(scopes)))
        answer = {"code": code}
    query = urlencode(answer | {"state": asked.get("state", "")})
    return web.Response(status=302, headers={"Location": f"{back}?{query}"})
