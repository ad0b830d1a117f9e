"""What came of one chat, whoever led it, as plain data: what a report counts."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from core.model import Usage


class Lead(StrEnum):
    """Who leads the journey."""

    RUNTIME = "runtime"
    MODEL = "model"


class Ending(StrEnum):
    """How a chat ended. `UNFINISHED` is one that was given up on after `MOST_TURNS` turns, or that
    the person could not get on with."""

    SUBMITTED = "submitted"
    CANCELLED = "cancelled"
    OPEN = "open"
    UNFINISHED = "unfinished"


class FailureKind(StrEnum):
    """What goes wrong when a model leads, judged the same way for both leads by `referee.py`."""

    SKIPPED = "skipped_question"
    """Something required was submitted without, or submitted though it was never asked on the
    screen and never given in the person's own words."""
    INVENTED_LIST = "invented_list"
    """A list stood on a summary that nobody had said, or was submitted and the person did not give
    it."""
    INVENTED = "invented_value"
    """As above, any other value."""
    CONFIRMED_AFTER_CHANGE = "confirmed_after_change"
    """It was submitted as confirmed though the person's last word was a change, or no yes."""
    UNACKNOWLEDGED = "unacknowledged_correction"
    """The person corrected a value, the new one was taken, and no reply has said it since."""
    UNACCEPTED_RECORD = "unaccepted_record"
    """A fetched record was in the summary before the person accepted it."""
    SECOND_QUESTION = "second_question"
    """One reply of the bot asked for more than one thing."""
    STALE_CONFIRMATION = "stale_confirmation"
    """What was submitted is not what the summary that the person confirmed had shown."""
    UNFINISHED = "unfinished"
    """The person, who answers whatever is asked, could not bring the chat to its end."""


OCCASIONS = frozenset(
    {
        FailureKind.CONFIRMED_AFTER_CHANGE,
        FailureKind.UNACKNOWLEDGED,
        FailureKind.STALE_CONFIRMATION,
    }
)
"""Kinds that can only happen on an occasion (a correction, a reply to a summary that is no yes, a
confirmation after a change): their rates are of the occasions. Those of all others are of the
chats."""


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """One failure. `turn` counts from 1; `detail` is for a person who reads the replay."""

    kind: FailureKind
    turn: int
    item: str = ""
    detail: str = ""


class Broken(msgspec.Struct, frozen=True, kw_only=True):
    """A guarantee (G1 to G16) that did not hold, or an expectation of a scenario (`guarantee` is
    then "expected")."""

    guarantee: str
    turn: int
    detail: str = ""


class Spent(msgspec.Struct, frozen=True, kw_only=True):
    """What a model's part of one turn, or of a chat, cost: requests sent, and tokens."""

    calls: int = 0
    usage: Usage = Usage()

    def __add__(self, other: Spent) -> Spent:
        return Spent(calls=self.calls + other.calls, usage=self.usage + other.usage)

    @property
    def tokens(self) -> int:
        """Tokens read and written."""
        return self.usage.read + self.usage.output


class TurnRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One turn: what the person did and then saw, as text.

    `ask` names what was open at its end (an item, "summary"), empty where the runtime asked
    nothing. `settled` are the items that have a value after it, in the order they got it.
    """

    person: str
    bot: tuple[str, ...] = ()
    ask: str = ""
    settled: tuple[str, ...] = ()
    spent: Spent = Spent()


class FirstSummary(msgspec.Struct, frozen=True, kw_only=True):
    """The first summary that the person saw in a journey. `wrong` are the items of which it said
    something else than they have in mind: what proofreading then puts right is no failure, but it
    was theirs to find."""

    turn: int
    wrong: tuple[str, ...] = ()


class ChatRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One chat from its start to its end.

    `seed` is what the model and a restless person drew their whims from: the same scenario, lead,
    model and seed give the same chat again. `owed` are the items that this person's journey had to
    bring, in the manifest's order: the steps of the funnel. `decided` is on how many occasions each
    guarantee had something to decide: one that is not in it was not looked at in this chat.
    `occasions` is how often each kind of failure in `OCCASIONS` could have happened. A chat that is
    not `compared` was not to end in a submission: it is in no rate of either lead.
    """

    journey: str
    scenario: str
    lead: Lead
    model: str
    seed: int = 0
    ending: Ending
    turns: tuple[TurnRecord, ...] = ()
    owed: tuple[str, ...] = ()
    failures: tuple[Failure, ...] = ()
    broken: tuple[Broken, ...] = ()
    decided: dict[str, int] = {}
    occasions: dict[FailureKind, int] = {}
    first_summaries: tuple[FirstSummary, ...] = ()
    compared: bool = True

    @property
    def spent(self) -> Spent:
        """What all of its turns cost."""
        return sum((turn.spent for turn in self.turns), Spent())

    @property
    def clean(self) -> bool:
        """Whether nothing at all went wrong."""
        return not self.failures and not self.broken


MOST_TURNS = 200
"""Turns after which a chat is given up on, whoever leads."""
