"""What is in a file that a post names by reference: where it lies is its origin's own matter."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Protocol

from core.channel import Later, Lost, Never
from core.posts import MADE, Attachment

LIMIT = 20_000_000
"""Bytes of a file that is sent on."""

Maker = Callable[[str], Awaitable[bytes]]
"""Makes a file from what stands behind the first word of its recipe."""

Content = Callable[[Attachment], Awaitable[bytes]]
"""What is in a file (see `Files.content`)."""


class Downloads(Protocol):
    """A channel that files can be fetched from (see core.channel.Chats)."""

    async def download(self, ref: str, limit: int) -> bytes:
        """A file of at most `limit` bytes. Raises Later, Lost and Never."""
        ...


@dataclass
class Files:
    """Finds what is in files. `channels` are those that files are sent to, by name; `makers` make
    the others, by the first word of the recipe. A file has at most `limit` bytes."""

    channels: dict[str, Downloads] = field(default_factory=dict)
    makers: dict[str, Maker] = field(default_factory=dict)
    limit: int = LIMIT

    async def content(self, file: Attachment) -> bytes:
        """What is in a file. Raises Later, Lost, and Never where nobody will ever get it: it is
        gone, it is too large, or its origin is none of this process's."""
        if file.size > self.limit:
            raise Never(f"it has {file.size} bytes, more than the {self.limit} that can be sent on")
        content = await self._found(file)
        if len(content) > self.limit:
            raise Never(
                f"it has {len(content)} bytes, more than the {self.limit} that can be sent on"
            )
        return content

    async def _found(self, file: Attachment) -> bytes:
        if file.origin == MADE:
            name, _, recipe = file.ref.partition(" ")
            maker = self.makers.get(name)
            if maker is None:
                raise Never(f"nothing here makes a file by the recipe {name!r}")
            return await maker(recipe)
        channel = self.channels.get(file.origin)
        if channel is None:
            raise Never(f"no channel {file.origin!r} is open here, which could fetch the file")
        return await channel.download(file.ref, self.limit)


@dataclass
class Patient:
    """Asks for the content of files that are to be sent along, each a few times: what is sent with
    them waits as long, and then goes out without. `wait` are the seconds between."""

    content: Content
    tries: int = 3
    wait: float = 2.0
    _unheard: dict[tuple[str, Attachment], int] = field(default_factory=dict)

    async def ask(self, lane: str, file: Attachment) -> bytes:
        """What is in a file that is sent to a lane. Raises Later, and Never where it is to go out
        without."""
        unheard = self._unheard.pop((lane, file), 0) + 1
        try:
            content = await self.content(file)
        except Lost as lost:
            # Nothing was sent by that, so nothing is there twice.
            if unheard >= self.tries:
                raise Never(str(lost)) from lost
            self._unheard[lane, file] = unheard
            raise Later(self.wait, str(lost)) from lost
        if not content:
            raise Never("the file is empty")
        return content


async def no_files(file: Attachment) -> bytes:
    """The content of files in a program that has no other place for them. Raises Never."""
    raise Never(f"no channel {file.origin!r} is open here, which could fetch the file")
