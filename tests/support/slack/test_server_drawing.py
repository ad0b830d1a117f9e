"""How a person sees blocks: drawn in plain text, with all of their controls."""

from __future__ import annotations

from tests.support.slack.bare import Ask, actions, button, field, option, plain, section
from tests.support.slack.people import Person
from tests.support.slack.server import SlackServer
from tests.support.slack.sink import Sink


async def test_blocks_are_drawn(server: SlackServer, ada: Person, ask: Ask) -> None:
    picture = {"type": "image", "image_url": "https://a.example/b.png", "alt_text": "A bee"}
    rich = {
        "type": "rich_text",
        "elements": [
            {
                "type": "rich_text_section",
                "elements": [
                    {"type": "text", "text": "Ask "},
                    {"type": "user", "user_id": ada.id},
                ],
            },
            {
                "type": "rich_text_list",
                "style": "bullet",
                "elements": [
                    {
                        "type": "rich_text_section",
                        "elements": [{"type": "link", "url": "https://a.example", "text": "bees"}],
                    }
                ],
            },
        ],
    }
    cells = [{"type": "raw_text", "text": "Day"}, {"type": "raw_number", "value": 3}]
    feedback = {
        "type": "feedback_buttons",
        "action_id": "rated",
        "positive_button": {"text": plain("Good"), "value": "1"},
        "negative_button": {"text": plain("Bad"), "value": "0"},
    }
    blocks = [
        {"type": "header", "text": plain("An event")},
        section("*Bees*", fields=[plain("a"), plain("b")], accessory=picture),
        {"type": "context", "elements": [plain("step 2"), plain("of 9")]},
        {"type": "divider"},
        rich,
        {"type": "table", "rows": [cells]},
        {"type": "markdown", "text": "**Now** [look](https://a.example)"},
        {"type": "card", "title": plain("Room 1"), "actions": [button("Take", "take")]},
        {
            "type": "container",
            "title": plain("More"),
            "child_blocks": [section("inside")],
        },
        {"type": "context_actions", "elements": [feedback]},
        actions(
            button("Site", "site", url="https://a.example"),
            {"type": "overflow", "action_id": "menu", "options": [option("Edit"), option("Drop")]},
            {"type": "radio_buttons", "action_id": "size", "options": [option("S"), option("L")]},
            {"type": "datepicker", "action_id": "day", "initial_date": "2027-03-04"},
            {"type": "users_select", "action_id": "host", "initial_user": ada.id},
        ),
    ]
    await ask("chat.postMessage", channel=ada.dm.id, text="An event", blocks=blocks)
    assert str(ada.dm.screen()).splitlines() == [
        "── Ada ──",
        "Surestep: An event",
        "    Bees",
        "    a",
        "    b",
        "    [A bee]",
        "    step 2 of 9",
        "    ────",
        "    Ask @Ada",
        "    • bees",
        "    Day | 3",
        "    Now look",
        "    Room 1",
        "    [ Take ]",
        "    More",
        "    inside",
        "    [ Good ] [ Bad ]",
        "    [ Site ↗ ] [ … Edit / Drop ] ○ S ○ L [ 2027-03-04 ▾ ] [ Ada ▾ ]",
    ]
    assert ada.dm.newest.shown.links == {
        "bees": "https://a.example",
        "look": "https://a.example",
    }


async def test_a_field_in_a_message_is_told_with_the_next_click(
    server: SlackServer, ada: Person, ask: Ask, sink: Sink
) -> None:
    name = field("Name", {"type": "plain_text_input", "initial_value": "Bob"}, "name")
    blocks = [name, actions(button("Good", "good"))]
    await ask("chat.postMessage", channel=ada.dm.id, text="x", blocks=blocks)
    assert "Name: [ Bob ▾ ]" in str(ada.dm.screen())
    unheard = await ada.types("Name", "Ada").answered()
    assert unheard.kind == "nothing"
    pressed = await ada.clicks("Good").answered()
    values = pressed.payload["state"]["values"]
    assert values["name"]["value"]["value"] == "Ada"
    assert ada.on(ada.dm.newest).value("Name") == "Ada"


async def test_feedback_is_pressed(server: SlackServer, ada: Person, ask: Ask, sink: Sink) -> None:
    feedback = {
        "type": "feedback_buttons",
        "action_id": "rated",
        "positive_button": {"text": plain("Good"), "value": "1"},
        "negative_button": {"text": plain("Bad"), "value": "0"},
    }
    blocks = [{"type": "context_actions", "elements": [feedback]}]
    await ask("chat.postMessage", channel=ada.dm.id, text="x", blocks=blocks)
    pressed = await ada.clicks("Bad").answered()
    action = pressed.payload["actions"][0]
    assert (action["type"], action["value"]) == ("feedback_buttons", "0")


async def test_what_somebody_chose_is_on_their_own_screen(
    server: SlackServer, ada: Person, ask: Ask, sink: Sink
) -> None:
    bob = server.workspace.person("Bob")
    general = server.workspace.channel("general", ada, bob)
    days = {"type": "checkboxes", "action_id": "days", "options": [option("Mo"), option("Tu")]}
    blocks = [section("Days", accessory=days)]
    await ask("chat.postMessage", channel=general.id, text="x", blocks=blocks)
    await ada.selects("Days", "Tu", in_=general).answered()
    assert "☐ Mo ☑ Tu" in str(general.screen(ada))
    assert "☐ Mo ☐ Tu" in str(general.screen(bob))
    await ada.selects("Days", in_=general).answered()
    assert "☐ Mo ☐ Tu" in str(general.screen(ada))
