"""Posts in Telegram's chats, through the outbox: put once, changed where they stand, with their
files; and what becomes of them when something is in the way."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest

from core.channel import Never
from core.posts import Attachment, Line
from core.texts import Texts
from tests.support.putting import acts, put, submission
from tests.support.telegram.bare import PNG
from tests.support.telegram.chats import Chat
from tests.support.telegram.faults import Breaks, Drops, Fault, Floods, Refuses
from tests.support.telegram.files import png
from tests.support.telegram.people import Person
from tests.support.telegram.server import TelegramServer
from tests.support.telegram_bot import TelegramBot
from tests.support.telegram_faults import AGAIN, silent_doubles
from tests.support.telegram_posts import (
    CSV,
    LIST,
    MAP,
    PICTURE,
    given_up,
    photo_of,
    posting_bot,
    put_into,
)

EN = Texts("en")


@pytest.fixture
async def bot(server: TelegramServer, tmp_path: Path) -> AsyncIterator[TelegramBot]:
    async with posting_bot(server, tmp_path) as running:
        yield running


@pytest.fixture
def bob(server: TelegramServer) -> Person:
    return server.person("Bob")


@pytest.fixture
def group(server: TelegramServer, ada: Person, bob: Person) -> Chat:
    return server.group("Orga", ada, bob)


# --- put, and changed where they stand -----------------------------------------------------------


async def test_a_post_is_put_and_changed_where_it_stands(bot: TelegramBot, group: Chat) -> None:
    await put_into(bot, group, submission())
    assert str(group.screen()) == (
        "── Orga ──\n"
        "Surestep: Rust for beginners\n"
        "    Sent in by Ada.\n"
        "    \n"
        "    Date: Friday, 3 March 2028\n"
        "    About:\n"
        "    Crabs & how to keep them.\n"
        "    First half: <b>theory</b>, second half: *practice*.\n"
        "    Price: –\n"
        "    \n"
        "    Number 12\n"
        "    [ Approve ] [ Reject ] [ Show ]"
    )
    stood = group.newest
    await put_into(bot, group, submission(actions=(), footer="Approved by Bob"))
    assert group.screen() == [stood]
    assert stood.text.endswith("Approved by Bob")
    assert stood.buttons == []


async def test_another_process_changes_a_post_where_it_stands(
    server: TelegramServer, group: Chat, tmp_path: Path
) -> None:
    async with posting_bot(server, tmp_path) as first:
        await put_into(first, group, submission())
    async with posting_bot(server, tmp_path) as second:
        await put_into(second, group, submission(footer="Approved by Bob"))
    assert [one.text[-15:] for one in group.screen()] == ["Approved by Bob"]


async def test_a_post_that_looks_the_same_is_no_failure(bot: TelegramBot, group: Chat) -> None:
    await put_into(bot, group, submission(), submission())
    assert len(group.screen()) == 1
    assert await given_up(bot) == []


async def test_a_post_that_is_gone_comes_anew(bot: TelegramBot, group: Chat) -> None:
    await put_into(bot, group, submission())
    group.deletes(group.newest)
    await put_into(bot, group, submission(footer="Approved by Bob"))
    await put_into(bot, group, submission(footer="Published"))
    assert [one.text[-9:] for one in group.screen()] == ["Published"]


async def test_a_post_that_grows_and_shrinks_stays_one_post(bot: TelegramBot, group: Chat) -> None:
    long = Line(label="About", value="So much to tell. " * 400, long=True)
    await put_into(bot, group, submission())
    stood = group.newest
    await put_into(bot, group, submission(lines=(long,)))
    messages = group.screen()
    assert messages[0] is stood
    assert len(messages) == 2
    assert [len(one.buttons) for one in messages] == [0, 3]
    await put_into(bot, group, submission())
    assert group.screen() == [stood]
    assert len(stood.buttons) == 3


async def test_a_topic_has_its_own_lane(
    bot: TelegramBot, server: TelegramServer, ada: Person
) -> None:
    forum = server.group("Forum", ada, forum=True)
    topic = forum.topic("Submissions")
    lane = bot.channel.chat_lane(f"{forum.id}/{topic.id}")
    await put(bot.house.store, lane, submission())
    await bot.quiet()
    assert forum.newest.thread == topic.id
    await ada.taps("Approve", forum.newest).answered()
    await bot.quiet()
    ((told, act),) = await acts(bot.house.store)
    assert (told, act.command) == (bot.lane(ada, forum, topic.id), "approve 12")


# --- with files ----------------------------------------------------------------------------------


async def test_a_post_with_a_picture_is_the_text_under_it(
    bot: TelegramBot, ada: Person, group: Chat
) -> None:
    picture = photo_of(ada.sends_photo())
    await put_into(bot, group, submission(files=(picture,)))
    stood = group.newest
    assert (stood.media, f"photo:{stood.file_id}") == ("photo", picture.ref)
    assert stood.marked("bold")[0] == "Rust for beginners"
    assert stood.labels == ["Approve", "Reject", "Show"]
    await put_into(bot, group, submission(files=(picture,), actions=(), footer="Approved by Bob"))
    assert group.screen() == [stood]
    assert (stood.media, stood.text[-15:], stood.labels) == ("photo", "Approved by Bob", [])


async def test_a_text_that_outgrows_its_picture_stands_below_it(
    bot: TelegramBot, ada: Person, group: Chat
) -> None:
    picture = photo_of(ada.sends_photo())
    long = Line(label="About", value="So much to tell. " * 80, long=True)
    await put_into(bot, group, submission(files=(picture,)))
    await put_into(bot, group, submission(files=(picture,), lines=(long,)))
    above, below = group.screen()
    assert (above.media, above.text, above.labels) == ("photo", "", [])
    assert below.labels == ["Approve", "Reject", "Show"]
    await put_into(bot, group, submission(files=(picture,), actions=()))
    assert group.screen() == [above, below]
    assert below.labels == []


async def test_several_files_come_first_in_albums_where_they_go_together(
    bot: TelegramBot, ada: Person, group: Chat
) -> None:
    first, second = photo_of(ada.sends_photo()), photo_of(ada.sends_photo(png(9, 9)))
    sent = ada.sends_document(b"%PDF", "plan.pdf")
    document = Attachment(origin="telegram", ref=f"document:{sent.file_id}", name="plan.pdf")
    await put_into(bot, group, submission(files=(first, second, document)))
    screen = group.screen()
    assert [one.media for one in screen] == ["photo", "photo", "document", None]
    assert screen[0].album == screen[1].album is not None
    assert screen[-1].labels == ["Approve", "Reject", "Show"]


async def test_files_from_elsewhere_are_uploaded_alone_and_together(
    server: TelegramServer, group: Chat, tmp_path: Path, driver: str
) -> None:
    async with posting_bot(server, tmp_path, driver) as bot:
        await put_into(bot, group, submission(files=(CSV,)))
        alone = group.newest
        assert (alone.media, alone.content["document"]["file_name"]) == ("document", "list.csv")
        assert alone.labels == ["Approve", "Reject", "Show"]
        await put_into(bot, group, submission(id="s-13", files=(PICTURE, PICTURE, CSV)))
        kinds = [one.media for one in group.screen()[1:]]
        assert kinds == ["photo", "photo", "document", None]
        album = [one.album for one in group.screen()[1:3]]
        assert album[0] is not None
        assert album[0] == album[1]
        contents = [server.files.all[str(one.file_id)].content for one in group.screen()[1:4]]
        assert contents == [MAP, MAP, LIST]


async def test_a_picture_that_is_none_for_telegram_is_sent_as_a_document(
    bot: TelegramBot, server: TelegramServer, group: Chat
) -> None:
    async def strip(recipe: str) -> bytes:
        return png(2000, 1)

    bot.house.files.makers["test-file"] = strip
    await put_into(bot, group, submission(files=(PICTURE,)))
    await put_into(bot, group, submission(id="s-13", files=(PICTURE, CSV)))
    assert [one.media for one in group.screen()] == ["document", "document", "document", None]
    assert any("PHOTO_INVALID_DIMENSIONS" in one for one in server.take_violations())


async def test_a_file_that_cannot_be_had_is_named_and_the_post_comes_all_the_same(
    bot: TelegramBot, server: TelegramServer, ada: Person, group: Chat
) -> None:
    gone = photo_of(ada.sends_photo())
    server.files.forget(gone.ref.removeprefix("photo:"))
    nobodys = Attachment(origin="elsewhere", ref="x", name="plan.pdf")
    named = msgspec.structs.replace(gone, name="cover.jpg")
    for files in ((named,), (named, named), (nobodys,), (nobodys, CSV)):
        await put_into(bot, group, submission(id=f"s-{len(group.screen())}", files=files))
        name = (files[0].name, "list.csv")
        assert EN("posts.missing", name=name[0]) in group.newest.text
        assert group.newest.labels == ["Approve", "Reject", "Show"]
    await put_into(bot, group, submission(id="s-0", files=(named,), footer="Approved by Bob"))
    assert EN("posts.missing", name="cover.jpg") in group.screen()[0].text
    assert await given_up(bot) == []


async def test_a_post_with_other_files_comes_anew(
    bot: TelegramBot, ada: Person, group: Chat
) -> None:
    await put_into(bot, group, submission(files=(photo_of(ada.sends_photo()),)))
    await put_into(bot, group, submission(files=(CSV,)))
    assert [one.media for one in group.screen()] == ["document"]


# --- something in the way ------------------------------------------------------------------------


@pytest.mark.parametrize("fault", [Breaks(502), Breaks(504, done=True), Drops(done=True)], ids=str)
@pytest.mark.parametrize("files", [(), (CSV,)], ids=["text", "file"])
async def test_a_post_whose_answer_was_lost_is_not_doubled_in_silence(
    bot: TelegramBot,
    server: TelegramServer,
    group: Chat,
    fault: Fault,
    files: tuple[Attachment, ...],
) -> None:
    server.befall(fault, "sendMessage", "sendDocument", chat=group)
    await put_into(bot, group, submission(files=files))
    screen = group.screen()
    assert len(screen) == (2 if fault.done else 1)
    assert AGAIN in screen[-1].text
    assert silent_doubles(group) == []
    assert await given_up(bot) == []


async def test_a_change_whose_answer_was_lost_is_made_once(
    bot: TelegramBot, server: TelegramServer, group: Chat
) -> None:
    await put_into(bot, group, submission())
    server.befall(Drops(done=True), "editMessageText", chat=group)
    await put_into(bot, group, submission(footer="Approved by Bob"))
    assert [one.text[-15:] for one in group.screen()] == ["Approved by Bob"]
    assert await given_up(bot) == []


async def test_a_chat_that_wants_quiet_holds_up_no_other(
    bot: TelegramBot, server: TelegramServer, ada: Person, group: Chat
) -> None:
    other = server.group("Others", ada)
    trouble = server.befall(Floods(1), "sendMessage", chat=group)
    lanes = [bot.channel.chat_lane(str(chat.id)) for chat in (group, other)]
    for lane in lanes:
        await put(bot.house.store, lane, submission())
    await server.until(other.screen, "the post in the other chat")
    assert group.screen() == []
    await bot.quiet()
    assert (len(group.screen()), trouble.met) == (1, 1)
    assert AGAIN not in group.newest.text


async def test_a_post_for_a_chat_without_the_bot_is_given_up(
    bot: TelegramBot, ada: Person, group: Chat
) -> None:
    group.kicks_bot(ada)
    await put_into(bot, group, submission())
    assert ["bot was kicked" in error for error in await given_up(bot)] == [True]
    assert await bot.house.store.where(bot.channel.chat_lane(str(group.id)), "s-12") is None


async def test_an_action_that_fits_under_no_message_is_given_up(
    bot: TelegramBot, group: Chat
) -> None:
    action = msgspec.structs.replace(submission().actions[0], command="x" * 80)
    await put_into(bot, group, submission(actions=(action,)))
    assert ["does not fit into callback data" in error for error in await given_up(bot)] == [True]
    assert group.screen() == []


async def test_text_goes_out_without_its_marks_where_these_are_not_taken(
    bot: TelegramBot, server: TelegramServer, group: Chat
) -> None:
    refused = Refuses(400, "Bad Request: can't parse entities: for no reason")
    for method, files in (("sendMessage", ()), ("sendDocument", (CSV,))):
        server.befall(refused, method, chat=group)
        await put_into(bot, group, submission(id=method, files=files))
        assert group.newest.text.startswith("Rust for beginners")
        assert group.newest.entities == []


# --- files that people sent ----------------------------------------------------------------------


async def test_a_file_that_somebody_sent_is_fetched(
    server: TelegramServer, ada: Person, tmp_path: Path, driver: str
) -> None:
    sent = ada.sends_photo(PNG)
    async with posting_bot(server, tmp_path, driver) as bot:
        ref = f"photo:{sent.file_id}"
        assert await bot.channel.download(ref, len(PNG)) == PNG
        file = Attachment(origin="telegram", ref=ref, mime="image/png", size=len(PNG))
        assert await bot.house.files.content(file) == PNG
        with pytest.raises(Never, match="larger than the 5e-05 MB"):
            await bot.channel.download(ref, 50)


@pytest.mark.parametrize(
    "ref, why",
    [("slack:T1:F1", "no file of Telegram's"), ("photo:nobody-knows", "not have the file any")],
)
async def test_a_file_that_is_not_there_is_never_fetched(
    bot: TelegramBot, ref: str, why: str
) -> None:
    with pytest.raises(Never, match=why):
        await bot.channel.download(ref, 100)


async def test_a_file_that_is_too_large_is_not_fetched(
    bot: TelegramBot, ada: Person, server: TelegramServer
) -> None:
    sent = ada.sends_document(b"x" * 300_000, "long.txt")
    server.befall(Refuses(400, "Bad Request: file is too big"), "getFile")
    with pytest.raises(Never, match="larger than the 20 MB"):
        await bot.channel.download(f"document:{sent.file_id}", 10)
    told = await bot.channel.api.call("getFile", file_id=sent.file_id)
    with pytest.raises(Exception, match="more than 1000 bytes"):
        await bot.channel.api.fetch(told["file_path"], 1000)
