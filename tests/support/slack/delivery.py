"""Delivery to the bot: events with their retries, interactions once, by HTTP or by Socket Mode.

Events of one conversation go out one after the other, each after the first attempt of the one
before; all else goes out side by side. An event that is not acknowledged within three seconds is
sent again at once, after a minute, and after five (https://docs.slack.dev/apis/events-api); an
interaction is never sent again (slackapi/python-slack-sdk issue 1940).
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.support.slack.answers import TROUBLE, Untaken, apply
from tests.support.slack.disturbances import Holds, Loses, Repeats, Upset
from tests.support.slack.errors import Json
from tests.support.slack.interactions import UNREACHABLE, Interaction
from tests.support.slack.posting import Poster
from tests.support.slack.sockets import Sockets

if TYPE_CHECKING:
    from tests.support.slack.world import World

RETRIES = (0.0, 1.0, 5.0)
"""Minutes to wait before each retry of an event."""
ACK_SECONDS = 3.0


@dataclass(frozen=True)
class Outcome:
    """What came back: the status of the acknowledgement (0: none), its body, and why none."""

    status: int
    body: Any = None
    reason: str = ""
    no_retry: bool = False

    @property
    def taken(self) -> bool:
        """Whether the bot acknowledged."""
        return 200 <= self.status <= 299


@dataclass(frozen=True)
class Attempt:
    """One delivery: of what ("message", "block_actions"...), which retry, and what came back."""

    kind: str
    payload: Json
    retry: int
    status: int
    reason: str = ""


@dataclass
class Delivery:
    """All that goes to the bot.

    `unit` is the real seconds of one minute of waiting for a retry; `by_clock`, the retries wait
    until so much time has passed on the server's clock instead.
    """

    world: World
    ack_seconds: float = ACK_SECONDS
    unit: float = 0.01
    by_clock: bool = False
    poster: Poster | None = None
    sockets: Sockets = field(init=False)
    attempts: list[Attempt] = field(default_factory=list)
    lost: list[Json] = field(default_factory=list)
    upsets: list[Upset] = field(default_factory=list)
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)
    _queues: dict[str, asyncio.Event] = field(default_factory=dict)
    _closed: bool = False

    def __post_init__(self) -> None:
        self.sockets = Sockets(self.world)

    def event(self, kind: str, payload: Json, queue: str) -> None:
        """Send an event, behind those of the same queue."""
        before, done = self._queues.get(queue), asyncio.Event()
        self._queues[queue] = done
        self._start(self._event(kind, payload, before, done))

    def ask(self, interaction: Interaction) -> Interaction:
        """Send an interaction."""
        self._start(self._interaction(interaction))
        return interaction

    def attempted(self, kind: str) -> list[Attempt]:
        """The deliveries of this kind, oldest first."""
        return [one for one in self.attempts if one.kind == kind]

    async def close(self) -> None:
        """Deliver no more."""
        self._closed = True
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.sockets.close()
        if self.poster is not None:
            await self.poster.close()

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        if self._closed:
            work.close()
            return
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            self.world.violations.append(f"the server failed to deliver: {task.exception()!r}")
        self.world.touch()

    @property
    def is_idle(self) -> bool:
        """Whether nothing is on its way to the bot."""
        return not self._tasks

    # Events

    async def _event(
        self, kind: str, payload: Json, before: asyncio.Event | None, done: asyncio.Event
    ) -> None:
        try:
            if before is not None:
                await before.wait()
            upset = self._upset(kind, payload)
            if isinstance(upset, Holds):
                done.set()  # others overtake it
                await upset.gate.wait()
            if isinstance(upset, Loses):
                return
            await self._reachable()
            outcome = await self._send("events_api", kind, payload)
        finally:
            done.set()
        repeats = upset.times if isinstance(upset, Repeats) else 0
        await self._retry(kind, payload, outcome, repeats)

    async def _retry(self, kind: str, payload: Json, outcome: Outcome, repeats: int) -> None:
        """Send an event again while it is not acknowledged, or its acknowledgement gets lost."""
        for number, minutes in enumerate(RETRIES, start=1):
            if outcome.taken and number > repeats:
                return
            if outcome.no_retry and outcome.reason != "http_timeout":
                return
            await self._wait(minutes)
            reason = outcome.reason or "http_timeout"
            outcome = await self._send("events_api", kind, payload, number, reason)
        if not outcome.taken:
            self._lose(kind, payload, outcome)

    async def _wait(self, minutes: float) -> None:
        due = self.world.now + minutes * 60
        if self.by_clock:
            await self.world.when(lambda: self.world.now >= due)
        else:
            await asyncio.sleep(minutes * self.unit)

    def _lose(self, kind: str, payload: Json, outcome: Outcome) -> None:
        self.lost.append(payload)
        if outcome.reason != "connection_failed":
            self.world.violates(f"{kind} was never acknowledged ({outcome.reason})")

    async def _reachable(self) -> None:
        """Wait until the bot has a request URL or a socket: events are not sent to nobody."""
        await self.world.when(lambda: self.poster is not None or self.sockets.open)

    # Interactions

    async def _interaction(self, interaction: Interaction) -> None:
        upset = self._upset(interaction.kind, interaction.payload)
        if isinstance(upset, Holds):
            await upset.gate.wait()
        if isinstance(upset, Loses):
            interaction.problem = UNREACHABLE
        else:
            await self._ask(interaction)
        if interaction.problem:
            self.world.warnings.append(f"{interaction!r}: {interaction.problem}")
        interaction.done = True
        self.world.touch()

    async def _ask(self, interaction: Interaction) -> None:
        over = {"slash_commands": "slash_commands"}.get(interaction.kind, "interactive")
        outcome = await self._send(over, interaction.kind, interaction.payload)
        interaction.status, interaction.body = outcome.status, outcome.body
        if not outcome.taken:
            interaction.problem = UNREACHABLE
            if outcome.reason != "connection_failed":
                why = f"status {outcome.status}" if outcome.status else outcome.reason
                self.world.violates(f"{interaction!r} was not acknowledged ({why})")
            return
        try:
            apply(interaction)
        except Untaken as error:
            interaction.problem = TROUBLE
            self.world.violates(f"the answer to {interaction!r} is not taken: {error}")

    # Either way

    def _upset(self, kind: str, payload: Json) -> Holds | Loses | Repeats | None:
        return next((one.upsets for one in self.upsets if one.takes(kind, payload)), None)

    async def _send(
        self, over: str, kind: str, payload: Json, retry: int = 0, reason: str = ""
    ) -> Outcome:
        outcome = await self._sent(over, payload, retry, reason)
        self.attempts.append(Attempt(kind, payload, retry, outcome.status, outcome.reason))
        self.world.touch()
        return outcome

    async def _sent(self, over: str, payload: Json, retry: int, reason: str) -> Outcome:
        try:
            async with asyncio.timeout(self.ack_seconds):
                if self.poster is not None:
                    status, body, headers = await self.poster.post(over, payload, retry, reason)
                    no_retry = headers.get("x-slack-no-retry") == "1"
                    why = "" if 200 <= status <= 299 else "http_error"
                    return Outcome(status, _read(body), why, no_retry)
                return Outcome(200, await self.sockets.send(over, payload, retry, reason))
        except TimeoutError:
            return Outcome(0, reason="http_timeout" if self.poster is not None else "timeout")
        except OSError:
            return Outcome(0, reason="connection_failed")


def _read(body: str) -> Any:
    if not body:
        return None
    try:
        return json.loads(body)
    except ValueError:
        return body
