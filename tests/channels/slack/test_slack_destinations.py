"""A submission arrives: as a post in a channel and as an e-mail, each with the picture that was
uploaded, and the person hears of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from core.store import Stage
from tests.support.mail import MailServer
from tests.support.sent_in import dinner_to, sent_before, settled
from tests.support.slack.faults import Drops
from tests.support.slack.people import Person
from tests.support.slack.server import SlackServer
from tests.support.slack_bot import slack_bot
from tests.support.telegram.files import png

TOLD = "Good news: what you sent in has arrived."


async def sends(person: Person, folder: Path, **changes: Any) -> None:
    """Somebody has just confirmed a dinner."""
    lane = f"slack:{person.workspace.id}:{person.dm.id}:0:{person.id}"
    await sent_before(folder / "slack.db", folder, lane, person.id, **changes)


async def test_it_is_posted_and_mailed_with_its_picture(
    slack: SlackServer, ada: Person, tmp_path: Path
) -> None:
    team = slack.workspace.channel("orga", ada)
    sent = ada.uploads("cover.jpg", png(20, 10))
    cover = slack.workspace.files[sent.files[0]["id"]]
    async with MailServer() as mail:
        mailed = {
            "to": "team@example.org",
            "from": "bot@example.org",
            "host": "127.0.0.1",
            "port": mail.port,
            "tls": "none",
        }
        journeys = dinner_to(
            tmp_path,
            {"name": "team", "kind": "chat", "settings": {"chat": f"slack:{team.id}"}},
            {"name": "mail", "kind": "email", "settings": mailed},
        )
        ref = f"slack:{cover.workspace.id}:{cover.id}"
        poster = {"ref": ref, "name": "cover.jpg", "mime": "image/jpeg", "size": 0}
        await sends(ada, tmp_path, poster=poster)
        async with slack_bot(slack, tmp_path, journeys_dir=journeys, journey="dinner") as bot:
            found = await settled(bot.house.store)
            assert {one.stage for one in found.values()} == {Stage.DELIVERED}
            await slack.until(lambda: TOLD in str(ada.dm.screen()) or None, "the news")
            await bot.quiet()

    (message,) = mail.messages
    (file,) = message.iter_attachments()
    assert (file.get_filename(), file.get_content()) == ("cover.jpg", png(20, 10))
    (post,) = team.screen()
    assert [one["slack_file"]["id"] for one in post.blocks if one["type"] == "image"] == [cover.id]
    assert "Title: Winter Dinner" in str(team.screen())


async def test_a_post_whose_answer_was_lost_is_there_once_and_shown_as_unknown(
    slack: SlackServer, ada: Person, tmp_path: Path
) -> None:
    team = slack.workspace.channel("orga", ada)
    place = {"chat": f"slack:{team.id}"}
    journeys = dinner_to(tmp_path, {"name": "team", "kind": "chat", "settings": place})
    await sends(ada, tmp_path)
    slack.befall(Drops(done=True), "chat.postMessage")
    async with slack_bot(slack, tmp_path, journeys_dir=journeys, journey="dinner") as bot:
        found = await settled(bot.house.store)
        assert found["team"].stage is Stage.UNKNOWN
    assert str(team.screen()).count("Title: Winter Dinner") == 1
