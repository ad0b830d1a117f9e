"""A conversation: a channel, a private channel, a group or a direct message."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from tests.support.slack.errors import Json
from tests.support.slack.messages import Message
from tests.support.slack.screen import Screen

if TYPE_CHECKING:
    from tests.support.slack.people import Person
    from tests.support.slack.workspace import Workspace

STATUS_LIFE = 120.0
"""Seconds."""
Kind = Literal["channel", "group", "im", "mpim"]


@dataclass
class AssistantThread:
    """The assistant pane's thread: what the bot set above and below it."""

    channel: Channel
    ts: str
    title: str = ""
    loading: list[str] = field(default_factory=list)
    prompts: list[Json] = field(default_factory=list)
    prompts_title: str = ""
    context: Json = field(default_factory=dict)
    _status: str = ""
    _status_at: float = 0.0

    @property
    def status(self) -> str:
        """What the bot is doing ("is thinking..."); it goes away after two minutes."""
        world = self.channel.workspace.world
        return self._status if world.now - self._status_at < STATUS_LIFE else ""

    def sets_status(self, status: str, loading: list[str]) -> None:
        """The bot tells what it is doing."""
        self._status, self._status_at = status, self.channel.workspace.world.now
        self.loading = loading

    def screen(self) -> Screen:
        """What is to be seen in it."""
        return self.channel.screen(thread=self.ts)

    @property
    def suggestions(self) -> list[str]:
        """The titles of the suggested prompts."""
        return [one["title"] for one in self.prompts]


@dataclass(eq=False)
class Channel:
    """A conversation and all that was ever said in it, also what was deleted."""

    workspace: Workspace
    id: str
    kind: Kind
    name: str = ""
    members: dict[str, Person] = field(default_factory=dict)
    bot_in: bool = True
    archived: bool = False
    messages: list[Message] = field(default_factory=list)
    assistants: dict[str, AssistantThread] = field(default_factory=dict)
    prompts: list[Json] = field(default_factory=list)

    @property
    def is_direct(self) -> bool:
        """Whether it is a direct message between a person and the bot."""
        return self.kind == "im"

    @property
    def event(self) -> str:
        """The event that a message in it is."""
        kinds = {"channel": "channels", "group": "groups"}
        return f"message.{kinds.get(self.kind, self.kind)}"

    @property
    def title(self) -> str:
        """What stands above it."""
        if self.is_direct:
            return next(iter(self.members.values())).name
        return f"#{self.name}"

    def screen(
        self, viewer: Person | None = None, *, thread: Message | str | None = None
    ) -> Screen:
        """What this person sees of it; without a viewer, what everybody in it sees."""
        if viewer is None and self.is_direct:
            viewer = next(iter(self.members.values()))
        root = thread.root if isinstance(thread, Message) else thread
        seen = [one for one in self.messages if not one.deleted and self._sees(viewer, one)]
        if root is not None:
            seen = [one for one in seen if one.root == root]
        return Screen(self, seen, viewer, root)

    @staticmethod
    def _sees(viewer: Person | None, message: Message) -> bool:
        if message.only_for is not None:
            return viewer is message.only_for
        return message.subtype != "assistant_app_thread"

    def get(self, ts: str) -> Message | None:
        """The message with this timestamp that people can see; ephemeral ones are none."""
        for one in self.messages:
            if one.ts == ts and not one.deleted and one.only_for is None:
                return one
        return None

    def replies_to(self, ts: str) -> list[Message]:
        """The messages in the thread of this one."""
        return [
            one
            for one in self.messages
            if one.thread_ts == ts and one.ts != ts and not one.deleted and one.only_for is None
        ]

    @property
    def newest(self) -> Message:
        """The last message that everybody sees."""
        return self.screen()[-1]

    def adds(self, sender: Person | None, **content: Any) -> Message:
        """A new message at the end."""
        blocks = content.pop("blocks", [])
        message = Message(self, self.workspace.world.next_ts(), sender, **content)
        if sender is None and message.other_bot is None:
            message.holds(blocks)
        else:
            message.blocks = blocks
        self.messages.append(message)
        self._pane_hears(message)
        self.workspace.world.touch()
        return message

    def _pane_hears(self, message: Message) -> None:
        """An answer ends the status; a person's words end the suggestions."""
        thread = self.assistants.get(message.thread_ts or "")
        if message.sender is not None:
            self.prompts = []
        if thread is not None and message.sender is not None:
            thread.prompts = []
        elif thread is not None and message.from_bot:
            thread.sets_status("", [])

    # What happens to it

    def archives(self) -> None:
        """It is archived: nothing can be said in it any more."""
        self.archived = True
        self._told("channel_archive", {"channel": self.id, "user": next(iter(self.members))})

    def removes_bot(self) -> None:
        """The bot is taken out of it."""
        self.bot_in = False
        self.workspace.world.touch()

    def invites_bot(self, by: Person) -> None:
        """Somebody invites the bot."""
        self.bot_in = True
        event = {
            "user": self.workspace.bot_user_id,
            "channel": self.id,
            "channel_type": "G" if self.kind == "group" else "C",
            "team": self.workspace.id,
            "inviter": by.id,
        }
        self._told("member_joined_channel", event)

    def hears(self, text: str, bot: str = "Builds", *, thread: Message | None = None) -> Message:
        """Another integration says something, as mrkdwn."""
        root = None if thread is None else thread.root
        message = self.adds(None, raw=text, other_bot=bot, subtype="bot_message", thread_ts=root)
        self.workspace.tells_message(message)
        return message

    def _told(self, kind: str, event: Json) -> None:
        self.workspace.tells(kind, {"type": kind, **event}, queue=self.id)
        self.workspace.world.touch()

    def json(self) -> Json:
        """The conversation as `conversations.info` has it."""
        told: Json = {
            "id": self.id,
            "created": int(self.workspace.world.started),
            "is_archived": self.archived,
            "is_channel": self.kind == "channel",
            "is_group": self.kind == "group",
            "is_im": self.is_direct,
            "is_mpim": self.kind == "mpim",
            "is_private": self.kind != "channel",
            "context_team_id": self.workspace.id,
        }
        if self.is_direct:
            return told | {"user": next(iter(self.members)), "is_open": True}
        return told | {
            "name": self.name,
            "name_normalized": self.name,
            "is_member": self.bot_in,
            "is_general": self.name == "general",
            "num_members": len(self.members),
            "topic": {"value": "", "creator": "", "last_set": 0},
            "purpose": {"value": "", "creator": "", "last_set": 0},
        }
