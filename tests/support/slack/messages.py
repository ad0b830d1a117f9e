"""One message, as Slack keeps it and as a person sees it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tests.support.slack.controls import CLICKED, Control, State, controls_in, kept, with_ids
from tests.support.slack.drawing import shown
from tests.support.slack.errors import Json
from tests.support.slack.text import Shown, joined, markdown, mrkdwn

if TYPE_CHECKING:
    from tests.support.slack.channels import Channel
    from tests.support.slack.people import Person


@dataclass
class Streaming:
    """A message that is still being written: since when, and whether it still is."""

    started: float
    recipient: str | None = None
    stopped_by_user: bool = False


@dataclass(eq=False)
class Message:
    """A message. `raw` is its top-level text as Slack has it, with entities and `<…>`.

    `sender` is a person, or None for the bot and for what other integrations say (`other_bot`).
    An ephemeral one is `only_for` one person. `said` is Markdown: of a stream, or `markdown_text`.
    """

    channel: Channel
    ts: str
    sender: Person | None
    raw: str = ""
    blocks: list[Json] = field(default_factory=list)
    attachments: list[Json] = field(default_factory=list)
    files: list[Json] = field(default_factory=list)
    said: str = ""
    thread_ts: str | None = None
    subtype: str | None = None
    only_for: Person | None = None
    other_bot: str | None = None
    broadcast: bool = False
    metadata: Json | None = None
    edited: str | None = None
    deleted: bool = False
    versions: int = 1
    streaming: Streaming | None = None
    reactions: dict[str, set[str]] = field(default_factory=dict)
    more: Json = field(default_factory=dict)
    past: list[list[Json]] = field(default_factory=list)
    _held: dict[str, State] = field(default_factory=dict)

    @property
    def from_bot(self) -> bool:
        """Whether the app whose bot is tested sent it."""
        return self.sender is None and self.other_bot is None

    @property
    def author(self) -> str:
        """The name above it."""
        if self.sender is not None:
            return self.sender.name
        return self.other_bot or self.channel.workspace.app.name

    @property
    def shown(self) -> Shown:
        """What a person reads in it, with its styles: its blocks, else its text."""
        names = self.channel.workspace.name_of
        stream = [markdown(self.said, names)] if self.said else []
        if self.blocks and self.sender is None:
            return joined([*stream, shown(self.blocks, names)])
        if stream:
            return stream[0]
        return mrkdwn(self.raw, names)

    @property
    def text(self) -> str:
        """The words that a person reads in it."""
        return self.shown.text

    @property
    def notification(self) -> str:
        """What a phone shows of it, and a screen reader reads."""
        return mrkdwn(self.raw or self.said, self.channel.workspace.name_of).text

    @property
    def controls(self) -> list[Control]:
        """Its controls, in their order."""
        if self.sender is not None or self.streaming is not None or self.deleted:
            return []
        return controls_in(self.blocks, self.channel.workspace.name_of)

    @property
    def past_controls(self) -> list[Control]:
        """The controls that updates took away, the last ones first."""
        every = [*self.past, self.blocks]
        return [one for blocks in reversed(every) for one in controls_in(blocks)]

    @property
    def buttons(self) -> list[str]:
        """The labels of its buttons."""
        return [one.label for one in self.controls if one.kind in CLICKED]

    @property
    def labels(self) -> list[str]:
        """The labels of all of its controls."""
        return [one.label for one in self.controls]

    @property
    def root(self) -> str:
        """The timestamp of the thread that it is in, or that it would begin."""
        return self.thread_ts or self.ts

    @property
    def in_thread_only(self) -> bool:
        """Whether it is to be seen in its thread only."""
        return self.thread_ts is not None and self.thread_ts != self.ts and not self.broadcast

    def held_by(self, person: Person) -> State:
        """What its controls hold on this person's screen."""
        return self._held.setdefault(person.id, {})

    def holds(self, blocks: list[Json]) -> None:
        """It has these blocks now; what people chose stays where the ids stay."""
        if self.blocks:
            self.past.append(self.blocks)
        self.blocks = with_ids(blocks, self.versions)
        controls = controls_in(self.blocks)
        self._held = {user: kept(controls, held) for user, held in self._held.items()}

    def json(self) -> Json:
        """The message as payloads and methods have it."""
        told: Json = {"type": "message", "ts": self.ts, "text": self.raw or self.said}
        workspace = self.channel.workspace
        if self.sender is not None:
            told |= {"user": self.sender.id, "team": workspace.id}
        elif self.other_bot is not None:
            told |= {"bot_id": "B0000OTHER", "username": self.other_bot}
        else:
            told |= workspace.bot_marks()
        known = {
            "subtype": self.subtype,
            "blocks": self.blocks,
            "attachments": self.attachments,
            "files": self.files,
            "thread_ts": self.thread_ts,
            "metadata": self.metadata,
        }
        told |= {name: value for name, value in known.items() if value}
        if self.edited is not None:
            told["edited"] = {"user": told.get("user", ""), "ts": self.edited}
        if self.streaming is not None:
            told["streaming_state"] = "in_progress"
        return told | self.more | self._counts()

    def _counts(self) -> Json:
        replies = self.channel.replies_to(self.ts) if self.thread_ts in (None, self.ts) else []
        counts: Json = {}
        if replies:
            counts = {
                "thread_ts": self.ts,
                "reply_count": len(replies),
                "latest_reply": replies[-1].ts,
            }
        if self.reactions:
            counts["reactions"] = [
                {"name": name, "users": sorted(users), "count": len(users)}
                for name, users in self.reactions.items()
            ]
        return counts

    def __repr__(self) -> str:
        return f"Message({self.author}: {self.text[:60]!r})"
