"""What can go wrong in the store, each with a message that says what to do next."""

from __future__ import annotations


class StoreError(Exception):
    """The store cannot do what was asked; the message is fit to be shown to an operator."""


class Fenced(StoreError):
    """The lane's lease was lost to another worker, or given back: nothing was written."""

    def __init__(self, lane: str) -> None:
        super().__init__(
            f"the lease on {lane} is no longer held, so nothing was written; "
            "whoever holds it now takes the turn"
        )
        self.lane = lane


class Amended(StoreError):
    """A reply was changed by its sender after the turn had read it: nothing was written."""

    def __init__(self, lane: str) -> None:
        super().__init__(
            f"the words of a reply in {lane} were changed while its turn was taken, so nothing was "
            "written; release the claim and take the turn again"
        )
        self.lane = lane


class AlreadySubmitted(StoreError):
    """The journey has been submitted before: nothing of this turn was written."""

    def __init__(self, journey: str) -> None:
        super().__init__(
            f"journey {journey} has been submitted already, and is submitted once; "
            "start a new journey instead"
        )
        self.journey = journey
