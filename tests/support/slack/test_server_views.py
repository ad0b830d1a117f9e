"""Clicks, choices and modals: what is sent, what people see, and how views follow each other."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import date, time

import pytest
from aiohttp import web

from tests.support.slack.bare import Ask, actions, button, field, modal, option, plain, section
from tests.support.slack.errors import Json
from tests.support.slack.people import Person
from tests.support.slack.server import SlackServer
from tests.support.slack.sink import Sink

TITLE = field("Title", {"type": "plain_text_input", "min_length": 2}, "title")


async def clicked(ada: Person, ask: Ask) -> str:
    """A trigger_id, as a click brings it."""
    blocks = [actions(button("Open", "open"))]
    await ask("chat.postMessage", channel=ada.dm.id, text="x", blocks=blocks)
    return (await ada.clicks("Open").answered()).trigger_id


def answers(sink: Sink, kind: str, body: Json) -> None:
    """Let the sink answer interactions of this kind so."""

    async def answer(heard: Json) -> web.Response:
        return web.json_response(body) if heard["type"] == kind else web.Response()

    sink.answer = answer


async def test_what_a_click_sends(server: SlackServer, ada: Person, ask: Ask, sink: Sink) -> None:
    kinds = {
        "type": "static_select",
        "action_id": "kind",
        "placeholder": plain("Kind"),
        "options": [option("Talk & tea", "t"), option("Panel", "p")],
    }
    sent = await ask(
        "chat.postMessage",
        channel=ada.dm.id,
        text="x",
        blocks=[actions(kinds, button("Go", "go", value="7", style="primary"))],
    )
    await ada.selects("Kind", "Talk & tea").answered()
    await ada.clicks("Go").answered()
    chosen, pressed = (one for one in sink.bodies if one["type"] == "block_actions")
    (action,) = chosen["actions"]
    assert action["selected_option"]["value"] == "t"
    assert action["selected_option"]["text"]["text"] == "Talk &amp; tea"
    (action,) = pressed["actions"]
    assert (action["type"], action["value"], action["style"]) == ("button", "7", "primary")
    assert (action["block_id"], action["action_id"]) == ("actions", "go")
    assert pressed["state"]["values"]["actions"]["kind"]["selected_option"]["value"] == "t"
    assert pressed["container"]["message_ts"] == pressed["message"]["ts"] == sent["ts"]
    assert pressed["channel"] == {"id": ada.dm.id, "name": "directmessage"}
    assert pressed["user"]["id"] == ada.id
    assert pressed["response_url"].startswith(server.url)
    assert "[ Talk & tea ▾ ] [ Go ]" in str(ada.dm.screen())


async def test_all_kinds_of_controls(
    server: SlackServer, ada: Person, ask: Ask, sink: Sink
) -> None:
    bob = server.workspace.person("Bob")
    view = modal(
        "All",
        TITLE,
        field("Mail", {"type": "email_text_input"}, "mail"),
        field("Count", {"type": "number_input", "is_decimal_allowed": False}, "count"),
        field("Days", {"type": "checkboxes", "options": [option("Mo"), option("Tu")]}, "days"),
        field("Tags", {"type": "multi_static_select", "options": [option("a")]}, "tags"),
        field("Size", {"type": "radio_buttons", "options": [option("S"), option("L")]}, "size"),
        field("Day", {"type": "datepicker"}, "day"),
        field("At", {"type": "timepicker", "initial_time": "09:00"}, "at"),
        field("When", {"type": "datetimepicker"}, "when"),
        field("Host", {"type": "users_select"}, "host"),
        field("Guests", {"type": "multi_users_select"}, "guests"),
        field("Where", {"type": "conversations_select"}, "where"),
        field("Poster", {"type": "file_input"}, "poster"),
        field("Notes", {"type": "plain_text_input"}, "notes", optional=True),
    )
    await ask("views.open", trigger_id=await clicked(ada, ask), view=view)
    form = ada.modal
    form.fills(
        {"Title": "Bees & <me>", "Mail": "a@b.example", "Count": "3", "Days": ["Mo", "Tu"]},
        Tags=["a"],
        Size="L",
        Day=date(2027, 3, 4),
        When="2027-03-04T17:00",
        Host=bob,
        Guests=[ada, bob],
        Where=ada.dm,
        Poster=[("bees.png", b"png")],
    )
    form.picks_time("At", time(17, 30))
    assert "│ Days: ☑ Mo ☑ Tu" in str(form)
    assert "│ Size: ○ S ◉ L" in str(form)
    assert "│ Host: [ Bob ▾ ]" in str(form)
    await form.submits().answered()
    values = (await sink.heard("view_submission"))["view"]["state"]["values"]
    held = {block_id: value["value"] for block_id, value in values.items()}
    assert held["title"] == {"type": "plain_text_input", "value": "Bees & <me>"}
    assert held["count"]["value"] == "3"
    assert [one["value"] for one in held["days"]["selected_options"]] == ["mo", "tu"]
    assert held["size"]["selected_option"]["value"] == "l"
    assert held["day"]["selected_date"] == "2027-03-04"
    assert held["at"]["selected_time"] == "17:30"
    assert held["when"]["selected_date_time"] == 1_804_176_000
    assert held["host"]["selected_user"] == bob.id
    assert held["guests"]["selected_users"] == [ada.id, bob.id]
    assert held["where"]["selected_conversation"] == ada.dm.id
    assert held["poster"]["files"][0]["name"] == "bees.png"
    assert held["notes"] == {"type": "plain_text_input", "value": None}
    assert not form.is_open


@pytest.mark.parametrize(
    "label,value,why",
    [
        ("Title", "x", "at least 2 characters"),
        ("Mail", "ada", "an email address"),
        ("Count", "three", "a number"),
    ],
)
async def test_the_client_does_not_send_what_does_not_fit(
    ada: Person, ask: Ask, sink: Sink, label: str, value: str, why: str
) -> None:
    number = {"type": "number_input", "is_decimal_allowed": True}
    view = modal(
        "x",
        TITLE,
        field("Mail", {"type": "email_text_input"}, "mail", optional=True),
        field("Count", number, "count", optional=True),
    )
    await ask("views.open", trigger_id=await clicked(ada, ask), view=view)
    ada.modal.fills({"Title": "long", label: value})
    with pytest.raises(AssertionError, match=why):
        ada.modal.submits()


async def test_a_trigger_is_good_once_and_for_three_seconds(
    server: SlackServer, ada: Person, ask: Ask, sink: Sink
) -> None:
    view = modal("x", TITLE)
    first = await clicked(ada, ask)
    assert (await ask("views.open", trigger_id=first, view=view))["view"]["type"] == "modal"
    assert (await ask("views.open", trigger_id=first, view=view)).why == "exchanged_trigger_id"
    second = await clicked(ada, ask)
    server.passes(seconds=4)
    assert (await ask("views.open", trigger_id=second, view=view)).why == "expired_trigger_id"
    heard = await ask("views.open", trigger_id="1.2.3", view=view)
    assert heard.messages == ["[ERROR] invalid `trigger_id` [json-pointer:/trigger_id]"]
    server.take_violations()


async def test_an_invalid_view_tells_where(
    server: SlackServer, ada: Person, ask: Ask, sink: Sink
) -> None:
    view = modal("x" * 25, TITLE)
    del view["submit"]
    heard = await ask("views.open", trigger_id=await clicked(ada, ask), view=view)
    assert heard.why == "invalid_arguments"
    why = "must define `submit` to use an `input` block in modals"
    assert heard.messages == [
        "[ERROR] failed to match all allowed schemas [json-pointer:/view]",
        "[ERROR] must be less than 25 characters [json-pointer:/view/title/text]",
        f"[ERROR] {why} [json-pointer:/view/blocks/0/input]",
    ]
    server.take_violations()


async def test_an_update_keeps_what_was_typed_where_the_ids_stay(
    server: SlackServer, ada: Person, ask: Ask, sink: Sink
) -> None:
    trigger_id = await clicked(ada, ask)
    sent = await ask("views.open", trigger_id=trigger_id, view=modal("x", TITLE))
    view_id, first = sent["view"]["id"], sent["view"]["hash"]
    ada.modal.fills(Title="Bees")
    more = field("Place", {"type": "plain_text_input"}, "place")
    sent = await ask("views.update", view_id=view_id, view=modal("x", TITLE, more), hash=first)
    assert sent["view"]["hash"] != first
    assert ada.modal.value("Title") == "Bees"
    assert ada.modal.missing == ["Place"]
    other = {**TITLE, "block_id": "title.2"}
    await ask("views.update", view_id=view_id, view=modal("x", other))
    assert ada.modal.value("Title") == ""
    late = await ask("views.update", view_id=view_id, view=modal("x", other), hash=first)
    assert late.why == "hash_conflict"
    ada.modal.closes()
    gone = await ask("views.update", view_id=view_id, view=modal("x", other))
    assert gone.why == "not_found"


async def test_an_external_id_is_of_one_open_view(
    server: SlackServer, ada: Person, ask: Ask, sink: Sink
) -> None:
    view = modal("x", TITLE, external_id="form-1")
    await ask("views.open", trigger_id=await clicked(ada, ask), view=view)
    bob = server.workspace.person("Bob")
    heard = await ask("views.open", trigger_id=await clicked(bob, ask), view=view)
    assert heard.why == "duplicate_external_id"
    await ask("views.update", external_id="form-1", view=modal("y", TITLE))
    assert ada.modal.title == "y"


async def test_a_stack_has_three_modals(
    server: SlackServer, ada: Person, ask: Ask, sink: Sink
) -> None:
    more = modal("1", actions(button("More", "more")), notify_on_close=True)
    await ask("views.open", trigger_id=await clicked(ada, ask), view=more)
    for title in ("2", "3"):
        trigger_id = (await ada.modal.clicks("More").answered()).trigger_id
        sent = await ask(
            "views.push", trigger_id=trigger_id, view={**more, **modal(title, *more["blocks"])}
        )
        assert sent["view"]["previous_view_id"] != sent["view"]["id"]
    assert ada.modal.title == "3"
    trigger_id = (await ada.modal.clicks("More").answered()).trigger_id
    assert (await ask("views.push", trigger_id=trigger_id, view=more)).why == "push_limit_reached"
    server.take_violations()
    ada.modal.closes()
    assert ada.modal.title == "2"
    for told in ada.modal.closes(every=True):
        await told.answered()
    assert ada.views == []
    closed = [one for one in sink.bodies if one["type"] == "view_closed"]
    assert sorted((one["view"]["title"]["text"], one["is_cleared"]) for one in closed) == [
        ("1", True),
        ("2", True),
        ("3", False),
    ]


async def test_a_submission_is_answered_with_errors_updates_and_more(
    server: SlackServer, ada: Person, ask: Ask, sink: Sink
) -> None:
    await ask("views.open", trigger_id=await clicked(ada, ask), view=modal("1", TITLE))
    form = ada.modal.fills(Title="Bees")
    answers(sink, "view_submission", {"response_action": "errors", "errors": {"title": "Hm"}})
    await form.submits().answered()
    assert form.errors == {"Title": "Hm"}
    assert "│   ⚠ Hm" in str(form)
    answers(sink, "view_submission", {"response_action": "update", "view": modal("2", TITLE)})
    await form.submits().answered()
    assert (form.title, form.errors, form.value("Title")) == ("2", {}, "Bees")
    answers(sink, "view_submission", {"response_action": "push", "view": modal("3", TITLE)})
    await form.submits().answered()
    assert ada.modal.title == "3"
    assert len(ada.views) == 2
    answers(sink, "view_submission", {"response_action": "clear"})
    await ada.modal.fills(Title="Bees").submits().answered()
    assert ada.views == []


@pytest.mark.parametrize(
    "answer",
    [
        {"response_action": "errors", "errors": {"place": "no such block"}},
        {"response_action": "errors"},
        {"response_action": "explode"},
        {"response_action": "update", "view": {"type": "modal"}},
        {"ok": True},
    ],
)
async def test_a_wrong_answer_to_a_submission_is_trouble(
    server: SlackServer, ada: Person, ask: Ask, sink: Sink, answer: Json
) -> None:
    await ask("views.open", trigger_id=await clicked(ada, ask), view=modal("1", TITLE))
    answers(sink, "view_submission", answer)
    submitted = await ada.modal.fills(Title="Bees").submits().ended()
    assert submitted.problem == "We had some trouble connecting. Try again?"
    assert ada.modal.is_open
    (violation,) = server.take_violations()
    assert "is not taken" in violation


async def test_a_search(server: SlackServer, ada: Person, ask: Ask, sink: Sink) -> None:
    select = {
        "type": "external_select",
        "action_id": "venue",
        "min_query_length": 2,
        "placeholder": plain("Venue"),
    }
    await ask("chat.postMessage", channel=ada.dm.id, text="x", blocks=[actions(select)])
    answers(sink, "block_suggestion", {"options": [option("Berlin"), option("Bern")]})
    assert await ada.searches("Venue", "ber") == ["Berlin", "Bern"]
    asked = await sink.heard("block_suggestion")
    assert (asked["value"], asked["action_id"], asked["block_id"]) == ("ber", "venue", "actions")
    await ada.selects("Venue", "Bern").answered()
    action = (await sink.heard("block_actions"))["actions"][0]
    assert action["selected_option"]["value"] == "bern"
    with pytest.raises(AssertionError, match="from 2 characters on"):
        await ada.searches("Venue", "b")
    answers(sink, "block_suggestion", {"options": [option("x" * 76)]})
    assert await ada.searches("Venue", "xx") == []
    (violation,) = server.take_violations()
    assert "less than 76" in violation


async def test_overflow_confirm_and_stale(
    server: SlackServer, ada: Person, ask: Ask, sink: Sink
) -> None:
    sure = {"title": "Sure?", "text": "It is gone then.", "confirm": "Yes", "deny": "No"}
    confirm = {name: {"type": "plain_text", "text": text} for name, text in sure.items()}
    menu = {"type": "overflow", "action_id": "menu", "options": [option("Edit"), option("Remove")]}
    blocks = [section("Ada", accessory=menu), actions(button("Drop", "drop", confirm=confirm))]
    sent = await ask("chat.postMessage", channel=ada.dm.id, text="x", blocks=blocks)
    await ada.clicks("Remove").answered()
    action = (await sink.heard("block_actions"))["actions"][0]
    assert action["selected_option"]["value"] == "remove"
    await ada.clicks("Drop", confirms=False).answered()
    assert len(sink.bodies) == 1 + 1  # the message itself, and the menu
    await ada.clicks("Drop").answered()
    await ask("chat.update", channel=ada.dm.id, ts=sent["ts"], text="gone")
    message = ada.dm.newest
    with pytest.raises(AssertionError, match="nothing to click called 'Drop'"):
        ada.clicks("Drop", message)
    stale = await ada.clicks("Drop", message, stale=True).answered()
    assert stale.payload["actions"][0]["action_id"] == "drop"
    assert stale.payload["message"]["text"] == "gone"


async def test_somebody_else_clicks(server: SlackServer, ada: Person, ask: Ask, sink: Sink) -> None:
    bob = server.workspace.person("Bob")
    general = server.workspace.channel("general", ada, bob)
    blocks = [actions(button("Mine", "mine"))]
    await ask("chat.postMessage", channel=general.id, text="x", blocks=blocks)
    await bob.clicks("Mine", in_=general).answered()
    heard = await sink.heard("block_actions")
    assert heard["user"]["id"] == bob.id
    assert heard["channel"]["name"] == "general"


async def test_an_ephemeral_message_is_clicked(
    server: SlackServer, ada: Person, ask: Ask, sink: Sink
) -> None:
    general = server.workspace.channel("general", ada)
    blocks = [actions(button("OK", "ok"))]
    await ask("chat.postEphemeral", channel=general.id, user=ada.id, text="psst", blocks=blocks)
    heard = (await ada.clicks("OK", in_=general).answered()).payload
    assert heard["container"]["is_ephemeral"] is True
    assert "message" not in heard


async def test_response_urls(
    server: SlackServer, ada: Person, ask: Ask, sink: Sink, post: Callable[..., Awaitable[int]]
) -> None:
    trigger = await clicked(ada, ask)
    assert trigger
    url = (await sink.heard("block_actions"))["response_url"]
    message = ada.dm.newest
    assert await post(url, text="only you") == 200
    assert ada.dm.screen()[-1].only_for is ada
    assert await post(url, text="replaced", replace_original=True) == 200
    assert message.text == "replaced"
    assert await post(url, delete_original=True) == 200
    assert message.deleted
    for _ in range(2):
        assert await post(url, text="again", response_type="in_channel") == 200
    assert await post(url, text="a sixth time") == 404
    assert [call.method for call in server.called("response_url")] == ["response_url"] * 6
    later = (await ada.runs("/surestep", "help").answered()).response_url
    server.passes(seconds=31 * 60)
    assert await post(later, text="too late") == 404


async def test_a_home(server: SlackServer, ada: Person, ask: Ask, sink: Sink) -> None:
    ada.opens_home()
    event = (await sink.heard("app_home_opened"))["event"]
    assert (event["tab"], event["user"], "view" in event) == ("home", ada.id, False)
    home = {"type": "home", "blocks": [section("Your events"), actions(button("New", "new"))]}
    sent = await ask("views.publish", user_id=ada.id, view=home)
    assert str(ada.app_home) == "── Surestep: Home of Ada ──\nYour events\n[ New ]"
    pressed = await ada.app_home.clicks("New").answered()
    assert pressed.payload["view"]["type"] == "home"
    assert "response_url" not in pressed.payload
    await ask("views.open", trigger_id=pressed.trigger_id, view=modal("New", TITLE))
    assert ada.modal.title == "New"
    await ask("views.publish", user_id=ada.id, view=home, hash=sent["view"]["hash"])
    late = await ask("views.publish", user_id=ada.id, view=home, hash=sent["view"]["hash"])
    assert late.why == "hash_conflict"
    ada.opens_home()
    await server.settled()
    assert "view" in sink.bodies[-1]["event"]
