"""An answer put together from the events of a stream, and judged when they end.

The SDK's own helper reads a tool's input with a parser that takes half an object for a whole one,
and says nothing when a stream ends early. Here an input is read when it is complete, or is a
failure; and an answer without a stop reason is none.
"""

from __future__ import annotations

import json
from typing import Any

from core.model.base import Answer, Block, Call, Failure, ModelFailed, Stop, Usage

_WHOLE = {"end_turn": Stop.END_TURN, "stop_sequence": Stop.END_TURN, "tool_use": Stop.TOOL_USE}
_FAILED = {
    "max_tokens": Failure.CUT,
    "model_context_window_exceeded": Failure.CUT,
    "refusal": Failure.DECLINED,
    "pause_turn": Failure.PAUSED,
}


class Assembly:
    """Takes a stream's events, one by one; `answer` is what they come to."""

    def __init__(self) -> None:
        self._blocks: dict[int, Block] = {}
        self._inputs: dict[int, str] = {}
        self._open: set[int] = set()
        self._usage: dict[str, int] = {}
        self._stop: str | None = None

    def take(self, event: Any) -> str:
        """Take an event; what it adds to the answer's text. Kinds of event that are not known here
        change nothing, as the service asks of its clients."""
        kind = event.type
        if kind == "message_start":
            self._count(event.message.usage)
        elif kind == "content_block_start":
            return self._start(event.index, event.content_block.to_dict())
        elif kind == "content_block_delta":
            return self._add(event.index, event.delta)
        elif kind == "content_block_stop":
            self._open.remove(event.index)
        elif kind == "message_delta":
            self._stop = event.delta.stop_reason
            self._count(event.usage)
        return ""

    def _start(self, index: int, block: Block) -> str:
        apart = "\n\n" if block["type"] == "text" and self._said() else ""
        self._blocks[index] = block
        self._open.add(index)
        return apart + (block["text"] if block["type"] == "text" else "")

    def _said(self) -> bool:
        return any(block["type"] == "text" and block["text"] for block in self._blocks.values())

    def _add(self, index: int, delta: Any) -> str:
        block = self._blocks[index]
        if delta.type == "text_delta":
            block["text"] += delta.text
            return str(delta.text)
        if delta.type == "input_json_delta":
            self._inputs[index] = self._inputs.get(index, "") + delta.partial_json
        elif delta.type == "thinking_delta":
            block["thinking"] += delta.thinking
        elif delta.type == "signature_delta":
            block["signature"] = delta.signature
        return ""

    def _count(self, usage: Any) -> None:
        # Counts in a later event are totals so far, and those it leaves out stay as they were.
        counted = usage.to_dict() if usage is not None else {}
        self._usage.update({key: n for key, n in counted.items() if isinstance(n, int)})

    def answer(self) -> Answer:
        """The whole answer; ModelFailed where there is none."""
        stop = self._stopped()
        blocks = [self._finished(index) for index in sorted(self._blocks)]
        texts = [block["text"] for block in blocks if block["type"] == "text" and block["text"]]
        calls = tuple(
            Call(id=block["id"], name=block["name"], arguments=block["input"])
            for block in blocks
            if block["type"] == "tool_use"
        )
        if (stop is Stop.TOOL_USE) != bool(calls):
            raise ModelFailed(Failure.BROKEN, f"{len(calls)} tool calls, but {stop.value} as stop")
        # An empty text is sent at times, and refused when it is sent back.
        kept = tuple(one for one in blocks if one["type"] != "text" or one["text"].strip())
        return Answer(
            text="\n\n".join(texts), calls=calls, stop=stop, usage=self.usage, blocks=kept
        )

    def _stopped(self) -> Stop:
        if self._stop is None:
            raise ModelFailed(Failure.BROKEN, "the stream ended before the answer did")
        if self._stop in _FAILED:
            raise ModelFailed(_FAILED[self._stop], f"stop reason {self._stop}")
        if self._stop not in _WHOLE:
            raise ModelFailed(Failure.BROKEN, f"unknown stop reason {self._stop}")
        if self._open:
            raise ModelFailed(Failure.BROKEN, f"{len(self._open)} blocks were not ended")
        return _WHOLE[self._stop]

    def _finished(self, index: int) -> Block:
        block = self._blocks[index]
        if block["type"] != "tool_use" or index not in self._inputs:
            return block
        try:
            given = json.loads(self._inputs[index] or "{}")
        except ValueError as error:
            raise ModelFailed(Failure.TOOL_INPUT, f"{block['name']}: {error}") from error
        if not isinstance(given, dict):
            raise ModelFailed(Failure.TOOL_INPUT, f"{block['name']}: not an object")
        return {**block, "input": given}

    @property
    def usage(self) -> Usage:
        """What was charged so far, whether it comes to an answer or not."""
        return Usage(
            input=self._usage.get("input_tokens", 0),
            output=self._usage.get("output_tokens", 0),
            cache_read=self._usage.get("cache_read_input_tokens", 0),
            cache_creation=self._usage.get("cache_creation_input_tokens", 0),
        )
