"""A post of a submission: what it looks like, and what is known of whether it is there."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.channel import Later, Lost, Never
from core.delivery import Delivered, Failed, Means, Outcome, Rejected, Unknown
from core.delivery.chat import Chat
from core.effects import Put
from core.posts import Attachment, Line
from tests.core.delivery.parcels import Chats, confirmed, parcel

KEY = "j1:team"


async def post(chats: Chats, language: str = "", name: str = "chats") -> Outcome:
    settings = {"chat": f"{name}:42", **({"language": language} if language else {})}
    made = Chat().make(settings, Means(Path(), {"chats": chats}))
    return await made.deliver(parcel(), KEY, confirmed())


async def test_it_has_what_the_summary_showed() -> None:
    chats = Chats()
    assert await post(chats) == Delivered()
    ((lane, effect, again),) = chats.shown
    assert (lane, again) == ("chats:42", False)
    assert isinstance(effect, Put)
    made = effect.post
    assert (made.id, made.title, made.footer) == (KEY, "Käse & Wein", "A dinner")
    assert made.lines[:2] == (
        Line(label="Format", value="In person"),
        Line(label="Hall", value="Old Mill"),
    )
    assert made.lines[-1] == Line(label="About", value="First line.\nSecond line.", long=True)
    assert made.files == (
        Attachment(origin="chats", ref="F1", name="Plakat.jpg", mime="image/jpeg", size=20_000),
    )


async def test_it_is_written_in_the_language_that_is_set() -> None:
    chats = Chats()
    await post(chats, "de")
    effect = chats.shown[0][1]
    assert isinstance(effect, Put)
    assert effect.post.footer == "Ein Abendessen"
    assert effect.post.lines[-1].label == "Beschreibung"


@pytest.mark.parametrize(
    "answer, outcome",
    [
        (Later(7.0, "flood"), Failed("flood", seconds=7.0)),
        (Lost("the connection broke"), Unknown("the connection broke")),
        (Lost(), Unknown("the answer was lost")),
        (Never("the bot was removed"), Rejected("the bot was removed")),
        (ZeroDivisionError(), Unknown("ZeroDivisionError")),
    ],
)
async def test_what_the_channel_says_is_what_is_known(answer: Exception, outcome: Outcome) -> None:
    chats = Chats(answers=[answer])
    assert await post(chats) == outcome
    assert len(chats.shown) == 1, "nothing is put twice"


async def test_what_is_there_in_part_goes_on_where_it_stopped() -> None:
    chats = Chats(answers=[Later(0.0, begun=True), {"at": 1}])
    assert await post(chats) == Delivered()
    assert [again for _, _, again in chats.shown] == [False, True]


async def test_what_is_there_in_part_and_would_wait_long_is_unknown() -> None:
    chats = Chats(answers=[Later(60.0, "flood", begun=True)])
    assert await post(chats) == Unknown("a part of it is there; the rest was to wait (flood)")
    chats = Chats(answers=[Later(0.0, begun=True), Never("removed")])
    assert await post(chats) == Unknown("a part of it is there (removed)")


async def test_a_channel_that_is_not_here_is_waited_for() -> None:
    outcome = await post(Chats(), name="slack")
    assert outcome == Failed("nothing that runs here is in slack; it waits for what is")


CHAT = "Write the channel and the chat, such as telegram:-1001234567890 or slack:C0123456789."


@pytest.mark.parametrize(
    "chat, fault",
    [
        ("telegram:-1001234567890/7", ""),
        ("slack:C0123456789", ""),
        ("$TEAM_CHAT", ""),
        ("-1001234567890", CHAT),
        ("telegram:", CHAT),
    ],
)
def test_settings_are_judged(chat: str, fault: str) -> None:
    assert Chat().fault({"chat": chat}) == fault


def test_a_chat_that_its_channel_does_not_know_is_told_where_it_is_served() -> None:
    with pytest.raises(ValueError, match="'nowhere' is no chat: write its number"):
        Chat().make({"chat": "chats:nowhere"}, Means(Path(), {"chats": Chats()}))
