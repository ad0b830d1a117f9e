"""How many calls of the Web API each kind of reply costs: as few as possible, and counted.

What is used is acknowledged, which costs none. A settled card becomes its receipt, and the next
card is posted: two calls. A card whose own state changes is changed where it stands. A card that
moves below what was said is taken away where it stood. A window costs the one call that opens it.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from channels.slack.app_manifest import manifest
from channels.slack.payload import SHORTCUT
from core.model import Scripted
from tests.support.counted import row
from tests.support.slack.app import App
from tests.support.slack.calls import Call
from tests.support.slack.server import SlackServer
from tests.support.slack_bot import slack_bot
from tests.support.slack_people import NOW, Act, Chooses, Fills, Finds, Picks, Uploads, Visit


class OpensHome:
    """Opens the App Home."""

    async def do(self, visit: Visit) -> None:
        visit.person.opens_home()


class UsesShortcut:
    """Uses the app's global shortcut."""

    async def do(self, visit: Visit) -> None:
        await visit.person.uses_shortcut(SHORTCUT).answered()


class Mentions:
    """Mentions the bot in a channel: the conversation is the thread."""

    async def do(self, visit: Visit) -> None:
        general = visit.bot.server.workspace.channel("general", visit.person)
        visit.thread = visit.person.says("@Surestep", in_=general)


class Searches:
    """Types into the open card's search, and takes nothing."""

    async def do(self, visit: Visit) -> None:
        await visit.person.searches(visit.control("external_select"), "hamb", visit.card)


class Closes:
    """Opens the window of the card, types, and closes it again."""

    async def do(self, visit: Visit) -> None:
        modal = await visit.opens()
        for closed in modal.fills({"Name": "Anna"}).closes():
            await closed.answered()


Steps = tuple[tuple[str, str | Act], ...]

COMMAND: Steps = (("a start, by the command", "/surestep new event"),)
MENTION: Steps = (("a start, by a mention", Mentions()),)
WALK: Steps = (
    ("a click that settles", "[Workshop]"),
    ("", "[In person]"),
    ("a search, as one types", Searches()),
    ("words that search", "halle"),
    ("a page that is opened", "[Show all]"),
    ("a page that is turned", "[Next ›]"),
    ("a record that is found and taken", Finds("halle 10", "Halle 10")),
    ("a day that is picked", Picks("2027-02-05")),
    ("a time that is picked", Picks(time="19:30")),
    ("words that settle", "2 hours"),
    ("words that are refused", "a million"),
    ("a window, opened and sent", Fills(Places="60")),
    ("a digression", "What do most people ask for?"),
    ("", "[By donation]"),
    ("an entry that is added", "Ada Lovelace"),
    ("", "[Done]"),
    ("boxes that are ticked and sent", Chooses("English", "German")),
    ("", "[Done]"),
    ("a field that is filled in words", "Name: Anna"),
    ("a window that is closed", Closes()),
    ("a window that fills the rest", Fills(**{"E-mail": "anna@example.org"})),
    ("a file that settles", Uploads("crowd.png")),
    ("", "[Now]"),
    ("", "[I agree]"),
    ("", "Python Evening"),
    ("the last answer, and the summary", "Two short talks about testing, then pizza & tea."),
    ("a line to change", "[Edit: Places]"),
    ("a change, and the summary again", "80"),
    ("a cancel, asked once", "[Cancel]"),
    ("a cancel that is none", "[No, go on]"),
    ("the App Home", OpensHome()),
    ("a reload, by the shortcut", UsesShortcut()),
    ("the confirmation", "[Confirm]"),
)
"""What is done, and what it is an example of; without a name it only leads on."""

DIRECT = """\
a start, by the command           4  conversations.open users.info postMessage postMessage
a click that settles              2  update postMessage
a search, as one types            0
words that search                 2  delete postMessage
a page that is opened             1  update
a page that is turned             1  update
a record that is found and taken  2  update postMessage
a day that is picked              2  update postMessage
a time that is picked             2  update postMessage
words that settle                 2  update postMessage
words that are refused            2  delete postMessage
a window, opened and sent         3  views.open update postMessage
a digression                      3  postMessage delete postMessage
an entry that is added            2  delete postMessage
boxes that are ticked and sent    0
a field that is filled in words   2  delete postMessage
a window that is closed           1  views.open
a window that fills the rest      3  views.open update postMessage
a file that settles               2  update postMessage
the last answer, and the summary  2  update postMessage
a line to change                  2  delete postMessage
a change, and the summary again   2  update postMessage
a cancel, asked once              2  delete postMessage
a cancel that is none             2  update postMessage
the App Home                      1  views.publish
a reload, by the shortcut         2  delete postMessage
the confirmation                  2  update postMessage
"""

THREAD = """\
a start, by a mention             3  users.info postMessage postMessage
a click that settles              2  update postMessage
a search, as one types            0
words that search                 2  delete postMessage
a page that is opened             1  update
a page that is turned             1  update
a record that is found and taken  2  update postMessage
a day that is picked              2  update postMessage
a time that is picked             2  update postMessage
words that settle                 2  update postMessage
words that are refused            2  delete postMessage
a window, opened and sent         3  views.open update postMessage
a digression                      4  setStatus postMessage delete postMessage
"""


STEPS = {"direct": (*COMMAND, *WALK), "thread": (*MENTION, *WALK[:13])}
"""In a direct message the whole journey; in a thread until an answer has been streamed there."""
TABLES = {"direct": DIRECT, "thread": THREAD}


def methods(calls: list[Call]) -> list[str]:
    """The methods of the calls, without the names of the two families that say something."""
    return [re.sub(r"^(chat|assistant\.threads)\.", "", call.method) for call in calls]


@pytest.mark.parametrize("place", STEPS)
async def test_each_kind_of_reply_takes_few_calls(tmp_path: Path, place: str) -> None:
    model = Scripted("Most events here are free. Many have a hat.")
    async with (
        SlackServer(App.of_manifest(manifest()), now=NOW) as server,
        slack_bot(server, tmp_path, model=model) as bot,
    ):
        visit = Visit(bot, server.workspace.person("Ada"))
        counted = [row(kind, methods(await visit.does(act))) for kind, act in STEPS[place]]
    table = "\n".join(filter(None, counted))
    sys.stdout.write(f"\n{table}\n")
    assert table == TABLES[place].strip()
