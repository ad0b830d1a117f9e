"""Every command of those who run the bot, in one order, with a piece of its answer: what is asked
and answered is the same in each channel."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from core.admin.verbs import VERBS

Asks = Callable[[str], Awaitable[str]]


def commands(account: str, here: str) -> dict[str, str]:
    """What an owner writes while three submissions wait, with a piece of what is answered.
    `account` is that of whoever sent in no. 3, `here` how a channel says what a chat is called."""
    return {
        "help": "approve N: let a submission go on",
        "queue": "To be decided: 3",
        "show 1": "Place: The sea",
        "approve 1": "Approved: no. 1 is on its way.",
        "changes 2 The hills, please.": "Your words went to whoever sent in no. 2",
        "reject 3 Too far.": "Rejected: whoever sent in no. 3 has been told why.",
        "find 1": "#1 A trip: ",
        "resend 1": "Nothing of no. 1 is stuck there.",
        "arrived 1": "Nothing of no. 1 is stuck there.",
        "retry inbox 7": "inbox 7 is not stuck",
        "journeys": "trip: version 1",
        "pause trip": "trip is paused",
        "resume trip": "trip can be begun again.",
        "reload trip": "trip was read anew: version 1",
        "nudge trip 24": "For trip, people are reminded once, 24 hours after they left.",
        "expire 30": "For every journey, what was left is put away after 30 days.",
        "stats trip": "All there was: 3 begun, 3 submitted (100%).",
        "export trip csv": "This holds what people wrote",
        f"block {account} Too many": "is not answered any more.",
        f"unblock {account}": "is answered.",
        f"grant {account} moderator": "is moderator now.",
        "roles": "moderator, given by",
        f"revoke {account}": "has no role now.",
        "audit": "roles · shown",
        "here": here,
        "health": "submissions: 3, to be decided: 0",
        f"erase {account}": "what was submitted (1)",
        f"erase {account} yes": "is being deleted",
    }


async def goes_round(asks: Asks, account: str, here: str) -> None:
    """Ask each command, and see that none is left out."""
    asked = commands(account, here)
    assert {written.split()[0] for written in asked} == {verb.name for verb in VERBS}
    for written, answer in asked.items():
        heard = await asks(written)
        assert answer in heard, f"{written}: {heard}"
