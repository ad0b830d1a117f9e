"""What people do on the Slack server is heard through the real bolt as the tables have it, whether
Slack delivers it over HTTP or over a socket."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from channels.slack import render, views
from channels.slack.driver import OneToken, connect
from channels.slack.incoming import (
    Address,
    Amended,
    Entered,
    Gone,
    Heard,
    Home,
    Left,
    Opens,
    Pane,
    Received,
    Seeks,
)
from channels.slack.payload import SHORTCUT, Dest
from channels.slack.read import received
from channels.slack.updates import Kind
from core.cards import Button, Chips, Form, Picker, PickerMode, Role
from core.replies import Command, Submit, Tap, Upload, Words
from core.texts import Texts
from tests.channels.slack.test_slack_read import CASES, Json, expected
from tests.support.slack.app import App
from tests.support.slack.channels import Channel
from tests.support.slack.clicking import FORM
from tests.support.slack.messages import Message
from tests.support.slack.modals import Modal
from tests.support.slack.people import Person
from tests.support.slack.server import SlackServer
from tests.support.slack_kept import WAYS, Kept, listening

TEXTS = Texts("en")
TYPED = [case for case in CASES if "typed" in case]


@pytest.fixture
async def server() -> AsyncIterator[SlackServer]:
    """A server whose every violation fails the test."""
    async with SlackServer(App(shortcuts={SHORTCUT: "global"})) as running:
        yield running


@pytest.fixture
def ada(server: SlackServer) -> Person:
    """Somebody in the workspace."""
    return server.workspace.person("Ada")


@pytest.fixture(params=WAYS)
async def kept(server: SlackServer, request: pytest.FixtureRequest) -> AsyncIterator[Kept]:
    """What came through bolt, by HTTP, and in another test by Socket Mode."""
    surestep = Kept(server)
    async with listening(server, surestep, request.param):
        yield surestep


def shows(channel: Channel, card: Chips | Form | Picker, person: Person, thread: str = "") -> Dest:
    """A card that the bot has posted."""
    dest = Dest(channel.workspace.id, channel.id, person.id, thread)
    for post in render.card(card, dest, TEXTS):
        channel.adds(None, raw=post.text, blocks=list(post.blocks), thread_ts=thread or None)
    return dest


def dest_of(message: Message, thread: str = "") -> Dest:
    assert message.sender is not None
    channel = message.channel
    return Dest(channel.workspace.id, channel.id, message.sender.id, thread)


# --- words ---------------------------------------------------------------------------------------


async def test_what_people_type_is_delivered_and_heard_as_the_table_has_it(
    server: SlackServer, ada: Person, kept: Kept
) -> None:
    bob = server.workspace.person("Bob")
    general = server.workspace.channel("general", ada, bob)
    names = {"UBOT": server.workspace.bot_user_id, "U43": bob.id, "C1": general.id}

    def here(text: str) -> str:
        for name, identifier in names.items():
            text = text.replace(name, identifier)
        return text

    for case in TYPED:
        sent = ada.says(case["typed"], in_=general if "in" in case else None)
        assert sent.raw == here(case["text"]), case["case"]
        await server.settled()
        found = read_of(kept, sent)
        if case.get("nothing"):
            assert found == set(), case["case"]
            continue
        (words,) = {one.text if isinstance(one, Words) else "" for one in map(reply, found)}
        table = expected(case)
        wanted = table.reply
        assert words == (here(wanted.text) if isinstance(wanted, Words) else ""), case["case"]
        for one in found:
            assert isinstance(one, Heard)
            assert type(one.reply) is type(wanted)
            assert (one.address, one.held) == (table.address, table.held)
            assert one.dest == dest_of(sent, sent.ts if "in" in case else "")


def read_of(kept: Kept, sent: Message) -> set[Received]:
    """All that is heard of a message, which in a channel may come as two events."""
    return {
        one
        for one in kept.heard
        if isinstance(one, Heard) and one.message == sent.ts and one.dest.channel == sent.channel.id
    }


def reply(one: Received) -> object:
    assert isinstance(one, Heard)
    return one.reply


async def test_bolt_hands_over_what_slack_sent(
    server: SlackServer, ada: Person, kept: Kept
) -> None:
    ada.says("see https://example.org & <so on>")
    ada.uploads("plan.pdf", b"%PDF", "the plan")
    await ada.runs("/surestep", 'new "event" & <more>').answered()
    await ada.uses_shortcut(SHORTCUT).answered()
    await server.settled()
    delivered = [(one.kind, one.payload) for one in server.delivery.attempts]
    sent = [received(kind_on_the_wire(kind), payload) for kind, payload in delivered]
    assert None not in sent
    assert sorted(map(repr, kept.heard)) == sorted(map(repr, sent))


def kind_on_the_wire(kind: str) -> str:
    kinds = {"slash_commands": Kind.COMMAND, "message.im": Kind.EVENT}
    return kinds.get(kind, kind)


async def test_a_file_is_an_upload(server: SlackServer, ada: Person, kept: Kept) -> None:
    ada.uploads("plan.pdf", b"%PDF-1.7", "the plan")
    await server.settled()
    (found,) = kept.heard
    assert isinstance(found, Heard)
    assert isinstance(found.reply, Upload)
    (file,) = found.reply.files
    assert (file.name, file.mime, file.size) == ("plan.pdf", "application/pdf", 8)
    (stored,) = server.workspace.files
    assert file.ref == f"slack:{server.workspace.id}:{stored}"
    assert found.reply.caption == "the plan"


async def test_edits_and_what_only_looks_like_one(
    server: SlackServer, ada: Person, kept: Kept
) -> None:
    message = ada.says("at 5, see https://example.org")
    ada.unfurls(message, "Example")
    ada.edits(message, "at 6 & later")
    ada.deletes(message)
    await server.settled()
    sent, edited = kept.heard
    assert isinstance(sent, Heard)
    assert isinstance(edited, Amended)
    assert (edited.dedupe, edited.dest, edited.text) == (sent.dedupe, sent.dest, "at 6 & later")


async def test_in_a_channel_only_what_is_meant_for_the_bot_is_heard(
    server: SlackServer, ada: Person, kept: Kept
) -> None:
    general = server.workspace.channel("general", ada)
    general.hears("build 7 failed")
    ada.says("hello all", in_=general)
    call = ada.says("@Surestep hello", in_=general)
    ada.says("Friday", in_=general, thread=call)
    ada.says("Saturday", in_=general, thread=call, broadcast=True)
    await server.settled()
    found = {one for one in kept.heard if isinstance(one, Heard)}
    assert {(one.address, reply_text(one)) for one in found} == {
        (Address.YES, "hello"),
        (Address.IF_OPEN, "Friday"),
    }
    assert {one.dest.lane for one in found} == {dest_of(call, call.ts).lane}
    assert len({one.dedupe for one in found}) == 2
    assert len(kept.heard) == len(kept.of(Kind.EVENT)) - 3 == 3


def reply_text(one: Heard) -> str:
    assert isinstance(one.reply, Words)
    return one.reply.text


async def test_the_pane_the_home_and_the_end(server: SlackServer, ada: Person, kept: Kept) -> None:
    thread = ada.opens_assistant()
    ada.looks_at(server.workspace.channel("general", ada), thread)
    said = ada.says("hello", thread=thread)
    ada.opens_home()
    ada.opens_messages()
    await server.settled()
    server.workspace.uninstalls()
    await server.settled()
    team, channel = server.workspace.id, ada.dm.id
    pane, home = Dest(team, channel, ada.id, thread.ts), Dest(team, channel, ada.id)
    began, looked, words, opened, messages, *gone = kept.heard
    assert (began, looked) == (Pane(dest=pane, started=True), Pane(dest=pane, started=False))
    assert isinstance(words, Heard)
    assert (words.dest, words.address, words.message) == (pane, Address.PANE, said.ts)
    assert (opened, messages) == (
        Home(dest=home, messages=False),
        Home(dest=home, messages=True),
    )
    assert gone == [Gone(team=team), Gone(team=team)]


# --- clicks --------------------------------------------------------------------------------------


async def test_a_card_is_clicked(server: SlackServer, ada: Person, kept: Kept) -> None:
    buttons = tuple(Button(token=f"o{one}", label=f"Option {one}") for one in range(3))
    dest = shows(ada.dm, Chips(id="j-1", item="kind", title="Which?", options=buttons), ada)
    card = ada.dm.newest
    await ada.clicks("Option 1").answered()
    await ada.clicks("Option 1").answered()
    first, second = kept.heard
    for one in (first, second):
        assert isinstance(one, Heard)
        assert isinstance(one.reply, Tap)
        assert (one.reply.card, one.reply.token, one.reply.by) == ("j-1", "o1", ada.id)
        assert (one.dest, one.message, one.shows) == (dest, card.ts, True)
    assert isinstance(first, Heard)
    assert isinstance(second, Heard)
    assert first.dedupe != second.dedupe


async def test_boxes_are_ticked_and_sent(server: SlackServer, ada: Person, kept: Kept) -> None:
    boxes = tuple(Button(token=f"t{one}", label=f"Box {one}", ticked=False) for one in range(4))
    done = Button(token="done", label="Done", role=Role.DONE)
    shows(
        ada.dm, Chips(id="j-1", item="x", title="?", options=boxes, multiple=True, done=done), ada
    )
    await ada.selects("", "Box 1", "Box 3").answered()
    assert kept.heard == []
    await ada.clicks("Done").answered()
    (sent,) = kept.heard
    assert isinstance(sent, Heard)
    assert isinstance(sent.reply, Submit)
    assert sent.reply.values == {"value": ["t1", "t3"]}


async def test_a_moment_is_picked_and_set(server: SlackServer, ada: Person, kept: Kept) -> None:
    options = (Button(token="d20261224", label="24"),)
    mode = PickerMode.DATETIME
    shows(ada.dm, Picker(id="j-1", item="x", title="?", mode=mode, options=options), ada)
    await ada.picks_date("Pick a date", "2026-12-24").answered()
    await ada.picks_time("Pick a time", "18:30").answered()
    await ada.clicks("Set").answered()
    (sent,) = kept.heard
    assert isinstance(sent, Heard)
    assert isinstance(sent.reply, Submit)
    assert sent.reply.values == {"value": "2026-12-24T18:30"}


async def test_records_are_searched_and_chosen(
    server: SlackServer, ada: Person, kept: Kept
) -> None:
    mode = PickerMode.RECORDS
    dest = shows(ada.dm, Picker(id="j-1", item="x", title="?", mode=mode, searchable=True), ada)
    option = {"text": {"type": "plain_text", "text": "Old Mill"}, "value": "r7"}
    kept.answers[Kind.SEARCH] = {"options": [option]}
    assert await ada.searches("Search by name", "Old M") == ["Old Mill"]
    await ada.selects("Search by name", "Old Mill").answered()
    sought, picked = kept.heard
    assert isinstance(sought, Seeks)
    assert (sought.dest, sought.reply.values) == (dest, {"query": "Old M"})
    assert isinstance(picked, Heard)
    assert isinstance(picked.reply, Submit)
    assert (picked.dest, picked.reply.values) == (dest, {"query": "Old Mill", "value": "r7"})


async def test_a_modal_is_filled_in_wrongly_then_rightly_or_closed(
    server: SlackServer, ada: Person, kept: Kept
) -> None:
    dest = shows(ada.dm, FORM, ada)
    clicked = await ada.clicks("Fill in the form").answered()
    (opens,) = kept.heard
    assert isinstance(opens, Opens)
    assert (opens.dest, opens.card, opens.trigger) == (dest, "j-1", clicked.trigger_id)
    view = views.form(FORM, dest, TEXTS)
    modal = await opened(server, ada, view, opens.trigger)
    fault = {views.blocks_of(view)["name"]: "Longer, please"}
    kept.answers[Kind.SUBMISSION] = {"response_action": "errors", "errors": fault}
    await modal.fills(Name="Z").submits().answered()
    assert modal.errors == {"Name": "Longer, please"}
    kept.answers[Kind.SUBMISSION] = {}
    await modal.fills({"Name": "Zoë", "E-mail": "z@example.org"}).submits().answered()
    assert not modal.is_open
    first, second = (one for one in kept.heard if isinstance(one, Entered))
    assert isinstance(first.reply, Submit)
    assert isinstance(second.reply, Submit)
    assert first.reply.values == {"name": "Z", "mail": ""}
    assert second.reply.values == {"name": "Zoë", "mail": "z@example.org"}
    assert second.dest == dest

    again = await ada.clicks("Fill in the form").answered()
    modal = await opened(server, ada, view, again.trigger_id)
    (told,) = modal.fills(Name="Half").closes()
    await told.answered()
    left = kept.heard[-1]
    assert isinstance(left, Left)
    assert (left.dest, left.card, left.values) == (dest, "j-1", {"name": "Half", "mail": ""})


async def opened(server: SlackServer, ada: Person, view: Json, trigger: str) -> Modal:
    """The modal that the bot opens."""
    async with connect(OneToken(server.token), server.api) as api:
        await api.call(server.workspace.id, "views.open", trigger_id=trigger, view=view)
    return ada.modal


async def test_the_home_is_used(server: SlackServer, ada: Person, kept: Kept) -> None:
    home = Dest(server.workspace.id, ada.dm.id, ada.id)
    offer = views.Offer(name="event", title="Submit an event")
    view = views.home(TEXTS, home, question="When?", offers=[offer])
    async with connect(OneToken(server.token), server.api) as api:
        await api.call(server.workspace.id, "views.publish", user_id=ada.id, view=view)
    await ada.app_home.clicks("Go on").answered()
    await ada.app_home.clicks("Start").answered()
    commands = [one.reply for one in kept.heard if isinstance(one, Heard)]
    assert [(one.name, one.argument) for one in commands if isinstance(one, Command)] == [
        ("resume", ""),
        ("new", "event"),
    ]
