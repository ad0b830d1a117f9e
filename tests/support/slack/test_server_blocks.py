"""What is no Block Kit is refused with the place of the fault; other people's models agree."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest
from slack_sdk.errors import SlackObjectFormationError
from slack_sdk.models.blocks import (
    Block,
    BlockElement,
    ConfirmObject,
    Option,
    OptionGroup,
    block_elements,
    blocks,
)
from slack_sdk.models.views import View

from tests.support.slack.blocks import BLOCKS, SURFACES
from tests.support.slack.checking import check_options, faults_of, view_faults_of
from tests.support.slack.elements import ELEMENTS
from tests.support.slack.errors import Json
from tests.support.slack.objects import CONFIRM, OPTION_GROUPS, option
from tests.support.slack.schema import Items, OneOf, Rule, Shape, String, Text, Whole

slackblocks = pytest.importorskip("slackblocks", reason="pip install slackblocks")


def plain(text: str) -> Json:
    return {"type": "plain_text", "text": text}


def mrkdwn(text: str) -> Json:
    return {"type": "mrkdwn", "text": text}


def choice(text: str, value: str = "v") -> Json:
    return {"text": plain(text), "value": value}


def choices(count: int) -> list[Json]:
    return [choice(f"Choice {number}", f"v{number}") for number in range(count)]


def button(text: str = "Go", **more: Any) -> Json:
    return {"type": "button", "text": plain(text), **more}


def actions(*elements: Json) -> Json:
    return {"type": "actions", "elements": list(elements)}


def section(text: str = "Hi", **more: Any) -> Json:
    return {"type": "section", "text": mrkdwn(text), **more}


def field(element: Json, label: str = "Name", **more: Any) -> Json:
    return {"type": "input", "label": plain(label), "element": element, **more}


def modal(*held: Json, **more: Any) -> Json:
    return {"type": "modal", "title": plain("Event"), "blocks": list(held), **more}


SELECT = {"type": "static_select", "options": choices(2)}
TYPED = {"type": "plain_text_input"}

GOOD = {
    "section": section("x" * 3000),
    "fields": {"type": "section", "fields": [*[plain("x")] * 9, plain("x" * 2000)]},
    "accessory": section(accessory=button("x" * 75, value="v" * 2000, action_id="a" * 255)),
    "header": {"type": "header", "text": plain("x" * 150)},
    "divider": {"type": "divider", "block_id": "b" * 255},
    "context": {"type": "context", "elements": [mrkdwn("x")] * 10},
    "actions": actions(*(button(action_id=f"a{number}") for number in range(25))),
    "select": actions({**SELECT, "options": choices(100), "placeholder": plain("x" * 150)}),
    "groups": actions(
        {"type": "static_select", "option_groups": [{"label": plain("A"), "options": choices(3)}]}
    ),
    "long option": actions(
        {"type": "static_select", "options": [choice("x" * 75, "v" * 150)]},
    ),
    "checkboxes": actions({"type": "checkboxes", "options": choices(10)}),
    "mrkdwn radio": actions(
        {"type": "radio_buttons", "options": [{"text": mrkdwn("*x*"), "value": "v"}]}
    ),
    "initial": actions({**SELECT, "initial_option": choice("Choice 1", "v1")}),
    "overflow": actions({"type": "overflow", "options": choices(5)}),
    "pickers": actions(
        {"type": "datepicker", "initial_date": "2027-02-28"},
        {"type": "timepicker", "initial_time": "23:59", "timezone": "Europe/Berlin"},
        {"type": "datetimepicker", "initial_date_time": 1_800_000_000},
    ),
    "people": actions({"type": "users_select"}, {"type": "conversations_select"}),
    "external": actions({"type": "external_select", "min_query_length": 0}),
    "confirm": actions(
        button(
            confirm={
                "title": plain("x" * 100),
                "text": mrkdwn("x" * 300),
                "confirm": plain("x" * 30),
                "deny": plain("x" * 30),
                "style": "danger",
            }
        )
    ),
    "input": field({**TYPED, "max_length": 3000}, "x" * 2000, hint=plain("x" * 2000)),
    "multi select": field({"type": "multi_static_select", "options": choices(2)}),
    "image": {"type": "image", "image_url": "https://a.example/x.png", "alt_text": "x"},
    "markdown": {"type": "markdown", "text": "x" * 12_000},
    "table": {"type": "table", "rows": [[{"type": "raw_text", "text": "x"}] * 20] * 100},
    "rich text": {
        "type": "rich_text",
        "elements": [
            {"type": "rich_text_section", "elements": [{"type": "text", "text": "x"}]},
            {
                "type": "rich_text_list",
                "style": "bullet",
                "elements": [{"type": "rich_text_section", "elements": []}],
            },
        ],
    },
    "feedback": {
        "type": "context_actions",
        "elements": [
            {
                "type": "feedback_buttons",
                "positive_button": {"text": plain("Good"), "value": "1"},
                "negative_button": {"text": plain("Bad"), "value": "0"},
            }
        ],
    },
    "task": {"type": "task_card", "task_id": "1", "title": "Look", "status": "complete"},
    "plan": {"type": "plan", "title": "Plan", "tasks": []},
    "card": {"type": "card", "title": plain("x" * 150), "actions": [button()] * 3},
}

BAD: dict[str, tuple[Json, str]] = {
    "long section": (section("x" * 3001), "less than 3001 characters [json-pointer:/blocks/0/text"),
    "empty text": (section(""), "more than 0 characters"),
    "no text": ({"type": "section"}, "must define either `text` or `fields`"),
    "eleven fields": ({"type": "section", "fields": [plain("x")] * 11}, "no more than 10 items"),
    "long field": ({"type": "section", "fields": [plain("x" * 2001)]}, "less than 2001"),
    "long header": ({"type": "header", "text": plain("x" * 151)}, "less than 151"),
    "mrkdwn header": ({"type": "header", "text": mrkdwn("x")}, "unsupported type: mrkdwn"),
    "emoji in mrkdwn": (section() | {"text": {**mrkdwn("x"), "emoji": True}}, "property: emoji"),
    "text for an object": ({"type": "header", "text": "x"}, "must provide an object"),
    "26 buttons": (actions(*[button()] * 26), "no more than 25 items"),
    "no buttons": (actions(), "no fewer than 1 items"),
    "11 in a context": ({"type": "context", "elements": [plain("x")] * 11}, "no more than 10"),
    "button in a context": ({"type": "context", "elements": [button()]}, "type: button"),
    "long button": (actions(button("x" * 76)), "less than 76"),
    "mrkdwn button": (actions({"type": "button", "text": mrkdwn("x")}), "type: mrkdwn"),
    "long value": (actions(button(value="v" * 2001)), "less than 2001"),
    "unknown style": (actions(button(style="pretty")), "valid enum value"),
    "long action_id": (actions(button(action_id="a" * 256)), "less than 256"),
    "number as value": (actions(button(value=7)), "must provide a string"),
    "unknown property": (actions(button(colour="red")), "invalid additional property: colour"),
    "no url": (actions(button(url="example")), "must match the expected format"),
    "long option": (actions({**SELECT, "options": [choice("x" * 76)]}), "less than 76"),
    "long option value": (
        actions({**SELECT, "options": [choice("x", "v" * 151)]}),
        "less than 151",
    ),
    "mrkdwn option": (
        actions({**SELECT, "options": [{"text": mrkdwn("x"), "value": "v"}]}),
        "type: mrkdwn",
    ),
    "101 options": (actions({**SELECT, "options": choices(101)}), "no more than 100"),
    "no options": (actions({"type": "static_select", "options": []}), "no fewer than 1"),
    "neither options nor groups": (actions({"type": "static_select"}), "exactly one of"),
    "null option": (actions({**SELECT, "initial_option": None}), "must provide an object"),
    "alien option": (actions({**SELECT, "initial_option": choice("No")}), "one of the options"),
    "eleven checkboxes": (
        actions({"type": "checkboxes", "options": choices(11)}),
        "no more than 10 items allowed [json-pointer:/blocks/0/elements/0/options]",
    ),
    "six in an overflow": (actions({"type": "overflow", "options": choices(6)}), "more than 5"),
    "long placeholder": (actions({**SELECT, "placeholder": plain("x" * 151)}), "less than 151"),
    "no date": (actions({"type": "datepicker", "initial_date": "28.2.2027"}), "expected format"),
    "no time": (actions({"type": "timepicker", "initial_time": "5 pm"}), "expected format"),
    "milliseconds": (
        actions({"type": "datetimepicker", "initial_date_time": 1_800_000_000_000}),
        "less than or equal",
    ),
    "half a confirm": (actions(button(confirm={"title": plain("x")})), "required field: text"),
    "input element in actions": (actions(TYPED), "unsupported type: plain_text_input"),
    "date and time in a section": (section(accessory={"type": "datetimepicker"}), "unsupported"),
    "button in an input": (field(button()), "unsupported type: button"),
    "input without label": ({"type": "input", "element": TYPED}, "missing required field: label"),
    "long typed": (field({**TYPED, "max_length": 3001}), "less than or equal to 3000"),
    "file input in a message": (field({"type": "file_input"}), "unsupported type: file_input"),
    "no alt text": ({"type": "image", "image_url": "https://a.example/x"}, "field: alt_text"),
    "no type": ({"text": plain("x")}, "missing required field: type"),
    "unknown type": ({"type": "chips"}, "unsupported type: chips [json-pointer:/blocks/0/type]"),
    "long markdown": ({"type": "markdown", "text": "x" * 12_001}, "less than 12001"),
    "call": ({"type": "call", "call_id": "x"}, "unsupported type: call"),
    "21 columns": ({"type": "table", "rows": [[{"type": "raw_text", "text": "x"}] * 21]}, "20"),
    "same action_id": (actions(button(action_id="a"), button(action_id="a")), "already exists"),
}

BAD_VIEWS: dict[str, tuple[Json, str]] = {
    "input without submit": (
        modal(field(TYPED)),
        "must define `submit` to use an `input` block in modals [json-pointer:/view/blocks/0",
    ),
    "no blocks": (modal(), "no fewer than 1"),
    "101 blocks": (modal(*[section()] * 101), "no more than 100 items"),
    "long title": (modal(section()) | {"title": plain("x" * 25)}, "less than 25"),
    "long submit": (modal(section(), submit=plain("x" * 25)), "less than 25"),
    "long metadata": (modal(section(), private_metadata="x" * 3001), "less than 3001"),
    "long callback_id": (modal(section(), callback_id="x" * 256), "less than 256"),
    "no title": ({"type": "modal", "blocks": [section()]}, "required field: title"),
    "home with a submit": ({"type": "home", "blocks": [section()], "submit": plain("x")}, "submit"),
    "markdown": (modal({"type": "markdown", "text": "x"}), "unsupported type: markdown"),
    "unknown property": (modal(section(), size="big"), "additional property: size"),
    "unknown type": ({"type": "sheet"}, "unsupported type: sheet"),
    "no object": ({"type": "modal", "title": plain("x"), "blocks": {}}, "must provide an array"),
    "two in focus": (
        modal(
            field({**TYPED, "focus_on_load": True}),
            field({**TYPED, "focus_on_load": True}),
            submit=plain("Send"),
        ),
        "only one element can be focused",
    ),
}


@pytest.mark.parametrize("name", GOOD)
def test_what_block_kit_allows_is_taken(name: str) -> None:
    assert faults_of([GOOD[name]]) == []


@pytest.mark.parametrize("name", BAD)
def test_what_breaks_a_rule_is_refused_with_its_place(name: str) -> None:
    block, why = BAD[name]
    faults = faults_of([block])
    assert any(why in fault for fault in faults), faults
    assert all("[json-pointer:/blocks" in fault for fault in faults)


@pytest.mark.parametrize("name", BAD_VIEWS)
def test_a_view_that_breaks_a_rule_is_refused(name: str) -> None:
    view, why = BAD_VIEWS[name]
    faults = view_faults_of(view)
    assert any(why in fault for fault in faults), faults


def test_a_view_is_taken_up_to_its_limits() -> None:
    full = modal(
        *[section()] * 99,
        field({"type": "file_input", "max_files": 10}),
        submit=plain("x" * 24),
        close=plain("x" * 24),
        private_metadata="x" * 3000,
        callback_id="x" * 255,
        notify_on_close=True,
    )
    assert view_faults_of(full) == []
    assert view_faults_of({"type": "home", "blocks": [actions(button())]}) == []


def test_blocks_are_looked_at_together() -> None:
    assert "no more than 50" in faults_of([section()] * 51)[0]
    twice = [section(block_id="b"), section(block_id="b")]
    assert '`block_id` "b" already exists' in faults_of(twice)[0]
    assert faults_of([actions(button(action_id="a")), actions(button(action_id="a"))]) == []
    assert faults_of([section("x" * 3000)] * 4) == []
    assert faults_of([section("x" * 3000)] * 5) == ["msg_blocks_too_long"]
    halves = [{"type": "markdown", "text": "x" * 6001}] * 2
    assert "markdown blocks must be less than" in faults_of(halves)[0]


def test_an_answer_to_a_search_has_at_most_100_options() -> None:
    assert check_options({"options": []}) == []
    assert check_options({"options": choices(100)}) == []
    assert "no more than 100" in check_options({"options": choices(101)})[0]
    assert "less than 76" in check_options({"options": [choice("x" * 76)]})[0]
    assert check_options({"option_groups": [{"label": plain("A"), "options": choices(1)}]}) == []
    assert check_options({}) != []


# slack_sdk's models


def sdk_models(base: type[Any]) -> dict[str, type[Any]]:
    """The SDK's classes by the `type` of their JSON."""
    module = blocks if base is Block else block_elements
    found = {}
    for one in vars(module).values():
        kind = getattr(one, "type", None)
        if isinstance(one, type) and issubclass(one, base) and isinstance(kind, str):
            found[kind] = one
    return found


SDK_BLOCKS = sdk_models(Block)
SDK_ELEMENTS = sdk_models(BlockElement)
LEFT_OUT = {"auth_provider"}
"""Blocks of the SDK that this server does not know."""
NEWER = {"subtext", "slack_icon"}
"""Fields of a card that the SDK does not know yet."""
NOT_THE_SDKS = {"confirm", "alt_text", "placeholder", "focus_on_load", "style", "url", "language"}
"""Fields that the SDK's classes inherit from each other, whether Slack takes them or not."""


def fields_of(rule: Rule) -> set[str]:
    assert isinstance(rule, Shape)
    return set(rule.fields)


def sdk_fields(model: type[Any]) -> set[str]:
    """What the SDK's class puts into its JSON, beside the type."""
    return set(object.__new__(model).attributes) - {"type"}


@pytest.mark.parametrize("kind", sorted(set(SDK_BLOCKS) - LEFT_OUT))
def test_blocks_have_the_fields_of_the_sdk(kind: str) -> None:
    assert fields_of(BLOCKS[kind]) - NEWER == sdk_fields(SDK_BLOCKS[kind])


@pytest.mark.parametrize("kind", sorted(set(ELEMENTS) & set(SDK_ELEMENTS)))
def test_elements_have_the_fields_of_the_sdk(kind: str) -> None:
    theirs, mine = sdk_fields(SDK_ELEMENTS[kind]), fields_of(ELEMENTS[kind])
    assert mine ^ theirs <= NOT_THE_SDKS


def test_every_element_of_the_sdk_is_known() -> None:
    rich = {kind for kind in SDK_ELEMENTS if kind.startswith("rich_text_") and "input" not in kind}
    parts = {"text", "link", "emoji", "user", "channel", "team", "date", "usergroup", "broadcast"}
    assert set(SDK_ELEMENTS) - rich - parts - {"color"} <= set(ELEMENTS)
    assert set(SDK_BLOCKS) - LEFT_OUT <= set(BLOCKS)


@pytest.mark.parametrize("name", GOOD)
def test_the_sdk_takes_what_is_taken_here(name: str) -> None:
    block = Block.parse(GOOD[name])
    assert block is not None
    block.validate_json()


@pytest.mark.parametrize(
    "name",
    [*("long section", "no text", "eleven fields", "long header", "26 buttons", "11 in a context")],
)
def test_what_the_sdk_refuses_is_refused_here(name: str) -> None:
    block = Block.parse(BAD[name][0])
    assert block is not None
    with pytest.raises(SlackObjectFormationError):
        block.validate_json()


@pytest.mark.parametrize("name", ["long title", "long submit", "101 blocks", "long metadata"])
def test_views_that_the_sdk_refuses_are_refused_here(name: str) -> None:
    with pytest.raises(SlackObjectFormationError):
        View(**BAD_VIEWS[name][0]).validate_json()


def most(rule: Rule, *path: str) -> int | None:
    """The upper limit of a field in a rule."""
    for name in path:
        if isinstance(rule, Items):
            rule = rule.rule
        if isinstance(rule, OneOf):
            rule = rule.shapes[name]
        else:
            assert isinstance(rule, Shape)
            rule = rule.fields[name]
    assert isinstance(rule, Text | String | Items | Whole)
    return rule.most


def test_limits_are_those_of_the_sdk() -> None:
    sdk_button = block_elements.ButtonElement
    assert most(ELEMENTS["button"], "text") == sdk_button.text_max_length
    assert most(ELEMENTS["button"], "value") == sdk_button.value_max_length
    assert most(ELEMENTS["button"], "agent_prompt") == sdk_button.agent_prompt_max_length
    assert most(option(), "text") == Option.label_max_length
    assert most(option(), "value") == Option.value_max_length
    assert most(OPTION_GROUPS, "options") == OptionGroup.options_max_length
    assert most(CONFIRM, "text") == ConfirmObject.text_max_length
    assert most(BLOCKS["section"], "fields") == blocks.SectionBlock.fields_max_length
    assert most(BLOCKS["markdown"], "text") == blocks.MarkdownBlock.text_max_length
    assert most(BLOCKS["carousel"], "elements") == blocks.CarouselBlock.elements_max_length


# slackblocks' registry of limits


THEIR_LIMITS: dict[str, tuple[Rule, tuple[str, ...]]] = {
    "BUTTON_TEXT_MAX_LENGTH": (ELEMENTS["button"], ("text",)),
    "BUTTON_VALUE_MAX_LENGTH": (ELEMENTS["button"], ("value",)),
    "BUTTON_URL_MAX_LENGTH": (ELEMENTS["button"], ("url",)),
    "BUTTON_ACCESSIBILITY_LABEL_MAX_LENGTH": (ELEMENTS["button"], ("accessibility_label",)),
    "ACTION_ID_MAX_LENGTH": (ELEMENTS["button"], ("action_id",)),
    "BLOCK_ID_MAX_LENGTH": (BLOCKS["section"], ("block_id",)),
    "CONFIRMATION_TITLE_MAX_LENGTH": (CONFIRM, ("title",)),
    "CONFIRMATION_TEXT_MAX_LENGTH": (CONFIRM, ("text",)),
    "CONFIRMATION_CONFIRM_MAX_LENGTH": (CONFIRM, ("confirm",)),
    "CONFIRMATION_DENY_MAX_LENGTH": (CONFIRM, ("deny",)),
    "OPTION_TEXT_MAX_LENGTH": (option(), ("text",)),
    "OPTION_VALUE_MAX_LENGTH": (option(), ("value",)),
    "OPTION_DESCRIPTION_MAX_LENGTH": (option(), ("description",)),
    "OPTION_GROUP_LABEL_MAX_LENGTH": (OPTION_GROUPS, ("label",)),
    "OPTION_GROUP_OPTIONS_MAX_ITEMS": (OPTION_GROUPS, ("options",)),
    "SELECT_OPTIONS_MAX_ITEMS": (ELEMENTS["static_select"], ("options",)),
    "SELECT_OPTION_GROUPS_MAX_ITEMS": (ELEMENTS["static_select"], ("option_groups",)),
    "SELECT_PLACEHOLDER_MAX_LENGTH": (ELEMENTS["static_select"], ("placeholder",)),
    "OVERFLOW_OPTIONS_MAX_ITEMS": (ELEMENTS["overflow"], ("options",)),
    "CHECKBOXES_OPTIONS_MAX_ITEMS": (ELEMENTS["checkboxes"], ("options",)),
    "RADIO_BUTTONS_OPTIONS_MAX_ITEMS": (ELEMENTS["radio_buttons"], ("options",)),
    "FILE_INPUT_MAX_FILES_MAX": (ELEMENTS["file_input"], ("max_files",)),
    "PLAIN_TEXT_INPUT_MAX_LENGTH_MAX": (ELEMENTS["plain_text_input"], ("max_length",)),
    "PLAIN_TEXT_INPUT_MIN_LENGTH_MAX": (ELEMENTS["plain_text_input"], ("min_length",)),
    "ACTIONS_ELEMENTS_MAX_ITEMS": (BLOCKS["actions"], ("elements",)),
    "ALERT_TEXT_MAX_LENGTH": (BLOCKS["alert"], ("text",)),
    "CARD_TITLE_MAX_LENGTH": (BLOCKS["card"], ("title",)),
    "CARD_BODY_MAX_LENGTH": (BLOCKS["card"], ("body",)),
    "CARD_ACTIONS_MAX_ITEMS": (BLOCKS["card"], ("actions",)),
    "CONTAINER_CHILD_BLOCKS_MAX_ITEMS": (BLOCKS["container"], ("child_blocks",)),
    "CONTEXT_ELEMENTS_MAX_ITEMS": (BLOCKS["context"], ("elements",)),
    "CONTEXT_ACTIONS_ELEMENTS_MAX_ITEMS": (BLOCKS["context_actions"], ("elements",)),
    "TABLE_ROWS_MAX_ITEMS": (BLOCKS["table"], ("rows",)),
    "TABLE_COLUMN_SETTINGS_MAX_ITEMS": (BLOCKS["table"], ("column_settings",)),
    "HEADER_TEXT_MAX_LENGTH": (BLOCKS["header"], ("text",)),
    "IMAGE_ALT_TEXT_MAX_LENGTH": (BLOCKS["image"], ("alt_text",)),
    "IMAGE_TITLE_MAX_LENGTH": (BLOCKS["image"], ("title",)),
    "INPUT_LABEL_MAX_LENGTH": (BLOCKS["input"], ("label",)),
    "INPUT_HINT_MAX_LENGTH": (BLOCKS["input"], ("hint",)),
    "MARKDOWN_TEXT_MAX_LENGTH": (BLOCKS["markdown"], ("text",)),
    "PLAN_TASKS_MAX_ITEMS": (BLOCKS["plan"], ("tasks",)),
    "SECTION_TEXT_MAX_LENGTH": (BLOCKS["section"], ("text",)),
    "SECTION_FIELDS_MAX_ITEMS": (BLOCKS["section"], ("fields",)),
}


@pytest.mark.parametrize("name", THEIR_LIMITS)
def test_limits_are_those_of_slackblocks(name: str) -> None:
    theirs = import_module("slackblocks._limits")
    rule, path = THEIR_LIMITS[name]
    assert most(rule, *path) == getattr(theirs, name)


def test_surfaces_are_those_of_slackblocks() -> None:
    theirs = import_module("slackblocks._surfaces")
    for surface, kinds in theirs._BLOCK_TYPES_BY_SURFACE.items():
        unknown = {"data_visualization"}
        known_here_only = {"alert"} if surface == "message" else set()
        assert set(SURFACES[surface]) - known_here_only == set(kinds) - unknown


def test_what_slackblocks_builds_is_taken() -> None:
    built = slackblocks.Message(
        channel="#general",
        blocks=[
            slackblocks.HeaderBlock("Event"),
            slackblocks.SectionBlock(
                "*Berlin*", accessory=slackblocks.Button("Open", action_id="open", value="1")
            ),
            slackblocks.ActionsBlock(
                [
                    slackblocks.StaticSelectMenu(
                        action_id="kind",
                        placeholder="Kind",
                        options=[
                            slackblocks.Option(
                                slackblocks.Text("Talk", type_=slackblocks.TextType.PLAINTEXT),
                                "talk",
                            )
                        ],
                    )
                ]
            ),
            slackblocks.DividerBlock(),
        ],
    )
    assert faults_of(built.to_dict()["blocks"]) == []
