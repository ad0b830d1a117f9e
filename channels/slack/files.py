"""Files that people send, as a reply has them."""

from __future__ import annotations

from channels.slack.native import file_ref
from channels.slack.updates import SlackFile
from core.replies import File


def file_told(file: SlackFile, team: str) -> File:
    """A file as Slack told of it; its size is 0 where that was not said."""
    return File(
        ref=file_ref(team, file.id),
        name=file.name or file.title,
        mime=file.mimetype,
        size=max(file.size, 0),
    )
