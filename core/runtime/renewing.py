"""Keeps a lane while it is worked on."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

import structlog

from core.store import Claim, Fenced, Store

log = structlog.get_logger()


@contextlib.asynccontextmanager
async def renewing(store: Store, claim: Claim, lease: float) -> AsyncIterator[None]:
    """Renew the lease of a claim, of so many seconds, for as long as this lasts."""

    async def renew() -> None:
        while True:
            await asyncio.sleep(lease / 3)
            try:
                await store.renew(claim)
            except Fenced:
                return
            except Exception:
                # Two more attempts fit into the lease; a database that is away comes back.
                log.exception("renew_failed", lane=claim.lane)

    keeper = asyncio.create_task(renew())
    try:
        yield
    finally:
        keeper.cancel()
        with contextlib.suppress(asyncio.CancelledError, Exception):
            await keeper
