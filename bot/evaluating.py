"""What `python -m bot eval` does: choose the chats, play them, show what came of them."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from bot.eval import Asked, WrongUse
from bot.playing import catalogue_of, play_one, play_unpinned, scenarios_of
from bot.settings import Settings
from core.catalogue import journey_folders, shipped
from core.evals import pins
from core.evals.led.mischief import SET_RATES
from core.evals.loading import FOLDER
from core.evals.many import CannotStart, Planned, Played, play_many
from core.evals.many import Progress as Told
from core.evals.record import FailureKind, Lead
from core.evals.report.data import Report, Run, SetRate, as_json, report
from core.evals.report.replay import replayed
from core.evals.report.terminal import Replay, show
from core.evals.tally import Example, Tally, tally_of

GREEN, BROKEN, WRONG, INTERRUPTED = 0, 1, 2, 130
"""Exit codes."""

NOTES = {
    "mischief": (
        "The model is mischief: it slips at rates that are set, so what is counted where it leads "
        "tells what becomes of such slips, not how often a real model slips (--model anthropic "
        "tells that). Where the runtime leads it is asked less and slips far more often each time; "
        "what is not zero there depends on those rates, too. Its tokens are estimates."
    ),
    "anthropic": (
        "A chat's number (--seed) makes the same person again, with the same whims, but no replay: "
        "a real model may answer otherwise each time."
    ),
}
"""What must be known of a model, so that nobody takes a set rate for a finding, or a chat of the
same number for the same chat."""

PRICES = (
    "Give a model's prices in SURESTEP_PRICES, in dollars per million tokens: "
    '{"MODEL": {"input": ..., "output": ..., "cache_read": ..., "cache_write": ...}}'
)


def run(asked: Asked, settings: Settings) -> int:
    """Play what was asked for; the exit code. Raises WrongUse and ScenariosFaulty."""
    if asked.model == "anthropic" and settings.anthropic_api_key is None:
        raise WrongUse("--model anthropic needs ANTHROPIC_API_KEY; see the settings in the README.")
    found = chosen(asked, settings.journeys_dir or shipped())
    console = Console(highlight=False, soft_wrap=False)
    if asked.seed is not None:
        return _replay(asked, found, console)
    if asked.pin:
        if asked.scenario is None:
            _unpin(found, console)
        return _report(asked, settings, found, Played(tally=_pin(found, console)), console)
    chats = planned(asked, found)
    try:
        with _drawn(len(chats)) as told:
            done = play_many(chats, play_one, workers=asked.workers, progress=told)
    except CannotStart as error:
        raise WrongUse(f"{error}; see what it says above.") from None
    return _report(asked, settings, found, done, console)


# What is played

Choice = tuple[Path, str]
"""A journey's folder and the name of a scenario."""


def chosen(asked: Asked, journeys: Path) -> list[Choice]:
    """The scenarios that the options name, in order. Raises WrongUse where there are none."""
    folders = {one.name: one for one in journey_folders(journeys.resolve())}
    with_evals = [name for name, folder in folders.items() if any((folder / FOLDER).glob("*.yaml"))]
    if asked.journey is not None and asked.journey not in with_evals:
        raise WrongUse(_no_scenarios(asked.journey, asked.journey in folders, with_evals))
    names = [asked.journey] if asked.journey is not None else with_evals
    for name in names:
        if name in catalogue_of(folders[name].parent).faulty:
            raise WrongUse(f"The journey {name} has faults. See them with: python -m bot check")
    found = [(folders[name], one) for name in names for one in scenarios_of(folders[name])]
    if asked.scenario is not None:
        known = list(dict.fromkeys(one for _, one in found))
        found = [one for one in found if one[1] == asked.scenario]
        if not found:
            there = ", ".join(known) or "there are none yet"
            raise WrongUse(f"There is no scenario {asked.scenario!r}. Write one of: {there}.")
    if not found:
        raise WrongUse(f"No journey has scenarios: write one in a journey's folder {FOLDER}/.")
    return found


def _no_scenarios(name: str, is_there: bool, others: Sequence[str]) -> str:
    there = ", ".join(others) or "none has any yet"
    if is_there:
        return f"The journey {name} has no scenarios. Journeys that have: {there}."
    return f"There is no journey {name!r}. Write one of: {there}."


def planned(asked: Asked, found: Sequence[Choice]) -> list[Planned]:
    """All chats. That of a number has it as its seed, and the numbers count from 1."""
    number = len(found) if asked.chats is None else asked.chats
    return [
        _planned(asked, found, seed, lead) for lead in leads(asked) for seed in range(1, number + 1)
    ]


def _planned(asked: Asked, found: Sequence[Choice], seed: int, lead: Lead) -> Planned:
    folder, scenario = found[(seed - 1) % len(found)]
    return Planned(
        folder=str(folder),
        scenario=scenario,
        lead=lead,
        model=asked.model,
        # A scripted chat draws nothing: it has no number, only its scenario.
        seed=0 if asked.model == "scripted" else seed,
    )


def leads(asked: Asked) -> list[Lead]:
    """Who leads, one after the other."""
    return list(Lead) if asked.leads == "both" else [Lead(asked.leads)]


# Many chats


@contextmanager
def _drawn(number: int) -> Iterator[Told]:
    """A progress bar on standard error, where that is a terminal."""
    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[bad]}", style="red"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task("chats", total=number, bad="")

        def told(so_far: Tally) -> None:
            runtime = so_far.of(Lead.RUNTIME)
            broken = sum(one.chats for one in (*runtime.broken.values(), runtime.crashed))
            bad = f"{broken} broken" if broken else ""
            bar.update(task, completed=so_far.played, bad=bad)

        yield told


def _report(
    asked: Asked, settings: Settings, found: Sequence[Choice], done: Played, console: Console
) -> int:
    folders = {folder for folder, _ in found}
    catalogues = {folder.name: catalogue_of(folder.parent) for folder in folders}
    how = Run(
        command=command(asked),
        model=settings.model if asked.model == "anthropic" else asked.model,
        at=datetime.now(UTC).isoformat(timespec="seconds"),
        scenarios=len(found),
        order={
            name: tuple(one.journey(name).manifest.by_name)
            for name, one in sorted(catalogues.items())
        },
        stopped=done.stopped,
        note=NOTES.get(asked.model, ""),
        set_rates=_set_rates() if asked.model == "mischief" else {},
    )
    made = report(done.tally, how, settings.prices)
    show(made, console, replay_of(asked))
    if any(one.cost.unpriced for one in made.leads):
        console.print(PRICES, style="dim", markup=False, soft_wrap=True)
    _write(asked, made, console)
    if done.stopped:
        return INTERRUPTED if "interrupted" in done.stopped else BROKEN
    return GREEN if made.green else BROKEN


def _set_rates() -> dict[FailureKind, SetRate]:
    return {kind: SetRate(share=share, of=of) for kind, (share, of) in SET_RATES.items()}


def _write(asked: Asked, made: Report, console: Console) -> None:
    written = []
    if asked.json is not None:
        written.append((asked.json, as_json(made)))
    if asked.html is not None:
        from core.evals.report.page import page

        written.append((asked.html, page(made, replay_of(asked))))
    for file, text in written:
        try:
            file.write_text(text, "utf-8")
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise WrongUse(f"{file} cannot be written: {reason}.") from None
        console.print(f"Written: {file}", markup=False, soft_wrap=True)


# Pinning


def _pin(found: Sequence[Choice], console: Console) -> Tally:
    """Play all once and pin them; what the scenarios expect must come all the same."""
    tally = Tally()
    for folder, scenario in found:
        record = play_unpinned(folder, scenario, lead=Lead.RUNTIME, model="scripted", seed=0)
        if pins.write(folder, record):
            console.print(f"Pinned anew: {folder.name}/{scenario}", markup=False, soft_wrap=True)
        tally += tally_of(record)
    return tally


def _unpin(found: Sequence[Choice], console: Console) -> None:
    """Take away what is pinned of scenarios that are no more."""
    for folder in dict.fromkeys(folder for folder, _ in found):
        for file in sorted((folder / FOLDER / pins.PINNED).glob("*.txt")):
            if file.stem not in scenarios_of(folder):
                file.unlink()
                console.print(f"Unpinned: {folder.name}/{file.stem}", markup=False, soft_wrap=True)


# One chat


def _replay(asked: Asked, found: Sequence[Choice], console: Console) -> int:
    seed = asked.seed or 0
    if seed == 0 and len(found) > 1:
        raise WrongUse("--seed 0 is the number of no chat: write 1 or more, or name a --scenario.")
    bad = False
    for lead in leads(asked):
        folder, scenario = found[(seed - 1) % len(found)]
        record = play_one(folder, scenario, lead=lead, model=asked.model, seed=seed)
        for line in replayed(record):
            console.print(line, soft_wrap=True)
        if asked.model == "anthropic":
            console.print(NOTES[asked.model], style="dim", markup=False, soft_wrap=True)
        bad = bad or (lead is Lead.RUNTIME and not record.clean)
    return BROKEN if bad else GREEN


def replay_of(asked: Asked) -> Replay:
    """What says which command plays an example again."""

    def again(lead: Lead, one: Example) -> str:
        return command(
            Asked(
                journey=one.journey,
                scenario=one.scenario,
                model=asked.model,
                led=None if asked.model == "scripted" else lead.value,
                seed=one.seed,
            )
        )

    return again


def command(asked: Asked) -> str:
    """The command that asks for this, for a shell."""
    words = ["python", "-m", "bot", "eval"]
    for name in asked.__struct_fields__:
        value = getattr(asked, name)
        if value is True:
            words.append(f"--{name}")
        elif value not in (None, "scripted") and value is not False:
            words += [f"--{name}", str(value)]
    return shlex.join(words)
