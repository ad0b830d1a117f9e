"""What people choose and type, in the form in which Slack's client keeps it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime, time
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from tests.support.slack.controls import SEVERAL, SINGLE, TYPED, Control
from tests.support.slack.errors import Json
from tests.support.slack.typed import delivered

if TYPE_CHECKING:
    from tests.support.slack.people import Person

_MAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
_ADDRESS = re.compile(r"https?://\S+\.\S+")
_NUMBER = re.compile(r"-?\d+(\.\d+)?")


def value_of(
    person: Person, control: Control, given: Sequence[Any], found: Sequence[Json] = ()
) -> Any:
    """What a control holds after this was given to it. Raises AssertionError for what it refuses.

    `found` are the options that a search found.
    """
    kind = control.kind
    if kind in SEVERAL or kind.startswith("multi_") or kind == "file_input":
        most = control.element.get("max_selected_items", control.element.get("max_files"))
        assert most is None or len(given) <= most, f"{control.label!r} takes {most}"
        return [_one(person, control, one, found) for one in given]
    if not given or given[0] is None:
        return None
    assert len(given) == 1, f"{control.label!r} takes one value"
    return _one(person, control, given[0], found)


def _one(person: Person, control: Control, given: Any, found: Sequence[Json]) -> Any:
    kind = control.kind
    if kind in SINGLE or kind in SEVERAL:
        return control.chosen(str(given), found)
    if kind in TYPED:
        return _typed(control, str(given))
    if kind == "rich_text_input":
        return delivered(str(given), person.workspace.id_of)[1][0]
    if kind == "file_input":
        name, content = given
        return person.workspace.stores(name, content, person).json()
    if kind in ("datepicker", "timepicker", "datetimepicker"):
        return _moment(person, kind, given)
    chosen = getattr(given, "id", given)
    if kind in ("users_select", "multi_users_select"):
        space = person.workspace
        known = {*space.people, space.bot_user_id}
        assert chosen in known, f"{chosen!r} is no member who can be picked"
    return chosen


def _moment(person: Person, kind: str, given: Any) -> Any:
    if kind == "datepicker":
        return (
            given.isoformat() if isinstance(given, date) else date.fromisoformat(given).isoformat()
        )
    if kind == "timepicker":
        at = given if isinstance(given, time) else time.fromisoformat(given)
        return at.strftime("%H:%M")
    moment = given if isinstance(given, datetime) else datetime.fromisoformat(given)
    zoned = moment if moment.tzinfo else moment.replace(tzinfo=ZoneInfo(person.tz))
    return int(zoned.timestamp())


def _typed(control: Control, text: str) -> str:
    """What was typed. Raises AssertionError where the client itself does not take it."""
    most = control.element.get("max_length", 3000)
    assert len(text) <= most, f"{control.label!r} takes {most} characters"
    return text


def faults_of(control: Control, held: Json) -> str:
    """Why the client does not send a form with this in it; nothing when it does."""
    value = held.get("value")
    if not isinstance(value, str) or not value:
        return ""
    least = control.element.get("min_length", 0)
    if len(value) < least:
        return f"at least {least} characters"
    checks = {
        "email_text_input": (_MAIL, "an email address"),
        "url_text_input": (_ADDRESS, "an address"),
        "number_input": (_NUMBER, "a number"),
    }
    pattern, called = checks.get(control.kind, (None, ""))
    return called if pattern is not None and not pattern.fullmatch(value) else ""
