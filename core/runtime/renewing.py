"""Keeps a lane while it is worked on, and sees to it that no lane is worked on that was lost."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

import structlog

from core.store import Claim, Fenced, Store

log = structlog.get_logger()

_TIMES = 3
"""How often a lease is renewed before it would run out: a database that is away for a moment costs
nobody a lane."""


@contextlib.asynccontextmanager
async def renewing(store: Store, claim: Claim, lease: float) -> AsyncIterator[None]:
    """Renew the lease of a claim, of so many seconds, for as long as the block takes.

    Where the lane is lost, or could not be kept for so long that somebody else may have it, the
    block is cancelled: the model need not go on, and nothing more is shown of its answer. Raises
    Fenced then.
    """
    turn, lost = asyncio.current_task(), False
    assert turn is not None

    async def keep() -> None:
        nonlocal lost
        await _keep(store, claim, lease)
        lost = True
        turn.cancel()

    keeper = asyncio.create_task(keep())
    try:
        try:
            yield
        finally:
            keeper.cancel()
            await asyncio.wait({keeper})
    except asyncio.CancelledError:
        if lost and turn.uncancel() <= 0:
            raise Fenced(claim.lane) from None
        raise


async def _keep(store: Store, claim: Claim, lease: float) -> None:
    """Renew the lease until it is lost."""
    failed = 0
    while failed < _TIMES:
        await asyncio.sleep(lease / _TIMES)
        try:
            async with asyncio.timeout(lease / _TIMES):
                await store.renew(claim)
            failed = 0
        except Fenced:
            return
        except Exception:
            log.exception("renew_failed", lane=claim.lane)
            failed += 1
