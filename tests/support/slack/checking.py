"""Is a message or a view what Block Kit allows? Each block by its shape, then all together."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tests.support.slack.blocks import BLOCK, MARKDOWN_LIMIT
from tests.support.slack.errors import ApiError, Json, invalid_blocks, invalid_view, violates
from tests.support.slack.objects import OPTION_GROUPS, OPTION_LIMIT, PLAIN, exactly_one, option
from tests.support.slack.schema import Anything, Flag, Items, Report, Rule, Shape, String, Text

MESSAGE_BLOCK_LIMIT = 50
VIEW_BLOCK_LIMIT = 100
CHARACTERS_LIMIT = 13_200
"""Seen, not documented: what all blocks of a message may have together (bolt-js issue 2509)."""
VIEW_BYTES_LIMIT = 250_000
METADATA_LIMIT = 3000
TITLE_LIMIT = 24
ID_LIMIT = 255

_ELEMENT_KEYS = ("elements", "element", "accessory", "actions")

_VIEW_FIELDS: dict[str, Rule] = {
    "blocks": Items(BLOCK, VIEW_BLOCK_LIMIT, 1),
    "private_metadata": String(METADATA_LIMIT),
    "callback_id": String(ID_LIMIT),
    "external_id": String(ID_LIMIT),
}
_VIEWS: dict[str, Rule] = {
    "modal": Shape(
        {
            **_VIEW_FIELDS,
            "title": Text(TITLE_LIMIT, PLAIN),
            "submit": Text(TITLE_LIMIT, PLAIN),
            "close": Text(TITLE_LIMIT, PLAIN),
            "clear_on_close": Flag(),
            "notify_on_close": Flag(),
        },
        required=("title", "blocks"),
    ),
    "home": Shape(_VIEW_FIELDS, required=("blocks",)),
}


def check_message_blocks(blocks: list[Json]) -> None:
    """Raise ApiError (a violation) when these are no blocks of a message."""
    report = Report("message")
    Items(BLOCK, MESSAGE_BLOCK_LIMIT).check(blocks, "/blocks", report)
    _check_together(blocks, "/blocks", report)
    if report.faults:
        raise invalid_blocks(report.faults)
    if sum(map(len, _strings(blocks, "text"))) > CHARACTERS_LIMIT:
        raise violates("msg_blocks_too_long")


def check_view(view: Any, *, kinds: tuple[str, ...] = ("modal",)) -> None:
    """Raise ApiError (a violation) when this is no view of one of these kinds."""
    report = Report()
    Anything().check(view, "/view", report)
    if report.faults:
        raise invalid_view(report.faults)
    kind = view.get("type")
    if kind not in kinds:
        raise invalid_view([f"unsupported type: {kind} [json-pointer:/view/type]"])
    report.surface = kind
    _VIEWS[kind].check(view, "/view", report)
    if isinstance(view.get("blocks"), list):
        _check_together(view["blocks"], "/view/blocks", report)
        if kind == "modal":
            _check_submit(view, report)
    if report.faults:
        raise invalid_view(report.faults)
    if len(json.dumps(view).encode()) > VIEW_BYTES_LIMIT:
        raise violates("view_too_large")


def check_options(answer: Any) -> list[str]:
    """What is wrong with a bot's answer to a search in an external select."""

    report = Report()
    shape = Shape(
        {"options": Items(option(), OPTION_LIMIT), "option_groups": OPTION_GROUPS},
        also=exactly_one("options", "option_groups"),
    )
    shape.check(answer, "", report)
    return report.faults


def _check_submit(view: Json, report: Report) -> None:
    for number, block in enumerate(view["blocks"]):
        if isinstance(block, dict) and block.get("type") == "input" and "submit" not in view:
            why = "must define `submit` to use an `input` block in modals"
            report.add(why, f"/view/blocks/{number}/input")


def _check_together(blocks: list[Any], at: str, report: Report) -> None:
    """What no block shows by itself: identifiers that are there twice, and sums."""
    _check_unique(blocks, at, report)
    markdown = [one.get("text") for one in blocks if _is(one, "markdown")]
    if sum(len(text) for text in markdown if isinstance(text, str)) > MARKDOWN_LIMIT:
        report.add(f"markdown blocks must be less than {MARKDOWN_LIMIT + 1} characters", at)
    focused = [one for one in _objects(blocks) if one.get("focus_on_load") is True]
    if len(focused) > 1:
        report.add("only one element can be focused on load", at)
    if report.surface != "modal":
        for number, block in enumerate(blocks):
            if _is(block, "input") and _is(block.get("element"), "file_input"):
                report.add("unsupported type: file_input", f"{at}/{number}/element/type")


def _check_unique(blocks: list[Any], at: str, report: Report) -> None:
    seen: set[str] = set()
    for number, block in enumerate(blocks):
        if not isinstance(block, dict):
            continue
        block_id = block.get("block_id")
        if isinstance(block_id, str) and block_id in seen:
            report.add(f'`block_id` "{block_id}" already exists', f"{at}/{number}/block_id")
        seen.add(str(block_id))
        actions: set[str] = set()
        for place, element in elements_of(block):
            action_id = element.get("action_id")
            if isinstance(action_id, str) and action_id in actions:
                why = f'`action_id` "{action_id}" already exists for another element'
                report.add(why, f"{at}/{number}/{place}/action_id")
            actions.add(str(action_id))


def elements_of(block: Json) -> Iterator[tuple[str, Json]]:
    """The elements of a block with their places in it: "elements/2", "accessory"..."""
    if block.get("type") == "rich_text":
        return
    for key in _ELEMENT_KEYS:
        held = block.get(key)
        if isinstance(held, dict) and "type" in held:
            yield key, held
        elif isinstance(held, list):
            for number, one in enumerate(held):
                if isinstance(one, dict):
                    yield f"{key}/{number}", one


def _is(value: Any, kind: str) -> bool:
    return isinstance(value, dict) and value.get("type") == kind


def _objects(value: Any) -> Iterator[Json]:
    if isinstance(value, dict):
        yield value
        for one in value.values():
            yield from _objects(one)
    elif isinstance(value, list):
        for one in value:
            yield from _objects(one)


def _strings(value: Any, key: str) -> Iterator[str]:
    for one in _objects(value):
        if isinstance(one.get(key), str):
            yield one[key]


def faults_of(blocks: list[Json]) -> list[str]:
    """What is wrong with the blocks of a message; nothing when Slack takes them."""
    try:
        check_message_blocks(blocks)
    except ApiError as error:
        return error.messages or [error.error]
    return []


def view_faults_of(view: Any) -> list[str]:
    """What is wrong with a modal or a home view; nothing when Slack takes it."""
    try:
        check_view(view, kinds=("modal", "home"))
    except ApiError as error:
        return error.messages or [error.error]
    return []
