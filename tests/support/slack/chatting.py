"""The methods that say something: chat.postMessage and its like.

https://docs.slack.dev/reference/methods/chat.postMessage, chat.update, chat.postEphemeral
"""

from __future__ import annotations

from typing import Any

from tests.support.slack import payloads
from tests.support.slack.blocks import MARKDOWN_LIMIT
from tests.support.slack.checking import check_message_blocks
from tests.support.slack.errors import ApiError, Json, refused, violates
from tests.support.slack.messages import Message
from tests.support.slack.tasks import Task, carries_out

TEXT_LIMIT = 40_000
"""Characters; Slack cuts what is longer, which no bot means."""
UPDATE_LIMIT = 4000
"""Seen, not documented: chat.update answers msg_too_long for a longer text."""
ATTACHMENT_LIMIT = 100


def content_of(task: Task, *, text_limit: int = TEXT_LIMIT) -> Json:
    """The content of a message in a call. Raises ApiError (a violation) for what is none."""
    a = task.a
    markdown = a.get("markdown_text")
    if markdown is not None and ("text" in a or "blocks" in a):
        raise violates("markdown_text_conflict")
    if not a.get("text") and not a.get("blocks") and not a.get("attachments") and not markdown:
        raise violates("no_text")
    if len(a.get("text", "")) > text_limit or len(markdown or "") > MARKDOWN_LIMIT:
        raise violates("msg_too_long")
    attachments = a.get("attachments", [])
    if not isinstance(attachments, list):
        raise violates("invalid_attachments")
    if len(attachments) > ATTACHMENT_LIMIT:
        raise violates("too_many_attachments")
    content = {"raw": a.get("text", ""), "said": markdown or "", "attachments": attachments}
    blocks = blocks_of(a)
    check_pictures(task, blocks)
    return {**content, "blocks": blocks, "metadata": metadata_of(a)}


def check_pictures(task: Task, blocks: list[Json]) -> None:
    """See whether the workspace has the pictures that blocks show. Raises ApiError: a file may have
    been deleted meanwhile, which no bot can know."""
    for number, block in enumerate(blocks):
        shown = block.get("slack_file", {}).get("id") if block.get("type") == "image" else None
        file = task.workspace.files.get(shown) if shown is not None else None
        if shown is not None and (file is None or file.deleted or not file.shared):
            why = f"invalid slack file [json-pointer:/blocks/{number}/slack_file]"
            raise ApiError("invalid_blocks", messages=(why,))


def blocks_of(a: Json) -> list[Json]:
    """The blocks of a call, when Slack takes them. Raises ApiError (a violation)."""
    blocks: Any = a.get("blocks", [])
    if not isinstance(blocks, list):
        raise violates("invalid_blocks_format")
    check_message_blocks(blocks)
    return blocks


def metadata_of(a: Json) -> Json | None:
    """The metadata of a call. Raises ApiError (a violation)."""
    metadata: Any = a.get("metadata")
    if metadata is None or metadata == {}:
        return None
    known = {"event_type", "event_payload", "entities"}
    if not isinstance(metadata, dict) or not {"event_type", "event_payload"} <= set(metadata):
        raise violates("invalid_metadata_format")
    # slack_bolt's Assistant sends null where the pane has no context, and Slack takes it.
    if set(metadata) - known or not isinstance(metadata["event_payload"] or {}, dict):
        raise violates("invalid_metadata_schema")
    return metadata


@carries_out("chat.postMessage")
def _post_message(task: Task) -> Json:
    channel = task.place()
    thread = task.thread(channel)
    broadcast = bool(task.a.get("reply_broadcast")) and thread is not None
    message = channel.adds(
        None,
        **content_of(task),
        thread_ts=thread,
        broadcast=broadcast,
        subtype="thread_broadcast" if broadcast else None,
    )
    channel.workspace.tells_message(message)
    return {"channel": channel.id, "ts": message.ts, "message": message.json()}


@carries_out("chat.postEphemeral")
def _post_ephemeral(task: Task) -> Json:
    channel = task.place()
    person = channel.members.get(task.a["user"])
    if person is None:
        raise refused("user_not_in_channel")
    content = content_of(task)
    message = channel.adds(None, **content, thread_ts=task.thread(channel), only_for=person)
    return {"message_ts": message.ts}


@carries_out("chat.update")
def _update(task: Task) -> Json:
    channel = task.channel()
    if channel.archived:
        raise refused("is_inactive")
    message = own_message(task, "cant_update_message")
    if message.streaming is not None:
        raise refused("streaming_state_conflict")
    content = content_of(task, text_limit=UPDATE_LIMIT)
    before = message.json()
    message.versions += 1
    message.raw, message.said = content["raw"], content["said"]
    message.attachments = content["attachments"]
    message.metadata = content["metadata"] if "metadata" in task.a else message.metadata
    # A text without blocks takes the blocks away: "blocks" left out is as good as none.
    message.holds(content["blocks"])
    channel.workspace.tells_edit(message, before)
    return {
        "channel": channel.id,
        "ts": message.ts,
        "text": message.raw,
        "message": message.json(),
    }


@carries_out("chat.delete")
def _delete(task: Task) -> Json:
    message = own_message(task, "cant_delete_message")
    event = payloads.deleted_event(message)
    message.deleted = True
    message.channel.workspace.tells_message(message, event)
    return {"channel": message.channel.id, "ts": message.ts}


@carries_out("chat.getPermalink")
def _permalink(task: Task) -> Json:
    channel = task.channel()
    message = task.message(channel, "message_ts")
    path = f"/archives/{channel.id}/p{message.ts.replace('.', '')}"
    return {"channel": channel.id, "permalink": task.world.url + path}


@carries_out("reactions.add")
def _react(task: Task) -> Json:
    message = task.message(task.place(), "timestamp")
    users = message.reactions.setdefault(task.a["name"], set())
    if task.workspace.bot_user_id in users:
        raise refused("already_reacted")
    users.add(task.workspace.bot_user_id)
    return {}


@carries_out("reactions.remove")
def _unreact(task: Task) -> Json:
    message = task.message(task.place(), "timestamp")
    users = message.reactions.get(task.a["name"], set())
    if task.workspace.bot_user_id not in users:
        raise refused("no_reaction")
    users.remove(task.workspace.bot_user_id)
    if not users:
        del message.reactions[task.a["name"]]
    return {}


def own_message(task: Task, otherwise: str) -> Message:
    """The message of the call, when the bot sent it. Raises ApiError."""
    message = task.message(task.channel())
    if not message.from_bot:
        raise refused(otherwise)
    return message
