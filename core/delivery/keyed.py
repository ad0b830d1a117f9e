"""A file that is only added to, in which each key stands once: on disk before it counts.

Several processes may write to it at once. An entry that a crash tore off at the end of the file is
taken away before the next one is written: it never counted as delivered. What somebody else wrote
there is never taken away.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
from abc import ABC, abstractmethod
from collections.abc import Iterator
from pathlib import Path
from threading import Lock

from core.delivery.base import Confirmed, Delivered, Failed, Outcome, Unknown
from core.effects import Submission

_READ = 1 << 20


class NotOurs(Exception):
    """The file is of another form; the message says what to do."""


class KeyedFile(ABC):
    """A destination that is such a file."""

    knows_keys = True

    def __init__(self, file: Path) -> None:
        self.file = file
        self._lock = Lock()
        self._keys: set[str] = set()
        self._read_to = 0
        self._inode = -1

    # What a form of file says

    @abstractmethod
    def _entry(self, submission: Submission, key: str, confirmed: Confirmed) -> bytes:
        """What is added for a submission, with its line break."""

    @abstractmethod
    def _split(self, data: bytes) -> tuple[list[bytes], bytes]:
        """The whole entries at the beginning of some data, each with its line break, and the
        rest."""

    @abstractmethod
    def _learn(self, entry: bytes) -> str:
        """What an entry says: its key; empty where it has none."""

    def _is_whole(self, rest: bytes) -> bool:
        """Whether what is left at the end of the file lacks only its line break; False for what a
        crash tore off. Raises NotOurs."""
        return bool(self._learn(rest))

    def _prepare(self, handle: int, end: int, confirmed: Confirmed) -> int | None:
        """Make the file ready for a submission; where its end is then, None where it has been
        replaced."""
        return end

    # How it is written

    async def deliver(self, submission: Submission, key: str, confirmed: Confirmed) -> Outcome:
        """See `core.delivery.base.Destination`."""
        return await asyncio.to_thread(self._deliver, submission, key, confirmed)

    def _deliver(self, submission: Submission, key: str, confirmed: Confirmed) -> Outcome:
        try:
            with self._lock:
                while True:
                    with self._opened() as handle:
                        end = self._prepare(handle, self._catch_up(handle), confirmed)
                        if end is not None:
                            entry = self._entry(submission, key, confirmed)
                            return self._append(handle, end, entry, key)
        except OSError as error:
            return Failed(f"{self.file.name}: {error.strerror or type(error).__name__}")
        except NotOurs as error:
            self._forget()
            return Failed(f"{self.file.name}: {error}")

    @contextlib.contextmanager
    def _opened(self) -> Iterator[int]:
        """The file, locked against other processes."""
        self.file.parent.mkdir(parents=True, exist_ok=True)
        while True:
            made = not self.file.exists()
            handle = os.open(self.file, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX)
                if not self._is_there(handle):
                    # It was replaced while this process waited for it.
                    continue
                if made:
                    sync_folder(self.file.parent)
                yield handle
                return
            finally:
                os.close(handle)

    def _is_there(self, handle: int) -> bool:
        try:
            return os.fstat(handle).st_ino == self.file.stat().st_ino
        except FileNotFoundError:
            return False

    def _append(self, handle: int, end: int, entry: bytes, key: str) -> Outcome:
        if key in self._keys:
            # It may have been written by a process that died before it was on disk.
            return self._synced(handle, end) or Delivered()
        try:
            write(handle, entry)
        except OSError:
            os.ftruncate(handle, end)
            raise
        failed = self._synced(handle, end)
        if failed is None:
            self._keys.add(key)
            self._read_to = end + len(entry)
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
            self._forget()
            self._inode = status.st_ino
        rest = b""
        while block := os.pread(handle, _READ, self._read_to + len(rest)):
            entries, rest = self._split(rest + block)
            self._read_to += sum(map(len, entries))
            self._keys.update(filter(None, map(self._learn, entries)))
        return self._mended(handle, rest)

    def _mended(self, handle: int, rest: bytes) -> int:
        if not rest:
            return self._read_to
        if self._is_whole(rest):
            # Only the line break was lost, or an editor left it out.
            write(handle, b"\n")
            self._keys.update(filter(None, [self._learn(rest)]))
            self._read_to += len(rest) + 1
        else:
            os.ftruncate(handle, self._read_to)
        return self._read_to

    def _forget(self) -> None:
        """Nothing is known of the file that is there now."""
        self._keys = set()
        self._read_to = 0
        self._inode = -1


def write(handle: int, data: bytes) -> None:
    """Write all of it."""
    while data:
        data = data[os.write(handle, data) :]


def sync_folder(folder: Path) -> None:
    """A new file is on disk when its name is."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
