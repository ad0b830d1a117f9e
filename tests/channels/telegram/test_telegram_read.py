"""What people send, and what is heard: the table of incoming messages, and the other updates."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from aiogram.types import Message
from ruamel.yaml import YAML

from channels.telegram.payload import Dest, data_for, page_token
from channels.telegram.read import (
    Address,
    Amended,
    Gone,
    Heard,
    Me,
    Moved,
    Received,
    Turned,
    Unread,
    received,
)
from channels.telegram.shared import SERVICE
from core.replies import Command, File, Reply, Shared, Somebody, Tap, Upload, Words

ME = Me(id=4242, username="surestep_bot")
NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
ADA = {"id": 42, "is_bot": False, "first_name": "Ada"}
PRIVATE = {"id": 42, "type": "private", "first_name": "Ada"}
GROUP = {"id": -1007, "type": "supergroup", "title": "Friends"}
ENVELOPE = {"message_id": 7, "from": ADA, "chat": PRIVATE, "date": int(NOON.timestamp())}

Json = dict[str, Any]
CASES: list[Json] = YAML(typ="safe").load(Path(__file__).with_name("incoming.yaml"))


def entity(text: str, mark: list[Any], after: int) -> Json:
    """A marked part, in UTF-16 units; `after` is where to look for it."""
    kind, part, *more = mark
    before = text[: text.index(part, after)]
    told = {"type": kind, "offset": units(before), "length": units(part)}
    if kind == "text_mention":
        return told | {"user": {"id": more[0], "is_bot": more[0] == 4242, "first_name": part}}
    return told | {"url": more[0]} if more else told


def units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def message_of(case: Json) -> Json:
    """The message of a case, as the platform tells it."""
    told = case.get("message", case.get("group"))
    assert told is not None
    message = {**ENVELOPE, "chat": GROUP if "group" in case else PRIVATE, **told}
    message["from"] = {**ADA, **case.get("sender", {})}
    marked, name = ("text", "entities") if "text" in told else ("caption", "caption_entities")
    found, after = [], 0
    for mark in case.get("marks", ()):
        found.append(entity(message[marked], mark, after))
        after = message[marked].index(mark[1], after) + len(mark[1])
    return message | ({name: found} if found else {})


def expected(case: Json) -> Heard:
    """What is to be heard of a case."""
    message = message_of(case)
    chat, number = message["chat"]["id"], message["message_id"]
    return Heard(
        dest=Dest(chat=chat, owner=42, thread=case.get("thread", 0)),
        dedupe=f"telegram:4242:m:{chat}:{number}",
        reply=reply_of(case),
        name=case.get("name", "Ada"),
        held=case.get("held", False),
        address=Address(case.get("address", "yes")),
        message=number,
        handle=case.get("sender", {}).get("username", ""),
        request=case.get("request"),
    )


def reply_of(case: Json) -> Reply:
    who: Json = {"by": "42", "at": NOON, "locale": case.get("locale", "")}
    people = tuple(Somebody(**one) for one in case.get("people", ()))
    if "command" in case:
        name, argument = case["command"]
        answers = Somebody(**case["answers"]) if "answers" in case else None
        return Command(name=name, argument=argument, people=people, answers=answers, **who)
    if "upload" in case:
        told = dict(case["upload"])
        beside = {name: told.pop(name) for name in ("caption", "album") if name in told}
        return Upload(files=(File(**told),), **beside, **who)
    if "shared" in case:
        kind, value, detail = case["shared"]
        card = case.get("card", "")
        return Shared(kind=kind, value=value, detail=detail, people=people, card=card, **who)
    return Words(text=case["words"], people=people, **who)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["case"])
def test_what_is_sent_is_heard(case: Json) -> None:
    heard = received({"update_id": 1, "message": message_of(case)}, ME)
    assert heard == (None if case.get("nothing") else expected(case))


def test_every_field_of_a_message_is_known() -> None:
    """When the Bot API grows, somebody decides whether a person says the new thing."""
    fields = {field.alias or name for name, field in Message.model_fields.items()}
    assert fields - ENVELOPES - CONTENT == SERVICE


CONTENT = {
    "text", "animation", "audio", "document", "live_photo", "paid_media", "photo", "sticker",
    "story", "video", "video_note", "voice", "caption", "checklist", "contact", "dice", "game",
    "poll", "venue", "location", "invoice", "giveaway", "giveaway_winners", "rich_message",
}  # fmt: skip
ENVELOPES = {
    "message_id", "date", "chat", "message_thread_id", "direct_messages_topic", "from",
    "sender_chat", "sender_boost_count", "sender_business_bot", "sender_tag", "guest_query_id",
    "business_connection_id", "forward_origin", "is_topic_message", "is_automatic_forward",
    "reply_to_message", "external_reply", "quote", "reply_to_story", "reply_to_checklist_task_id",
    "reply_to_poll_option_id", "via_bot", "guest_bot_caller_user", "guest_bot_caller_chat",
    "edit_date", "has_protected_content", "is_from_offline", "is_paid_post", "media_group_id",
    "author_signature", "paid_star_count", "entities", "link_preview_options",
    "suggested_post_info", "effect_id", "caption_entities", "show_caption_above_media",
    "has_media_spoiler", "reply_markup", "receiver_user", "ephemeral_message_id", "forward_date",
    "forward_from", "forward_from_chat", "forward_from_message_id", "forward_sender_name",
    "forward_signature",
}  # fmt: skip

# --- what those who run the bot write -----------------------------------------------------------


def commanded(text: str, me: Me) -> Received | None:
    message = {**ENVELOPE, "text": text}
    message["entities"] = [{"type": "bot_command", "offset": 0, "length": len(text.split()[0])}]
    return received({"update_id": 1, "message": message}, me)


@pytest.mark.parametrize("called", ["surestep", ""])
def test_another_command_leaves_the_usual_one_to_the_program(called: str) -> None:
    me = Me(id=4242, username="surestep_bot", admin=called)
    assert commanded("/admin help", me) is None
    found = commanded("/surestep help", me)
    assert isinstance(found, Heard)
    who: Json = {"by": "42", "at": NOON}
    name = "admin" if called else "surestep"
    assert found.reply == Command(name=name, argument="help", **who)


def test_what_is_edited_into_a_command_is_none() -> None:
    message = {**ENVELOPE, "text": "/cancel it", "edit_date": ENVELOPE["date"]}
    message["entities"] = [{"type": "bot_command", "offset": 0, "length": 7}]
    found = received({"update_id": 1, "edited_message": message}, ME)
    assert isinstance(found, Amended)
    assert found.text == "/cancel it"


# --- taps ----------------------------------------------------------------------------------------

CARD = data_for("j-1", "a", Dest(chat=42, owner=42))
IN_TOPIC = data_for("j-1", "a", Dest(chat=-1007, owner=42, thread=5))
DRAWN = {"message_id": 6, "chat": PRIVATE, "date": int(NOON.timestamp()), "text": "When?"}


def tapped(data: str | None, message: Json | None = DRAWN, by: Json = ADA) -> Received | None:
    query = {"id": "99", "from": by, "message": message, "data": data, "chat_instance": "1"}
    told = {name: value for name, value in query.items() if value is not None}
    return received({"update_id": 1, "callback_query": told}, ME)


def test_a_tap_names_its_card_and_who_tapped() -> None:
    assert tapped(CARD, by={**ADA, "language_code": "es"}) == Heard(
        dest=Dest(chat=42, owner=42),
        dedupe="telegram:4242:q:99",
        reply=Tap(card="j-1", token="a", handle="99", by="42", at=NOON, locale="es"),
        name="Ada",
        handle="",
        held=False,
        address=Address.YES,
        message=6,
    )


def test_a_tap_on_somebody_elses_card_goes_into_that_persons_lane_and_says_who_it_was() -> None:
    bob = {"id": 43, "is_bot": False, "first_name": "Bob"}
    heard = tapped(IN_TOPIC, {**DRAWN, "chat": GROUP}, by=bob)
    assert isinstance(heard, Heard)
    assert heard.dest == Dest(chat=-1007, owner=42, thread=5)
    assert (heard.reply.by, heard.name) == ("43", "Bob")


def test_a_tap_on_a_message_out_of_reach_counts_all_the_same() -> None:
    heard = tapped(CARD, {"message_id": 6, "chat": PRIVATE, "date": 0})
    assert isinstance(heard, Heard)
    assert isinstance(heard.reply, Tap)
    assert (heard.reply.card, heard.reply.token, heard.message) == ("j-1", "a", 6)


@pytest.mark.parametrize("data", ["", "vote:1", "s1|j-1|a", "s1|j-1|a|16|0|", "s0|j-1|a|16|0"])
def test_a_tap_on_a_button_of_another_making_has_only_a_spinner(data: str) -> None:
    assert tapped(data) == Unread(handle="99")


def test_a_tap_without_data_or_without_its_chat_has_only_a_spinner() -> None:
    assert tapped(None) == Unread(handle="99")
    assert tapped(CARD, None) == Unread(handle="99")


def test_a_card_of_somebody_else_cannot_stand_in_ones_private_chat() -> None:
    forged = data_for("j-1", "a", Dest(chat=43, owner=43))
    assert tapped(forged) == Unread(handle="99")


def test_a_tap_that_turns_a_page_is_the_channels_own() -> None:
    data = data_for("j-1", page_token(2), Dest(chat=42, owner=42))
    assert tapped(data) == Turned(
        dest=Dest(chat=42, owner=42), card="j-1", page=2, handle="99", message=6, by="42"
    )


# --- edits, moves and the rest -------------------------------------------------------------------


def edited(more: Json) -> Received | None:
    later = int(NOON.timestamp()) + 60
    told = {**ENVELOPE, "edit_date": later, **more}
    return received({"update_id": 1, "edited_message": told}, ME)


def amended(text: str) -> Amended:
    return Amended(
        dest=Dest(chat=42, owner=42),
        dedupe="telegram:4242:m:42:7",
        text=text,
        at=datetime(2026, 12, 1, 12, 1, tzinfo=UTC),
    )


def test_edited_words_are_those_of_the_message_that_was_sent() -> None:
    sent = received({"message": {**ENVELOPE, "text": "at 5"}}, ME)
    found = edited({"text": "at 6"})
    assert found == amended("at 6")
    assert isinstance(sent, Heard)
    assert sent.dedupe == amended("at 6").dedupe


def test_an_edited_caption_is_one_too_and_so_is_one_that_was_taken_away() -> None:
    assert edited({"photo": [{"file_id": "p"}], "caption": "hall"}) == amended("hall")
    assert edited({"photo": [{"file_id": "p"}]}) == amended("")


def test_edited_words_are_read_as_sent_ones_are() -> None:
    text = "@surestep_bot see our page"
    marks = [
        {"type": "mention", "offset": 0, "length": 13},
        {"type": "text_link", "offset": 18, "length": 8, "url": "https://example.org"},
    ]
    found = edited({"chat": GROUP, "text": text, "entities": marks})
    assert isinstance(found, Amended)
    assert found.text == "see our page (https://example.org)"


@pytest.mark.parametrize(
    "more",
    [
        {"location": {"latitude": 1.0, "longitude": 2.0}},
        {"text": "hello", "from": {**ADA, "is_bot": True}},
        {"text": "hello", "sender_chat": GROUP},
    ],
)
def test_other_edits_are_left_alone(more: Json) -> None:
    assert edited(more) is None


def test_a_group_that_became_a_supergroup_has_moved() -> None:
    old = {**ENVELOPE, "chat": {"id": -7, "type": "group"}, "migrate_to_chat_id": -1007}
    new = {**ENVELOPE, "chat": GROUP, "migrate_from_chat_id": -7}
    for told in (old, new):
        assert received({"message": told}, ME) == Moved(old=-7, new=-1007)


@pytest.mark.parametrize(
    "status, expected",
    [("kicked", Gone(chat=42)), ("left", Gone(chat=42)), ("member", None)],
)
def test_a_chat_that_the_bot_is_put_out_of_is_gone(status: str, expected: Gone | None) -> None:
    member = {"user": {"id": 4242, "is_bot": True, "first_name": "S"}, "status": status}
    told = {"chat": PRIVATE, "from": ADA, "date": 1, "new_chat_member": member}
    assert received({"my_chat_member": told}, ME) == expected


@pytest.mark.parametrize(
    "kind", ["channel_post", "edited_channel_post", "business_message", "guest_message"]
)
def test_what_is_said_elsewhere_is_left_alone(kind: str) -> None:
    assert received({"update_id": 1, kind: {**ENVELOPE, "text": "/new"}}, ME) is None
