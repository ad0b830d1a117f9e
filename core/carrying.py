"""How an effect of several messages is carried out, whatever they show. The rules:

1. What is tried again goes on where it stopped.
2. A message whose answer was lost is there twice, perhaps, and so the effect has been `again`.
3. Messages that are there become others where they stand: what is more comes below, what is less
   goes.

A channel says how its platform sends, changes and takes away one message.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, Protocol, TypeVar

from core.effects import Effect
from core.progress import Progress, Underway


class Gone(Exception):
    """The message that was to be changed is there no longer, or can be changed no longer."""


class NotTaken(Exception):
    """The platform does not take a message in this form; nothing was sent."""


class Where(Protocol):
    """Where a conversation takes place."""

    @property
    def lane(self) -> str:
        """Its lane."""
        ...


W = TypeVar("W", bound=Where)
M = TypeVar("M")
"""What names a message on the platform."""
N = TypeVar("N")
"""One message's content, in the platform's own form."""
B = TypeVar("B", bound=Progress)
T = TypeVar("T")


class Carrying(ABC, Generic[W, M, N, B]):
    """Carries out effects in the chats of one platform.

    `begin` begins the progress of an effect that was perhaps carried out before; `unsent` are the
    failures after which it is certain that nothing was sent.
    """

    def __init__(
        self, begin: Callable[[Effect, bool], B], unsent: tuple[type[Exception], ...]
    ) -> None:
        self._unsent: tuple[type[Exception], ...] = (*unsent, NotTaken)
        self._underway: Underway[B] = Underway(begin)

    # What a platform does

    @abstractmethod
    async def _reach(self, to: W) -> None:
        """See that the server answers, before a message goes out that may then be there twice.
        Raises Later."""

    @abstractmethod
    async def _post(self, to: W, content: N, begun: B) -> M:
        """Send one message. Raises NotTaken."""

    @abstractmethod
    async def _edit(self, to: W, message: M, content: N) -> None:
        """Change one message. Raises Gone and NotTaken."""

    @abstractmethod
    async def _remove(self, to: W, messages: Sequence[M]) -> None:
        """Take messages away, at least one; those that cannot be say that they are old."""

    # The order

    async def _begin(self, to: W, effect: Effect, again: bool) -> B:
        """Begin an effect, or go on with it. Raises Later."""
        begun = self._underway.begin(to.lane, effect, again)
        if again:
            await self._reach(to)
        return begun

    def has_begun(self, lane: str, effect: Effect) -> bool:
        """Whether a part of what is being sent to a lane was carried out."""
        begun = self._underway.get(lane, effect)
        return begun is not None and begun.has_begun

    async def _become(self, to: W, messages: Sequence[M], contents: Sequence[N], begun: B) -> None:
        """Make messages that are there into these. Raises Gone where one of them is there no
        longer."""
        for number in range(len(begun.messages), min(len(messages), len(contents))):
            await self._edit(to, messages[number], contents[number])
            begun.messages.append(messages[number])
        await self._send_rest(to, contents, begun)
        await self._take_away(to, messages[len(contents) :])

    async def _send_rest(self, to: W, contents: Sequence[N], begun: B) -> None:
        """Send what has not been sent yet."""
        for content in contents[len(begun.messages) :]:
            begun.messages.append(await self._doubting(begun, self._post(to, content, begun)))

    async def _doubting(self, begun: B, call: Awaitable[T]) -> T:
        """Wait for something to be sent."""
        try:
            return await call
        except self._unsent:
            raise
        except BaseException:
            # Its answer is lost, or whoever waited for it is cancelled: perhaps it was sent.
            begun.again = True
            raise

    async def _take_away(self, to: W, messages: Sequence[M]) -> None:
        if messages:
            await self._remove(to, messages)
