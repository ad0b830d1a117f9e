"""How many calls of the Bot API each kind of reply costs: as few as possible, and counted.

A tap has to be answered, a settled card becomes its receipt, and the next card is sent: three
calls, two where the reply is no tap. A card whose own state changes is changed where it stands. A
card that moves below what was said is taken away where it stood.
"""

from __future__ import annotations

import sys
from collections.abc import Collection
from pathlib import Path

import pytest

from core.model import Scripted
from tests.support.counted import row
from tests.support.telegram.calls import Call
from tests.support.telegram.features import PLAIN, Feature
from tests.support.telegram.server import TelegramServer
from tests.support.telegram_bot import telegram_bot
from tests.support.telegram_people import NOW, PHOTO, Visit

STEPS: tuple[tuple[str, str], ...] = (
    ("a start, with its greeting", "/start event"),
    ("a tap that settles", "[Workshop]"),
    ("", "in person"),
    ("words that search", "halle"),
    ("a page that is turned", "[Show all]"),
    ("a record that is taken", "[Halle 10]"),
    ("a month that is turned", "[January 2027 ›]"),
    ("a reload", "/start"),
    ("", "5 February 2027"),
    ("an hour that is tapped", "[7:00 PM]"),
    ("", "[7:30 PM]"),
    ("words that settle", "2 hours"),
    ("words that are refused", "a million"),
    ("", "60"),
    ("a digression", "What do most people ask for?"),
    ("", "free"),
    ("an entry that is added", "Ada Lovelace"),
    ("", "[Done]"),
    ("a box that is ticked", "[English]"),
    ("boxes that are sent", "[Done]"),
    ("a field that is filled", "Anna"),
    ("", "anna@example.org"),
    ("", "[Done]"),
    ("a photo that settles", PHOTO),
    ("", "[Now]"),
    ("", "[I agree]"),
    ("", "Python Evening"),
    ("the last answer, and the summary", "Two short talks about testing, then pizza & tea."),
    ("a line to change", "[Places]"),
    ("a change, and the summary again", "80"),
    ("a cancel, asked once", "[Cancel]"),
    ("a cancel that is none", "[No, go on]"),
    ("the confirmation", "[Confirm]"),
)
"""What is done, and what it is an example of; without a name it only leads on."""


RICH = """\
a start, with its greeting        2  sendMessage sendMessage
a tap that settles                3  answerCallbackQuery editMessageText sendMessage
words that search                 2  deleteMessage sendRichMessage
a page that is turned             2  answerCallbackQuery editMessageText
a record that is taken            3  answerCallbackQuery editMessageText sendRichMessage
a month that is turned            2  answerCallbackQuery editMessageText
a reload                          2  deleteMessage sendRichMessage
an hour that is tapped            2  answerCallbackQuery editMessageText
words that settle                 2  editMessageText sendMessage
words that are refused            2  deleteMessage sendMessage
a digression                      4  sendChatAction sendMessage deleteMessage sendMessage
an entry that is added            2  deleteMessage sendRichMessage
a box that is ticked              2  answerCallbackQuery editMessageText
boxes that are sent               3  answerCallbackQuery editMessageText sendRichMessage
a field that is filled            2  deleteMessage sendRichMessage
a photo that settles              2  editMessageText sendRichMessage
the last answer, and the summary  2  editMessageText sendRichMessage
a line to change                  3  answerCallbackQuery deleteMessage sendMessage
a change, and the summary again   2  editMessageText sendRichMessage
a cancel, asked once              3  answerCallbackQuery deleteMessage sendMessage
a cancel that is none             3  answerCallbackQuery editMessageText sendRichMessage
the confirmation                  3  answerCallbackQuery editMessageText sendMessage
"""

PLAINLY = """\
a start, with its greeting        2  sendMessage sendMessage
a tap that settles                3  answerCallbackQuery editMessageText sendMessage
words that search                 2  deleteMessage sendMessage
a page that is turned             2  answerCallbackQuery editMessageText
a record that is taken            3  answerCallbackQuery editMessageText sendMessage
a month that is turned            2  answerCallbackQuery editMessageText
a reload                          2  deleteMessage sendMessage
an hour that is tapped            2  answerCallbackQuery editMessageText
words that settle                 2  editMessageText sendMessage
words that are refused            2  deleteMessage sendMessage
a digression                      4  sendChatAction sendMessage deleteMessage sendMessage
an entry that is added            2  deleteMessage sendMessage
a box that is ticked              2  answerCallbackQuery editMessageText
boxes that are sent               3  answerCallbackQuery editMessageText sendMessage
a field that is filled            2  deleteMessage sendMessage
a photo that settles              2  editMessageText sendMessage
the last answer, and the summary  3  editMessageText sendPhoto sendMessage
a line to change                  4  answerCallbackQuery deleteMessages deleteMessage sendMessage
a change, and the summary again   3  editMessageText sendPhoto sendMessage
a cancel, asked once              4  answerCallbackQuery deleteMessages deleteMessage sendMessage
a cancel that is none             4  answerCallbackQuery editMessageText sendPhoto sendMessage
the confirmation                  3  answerCallbackQuery editMessageText sendMessage
"""

TABLES = {"rich": RICH, "plain": PLAINLY}


@pytest.mark.parametrize("form, lacks", [("rich", ()), ("plain", PLAIN)])
async def test_each_kind_of_reply_takes_few_calls(
    tmp_path: Path, form: str, lacks: Collection[Feature]
) -> None:
    model = Scripted("Most events here are free. Many have a hat.")
    async with (
        TelegramServer(now=NOW, lacks=lacks) as server,
        telegram_bot(server, tmp_path, model=model) as bot,
    ):
        visit = Visit(bot, server.person("Ada"))
        counted = [row(kind, methods(await visit.does(act))) for kind, act in STEPS]
    table = "\n".join(filter(None, counted))
    sys.stdout.write(f"\n{table}\n")
    assert table == TABLES[form].strip()


def methods(calls: list[Call]) -> list[str]:
    """The methods of the calls for a chat."""
    return [call.method for call in calls if call.chat is not None]
