"""Files that people send in Slack, as its server and a draft have them."""

from __future__ import annotations

from core.posts import Attachment
from tests.support.slack.files import StoredFile
from tests.support.slack.messages import Message
from tests.support.slack.server import SlackServer


def stored(slack: SlackServer, sent: Message) -> StoredFile:
    """The file of a message, as Slack keeps it."""
    return slack.workspace.files[sent.files[0]["id"]]


def attached(file: StoredFile) -> Attachment:
    """A file that somebody sent, as a draft has it."""
    told = file.json()
    ref = f"slack:{file.workspace.id}:{file.id}"
    return Attachment(origin="slack", ref=ref, name=file.name, mime=told["mimetype"])
