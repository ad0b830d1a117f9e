"""One question to the model: its rounds, its tool calls, its text, all of it or nothing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeVar

from core import planner
from core.effects import Note
from core.model import (
    Call,
    Failure,
    Model,
    ModelFailed,
    Request,
    Result,
    Usage,
    facts_block,
    request_for,
)
from core.model import Turn as Said
from core.prose import Streamer
from core.state import AskKind
from core.step.base import Fetch, Fetched, Needs
from core.turn import Consult
from core.turn.turning import Turning

ROUNDS = 6
"""Tool rounds that one turn may have; a model that still calls tools then has failed."""

Fetcher = Callable[[Fetch], Awaitable[Fetched]]
Preview = Callable[[str], Awaitable[None]]
T = TypeVar("T")


async def with_needs(pure: Callable[[], T], fetch: Fetcher, fetched: dict[str, Fetched]) -> T:
    """What a pure function gives, called again and again until all that it needs is at hand."""
    while True:
        try:
            return pure()
        except Needs as missing:
            fetched[missing.fetch.key()] = await fetch(missing.fetch)


@dataclass
class Talk:
    """The model's part of a turn. `usage` sums up what it cost, failed answers left out."""

    model: Model
    fetch: Fetcher
    fetched: dict[str, Fetched]
    preview: Preview | None = None
    usage: Usage = field(default_factory=Usage)

    async def ask(self, consult: Consult, transcript: list[Note]) -> str:
        """The model's whole text, after its tool calls. Raises ModelFailed."""
        request = self._request(consult, transcript)
        texts: list[str] = []
        streamer = Streamer(own=consult.own)
        for _ in range(ROUNDS):
            answer = await self.model.respond(request, self._shown(streamer, bool(texts)))
            self.usage = self.usage + answer.usage
            if answer.text.strip():
                texts.append(answer.text)
            if not answer.calls and not texts and not request.rounds:
                # Neither a word nor a call: who asked something must hear that nothing came.
                raise ModelFailed(Failure.EMPTY, "the answer has no text and no call")
            if not answer.calls:
                return "\n\n".join(texts)
            results = [await self._result(consult, call) for call in answer.calls]
            request = request.after(answer, tuple(results))
        raise ModelFailed(Failure.BROKEN, f"still calling tools after {ROUNDS} rounds")

    def _shown(self, streamer: Streamer, apart: bool) -> Preview | None:
        preview = self.preview
        if preview is None:
            return None
        first = apart

        async def on_text(piece: str) -> None:
            nonlocal first
            if first:
                piece, first = "\n\n" + piece, False
            ready = streamer.feed(piece)
            if ready:
                await preview(ready)

        return on_text

    async def _result(self, consult: Consult, call: Call) -> Result:
        made = await with_needs(
            lambda: consult.call(call.name, call.arguments), self.fetch, self.fetched
        )
        if isinstance(made, str):
            return Result(call=call.id, text=made)
        found = await self.fetch(made)
        self.fetched[made.key()] = found
        text = consult.fetched(made, found)
        return Result(call=call.id, text=text, failed=bool(found.failed))

    def _request(self, consult: Consult, transcript: list[Note]) -> Request:
        turn = consult.turn
        notes = [*transcript, *turn.notes]
        said = [Said(role="bot" if n.role == "bot" else "person", text=n.text) for n in notes]
        return request_for(turn.type.manifest, turn.texts, said, tail(turn))


def tail(turn: Turning) -> str:
    """The runtime facts of this turn, as the model is told them."""
    manifest = turn.type.manifest
    known = planner.content(manifest, turn.draft)
    person = turn.state.person
    return facts_block(
        settled={name: turn.display(name, value) for name, value in known.items()},
        now=turn.local_now,
        zone=person.zone if person.zone_known else f"{person.zone}; their time zone is not known",
        ask=_open_card(turn),
        owed=planner.owed(manifest, turn.draft),
        happened=turn.state.facts,
    )


def _open_card(turn: Turning) -> str:
    """What is asked, as the model is told it; empty where no item, summary or the like is."""
    ask = turn.ask
    if ask is None:
        return ""
    own = {AskKind.SUMMARY: "summary", AskKind.ZONE: "time zone", AskKind.LANGUAGE: "language"}
    return own.get(ask.kind, ask.item)


def words_of(notes: list[Note]) -> tuple[str, ...]:
    """What the person typed, of a transcript."""
    return tuple(note.text for note in notes if note.words)
