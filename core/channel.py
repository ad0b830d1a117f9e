"""What the shell needs of a channel: carry out one effect after the other, in order."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from core.effects import Effect

Native = dict[str, Any]
"""Where something stands on the platform (a message id, a chat), as the channel wrote it down."""

SEEN_AT = "at"
"""A card's place may say under this name when it came to be seen: seconds since 1970, by the clock
that the platform stamps replies with. What was sent before that is no answer to the card."""


class Later(Exception):
    """The platform wants to be asked again after so many seconds (flood control, a server error).

    Nothing of the effect was carried out, unless it has `begun`: then the channel goes on where it
    stopped, and another process, which knows nothing of that, is told that it tries it `again`.
    """

    def __init__(self, seconds: float, why: str = "", *, begun: bool = False) -> None:
        super().__init__(why or f"again in {seconds:g} s")
        self.seconds = seconds
        self.begun = begun


class Lost(Exception):
    """The answer was lost: perhaps it was carried out, and nobody can know. It is tried again."""


class Never(Exception):
    """The platform will not carry this out, however often it is asked (the bot was blocked)."""


class CannotServe(Exception):
    """A platform lets this program not serve it (a wrong token, a second program on the same bot);
    the message says what to do."""


class Channel(Protocol):
    """One way to reach people. A lane of a channel starts with the channel's name and a colon."""

    @property
    def name(self) -> str:
        """The channel's name, the first part of its lanes."""
        ...

    @property
    def command(self) -> str:
        """What people type before a command's name here."""
        ...

    async def carry_out(
        self, lane: str, effect: Effect, drawn: Native | None, *, again: bool = False
    ) -> Native | None:
        """Carry out one effect; what is returned is kept for the card that it drew. A drawn card
        always has a place, since one without has not come to be seen (see `SEEN_AT`).

        `drawn` is where the effect's card stands, for a card that was drawn before. `again` is
        True when it was perhaps carried out before, its answer lost: a message that then comes a
        second time says so. Raises Later, Lost and Never; any other error counts as Lost, and what
        was lost a few times is shown to an admin.
        """
        ...

    def preview(self, lane: str, text: str) -> None:
        """Show the model's answer while it is still coming, in its own time: nothing waits for
        that, and it may be lost.

        `text` is all of it so far; empty when the model has just been asked. A text that does not
        begin with the one before it is another answer, in the place of that one.
        """
        ...

    async def end_preview(self, lane: str) -> None:
        """The answer has come, or comes no more: nothing of a preview is shown after this returns,
        which is soon. It is called before the answer itself may be sent, by whichever process."""
        ...


@runtime_checkable
class Chats(Channel, Protocol):
    """A channel in which others read along: posts are put into its chats, files come from there."""

    def chat_lane(self, chat: str) -> str:
        """The lane of a chat that posts are put into, from how people name it (`-1001234567890`,
        `C0123456789`). Nobody's conversation takes place there. Raises ValueError, with what to
        write, where no chat can be named so."""
        ...

    async def download(self, ref: str, limit: int) -> bytes:
        """A file that somebody sent here, of at most `limit` bytes. Raises Later, Lost and Never;
        it is Never, too, where it is larger."""
        ...


@runtime_checkable
class NamesChats(Channel, Protocol):
    """A channel whose platform does not tell people how its chats are called, so that it has to."""

    def chat_of(self, lane: str) -> str:
        """The chat that a conversation takes place in, as `Chats.chat_lane` takes it."""
        ...
