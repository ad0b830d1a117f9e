"""Something that a person did (a click, a command, a shortcut), and what the bot answered."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.support.slack.errors import Json

if TYPE_CHECKING:
    from tests.support.slack.channels import Channel
    from tests.support.slack.messages import Message
    from tests.support.slack.people import Person
    from tests.support.slack.views import View

UNREACHABLE = "the app did not respond"


@dataclass(eq=False)
class Interaction:
    """An interaction. Slack sends it once: when it is not acknowledged, the person sees a warning.

    `status` is that of the bot's acknowledgement (0: none), `body` its JSON or text. `problem` is
    what the person was warned of, `reply` the message that a command was answered with.
    """

    kind: str
    person: Person
    payload: Json
    view: View | None = None
    channel: Channel | None = None
    done: bool = False
    status: int = 0
    body: Any = None
    problem: str = ""
    reply: Message | None = None
    found: list[Json] = field(default_factory=list)
    then: View | None = None

    @property
    def trigger_id(self) -> str:
        """The identifier with which the bot may open a view."""
        return str(self.payload.get("trigger_id", ""))

    @property
    def response_url(self) -> str:
        """The address at which the bot may answer later."""
        return str(self.payload.get("response_url", ""))

    async def ended(self) -> Interaction:
        """Wait for the acknowledgement, or for the warning that there was none."""
        await self.person.world.until(lambda: self.done, f"an answer to {self!r}")
        return self

    async def answered(self) -> Interaction:
        """Wait for the acknowledgement. Raises AssertionError when the person was warned."""
        await self.ended()
        assert not self.problem, f"{self!r}: {self.problem}"
        return self

    def __repr__(self) -> str:
        return f"the {self.kind} of {self.person.name}"
