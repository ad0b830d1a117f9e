"""Who runs the bot, attacked: by those who do not, and by those who may do less."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import text

from core.admin.base import admin_texts
from core.admin.stats import Funnel, Step, picture
from core.admin.verbs import VERBS
from core.replies import Command, Somebody
from core.state import is_open
from core.texts import Texts
from tests.core.admin.desk import ANNA, BOB, CARL, OLGA, Desk, now, told

ONLY = "This is only for the people who run this bot."


async def erases(desk: Desk) -> None:
    for chore in desk.house.chores:
        await chore.do()


async def test_who_runs_nothing_learns_nothing_by_any_command_or_button(desk: Desk) -> None:
    number = await desk.submits(BOB)
    for verb in VERBS:
        written = f"{verb.name} {number} trip yes"
        assert await desk.admin(ANNA, written) == ONLY
        assert await desk.acts(ANNA, written, words="because") == ONLY
        assert await desk.acts(ANNA, verb.name, post=f"show-{number}") == ONLY
        assert await desk.admin(ANNA, written, lane="test:group:0:anna") == ONLY
    assert await desk.house.store.switches() == {}
    assert await desk.house.store.to_be_erased() == []
    assert await desk.house.store.roles() == []


async def test_whoever_is_refused_is_on_record_once_a_day_without_their_words(desk: Desk) -> None:
    for written in ("grant test:anna admin", "my secret", "", "help"):
        await desk.admin(ANNA, written)
    assert await desk.records() == [("test:anna", "admin", "", "refused")]


async def test_a_command_above_ones_role_is_on_record(desk: Desk) -> None:
    await desk.admin(OLGA, "grant test:bob moderator")
    await desk.admin(BOB, "export trip csv")
    await desk.admin(BOB, "exprot my secret")
    assert (await desk.records())[1:] == [
        ("test:bob", "export", "", "refused"),
        ("test:bob", "?", "", "not understood"),
    ]


async def test_who_is_no_admin_any_more_can_use_no_button_of_before(desk: Desk) -> None:
    await desk.admin(OLGA, "grant test:bob admin")
    await desk.commands(ANNA, "new", "trip")
    await desk.admin(BOB, "erase test:anna")
    (sure,) = desk.last_post(BOB).actions
    await desk.admin(OLGA, "revoke test:bob")
    assert await desk.acts(BOB, sure.command, post=desk.last_post(BOB).id) == ONLY
    assert await desk.house.store.to_be_erased() == []


@pytest.mark.parametrize("whose", ["test:carl", "test:olga"])
async def test_nobody_who_runs_the_bot_is_erased_by_another(desk: Desk, whose: str) -> None:
    await desk.admin(OLGA, "grant test:bob admin")
    await desk.admin(OLGA, "grant test:carl admin")
    for command in (f"erase {whose}", f"erase {whose} yes"):
        assert f"{whose} " in await desk.admin(BOB, command)
    assert await desk.house.store.to_be_erased() == []
    assert [one.account for one in await desk.house.store.roles()] == ["test:bob", "test:carl"]
    assert (await desk.records())[-1] == ("test:bob", "erase", whose, "refused")


async def test_what_was_done_is_on_record_again_after_a_conversation_was_forgotten(
    desk: Desk,
) -> None:
    await desk.admin(OLGA, "health")
    await desk.commands(OLGA, "privacy", "erase yes")
    await erases(desk)
    assert await desk.house.store.conversation("test:olga") is None
    await desk.admin(OLGA, "pause trip")
    assert [(verb, outcome) for _, verb, _, outcome in await desk.records()] == [
        ("health", "shown"),
        ("pause", "done"),
    ]


async def test_nothing_tells_what_somebody_did_who_was_erased(moderated: Desk) -> None:
    desk, store = moderated, moderated.house.store
    number = await desk.submits(ANNA)
    await desk.admin(OLGA, "grant test:bob admin")
    for written in ("grant test:carl moderator", "block test:dora", "pause trip", "queue"):
        await desk.admin(BOB, written)
    await desk.acts(BOB, f"approve {number}")
    await desk.admin(OLGA, "revoke test:bob")
    await desk.admin(OLGA, "erase test:bob yes")
    await erases(desk)
    assert await store.to_be_erased() == []
    async with store.database.read() as connection:
        for table in ("audit", "role", "blocked", "switch", "moderation", "erasure", "lane"):
            rows = list(await connection.execute(text(f"select * from {table}")))
            assert "bob" not in str(rows).casefold(), table
    decided = await store.decided(number)
    assert decided is not None
    assert (decided.verdict.value, decided.account) == ("approved", "erased")
    assert await store.is_blocked("test:dora")


async def test_python_that_ends_the_program_is_a_fault_like_any_other(
    desk: Desk, tmp_path: Path
) -> None:
    (tmp_path / "journeys/trip/journey.py").write_text("import sys\nsys.exit(3)\n")
    answer = await desk.admin(OLGA, "reload trip")
    assert "journey.py:2: this Python cannot be run: SystemExit: 3" in answer
    await desk.commands(ANNA, "new", "trip")
    assert is_open(await desk.state(ANNA))


async def test_who_is_blocked_is_given_no_role_before_they_are_unblocked(desk: Desk) -> None:
    await desk.admin(OLGA, "block test:carl")
    assert await desk.admin(OLGA, "grant test:carl moderator") == (
        "test:carl is blocked, so nothing was done. /admin unblock test:carl lets them in again."
    )
    assert await desk.house.store.role_of("test:carl") == ""
    await desk.admin(OLGA, "unblock test:carl")
    await desk.admin(OLGA, "grant test:carl moderator")
    assert "You are moderator here" in await desk.admin(CARL, "help")


async def test_an_account_of_a_channel_that_there_is_not_is_no_account(desk: Desk) -> None:
    for account in ("foo:1", "telegrm:12"):
        for command in ("grant {} moderator", "block {}", "erase {} yes"):
            answer = await desk.admin(OLGA, command.format(account))
            assert f"“{account}” is no account." in answer
    assert await desk.house.store.roles() == []
    assert await desk.house.store.to_be_erased() == []


# Looking


@pytest.mark.parametrize("name", ['Bob "the" B.', "100% Bob", "Bob_B", "back\\slash"])
async def test_whatever_signs_a_name_has_it_is_found_and_no_other(desk: Desk, name: str) -> None:
    bob = msgspec.structs.replace(BOB, name=name)
    await desk.commands(bob, "new", "trip")
    await desk.commands(CARL, "new", "trip")
    for words in (name, name[2:], name[:-1]):
        answer = await desk.admin(OLGA, f"find {words}")
        assert f"{name} (test:bob)" in answer, words
        assert "carl" not in answer
    for words in ("B%b", "B_b", "%%", "__", "\\\\", '""'):
        assert "carl" not in await desk.admin(OLGA, f"find {words}"), words


async def test_files_that_go_while_they_are_counted_are_no_trouble(
    desk: Desk, tmp_path: Path
) -> None:
    gone = tmp_path / "data" / "gone"
    gone.symlink_to(gone)  # neither there nor not there: looking at it fails
    assert "Data folder: " in await desk.admin(OLGA, "health")


def test_a_label_that_is_too_wide_for_the_picture_ends_where_it_can_be_seen() -> None:
    texts = Texts("en", admin_texts())
    long, short = (
        picture(Funnel(1, (Step(label, 1, 1),), 1), texts)
        for label in ("A question " * 9, f"{('A question ' * 9)[:43]}…")
    )
    assert long == short


# Whom a command means


def about(text: str, *people: Somebody, answers: Somebody | None = None) -> Command:
    return Command(name="admin", argument=text, people=people, answers=answers, by="olga", at=now())


async def test_whose_message_is_answered_is_meant(desk: Desk) -> None:
    bob = Somebody(id="bob", name="Bob")
    for written, answer in {
        "grant moderator": "test:bob is moderator now.",
        "revoke": "test:bob has no role now.",
        "block 5 bad messages": "test:bob is not answered any more.",
        "unblock": "test:bob is answered.",
        "grant test:carl moderator": "test:carl is moderator now.",
        "erase yes": "Everything of test:bob is being deleted; it takes a few seconds.",
    }.items():
        assert told(await desk.gets(OLGA, about(written, answers=bob))) == answer, written
    assert (await desk.records())[0] == ("test:olga", "grant", "test:bob moderator", "done")


async def test_an_answer_means_nobody_to_a_command_about_something_else(desk: Desk) -> None:
    answer = await desk.gets(OLGA, about("show 9", answers=Somebody(id="bob")))
    assert told(answer) == "There is no submission with the number 9."


async def test_whoever_is_mentioned_is_meant_however_many_words_their_name_has(desk: Desk) -> None:
    bob = Somebody(id="bob", name="Bob van Dyk", said="Bob van Dyk")
    answer = await desk.gets(OLGA, about("grant Bob van Dyk moderator", bob))
    assert told(answer) == "test:bob is moderator now."


@pytest.mark.parametrize("wrong", ["bot", "group", "outside", "gone"])
async def test_who_can_have_no_role_is_given_none(desk: Desk, wrong: Any) -> None:
    one = Somebody(id="bob", said="@bob", wrong=wrong)
    why = Texts("en")(f"reason.person_{wrong}")
    assert told(await desk.gets(OLGA, about("grant @bob moderator", one))) == why
    assert told(await desk.gets(OLGA, about("grant moderator", answers=one))) == why
    assert await desk.house.store.roles() == []


async def test_who_is_known_to_nobody_is_told_so(desk: Desk) -> None:
    answer = await desk.gets(OLGA, about("block", answers=Somebody(name="Bob")))
    assert told(answer) == Texts("en")("reason.person_unknown")


async def test_a_handle_means_who_went_by_it_last(desk: Desk) -> None:
    store = desk.house.store
    await desk.commands(BOB, "new", "trip")
    await desk.commands(CARL, "new", "trip")
    await store.goes_by("test:bob", "Bobby")
    assert await desk.admin(OLGA, "grant @bobby moderator") == "test:bob is moderator now."
    await store.goes_by("test:bob", "robert")
    answer = await desk.admin(OLGA, "block @Bobby")
    assert answer.startswith("Nobody who goes by @Bobby has written to me.")
    await store.goes_by("test:carl", "robert")
    assert await desk.admin(OLGA, "revoke @robert") == (
        "Several people have gone by @robert. Please write the account that you mean:"
        " test:bob test:carl"
    )


async def test_a_handle_of_another_channel_is_not_meant(desk: Desk) -> None:
    await desk.commands(BOB, "new", "trip")
    await desk.house.store.goes_by("test:bob", "bobby")
    assert await desk.house.store.accounts_of("telegram", "bobby") == []
    assert await desk.house.store.accounts_of("test", "") == []


async def test_whoever_is_named_in_a_command_of_a_stranger_gains_nothing(desk: Desk) -> None:
    reply = Command(
        name="admin",
        argument="grant moderator",
        answers=Somebody(id="bob"),
        by="anna",
        at=now(),
    )
    assert told(await desk.gets(ANNA, reply)) == ONLY
    assert await desk.house.store.roles() == []
