"""The evals as they are run: scenarios in a folder, a command, what it says, its exit code."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from bot.cli import app
from bot.eval import Asked
from bot.evaluating import command, planned
from bot.playing import catalogue_of, scenarios_of
from core.evals.many import Planned
from core.evals.record import Lead
from core.evals.report.data import from_json
from core.model.testing import MessagesServer, Says
from tests.support.dinner_folder import dinner_folder

ROOT = Path(__file__).parents[2]

GOOD: dict[str, Any] = {
    "about": "A dinner in a hall.",
    "answers": {"format": "in_person", "hall": "River Hall", "seats": 50, "title": "Winter"},
    "expect": {"submission": {"seats": 50}},
}
WRONG: dict[str, Any] = {**GOOD, "expect": {"submission": {"seats": 51}}}


@pytest.fixture(autouse=True)
def journeys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of journeys with one of two scenarios, which the settings name."""
    folder = dinner_folder(tmp_path / "journeys")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SURESTEP_JOURNEYS_DIR", str(folder))
    monkeypatch.setenv("COLUMNS", "100")
    for name in ("ANTHROPIC_API_KEY", "SURESTEP_PRICES"):
        monkeypatch.delenv(name, raising=False)
    scenario(folder, "by_taps", GOOD)
    scenario(folder, "by_words", {**GOOD, "by": "words"})
    yield folder
    catalogue_of.cache_clear()
    scenarios_of.cache_clear()


def scenario(journeys: Path, name: str, content: dict[str, Any]) -> None:
    file = journeys / "dinner" / "evals" / f"{name}.yaml"
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps(content))


def evals(*arguments: str) -> Result:
    """The command, with what it says."""
    return CliRunner().invoke(app, ["eval", *arguments])


def pinned(journeys: Path) -> dict[str, str]:
    folder = journeys / "dinner" / "evals" / "pinned"
    return {file.stem: file.read_text() for file in folder.glob("*.txt")}


# As they are written


def test_what_was_pinned_stays_green(journeys: Path) -> None:
    done = evals("--pin")
    assert done.exit_code == 0, done.output
    assert "Pinned anew: dinner/by_taps" in done.output
    assert set(pinned(journeys)) == {"by_taps", "by_words"}
    assert "Winter" in pinned(journeys)["by_words"]
    again = evals("--workers", "2")
    assert again.exit_code == 0, again.output
    assert "2 chats" in again.output
    assert "✗" not in again.output
    assert "Pinned anew" not in evals("--pin").output


def test_what_looks_different_from_how_it_was_pinned_is_told(journeys: Path) -> None:
    evals("--pin")
    before = pinned(journeys)["by_taps"]
    (journeys / "dinner/evals/pinned/by_taps.txt").write_text(before.replace("Winter", "Summer"))
    done = evals("--workers", "1")
    assert done.exit_code == 1
    assert "✗ pinned cards, the runtime leads: 1 chat\n" in done.output
    assert re.search(r"^-.*Summer", done.output, re.MULTILINE)
    assert "python -m bot eval --journey dinner --scenario by_taps --seed 0\n" in done.output


def test_what_a_scenario_no_longer_is_there_for_is_not_pinned(journeys: Path) -> None:
    evals("--pin")
    (journeys / "dinner/evals/by_words.yaml").unlink()
    scenarios_of.cache_clear()
    assert "Pinned anew" not in evals("--pin", "--scenario", "by_taps").output
    assert set(pinned(journeys)) == {"by_taps", "by_words"}
    assert "Unpinned: dinner/by_words" in evals("--pin").output
    assert set(pinned(journeys)) == {"by_taps"}


def test_what_was_expected_and_did_not_come_is_told_and_can_be_seen(journeys: Path) -> None:
    scenario(journeys, "by_taps", WRONG)
    assert evals("--pin").exit_code == 1
    done = evals("--workers", "1")
    assert done.exit_code == 1
    assert "✗ expected of a scenario, the runtime leads: 1 chat\n" in done.output
    replay = "--journey dinner --scenario by_taps --seed 0"
    assert f"python -m bot eval {replay}\n" in done.output
    shown = evals(*replay.split())
    assert shown.exit_code == 1
    assert "dinner, by_taps: the runtime leads" in shown.output
    assert "✗ expected: seats is 50 in the submission, not 51" in shown.output


def test_a_chat_is_shown_turn_by_turn() -> None:
    evals("--pin")
    shown = evals("--scenario", "by_words", "--seed", "0")
    assert shown.exit_code == 0, shown.output
    said = [line for line in shown.output.splitlines() if line.startswith("> ")]
    assert "> Winter" in said
    assert shown.output.index("> Winter") < shown.output.index("— Submitted after")
    turns = [line for line in shown.output.splitlines() if re.fullmatch(r"— \d+", line)]
    assert len(turns) == len(said)
    assert "✓ nothing went wrong" in shown.output


def test_the_report_is_written_for_people_and_for_machines(tmp_path: Path) -> None:
    evals("--pin")
    done = evals("--workers", "1", "--html", "report.html", "--json", "report.json")
    assert done.exit_code == 0, done.output
    assert "Written: report.html" in done.output
    written = json.loads((tmp_path / "report.json").read_text())
    assert written["version"] == 2
    assert [one["chats"] for one in written["leads"]] == [2]
    again = "python -m bot eval --workers 1 --html report.html --json report.json"
    assert written["run"]["command"] == again
    assert written["run"]["order"]["dinner"][0] == "format"
    html = (tmp_path / "report.html").read_text()
    assert again in html
    assert str(tmp_path) not in html


def test_the_program_itself_runs_them_in_processes(journeys: Path) -> None:
    evals("--pin")
    done = subprocess.run(
        [sys.executable, "-m", "bot", "eval"],
        cwd=journeys,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "2 chats" in done.stdout


# With a model that misbehaves, and with a real one


def test_mischief_is_the_same_in_any_number_of_processes_and_plays_again(
    journeys: Path, tmp_path: Path
) -> None:
    options = ["--model", "mischief", "--chats", "12"]
    made = []
    for workers in ("1", "2"):
        done = evals(*options, "--workers", workers, "--json", "a.json")
        assert "12 chats" in done.output
        made.append(from_json((tmp_path / "a.json").read_text()))
    assert made[0].leads == made[1].leads
    assert [one.lead for one in made[0].leads] == [Lead.RUNTIME, Lead.MODEL]
    for one in made[0].leads:
        assert one.chats == 12
        assert one.all_calls > 0
    assert "rates that are set" in made[0].run.note
    shown = [evals("--model", "mischief", "--led", "runtime", "--seed", "3").output for _ in "12"]
    assert "dinner, by_taps: the runtime leads\nmodel mischief, seed 3\n" in shown[0]
    assert shown[0] == shown[1]


async def test_a_real_model_is_measured_with_what_it_costs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    price = {"input": 3, "output": 15, "cache_read": 0.3, "cache_write": 3.75}
    monkeypatch.setenv("SURESTEP_PRICES", json.dumps({"large": price}))
    monkeypatch.setenv("SURESTEP_MODEL", "large")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test")
    # One chat after the other: a request does not repeat those of the chat before.
    async with MessagesServer(by=lambda _: Says(text="It is soon."), append_only=False) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        options = ["--model", "anthropic", "--led", "runtime", "--chats", "3"]
        done = await asyncio.to_thread(evals, *options, "--workers", "1", "--json", "a.json")
    assert done.exit_code == 0, done.output
    assert "3 chats" in done.output
    made = from_json((tmp_path / "a.json").read_text())
    (runtime,) = made.leads
    assert made.run.model == "large"
    assert runtime.all_calls == len(server.requests) > 0
    assert runtime.tokens.read == sum(map(sum, server.uses))
    assert runtime.tokens.cache_read == sum(use.read for use in server.uses) > 0
    assert runtime.cost.total is not None
    assert runtime.cost.total > 0


# What is played


def test_chats_are_spread_over_the_scenarios_by_their_numbers(tmp_path: Path) -> None:
    found = [(tmp_path, "one"), (tmp_path, "two")]
    asked = Asked(model="mischief", chats=3)
    assert [(one.lead, one.scenario, one.seed) for one in planned(asked, found)] == [
        (Lead.RUNTIME, "one", 1),
        (Lead.RUNTIME, "two", 2),
        (Lead.RUNTIME, "one", 3),
        (Lead.MODEL, "one", 1),
        (Lead.MODEL, "two", 2),
        (Lead.MODEL, "one", 3),
    ]


def test_scripted_chats_are_one_for_each_scenario(tmp_path: Path) -> None:
    found = [(tmp_path, "one"), (tmp_path, "two")]
    first, second = planned(Asked(), found)
    assert (first.scenario, second.scenario) == ("one", "two")
    assert first == Planned(
        folder=str(tmp_path), scenario="one", lead=Lead.RUNTIME, model="scripted", seed=0
    )


def test_the_command_of_a_report_asks_for_the_same_again() -> None:
    asked = Asked(journey="dinner", model="mischief", led="both", chats=10, html=Path("a b.html"))
    assert command(asked) == (
        "python -m bot eval --journey dinner --model mischief --led both --chats 10 "
        "--html 'a b.html'"
    )
    assert command(Asked(pin=True)) == "python -m bot eval --pin"
    assert command(Asked(scenario="one", seed=0)) == "python -m bot eval --scenario one --seed 0"


# Wrong use


@pytest.mark.parametrize(
    "arguments, says",
    [
        (["--journey", "lunch"], "There is no journey 'lunch'. Write one of: dinner."),
        (["--scenario", "by_mail"], "There is no scenario 'by_mail'. Write one of: by_taps, by"),
        (["--led", "model"], "--led model needs a model that can lead: add --model mischief"),
        (["--led", "both"], "--led model needs a model that can lead: add --model mischief"),
        (["--chats", "5"], "--chats goes with --model mischief or --model anthropic"),
        (["--model", "anthropic"], "--model anthropic needs ANTHROPIC_API_KEY"),
        (["--model", "mischief", "--pin"], "--pin goes with --model scripted"),
        (["--pin", "--seed", "1"], "--pin and --seed do not go together"),
        (["--seed", "0"], "--seed 0 is the number of no chat: write 1 or more, or name a"),
        (["--seed", "1", "--json", "a.json"], "--json is a report of many chats"),
        (["--html", "nowhere/a.html"], "--html: write a file in a folder that is there"),
        (["--html", "."], "--html: write a file in a folder that is there"),
        (["--model", "gpt"], "'gpt' is not one of 'scripted', 'mischief', 'anthropic'"),
        (["--workers", "0"], "Invalid value for '--workers': Input should be greater"),
    ],
)
def test_wrong_use_is_told_with_what_to_write(arguments: list[str], says: str) -> None:
    done = evals(*arguments)
    assert done.exit_code == 2
    assert says in " ".join(re.sub(r"[│╭╰╮╯─]", " ", done.output).split())
    assert "Traceback" not in done.output


def test_a_faulty_scenario_is_told_with_its_line(journeys: Path) -> None:
    (journeys / "dinner/evals/by_taps.yaml").write_text("about: x\nanswer: {}\n")
    done = evals()
    assert done.exit_code == 2
    assert "by_taps.yaml:2" in done.output.replace("\n", "")
    assert "answer is no key of a scenario" in " ".join(done.output.split())


def test_a_faulty_journey_is_told(journeys: Path) -> None:
    (journeys / "dinner/manifest.yaml").write_text("name: dinner\nversion: 1\n")
    done = evals()
    assert done.exit_code == 2
    assert "The journey dinner has faults. See them with: python -m bot check" in done.output


def test_a_journey_without_scenarios_is_told(journeys: Path) -> None:
    for file in (journeys / "dinner/evals").glob("*.yaml"):
        file.unlink()
    assert "The journey dinner has no scenarios." in evals("--journey", "dinner").output
    assert "No journey has scenarios" in evals().output
    assert evals().exit_code == 2
