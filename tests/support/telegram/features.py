"""What a Bot API server may be too old for, and how an old one behaves.

An old server has no such method (404), and does not see a parameter or a field that it does not
know: that is silently left out, which can be worse than an error (an ephemeral message that
everybody sees).
"""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum
from typing import Any

from tests.support.telegram.errors import Json


class Feature(StrEnum):
    """One thing that came late."""

    DRAFTS = "drafts"
    RICH = "rich messages"
    EPHEMERAL = "ephemeral messages"
    DISABLED_BUTTONS = "disabled buttons"
    STOP_BUTTON = "stop button of drafts"


API_10_0 = frozenset(
    {Feature.RICH, Feature.EPHEMERAL, Feature.DISABLED_BUTTONS, Feature.STOP_BUTTON}
)
"""What Bot API 10.0 lacks, which is what python-telegram-bot 22.8 speaks."""

PLAIN = frozenset(Feature)
"""What a server lacks that knows plain messages and inline keyboards only."""

_METHODS = {
    Feature.DRAFTS: ("sendMessageDraft", "sendRichMessageDraft"),
    Feature.RICH: ("sendRichMessage", "sendRichMessageDraft"),
    Feature.EPHEMERAL: (
        "editEphemeralMessageText",
        "editEphemeralMessageCaption",
        "editEphemeralMessageMedia",
        "editEphemeralMessageReplyMarkup",
        "deleteEphemeralMessage",
    ),
}
_PARAMETERS = {
    Feature.RICH: ("rich_message",),
    Feature.EPHEMERAL: ("ephemeral_message_parameters", "receiver_user_id"),
    Feature.STOP_BUTTON: ("can_stop", "keep_on_stop"),
}


def is_unknown(method: str, lacks: Collection[Feature]) -> bool:
    """Whether a server that lacks these has no such method; its name's case does not matter."""
    return any(
        method.lower() == name.lower() for feature in lacks for name in _METHODS.get(feature, ())
    )


def unseen(raw: Json, lacks: Collection[Feature]) -> Json:
    """The parameters that such a server sees."""
    left_out = {name for feature in lacks for name in _PARAMETERS.get(feature, ())}
    return {name: value for name, value in raw.items() if name not in left_out}


def without_disabled(parameters: Json) -> Json:
    """Parameters as a server sees them that has no disabled buttons: without that field."""
    return {name: _without_disabled(value) for name, value in parameters.items()}


def _without_disabled(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_disabled(one) for key, one in value.items() if key != "disabled"}
    if isinstance(value, list):
        return [_without_disabled(one) for one in value]
    return value
