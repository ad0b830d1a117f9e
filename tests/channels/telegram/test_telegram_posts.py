"""How a post is drawn, what its buttons send, and what a prompt for words carries: all of it plain
text, whatever people wrote, and within Telegram's limits."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from channels.telegram import posts
from channels.telegram.acts import Used, Wanted, data_of, prompt, used, wanted_by
from channels.telegram.limits import CALLBACK_DATA, CAPTION, TEXT
from channels.telegram.native import Media, Piece
from channels.telegram.payload import Dest
from channels.telegram.posts import Told
from channels.telegram.read import Asked, Heard, Me, Unread, received
from channels.telegram.text import units
from channels.telegram.updates import Entity
from core.posts import Action, Attachment, Line, Post, Tone
from core.replies import Act, Command, Words
from tests.support.putting import submission

ME = Me(id=4242, username="surestep_bot")
AT = datetime.fromtimestamp(1_796_126_400, UTC)
NASTY = "<b>@ada_l</b> *bold* [x](http://x.test) /start https://x.test"


def one(post: Post, told: Told | None = None) -> Piece:
    (piece,) = posts.messages(post, 0, told or Told())
    return piece


def marked(piece: Piece, kind: str) -> list[str]:
    """The parts of a text that entities of this kind cover; offsets count UTF-16 units."""
    raw = piece.text.encode("utf-16-le")
    ends = [
        (entity["offset"] * 2, (entity["offset"] + entity["length"]) * 2)
        for entity in piece.entities
        if entity["type"] == kind
    ]
    return [raw[start:end].decode("utf-16-le") for start, end in ends]


# --- the drawing ---------------------------------------------------------------------------------


def test_a_post_reads_from_its_title_to_its_actions() -> None:
    piece = one(submission())
    assert piece.text == (
        "Rust for beginners\n"
        "Sent in by Ada.\n"
        "\n"
        "Date: Friday, 3 March 2028\n"
        "About:\n"
        "Crabs & how to keep them.\n"
        "First half: <b>theory</b>, second half: *practice*.\n"
        "Price: –\n"
        "\n"
        "Number 12"
    )
    assert marked(piece, "bold") == ["Rust for beginners", "Date:", "About:", "Price:"]
    assert marked(piece, "blockquote") == [
        "Crabs & how to keep them.\nFirst half: <b>theory</b>, second half: *practice*."
    ]
    assert marked(piece, "italic") == ["Number 12"]
    assert [[one["text"] for one in row] for row in piece.keyboard] == [
        ["Approve", "Reject", "Show"]
    ]
    styles = [button.get("style") for row in piece.keyboard for button in row]
    assert styles == ["success", "danger", None]


def test_no_text_of_anybody_is_markup_or_a_mention() -> None:
    post = Post(
        id="p",
        title=NASTY,
        text=NASTY,
        lines=(Line(label=NASTY, value=NASTY), Line(label="", value=NASTY, long=True)),
        footer=NASTY,
    )
    piece = one(post)
    assert piece.text.count(NASTY) == 6
    kinds = {entity["type"] for entity in piece.entities}
    assert kinds == {"bold", "italic", "blockquote"}


def test_a_very_long_value_is_folded() -> None:
    piece = one(Post(id="p", lines=(Line(label="About", value="word " * 100, long=True),)))
    assert marked(piece, "expandable_blockquote") == [("word " * 100).strip()]


def test_a_post_of_which_nothing_is_to_be_seen_is_no_message() -> None:
    assert posts.messages(Post(id="p", title=" ", text="\u200b", footer="\n")) == ()


def test_what_is_too_long_for_a_message_goes_on_in_the_next_and_the_last_has_the_actions() -> None:
    post = submission(lines=(Line(label="About", value="So much to tell. " * 800, long=True),))
    pieces = posts.messages(post)
    assert len(pieces) > 2
    assert all(units(piece.text) <= TEXT for piece in pieces)
    assert [bool(piece.keyboard) for piece in pieces] == [False] * (len(pieces) - 1) + [True]
    told = " ".join(piece.text for piece in pieces).split()
    assert told.count("much") == 800


def test_files_that_could_not_be_sent_and_a_doubt_are_told() -> None:
    piece = one(submission(), Told(("“x.pdf” could not be attached.",), "Perhaps twice."))
    assert piece.text.endswith("“x.pdf” could not be attached.\n\nNumber 12\n\nPerhaps twice.")


@pytest.mark.parametrize("length", [10, CAPTION])
def test_a_text_stands_under_its_file_as_far_as_it_fits(length: int) -> None:
    piece = posts.caption(Post(id="p", text="a" * length))
    assert piece is not None
    assert piece.text == "a" * length
    assert posts.caption(Post(id="p", text="a" * (CAPTION + 1))) is None


@pytest.mark.parametrize(
    "mime, size, kind",
    [
        ("image/png", 10, "photo"),
        ("image/jpeg", 101, "document"),
        ("image/gif", 10, "document"),
        ("image/svg+xml", 10, "document"),
        ("application/pdf", 10, "document"),
    ],
)
def test_what_a_new_file_is_sent_as(mime: str, size: int, kind: str) -> None:
    file = Attachment(origin="made", ref="x", name="../../etc/x", mime=mime)
    media = posts.uploaded(file, b"x" * size, 100)
    assert (media.kind, media.content) == (kind, b"x" * size)


def test_a_file_of_the_channel_is_sent_by_its_id_and_no_other_is() -> None:
    known = posts.known(Attachment(origin="telegram", ref="photo:AgAC"))
    assert known == Media(kind="photo", file="AgAC")
    assert posts.known(Attachment(origin="slack", ref="photo:AgAC")) is None


# --- what buttons send ---------------------------------------------------------------------------


def test_a_button_sends_its_command_and_its_post() -> None:
    approve, reject, _ = submission().actions
    assert used(data_of(approve, "s-12")) == Used("approve 12", "s-12", 0, False)
    assert used(data_of(reject, "s-12", 77)) == Used("reject 12", "s-12", 77, True)


def test_a_post_whose_id_does_not_fit_is_left_out() -> None:
    action = Action(command="approve 12", label="Approve")
    for name in ("x" * 60, "a|b"):
        data = data_of(action, name, 77)
        assert used(data) == Used("approve 12", "", 77, False)
        assert len(data.encode()) <= CALLBACK_DATA


@pytest.mark.parametrize("command", ["x" * 61, "ü" * 31, "approve|12"])
def test_a_command_that_does_not_fit_is_an_error_of_whoever_made_it(command: str) -> None:
    post = Post(id="p", title="x", actions=(Action(command=command, label="Do"),))
    with pytest.raises(ValueError, match="does not fit into callback data"):
        posts.messages(post)


def test_of_a_great_many_actions_as_many_are_shown_as_a_keyboard_holds() -> None:
    actions = tuple(
        Action(command=f"show {number}", label=f"Number {number}", tone=Tone.BAD)
        for number in range(150)
    )
    keyboard = one(Post(id="p", title="Queue", actions=actions)).keyboard
    shown = [button["text"] for row in keyboard for button in row]
    assert 40 < len(shown) <= 100
    assert shown == [f"Number {number}" for number in range(len(shown))]


@pytest.mark.parametrize(
    "data", ["", "a1", "a1|", "a1||p|", "a1|x|p", "a1|x|p||", "a3|x|p|", "s1|c|t|1|0", "a1|x|p|ü"]
)
def test_data_that_no_action_sends_is_none(data: str) -> None:
    assert used(data) is None


# --- taps ----------------------------------------------------------------------------------------


def tap(data: str, *, chat: int = -100, kind: str = "supergroup", **more: Any) -> dict[str, Any]:
    message = {
        "message_id": 7,
        "date": 1_796_126_400,
        "chat": {"id": chat, "type": kind},
        "reply_markup": {"inline_keyboard": [[{"text": "Reject", "callback_data": data}]]},
        **more,
    }
    person = {"id": 42, "first_name": "Bob", "language_code": "de"}
    return {"callback_query": {"id": "q1", "from": person, "message": message, "data": data}}


def test_a_tap_on_an_action_counts_for_who_made_it() -> None:
    heard = received(tap("a1|approve 12|s-12|"), ME)
    assert isinstance(heard, Heard)
    assert heard.dest == Dest(chat=-100, owner=42)
    assert heard.reply == Act(
        command="approve 12", post="s-12", handle="q1", by="42", at=AT, locale="de"
    )
    assert (heard.dedupe, heard.name) == ("telegram:4242:q:q1", "Bob")


def test_a_tap_on_an_action_that_wants_words_asks_for_them() -> None:
    asked = received(tap("a2|reject 12|s-12|1b"), ME)
    assert isinstance(asked, Asked)
    assert asked.dest == Dest(chat=-100, owner=42, thread=47)
    assert (asked.command, asked.post, asked.label) == ("reject 12", "s-12", "Reject")


def test_an_action_of_a_message_out_of_reach_counts_all_the_same() -> None:
    heard = received(tap("a1|approve 12|s-12|", date=0, reply_markup=None), ME)
    assert isinstance(heard, Heard)
    assert isinstance(heard.reply, Act)


def test_a_button_that_is_nobodys_is_only_answered() -> None:
    assert received(tap("a1|approve 12"), ME) == Unread(handle="q1")


# --- prompts -------------------------------------------------------------------------------------


WANTED = Wanted("reject 12", "s-12", 42)


def answer(prompted: dict[str, Any], text: str = "too vague", **more: Any) -> dict[str, Any]:
    """An update: Bob answers a message."""
    chat = {"id": -100, "type": "supergroup"}
    bot = {"id": 4242, "is_bot": True, "first_name": "Surestep", "username": "surestep_bot"}
    replied = {"message_id": 8, "date": 1, "chat": chat, "from": bot, **prompted}
    return {
        "message": {
            "message_id": 9,
            "date": 1_796_126_400,
            "chat": chat,
            "from": {"id": 42, "first_name": "Bob"},
            "text": text,
            "reply_to_message": replied,
            **more,
        }
    }


def prompted(name: str = "Bob") -> dict[str, Any]:
    return prompt(WANTED, "Why is it rejected?", "Reject 🙂", bot="surestep_bot", name=name)


@pytest.mark.parametrize("name", ["", "Bob 🙂"])
def test_a_prompt_asks_one_person_and_carries_what_the_answer_is_for(name: str) -> None:
    shown = prompted(name)
    asked = "Reject 🙂: Why is it rejected?"
    assert shown["text"] == (f"{name}\n{asked}" if name else asked)
    assert shown["reply_markup"] == {
        "force_reply": True,
        "selective": True,
        "input_field_placeholder": "Why is it rejected?",
    }
    kinds = [entity["type"] for entity in shown["entities"]]
    assert kinds == (["text_mention", "text_link"] if name else ["text_link"])
    link = shown["entities"][-1]
    raw = shown["text"].encode("utf-16-le")
    covered = raw[link["offset"] * 2 : (link["offset"] + link["length"]) * 2].decode("utf-16-le")
    assert covered == "Reject 🙂"
    entities = [Entity(type="text_link", offset=0, length=1, url=link["url"])]
    assert wanted_by(entities) == WANTED


def test_the_answer_to_a_prompt_is_what_the_action_wanted() -> None:
    heard = received(answer(prompted()), ME)
    assert isinstance(heard, Heard)
    assert heard.reply == Act(command="reject 12", words="too vague", post="s-12", by="42", at=AT)
    assert heard.dest == Dest(chat=-100, owner=42)


def test_a_command_in_answer_to_a_prompt_is_a_command() -> None:
    entities = [{"type": "bot_command", "offset": 0, "length": 7}]
    heard = received(answer(prompted(), "/cancel", entities=entities), ME)
    assert isinstance(heard, Heard)
    assert heard.reply == Command(name="cancel", by="42", at=AT)


@pytest.mark.parametrize(
    "other",
    [
        pytest.param({"from": {"id": 41, "first_name": "Mallory"}}, id="by somebody else"),
        pytest.param({"text": "  "}, id="without words"),
        pytest.param(
            {"forward_origin": {"type": "hidden_user", "sender_user_name": "x"}}, id="another's"
        ),
    ],
)
def test_what_is_no_answer_to_ones_own_prompt_is_no_act(other: dict[str, Any]) -> None:
    heard = received(answer(prompted(), **other), ME)
    assert not isinstance(heard, Heard) or not isinstance(heard.reply, Act)


def test_a_prompt_that_somebody_else_wrote_asks_nothing() -> None:
    person = {"id": 41, "first_name": "Mallory"}
    assert received(answer({**prompted(), "from": person}), ME) is None


@pytest.mark.parametrize(
    "address",
    ["https://x.test", "https://t.me/b?act=", "https://t.me/b?act=%%%", "https://[?act=WzFd"],
)
def test_an_address_that_is_no_prompts_asks_nothing(address: str) -> None:
    link = {"type": "text_link", "offset": 0, "length": 1, "url": address}
    heard = received(answer({"text": "x", "entities": [link]}), ME)
    assert isinstance(heard, Heard)
    assert heard.reply == Words(text="too vague", by="42", at=AT)


# --- the command of those who run the bot --------------------------------------------------------


@pytest.mark.parametrize("name", ["/admin", "/admin@surestep_bot"])
def test_the_admin_command_is_taken_in_a_group(name: str) -> None:
    said = f"{name} reject 12 too vague"
    entities = [{"type": "bot_command", "offset": 0, "length": len(name)}]
    update = answer({}, said, entities=entities, reply_to_message=None)
    heard = received(update, ME)
    assert isinstance(heard, Heard)
    assert heard.reply == Command(name="admin", argument="reject 12 too vague", by="42", at=AT)


def test_the_admin_command_of_another_bot_is_none_of_ours() -> None:
    entities = [{"type": "bot_command", "offset": 0, "length": len("/admin@other_bot")}]
    update = answer({}, "/admin@other_bot x", entities=entities, reply_to_message=None)
    assert received(update, ME) is None
