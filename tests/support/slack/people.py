"""The other side: what people do in Slack, for tests to let them do it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.slack import payloads
from tests.support.slack.channels import AssistantThread
from tests.support.slack.errors import Json
from tests.support.slack.interactions import Interaction
from tests.support.slack.modals import Home, Modal
from tests.support.slack.typed import delivered
from tests.support.slack.using import Uses
from tests.support.slack.zones import offset_of

if TYPE_CHECKING:
    from tests.support.slack.channels import Channel
    from tests.support.slack.messages import Message
    from tests.support.slack.views import View
    from tests.support.slack.workspace import Workspace
    from tests.support.slack.world import World


class Person(Uses):
    """Somebody who uses Slack.

    Everything happens in their direct message with the bot unless `in_` names a channel; `thread`
    is a message of the thread, or the assistant's.
    """

    def __init__(
        self,
        workspace: Workspace,
        identifier: str,
        name: str,
        *,
        tz: str,
        locale: str,
        email: str | None,
        team: str,
    ) -> None:
        self.workspace = workspace
        self.team = team or workspace.id
        self.id = identifier
        self.name = name
        self.tz = tz
        self.locale = locale
        self.email = email or f"{name.lower().replace(' ', '.')}@{workspace.domain}.example"
        self.views: list[View] = []
        self.home: View | None = None
        self.deactivated = False
        self.found = {}

    @property
    def me(self) -> Person:
        """The whole person."""
        return self

    @property
    def is_stranger(self) -> bool:
        """Whether they are of another organization, and only met in a channel that both share."""
        return self.team != self.workspace.id

    @property
    def world(self) -> World:
        """The world behind the server."""
        return self.workspace.world

    @property
    def username(self) -> str:
        """The name without spaces and capitals."""
        return self.name.lower().replace(" ", ".")

    @property
    def called(self) -> set[str]:
        """What one may type after an @, in small letters."""
        return {self.name.casefold(), self.username}

    @property
    def dm(self) -> Channel:
        """The direct message with the bot."""
        return self.workspace.direct(self)

    @property
    def modal(self) -> Modal:
        """The modal on top of those that are open. Raises AssertionError when none is."""
        assert self.views, f"{self.name} has no modal open"
        return Modal(self.views[-1])

    @property
    def app_home(self) -> Home:
        """The App Home as they see it."""
        assert self.home is not None, f"{self.name}'s App Home is empty"
        return Home(self.home)

    def __repr__(self) -> str:
        return f"Person({self.name!r})"

    # Messages

    def says(
        self,
        text: str,
        *,
        in_: Channel | None = None,
        thread: Message | AssistantThread | None = None,
        broadcast: bool = False,
        files: tuple[tuple[str, bytes], ...] = (),
    ) -> Message:
        """Write words; links, mentions and channels in them are found as Slack finds them.

        In a `thread`, `broadcast` also sends it to the channel.
        """
        channel, root = self._place(in_, thread)
        assert not channel.archived, f"{channel.title} is archived"
        assert self.id in channel.members, f"{self.name} is not in {channel.title}"
        raw, blocks = delivered(text, self.workspace.id_of)
        stored = [self.workspace.stores(name, content, self).json() for name, content in files]
        subtype = "thread_broadcast" if broadcast else ("file_share" if files else None)
        message = channel.adds(
            self,
            raw=raw,
            blocks=blocks,
            files=stored,
            thread_ts=root,
            subtype=subtype,
            broadcast=broadcast,
        )
        self.workspace.tells_message(message)
        return message

    def uploads(
        self,
        name: str,
        content: bytes,
        comment: str = "",
        *,
        in_: Channel | None = None,
        thread: Message | AssistantThread | None = None,
    ) -> Message:
        """Share a file."""
        return self.says(comment, in_=in_, thread=thread, files=((name, content),))

    def edits(self, message: Message, text: str) -> Message:
        """Change the words of a message that they sent."""
        assert message.sender is self, "people edit their own messages only"
        before = message.json()
        message.raw, message.blocks = delivered(text, self.workspace.id_of)
        self.workspace.tells_edit(message, before)
        return message

    def deletes(self, message: Message) -> None:
        """Delete a message that they sent."""
        assert message.sender is self, "people delete their own messages only"
        event = payloads.deleted_event(message)
        message.deleted = True
        self.workspace.tells_message(message, event)
        self.world.touch()

    def unfurls(self, message: Message, title: str) -> None:
        """Slack adds the preview of a link in it: a message_changed in which no word changed."""
        before = message.json()
        message.attachments = [{"id": 1, "title": title, "fallback": title}]
        event = payloads.changed_event(message, before)
        self.workspace.tells_message(message, event)

    def reacts(self, name: str, message: Message) -> None:
        """Add an emoji to a message: "thumbsup"."""
        message.reactions.setdefault(name, set()).add(self.id)
        event = {
            "type": "reaction_added",
            "user": self.id,
            "reaction": name,
            "item_user": message.json().get("user", ""),
            "item": {"type": "message", "channel": message.channel.id, "ts": message.ts},
        }
        self.workspace.tells("reaction_added", event, queue=message.channel.id)
        self.world.touch()

    def stops(self, message: Message) -> None:
        """Press the stop button of a message that is still being written."""
        assert message.streaming is not None, "nothing is being written"
        message.streaming.stopped_by_user = True
        self.world.touch()

    def _place(
        self, in_: Channel | None, thread: Message | AssistantThread | None
    ) -> tuple[Channel, str | None]:
        if thread is None:
            return in_ or self.dm, None
        return thread.channel, getattr(thread, "root", thread.ts)

    # The pane, the home, commands

    def opens_home(self) -> None:
        """Open the App Home. Raises AssertionError when the app has none."""
        assert self.workspace.app.home, "the app has no Home tab"
        self._opens_tab("home")

    def opens_messages(self) -> None:
        """Open the app's messages tab."""
        self._opens_tab("messages")

    def _opens_tab(self, tab: str) -> None:
        event: Json = {
            "type": "app_home_opened",
            "user": self.id,
            "channel": self.dm.id,
            "tab": tab,
        }
        if tab == "home" and self.home is not None:
            event["view"] = self.home.json()
        self.workspace.tells("app_home_opened", event, queue=self.dm.id)

    def opens_assistant(self, context: Channel | None = None) -> AssistantThread:
        """Open the assistant pane: a new thread, seen beside this channel."""
        assert self.workspace.app.pane == "assistant", "the app has no assistant pane"
        root = self.dm.adds(None, raw="New Assistant Thread", subtype="assistant_app_thread")
        root.thread_ts = root.ts
        thread = AssistantThread(self.dm, root.ts)
        self.dm.assistants[root.ts] = thread
        self._assists("assistant_thread_started", thread, context)
        return thread

    def looks_at(self, channel: Channel, thread: AssistantThread) -> None:
        """Go to another channel with the assistant pane open."""
        self._assists("assistant_thread_context_changed", thread, channel)

    def _assists(self, kind: str, thread: AssistantThread, context: Channel | None) -> None:
        if context is not None:
            thread.context = {
                "channel_id": context.id,
                "team_id": self.workspace.id,
                "enterprise_id": None,
            }
        told = {
            "user_id": self.id,
            "context": thread.context,
            "channel_id": thread.channel.id,
            "thread_ts": thread.ts,
        }
        event = {"type": kind, "assistant_thread": told}
        self.workspace.tells(kind, event, queue=self.dm.id)

    def takes_prompt(self, title: str, thread: AssistantThread | None = None) -> Message:
        """Choose a suggested prompt: its message is sent as one's own words."""
        prompts = self.dm.prompts if thread is None else thread.prompts
        for one in prompts:
            if one["title"] == title:
                return self.says(one["message"], thread=thread)
        raise AssertionError(f"no prompt {title!r}, but {[one['title'] for one in prompts]}")

    def runs(self, name: str, text: str = "", *, in_: Channel | None = None) -> Interaction:
        """Run a slash command. Of what is in its text, Slack looks for people who are called, where
        the app's manifest says that it is to be escaped."""
        app, channel = self.workspace.app, in_ or self.dm
        assert name in app.commands, f"Slack knows no command {name}, but {sorted(app.commands)}"
        assert not app.lacks({"commands"}), "the app has no scope `commands`"
        payload = payloads.command(self, name, text, channel)
        made = Interaction("slash_commands", self, payload, channel=channel)
        return self.world.delivery.ask(made)

    def uses_shortcut(self, callback_id: str, message: Message | None = None) -> Interaction:
        """Use a global shortcut, or one on a message."""
        known = self.workspace.app.shortcuts
        kind = "global" if message is None else "message"
        assert known.get(callback_id) == kind, f"no {kind} shortcut {callback_id}, but {known}"
        if message is None:
            payload = payloads.shortcut(self, callback_id)
        else:
            payload = payloads.message_shortcut(self, callback_id, message)
        return self.world.delivery.ask(Interaction(payload["type"], self, payload))

    def json(self, *, locale: bool = False, email: bool = False) -> Json:
        """The person as `users.info` has it."""
        profile = {"real_name": self.name, "display_name": self.username, "team": self.workspace.id}
        told = {
            "id": self.id,
            "team_id": self.team,
            "name": self.username,
            "real_name": self.name,
            "deleted": self.deactivated,
            **({"is_stranger": True} if self.is_stranger else {}),
            **self._zone(),
            "is_bot": False,
            "is_app_user": False,
            "is_admin": False,
            "profile": profile | ({"email": self.email} if email else {}),
        }
        return told | ({"locale": self.locale} if locale and self.locale else {})

    def _zone(self) -> Json:
        """Not everybody's profile has a time zone."""
        if not self.tz:
            return {}
        offset = offset_of(self.tz, self.world.now)
        return {"tz": self.tz, "tz_label": self.tz, "tz_offset": offset}
