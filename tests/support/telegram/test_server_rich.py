"""What is new in the Bot API, its limits, and the older servers that do not know it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.telegram.bare import PNG, Ask
from tests.support.telegram.features import API_10_0, PLAIN, Feature
from tests.support.telegram.people import Person
from tests.support.telegram.requests import Upload
from tests.support.telegram.server import TelegramServer

Block = dict[str, Any]


def paragraph(text: Any) -> Block:
    return {"type": "paragraph", "text": text}


def cell(text: Any) -> Block:
    return {"align": "left", "valign": "top", "text": text}


def button(label: Any = "Edit", **more: Any) -> Block:
    return {"text": label, **(more or {"callback_data": "e"})}


def row(*shown: Block) -> Block:
    return {"type": "buttons", "buttons": list(shown)}


def nested(levels: int) -> Block:
    block = paragraph("deep")
    for _ in range(levels):
        block = {"type": "blockquote", "blocks": [block]}
    return block


async def test_a_rich_message_is_drawn_block_by_block(
    server: TelegramServer, ada: Person, ask: Ask
) -> None:
    photo = server.files.add("photo", Upload("p.png", PNG))
    edit = {"type": "button", "button": button("✎", callback_data="edit kind")}
    blocks = [
        {"type": "heading", "text": "Your event", "size": 2},
        {"type": "table", "cells": [[cell("Kind"), cell(["Talk ", edit])]], "is_bordered": True},
        {
            "type": "list",
            "items": [
                {"blocks": [paragraph("Anna")], "has_checkbox": True, "is_checked": True},
                {"blocks": [paragraph("Ben")], "has_checkbox": True},
            ],
        },
        {"type": "details", "summary": "More", "blocks": [paragraph("All of it")]},
        {"type": "photo", "photo": {"type": "photo", "media": photo.id}},
        {"type": "divider"},
        row(button("Confirm", callback_data="c", style="success"), button("Later", disabled={})),
    ]
    sent = await ask("sendRichMessage", chat_id=ada.id, rich_message={"blocks": blocks})
    assert sent.result["rich_message"]["blocks"][4]["photo"][-1]["width"] == 64
    assert str(ada.chat.screen()).splitlines() == [
        "── Ada ──",
        "Surestep: ## Your event",
        "    | Kind | Talk [ ✎ ] |",
        "    • ☑ Anna",
        "    • ☐ Ben",
        "    ▸ More",
        "      All of it",
        "    [photo]",
        "    ────",
        "    [ Confirm ] ( Later )",
    ]
    assert ada.chat.newest.labels == ["✎", "Confirm", "Later"]
    assert ada.taps("✎").data == "edit kind"


async def test_a_rich_message_is_edited_to_a_plain_one_and_back(ada: Person, ask: Ask) -> None:
    blocks = [paragraph("Sure?"), row(button("Yes", callback_data="y"))]
    await ask("sendRichMessage", chat_id=ada.id, rich_message={"blocks": blocks})
    edit = {"chat_id": ada.id, "message_id": ada.chat.newest.id}
    again = await ask("editMessageText", **edit, rich_message={"blocks": blocks})
    assert "message is not modified" in again.why
    await ask("editMessageText", **edit, text="Confirmed")
    assert (ada.chat.newest.text, ada.chat.newest.buttons) == ("Confirmed", [])
    assert ada.taps("Yes", ada.chat.newest, stale=True).data == "y"
    await ask("editMessageText", **edit, rich_message={"blocks": blocks})
    assert ada.chat.newest.labels == ["Yes"]


@pytest.mark.parametrize(
    "fits,does_not,why",
    [
        ([paragraph("a" * 32768)], [paragraph("a" * 32769)], "at most 32768 characters"),
        ([paragraph("a")] * 500, [paragraph("a")] * 501, "too many blocks"),
        ([row(*[button()] * 8)], [row(*[button()] * 9)], "1-8 buttons"),
        ([row(button())], [row()], "1-8 buttons"),
        (
            [{"type": "table", "cells": [[cell("a")] * 20]}],
            [{"type": "table", "cells": [[cell("a")] * 21]}],
            "1-20 columns",
        ),
        ([nested(15)], [nested(16)], "nested too deep"),
        (
            [row(button(style="link", callback_data="x"))],
            [row(button(style="link", url="https://e.org"))],
            "only for callback buttons",
        ),
        (
            [row(button(callback_data="x" * 64))],
            [row(button(callback_data="x" * 65))],
            "BUTTON_DATA_INVALID",
        ),
        ([row(button())], [row({"text": "no kind"})], "Text buttons are unallowed"),
        ([paragraph("a")], [{"type": "paragraph"}], "needs 'text'"),
        ([paragraph("a")], [{"type": "marquee", "text": "a"}], "is none of"),
        ([paragraph("a")], [], "must be non-empty"),
    ],
)
async def test_a_rich_limit_on_both_sides(
    server: TelegramServer,
    ada: Person,
    ask: Ask,
    fits: list[Block],
    does_not: list[Block],
    why: str,
) -> None:
    asked = {"chat_id": ada.id}
    assert (await ask("sendRichMessage", **asked, rich_message={"blocks": fits})).status == 200
    heard = await ask("sendRichMessage", **asked, rich_message={"blocks": does_not})
    assert why in heard.why
    assert len(server.take_violations()) == 1


async def test_a_draft_lives_half_a_minute_or_until_the_message(
    server: TelegramServer, ada: Person, ask: Ask
) -> None:
    draft = {"chat_id": ada.id, "draft_id": 1}
    await ask("sendMessageDraft", **draft)
    assert str(ada.chat.screen()).splitlines()[-1] == "(writing) …"
    await ask("sendMessageDraft", **draft, text="<b>So</b> far", parse_mode="HTML")
    assert str(ada.chat.screen()).splitlines()[-1] == "(writing) So far"
    server.passes(seconds=30)
    assert ada.chat.screen().draft is None
    await ask("sendRichMessageDraft", **draft, rich_message={"blocks": [paragraph("Rich")]})
    assert str(ada.chat.screen()).splitlines()[-1] == "(writing) Rich"
    await ask("sendMessage", chat_id=ada.id, text="All of it")
    assert ada.chat.screen().draft is None
    assert ada.chat.screen().texts == ["All of it"]


async def test_a_draft_that_was_stopped_stays_away(
    server: TelegramServer, ada: Person, ask: Ask
) -> None:
    draft = {"chat_id": ada.id, "can_stop": True}
    await ask("sendMessageDraft", **draft, draft_id=1, text="So")
    ada.stops()
    assert server.updates.log[-1].payload["draft_id"] == 1
    await ask("sendMessageDraft", **draft, draft_id=1, text="So far")
    assert ada.chat.screen().draft is None
    await ask("sendMessageDraft", **draft, draft_id=2, text="Anew", keep_on_stop=True)
    ada.stops()
    assert ada.chat.screen().draft is not None


async def test_drafts_are_of_private_chats(server: TelegramServer, ada: Person, ask: Ask) -> None:
    group = server.group("Team", ada)
    for asked in ({"chat_id": group.id, "draft_id": 1}, {"chat_id": ada.id, "draft_id": 0}):
        assert (await ask("sendMessageDraft", **asked, text="x")).status == 400
    assert len(server.take_violations()) == 2


async def test_only_one_person_sees_an_ephemeral_message(
    server: TelegramServer, ada: Person, ask: Ask
) -> None:
    bob = server.person("Bob")
    group = server.group("Team", ada, bob, supergroup=True)
    markup = {"inline_keyboard": [[button("Mine", callback_data="m")]]}
    asked = {"chat_id": group.id, "text": "Only you", "reply_markup": markup}
    to_ada = {"receiver_user_id": ada.id}
    sent = await ask("sendMessage", **asked, ephemeral_message_parameters=to_ada)
    assert (sent.result["message_id"], sent.result["receiver_user"]["id"]) == (0, ada.id)
    assert group.screen(bob).texts == []
    assert "(only you)" in str(group.screen(ada))
    tap = ada.taps("Mine", chat=group)
    in_place = {**to_ada, "callback_query_id": tap.id}
    assert (await ask("sendMessage", **asked, ephemeral_message_parameters=in_place)).status == 200
    bob.offline = True
    to_bob = {"receiver_user_id": bob.id}
    assert (await ask("sendMessage", **asked, ephemeral_message_parameters=to_bob)).status == 200
    assert group.screen(bob).texts == []


async def test_an_ephemeral_message_takes_the_place_of_the_tapped_one(
    server: TelegramServer, ada: Person, ask: Ask
) -> None:
    bob = server.person("Bob")
    group = server.group("Team", ada, bob)
    markup = {"inline_keyboard": [[button("Me", callback_data="m")]]}
    await ask("sendMessage", chat_id=group.id, text="For all", reply_markup=markup)
    tap = ada.taps("Me", chat=group)
    where = {"receiver_user_id": ada.id, "callback_query_id": tap.id}
    where |= {"replace_callback_query_message": True}
    await ask("sendMessage", chat_id=group.id, text="For Ada", ephemeral_message_parameters=where)
    assert group.screen(ada).texts == ["For Ada"]
    assert group.screen(bob).texts == ["For all"]


@pytest.mark.parametrize(
    "lacks,statuses",
    [
        (frozenset(), [200, 200]),
        (API_10_0, [404, 200]),
        (PLAIN, [404, 404]),
        ({Feature.DRAFTS}, [200, 404]),
    ],
)
async def test_an_older_server_has_no_such_method(
    server: TelegramServer, ada: Person, ask: Ask, lacks: frozenset[Feature], statuses: list[int]
) -> None:
    server.lacks = set(lacks)
    rich = await ask("sendRichMessage", chat_id=ada.id, rich_message={"blocks": [paragraph("x")]})
    draft = await ask("sendMessageDraft", chat_id=ada.id, draft_id=1, text="x")
    assert [rich.status, draft.status] == statuses
    if rich.status == 404:
        assert rich.why == "Not Found: method not found"


async def test_an_older_server_does_not_see_what_it_does_not_know(
    server: TelegramServer, ada: Person, ask: Ask
) -> None:
    server.lacks = set(API_10_0)
    bob = server.person("Bob")
    group = server.group("Team", ada, bob)
    to_ada = {"receiver_user_id": ada.id}
    await ask("sendMessage", chat_id=group.id, text="Secret", ephemeral_message_parameters=to_ada)
    assert group.screen(bob).texts == ["Secret"]
    blocks = {"blocks": [paragraph("x")]}
    message = {"chat_id": group.id, "message_id": group.newest.id}
    heard = await ask("editMessageText", **message, rich_message=blocks)
    assert heard.why == "Bad Request: message text is empty"
    markup = {"inline_keyboard": [[button("Full", disabled={})]]}
    heard = await ask("sendMessage", chat_id=ada.id, text="x", reply_markup=markup)
    assert "Text buttons are unallowed" in heard.why
    server.take_violations()
