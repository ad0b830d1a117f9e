"""Who may do what, and the record of it."""

from __future__ import annotations

from tests.core.admin.desk import ANNA, BOB, CARL, OLGA, Desk


async def test_who_runs_nothing_learns_nothing_but_that(desk: Desk) -> None:
    for written in ("", "help", "journeys", "grant test:anna admin", "nonsense"):
        answer = await desk.admin(ANNA, written)
        assert answer == "This is only for the people who run this bot."
    assert await desk.records() == [("test:anna", "admin", "", "refused")]


async def test_an_owner_of_the_settings_sees_all_that_there_is(desk: Desk) -> None:
    answer = await desk.admin(OLGA, "help")
    assert "You are owner here." in answer
    assert "/admin export JOURNEY csv|jsonl [DAYS]: the submissions as a file" in answer


async def test_a_role_is_given_and_taken_in_the_chat(desk: Desk) -> None:
    assert await desk.admin(OLGA, "grant test:bob moderator") == "test:bob is moderator now."
    help_of_bob = await desk.admin(BOB, "help")
    assert "/admin approve N" in help_of_bob
    assert "export" not in help_of_bob

    assert await desk.admin(OLGA, "revoke test:bob") == "test:bob has no role now."
    assert "only for the people" in await desk.admin(BOB, "help")


async def test_what_a_role_does_not_allow_is_no_command_for_it(desk: Desk) -> None:
    await desk.admin(OLGA, "grant test:bob moderator")
    assert await desk.admin(BOB, "export trip csv") == (
        "There is no command “export”. /admin help shows what you can do."
    )


async def test_only_an_owner_makes_admins(desk: Desk) -> None:
    await desk.admin(OLGA, "grant test:bob admin")
    assert await desk.admin(BOB, "grant test:carl admin") == "Only an owner may do that."
    assert await desk.admin(BOB, "grant test:carl moderator") == "test:carl is moderator now."
    assert await desk.admin(BOB, "revoke test:olga") == (
        "test:olga is an owner: that stands in the settings (SURESTEP_OWNERS)."
    )
    await desk.admin(OLGA, "grant test:carl admin")
    assert await desk.admin(BOB, "revoke test:carl") == "Only an owner may do that."
    assert await desk.house.store.role_of("test:carl") == "admin"


async def test_a_mistyped_command_is_answered_with_what_was_meant(desk: Desk) -> None:
    assert "Did you mean /admin approve?" in await desk.admin(OLGA, "aprove 12")
    assert "Did you mean /admin journeys?" in await desk.admin(OLGA, "jurneys")
    assert "/admin help shows" in await desk.admin(OLGA, "xyzzy")


async def test_half_a_command_is_answered_with_how_it_is_written(desk: Desk) -> None:
    written = {
        "grant": "Please write: /admin grant ACCOUNT moderator|admin",
        "grant bob moderator": "“bob” is no account. An account looks like telegram:12345 or "
        "slack:T01/U02: /privacy tells people theirs, and /admin find knows who has written to me.",
        "grant test:bob owner": "Please write: /admin grant ACCOUNT moderator|admin",
        "show": "Please write: /admin show N",
        "show twelve": "Please write: /admin show N",
        "reject 12": "Please write: /admin reject N REASON",
        "pause": "Please write: /admin pause JOURNEY. There are: trip.",
        "find x": "Please write: /admin find WORDS",
        "retry 5": "Please write: /admin retry inbox|outbox N",
        "show 99": "There is no submission with the number 99.",
        "pause trap": "There is no journey “trap”. Did you mean trip?",
        "nudge soon": "Please write a whole number from 1 to 8760, or off: /admin nudge "
        "[JOURNEY] HOURS|off",
        "nudge": "Please write a whole number from 1 to 8760, or off: /admin nudge "
        "[JOURNEY] HOURS|off",
        "expire": "Please write a whole number from 1 to 3650, or off: /admin expire "
        "[JOURNEY] DAYS|off",
        "export trip pdf": "Please write: /admin export JOURNEY csv|jsonl [DAYS]",
        "export": "Please write: /admin export JOURNEY csv|jsonl [DAYS]. There are: trip.",
        "erase anna": "“anna” is no account. An account looks like telegram:12345 or "
        "slack:T01/U02: /privacy tells people theirs, and /admin find knows who has written to me.",
        "retry inbox 7": "inbox 7 is not stuck, or not any more. /admin queue shows what is.",
    }
    for command, answer in written.items():
        assert await desk.admin(OLGA, command) == answer, command


async def test_what_a_command_cannot_take_in_is_never_left_unread(desk: Desk) -> None:
    await desk.submits(ANNA)
    written = {
        "stats trip thirty": "stats [JOURNEY] [DAYS]",
        "stats trip last week": "stats [JOURNEY] [DAYS]",
        "export trip csv last month": "export JOURNEY csv|jsonl [DAYS]",
        "show 1 2": "show N",
        "approve 1 2 3": "approve N",
        "erase 1 yes please": "erase ACCOUNT|N",
        "nudge trip 2 days": "nudge [JOURNEY] HOURS|off",
        "audit last": "audit [PAGE]",
        "queue next": "queue [PAGE]",
        "journeys trip": "journeys",
    }
    for command, usage in written.items():
        assert await desk.admin(OLGA, command) == f"Please write: /admin {usage}", command
    assert {outcome for _, _, _, outcome in await desk.records()} == {"not understood"}
    assert await desk.house.store.to_be_erased() == []


async def test_every_command_leaves_a_record_without_anybodys_words(desk: Desk) -> None:
    await desk.admin(OLGA, "grant test:bob moderator")
    await desk.admin(OLGA, "block test:carl He sold secrets")
    await desk.admin(OLGA, "find Anna Maria")
    await desk.admin(BOB, "queue")
    assert await desk.records() == [
        ("test:olga", "grant", "test:bob moderator", "done"),
        ("test:olga", "block", "test:carl", "done"),
        ("test:olga", "find", "", "not found"),
        ("test:bob", "queue", "", "shown"),
    ]


async def test_a_record_about_nobody_has_no_gap_in_its_line(desk: Desk) -> None:
    await desk.admin(OLGA, "roles")
    await desk.admin(OLGA, "audit")
    assert desk.last_post(OLGA).lines[1].value == "test:olga · roles · shown"


async def test_the_record_is_shown_page_by_page_in_one_post(desk: Desk) -> None:
    for number in range(12):
        await desk.admin(OLGA, f"show {number + 50}")
    await desk.admin(OLGA, "audit")
    first = desk.last_post(OLGA)
    assert len(first.lines) == 10
    assert [(one.command, one.label) for one in first.actions] == [("audit 2", "More")]

    await desk.acts(OLGA, "audit 2", post=first.id)
    second = desk.last_post(OLGA)
    assert second.id == first.id
    assert [one.command for one in second.actions] == ["audit"]
    await desk.acts(OLGA, "audit", post=first.id)
    assert desk.last_post(OLGA).id == first.id


async def test_the_roles_are_listed_with_who_gave_them(desk: Desk) -> None:
    await desk.admin(OLGA, "grant test:bob admin")
    await desk.admin(BOB, "grant test:carl moderator")
    answer = await desk.admin(CARL, "roles")
    assert "There is no command" in answer
    answer = await desk.admin(BOB, "roles")
    assert "test:olga: owner" in answer
    assert "test:carl: moderator, given by test:bob" in answer


async def test_in_a_lane_of_a_group_the_account_is_the_same(desk: Desk) -> None:
    assert "You are owner here" in await desk.admin(OLGA, "help", lane="test:group:0:olga")
