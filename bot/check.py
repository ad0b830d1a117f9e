"""The checker of journeys: every fault with its file, its line and what to write instead."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.text import Text

from bot.environment import environment
from core.catalogue import journey_folders, shipped
from core.delivery import KINDS, Means, troubles
from core.faults import MANIFEST
from core.loading import FileFault, ManifestFaulty, load_journey

RIGHT, FAULTY = 0, 1
"""Exit codes of a check."""


def check(paths: Sequence[Path] = ()) -> list[FileFault]:
    """All that is wrong with some journeys; with those that ship, when none is named.

    A path is a journey's folder, its manifest, or a folder of journeys.
    """
    return [fault for folder in folders(paths) for fault in check_one(folder)]


def check_one(folder: Path) -> list[FileFault]:
    """All that is wrong with the journey of a folder."""
    return _judged(folder)[0]


def _judged(folder: Path) -> tuple[list[FileFault], list[str]]:
    """The faults of a journey and, where it has none, why its destinations cannot be delivered to
    here. That is no fault: it may be run somewhere else."""
    try:
        loaded = load_journey(folder, KINDS)
    except ManifestFaulty as error:
        return error.faults, []
    means = Means(data=Path(), environment=environment())
    return [], troubles([loaded.manifest], KINDS, means)


def is_manifest(path: Path) -> bool:
    """Whether a file is a journey's manifest, by its name."""
    return path.name == MANIFEST


def folders(paths: Sequence[Path]) -> list[Path]:
    """The folders of the journeys that the paths name; one that holds none stands for itself."""
    found: list[Path] = []
    for path in paths or [shipped()]:
        if is_manifest(path):
            found.append(path.parent)
        elif not (path / MANIFEST).exists() and (inside := journey_folders(path)):
            found += inside
        else:
            found.append(path)
    return list(dict.fromkeys(found))


def check_and_print(paths: Sequence[Path] = (), console: Console | None = None) -> int:
    """Check, say what is wrong, and return the exit code."""
    console = console or Console(highlight=False)
    judged = {folder: _judged(folder) for folder in folders(paths)}
    faulty = {folder: faults for folder, (faults, _) in judged.items() if faults}
    for faults in faulty.values():
        for fault in faults:
            console.print(_shown(fault), soft_wrap=True)
    for _, waiting in judged.values():
        for line in waiting:
            console.print(Text(line, style="yellow"), soft_wrap=True)
    count = sum(map(len, faulty.values()))
    checked = len(judged)
    console.print(_summed_up(count, len(faulty), checked), soft_wrap=True)
    return FAULTY if count else RIGHT


def _shown(fault: FileFault) -> Text:
    place = Text(f"{_from_here(fault.file)}:{fault.line}", style="bold")
    return Text("").join(
        [place, Text(f" {fault.message}\n    "), Text(fault.instead, style="green")]
    )


def _from_here(file: Path) -> Path:
    """A path as a person in the current folder would type it."""
    here, there = Path.cwd(), file.resolve()
    return there.relative_to(here) if there.is_relative_to(here) else file


def _summed_up(count: int, faulty: int, checked: int) -> Text:
    journeys = f"{checked} {'journey' if checked == 1 else 'journeys'}"
    if not count:
        return Text(f"{journeys} checked: no faults.", style="green")
    faults = f"{count} {'fault' if count == 1 else 'faults'}"
    return Text(f"{journeys} checked: {faults} in {faulty}.", style="red")
