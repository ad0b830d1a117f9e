"""A workspace: its people, its channels, and the bot in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from tests.support.slack import payloads
from tests.support.slack.channels import Channel
from tests.support.slack.errors import Json
from tests.support.slack.files import StoredFile
from tests.support.slack.messages import Message
from tests.support.slack.people import Person

if TYPE_CHECKING:
    from tests.support.slack.app import App
    from tests.support.slack.world import World

Access = Literal["installed", "revoked", "uninstalled", "never"]


class Workspace:
    """A workspace. The app is `installed` in it, or was, or never was."""

    def __init__(self, world: World, name: str, *, token: str, access: Access) -> None:
        self.world = world
        self.id = world.next_id("T")
        self.name = name
        self.domain = name.lower().replace(" ", "-")
        self.token = token
        self.refresh = ""
        self.past_tokens: set[str] = set()
        self.enterprise = ""
        self.access: Access = access
        self.bot_user_id = world.next_id("U")
        self.bot_id = world.next_id("B")
        self.people: dict[str, Person] = {}
        self.channels: dict[str, Channel] = {}
        self.files: dict[str, StoredFile] = {}

    @property
    def app(self) -> App:
        """The app whose bot it is."""
        return self.world.app

    # People and channels

    def person(
        self,
        name: str,
        *,
        tz: str = "Europe/Berlin",
        locale: str = "en-US",
        email: str | None = None,
        team: str = "",
    ) -> Person:
        """Somebody in the workspace, with a direct message to the bot. `tz` is an IANA zone, or
        empty for a profile without one; a stranger is of another workspace (`team`)."""
        person = Person(
            self, self.world.next_id("U"), name, tz=tz, locale=locale, email=email, team=team
        )
        self.people[person.id] = person
        direct = Channel(self, self.world.next_id("D"), "im", members={person.id: person})
        self.channels[direct.id] = direct
        return person

    def channel(
        self, name: str, *people: Person, private: bool = False, bot_in: bool = True
    ) -> Channel:
        """A channel with these people in it, and the bot unless it is not `bot_in`."""
        members = {one.id: one for one in people}
        kind: Literal["channel", "group"] = "group" if private else "channel"
        channel = Channel(self, self.world.next_id("C"), kind, name, members, bot_in)
        self.channels[channel.id] = channel
        return channel

    def group(self, *people: Person) -> Channel:
        """The direct message of several people, the bot among them."""
        members = {one.id: one for one in people}
        name = f"mpdm-{'--'.join(one.username for one in people)}-1"
        channel = Channel(self, self.world.next_id("C"), "mpim", name, members)
        self.channels[channel.id] = channel
        return channel

    def direct(self, person: Person) -> Channel:
        """The direct message between this person and the bot."""
        return next(
            one for one in self.channels.values() if one.is_direct and person.id in one.members
        )

    def name_of(self, identifier: str) -> str | None:
        """The name of somebody or something by its identifier."""
        if identifier == self.bot_user_id:
            return self.app.name
        person, channel = self.people.get(identifier), self.channels.get(identifier)
        return person.name if person else (channel.name if channel else None)

    def id_of(self, called: str) -> str | None:
        """The identifier of "@ada" or "#general"."""
        name = called[1:].casefold()
        if called.startswith("#"):
            return next((one.id for one in self.channels.values() if one.name == name), None)
        if name == self.app.name.casefold():
            return self.bot_user_id
        return next((one.id for one in self.people.values() if name in one.called), None)

    def bot_marks(self) -> Json:
        """What marks a message as the bot's own."""
        return {
            "user": self.bot_user_id,
            "bot_id": self.bot_id,
            "app_id": self.world.app_id,
            "team": self.id,
            "bot_profile": {
                "id": self.bot_id,
                "app_id": self.world.app_id,
                "name": self.app.name,
                "team_id": self.id,
                "deleted": False,
            },
        }

    # What the bot is told

    def tells(self, kind: str, event: Json, *, queue: str) -> None:
        """Send an event to the bot, if its app hears such events here."""
        gone = kind in ("app_uninstalled", "tokens_revoked")
        if self.app.hears(kind) and (self.access == "installed" or gone):
            event = {**event, "event_ts": event.get("event_ts", self.world.next_ts())}
            self.world.delivery.event(kind, payloads.event_callback(self, event), queue)

    def tells_message(self, message: Message, event: Json | None = None) -> None:
        """Send a message, or something about one, to the bot, if it is in the conversation."""
        channel = message.channel
        if not channel.bot_in or message.only_for is not None:
            return
        told = event or payloads.message_event(message)
        self.tells(channel.event, told, queue=channel.id)
        mentions = f"<@{self.bot_user_id}>" in message.raw and message.sender is not None
        if mentions and event is None and not channel.is_direct:
            self.tells("app_mention", payloads.mention_event(message), queue=channel.id)

    def tells_edit(self, message: Message, before: Json) -> None:
        """A message says something else now."""
        message.edited = self.world.next_ts()
        self.tells_message(message, payloads.changed_event(message, before))
        self.world.touch()

    # The app in it

    def rotates(self) -> None:
        """Another token of the bot, and what the next one is had for; the one before has ended."""
        self.past_tokens.add(self.token)
        number = self.world.next_id("token")
        self.token, self.refresh = f"xoxe.xoxb-{self.id}-{number}", f"xoxe-{self.id}-{number}"
        self.world.touch()

    def uninstalls(self) -> None:
        """Somebody removes the app: its token works no more, and it is told."""
        self.access = "uninstalled"
        self.tells("tokens_revoked", payloads.revoked_event(self), queue=self.id)
        self.tells("app_uninstalled", {"type": "app_uninstalled"}, queue=self.id)
        self.world.touch()

    def revokes(self) -> None:
        """The bot's token is revoked, and the app is told."""
        self.access = "revoked"
        self.tells("tokens_revoked", payloads.revoked_event(self), queue=self.id)
        self.world.touch()

    def stores(
        self, name: str, content: bytes | None, owner: Person | None = None, **more: object
    ) -> StoredFile:
        """A new file."""
        file = StoredFile(self, self.world.next_id("F"), name, content, owner)
        for field, value in more.items():
            setattr(file, field, value)
        self.files[file.id] = file
        return file

    def json(self) -> Json:
        """The workspace as `team.info` has it."""
        return {
            "id": self.id,
            "name": self.name,
            "domain": self.domain,
            "email_domain": "",
            "icon": {"image_default": True},
        }
