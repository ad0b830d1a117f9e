"""Chats as people see them: private ones, groups, topics, moves, and what the bot may not do."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.telegram.bare import PNG, Ask
from tests.support.telegram.chats import Chat
from tests.support.telegram.people import Person
from tests.support.telegram.requests import Upload
from tests.support.telegram.server import TelegramServer


def buttons(*labels: str) -> dict[str, Any]:
    return {"inline_keyboard": [[{"text": label, "callback_data": label} for label in labels]]}


@pytest.fixture
def bob(server: TelegramServer) -> Person:
    return server.person("Bob", language="de")


@pytest.fixture
def team(server: TelegramServer, ada: Person, bob: Person) -> Chat:
    return server.group("Team", ada, bob)


def told(server: TelegramServer) -> list[str]:
    """The texts of the messages that the bot was told of."""
    return [one.payload.get("text", one.kind) for one in server.updates.log]


async def test_a_chat_is_drawn_as_it_looks(server: TelegramServer, ada: Person, ask: Ask) -> None:
    poster = server.files.add("document", Upload("poster.pdf", b"%PDF"))
    ada.says("hello")
    markup = {
        "inline_keyboard": [
            [{"text": "Friday", "callback_data": "f"}, {"text": "Other", "callback_data": "o"}],
            [{"text": "Rules", "url": "https://e.org"}, {"text": "Full", "disabled": {}}],
        ]
    }
    await ask("sendMessage", chat_id=ada.id, text="When is it?\nPick one.", reply_markup=markup)
    await ask("sendDocument", chat_id=ada.id, document=poster.id, caption="Your poster")
    words = ada.says("Fridey", reply_to=ada.chat.screen()[1])
    ada.edits(words, "Friday")
    ada.shares_location(52.5, 13.4)
    assert str(ada.chat.screen()) == "\n".join(
        [
            "── Ada ──",
            "Ada: hello",
            "Surestep: When is it?",
            "    Pick one.",
            "    [ Friday ] [ Other ]",
            "    [ Rules ↗ ] ( Full )",
            "Surestep: [document poster.pdf]",
            "    Your poster",
            "Ada (↩2, edited): Friday",
            "Ada: [location 52.5, 13.4]",
        ]
    )


async def test_a_disabled_or_missing_button_cannot_be_tapped(ada: Person, ask: Ask) -> None:
    row = [{"text": "Full", "disabled": {}}, {"text": "Rules", "url": "https://e.org"}]
    markup = {"inline_keyboard": [row]}
    await ask("sendMessage", chat_id=ada.id, text="x", reply_markup=markup)
    for label, why in (("Full", "is disabled"), ("Rules", "sends nothing"), ("Gone", "no button")):
        with pytest.raises(AssertionError, match=why):
            ada.taps(label)


async def test_the_newest_message_with_the_label_is_tapped(
    server: TelegramServer, ada: Person, ask: Ask
) -> None:
    for text in ("first", "second"):
        await ask("sendMessage", chat_id=ada.id, text=text, reply_markup=buttons("Yes"))
    assert ada.taps("Yes").message.text == "second"
    first = ada.chat.screen()[0]
    await ask("editMessageText", chat_id=ada.id, message_id=first.id, text="settled")
    with pytest.raises(AssertionError, match="no button 'Yes'"):
        ada.taps("Yes", first)
    assert ada.taps("Yes", first, stale=True).data == "Yes"
    assert ada.forges("made up", first).data == "made up"
    assert [one.kind for one in server.updates.log] == ["callback_query"] * 3


async def test_a_tap_is_answered_once_and_in_time(
    server: TelegramServer, ada: Person, ask: Ask
) -> None:
    await ask("sendMessage", chat_id=ada.id, text="x", reply_markup=buttons("Yes"))
    tap = ada.taps("Yes")
    assert tap.answer is None
    asked = {"callback_query_id": tap.id, "text": "Done", "show_alert": True}
    assert (await ask("answerCallbackQuery", **asked)).result is True
    answer = await tap.answered()
    assert (answer.text, answer.alert) == ("Done", True)
    assert [call.method for call in server.called(chat=ada.chat)] == [
        "sendMessage",
        "answerCallbackQuery",
    ]
    assert "query is too old" in (await ask("answerCallbackQuery", **asked)).why
    late = ada.taps("Yes")
    server.passes(seconds=61)
    assert "query is too old" in (await ask("answerCallbackQuery", callback_query_id=late.id)).why


async def test_editing_takes_the_keyboard_away_unless_it_is_sent_again(
    ada: Person, ask: Ask
) -> None:
    await ask("sendMessage", chat_id=ada.id, text="x", reply_markup=buttons("Yes", "No"))
    message = ada.chat.newest
    edit = {"chat_id": ada.id, "message_id": message.id}
    await ask("editMessageText", **edit, text="y", reply_markup=buttons("No"))
    assert (message.text, message.labels) == ("y", ["No"])
    again = await ask("editMessageReplyMarkup", **edit, reply_markup=buttons("No"))
    assert "message is not modified" in again.why
    await ask("editMessageReplyMarkup", **edit)
    assert message.labels == []
    assert "message is not modified" in (await ask("editMessageReplyMarkup", **edit)).why
    assert "no caption in the message" in (await ask("editMessageCaption", **edit, caption="c")).why


async def test_people_are_picked_with_a_keyboard_that_stays_with_its_message(
    server: TelegramServer, ada: Person, ask: Ask
) -> None:
    bob = server.person("Bob", last_name="Berg", username="bob_b")
    wanted = {"request_id": 7, "user_is_bot": False, "request_username": True}
    markup = {"keyboard": [[{"text": "Who?", "request_users": wanted}]]}
    await ask("sendMessage", chat_id=ada.id, text="x", reply_markup=markup)
    card = ada.chat.newest
    assert card.labels == []
    ada.picks("Who?", bob)
    told = server.updates.log[-1].json()["message"]
    assert told["users_shared"] == {
        "request_id": 7,
        "users": [{"user_id": bob.id, "username": "bob_b"}],
    }
    assert ada.chat.newest.is_service
    edit = {"chat_id": ada.id, "message_id": card.id}
    assert "can't be edited" in (await ask("editMessageText", **edit, text="y")).why
    await ask("deleteMessage", **edit)
    assert ada.chat.reply_keyboard == []
    group = server.group("Team", ada)
    refused = await ask("sendMessage", chat_id=group.id, text="x", reply_markup=markup)
    assert "private chats only" in refused.why
    assert server.take_violations()


async def test_media_are_edited_as_media(server: TelegramServer, ada: Person, ask: Ask) -> None:
    photo = server.files.add("photo", Upload("p.png", PNG))
    other = server.files.add("photo", Upload("q.png", PNG))
    await ask("sendPhoto", chat_id=ada.id, photo=photo.id, caption="one")
    edit = {"chat_id": ada.id, "message_id": ada.chat.newest.id}
    assert "no text in the message" in (await ask("editMessageText", **edit, text="y")).why
    await ask("editMessageCaption", **edit, caption="*two*", parse_mode="MarkdownV2")
    assert (ada.chat.newest.text, ada.chat.newest.marked("bold")) == ("two", ["two"])
    medium = {"type": "photo", "media": other.id, "caption": "three"}
    await ask("editMessageMedia", **edit, media=medium)
    assert (ada.chat.newest.file_id, ada.chat.newest.text) == (other.id, "three")
    assert "message is not modified" in (await ask("editMessageMedia", **edit, media=medium)).why


async def test_what_people_wrote_is_not_the_bots_to_edit(ada: Person, ask: Ask) -> None:
    words = ada.says("hello")
    heard = await ask("editMessageText", chat_id=ada.id, message_id=words.id, text="y")
    assert heard.why == "Bad Request: message can't be edited"


async def test_deleting(server: TelegramServer, ada: Person, ask: Ask, team: Chat) -> None:
    await ask("sendMessage", chat_id=ada.id, text="x")
    old = ada.chat.newest
    ada.chat.ages(old)
    gone = {"chat_id": ada.id, "message_id": old.id}
    assert "can't be deleted for everyone" in (await ask("deleteMessage", **gone)).why
    words = ada.says("hello")
    assert (await ask("deleteMessage", chat_id=ada.id, message_id=words.id)).result is True
    assert "to delete not found" in (await ask("deleteMessage", chat_id=ada.id, message_id=99)).why
    theirs = ada.says("in the group", chat=team)
    heard = await ask("deleteMessage", chat_id=team.id, message_id=theirs.id)
    assert heard.why == "Bad Request: message can't be deleted"
    team.adds_bot(by=ada, status="administrator")
    assert (await ask("deleteMessages", chat_id=team.id, message_ids=[theirs.id, 77])).result
    assert team.screen().texts == []


def test_a_deep_link_has_64_characters(ada: Person) -> None:
    assert ada.starts("a" * 64).text == "/start " + "a" * 64
    for payload in ("a" * 65, "ä", "a b"):
        with pytest.raises(AssertionError, match="at most 64"):
            ada.starts(payload)


async def test_somebody_who_never_started_cannot_be_written_to(
    server: TelegramServer, ask: Ask
) -> None:
    eve = server.person("Eve", started=False)
    heard = await ask("sendMessage", chat_id=eve.id, text="x")
    assert (heard.status, heard.why[:9]) == (403, "Forbidden")
    eve.starts()
    assert (await ask("sendMessage", chat_id=eve.id, text="x")).status == 200


async def test_blocking_and_coming_back(server: TelegramServer, ada: Person, ask: Ask) -> None:
    ada.blocks()
    heard = await ask("sendMessage", chat_id=ada.id, text="x")
    assert (heard.status, heard.why) == (403, "Forbidden: bot was blocked by the user")
    ada.starts()
    assert [one.kind for one in server.updates.log] == ["my_chat_member"] * 2 + ["message"]
    statuses = [one.payload["new_chat_member"]["status"] for one in server.updates.log[:2]]
    assert statuses == ["kicked", "member"]
    assert (await ask("sendMessage", chat_id=ada.id, text="x")).status == 200


async def test_a_bot_in_privacy_mode_reads_only_what_is_meant_for_it(
    server: TelegramServer, ada: Person, bob: Person, team: Chat, ask: Ask
) -> None:
    await ask("sendMessage", chat_id=team.id, text="card")
    card = team.newest
    ada.says("just talking", chat=team)
    ada.says("/new", chat=team)
    ada.says("/new@surestep_bot", chat=team)
    ada.says("/new@other_bot", chat=team)
    bob.says("what says @surestep_bot", chat=team)
    bob.says("an answer", chat=team, reply_to=card)
    assert told(server) == ["/new", "/new@surestep_bot", "what says @surestep_bot", "an answer"]
    assert server.updates.log[-1].payload["reply_to_message"]["message_id"] == card.id
    server.reads_all = True
    ada.says("still talking", chat=team)
    assert told(server)[-1] == "still talking"


async def test_a_bot_is_thrown_out_of_a_group(
    server: TelegramServer, ada: Person, team: Chat, ask: Ask
) -> None:
    team.kicks_bot(by=ada)
    heard = await ask("sendMessage", chat_id=team.id, text="x")
    assert heard.why == "Forbidden: bot was kicked from the group chat"
    assert server.updates.log[-1].kind == "my_chat_member"
    ada.says("/new", chat=team)
    assert server.updates.log[-1].kind == "my_chat_member"
    team.adds_bot(by=ada)
    await ask("leaveChat", chat_id=team.id)
    heard = await ask("sendMessage", chat_id=team.id, text="x")
    assert heard.why == "Forbidden: bot is not a member of the group chat"


async def test_a_muted_bot(server: TelegramServer, team: Chat, ask: Ask) -> None:
    photo = server.files.add("photo", Upload("p.png", PNG))
    await ask("sendMessage", chat_id=team.id, text="x")
    team.mutes_bot("photos")
    heard = await ask("sendPhoto", chat_id=team.id, photo=photo.id)
    assert heard.why == "Bad Request: not enough rights to send photos to the chat"
    assert (await ask("sendMessage", chat_id=team.id, text="x")).status == 200
    team.mutes_bot()
    heard = await ask("sendMessage", chat_id=team.id, text="x")
    assert heard.why == "Bad Request: not enough rights to send text messages to the chat"
    team.unmutes_bot()
    assert (await ask("sendPhoto", chat_id=team.id, photo=photo.id)).status == 200


async def test_topics_keep_their_messages_apart(
    server: TelegramServer, ada: Person, bob: Person, ask: Ask
) -> None:
    forum = server.group("Club", ada, bob, forum=True)
    talks, meals = forum.topic("Talks"), forum.topic("Meals")
    for topic in (talks, meals):
        sent = await ask(
            "sendMessage",
            chat_id=forum.id,
            message_thread_id=topic.id,
            text=topic.name,
            reply_markup=buttons("Yes"),
        )
        assert sent.result["is_topic_message"] is True
        assert sent.result["reply_to_message"]["forum_topic_created"]["name"] == topic.name
    assert forum.screen(thread=talks.id).texts == ["", "Talks"]
    tap = ada.taps("Yes", chat=forum, thread=talks)
    assert tap.message.thread == talks.id
    words = bob.says("/new", chat=forum, thread=meals)
    assert words.json()["message_thread_id"] == meals.id
    talks.closes()
    asked = {"chat_id": forum.id, "text": "x"}
    closed = await ask("sendMessage", **asked, message_thread_id=talks.id)
    assert closed.why == "Bad Request: TOPIC_CLOSED"
    meals.goes()
    gone = await ask("sendMessage", **asked, message_thread_id=meals.id)
    assert gone.why == "Bad Request: message thread not found"


async def test_a_reply_in_a_supergroup_has_a_thread_that_is_no_topic(
    server: TelegramServer, ada: Person, bob: Person, ask: Ask
) -> None:
    group = server.group("Town", ada, bob, supergroup=True)
    await ask("sendMessage", chat_id=group.id, text="card")
    card = group.newest
    answer = ada.says("yes", chat=group, reply_to=card)
    further = bob.says("and", chat=group, reply_to=answer)
    for message in (answer, further):
        assert message.json()["message_thread_id"] == card.id
        assert "is_topic_message" not in message.json()


async def test_each_supergroup_counts_its_own_messages(
    server: TelegramServer, ada: Person, ask: Ask
) -> None:
    first, second = (server.group(name, ada, supergroup=True) for name in ("One", "Two"))
    sent = [await ask("sendMessage", chat_id=one.id, text="x") for one in (first, second)]
    assert len({one.result["message_id"] for one in sent}) == 1


async def test_a_group_becomes_a_supergroup(
    server: TelegramServer, ada: Person, team: Chat, ask: Ask
) -> None:
    await ask("sendMessage", chat_id=team.id, text="card", reply_markup=buttons("Yes"))
    card = team.newest
    moved = team.upgrades()
    notes = [one.payload for one in server.updates.log]
    assert notes[0]["migrate_to_chat_id"] == moved.id
    assert notes[1]["migrate_from_chat_id"] == team.id
    heard = await ask("sendMessage", chat_id=team.id, text="x")
    assert heard.body["parameters"] == {"migrate_to_chat_id": moved.id}
    await ask("sendMessage", chat_id=moved.id, text="here now")
    assert [text for text in moved.screen().texts if text] == ["card", "here now"]
    tap = ada.taps("Yes", card)
    assert server.updates.log[-1].payload["message"]["chat"]["id"] == team.id
    assert (await ask("answerCallbackQuery", callback_query_id=tap.id)).result is True


async def test_answers_need_the_message_that_they_answer(ada: Person, ask: Ask) -> None:
    words = ada.says("hello")
    asked = {"chat_id": ada.id, "text": "x"}
    sent = await ask("sendMessage", **asked, reply_parameters={"message_id": words.id})
    assert sent.result["reply_to_message"]["text"] == "hello"
    gone = {"message_id": 999}
    heard = await ask("sendMessage", **asked, reply_parameters=gone)
    assert heard.why == "Bad Request: message to be replied not found"
    lenient = {**gone, "allow_sending_without_reply": True}
    assert (await ask("sendMessage", **asked, reply_parameters=lenient)).status == 200


async def test_typing_shows_until_the_next_message(ada: Person, ask: Ask) -> None:
    await ask("sendChatAction", chat_id=ada.id, action="typing")
    assert ada.chat.actions == ["typing"]
    await ask("sendMessage", chat_id=ada.id, text="x")
    assert ada.chat.actions == []


async def test_asking_about_chats_and_people(
    server: TelegramServer, ada: Person, team: Chat, ask: Ask
) -> None:
    assert (await ask("getChat", chat_id=team.id)).result["title"] == "Team"
    assert (await ask("getChatMemberCount", chat_id=team.id)).result == 3
    for user, status in ((ada.id, "member"), (server.bot["id"], "member")):
        told = await ask("getChatMember", chat_id=team.id, user_id=user)
        assert told.result["status"] == status
    assert (await ask("getChat", chat_id=999)).why == "Bad Request: chat not found"
    team.adds_bot(by=ada, status="administrator")
    (leader,) = (await ask("getChatAdministrators", chat_id=team.id)).result
    assert leader["user"]["username"] == "surestep_bot"


async def test_copies_pins_and_the_rest_of_what_can_be_sent(ada: Person, ask: Ask) -> None:
    words = ada.says("hello")
    origin = {"chat_id": ada.id, "from_chat_id": ada.id, "message_id": words.id}
    copied = await ask("copyMessage", **origin)
    assert ada.chat.get(copied.result["message_id"]) is ada.chat.newest
    assert (await ask("forwardMessage", **origin)).result["forward_origin"]["type"] == "user"
    place = {"latitude": 52.5, "longitude": 13.4}
    await ask("sendLocation", chat_id=ada.id, **place)
    await ask("sendVenue", chat_id=ada.id, **place, title="Hall", address="Main Street 1")
    await ask("sendContact", chat_id=ada.id, phone_number="+4930", first_name="Bob")
    options = [{"text": "Mon"}, {"text": "Tue"}]
    await ask("sendPoll", chat_id=ada.id, question="When?", options=options)
    assert [message.media for message in ada.chat.screen()[-4:]] == [
        *("location", "location", "contact", "poll")
    ]
    await ask("pinChatMessage", chat_id=ada.id, message_id=words.id)
    assert ada.chat.pinned == [words]
    await ask("setMessageReaction", **{k: origin[k] for k in ("chat_id", "message_id")})
    await ask("unpinChatMessage", chat_id=ada.id)
    assert ada.chat.pinned == []
