"""How posts are put into a chat. The rules, on every platform:

1. A post that stands somewhere with the same files is changed where it stands.
2. One that is gone, that cannot be changed, or that has other files now comes anew, and what is
   left of the old one goes.

How a post looks, and what becomes of its files, is the channel's.
"""

from __future__ import annotations

import contextlib
import hashlib
from abc import abstractmethod
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from core.carrying import B, Carrying, Gone, M, N, W
from core.effects import Put
from core.posts import Post


class Standing(Protocol):
    """Where a post stands: its `messages` in their order, and the `digest_of` its files."""

    @property
    def messages(self) -> tuple[Any, ...]: ...

    @property
    def files(self) -> str: ...


P = TypeVar("P", bound=Standing)


class Puts(Carrying[W, M, N, B], Generic[W, P, M, N, B]):
    """Puts posts into the chats of one platform (see `core.carrying.Carrying`)."""

    @abstractmethod
    async def _anew(self, to: W, effect: Put, begun: B) -> P:
        """Put a post at the end of the chat."""

    @abstractmethod
    async def _made_into(self, to: W, post: Post, stands: P, begun: B) -> P:
        """Make what stands there, with the same files, into this post. Raises Gone."""

    @abstractmethod
    async def _place(self, to: W, stands: P) -> W | None:
        """Where a post that was put from here stands, which may be its owner's private chat; None
        where nothing can be changed any more."""

    def _all_of(self, stands: P) -> tuple[M, ...]:
        """Every message of a post."""
        return stands.messages

    async def put(self, to: W, effect: Put, stands: P | None, again: bool) -> P:
        """Put a post, or change it where it stands. Raises what the channel's calls raise, Later,
        and ValueError where an action of it does not fit under a message."""
        begun = await self._begin(to, effect, again)
        place = await self._changed(to, effect.post, stands, begun)
        if place is None:
            place = await self._anew(to, effect, begun)
        self._underway.end(to.lane, effect)
        return place

    async def _changed(self, to: W, post: Post, stands: P | None, begun: B) -> P | None:
        """The post where it stood, changed; None where it is to come anew."""
        if stands is None or begun.anew or not stands.messages:
            return None
        there = await self._place(to, stands)
        if there is None:
            return None
        with contextlib.suppress(Gone):
            if stands.files == digest_of(post):
                return await self._made_into(there, post, stands, begun)
        begun.anew = True
        begun.messages.clear()
        await self._take_away(there, self._all_of(stands))
        return None


def digest_of(post: Post) -> str:
    """What tells whether a post still has the same files; empty for one without."""
    told = msgspec.json.encode([(one.origin, one.ref) for one in post.files])
    return hashlib.sha256(told).hexdigest()[:16] if post.files else ""
