"""What the bot's acknowledgement of an interaction does, and whether Slack takes it."""

from __future__ import annotations

from typing import Any

from tests.support.slack.checking import check_options, check_view
from tests.support.slack.errors import ApiError, Json
from tests.support.slack.hooks import posted
from tests.support.slack.interactions import Interaction
from tests.support.slack.views import closed, pushed, updated

TROUBLE = "We had some trouble connecting. Try again?"


class Untaken(Exception):
    """Slack does not take this acknowledgement: its client shows the trouble it had."""


def apply(interaction: Interaction) -> None:
    """Let the acknowledgement have its effect. Raises Untaken."""
    match interaction.kind:
        case "view_submission":
            _submitted(interaction)
        case "block_suggestion":
            _suggested(interaction)
        case "slash_commands":
            _commanded(interaction)


def _suggested(interaction: Interaction) -> None:
    faults = check_options(interaction.body)
    if faults:
        raise Untaken(f"options: {'; '.join(faults)}")
    groups = interaction.body.get("option_groups", [])
    interaction.found = [
        *interaction.body.get("options", []),
        *(one for group in groups for one in group["options"]),
    ]


def _commanded(interaction: Interaction) -> None:
    body = interaction.body
    if not body:
        return
    answer = body if isinstance(body, dict) else {"text": str(body)}
    assert interaction.channel is not None
    try:
        interaction.reply = posted(interaction.person, interaction.channel, answer)
    except ApiError as error:
        raise Untaken(error.told) from error


def _submitted(interaction: Interaction) -> None:
    view = interaction.view
    assert view is not None
    body: Any = interaction.body
    if body in (None, "", {}):
        if view.is_open:
            closed(view)
        return
    if not isinstance(body, dict) or "response_action" not in body:
        raise Untaken(f"{body!r:.80} is no answer to a view_submission")
    try:
        _respond(interaction, body)
    except ApiError as error:
        raise Untaken(error.told) from error


def _respond(interaction: Interaction, body: Json) -> None:
    view = interaction.view
    assert view is not None
    match body["response_action"]:
        case "clear":
            if view.is_open:
                closed(view, every=True)
        case "errors":
            _show_errors(interaction, body.get("errors"))
        case "update":
            check_view(body.get("view"))
            interaction.then = updated(view, body["view"])
        case "push":
            check_view(body.get("view"))
            interaction.then = pushed(interaction.person, body["view"])
        case other:
            raise Untaken(f"response_action {other!r} is unknown")


def _show_errors(interaction: Interaction, errors: Any) -> None:
    view = interaction.view
    assert view is not None
    inputs = {block["block_id"] for block in view.blocks if block["type"] == "input"}
    if not isinstance(errors, dict) or not errors:
        raise Untaken("response_action errors without errors")
    unknown = sorted(set(errors) - inputs)
    if unknown:
        raise Untaken(f"errors for {unknown}, which are no input blocks of the view")
    if not all(isinstance(text, str) and text for text in errors.values()):
        raise Untaken("an error is a text that is not empty")
    view.errors = dict(errors)
    view.person.workspace.world.touch()
