"""The files that the server keeps: uploads of the bot, and what people send."""

from __future__ import annotations

import mimetypes
import struct
import zlib
from collections.abc import Mapping
from dataclasses import dataclass

from tests.support.telegram.errors import Json, bad_request, violates
from tests.support.telegram.requests import Upload

DOWNLOAD_LIMIT = 20 * 2**20
PHOTO_LIMIT = 10 * 2**20
PHOTO_SIDES = 10000
PHOTO_RATIO = 20
"""Bytes, pixels of width and height together, and the longer side by the shorter."""

_THUMBNAIL = "-small"
_FOLDERS = {"photo": "photos", "voice": "voice", "sticker": "stickers", "video": "videos"}


@dataclass(frozen=True)
class StoredFile:
    """A file on the server. `kind` is what it was sent as; width and height are a photo's."""

    id: str
    unique_id: str
    kind: str
    name: str
    mime: str
    content: bytes
    path: str
    width: int = 0
    height: int = 0

    def json(self) -> Json:
        """What every object of the Bot API that stands for a file has."""
        return {
            "file_id": self.id,
            "file_unique_id": self.unique_id,
            "file_size": len(self.content),
        }

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"


class Files:
    """All files of a server, by their identifiers and by their paths."""

    def __init__(self) -> None:
        self.all: dict[str, StoredFile] = {}
        self.gone: set[str] = set()

    def forget(self, file_id: str) -> None:
        """A file is on the server no longer, as happens in real life after a long time."""
        self.gone.add(file_id)

    def add(self, kind: str, upload: Upload) -> StoredFile:
        """Keep a file. Raises ApiError for one that the server does not take."""
        if not upload.content:
            raise violates("file must be non-empty")
        number = len(self.all) + 1
        width, height = _photo_size(upload.content) if kind == "photo" else (0, 0)
        folder = _FOLDERS.get(kind, "documents")
        suffix = ".jpg" if kind == "photo" else upload.name[upload.name.rfind(".") :]
        file = StoredFile(
            id=f"{kind}-{number}-file",
            unique_id=f"unique{number}",
            kind=kind,
            name=upload.name,
            mime=mimetypes.guess_type(upload.name)[0] or upload.mime or "application/octet-stream",
            content=upload.content,
            path=f"{folder}/file_{number}{suffix if '.' in suffix else ''}",
            width=width,
            height=height,
        )
        self.all[file.id] = file
        return file

    def sent(self, kind: str, value: str, uploads: Mapping[str, Upload]) -> StoredFile:
        """The file of a parameter: an upload, or one that is there already.

        Raises ApiError for a file that nobody knows, one of another kind, and for an address,
        because this server fetches nothing.
        """
        if value.startswith("attach://"):
            return self.add(kind, uploads[value.removeprefix("attach://")])
        if value.startswith(("http://", "https://")):
            raise bad_request("failed to get HTTP URL content")
        found = self.all.get(value)
        if value in self.gone:
            raise bad_request("wrong file identifier/HTTP URL specified")
        if found is None:
            raise violates("wrong file identifier/HTTP URL specified")
        if found.kind != kind:
            raise violates(
                f"can't use file of type {found.kind.capitalize()} as {kind.capitalize()}"
            )
        return found

    def get(self, file_id: str) -> Json:
        """What `getFile` answers. Raises ApiError for a file that is not there or too big."""
        found = self.all.get(file_id.removesuffix(_THUMBNAIL))
        if found is None:
            raise bad_request("invalid file_id")
        if len(found.content) > DOWNLOAD_LIMIT:
            raise bad_request("file is too big")
        return {**found.json(), "file_path": found.path}

    def at(self, path: str) -> StoredFile | None:
        """The file at a path that `getFile` gave."""
        return next((file for file in self.all.values() if file.path == path), None)


def media_json(file: StoredFile, given: Json) -> Json | list[Json]:
    """The API object of a medium in a message. `given` has what its sender told about it."""
    base = file.json()
    if file.kind == "photo":
        thumb = {**base, "file_id": file.id + _THUMBNAIL, "file_unique_id": f"{file.unique_id}s"}
        if max(file.width, file.height) <= 90:
            return [{**base, "width": file.width, "height": file.height}]
        scale = 90 / max(file.width, file.height)
        small = {"width": round(file.width * scale), "height": round(file.height * scale)}
        return [{**thumb, **small}, {**base, "width": file.width, "height": file.height}]
    if file.kind == "sticker":
        shape = {"width": 512, "height": 512, "is_animated": False, "is_video": False}
        return {**base, "type": "regular", **shape, "emoji": given.get("emoji", "🙂")}
    named = {**base, "file_name": file.name, "mime_type": file.mime}
    if file.kind == "document":
        return named
    duration = {"duration": given.get("duration", 1)}
    if file.kind in ("voice", "voice_note"):
        return {**base, "mime_type": file.mime, **duration}
    if file.kind == "video_note":
        return {**base, "length": given.get("length", 240), **duration}
    if file.kind == "audio":
        told: Json = {name: given[name] for name in ("title", "performer") if name in given}
        return {**named, **duration, **told}
    frame = {"width": given.get("width", 640), "height": given.get("height", 360)}
    return {**named, **frame, **duration}


def png(width: int = 64, height: int = 32) -> bytes:
    """A white picture of this size."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        checked = kind + data
        return struct.pack(">I", len(data)) + checked + struct.pack(">I", zlib.crc32(checked))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = zlib.compress((b"\0" + b"\xff" * width) * height)
    start = b"\x89PNG\r\n\x1a\n"
    return start + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def _photo_size(content: bytes) -> tuple[int, int]:
    if len(content) > PHOTO_LIMIT:
        raise violates("file is too big")
    size = picture_size(content)
    if size is None:
        raise violates("IMAGE_PROCESS_FAILED")
    width, height = size
    if min(size) < 1 or width + height > PHOTO_SIDES or max(size) > PHOTO_RATIO * min(size):
        raise violates("PHOTO_INVALID_DIMENSIONS")
    return size


def picture_size(content: bytes) -> tuple[int, int] | None:
    """Width and height in pixels of a PNG, GIF or JPEG; None when it is none of these."""
    if content.startswith(b"\x89PNG\r\n\x1a\n") and len(content) >= 24:
        return struct.unpack(">II", content[16:24])
    if content[:6] in (b"GIF87a", b"GIF89a") and len(content) >= 10:
        return struct.unpack("<HH", content[6:10])
    return _jpeg_size(content) if content.startswith(b"\xff\xd8") else None


def _jpeg_size(content: bytes) -> tuple[int, int] | None:
    at = 2
    while at + 9 <= len(content) and content[at] == 0xFF:
        marker, length = content[at + 1], struct.unpack(">H", content[at + 2 : at + 4])[0]
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", content[at + 5 : at + 9])
            return width, height
        at += 2 + length
    return None
