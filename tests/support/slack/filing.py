"""The methods of files: an upload in three steps, and looking a file up.

https://docs.slack.dev/messaging/working-with-files
"""

from __future__ import annotations

from typing import Any

from tests.support.slack.errors import Json, refused, violates
from tests.support.slack.files import StoredFile
from tests.support.slack.tasks import Task, carries_out


@carries_out("files.getUploadURLExternal")
def _upload_url(task: Task) -> Json:
    length = task.a["length"]
    if length < 1:
        raise violates("invalid_arguments", "must be greater than 0 [json-pointer:/length]")
    file = task.workspace.stores(task.a["filename"], None, length=length, shared=False)
    return {"upload_url": f"{task.world.url}/upload/v1/{file.id}", "file_id": file.id}


@carries_out("files.completeUploadExternal")
def _complete(task: Task) -> Json:
    given: Any = task.a["files"]
    if not isinstance(given, list) or not given:
        raise violates("invalid_arguments", "files is a list of {id, title}")
    files = [_uploaded(task, one) for one in given]
    if "channel_id" in task.a:
        channel = task.channel("channel_id")
        if not channel.bot_in:
            raise refused("not_in_channel")
        message = channel.adds(
            None,
            raw=task.a.get("initial_comment", ""),
            files=[file.json() for file in files],
            thread_ts=task.thread(channel),
            subtype="file_share",
        )
        channel.workspace.tells_message(message)
    return {"files": [{"id": file.id, "title": file.title or file.name} for file in files]}


def _uploaded(task: Task, given: Any) -> StoredFile:
    if not isinstance(given, dict) or set(given) - {"id", "title", "highlight_type"}:
        raise violates("invalid_arguments", "files is a list of {id, title}")
    file = task.workspace.files.get(given.get("id", ""))
    if file is None or file.content is None:
        raise refused("file_not_found")
    file.title = given.get("title", "")
    file.shared = True
    return file


@carries_out("files.info")
def _info(task: Task) -> Json:
    return {"file": _file(task).json(), "comments": []}


@carries_out("files.delete")
def _delete(task: Task) -> Json:
    file = _file(task)
    if file.owner is not None:
        raise refused("cant_delete_file")
    file.deleted = True
    return {}


def _file(task: Task) -> StoredFile:
    file = task.workspace.files.get(task.a["file"])
    if file is None or not file.shared:
        raise refused("file_not_found")
    if file.deleted:
        raise refused("file_deleted")
    return file
