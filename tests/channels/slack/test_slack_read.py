"""What people write, and what is heard: the tables of messages and of commands, and the events."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from channels.slack.incoming import (
    Address,
    Amended,
    Elsewhere,
    Gone,
    Heard,
    Home,
    Pane,
    Received,
)
from channels.slack.payload import SHORTCUT, Dest
from channels.slack.read import received
from channels.slack.typed import Called
from channels.slack.updates import Kind, kind_of
from core.replies import Command, File, Reply, Shared, Upload, Words

Json = dict[str, Any]

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
TS = f"{int(NOON.timestamp())}.000100"
AT = datetime.fromtimestamp(float(TS), UTC)
LONG_AGO = datetime.fromtimestamp(0, UTC)


def table(name: str) -> list[Json]:
    """A file of cases beside this one."""
    loaded: list[Json] = YAML(typ="safe").load(Path(__file__).with_name(name))
    return loaded


CASES, COMMANDS = table("incoming.yaml"), table("commands.yaml")


def told(event: Json, **envelope: Any) -> Json:
    """An event in its envelope."""
    return {
        "type": "event_callback",
        "team_id": "T1",
        "api_app_id": "A1",
        "event_id": "Ev1",
        "event": {"user": "U42", "ts": TS, "event_ts": TS, **event},
        "authorizations": [{"team_id": "T1", "user_id": "UBOT", "is_bot": True}],
        **envelope,
    }


def message_of(case: Json) -> Json:
    """The event of a case, as Slack tells it."""
    channel = case.get("in", "D1")
    said = {"type": "message", "channel": channel, "text": case["text"]}
    return told({**said, **case.get("event", {})}, **case.get("envelope", {}))


def expected(case: Json) -> Heard:
    """What is to be heard of a case."""
    channel = case.get("in", "D1")
    thread = case.get("thread", "" if channel == "D1" else TS)
    return Heard(
        dest=Dest("T1", channel, "U42", thread),
        dedupe=f"slack:T1:m:{channel}:{TS}",
        reply=reply_of(case),
        held="words" in case,
        address=Address(case.get("address", "yes")),
        people=tuple(Called(**one) for one in case.get("people", ())),
        message=TS,
    )


def reply_of(case: Json) -> Reply:
    """The reply of a case."""
    who: Json = {"by": "U42", "at": AT}
    if "command" in case:
        name, argument = case["command"]
        return Command(name=name, argument=argument, **who)
    if "upload" in case:
        files = tuple(File(**one) for one in case["upload"]["files"])
        return Upload(files=files, caption=case["upload"].get("caption", ""), **who)
    if "shared" in case:
        kind, value, detail = case["shared"]
        return Shared(kind=kind, value=value, detail=detail, **who)
    return Words(text=case["words"], **who)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["case"])
def test_what_is_written_is_heard(case: Json) -> None:
    heard = received(Kind.EVENT, message_of(case))
    assert heard == (None if case.get("nothing") else expected(case))


def test_a_mention_that_comes_as_two_events_is_one_message() -> None:
    said = {"channel": "C1", "text": "<@UBOT> hi"}
    message = received(Kind.EVENT, told({"type": "message", **said}))
    mention = received(Kind.EVENT, told({"type": "app_mention", **said}, event_id="Ev2"))
    assert isinstance(message, Heard)
    assert message == mention


# --- commands ------------------------------------------------------------------------------------


def slash(text: str, **more: str) -> Json:
    """The form of a slash command."""
    return {
        "command": "/surestep",
        "text": text,
        "team_id": "T1",
        "channel_id": "C1",
        "user_id": "U42",
        "user_name": "ada",
        "trigger_id": "1.2.abc",
        **more,
    }


@pytest.mark.parametrize("case", COMMANDS, ids=lambda case: case["text"] or "nothing")
def test_a_slash_command_goes_to_the_direct_message(case: Json) -> None:
    body, (name, argument) = slash(case["text"]), case["command"]
    assert received(kind_of(body), body) == Heard(
        dest=Dest("T1", "", "U42"),
        dedupe="slack:T1:c:1.2.abc",
        reply=Command(name=name, argument=argument, by="U42", at=LONG_AGO),
        name="ada",
        written="C1",
    )


def shortcut(callback_id: str) -> Received | None:
    body = {
        "type": "shortcut",
        "callback_id": callback_id,
        "trigger_id": "1.2.abc",
        "action_ts": TS,
        "team": {"id": "T1", "domain": "x"},
        "user": {"id": "U42", "username": "ada", "team_id": "T1"},
    }
    return received(kind_of(body), body)


def test_the_shortcut_begins_or_goes_on() -> None:
    assert shortcut(SHORTCUT) == Heard(
        dest=Dest("T1", "", "U42"),
        dedupe="slack:T1:c:1.2.abc",
        reply=Command(name="start", by="U42", at=AT),
        name="ada",
    )
    assert shortcut("another") == Elsewhere(by="U42")


# --- edits ---------------------------------------------------------------------------------------


def edited(now: Json, before: str = "at 5", channel: str = "D1") -> Received | None:
    message = {"type": "message", "user": "U42", "ts": TS, **now}
    later = f"{int(NOON.timestamp()) + 60}.000200"
    event = {
        "type": "message",
        "subtype": "message_changed",
        "hidden": True,
        "channel": channel,
        "ts": later,
        "user": None,
        "message": message,
        "previous_message": {**message, "text": before},
    }
    return received(Kind.EVENT, told(event))


def test_edited_words_are_those_of_the_message_that_was_sent() -> None:
    sent = received(Kind.EVENT, told({"type": "message", "channel": "D1", "text": "at 5"}))
    found = edited({"text": "at 6 &amp; <@U43>"})
    assert isinstance(sent, Heard)
    assert isinstance(found, Amended)
    assert (found.dest, found.dedupe) == (sent.dest, sent.dedupe)
    assert (found.text, found.people) == ("at 6 & @U43", (Called("U43", "@U43"),))
    assert round((found.at - sent.reply.at).total_seconds()) == 60


def test_edited_words_in_a_channel_are_those_of_its_thread() -> None:
    found = edited({"text": "<@UBOT> at 6"}, channel="C1")
    assert isinstance(found, Amended)
    assert (found.dest, found.text) == (Dest("T1", "C1", "U42", TS), "at 6")
    answer = edited({"text": "at 6", "thread_ts": "1796126000.000001"}, channel="C1")
    assert isinstance(answer, Amended)
    assert answer.dest.thread == "1796126000.000001"


@pytest.mark.parametrize(
    "now",
    [
        {"text": "at 5", "attachments": [{"title": "a preview"}]},
        {"text": "at 6", "bot_id": "B9"},
        {"text": "at 6", "app_id": "A1"},
        {"text": "at 6", "user": "UBOT"},
        {"text": "at 6", "user": None},
        {"text": "gone", "subtype": "tombstone"},
        {"text": "New chat", "subtype": "assistant_app_thread"},
    ],
)
def test_other_changes_of_a_message_are_left_alone(now: Json) -> None:
    assert edited(now) is None


# --- the home, the pane, the end -----------------------------------------------------------------


@pytest.mark.parametrize("tab, messages", [("home", False), ("messages", True)])
def test_the_app_is_opened(tab: str, messages: bool) -> None:
    found = received(Kind.EVENT, told({"type": "app_home_opened", "channel": "D1", "tab": tab}))
    assert found == Home(dest=Dest("T1", "D1", "U42"), messages=messages)


@pytest.mark.parametrize(
    "kind, started",
    [("assistant_thread_started", True), ("assistant_thread_context_changed", False)],
)
def test_the_assistant_pane_is_opened(kind: str, started: bool) -> None:
    thread = {"user_id": "U42", "channel_id": "D1", "thread_ts": TS, "context": {}}
    found = received(Kind.EVENT, told({"type": kind, "assistant_thread": thread}))
    assert found == Pane(dest=Dest("T1", "D1", "U42", TS), started=started)


@pytest.mark.parametrize(
    "event, expected",
    [
        ({"type": "app_uninstalled"}, Gone(team="T1")),
        ({"type": "team_access_revoked"}, Gone(team="T1")),
        ({"type": "tokens_revoked", "tokens": {"oauth": [], "bot": ["UBOT"]}}, Gone(team="T1")),
        ({"type": "tokens_revoked", "tokens": {"oauth": ["U42"], "bot": []}}, None),
        ({"type": "channel_archive", "channel": "C1"}, None),
        ({"type": "channel_rename", "channel": {"id": "C1", "name": "x"}}, None),
    ],
)
def test_the_app_is_removed(event: Json, expected: Gone | None) -> None:
    assert received(Kind.EVENT, told(event)) == expected


@pytest.mark.parametrize("kind", ["message_action", "url_verification", "interactive_message", ""])
def test_what_else_slack_sends_is_left_alone(kind: str) -> None:
    assert received(kind, {"type": kind, "user": {"id": "U42"}}) is None
