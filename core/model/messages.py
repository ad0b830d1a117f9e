"""A request as parameters of the Messages API.

The order of a prompt is tools, system, messages. A cache serves the longest start of it that was
sent before and that ended at a breakpoint (`cache_control`). There may be four, and from each one
the service looks back over at most 20 blocks for an earlier one. So:

1. One breakpoint ends tools and system: they are the same for everybody in a journey.
2. One is on the transcript's last block. The tail comes after it, as a block of its own, and is in
   no cached start: in the next turn the transcript's blocks stand there without it.
3. Two are on the last two *anchors*, which is every 16th block of the transcript. They keep the
   start within reach after a turn of many taps, which add blocks without asking the model.

Each turn of the transcript is a block of its own: turns of one role in a row become one message of
several blocks, so that a later one adds a block and changes none.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Any

from core.model.base import Block, Failure, ModelFailed, Request, Round, Turn
from core.model.facts import defused
from core.model.settings import ModelSettings
from core.model.window import first_kept

ANCHOR = 16
_OPENED = "(The person opened the chat.)"
LEFT_OUT = "(Earlier messages are left out.)"
"""Stands for the oldest messages of a long transcript, so that the start is the person's."""
_ROLES = {"person": "user", "bot": "assistant"}

_Placed = tuple[str, Block]
"""A block and the role that says it."""


def parameters(request: Request, settings: ModelSettings) -> dict[str, Any]:
    """What is sent, but for how it is sent.

    Raises ModelFailed (REQUEST) when there is nothing to answer: neither a tail nor a last turn of
    the person's.
    """
    sent: dict[str, Any] = {
        "model": settings.model,
        "max_tokens": settings.max_tokens,
        "system": _system(request.system, settings),
        "messages": _messages(request, settings),
    }
    if request.tools:
        sent["tools"] = [
            {"name": tool.name, "description": tool.description, "input_schema": tool.schema}
            for tool in request.tools
        ]
    if settings.effort_sent:
        sent["output_config"] = {"effort": settings.effort_sent}
    return sent


def _system(texts: Iterable[str], settings: ModelSettings) -> list[Block]:
    blocks = [_text(text) for text in texts if text.strip()]
    if blocks:
        _mark(blocks[-1], settings)
    return blocks


def _messages(request: Request, settings: ModelSettings) -> list[dict[str, Any]]:
    placed = _transcript(request.transcript, settings)
    if request.tail.strip():
        placed.append(("user", _text(request.tail)))
    if not placed or placed[-1][0] != "user":
        raise ModelFailed(Failure.REQUEST, "there is nothing of the person's to answer")
    messages = [
        {"role": role, "content": [block for _, block in group]}
        for role, group in groupby(placed, key=lambda one: one[0])
    ]
    for round_ in request.rounds:
        messages += _round(round_)
    return messages


def _transcript(turns: tuple[Turn, ...], settings: ModelSettings) -> list[_Placed]:
    start = first_kept(turns, settings.window)
    placed = [
        (_ROLES[turn.role], _text(_sendable(turn.text)))
        for turn in turns[start:]
        if turn.text.strip()
    ]
    if start:
        placed.insert(0, ("user", _text(LEFT_OUT)))
    elif placed and placed[0][0] != "user":
        placed.insert(0, ("user", _text(_OPENED)))
    for place in _breakpoints(len(placed)):
        _mark(placed[place][1], settings)
    return placed


def _breakpoints(blocks: int) -> set[int]:
    """The last block, and the last two anchors."""
    anchors = list(range(ANCHOR - 1, blocks, ANCHOR))[-2:]
    return {*anchors, blocks - 1} if blocks else set()


def _round(round_: Round) -> list[dict[str, Any]]:
    results = [
        {
            "type": "tool_result",
            "tool_use_id": result.call,
            "content": _sendable(result.text) if result.text.strip() else "(nothing)",
            **({"is_error": True} if result.failed else {}),
        }
        for result in round_.results
    ]
    return [
        {"role": "assistant", "content": list(round_.blocks)},
        {"role": "user", "content": results},
    ]


def _sendable(text: str) -> str:
    # Half an emoji, as a chat client may send it, has no UTF-8.
    return defused(text.encode("utf-8", "replace").decode())


def _text(text: str) -> Block:
    return {"type": "text", "text": text}


def _mark(block: Block, settings: ModelSettings) -> None:
    block["cache_control"] = {"type": "ephemeral", "ttl": settings.cache_ttl}
