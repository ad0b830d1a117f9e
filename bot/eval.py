"""The command `python -m bot eval`: what it can be told, and what is wrong to tell it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import msgspec
import typer


class WrongUse(ValueError):
    """The options do not go together; the message says what to write."""


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """What was asked for, as the options say it; None where they leave it open."""

    journey: str | None = None
    scenario: str | None = None
    model: Literal["scripted", "mischief", "anthropic"] = "scripted"
    led: Literal["runtime", "model", "both"] | None = None
    chats: int | None = None
    seed: int | None = None
    workers: int | None = None
    html: Path | None = None
    json: Path | None = None
    pin: bool = False

    def __post_init__(self) -> None:
        if self.model == "scripted" and self.led in ("model", "both"):
            raise WrongUse(
                "--led model needs a model that can lead: add --model mischief or --model "
                "anthropic. The scripted one only has answers to what a scenario says."
            )
        if self.model == "scripted" and self.chats is not None:
            raise WrongUse(
                "--chats goes with --model mischief or --model anthropic; the scripted model "
                "plays each scenario once."
            )
        if self.pin and self.model != "scripted":
            raise WrongUse("--pin goes with --model scripted: no other gives the same cards again.")
        if self.pin and self.seed is not None:
            raise WrongUse("--pin and --seed do not go together: pin first, then play one again.")
        for option, file in (("--html", self.html), ("--json", self.json)):
            if file is not None and self.seed is not None:
                raise WrongUse(f"{option} is a report of many chats; leave it out with --seed.")
            if file is not None and (file.is_dir() or not file.parent.is_dir()):
                raise WrongUse(f"{option}: write a file in a folder that is there (now: {file})")

    @property
    def leads(self) -> Literal["runtime", "model", "both"]:
        """Who leads: both, where a model can."""
        return self.led or ("runtime" if self.model == "scripted" else "both")


Journey = Annotated[
    str | None, typer.Option(help="The journey; all that have scenarios when left out.")
]
Name = Annotated[str | None, typer.Option(help="One scenario, by its name.")]
Answers = Annotated[
    Literal["scripted", "mischief", "anthropic"],
    typer.Option(
        help="Who answers: what the scenario says, a seeded model that misbehaves, or the "
        "settings' own."
    ),
]
Led = Annotated[
    Literal["runtime", "model", "both"] | None,
    typer.Option(
        help="Who leads the journey; the runtime with scripted, else both, for comparison."
    ),
]
Number = Annotated[
    int | None,
    typer.Option(
        min=1,
        help="Chats for each lead, spread over the scenarios; each scenario once when left out.",
    ),
]
Seed = Annotated[
    int | None,
    typer.Option(
        min=0,
        help="Play just the chat of this number again, and show each turn. With anthropic it is "
        "no replay: the same person, but a real model may answer otherwise.",
    ),
]
Workers = Annotated[
    int | None,
    typer.Option(min=1, max=256, help="Processes; as many as processors when left out."),
]
Page = Annotated[Path | None, typer.Option(help="Write the report as a page.")]
Data = Annotated[Path | None, typer.Option(help="Write the report for machines.")]
Pin = Annotated[bool, typer.Option("--pin", help="Pin all cards as they are now.")]


def evaluate(  # noqa: PLR0913  # a command has as many arguments as it has options
    journey: Journey = None,
    scenario: Name = None,
    model: Answers = "scripted",
    led: Led = None,
    chats: Number = None,
    seed: Seed = None,
    workers: Workers = None,
    html: Page = None,
    json: Data = None,
    pin: Pin = False,
) -> None:
    """Play the journeys' scenarios and measure what comes of them.

    Exit codes: 0 nothing went wrong, 1 something broke where the runtime leads, 2 wrong use.
    """
    from bot.cli import fail, settings
    from bot.evaluating import run
    from core.evals.loading import ScenariosFaulty

    try:
        asked = Asked(
            journey=journey,
            scenario=scenario,
            model=model,
            led=led,
            chats=chats,
            seed=seed,
            workers=workers,
            html=html,
            json=json,
            pin=pin,
        )
        code = run(asked, settings())
    except (WrongUse, ScenariosFaulty) as wrong:
        fail(str(wrong))
    except KeyboardInterrupt:
        code = 130
    raise typer.Exit(code)
