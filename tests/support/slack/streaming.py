"""Messages that are written while people read: chat.startStream, appendStream, stopStream.

https://docs.slack.dev/reference/methods/chat.startStream. That a stream lives for about five
minutes and can be stopped by its reader is not documented, but was seen.
"""

from __future__ import annotations

from typing import Any

from tests.support.slack import payloads
from tests.support.slack.blocks import MARKDOWN_LIMIT
from tests.support.slack.chatting import blocks_of, metadata_of, own_message
from tests.support.slack.checking import check_message_blocks
from tests.support.slack.errors import Json, refused, violates
from tests.support.slack.messages import Message, Streaming
from tests.support.slack.schema import Items, Report, Shape, String
from tests.support.slack.tasks import Task, carries_out

LIFE = 306.0
"""Seconds; appending does not prolong it."""
_STATUS = String(choices=("pending", "in_progress", "complete", "error"))
_CHUNKS = {
    "markdown_text": Shape({"text": String(MARKDOWN_LIMIT)}, required=("text",)),
    "plan_update": Shape({"title": String(least=1)}, required=("title",)),
    "task_update": Shape(
        {
            "id": String(least=1),
            "title": String(least=1),
            "status": _STATUS,
            "details": String(),
            "output": String(),
            "sources": Items(Shape({"url": String(), "text": String()})),
        },
        required=("id", "title", "status"),
    ),
}


@carries_out("chat.startStream")
def _start(task: Task) -> Json:
    channel = task.place()
    if not channel.is_direct:
        for name in ("recipient_user_id", "recipient_team_id"):
            if not task.a.get(name):
                raise violates(f"missing_{name}")
    chunks = _chunks_of(task)
    message = channel.adds(None, thread_ts=task.thread(channel))
    message.streaming = Streaming(task.world.now, task.a.get("recipient_user_id"))
    _append(message, chunks)
    channel.workspace.tells_message(message)
    return {"channel": channel.id, "ts": message.ts}


@carries_out("chat.appendStream")
def _append_stream(task: Task) -> Json:
    message = _streamed(task)
    chunks = _chunks_of(task)
    if not chunks:
        raise violates("no_text")
    _append(message, chunks)
    return {"channel": message.channel.id, "ts": message.ts}


@carries_out("chat.stopStream")
def _stop(task: Task) -> Json:
    message = _streamed(task)
    _append(message, _chunks_of(task))
    before = message.json()
    message.streaming = None
    message.metadata = metadata_of(task.a)
    message.holds([*message.blocks, *blocks_of(task.a)])
    if not message.said and not message.blocks:
        message.deleted = True  # nothing was said
    changed = payloads.changed_event(message, before)
    message.channel.workspace.tells_message(message, changed)
    task.world.touch()
    return {"channel": message.channel.id, "ts": message.ts, "message": message.json()}


def _streamed(task: Task) -> Message:
    message = own_message(task, "message_not_owned_by_app")
    stream = message.streaming
    if stream is None or task.world.now - stream.started > LIFE:
        message.streaming = None
        raise refused("message_not_in_streaming_state")
    if stream.stopped_by_user:
        message.streaming = None
        raise refused("stopped_by_user")
    return message


def _chunks_of(task: Task) -> list[Json]:
    """What the call appends, as chunks. Raises ApiError (a violation)."""
    text: Any = task.a.get("markdown_text")
    chunks: Any = task.a.get("chunks", [])
    if text is not None and len(text) > MARKDOWN_LIMIT:
        raise violates("msg_too_long")
    if not isinstance(chunks, list):
        raise violates("invalid_chunks")
    report = Report()
    for number, one in enumerate(chunks):
        _check(one, f"/chunks/{number}", report)
    if report.faults:
        raise violates("invalid_chunks", *report.faults)
    return [*([{"type": "markdown_text", "text": text}] if text else []), *chunks]


def _check(chunk: Any, at: str, report: Report) -> None:
    kind = chunk.get("type") if isinstance(chunk, dict) else None
    if kind == "blocks":
        check_message_blocks(chunk.get("blocks", []))
    elif kind not in _CHUNKS:
        report.add(f"unsupported type: {kind}", f"{at}/type")
    else:
        _CHUNKS[kind].check(chunk, at, report)


def _append(message: Message, chunks: list[Json]) -> None:
    for one in chunks:
        match one["type"]:
            case "markdown_text":
                message.said += one["text"]
            case "blocks":
                message.holds([*message.blocks, *one["blocks"]])
            case "task_update":
                _update_task(message, one)
    message.channel.workspace.world.touch()


def _update_task(message: Message, chunk: Json) -> None:
    card = {"type": "task_card", "task_id": chunk["id"], "title": chunk["title"]}
    card["status"] = chunk["status"]
    others = [one for one in message.blocks if one.get("task_id") != chunk["id"]]
    message.holds([*others, card])
