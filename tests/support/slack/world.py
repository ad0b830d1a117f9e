"""All that the server knows: workspaces, views, triggers, and what time it is."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from tests.support.slack.app import App
from tests.support.slack.delivery import Delivery
from tests.support.slack.errors import refused, violates
from tests.support.slack.hooks import Hook
from tests.support.slack.views import View
from tests.support.slack.workspace import Access, Workspace

if TYPE_CHECKING:
    from tests.support.slack.channels import Channel
    from tests.support.slack.messages import Message
    from tests.support.slack.people import Person

CLIENT_ID = "42.4242"
PATIENCE = 30.0
"""Real seconds after which a test that waits for something gives up."""
TRIGGER_LIFE = 3.0
"""Seconds on the server's clock in which a trigger_id can be used."""
TOKEN_LIFE = 12 * 60 * 60
"""Seconds until a token ends, in an app with token rotation."""
T = TypeVar("T")


@dataclass(eq=False)
class Trigger:
    """A trigger_id: whose it is, since when, and in which view it came about."""

    person: Person
    made_at: float
    view: View | None = None
    used: bool = False


@dataclass(frozen=True)
class Grant:
    """The code of an installation that a person allowed, before the bot exchanged it."""

    workspace: Workspace
    person: Person
    redirect_uri: str
    scope: str


class World:
    """The state behind the server. Its clock `now` (Unix seconds) stands still until `passes`."""

    def __init__(
        self,
        app: App,
        *,
        token: str,
        lacks: Collection[str] = (),
        now: float | None = None,
        ack_seconds: float,
        access: Access = "installed",
    ) -> None:
        self.app = app
        self.url = ""
        self.lacks = frozenset(lacks)
        self.now = float(int(time.time() if now is None else now))
        self.started = self.now
        self._counts: dict[str, itertools.count[int]] = {}
        self._changed = asyncio.Event()
        self.app_id = self.next_id("A")
        self.client_id = CLIENT_ID
        self.views: dict[str, View] = {}
        self.triggers: dict[str, Trigger] = {}
        self.hooks: dict[str, Hook] = {}
        self.grants: dict[str, Grant] = {}
        self.used_codes: set[str] = set()
        self.token_life = TOKEN_LIFE
        self.violations: list[str] = []
        self.warnings: list[str] = []
        self.delivery = Delivery(self, ack_seconds)
        self.workspaces: list[Workspace] = []
        self.workspace = self.another("Lovelace", token=token, access=access)

    # Time, and waiting for the bot

    def passes(self, seconds: float) -> None:
        """Let time pass on the server's clock; no real time does."""
        self.now += seconds
        self.touch()

    def touch(self) -> None:
        """Something changed: whoever waits looks again."""
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    async def when(self, happens: Callable[[], T | None]) -> T:
        """Wait until a function of the state gives something true, and give that back."""
        while not (found := happens()):
            await self._changed.wait()
        return found

    async def until(self, happens: Callable[[], T | None], told: str = "it") -> T:
        """Like `when`. Raises AssertionError, with all drawn, after half a minute without it."""
        try:
            async with asyncio.timeout(PATIENCE):
                return await self.when(happens)
        except TimeoutError:
            raise AssertionError(f"Waited in vain for {told}.\n{self.drawn()}") from None

    async def settled(self) -> None:
        """Wait until nothing is on its way to the bot any more."""
        await self.until(lambda: self.delivery.is_idle, "all deliveries")

    def drawn(self) -> str:
        """All conversations in which something was said, and all open views, as people see them."""
        every = [one for space in self.workspaces for one in space.channels.values()]
        screens = [str(one.screen()) for one in every if one.messages]
        people = [one for space in self.workspaces for one in space.people.values()]
        modals = [str(one.modal) for one in people if one.views]
        return "\n".join([*screens, *modals, *self.warnings, *self.violations])

    # Identifiers

    def next_id(self, prefix: str) -> str:
        """An identifier like Slack's: "U00000001"."""
        count = self._counts.setdefault(prefix, itertools.count(1))
        return f"{prefix}{next(count):08}"

    def next_ts(self) -> str:
        """The timestamp of a message or an action: later than every one before."""
        count = self._counts.setdefault("ts", itertools.count(100))
        return f"{int(self.now)}.{next(count):06}"

    def next_hash(self) -> str:
        """The hash of a view's state."""
        count = self._counts.setdefault("hash", itertools.count(1))
        return f"{int(self.now)}.h{next(count):07}"

    # Workspaces

    def another(self, name: str, *, token: str = "", access: Access = "never") -> Workspace:
        """Another workspace; the app is not installed in it unless it is said."""
        number = len(self.workspaces) + 1
        workspace = Workspace(
            self, name, token=token or f"xoxb-{number}-for-tests-on-loopback", access=access
        )
        self.workspaces.append(workspace)
        return workspace

    def of_token(self, token: str) -> Workspace | None:
        """The workspace that this bot token is for."""
        known = (one for one in self.workspaces if one.access != "never")
        return next((one for one in known if one.token == token), None)

    def violates(self, what: str) -> None:
        """The bot did what no careful bot does; the test fails for it in the end."""
        self.violations.append(what)
        self.touch()

    @property
    def redirect_uri(self) -> str:
        """Where people come back after they allowed the app, when the bot does not tell."""
        poster = self.delivery.poster
        assert poster is not None, "the bot tells no redirect_uri, and has no request URL"
        return poster.url.removesuffix("/events") + "/oauth_redirect"

    # What an interaction brings

    def opens_trigger(self, person: Person, view: View | None = None) -> str:
        """A new trigger_id."""
        number = self.next_id("")
        trigger_id = f"{number}.{person.workspace.id[1:]}.{int(number):032x}"
        self.triggers[trigger_id] = Trigger(person, self.now, view)
        return trigger_id

    def takes_trigger(self, trigger_id: str) -> Trigger:
        """Use a trigger_id. Raises ApiError for one that was used, or is older than 3 seconds."""
        trigger = self.triggers.get(trigger_id)
        if trigger is None:
            why = "invalid `trigger_id` [json-pointer:/trigger_id]"
            raise violates("invalid_arguments", why)
        if trigger.used:
            raise refused("exchanged_trigger_id")
        if self.now - trigger.made_at > TRIGGER_LIFE:
            raise refused("expired_trigger_id")
        trigger.used = True
        return trigger

    def opens_hook(self, person: Person, channel: Channel, message: Message | None) -> str:
        """A new response_url."""
        path = f"/hooks/{person.workspace.id}/{self.next_id('hook')}"
        self.hooks[path] = Hook(person, channel, message, self.now)
        return self.url + path
