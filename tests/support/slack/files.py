"""Files: what is uploaded, and where the bot fetches it."""

from __future__ import annotations

import mimetypes
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING

from tests.support.slack.errors import Json

if TYPE_CHECKING:
    from tests.support.slack.people import Person
    from tests.support.slack.workspace import Workspace


@dataclass(eq=False)
class StoredFile:
    """A file. One that the bot is still uploading has no content, or is not shared yet. Its address
    leads on to `moved_to`; an `external` one lies there, and Slack only tells of it."""

    workspace: Workspace
    id: str
    name: str
    content: bytes | None = None
    owner: Person | None = None
    title: str = ""
    length: int | None = None
    shared: bool = True
    deleted: bool = False
    moved_to: str = ""
    external: bool = False

    @property
    def path(self) -> str:
        """The path of its private address."""
        return f"/files-pri/{self.workspace.id}-{self.id}/{self.name}"

    def json(self) -> Json:
        """The file as payloads and methods have it."""
        url = self.workspace.world.url
        kind = mimetypes.guess_type(self.name)[0] or "application/octet-stream"
        created = int(self.workspace.world.now)
        private = self.moved_to if self.external else url + self.path
        return {
            "id": self.id,
            "created": created,
            "timestamp": created,
            "name": self.name,
            "title": self.title or self.name,
            "mimetype": kind,
            "filetype": PurePath(self.name).suffix.lstrip(".") or "binary",
            "user": self.owner.id if self.owner else self.workspace.bot_user_id,
            "user_team": self.workspace.id,
            "size": len(self.content or b""),
            "mode": "external" if self.external else "hosted",
            "is_external": self.external,
            "is_public": False,
            "file_access": "visible",
            "url_private": private,
            "url_private_download": private.replace("/files-pri/", "/files-pri/download/"),
            "permalink": f"{url}/files/{self.id}",
        }
