"""A model behind the Messages API, by the anthropic SDK.

How it tries again: the SDK's own retries are off, because they obey a `retry-after` of any length.
A fault that may pass (rate limit, overload, 5xx, a lost, silent or broken stream) is tried again,
as often as the settings say, while the person has seen nothing of an answer and the deadline has
room for the wait. A service that asks for more patience than `longest_wait` is not asked again:
the person goes on with the cards at once, and the service is left in peace.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any, Self

import anthropic
import msgspec
import structlog

from core.model.assembly import Assembly
from core.model.base import Answer, Failure, ModelFailed, OnText, Request, Stop, Usage, deadline
from core.model.faults import Fault, fault_of
from core.model.messages import parameters
from core.model.settings import ModelSettings

_log = structlog.get_logger(__name__)


class AnthropicModel:
    """Answers by the Messages API. One for all conversations; `close` it at the end."""

    def __init__(self, key: str, settings: ModelSettings | None = None) -> None:
        """`key` is the API key: it is handed to the SDK and kept nowhere else."""
        self.settings = settings or ModelSettings()
        timeout = anthropic.Timeout(self.settings.stall, connect=self.settings.connect)
        self._client = anthropic.AsyncAnthropic(
            api_key=key, base_url=self.settings.base_url, max_retries=0, timeout=timeout
        )

    @property
    def name(self) -> str:
        """The model's name at the service."""
        return self.settings.model

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections that are kept open between answers."""
        await self._client.close()

    async def respond(self, request: Request, on_text: OnText | None = None) -> Answer:
        """The whole answer, or ModelFailed, within the settings' deadline (see `Model`)."""
        sent = parameters(request, self.settings)
        streams: list[Assembly] = []
        try:
            async with deadline(self.settings.deadline):
                answer = await self._persist(sent, on_text, streams)
            if not answer.text.strip() and answer.stop is Stop.END_TURN and not request.rounds:
                raise ModelFailed(Failure.EMPTY, "the answer has no text and no call")
        except ModelFailed as failed:
            failed.usage = _charged(streams)
            raise
        return msgspec.structs.replace(answer, usage=_charged(streams))

    async def _persist(
        self, sent: dict[str, Any], on_text: OnText | None, streams: list[Assembly]
    ) -> Answer:
        until = asyncio.get_running_loop().time() + self.settings.deadline
        shown = False

        async def show(text: str) -> None:
            nonlocal shown
            shown = True
            if on_text is not None:
                await on_text(text)

        attempt = 1
        while True:
            streams.append(Assembly())
            fault = await self._attempt(sent, show if on_text is not None else None, streams[-1])
            if isinstance(fault, Answer):
                return fault
            wait = self._wait(fault, attempt)
            left = until - asyncio.get_running_loop().time()
            if shown or wait is None or wait >= left:
                raise fault.failed
            _log.info("model_again", kind=fault.failed.kind.value, attempt=attempt, wait=wait)
            await asyncio.sleep(wait)
            attempt += 1

    def _wait(self, fault: Fault, attempt: int) -> float | None:
        """The seconds until the next attempt; None where there is none."""
        if not fault.passing or attempt >= self.settings.attempts:
            return None
        if fault.wait is not None:
            return fault.wait if fault.wait <= self.settings.longest_wait else None
        # Not all at once: what overloaded the service would do so again.
        grown = self.settings.first_wait * 2.0 ** (attempt - 1) * random.uniform(0.75, 1.25)
        return min(grown, self.settings.longest_wait)

    async def _attempt(
        self, sent: dict[str, Any], on_text: OnText | None, assembly: Assembly
    ) -> Answer | Fault:
        pieces = self._pieces(sent, assembly)
        async with aclosing(pieces):
            while True:
                # Only the stream's own errors are the model's: those of `on_text` are raised.
                try:
                    piece = await anext(pieces)
                except StopAsyncIteration:
                    break
                except Exception as error:
                    return fault_of(error)
                if on_text is not None:
                    await on_text(piece)
        try:
            return assembly.answer()
        except Exception as error:
            return fault_of(error)

    async def _pieces(self, sent: dict[str, Any], assembly: Assembly) -> AsyncGenerator[str, None]:
        """The pieces of the answer's text; leaving this closes the stream."""
        extra = (
            {"temperature": self.settings.temperature}
            if self.settings.temperature is not None
            else None
        )
        stream = await self._client.messages.create(**sent, stream=True, extra_body=extra)
        async with stream:
            async for event in stream:
                piece = assembly.take(event)
                if piece:
                    yield piece


def _charged(streams: list[Assembly]) -> Usage:
    """What all attempts cost together, those that broke off with them."""
    return sum((one.usage for one in streams), Usage())
