"""Long polling: the updates of a bot that needs no address of its own. One loop for both drivers.

Asking for the next offset confirms all updates before it (core.telegram.org/bots/api#getupdates),
so an update is stored before that. After a crash in between it comes again, and is known already.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import NoReturn

import structlog

from channels.telegram.api import Api, ApiFailed, Flooded, Refused
from channels.telegram.arriving import KINDS, Backoff, Sleep, Take, WrongToken, of_the_token
from channels.telegram.native import Json
from core.channel import CannotServe

log = structlog.get_logger()

HOLD = 30
"""Seconds for which the server holds a poll that has nothing to tell; it takes up to 50."""
_ON_THE_WAY = 15.0
"""Seconds by which an answer may be late before the connection counts as dead."""
_TRIES = 3
_BETWEEN_TAKES = 5.0
"""The longest wait, in seconds, before updates that could not be stored are asked for again."""
_REMIND = 60.0
"""Seconds after which a conflict that goes on is logged again."""


class TwoPollers(CannotServe):
    """Somebody else gets this bot's updates: a second program, or a webhook."""

    def __init__(self, refused: Refused) -> None:
        super().__init__(
            f"Another program gets the updates of this bot (Telegram says: {refused.description})."
            " Only one may: stop the other one, or give this one a bot of its own from @BotFather,"
            " and start again."
        )


async def poll(
    api: Api,
    take: Take,
    *,
    hold: int = HOLD,
    patience: float = 30.0,
    sleep: Sleep = asyncio.sleep,
    clock: Callable[[], float] = time.monotonic,
) -> NoReturn:
    """Get updates and hand each to `take`, until cancelled.

    What the network or the server does wrong is waited out. Raises WrongToken; where the token was
    right before, only when the server has said for `patience` seconds that it is not. Raises
    TwoPollers where somebody else has been getting the updates for so long. `hold` are the seconds
    of one poll.
    """
    poller = _Poller(api, take, hold, sleep, Conflicts(patience, clock), Doubts(patience, clock))
    await poller.listen()
    while True:
        await poller.round()


class Conflicts:
    """409s: those of a restart pass within seconds, those of a second program do not.

    Two programs end each other's polls in turn, and now and then one of them gets through; so only
    time without a conflict ends it.
    """

    def __init__(self, patience: float, clock: Callable[[], float]) -> None:
        self._patience = patience
        self._clock = clock
        self._since = self._last = self._logged = -float("inf")

    def met(self, refused: Refused) -> None:
        """There was one. Raises TwoPollers when it has gone on for too long."""
        now = self._clock()
        if now - self._last > max(self._patience, _REMIND):
            self._since = now
        self._last = now
        error = TwoPollers(refused)
        if now - self._logged >= _REMIND:
            self._logged = now
            log.error("telegram_two_pollers", advice=str(error))
        if now - self._since >= self._patience:
            raise error from refused


class Doubts:
    """Whether a token is wrong: at the start it is when the server says so. One that was right has
    been taken back, or a server that is being restarted (or what stands before it) knows nothing
    yet, which passes."""

    def __init__(self, patience: float, clock: Callable[[], float]) -> None:
        self._patience = patience
        self._clock = clock
        self._since: float | None = -float("inf")

    def dispelled(self) -> None:
        """The server knows the bot."""
        self._since = None

    def met(self, wrong: WrongToken) -> None:
        """The server says that it knows no such bot. Raises that when it has gone on for too
        long."""
        if self._since is None:
            self._since = self._clock()
        if self._clock() - self._since >= self._patience:
            raise wrong


class _Poller:
    """One loop's way through the updates."""

    def __init__(
        self,
        api: Api,
        take: Take,
        hold: int,
        sleep: Sleep,
        conflicts: Conflicts,
        doubts: Doubts,
    ) -> None:
        self._api = api
        self._take = take
        self._hold = hold
        self._sleep = sleep
        self._conflicts = conflicts
        self._doubts = doubts
        self._offset: int | None = None
        self._network = Backoff()
        self._store = Backoff(_BETWEEN_TAKES)

    async def listen(self) -> None:
        """Take a webhook away: the server tells nothing by a poll while there is one. What waits
        in its queue is kept."""
        while True:
            try:
                told = await self._api.call("getWebhookInfo")
                if told.get("url"):
                    log.info("telegram_webhook_removed", why="this program polls")
                    await self._api.call("deleteWebhook")
                return
            except ApiFailed as failed:
                await self._wait_out(failed)

    async def round(self) -> None:
        """One poll, and what it brought."""
        try:
            updates = await self._api.call(
                "getUpdates",
                within=self._hold + _ON_THE_WAY,
                offset=self._offset,
                timeout=self._hold,
                allowed_updates=list(KINDS),
            )
        except ApiFailed as failed:
            await self._wait_out(failed)
            return
        self._network.reset()
        self._doubts.dispelled()
        await self._hand_over(updates)

    async def _wait_out(self, failed: ApiFailed) -> None:
        if (wrong := of_the_token(failed)) is not None:
            self._doubts.met(wrong)
        wait = self._network.after_failure()
        if isinstance(failed, Flooded):
            wait = failed.seconds
        if isinstance(failed, Refused) and failed.code == 409:
            self._conflicts.met(failed)
        else:
            log.warning("telegram_poll_failed", error=str(failed), again_in=wait)
        await self._sleep(wait)

    async def _hand_over(self, updates: Sequence[Json]) -> None:
        """Store updates in their order.

        One that cannot be stored waits until a later one could: then the fault is its own, and it
        is tried once more and left out. When no later one can be stored either, it is the store's
        fault: all are asked for again, and none is lost.
        """
        aside: list[Json] = []
        for update in updates:
            if not await self._is_stored(update, 1 if aside else _TRIES):
                aside.append(update)
                continue
            for faulty in aside:
                if not await self._is_stored(faulty, 1):
                    log.error("telegram_update_left_out", update_id=faulty["update_id"])
            aside.clear()
        if aside:
            self._offset = aside[0]["update_id"]
            await self._sleep(self._store.after_failure())
        elif updates:
            self._offset = updates[-1]["update_id"] + 1
            self._store.reset()

    async def _is_stored(self, update: Json, tries: int) -> bool:
        backoff = Backoff()
        for left in reversed(range(tries)):
            try:
                await self._take(update)
                return True
            except Exception:
                log.exception("telegram_update_failed", update_id=update["update_id"], left=left)
            if left:
                await self._sleep(backoff.after_failure())
        return False
