"""response_url: answering a command or a click later, without a token.

https://docs.slack.dev/interactivity/handling-user-interaction#message_responses: five times within
thirty minutes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.support.slack.checking import check_message_blocks
from tests.support.slack.errors import ApiError, Json, violates

if TYPE_CHECKING:
    from tests.support.slack.channels import Channel
    from tests.support.slack.messages import Message
    from tests.support.slack.people import Person

LIFE = 30 * 60
USES = 5
_FIELDS = {
    "text",
    "blocks",
    "attachments",
    "response_type",
    "replace_original",
    "delete_original",
    "thread_ts",
    "mrkdwn",
    "metadata",
    "unfurl_links",
    "unfurl_media",
}


@dataclass(eq=False)
class Hook:
    """A response_url: of whom, where, and (after a click) of which message."""

    person: Person
    channel: Channel
    message: Message | None
    made_at: float
    uses: int = 0

    def answers(self, body: Any) -> None:
        """Carry out what the bot posted to it. Raises ApiError."""
        if self.person.world.now - self.made_at > LIFE:
            raise ApiError("expired_url", status=404)
        if self.uses >= USES:
            raise ApiError("used_url", status=404)
        self.uses += 1
        if not isinstance(body, dict):
            raise violates("invalid_payload")
        if body.get("delete_original"):
            self._deletes()
        elif body.get("replace_original") and self.message is not None:
            self._replaces(body)
        else:
            posted(self.person, self.channel, body, of=self.message)

    def _deletes(self) -> None:
        if self.message is not None:
            self.message.deleted = True
            self.person.world.touch()

    def _replaces(self, body: Json) -> None:
        assert self.message is not None
        _check(body)
        before = self.message.json()
        self.message.raw = str(body.get("text", ""))
        self.message.versions += 1
        self.message.holds(body.get("blocks", []))
        self.channel.workspace.tells_edit(self.message, before)


def posted(person: Person, channel: Channel, body: Json, *, of: Message | None = None) -> Message:
    """A new message from an answer: for one person unless it is `in_channel`. Raises ApiError."""
    _check(body)
    only_for = person if body.get("response_type", "ephemeral") == "ephemeral" else None
    thread = body.get("thread_ts") or (of.thread_ts if of is not None else None)
    message = channel.adds(
        None,
        raw=str(body.get("text", "")),
        blocks=body.get("blocks", []),
        thread_ts=thread,
        only_for=only_for,
    )
    channel.workspace.tells_message(message)
    return message


def _check(body: Json) -> None:
    unknown = sorted(set(body) - _FIELDS)
    if unknown:
        raise violates("invalid_payload", f"invalid additional property: {', '.join(unknown)}")
    if not body.get("text") and not body.get("blocks") and not body.get("attachments"):
        raise violates("no_text")
    if body.get("response_type", "ephemeral") not in ("ephemeral", "in_channel"):
        raise violates("invalid_payload", "response_type is ephemeral or in_channel")
    if "blocks" in body:
        check_message_blocks(body["blocks"])
