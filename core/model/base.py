"""What the runtime asks of a model, and what it gets: one interface, whoever answers.

A `Request` says everything a model may know, in the order in which it is sent: what never changes
first, what changes every turn last. An `Answer` is whole or it is not there: any failure whatever
is a `ModelFailed`, and nothing of the answer survives it (G12).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from enum import StrEnum
from typing import Any, Literal, Protocol

import msgspec

Block = dict[str, Any]
"""A block of an answer as it was received: opaque, and sent back unchanged in the next round."""

OnText = Callable[[str], Awaitable[None]]
"""Told every piece of an answer's text as it arrives."""


class ToolSpec(msgspec.Struct, frozen=True, kw_only=True):
    """A tool that is offered: `schema` is a JSON schema of type object."""

    name: str
    description: str
    schema: dict[str, Any]


class Turn(msgspec.Struct, frozen=True, kw_only=True):
    """One entry of the transcript, as plain text."""

    role: Literal["person", "bot"]
    text: str


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """A tool call of the model. `arguments` are an object of JSON, not yet judged by anybody."""

    id: str
    name: str
    arguments: dict[str, Any] = {}


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """What a call came to, told to the model. `call` is the call's id."""

    call: str
    text: str
    failed: bool = False


class Round(msgspec.Struct, frozen=True, kw_only=True):
    """One tool round of this turn: the model's blocks as received, and a result for every call."""

    blocks: tuple[Block, ...]
    results: tuple[Result, ...]


class Stop(StrEnum):
    """Why a whole answer ended."""

    END_TURN = "end_turn"
    TOOL_USE = "tool_use"


class Usage(msgspec.Struct, frozen=True, kw_only=True):
    """Tokens of one answer. `input` is what stands in no cache, nor is written to one."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_creation: int = 0

    @property
    def read(self) -> int:
        """All that the model read."""
        return self.input + self.cache_read + self.cache_creation

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            input=self.input + other.input,
            output=self.output + other.output,
            cache_read=self.cache_read + other.cache_read,
            cache_creation=self.cache_creation + other.cache_creation,
        )


def tokens_of(size: int) -> int:
    """About how many tokens so many bytes are, where nobody counts them: four bytes each."""
    return -(-size // 4)


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """A whole answer.

    With `stop` TOOL_USE there is at least one call, and every call wants a result. `text` is never
    empty in the answer that ends a turn, except after tool rounds, where a model may have nothing
    to add. `blocks` are what `Request.after` sends back.
    """

    text: str
    calls: tuple[Call, ...] = ()
    stop: Stop = Stop.END_TURN
    usage: Usage = Usage()
    blocks: tuple[Block, ...] = ()


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a model is told for one answer.

    `system` and `tools` are the same bytes for all of a journey; `transcript` only ever grows at
    its end; `tail` is this turn's runtime facts. Within a turn only `rounds` grows: the tail stays
    as it was when the turn began, because a model's thinking is bound to all that stood before it.
    """

    system: tuple[str, ...]
    tools: tuple[ToolSpec, ...] = ()
    transcript: tuple[Turn, ...] = ()
    tail: str = ""
    rounds: tuple[Round, ...] = ()

    def after(self, answer: Answer, results: Mapping[str, str] | tuple[Result, ...]) -> Request:
        """The request of the next round: every call of the answer with its result, by call id.

        Raises ValueError when a call has no result, or a result no call.
        """
        if isinstance(results, Mapping):
            results = tuple(Result(call=call, text=text) for call, text in results.items())
        by_call = {result.call: result for result in results}
        ids = [call.id for call in answer.calls]
        if not ids or set(ids) != set(by_call) or len(results) != len(by_call):
            raise ValueError(f"Calls {ids} were answered by results for {sorted(by_call)}.")
        round_ = Round(blocks=answer.blocks, results=tuple(by_call[call] for call in ids))
        return msgspec.structs.replace(self, rounds=(*self.rounds, round_))


class Failure(StrEnum):
    """Why there is no answer. The runtime treats all of them alike; an operator does not."""

    ABSENT = "absent"
    """No model is configured."""
    CREDENTIALS = "credentials"
    """The key is wrong, lacks a right, or its account is not paid."""
    REQUEST = "request"
    """The service refused the request itself: a setting is wrong, or there is a bug here."""
    RATE_LIMITED = "rate_limited"
    OVERLOADED = "overloaded"
    SERVICE = "service"
    """The service failed (5xx, or an error event in the stream)."""
    CONNECTION = "connection"
    """No connection, or it was lost before the answer was whole."""
    STALLED = "stalled"
    """Nothing arrived for longer than the settings allow."""
    DEADLINE = "deadline"
    """All of it took longer than the settings allow."""
    BROKEN = "broken"
    """The stream ended early, or what it held made no sense."""
    CUT = "cut"
    """The answer hit the limit of tokens: half of it is missing."""
    DECLINED = "declined"
    """The model or its safeguards declined to answer."""
    PAUSED = "paused"
    """The service paused the answer and wants to be asked again; no tool of ours needs that."""
    EMPTY = "empty"
    """The answer was whole and had nothing in it."""
    TOOL_INPUT = "tool_input"
    """A tool call whose input is not an object of JSON."""


class ModelFailed(Exception):
    """There is no answer. `detail` is for an operator's log: never for a person or an event.

    `usage` is what was charged all the same, as far as it is known: a stream that breaks off was
    paid for up to there, and so were attempts before the last.
    """

    def __init__(self, kind: Failure, detail: str = "", usage: Usage | None = None) -> None:
        super().__init__(f"{kind.value}: {detail}" if detail else kind.value)
        self.kind = kind
        self.detail = detail
        self.usage = usage or Usage()


class Model(Protocol):
    """Whoever answers."""

    @property
    def name(self) -> str:
        """What it is called, for accounting."""
        ...

    async def respond(self, request: Request, on_text: OnText | None = None) -> Answer:
        """The whole answer to a request; `on_text` is told its text while it arrives.

        Raises ModelFailed for any failure whatever. What `on_text` was told before that is then no
        part of any answer. An error of `on_text` itself is raised as it is. A cancelled call closes
        its connection at once.
        """
        ...


class NoModel:
    """Stands where no model is configured: every journey can be finished without one (G12)."""

    name = "none"

    async def respond(self, request: Request, on_text: OnText | None = None) -> Answer:
        """Raises ModelFailed (ABSENT) at once."""
        raise ModelFailed(Failure.ABSENT, "no model is configured")


@asynccontextmanager
async def deadline(seconds: float | None) -> AsyncIterator[None]:
    """Ends what it surrounds after so many seconds, as ModelFailed (DEADLINE); None is no limit.

    For the runtime, to bound all the rounds of a turn together.
    """
    limit = asyncio.timeout(seconds)
    try:
        async with limit:
            yield
    except TimeoutError as error:
        if not limit.expired():
            raise
        raise ModelFailed(Failure.DEADLINE, f"not done after {seconds:g} s") from error
