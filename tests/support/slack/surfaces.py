"""A person in front of a message or a view: clicking, choosing, typing, searching."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime, time
from typing import TYPE_CHECKING, Any

from tests.support.slack import payloads
from tests.support.slack.choosing import value_of
from tests.support.slack.controls import CLICKED, Control, State, find, label_of
from tests.support.slack.drawing import told
from tests.support.slack.errors import Json
from tests.support.slack.interactions import Interaction
from tests.support.slack.messages import Message
from tests.support.slack.views import View

if TYPE_CHECKING:
    from tests.support.slack.people import Person

EXTERNAL = ("external_select", "multi_external_select")
QUERY_LENGTH = 3
"""Characters that a person types before an external select searches, unless it says otherwise."""


class Surface:
    """A message or a view, as one person uses it."""

    def __init__(self, person: Person, place: Message | View) -> None:
        self.person = person
        self.place = place

    @property
    def controls(self) -> list[Control]:
        """Its controls, in their order."""
        return self.place.controls

    @property
    def labels(self) -> list[str]:
        """The labels of its controls."""
        return [control.label for control in self.controls]

    @property
    def buttons(self) -> list[str]:
        """The labels of its buttons."""
        return [control.label for control in self.controls if control.kind in CLICKED]

    @property
    def held(self) -> State:
        """What its controls hold on this person's screen."""
        if isinstance(self.place, View):
            return self.place.held
        return self.place.held_by(self.person)

    def value(self, label: str) -> str:
        """What a control holds, as a person reads it."""
        control = self._control(label)
        held = self.held.get(control.key, control.empty())
        return told(control, held, self.person.workspace.name_of)

    def options(self, label: str) -> list[str]:
        """What can be chosen in a control."""
        return self._control(label).labels

    # Using it

    def clicks(self, label: str, *, confirms: bool = True, stale: bool = False) -> Interaction:
        """Press a button, or choose from a menu of buttons.

        Where a dialog asks whether they are sure, they confirm it unless they do not `confirms`.
        `stale` presses one that an update took away, as a client does that has not heard of it.
        """
        controls = self._past() if stale else self.controls
        pressed = _pressed(controls, label)
        assert pressed is not None, f"nothing to click called {label!r}, but {self.buttons}"
        control, extra = pressed
        if "confirm" in control.element and not confirms:
            return self._unheard()
        return self._acts(control, extra)

    def forges(self, action: Json) -> Interaction:
        """Send an action of one's own making, which a changed client can."""
        return self._sends({"action_ts": self.person.world.next_ts(), **action})

    def selects(self, label: str, *choices: object) -> Interaction:
        """Choose in a select, among checkboxes or radio buttons: all that shall be chosen then.

        Options by their labels, people and channels themselves; nothing unchecks all.
        """
        return self._sets(self._control(label), choices)

    def picks_date(self, label: str, day: date | str) -> Interaction:
        """Pick a date."""
        return self._sets(self._control(label, "datepicker"), (day,))

    def picks_time(self, label: str, at: time | str) -> Interaction:
        """Pick a time of the day."""
        return self._sets(self._control(label, "timepicker"), (at,))

    def picks(self, label: str, at: datetime | str) -> Interaction:
        """Pick a date and a time, in the person's own zone when it has none."""
        return self._sets(self._control(label, "datetimepicker"), (at,))

    def types(self, label: str, text: str) -> Interaction:
        """Type into a field."""
        return self._sets(self._control(label), (text,))

    async def searches(self, label: str, text: str) -> list[str]:
        """Type into an external select, and wait for what it finds."""
        control = self._control(label, *EXTERNAL)
        least = control.element.get("min_query_length", QUERY_LENGTH)
        assert len(text) >= least, f"{label!r} searches from {least} characters on"
        payload = payloads.suggestion(self.person, control, text, self.place)
        asked = Interaction("block_suggestion", self.person, payload)
        await self.person.world.delivery.ask(asked).ended()
        self.person.found[control.key] = asked.found
        return [label_of(one) for one in asked.found]

    # How

    def _control(self, label: str, *kinds: str) -> Control:
        fitting = [one for one in self.controls if one.kind not in CLICKED]
        found = find(fitting, label, *kinds)
        assert found is not None, f"no field {label!r}, but {[one.label for one in fitting]}"
        return found

    def _past(self) -> Sequence[Control]:
        assert isinstance(self.place, Message), "only messages have a past"
        return [*self.controls, *self.place.past_controls]

    def _sets(self, control: Control, given: Sequence[object]) -> Interaction:
        found = self.person.found.get(control.key, [])
        value = control.holding(value_of(self.person, control, given, found))
        self.held[control.key] = value
        self.person.world.touch()
        return self._acts(control, value) if control.acts else self._unheard()

    def _acts(self, control: Control, held: Json) -> Interaction:
        assert self.person.workspace.app.interactive, "the app has no interactivity"
        return self._sends(payloads.action_of(control, held, self.person.world.next_ts()))

    def _sends(self, action: Json) -> Interaction:
        if isinstance(self.place, View):
            payload = payloads.view_actions(self.person, self.place, action)
            made = Interaction("block_actions", self.person, payload, view=self.place)
        else:
            payload = payloads.message_actions(self.person, self.place, action)
            made = Interaction("block_actions", self.person, payload)
        return self.person.world.delivery.ask(made)

    def _unheard(self) -> Interaction:
        """Nothing is sent: the field is in an input block, or the person thought better of it."""
        return Interaction("nothing", self.person, {}, done=True, status=200)

    def _fills(self, values: Mapping[str, Any]) -> None:
        for label, value in values.items():
            several = isinstance(value, list | tuple | set)
            self._sets(self._control(label), tuple(value) if several else (value,))


def _pressed(controls: Sequence[Control], label: str) -> tuple[Control, Json] | None:
    for control in controls:
        if control.kind == "overflow" and label in control.labels:
            return control, {"selected_option": control.chosen(label)}
        if control.kind in CLICKED and label in control.names:
            return control, _feedback(control, label)
    return None


def _feedback(control: Control, label: str) -> Json:
    if control.kind != "feedback_buttons":
        return {}
    both = (control.element["positive_button"], control.element["negative_button"])
    return next(
        {"text": one["text"], "value": one["value"]} for one in both if label_of(one) == label
    )
