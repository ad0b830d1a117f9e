"""The controls in blocks as people see them: their labels, their options, and what they hold.

What a control holds is kept as Slack keeps it in a view's `state.values`: by block_id and
action_id, which is why a control keeps its value through an update that changes neither.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tests.support.slack.checking import elements_of
from tests.support.slack.errors import Json
from tests.support.slack.text import Names, decoded, escaped, mrkdwn, plain

Key = tuple[str, str]
"""A control's block_id and action_id."""
State = dict[Key, Json]
"""What the controls of a message or a view hold, for one person."""

TYPED = ("plain_text_input", "email_text_input", "url_text_input", "number_input")
SINGLE = ("static_select", "external_select", "radio_buttons")
SEVERAL = ("multi_static_select", "multi_external_select", "checkboxes")
CLICKED = ("button", "overflow", "workflow_button", "icon_button", "feedback_buttons")
HELD_AS: dict[str, str] = {
    **dict.fromkeys(TYPED, "value"),
    **dict.fromkeys(SINGLE, "selected_option"),
    **dict.fromkeys(SEVERAL, "selected_options"),
    "datepicker": "selected_date",
    "timepicker": "selected_time",
    "datetimepicker": "selected_date_time",
    "users_select": "selected_user",
    "multi_users_select": "selected_users",
    "conversations_select": "selected_conversation",
    "multi_conversations_select": "selected_conversations",
    "channels_select": "selected_channel",
    "multi_channels_select": "selected_channels",
    "rich_text_input": "rich_text_value",
    "file_input": "files",
}
"""The name under which each kind of control keeps what it holds."""
_LISTS = (*SEVERAL, "file_input", *(kind for kind in HELD_AS if kind.startswith("multi_")))


@dataclass(frozen=True)
class Control:
    """A control: its block and its element."""

    block: Json
    element: Json
    label: str
    names: tuple[str, ...]

    @property
    def kind(self) -> str:
        """The type of the element."""
        return str(self.element["type"])

    @property
    def key(self) -> Key:
        """Where its value is kept."""
        return str(self.block["block_id"]), str(self.element["action_id"])

    @property
    def is_clicked(self) -> bool:
        """Whether it is a button or a menu of buttons, and holds nothing."""
        return self.kind in CLICKED

    @property
    def in_input(self) -> bool:
        """Whether it stands in an input block: it acts only if the block dispatches actions."""
        return bool(self.block["type"] == "input")

    @property
    def acts(self) -> bool:
        """Whether using it is told to the bot at once."""
        return not self.in_input or bool(self.block.get("dispatch_action"))

    @property
    def is_required(self) -> bool:
        """Whether a view cannot be submitted without it."""
        return self.in_input and not bool(self.block.get("optional"))

    @property
    def options(self) -> list[Json]:
        """What can be chosen, for a control that brings its options along."""
        groups = [group["options"] for group in self.element.get("option_groups", [])]
        return [*self.element.get("options", []), *(one for group in groups for one in group)]

    @property
    def labels(self) -> list[str]:
        """What can be chosen, as a person reads it."""
        return [label_of(one) for one in self.options]

    def chosen(self, label: str, others: Sequence[Json] = ()) -> Json:
        """The option with this label; `others` are those that a search found."""
        for one in [*self.options, *others]:
            if label_of(one) == label:
                return one
        offered = [label_of(one) for one in [*self.options, *others]]
        raise AssertionError(f"{self.label!r} has no option {label!r}, but {offered}")

    def empty(self) -> Json:
        """What it holds before anybody used it: its initial value."""
        element, name = self.element, HELD_AS[self.kind]
        first: Any = [] if self.kind in _LISTS else None
        initial = name.replace("selected_", "initial_").replace("rich_text_value", "initial_value")
        initial = "initial_value" if name == "value" else initial
        return {"type": self.kind, name: element.get(initial, first)}

    def holding(self, value: Any) -> Json:
        """What it holds when this was chosen or typed, in Slack's own form."""
        return {"type": self.kind, HELD_AS[self.kind]: value}


def label_of(option: Json) -> str:
    """The text of an option, a button or another thing with a text object."""
    text = option.get("text", {})
    if text.get("type") == "mrkdwn":
        return mrkdwn(text["text"], _unnamed).text
    return plain(text.get("text", "")).text


def _unnamed(_: str) -> str | None:
    return None


def controls_in(blocks: Iterable[Json], names: Names = _unnamed) -> list[Control]:
    """All controls, in the order in which a person meets them."""
    return [control for block in blocks for control in _controls_of(block, names)]


def _controls_of(block: Json, names: Names) -> Iterator[Control]:
    for child in block.get("child_blocks", []):
        yield from _controls_of(child, names)
    if block["type"] == "carousel":
        for card in block["elements"]:
            yield from _controls_of(card, names)
        return
    for _, element in elements_of(block):
        if element["type"] not in HELD_AS and element["type"] not in CLICKED:
            continue
        found = tuple(_names_of(block, element, names))
        yield Control(block, element, found[0] if found else element["action_id"], found)


def _names_of(block: Json, element: Json, names: Names) -> Iterator[str]:
    """What a person may call a control, the best name first."""
    if block["type"] == "input":
        yield plain(block["label"]["text"]).text
    if element["type"] in ("button", "workflow_button", "icon_button"):
        yield label_of(element)
        if "accessibility_label" in element:
            yield str(element["accessibility_label"])
        return
    if element["type"] == "feedback_buttons":
        yield label_of(element["positive_button"])
        yield label_of(element["negative_button"])
        return
    if "placeholder" in element:
        yield plain(element["placeholder"]["text"]).text
    if block["type"] == "section" and "text" in block:
        yield mrkdwn(block["text"]["text"], names).text
    if element["type"] == "overflow":
        yield "…"


def find(controls: Sequence[Control], label: str, *kinds: str) -> Control | None:
    """The control that a person calls so, among these kinds (all, when none is named)."""
    fitting = [one for one in controls if not kinds or one.kind in kinds]
    named = [one for one in fitting if label in one.names]
    if named:
        return named[0]
    return fitting[0] if not label and len(fitting) == 1 else None


def state_of(controls: Iterable[Control], held: State) -> Json:
    """`state.values` as payloads have it."""
    values: Json = {}
    for control in controls:
        if control.is_clicked:
            continue
        block_id, action_id = control.key
        values.setdefault(block_id, {})[action_id] = held.get(control.key, control.empty())
    return {"values": values}


def kept(controls: Iterable[Control], held: State) -> State:
    """What is left of what people typed, after an update: controls with both of their ids."""
    now = {control.key: control.kind for control in controls if not control.is_clicked}
    return {key: value for key, value in held.items() if now.get(key) == value["type"]}


def is_empty(value: Json) -> bool:
    """Whether a control holds nothing."""
    held = value[HELD_AS[value["type"]]]
    return held is None or held in ("", [])


def with_ids(blocks: list[Json], count: int) -> list[Json]:
    """The blocks as Slack stores them: each with a block_id, each control with an action_id."""
    stored = []
    for number, block in enumerate(blocks):
        one = _copy(block)
        one.setdefault("block_id", f"b{count}.{number}")
        for place, element in elements_of(one):
            if element["type"] in HELD_AS or element["type"] in CLICKED:
                element.setdefault("action_id", f"a{count}.{number}.{place}")
        one["child_blocks"] = with_ids(one.get("child_blocks", []), count)
        if not one["child_blocks"]:
            del one["child_blocks"]
        stored.append(one)
    return stored


def _copy(value: Any) -> Any:
    """A copy in which every text has its control characters as entities, as Slack gives it back.

    slackapi/bolt-python issue 513: "Answer & 1" comes back as "Answer &amp; 1".
    """
    if isinstance(value, list):
        return [_copy(one) for one in value]
    if not isinstance(value, dict):
        return value
    copy = {name: _copy(one) for name, one in value.items()}
    if copy.get("type") == "plain_text" and isinstance(copy.get("text"), str):
        return {**copy, "text": _stored(copy["text"]), "emoji": copy.get("emoji", True)}
    if copy.get("type") == "mrkdwn" and isinstance(copy.get("text"), str):
        return {**copy, "text": _ampersands(copy["text"]), "verbatim": copy.get("verbatim", False)}
    return copy


def _stored(text: str) -> str:
    return escaped(decoded(text))


def _ampersands(text: str) -> str:
    return re.sub(r"&(?!amp;|lt;|gt;)", "&amp;", text)
