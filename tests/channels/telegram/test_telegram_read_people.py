"""What people do on the Bot API server is heard, told by either library as by the server."""

from __future__ import annotations

import pytest
from aiogram.types import Update as AiogramUpdate
from telegram import Update as PtbUpdate

from channels.telegram import driver_aiogram, driver_ptb
from channels.telegram.payload import Dest, data_for
from channels.telegram.read import Address, Amended, Gone, Heard, Me, Moved, Received, received
from core.replies import Command, Reply, Shared, Tap, Upload, Words
from tests.support.telegram.chats import Chat
from tests.support.telegram.files import png
from tests.support.telegram.messages import Message
from tests.support.telegram.people import Medium, Person
from tests.support.telegram.server import TelegramServer

Ways = list[Received | None]


@pytest.fixture
def server() -> TelegramServer:
    """A server that no bot calls: it only says what people do."""
    return TelegramServer(reads_all=True)


def heard(server: TelegramServer) -> Ways:
    """What is heard of all updates so far, which is the same by whichever way they come."""
    me = Me(id=server.bot["id"], username=server.bot["username"])
    told = [update.json() for update in server.updates.log]
    found = [received(one, me) for one in told]
    by_aiogram = [driver_aiogram.raw(AiogramUpdate.model_validate(one)) for one in told]
    assert [received(one, me) for one in by_aiogram] == found
    by_ptb = [driver_ptb.raw(PtbUpdate.de_json(one, None)) for one in told]
    assert [received(one, me) for one in by_ptb] == found
    return found


def replies(server: TelegramServer) -> list[Reply]:
    """The replies among it."""
    return [one.reply for one in heard(server) if isinstance(one, Heard)]


def shows(chat: Chat, owner: Person, *, thread: int = 0, label: str = "Now") -> Message:
    """A card of the bot with one button, in a chat."""
    data = data_for("j-1", "a", Dest(chat=chat.id, owner=owner.id, thread=thread))
    world = chat.world
    markup = {"inline_keyboard": [[{"text": label, "callback_data": data}]]}
    text = {"text": "When?"}
    card = Message(chat, chat.next_id(), world.bot, world.now, text, markup, from_bot=True)
    if thread:
        card.thread, card.in_topic = thread, True
    return chat.add(card)


def test_a_person_starts_writes_and_sends_what_they_have(
    server: TelegramServer, ada: Person
) -> None:
    ada.starts("event")
    ada.says("see https://example.org, 👋")
    ada.sends_photo(caption="the hall")
    ada.sends_document(b"%PDF-", "plan.pdf")
    ada.sends_voice()
    ada.sends_sticker("🎉")
    ada.shares_contact("4930123456")
    ada.shares_location(52.5, 13.4)
    ada.sends_poll("When?", "Friday", "Saturday")

    start, words, photo, document, voice, sticker, contact, place, poll = replies(server)
    assert (start, words) == (
        Command(name="start", argument="event", by=str(ada.id), at=start.at, locale="en"),
        Words(text="see https://example.org, 👋", by=str(ada.id), at=start.at, locale="en"),
    )
    assert int(start.at.timestamp()) == server.now
    files = [one.files[0] for one in (photo, document, voice) if isinstance(one, Upload)]
    assert [(one.ref.partition(":")[0], one.name, one.mime) for one in files] == [
        ("photo", "", "image/jpeg"),
        ("document", "plan.pdf", "application/pdf"),
        ("voice", "", "audio/ogg"),
    ]
    shared = [one for one in (sticker, contact, place, poll) if isinstance(one, Shared)]
    assert [(one.kind, one.value, one.detail) for one in shared] == [
        ("sticker", "", "🎉"),
        ("contact", "+4930123456", "Ada"),
        ("location", "", "52.5, 13.4"),
        ("poll", "", "When?"),
    ]


def test_the_references_of_files_are_those_that_the_server_has(
    server: TelegramServer, ada: Person
) -> None:
    message = ada.sends_photo(png(640, 320))
    (upload,) = replies(server)
    assert isinstance(upload, Upload)
    assert upload.files[0].ref == f"photo:{message.file_id}"
    assert upload.files[0].size == len(png(640, 320))


def test_the_files_of_an_album_come_one_by_one_and_wait_for_each_other(
    server: TelegramServer, ada: Person
) -> None:
    ada.sends_album([Medium("photo", "a.png", png(), "both"), Medium("photo", "b.png", png())])
    ada.sends_photo()
    first, second, alone = [one for one in heard(server) if isinstance(one, Heard)]
    assert (first.held, second.held, alone.held) == (True, True, False)
    assert isinstance(first.reply, Upload)
    assert isinstance(second.reply, Upload)
    assert first.reply.album == second.reply.album != ""
    assert (first.reply.caption, second.reply.caption) == ("both", "")


def test_an_edited_message_is_the_same_message_with_other_words(
    server: TelegramServer, ada: Person
) -> None:
    message = ada.says("at 5")
    server.passes(60)
    ada.edits(message, "at 6, see https://example.org")
    sent, edited = heard(server)
    assert isinstance(sent, Heard)
    assert isinstance(edited, Amended)
    assert (edited.dest, edited.dedupe) == (sent.dest, sent.dedupe)
    assert edited.text == "at 6, see https://example.org"
    assert (edited.at - sent.reply.at).total_seconds() == 60


def test_one_update_that_comes_twice_is_one(server: TelegramServer, ada: Person) -> None:
    message = ada.says("hello")
    server.tells_message(message)
    first, again = heard(server)
    assert first == again


def test_a_tap_is_heard_from_a_card_in_reach_and_from_one_that_is_not(
    server: TelegramServer, ada: Person
) -> None:
    card = shows(ada.chat, ada)
    ada.taps("Now")
    ada.chat.puts_out_of_reach(card)
    ada.taps("Now")
    first, second = [one for one in heard(server) if isinstance(one, Heard)]
    assert first.dedupe != second.dedupe
    for one in (first, second):
        assert isinstance(one.reply, Tap)
        assert (one.reply.card, one.reply.token, one.reply.by) == ("j-1", "a", str(ada.id))
        assert (one.dest, one.message) == (Dest(chat=ada.id, owner=ada.id), card.id)


# --- groups and topics ---------------------------------------------------------------------------


def test_in_a_group_only_what_is_meant_for_the_bot_is_heard(
    server: TelegramServer, ada: Person
) -> None:
    bob = server.person("Bob")
    group = server.group("Friends", ada, bob)
    bob.says("hello all", chat=group)
    ada.says("/new@surestep_bot event", chat=group)
    bob.says("/new@another_bot", chat=group)
    bob.says("@surestep_bot and me", chat=group)
    mine = shows(group, ada)
    ada.says("Friday", chat=group, reply_to=mine)
    bob.says("Saturday", chat=group, reply_to=mine)
    ada.says("@surestep_bot", chat=group)

    found = [one for one in heard(server) if isinstance(one, Heard)]
    assert [(one.reply.by, one.dest.owner) for one in found] == [
        (str(who.id), who.id) for who in (ada, bob, ada, ada)
    ]
    new, words, answer, call = (one.reply for one in found)
    assert isinstance(new, Command)
    assert (new.name, new.argument) == ("new", "event")
    assert isinstance(words, Words)
    assert words.text == "and me"
    assert isinstance(answer, Words)
    assert answer.text == "Friday"
    assert isinstance(call, Command)
    assert (call.name, call.argument) == ("start", "")
    assert {one.address for one in found} == {Address.YES}


def test_an_answer_to_what_the_bot_said_counts_while_something_is_open(
    server: TelegramServer, ada: Person
) -> None:
    group = server.group("Friends", ada)
    text = {"text": "Good."}
    said = group.add(Message(group, group.next_id(), server.bot, server.now, text, from_bot=True))
    ada.says("why?", chat=group, reply_to=said)
    (found,) = heard(server)
    assert isinstance(found, Heard)
    assert found.address is Address.IF_OPEN


def test_each_topic_is_a_conversation_of_its_own(server: TelegramServer, ada: Person) -> None:
    forum = server.group("Friends", ada, forum=True)
    topic = forum.topic("Events")
    ada.says("hello", chat=forum, thread=topic)
    ada.says("/new", chat=forum, thread=topic)
    ada.says("/new", chat=forum)
    shows(forum, ada, thread=topic.id)
    ada.taps("Now", chat=forum, thread=topic)

    places = [one.dest.lane for one in heard(server) if isinstance(one, Heard)]
    in_topic = f"telegram:{forum.id}:{topic.id}:{ada.id}"
    assert places == [in_topic, f"telegram:{forum.id}:0:{ada.id}", in_topic]


def test_a_thread_of_answers_is_no_conversation_of_its_own(
    server: TelegramServer, ada: Person
) -> None:
    group = server.group("Friends", ada, supergroup=True)
    card = shows(group, ada)
    message = ada.says("Friday", chat=group, reply_to=card)
    assert message.json()["message_thread_id"] == card.id
    (found,) = heard(server)
    assert isinstance(found, Heard)
    assert found.dest == Dest(chat=group.id, owner=ada.id)


def test_a_group_moves_and_a_person_blocks_the_bot(server: TelegramServer, ada: Person) -> None:
    group = server.group("Friends", ada)
    supergroup = group.upgrades()
    ada.blocks()
    ada.unblocks()
    moved = Moved(old=group.id, new=supergroup.id)
    assert heard(server) == [moved, moved, Gone(chat=ada.id), None]
