"""slack_sdk's models and the registry of slackblocks agree with what is checked here."""

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

from tests.support.slack.block_samples import BAD, BAD_VIEWS, GOOD
from tests.support.slack.blocks import BLOCKS, SURFACES
from tests.support.slack.checking import faults_of
from tests.support.slack.elements import ELEMENTS
from tests.support.slack.objects import CONFIRM, OPTION_GROUPS, option
from tests.support.slack.schema import Items, OneOf, Rule, Shape, String, Text, Whole

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


@pytest.fixture
def slackblocks() -> Any:
    """The package slackblocks: for development only, and no test but these needs it."""
    return pytest.importorskip("slackblocks", reason="pip install slackblocks")


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
def test_limits_are_those_of_slackblocks(name: str, slackblocks: Any) -> None:
    theirs = import_module(f"{slackblocks.__name__}._limits")
    rule, path = THEIR_LIMITS[name]
    assert most(rule, *path) == getattr(theirs, name)


def test_surfaces_are_those_of_slackblocks(slackblocks: Any) -> None:
    theirs = import_module(f"{slackblocks.__name__}._surfaces")
    for surface, kinds in theirs._BLOCK_TYPES_BY_SURFACE.items():
        unknown = {"data_visualization"}
        known_here_only = {"alert"} if surface == "message" else set()
        assert set(SURFACES[surface]) - known_here_only == set(kinds) - unknown


def test_what_slackblocks_builds_is_taken(slackblocks: Any) -> None:
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
