"""The store in a few lists and flags, for its tests."""

from dataclasses import dataclass, field
from enum import Enum
from itertools import takewhile

from core.store import Claim
from core.store.outbox import RUN

TRIES = 2
"""Few, so that giving up is reached often."""


class Hold(Enum):
    """Whether what is pending outside a claim may be claimed."""

    NONE_WAITS = "all is claimed"
    FREE = "something may be claimed"
    HELD = "words wait for more words"


@dataclass
class Job:
    """An entry of the inbox, an effect of the outbox, or a delivery.

    An entry has words (a tap has none); `read` are those that the claim of its lane has,
    `amended` whether they were changed since. A `message` must not come twice.
    """

    name: str
    words: str = ""
    read: str = ""
    amended: bool = False
    tries: int = 0
    leased: bool = False
    lost: bool = False
    later: bool = False
    message: bool = False

    def shown(self) -> str:
        return self.words or self.name

    def is_due(self) -> bool:
        return not self.later and (not self.leased or self.lost)

    def lease(self) -> bool:
        """Take it; False when it has been lost once too often. Who retries it may do so longer."""
        was_lost, self.leased, self.lost = self.lost, True, False
        self.tries += was_lost
        return not was_lost or self.tries < TRIES

    def give_back(self) -> None:
        self.leased = self.lost = False

    def put_off(self, counts: bool) -> None:
        self.tries += counts
        self.give_back()
        self.later = True

    def pass_time(self) -> None:
        self.later, self.lost = False, self.leased


@dataclass
class Lane:
    """What the model knows of a lane."""

    met: bool = False
    pending: list[Job] = field(default_factory=list)
    hold: Hold = Hold.FREE
    backing_off: bool = False
    claim: Claim | None = None
    lost: bool = False
    turn: int = 0
    unsent: list[Job] = field(default_factory=list)
    delivery: Job | None = None
    delivered: bool = False

    def is_ready(self) -> bool:
        free = self.claim is None or self.lost
        return bool(self.pending) and free and not self.backing_off and self.hold is not Hold.HELD

    def take_run(self) -> tuple[list[Job], list[Job]]:
        """What is leased to be sent, in order, and what is given up."""
        if not self.unsent or not self.unsent[0].is_due():
            return [], []
        if any(one.leased and not one.lost for one in self.unsent):
            return [], []
        given_up = self._after_loss()
        free = list(takewhile(lambda one: not one.later, self.unsent))
        if free and free[0].tries == 0:
            free = list(takewhile(lambda one: one.tries == 0, free))[:RUN]
        else:
            free = free[:1]
        for one in free:
            one.leased = True
        return free, given_up

    def _after_loss(self) -> list[Job]:
        """Whoever had it may have tried all up to the first message; the first may be spent."""
        lost = [one for one in self.unsent if one.lost]
        before = len(list(takewhile(lambda one: not one.message, lost)))
        for one in lost[: before + 1]:
            one.tries += 1
        for one in lost:
            one.give_back()
        spent = bool(lost) and lost[0] is self.unsent[0] and lost[0].tries >= TRIES
        return [self.unsent.pop(0)] if spent else []

    def is_used_up(self) -> bool:
        """Its only entry is parked by the very claim that finds it lost once more."""
        return self.lost and len(self.pending) == 1 and self.pending[0].tries == TRIES - 1
