"""What a scenario's chat looked like when somebody last looked at it, turn by turn: kept as text
beside the scenario, so that a change of a card is seen in a review."""

from __future__ import annotations

from difflib import unified_diff
from pathlib import Path

from core.evals.loading import FOLDER
from core.evals.record import Broken, ChatRecord

PINNED = "pinned"


def pin_file(folder: Path, scenario: str) -> Path:
    """Where a scenario of a journey's folder is pinned."""
    return folder / FOLDER / PINNED / f"{scenario}.txt"


def as_text(record: ChatRecord) -> str:
    """A chat as it is pinned, and as a replay shows it."""
    parts = []
    for number, turn in enumerate(record.turns, 1):
        spent = f" ({turn.spent.calls} model calls)" if turn.spent.calls else ""
        said = "\n".join(f"> {line}" for line in turn.person.split("\n"))
        parts.append("\n".join([f"— {number}{spent}", said, *filter(None, turn.bot)]))
    return "\n\n".join([*parts, f"— {record.ending.value}"]) + "\n"


def write(folder: Path, record: ChatRecord) -> bool:
    """Pin a chat as it is now; False where it was pinned so already."""
    file, text = pin_file(folder, record.scenario), as_text(record)
    if file.is_file() and file.read_text("utf-8") == text:
        return False
    file.parent.mkdir(exist_ok=True)
    file.write_text(text, "utf-8")
    return True


def compare(folder: Path, record: ChatRecord) -> list[Broken]:
    """How a chat differs from how it is pinned."""
    file = pin_file(folder, record.scenario)
    if not file.is_file():
        told = "it is not pinned yet: look at it, then run with --pin"
        return [Broken(guarantee="pinned", turn=0, detail=told)]
    before, now = file.read_text("utf-8").splitlines(), as_text(record).splitlines()
    difference = list(unified_diff(before, now, "pinned", "now", lineterm="", n=2))
    if not difference:
        return []
    return [Broken(guarantee="pinned", turn=0, detail="\n".join(difference[:60]))]
