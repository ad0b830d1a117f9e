"""Posts in Slack's channels, through the outbox: put once, changed where they stand, with their
files, used by anybody there; and what becomes of them when something is in the way."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from core.effects import Say
from core.posts import MADE, Attachment, Line, Post
from core.store import Queue
from core.texts import Texts
from tests.support.putting import acts, commands, put, submission
from tests.support.slack.channels import Channel
from tests.support.slack.faults import Breaks, Drops, Fault, Limits, Refuses
from tests.support.slack.people import Person
from tests.support.slack.server import SlackServer
from tests.support.slack_bot import SlackBot, slack_bot
from tests.support.slack_files import attached, stored
from tests.support.telegram.files import png

EN = Texts("en")
CSV = Attachment(origin=MADE, ref="test-file list", name="list.csv", mime="text/csv")
MAP = Attachment(origin=MADE, ref="test-file map", name="map.png", mime="image/png")
PICTURE = png(20, 10)


@pytest.fixture
async def bot(
    slack: SlackServer, tmp_path: Path, journeys: dict[str, Any]
) -> AsyncIterator[SlackBot]:
    """The program with the small journey; what failed is tried again at once."""
    async with slack_bot(slack, tmp_path, **journeys) as running:
        running.house.files.makers["test-file"] = made
        running.house.sender.retry = 0.02
        running.channel.calls.offline = 0.05
        yield running


@pytest.fixture
def bob(slack: SlackServer) -> Person:
    return slack.workspace.person("Bob")


@pytest.fixture
def mods(slack: SlackServer, ada: Person, bob: Person) -> Channel:
    return slack.workspace.channel("mods", ada, bob)


async def made(recipe: str) -> bytes:
    """A file by its recipe."""
    return PICTURE if recipe == "map" else b"name,count\nAda,1\n"


async def put_into(bot: SlackBot, channel: Channel, *posts: Post) -> None:
    await put(bot.house.store, bot.channel.chat_lane(channel.id), *posts)
    await bot.quiet()


async def given_up(bot: SlackBot) -> list[str]:
    return [one.error for one in await bot.house.store.parked() if one.queue is Queue.OUTBOX]


# --- put, and changed where they stand -----------------------------------------------------------


async def test_a_post_is_put_and_changed_where_it_stands(bot: SlackBot, mods: Channel) -> None:
    await put_into(bot, mods, submission())
    assert str(mods.screen()) == (
        "── #mods ──\n"
        "Surestep: Rust for beginners\n"
        "    Sent in by Ada.\n"
        "    Date: Friday, 3 March 2028\n"
        "    About:\n"
        "    Crabs & how to keep them.\n"
        "    First half: <b>theory</b>, second half: *practice*.\n"
        "    Price: –\n"
        "    Number 12\n"
        "    [ Approve ] [ Reject ] [ Show ]"
    )
    stood = mods.newest
    await put_into(bot, mods, submission(actions=(), footer="Approved by Bob"))
    assert mods.screen() == [stood]
    assert stood.text.endswith("Approved by Bob")
    assert stood.buttons == []


async def test_another_process_changes_a_post_where_it_stands(
    slack: SlackServer, mods: Channel, tmp_path: Path, journeys: dict[str, Any]
) -> None:
    async with slack_bot(slack, tmp_path, **journeys) as first:
        await put_into(first, mods, submission())
    async with slack_bot(slack, tmp_path, **journeys) as second:
        await put_into(second, mods, submission(footer="Approved by Bob"))
    assert [one.text[-15:] for one in mods.screen()] == ["Approved by Bob"]


async def test_a_post_that_is_gone_comes_anew(bot: SlackBot, mods: Channel) -> None:
    await put_into(bot, mods, submission())
    mods.newest.deleted = True
    await put_into(bot, mods, submission(footer="Approved by Bob"))
    await put_into(bot, mods, submission(footer="Published"))
    assert [one.text[-9:] for one in mods.screen()] == ["Published"]


async def test_a_post_that_grows_and_shrinks_stays_one_post(bot: SlackBot, mods: Channel) -> None:
    long = tuple(Line(label="About", value="So much. " * 400, long=True) for _ in range(6))
    await put_into(bot, mods, submission())
    stood = mods.newest
    await put_into(bot, mods, submission(lines=long))
    messages = mods.screen()
    assert messages[0] is stood
    assert [len(one.buttons) for one in messages] == [0, 3]
    await put_into(bot, mods, submission())
    assert mods.screen() == [stood]
    assert len(stood.buttons) == 3


# --- with files ----------------------------------------------------------------------------------


async def test_a_picture_that_slack_has_is_shown_in_the_post(
    bot: SlackBot, slack: SlackServer, ada: Person, mods: Channel
) -> None:
    cover = stored(slack, ada.uploads("cover.png", PICTURE))
    await put_into(bot, mods, submission(files=(attached(cover),)))
    (stood,) = mods.screen()
    assert [one["slack_file"]["id"] for one in stood.blocks if one["type"] == "image"] == [cover.id]
    # It is deleted meanwhile: the post is changed all the same, and says so.
    cover.deleted = True
    await put_into(bot, mods, submission(files=(attached(cover),), footer="Approved by Bob"))
    assert mods.screen() == [stood]
    assert EN("posts.missing", name="cover.png") in stood.text
    assert "Approved by Bob" in stood.text
    assert stood.buttons == ["Approve", "Reject", "Show"]
    await put_into(bot, mods, submission(id="s-13", files=(attached(cover),)))
    assert EN("posts.missing", name="cover.png") in mods.newest.text
    assert await given_up(bot) == []


async def test_files_from_elsewhere_are_uploaded_together_above_the_post(
    bot: SlackBot, slack: SlackServer, mods: Channel
) -> None:
    await put_into(bot, mods, submission(files=(MAP, CSV)))
    above, below = mods.screen()
    assert [one["name"] for one in above.files] == ["map.png", "list.csv"]
    contents = [slack.workspace.files[one["id"]].content for one in above.files]
    assert contents == [PICTURE, await made("list")]
    assert below.buttons == ["Approve", "Reject", "Show"]
    await put_into(bot, mods, submission(files=(MAP, CSV), actions=()))
    assert mods.screen() == [above, below]
    assert below.buttons == []


async def test_a_file_that_cannot_be_had_is_named_and_the_post_comes_all_the_same(
    bot: SlackBot, slack: SlackServer, mods: Channel
) -> None:
    nobodys = Attachment(origin="elsewhere", ref="x", name="plan.pdf")
    slack.befall(Refuses("file_uploads_disabled"), "files.getUploadURLExternal")
    await put_into(bot, mods, submission(files=(nobodys, CSV, MAP)))
    above, below = mods.screen()
    assert [one["name"] for one in above.files] == ["map.png"]
    for name in ("plan.pdf", "list.csv"):
        assert EN("posts.missing", name=name) in below.text
    await put_into(bot, mods, submission(files=(nobodys, CSV, MAP), footer="Approved by Bob"))
    assert EN("posts.missing", name="plan.pdf") in below.text
    assert await given_up(bot) == []


# --- something in the way ------------------------------------------------------------------------


@pytest.mark.parametrize("fault", [Breaks(502), Drops(done=True)], ids=str)
@pytest.mark.parametrize(
    "method, files", [("chat.postMessage", ()), ("files.completeUploadExternal", (CSV,))]
)
async def test_a_post_whose_answer_was_lost_is_not_doubled_in_silence(
    bot: SlackBot,
    slack: SlackServer,
    mods: Channel,
    fault: Fault,
    method: str,
    files: tuple[Attachment, ...],
) -> None:
    slack.befall(fault, method)
    await put_into(bot, mods, submission(files=files))
    assert EN("slack.again") in mods.newest.text
    copies = [one for one in mods.screen() if bool(one.files) is bool(files)]
    assert len(copies) == (2 if fault.done else 1)
    assert await given_up(bot) == []


async def test_a_channel_that_wants_quiet_holds_up_no_other(
    bot: SlackBot, slack: SlackServer, ada: Person, mods: Channel
) -> None:
    other = slack.workspace.channel("others", ada)
    slack.befall(Limits(1), "chat.postMessage", channel=mods)
    for channel in (mods, other):
        await put(bot.house.store, bot.channel.chat_lane(channel.id), submission())
    await slack.until(other.screen, "the post in the other channel")
    assert mods.screen() == []
    await bot.quiet()
    assert len(mods.screen()) == 1
    assert EN("slack.again") not in mods.newest.text


async def test_a_post_for_a_channel_without_the_bot_is_given_up(
    bot: SlackBot, mods: Channel
) -> None:
    mods.bot_in = False
    await put_into(bot, mods, submission())
    assert await given_up(bot) == ["not_in_channel"]


# --- actions -------------------------------------------------------------------------------------


async def test_anybody_in_the_channel_uses_an_action_as_themselves(
    bot: SlackBot, ada: Person, bob: Person, mods: Channel
) -> None:
    await put_into(bot, mods, submission())
    stood = mods.newest
    for person in (ada, bob):
        await person.clicks("Approve", stood).answered()
    await bot.quiet()
    found = await acts(bot.house.store)
    assert [(lane, one.by, one.command, one.post) for lane, one in found] == [
        (bot.lane(person, mods, stood), person.id, "approve 12", "s-12") for person in (ada, bob)
    ]
    assert (await bot.state(bob, mods, stood)).person.name == bob.username


async def test_an_action_that_wants_words_asks_for_them_at_once(
    bot: SlackBot, bob: Person, mods: Channel
) -> None:
    await put_into(bot, mods, submission())
    stood = mods.newest
    modal = await bob.opens("Reject", stood)
    assert modal.title == "Reject"
    assert await acts(bot.house.store) == []
    await modal.fills({"Why is it rejected?": "too vague,\nand too long"}).submits().answered()
    await bot.quiet()
    ((lane, act),) = await acts(bot.house.store)
    assert lane == bot.lane(bob, mods, stood)
    told = (act.by, act.command, act.words, act.post)
    assert told == (bob.id, "reject 12", "too vague,\nand too long", "s-12")


async def test_a_window_that_does_not_open_is_told_to_who_clicked(
    bot: SlackBot, slack: SlackServer, bob: Person, mods: Channel
) -> None:
    await put_into(bot, mods, submission())
    slack.befall(Refuses("expired_trigger_id"), "views.open")
    await bob.clicks("Reject", mods.newest).answered()
    await bot.quiet()
    told = [one.text for one in mods.screen(bob) if one.only_for is bob]
    assert told == [EN("posts.once_more")]


async def test_what_is_personal_is_shown_to_one_person_and_used_there(
    bot: SlackBot, ada: Person, bob: Person, mods: Channel
) -> None:
    thread = bob.says("look", in_=mods)
    lane = bot.lane(ada, mods, thread)
    await put(bot.house.store, lane, submission(), personal=True)
    await put(bot.house.store, lane, submission(footer="Approved"), personal=True)
    await bot.quiet()
    seen = [one for one in mods.screen(ada) if one.only_for is ada]
    # Such a message cannot be changed: there are two.
    assert [one.text.splitlines()[-1:] for one in seen] == [
        ["Number 12"],
        ["Approved"],
    ]
    assert mods.screen() == [thread]
    await ada.clicks("Approve", seen[0]).answered()
    await bot.quiet()
    assert [lane for lane, _ in await acts(bot.house.store)] == [lane]


async def test_a_word_for_one_person_whose_answer_was_lost_says_so_when_it_comes_again(
    slack: SlackServer, bot: SlackBot, ada: Person, bob: Person, mods: Channel
) -> None:
    thread = bob.says("look", in_=mods)
    slack.befall(Drops(done=True), "chat.postEphemeral")
    said = Say(text="It is yours alone.", personal=True)
    await bot.house.store.show(bot.lane(ada, mods, thread), "alone", said)
    bot.house.store.outgoing.ring()
    await bot.quiet()
    assert [one.text for one in mods.screen(ada) if one.only_for is ada] == [
        "It is yours alone.",
        f"It is yours alone.\n{EN('slack.again')}",
    ]


async def test_a_personal_post_with_files_comes_into_the_direct_message(
    bot: SlackBot, ada: Person, bob: Person, mods: Channel
) -> None:
    thread = bob.says("look", in_=mods)
    lane = bot.lane(ada, mods, thread)
    await put(bot.house.store, lane, submission(files=(CSV,)), personal=True)
    await bot.quiet()
    assert [one.files[0]["name"] for one in ada.dm.screen() if one.files] == ["list.csv"]
    assert ada.dm.newest.buttons == ["Approve", "Reject", "Show"]
    told = [one.text for one in mods.screen(ada) if one.only_for is ada]
    assert told == [EN("slack.in_direct")]
    await put(bot.house.store, lane, submission(files=(CSV,), footer="Done"), personal=True)
    await bot.quiet()
    assert ada.dm.newest.text.endswith("Done")


async def test_the_admin_command_arrives_in_the_direct_message(
    bot: SlackBot, ada: Person, mods: Channel
) -> None:
    await ada.runs("/surestep", "admin show 12", in_=mods).answered()
    await bot.quiet()
    assert await commands(bot.house.store) == [(bot.lane(ada), "admin", "show 12")]
