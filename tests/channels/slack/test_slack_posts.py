"""How a post is drawn in Slack's blocks, and what is heard when an action below it is used: all of
it plain text, whatever people wrote, and within Slack's limits."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest

from channels.slack import acts, posts
from channels.slack.incoming import Asks, Elsewhere, Heard
from channels.slack.limits import BLOCKS, CHARACTERS
from channels.slack.native import Json
from channels.slack.native import Post as Message
from channels.slack.payload import Dest
from channels.slack.posts import Told
from channels.slack.read import received
from channels.slack.updates import Kind
from core.posts import Action, Attachment, Line, Post, Tone
from core.replies import Act, Command
from core.texts import Texts
from tests.support.putting import submission
from tests.support.slack.checking import check_message_blocks

NASTY = "<!channel> *bold* <@U1> <https://x.test|x> :tada: &amp; _it_"
COVER = Attachment(origin="slack", ref="slack:T1:F1", name="cover.png", mime="image/png")
CLICKED = "1796126460.000200"
AT = datetime.fromtimestamp(float(CLICKED), UTC)


def one(post: Post, team: str = "T1", told: Told | None = None) -> Message:
    (message,) = posts.messages(post, team, told or Told())
    check_message_blocks(list(message.blocks))
    return message


def texts_in(value: Any, kind: str) -> list[str]:
    """All texts of one kind of object, in their order."""
    if isinstance(value, dict):
        own = [str(value["text"])] if value.get("type") == kind else []
        return own + [text for part in value.values() for text in texts_in(part, kind)]
    if isinstance(value, list | tuple):
        return [text for part in value for text in texts_in(part, kind)]
    return []


# --- the drawing ---------------------------------------------------------------------------------


def test_a_post_reads_from_its_title_to_its_actions() -> None:
    message = one(submission(files=(COVER,)))
    kinds = [block["type"] for block in message.blocks]
    assert kinds == ["header", *["rich_text"] * 5, "image", "context", "actions"]
    assert message.blocks[0]["text"]["text"] == "Rust for beginners"
    assert message.blocks[6]["slack_file"] == {"id": "F1"}
    assert message.blocks[6]["alt_text"] == "cover.png"
    shown = [(one["text"]["text"], one.get("style")) for one in message.blocks[-1]["elements"]]
    assert shown == [("Approve", "primary"), ("Reject", "danger"), ("Show", None)]
    assert message.text == (
        "Rust for beginners\n"
        "Sent in by Ada.\n"
        "Date: Friday, 3 March 2028\n"
        "About:\n"
        "Crabs &amp; how to keep them.\n"
        "First half: &lt;b&gt;theory&lt;/b&gt;, second half: *practice*.\n"
        "Price: –\n"
        "Number 12"
    )


def test_no_text_of_anybody_is_markup_or_a_mention() -> None:
    post = Post(
        id="p",
        title=NASTY,
        text=NASTY,
        lines=(Line(label=NASTY, value=NASTY), Line(label="", value=NASTY, long=True)),
        footer=NASTY,
        actions=(Action(command="x", label=NASTY),),
    )
    message = one(post)
    assert texts_in(list(message.blocks), "mrkdwn") == []
    assert texts_in(list(message.blocks), "text") == [NASTY, f"{NASTY}: ", NASTY, NASTY]
    plain = texts_in(list(message.blocks), "plain_text")
    assert plain == [NASTY.replace("&amp;", "&amp;amp;")] * 3
    assert "<" not in message.text


def test_a_title_that_is_no_heading_any_more_is_told_whole() -> None:
    message = one(Post(id="p", title="word " * 60))
    assert [block["type"] for block in message.blocks] == ["rich_text"]
    assert texts_in(list(message.blocks), "text") == [("word " * 60).strip()]


def test_what_is_too_long_for_a_message_goes_on_in_the_next_and_the_last_has_the_actions() -> None:
    lines = tuple(
        Line(label=f"Line {number}", value="So much to tell. " * 40, long=True)
        for number in range(60)
    )
    messages = posts.messages(submission(lines=lines))
    assert len(messages) > 3
    for message in messages:
        check_message_blocks(list(message.blocks))
        assert len(message.blocks) <= BLOCKS
        assert sum(map(len, texts_in(list(message.blocks), "text"))) <= CHARACTERS
    has_actions = ["actions" in [block["type"] for block in one.blocks] for one in messages]
    assert has_actions == [False] * (len(messages) - 1) + [True]


def test_files_that_could_not_be_sent_and_a_doubt_are_told() -> None:
    message = one(submission(), told=Told(("“x.pdf” could not be attached.",), "Perhaps twice."))
    assert message.text.endswith("“x.pdf” could not be attached.\nNumber 12\nPerhaps twice.")


@pytest.mark.parametrize(
    "changes, team, shown",
    [
        ({}, "T1", "F1"),
        ({}, "", "F1"),
        ({}, "T2", None),
        ({"mime": "image/webp"}, "T1", None),
        ({"mime": "application/pdf"}, "T1", None),
        ({"origin": "telegram"}, "T1", None),
        ({"ref": "F1"}, "T1", None),
    ],
)
def test_which_files_a_message_can_show(
    changes: dict[str, str], team: str, shown: str | None
) -> None:
    assert posts.shown(msgspec.structs.replace(COVER, **changes), team) == shown


def test_a_great_many_actions_stand_in_rows_and_the_first_ones_count() -> None:
    actions = tuple(Action(command=f"show {n}", label=f"Number {n}") for n in range(200))
    message = one(Post(id="p", title="Queue", actions=actions))
    rows = [block for block in message.blocks if block["type"] == "actions"]
    assert {len(row["elements"]) for row in rows} == {5}
    labels = [button["text"]["text"] for row in rows for button in row["elements"]]
    assert labels == [f"Number {n}" for n in range(125)]


@pytest.mark.parametrize(
    "post",
    [
        pytest.param(
            submission(actions=(Action(command="x" * 2000, label="Do"),)), id="a long command"
        ),
        pytest.param(submission(id="x" * 255), id="a long id"),
    ],
)
def test_an_action_that_does_not_fit_is_an_error_of_whoever_made_it(post: Post) -> None:
    with pytest.raises(ValueError, match="does not fit into a"):
        posts.messages(post)


def test_what_asks_at_length_is_asked_in_short() -> None:
    action = Action(command="reject 12", label="Reject", needs="Why? " * 1000, tone=Tone.BAD)
    (row,) = acts.rows(submission(actions=(action,)))
    assert len(row["elements"][0]["value"]) <= 2000
    assert "Why? Why?" in row["elements"][0]["value"]


# --- clicks --------------------------------------------------------------------------------------


def click(number: int, **changes: Any) -> Json:
    """Somebody in a channel clicks on an action of a post that stands there."""
    (row,) = acts.rows(submission())
    button = row["elements"][number]
    where = {"type": "message", "message_ts": "1796126400.000100", "channel_id": "C1"}
    return {
        "type": "block_actions",
        "user": {"id": "U42", "username": "bob", "team_id": "T1"},
        "team": {"id": "T1"},
        "channel": {"id": "C1"},
        "container": {**where, **changes.pop("container", {})},
        "trigger_id": "1.2.3",
        "actions": [
            {
                "type": "button",
                "action_id": button["action_id"],
                "block_id": row["block_id"],
                "action_ts": CLICKED,
                "value": button["value"],
                "text": button["text"],
                **changes.pop("action", {}),
            }
        ],
        **changes,
    }


def test_a_click_on_an_action_counts_for_who_made_it_in_the_thread_below_the_post() -> None:
    heard = received(Kind.ACTIONS, click(0))
    assert isinstance(heard, Heard)
    assert heard.dest == Dest("T1", "C1", "U42", "1796126400.000100")
    assert heard.reply == Act(command="approve 12", post="s-12", handle="U42", by="U42", at=AT)
    again = received(Kind.ACTIONS, click(0))
    assert isinstance(again, Heard)
    assert again.dedupe == heard.dedupe


@pytest.mark.parametrize(
    "changes, thread",
    [
        ({"container": {"thread_ts": "1796126300.000100"}}, "1796126300.000100"),
        ({"container": {"is_ephemeral": True}}, ""),
        ({"channel": {"id": "D1"}, "container": {"channel_id": "D1"}}, ""),
    ],
    ids=["in a thread", "seen by one", "direct"],
)
def test_where_what_comes_of_a_click_is_said(changes: Json, thread: str) -> None:
    heard = received(Kind.ACTIONS, click(0, **changes))
    assert isinstance(heard, Heard)
    assert heard.dest.thread == thread


def test_a_click_on_an_action_that_wants_words_asks_for_them() -> None:
    asks = received(Kind.ACTIONS, click(1))
    assert isinstance(asks, Asks)
    told = (asks.command, asks.post, asks.needs, asks.label, asks.trigger)
    assert told == ("reject 12", "s-12", "Why is it rejected?", "Reject", "1.2.3")


@pytest.mark.parametrize("value", ["", "x", "[]", '[""]', '{"command":"x"}', "[1]"])
def test_a_button_that_holds_no_command_is_nobodys(value: str) -> None:
    found = received(Kind.ACTIONS, click(0, action={"value": value}))
    assert found == Elsewhere(by="U42")


# --- words ---------------------------------------------------------------------------------------


def asked() -> Json:
    found = received(Kind.ACTIONS, click(1))
    assert isinstance(found, Asks)
    return acts.modal(found, Texts("en"))


def sent(view: Json, words: str | None = "too vague", **changes: Any) -> Json:
    """A modal is sent."""
    block = view["blocks"][0]
    held = {"type": "plain_text_input", "value": words}
    values = {block["block_id"]: {block["element"]["action_id"]: held}}
    told = {**view, "id": "V1", "hash": "h", "state": {"values": values}}
    return {
        "type": "view_submission",
        "user": {"id": "U42", "username": "bob", "team_id": "T1"},
        "team": {"id": "T1"},
        "view": {**told, "app_installed_team_id": "T1"},
        **changes,
    }


def test_the_words_of_the_modal_are_what_the_action_wanted() -> None:
    view = asked()
    assert view["title"]["text"] == "Reject"
    assert view["blocks"][0]["label"]["text"] == "Why is it rejected?"
    heard = received(Kind.SUBMISSION, sent(view))
    assert isinstance(heard, Heard)
    assert heard.dest == Dest("T1", "C1", "U42", "1796126400.000100")
    assert isinstance(heard.reply, Act)
    told = (heard.reply.command, heard.reply.words, heard.reply.post, heard.reply.by)
    assert told == ("reject 12", "too vague", "s-12", "U42")


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"user": {"id": "U41", "team_id": "T1"}}, id="by somebody else"),
        pytest.param({"words": " "}, id="without words"),
        pytest.param({"words": None}, id="with nothing"),
        pytest.param({"meta": "{}"}, id="for nothing"),
        pytest.param({"meta": '{"lane":"x","command":"y","post":""}'}, id="nowhere"),
        pytest.param(
            {"meta": '{"lane":"slack:T2:C1:0:U42","command":"y","post":""}'}, id="elsewhere"
        ),
    ],
)
def test_a_modal_that_was_not_opened_for_its_sender_counts_for_nothing(
    changes: dict[str, Any],
) -> None:
    view = asked()
    view["private_metadata"] = changes.pop("meta", view["private_metadata"])
    found = received(Kind.SUBMISSION, sent(view, changes.pop("words", "too vague"), **changes))
    assert isinstance(found, Elsewhere)


# --- the command of those who run the bot --------------------------------------------------------


def test_the_admin_command_has_all_that_stands_behind_it() -> None:
    body = {
        "team_id": "T1",
        "channel_id": "C1",
        "user_id": "U42",
        "command": "/surestep",
        "text": "admin reject 12 too vague &amp; short",
        "trigger_id": "1.2.3",
    }
    heard = received(Kind.COMMAND, body)
    assert isinstance(heard, Heard)
    assert isinstance(heard.reply, Command)
    told = (heard.reply.name, heard.reply.argument)
    assert told == ("admin", "reject 12 too vague & short")
    # Its answer is for nobody else's eyes: it comes into the direct message.
    assert heard.dest == Dest("T1", "", "U42")
