"""Streams that keep to no protocol: what no service should send is no answer either."""

from __future__ import annotations

from typing import Any

import pytest
from anthropic.types import (
    RawContentBlockStartEvent,
    RawContentBlockStopEvent,
    RawMessageDeltaEvent,
)

from core.model.assembly import Assembly
from core.model.base import Failure, ModelFailed

TEXT: dict[str, Any] = {"type": "text", "text": "Yes."}
START = RawContentBlockStartEvent.model_validate(
    {"type": "content_block_start", "index": 0, "content_block": TEXT}
)
STOP = RawContentBlockStopEvent.model_validate({"type": "content_block_stop", "index": 0})
END = RawMessageDeltaEvent.model_validate(
    {
        "type": "message_delta",
        "delta": {"stop_reason": "end_turn"},
        "usage": {"output_tokens": 3},
    }
)


def test_a_block_that_was_ended_counts() -> None:
    assembly = Assembly()
    for event in (START, STOP, END):
        assembly.take(event)

    assert assembly.answer().text == "Yes."
    assert assembly.answer().usage.output == 3


def test_a_block_that_was_not_ended_is_not_whole() -> None:
    assembly = Assembly()
    for event in (START, END):
        assembly.take(event)

    with pytest.raises(ModelFailed) as caught:
        assembly.answer()
    assert caught.value.kind is Failure.BROKEN
