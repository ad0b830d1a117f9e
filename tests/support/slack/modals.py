"""Modals and the App Home, as people see and use them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.support.slack import payloads
from tests.support.slack.choosing import faults_of
from tests.support.slack.controls import is_empty
from tests.support.slack.drawing import lines_of, shown, text_of
from tests.support.slack.errors import Json
from tests.support.slack.interactions import Interaction
from tests.support.slack.surfaces import Surface
from tests.support.slack.views import View, closed


class Sheet(Surface):
    """A view in front of a person."""

    def __init__(self, view: View) -> None:
        super().__init__(view.person, view)
        self.view = view

    @property
    def text(self) -> str:
        """All that it says, without its controls."""
        return shown(self.view.blocks, self.person.workspace.name_of).text

    @property
    def is_open(self) -> bool:
        """Whether it is still there."""
        return self.view.is_open

    async def opens(self, label: str) -> Modal:
        """Press a button that opens a modal, and wait for the modal."""
        return await opened_by(self, label)

    def _lines(self) -> list[str]:
        names = self.person.workspace.name_of
        lines: list[str] = []
        for block in self.view.blocks:
            lines += lines_of([block], self.held, names)
            if block["block_id"] in self.view.errors:
                lines.append(f"  ⚠ {self.view.errors[block['block_id']]}")
        return lines


class Home(Sheet):
    """The App Home; `str()` draws it."""

    def __str__(self) -> str:
        head = f"── {self.person.workspace.app.name}: Home of {self.person.name} ──"
        return "\n".join([head, *self._lines()])


class Modal(Sheet):
    """A modal; `str()` draws it."""

    @property
    def title(self) -> str:
        """What stands above it."""
        return self._text("title", "")

    @property
    def errors(self) -> dict[str, str]:
        """What stands below its fields, by their labels."""
        labels = {one.key[0]: one.label for one in self.controls}
        return {labels[block_id]: text for block_id, text in self.view.errors.items()}

    @property
    def missing(self) -> list[str]:
        """The fields without which it cannot be submitted."""
        return [
            one.label
            for one in self.controls
            if one.is_required and is_empty(self.held.get(one.key, one.empty()))
        ]

    def fills(self, values: Mapping[str, Any] | None = None, /, **more: Any) -> Modal:
        """Fill fields in, by their labels: `fills({"Your name": "Ada"}, City="Berlin")`.

        Words into fields, labels of options into selects, dates, people, files as (name, content);
        a list where there can be several.
        """
        self._fills({**(values or {}), **more})
        return self

    def submits(self) -> Interaction:
        """Press Submit. Raises AssertionError where Slack's own client would not send it."""
        assert self.is_open, f"{self.title!r} is not open any more"
        assert "submit" in self.view.definition, f"{self.title!r} has no Submit"
        assert not self.missing, f"{self.title!r} lacks {self.missing}"
        for control in self.controls:
            fault = "" if control.is_clicked else faults_of(control, self.held.get(control.key, {}))
            assert not fault, f"{control.label!r} needs {fault}"
        self.view.errors = {}
        payload = payloads.view_submission(self.person, self.view)
        made = Interaction("view_submission", self.person, payload, view=self.view)
        return self.person.world.delivery.ask(made)

    def closes(self, *, every: bool = False) -> list[Interaction]:
        """Close it; `every` closes all modals of the stack. The bot is told where it asked to be.

        A modal below comes to the front again, unless the closed one has clear_on_close.
        """
        clears = every or bool(self.view.definition.get("clear_on_close"))
        told = []
        for view in closed(self.view, every=clears):
            if view.definition.get("notify_on_close"):
                payload = payloads.view_closed(self.person, view, is_cleared=clears)
                made = Interaction("view_closed", self.person, payload, view=view)
                told.append(self.person.world.delivery.ask(made))
        return told

    def _text(self, field: str, default: str) -> str:
        text: Json | None = self.view.definition.get(field)
        return text_of(text, self.person.workspace.name_of).text if text else default

    def __str__(self) -> str:
        buttons = [f"[ {self._text('close', 'Cancel')} ]"]
        if "submit" in self.view.definition:
            buttons.append(f"[ {self._text('submit', 'Submit')} ]")
        lines = [f"┌ {self.title}", *(f"│ {line}" for line in self._lines())]
        return "\n".join([*lines, f"└ {' '.join(buttons)}"])


async def opened_by(surface: Surface, label: str) -> Modal:
    """Press a button that opens a modal, and wait for the modal."""
    person = surface.person
    before = person.views[-1] if person.views else None
    clicked = surface.clicks(label)
    await person.world.until(
        lambda: clicked.problem or (person.views and person.views[-1] is not before),
        f"a modal behind {label!r}",
    )
    assert not clicked.problem, f"{clicked!r}: {clicked.problem}"
    return person.modal
