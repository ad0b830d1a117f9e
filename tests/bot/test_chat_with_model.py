"""The whole event journey with the real anthropic SDK, against a Messages API on loopback that
checks every request: role order, tool pairs, breakpoints, and that each prefix repeats the last."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from core.model.testing import Fault, MessagesServer, Refuses, Says, Use
from tests.bot.test_chat import ROOT, environment, lines

SCRIPT = """\
Hi, I'd like to organise a meetup, the title is Python Evening
a meetup
in person, and is the code of conduct long?
In person
Is there something in Berlin for a hundred people?
Lindenhof Saal
5 February 2027
maybe at seven in the evening?
19:00
two hours
60
free
who usually speaks at these?
Ada Lovelace
done
english
Name: Anna Meier
E-mail: anna@example.org
skip
skip
now
yes
can you write the description? It is about testing in Python, with two short talks and pizza.
Use this text
yes but make it 20
20
yes
"""

DRAFT = "An evening about testing in Python: two short talks, then pizza for everybody."


def answer(request: dict[str, Any]) -> Says:
    """What the model says to the last thing that the person said."""
    last = request["messages"][-1]["content"]
    if any(block["type"] == "tool_result" for block in last):
        return Says(text="Here you are. Shall we go on?")
    said = " ".join(block["text"] for block in last if block["type"] == "text")
    if "the title is Python Evening" in said:
        quote = "the title is Python Evening"
        record = {"item": "title", "value": "Python Evening", "quote": quote}
        return Says(text="What a lovely idea.", uses=(Use(name="record_item", input=record),))
    if "something in Berlin" in said:
        search = {"query": "", "city": "Berlin", "capacity": 100}
        return Says(uses=(Use(name="find_venues", input=search),))
    if "who usually speaks" in said:
        invented = {"item": "speakers", "value": ["Mallory", "Eve"]}
        return Says(text="Often locals.", uses=(Use(name="suggest_value", input=invented),))
    if "write the description" in said:
        draft = {"item": "description", "value": DRAFT}
        return Says(text="Here is a draft.", uses=(Use(name="suggest_value", input=draft),))
    if "yes but make it 20" in said:
        opened = {"item": "capacity", "value": "20"}
        return Says(text="Sure, I confirmed it.", uses=(Use(name="open_step", input=opened),))
    return Says(text="It is short: be kind. What time suits you? Shall we say six?")


async def run_chat(folder: Path, script: str, server: MessagesServer) -> tuple[int, str, str]:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "bot",
        "chat",
        cwd=ROOT,
        env=environment(folder, ANTHROPIC_API_KEY="sk-test", ANTHROPIC_BASE_URL=server.url),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await asyncio.wait_for(process.communicate(script.encode()), 120)
    return process.returncode or 0, out.decode(), err.decode()


async def test_the_event_journey_with_a_model_that_talks_is_submitted_as_confirmed(
    tmp_path: Path,
) -> None:
    async with MessagesServer(by=answer) as server:
        code, out, err = await run_chat(tmp_path, SCRIPT, server)
    assert code == 0, out[-4000:] + err

    (written,) = lines(tmp_path)
    content: dict[str, Any] = dict(written["content"])  # type: ignore[call-overload]
    assert content["title"] == "Python Evening"
    assert content["description"] == DRAFT
    assert content["speakers"] == ["Ada Lovelace"]
    assert content["capacity"] == 20
    assert content["start_time"] == "19:00"
    assert content["venue"]["label"] == "Lindenhof Saal"

    assert "Title: Python Evening" in out
    assert "It is short: be kind." in out
    assert "What time suits you" not in out
    assert "Shall we" not in out
    assert "changed from 60 to 20" in out

    covered = [prefix.share for prefix in server.prefixes]
    print(f"prefix share of {len(covered)} requests: {sum(covered) / len(covered):.1%}")  # noqa: T201
    assert all(prefix.whole for prefix in server.prefixes)


async def test_whatever_befalls_the_model_the_journey_is_finished(tmp_path: Path) -> None:
    faults: list[Says | Refuses] = [
        Says(text="Half an ans", fault=Fault.ENDS),
        Says(text="Half an ans", fault=Fault.DROPS),
        Says(text="Half an ans", fault=Fault.BAD_LINE),
        Says(text="Half an ans", fault=Fault.ERROR),
        Says(text="I cannot", stop="refusal"),
        Says(text="cut off he", stop="max_tokens"),
        Says(uses=(Use(name="record_item", input='{"item": "ti'),)),
        Refuses(status=429, headers={"retry-after": "4000000"}),
        Refuses(status=401),
        Refuses(status=400),
        Says(text=""),
    ]
    questions = "".join(f"why do you ask that ({n})?\n" for n in range(len(faults)))
    rest = (
        "a meetup\nonline\nhttps://example.org/room\n5 February 2027\n19:00\n2 hours\n60\nfree\n"
        "Ada Lovelace\ndone\nenglish\nName: Anna\nE-mail: anna@example.org\nskip\nskip\nnow\nyes\n"
        "Python Evening\nAn evening about testing in Python, with talks and pizza.\nyes\n"
    )
    async with MessagesServer(*faults, by=lambda _: Refuses(status=401)) as server:
        code, out, err = await run_chat(tmp_path, questions + rest, server)
    assert code == 0, out[-4000:] + err
    assert out.count("I can't answer that right now") == len(faults)
    assert json.dumps(lines(tmp_path)).count("Half an") == 0
