"""A submission arrives: as a post in a group and as an e-mail, each with the photo that was sent,
and the person hears of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from core.store import Stage
from tests.support.mail import MailServer
from tests.support.sent_in import dinner_to, sent_before, settled
from tests.support.telegram.faults import Drops, Floods
from tests.support.telegram.files import png
from tests.support.telegram.people import Person
from tests.support.telegram.server import TelegramServer
from tests.support.telegram_bot import telegram_bot

TOLD = "Good news: what you sent in has arrived."


async def sends(person: Person, folder: Path, **changes: Any) -> None:
    """Somebody has just confirmed a dinner."""
    lane = f"telegram:{person.id}:0:{person.id}"
    await sent_before(folder / "telegram.db", folder, lane, str(person.id), **changes)


async def test_it_is_posted_and_mailed_with_its_photo(
    server: TelegramServer, tmp_path: Path, driver: str
) -> None:
    ada, bob = server.person("Ada"), server.person("Bob")
    group = server.group("Orga", ada, bob, forum=True)
    topic = group.topic("Dinners")
    async with MailServer() as mail:
        chat = {"chat": f"telegram:{group.id}/{topic.id}"}
        mailed = {
            "to": "team@example.org",
            "from": "bot@example.org",
            "host": "127.0.0.1",
            "port": mail.port,
            "tls": "none",
        }
        journeys = dinner_to(
            tmp_path,
            {"name": "team", "kind": "chat", "settings": chat},
            {"name": "mail", "kind": "email", "settings": mailed},
        )
        ref = f"photo:{bob.sends_photo(png(20, 10)).file_id}"
        poster = {"ref": ref, "name": "", "mime": "image/jpeg", "size": 0}
        await sends(ada, tmp_path, poster=poster)
        async with telegram_bot(
            server, tmp_path, driver, journeys_dir=journeys, journey="dinner"
        ) as bot:
            found = await settled(bot.house.store)
            assert {one.stage for one in found.values()} == {Stage.DELIVERED}
            await server.until(lambda: TOLD in ada.chat.screen().texts, "the news")
            await bot.quiet()

    (message,) = mail.messages
    (file,) = message.iter_attachments()
    assert file.get_content_type() == "image/jpeg"
    assert file.get_content() == png(20, 10)
    posts = [one for one in group.screen() if one.from_bot]
    assert [one.thread for one in posts] == [topic.id] * len(posts)
    assert "photo" in [one.media for one in posts]
    assert "Title: Winter Dinner" in str(group.screen())


async def test_a_group_that_is_flooded_gets_it_later_and_one_that_is_gone_does_not(
    server: TelegramServer, tmp_path: Path
) -> None:
    ada = server.person("Ada")
    group = server.group("Orga", ada)
    place = {"chat": f"telegram:{group.id}"}
    gone = {"chat": "telegram:-1009999999999"}
    journeys = dinner_to(
        tmp_path,
        {"name": "team", "kind": "chat", "settings": place},
        {"name": "gone", "kind": "chat", "settings": gone},
    )
    await sends(ada, tmp_path)
    server.befall(Floods(1), chat=group)
    async with telegram_bot(server, tmp_path, journeys_dir=journeys, journey="dinner") as bot:
        found = await settled(bot.house.store)
    assert found["team"].stage is Stage.DELIVERED
    assert found["gone"].stage is Stage.DEAD
    assert str(group.screen()).count("Title: Winter Dinner") == 1


async def test_a_post_whose_answer_was_lost_is_there_once_and_shown_as_unknown(
    server: TelegramServer, tmp_path: Path
) -> None:
    ada = server.person("Ada")
    group = server.group("Orga", ada)
    place = {"chat": f"telegram:{group.id}"}
    journeys = dinner_to(tmp_path, {"name": "team", "kind": "chat", "settings": place})
    await sends(ada, tmp_path)
    server.befall(Drops(done=True), chat=group)
    async with telegram_bot(server, tmp_path, journeys_dir=journeys, journey="dinner") as bot:
        found = await settled(bot.house.store)
        assert found["team"].stage is Stage.UNKNOWN
        assert str(group.screen()).count("Title: Winter Dinner") == 1
        # An admin looks, and says that it is there.
        assert await bot.house.store.arrived(found["team"].id)
        bot.house.runtime.bell.ring()
        await server.until(lambda: TOLD in ada.chat.screen().texts, "the news")
    assert str(group.screen()).count("Title: Winter Dinner") == 1
