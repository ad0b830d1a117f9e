"""A scripted answer as the server-sent events of the Messages API."""

from __future__ import annotations

import hashlib
import itertools
import json
import re
from collections.abc import Iterator
from typing import Any

from core.model.testing.cache import CacheUse
from core.model.testing.replies import Says, Use

Event = dict[str, Any]


def sse(event: Event) -> bytes:
    """An event as it goes over the wire."""
    data = json.dumps(event, ensure_ascii=False, separators=(",", ":"))
    return f"event: {event['type']}\ndata: {data}\n\n".encode()


def signature(prefix: str, thinking: str) -> str:
    """What binds a thinking block to everything that stood before it."""
    return hashlib.sha256(f"{prefix}\0{thinking}".encode()).hexdigest()


def events_of(says: Says, *, model: str, number: int, used: CacheUse, prefix: str) -> list[Event]:
    """The events of a whole answer. `number` makes ids unique; `prefix` is the digest of the
    prompt, which a thinking block is signed with."""
    blocks = list(_blocks(says, number, prefix))
    stop = says.stop or ("tool_use" if says.uses else "end_turn")
    usage = {
        "input_tokens": used.rest,
        "cache_read_input_tokens": used.read,
        "cache_creation_input_tokens": used.created,
        "output_tokens": 1,
    }
    message: Event = {
        "id": f"msg_{number}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": usage,
    }
    ended = {
        "type": "message_delta",
        "delta": {"stop_reason": stop, "stop_sequence": None},
        "usage": {"output_tokens": _output_tokens(says)},
    }
    events: list[Event] = [{"type": "message_start", "message": message}, {"type": "ping"}]
    for index, (start, deltas) in enumerate(blocks):
        events.append({"type": "content_block_start", "index": index, "content_block": start})
        events += [
            {"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas
        ]
        events.append({"type": "content_block_stop", "index": index})
    events += [ended, {"type": "message_stop"}]
    return list(_with_odd_ones(events)) if says.odd else events


def _blocks(says: Says, number: int, prefix: str) -> Iterator[tuple[Event, list[Event]]]:
    if says.thinking:
        signed = signature(prefix, says.thinking)
        yield (
            {"type": "thinking", "thinking": "", "signature": ""},
            [
                {"type": "thinking_delta", "thinking": says.thinking},
                {"type": "signature_delta", "signature": signed},
            ],
        )
    if says.text:
        pieces = re.findall(r"\S+\s*|\s+", says.text)
        yield (
            {"type": "text", "text": ""},
            [{"type": "text_delta", "text": piece} for piece in pieces],
        )
    for place, use in enumerate(says.uses, start=1):
        yield _use(use, use.id or f"toolu_{number}_{place}")


def _use(use: Use, id_: str) -> tuple[Event, list[Event]]:
    given = use.input if isinstance(use.input, str) else json.dumps(use.input, ensure_ascii=False)
    half = len(given) // 2
    return (
        {"type": "tool_use", "id": id_, "name": use.name, "input": {}},
        [
            {"type": "input_json_delta", "partial_json": part}
            for part in ("", given[:half], given[half:])
        ],
    )


def _output_tokens(says: Says) -> int:
    said = says.text + says.thinking + "".join(str(use.input) for use in says.uses)
    return len(said.encode()) // 4 + 1


def _with_odd_ones(events: list[Event]) -> Iterator[Event]:
    """With kinds in between that no client knows: the service reserves the right to add some."""
    odd = itertools.cycle(
        [
            {"type": "weather_report", "index": 0, "sky": "blue"},
            {"type": "content_block_delta", "index": 0, "delta": {"type": "glitter_delta"}},
        ]
    )
    for event in events:
        yield event
        if event["type"] == "content_block_start":
            yield {**next(odd), "index": event["index"]}
            yield {**next(odd), "index": event["index"]}
