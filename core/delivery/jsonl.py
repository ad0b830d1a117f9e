"""A file of JSON lines: one line a submission, on disk before it counts as delivered.

A line is `{"key": ..., "journey": ..., ..., "content": {...}}`, and its content is byte for byte
what was confirmed. A key that is in the file already is not written again. A last line that a crash
tore is taken away before the next one is written: it never counted as delivered.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
from collections.abc import Iterator
from datetime import UTC
from pathlib import Path, PurePosixPath
from threading import Lock

import msgspec

from core.delivery.base import Confirmed, Delivered, Failed, Outcome, Settings, Unknown
from core.effects import Submission

_READ = 1 << 20


class _Line(msgspec.Struct, kw_only=True):
    key: str
    journey: str
    manifest: str
    digest: str
    revision: str
    person: str
    channel: str
    zone: str
    submitted_at: str
    content: msgspec.Raw
    sources: dict[str, str]


class _Key(msgspec.Struct):
    key: str


class Jsonl:
    """The kind `jsonl`. Its one setting is `path`, from the data folder."""

    def fault(self, settings: Settings) -> str:
        """See `core.delivery.base.Kind`."""
        path = settings.get("path")
        if set(settings) != {"path"} or not isinstance(path, str) or not path:
            return "Write settings: {path: submissions.jsonl}."
        pure = PurePosixPath(path)
        if pure.is_absolute() or ".." in pure.parts or pure.suffix != ".jsonl":
            return f"Write a path in the data folder that ends in .jsonl, and not {path}."
        return ""

    def make(self, settings: Settings, data: Path) -> JsonlFile:
        """See `core.delivery.base.Kind`. Raises ValueError for settings that are at fault."""
        wrong = self.fault(settings)
        if wrong:
            raise ValueError(wrong)
        return JsonlFile(data / str(settings["path"]))


class JsonlFile:
    """One such file. Several processes may write to it at once."""

    knows_keys = True

    def __init__(self, file: Path) -> None:
        self.file = file
        self._lock = Lock()
        self._keys: set[str] = set()
        self._read_to = 0
        self._inode = -1

    async def deliver(self, submission: Submission, key: str, confirmed: Confirmed) -> Outcome:
        """See `core.delivery.base.Destination`."""
        line = msgspec.json.encode(_line(submission, key, confirmed)) + b"\n"
        return await asyncio.to_thread(self._deliver, line, key)

    def _deliver(self, line: bytes, key: str) -> Outcome:
        try:
            with self._lock, self._opened() as handle:
                return self._append(handle, line, key)
        except OSError as error:
            return Failed(f"{self.file.name}: {error.strerror or type(error).__name__}")

    @contextlib.contextmanager
    def _opened(self) -> Iterator[int]:
        """The file, locked against other processes."""
        self.file.parent.mkdir(parents=True, exist_ok=True)
        made = not self.file.exists()
        handle = os.open(self.file, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            if made:
                _sync_folder(self.file.parent)
            yield handle
        finally:
            os.close(handle)

    def _append(self, handle: int, line: bytes, key: str) -> Outcome:
        end = self._catch_up(handle)
        if key in self._keys:
            # It may have been written by a process that died before it was on disk.
            return self._synced(handle, end) or Delivered()
        try:
            _write(handle, line)
        except OSError:
            os.ftruncate(handle, end)
            raise
        failed = self._synced(handle, end)
        if failed is None:
            self._keys.add(key)
            self._read_to = end + len(line)
        return failed or Delivered()

    def _synced(self, handle: int, end: int) -> Unknown | None:
        """Bring the file to disk; where that fails, what was not there before is taken back."""
        try:
            os.fsync(handle)
        except OSError as error:
            with contextlib.suppress(OSError):
                os.ftruncate(handle, end)
            return Unknown(f"{self.file.name}: {error.strerror or type(error).__name__}")
        return None

    def _catch_up(self, handle: int) -> int:
        """Learn the keys that others have written, mend the end, and say where it is."""
        status = os.fstat(handle)
        if status.st_ino != self._inode or status.st_size < self._read_to:
            self._keys, self._read_to, self._inode = set(), 0, status.st_ino
        rest = b""
        while block := os.pread(handle, _READ, self._read_to + len(rest)):
            *lines, last = (rest + block).split(b"\n")
            self._read_to += sum(len(line) + 1 for line in lines)
            self._keys.update(key for line in lines if (key := _key(line)))
            rest = last
        return self._mended(handle, rest)

    def _mended(self, handle: int, rest: bytes) -> int:
        if not rest:
            return self._read_to
        key = _key(rest)
        if key:
            # Whole but for its end: only the line break was lost, or an editor left it out.
            _write(handle, b"\n")
            self._keys.add(key)
            self._read_to += len(rest) + 1
        else:
            os.ftruncate(handle, self._read_to)
        return self._read_to


def _line(submission: Submission, key: str, confirmed: Confirmed) -> _Line:
    return _Line(
        key=key,
        journey=submission.journey,
        manifest=submission.manifest,
        digest=submission.digest,
        revision=submission.revision,
        person=submission.person,
        channel=confirmed.channel,
        zone=submission.zone,
        submitted_at=f"{confirmed.at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}",
        content=msgspec.Raw(submission.content.encode()),
        sources=submission.sources,
    )


def _key(line: bytes) -> str:
    """The key of a line; empty for one that is not whole or not ours."""
    try:
        return msgspec.json.decode(line, type=_Key).key
    except (msgspec.DecodeError, UnicodeDecodeError):
        return ""


def _write(handle: int, data: bytes) -> None:
    while data:
        data = data[os.write(handle, data) :]


def _sync_folder(folder: Path) -> None:
    """A new file is on disk when its name is."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
