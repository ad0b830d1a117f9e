"""Modals and App Homes: what Slack keeps of a view, and how views follow each other.

https://docs.slack.dev/surfaces/modals: a person has one stack of at most three modals. An update
keeps what was typed where block_id and action_id stay; every update gives the view a new `hash`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tests.support.slack.controls import Control, State, controls_in, kept, state_of, with_ids
from tests.support.slack.errors import Json, refused, violates

if TYPE_CHECKING:
    from tests.support.slack.people import Person

STACK_LIMIT = 3


@dataclass(eq=False)
class View:
    """A view of one person. `held` is what its controls hold, `errors` what stands below them."""

    id: str
    person: Person
    definition: Json
    root_id: str = ""
    previous_id: str | None = None
    hash: str = ""
    is_open: bool = True
    held: State = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)
    versions: int = 0

    @property
    def kind(self) -> str:
        """ "modal" or "home"."""
        return str(self.definition["type"])

    @property
    def blocks(self) -> list[Json]:
        """Its blocks, with their identifiers."""
        blocks: list[Json] = self.definition["blocks"]
        return blocks

    @property
    def controls(self) -> list[Control]:
        """Its controls, in their order."""
        return controls_in(self.blocks, self.person.workspace.name_of)

    @property
    def external_id(self) -> str:
        """The bot's own name for it."""
        return str(self.definition.get("external_id", ""))

    def becomes(self, definition: Json) -> None:
        """It shows this now; what was typed stays where the ids stay."""
        self.versions += 1
        blocks = with_ids(definition["blocks"], self.versions)
        self.definition = {**definition, "blocks": blocks}
        self.held = kept(self.controls, self.held)
        self.errors = {}
        self.hash = self.person.workspace.world.next_hash()
        self.person.workspace.world.touch()

    def json(self) -> Json:
        """The view as payloads and methods have it."""
        workspace = self.person.workspace
        told = {
            "private_metadata": "",
            "callback_id": "",
            "external_id": "",
            "title": {"type": "plain_text", "text": workspace.app.name, "emoji": True},
            "submit": None,
            "close": None,
            "clear_on_close": False,
            "notify_on_close": False,
        }
        return {
            **told,
            **self.definition,
            "id": self.id,
            "team_id": workspace.id,
            "app_id": workspace.world.app_id,
            "app_installed_team_id": workspace.id,
            "bot_id": workspace.bot_id,
            "root_view_id": self.root_id or self.id,
            "previous_view_id": self.previous_id,
            "hash": self.hash,
            "state": state_of(self.controls, self.held),
        }


def opened(person: Person, definition: Json) -> View:
    """A modal that is opened now, instead of what was open."""
    view = _new(person, definition)
    for other in person.views:
        other.is_open = False
    person.views[:] = [view]
    return view


def pushed(person: Person, definition: Json) -> View:
    """A modal on top of those that are open. Raises ApiError above the third."""
    if len(person.views) >= STACK_LIMIT:
        raise violates("push_limit_reached")
    top = person.views[-1]
    view = _new(person, definition)
    view.root_id, view.previous_id = top.root_id or top.id, top.id
    person.views.append(view)
    return view


def updated(view: View, definition: Json, given_hash: str | None = None) -> View:
    """A view that shows something else now. Raises ApiError for a hash of an older state."""
    if given_hash is not None and given_hash != view.hash:
        raise refused("hash_conflict")
    _unique(view.person, definition, view)
    view.becomes(definition)
    return view


def published(person: Person, definition: Json, given_hash: str | None = None) -> View:
    """The person's App Home shows this now."""
    if person.home is not None:
        return updated(person.home, definition, given_hash)
    person.home = _new(person, definition)
    return person.home


def closed(view: View, *, every: bool = False) -> list[View]:
    """The view is closed, with those above it (with `every`, the whole stack)."""
    stack = view.person.views
    first = 0 if every else stack.index(view)
    gone = stack[first:]
    del stack[first:]
    for one in gone:
        one.is_open = False
    view.person.workspace.world.touch()
    return gone


def _new(person: Person, definition: Json) -> View:
    _unique(person, definition, None)
    world = person.workspace.world
    view = View(world.next_id("V"), person, definition)
    world.views[view.id] = view
    view.becomes(definition)
    return view


def _unique(person: Person, definition: Json, but: View | None) -> None:
    external_id = definition.get("external_id")
    for other in person.workspace.world.views.values():
        if other is but or not other.is_open or not external_id:
            continue
        if other.external_id == external_id and other.person.workspace is person.workspace:
            raise refused("duplicate_external_id")
