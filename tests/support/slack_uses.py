"""Whatever can be done with the controls of a card and of a window, by one random number generator:
as a person's client does it, and as one does that was changed, or has not heard of an update."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.support.slack.choosing import faults_of
from tests.support.slack.controls import TYPED, Control
from tests.support.slack.errors import Json
from tests.support.slack.interactions import Interaction
from tests.support.slack.modals import Modal
from tests.support.slack.payloads import action_of
from tests.support.slack.surfaces import Surface

DAYS = ("2026-12-24", "2026-12-31", "2020-01-01")
TIMES = ("19:00", "23:59")
QUERIES = ("old", "river", "nowhere")
PHOTO = ("crowd.jpg", b"\xff\xd8\xff\xe0 a photo")
_MOST = 3000
"""Characters that a field takes which names no limit of its own."""


async def use(surface: Surface, control: Control, random: Random) -> Interaction | None:
    """Use a control as its client does; None where it finds nothing to choose."""
    label = control.names[-1] if control.names else ""
    match control.kind:
        case "button":
            return surface.clicks(label)
        case "overflow":
            return surface.clicks(random.choice(control.labels))
        case "datepicker":
            return surface.picks_date(label, random.choice(DAYS))
        case "timepicker":
            return surface.picks_time(label, random.choice(TIMES))
        case "external_select":
            found = await surface.searches(label, random.choice(QUERIES))
            return surface.selects(label, random.choice(found)) if found else None
        case "checkboxes" | "multi_static_select":
            labels = control.labels
            return surface.selects(label, *random.sample(labels, random.randint(0, len(labels))))
        case "static_select" | "radio_buttons":
            return surface.selects(label, random.choice(control.labels))
    raise AssertionError(f"nobody knows how to use {control.kind}")


def forged(control: Control, random: Random, ts: str, **more: Any) -> Json:
    """The action that a use of a control comes to, wherever it stands by now."""
    return {**action_of(control, _held(control, random), ts), **more}


def _held(control: Control, random: Random) -> Json:
    found = {"text": {"type": "plain_text", "text": "Old Mill"}, "value": "r0 old"}
    match control.kind:
        case "datepicker":
            return control.holding(random.choice(DAYS))
        case "timepicker":
            return control.holding(random.choice(TIMES))
        case "external_select":
            return control.holding(found)
        case "static_select" | "radio_buttons":
            return control.holding(random.choice(control.options))
        case "checkboxes" | "multi_static_select":
            return control.holding(control.options)
        case "overflow":
            return {"selected_option": random.choice(control.options)}
    return {}


def tells(control: Control) -> bool:
    """Whether something comes of using it alone, without another button that sends it."""
    return control.kind not in ("checkboxes", "multi_static_select")


def fill(modal: Modal, words: str, random: Random) -> bool:
    """Fill a window in with these words wherever they can be typed; whether it can be sent then."""
    for control in modal.controls:
        if control.kind == "file_input":
            modal.fills({control.label: [PHOTO]})
        elif control.kind in TYPED and random.random() < 0.9:
            most = int(control.element.get("max_length", _MOST))
            modal.fills({control.label: words[:most]})
    controls = [one for one in modal.controls if not one.is_clicked]
    faults = [faults_of(one, modal.held.get(one.key, one.empty())) for one in controls]
    return not modal.missing and not any(faults)
