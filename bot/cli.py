"""The command line: `python -m bot COMMAND`. Exit codes: 0 done, 1 not done (a journey that was
not submitted, manifests with faults, unusable lines), 2 wrong use or wrong settings."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Coroutine
from datetime import datetime
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from rich.console import Console

from bot.eval import evaluate
from bot.logs import set_up
from bot.settings import Settings, SettingsFaulty, load, unknown_names

app = typer.Typer(
    name="bot",
    help="Surestep: the model owns the conversation, the runtime owns the moments that must be "
    "right.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
)
_errors = Console(stderr=True, highlight=False)


def fail(message: str, code: int = 2) -> NoReturn:
    """Say what is wrong, on standard error, and end with this exit code."""
    _errors.print(message, style="red", markup=False)
    raise typer.Exit(code)


def settings() -> Settings:
    """The settings; a faulty one ends the program, named, with what to write."""
    try:
        chosen = load()
        set_up(chosen.log_level)
        for line in unknown_names():
            _errors.print(line, style="yellow", markup=False, soft_wrap=True)
        return chosen
    except SettingsFaulty as faulty:
        fail(_listed(faulty))


def _listed(faulty: SettingsFaulty) -> str:
    return "\n".join(["These settings need another value:", *faulty.faults])


def _as_text() -> None:
    """Standard input is UTF-8 on every machine; what is not is seen as such and refused."""
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def run_until_done(program: Callable[[], Coroutine[Any, Any, int]]) -> NoReturn:
    """Run an async program; its result is the exit code. Ctrl-C ends it quietly, and what an
    operator can mend is said in a line."""
    from bot.starting import NoAnswer, NoSuchJourney
    from core.channel import CannotServe
    from core.store.errors import StoreError

    _as_text()
    try:
        code = asyncio.run(program())
    except SettingsFaulty as faulty:
        fail(_listed(faulty))
    except NoSuchJourney as error:
        fail(str(error))
    except CannotServe as error:
        fail(str(error), 1 if isinstance(error, NoAnswer) else 2)
    except StoreError as error:
        fail(f"DATABASE_URL: {error}.")
    except KeyboardInterrupt:
        code = 130
    raise typer.Exit(code)


@app.command()
def run() -> None:
    """Start every channel that the settings have credentials for; with none, the terminal."""
    from bot import processes

    chosen = settings()
    run_until_done(lambda: processes.run(chosen))


@app.command()
def chat(
    journey: Annotated[str | None, typer.Option(help="The journey to walk through.")] = None,
    conversation: Annotated[
        str | None,
        typer.Option(help="A conversation to come back to; a script starts a new one without it."),
    ] = None,
) -> None:
    """Talk in the terminal. Input that is not a terminal is read line by line; the exit code then
    tells whether the journey was submitted (0) or not (1)."""
    from bot import processes

    chosen = settings()
    run_until_done(lambda: processes.chat(chosen, journey, conversation))


@app.command()
def check(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Journey folders or manifests; all journeys when left out.",
            metavar="PATHS",
            exists=True,
        ),
    ] = None,
) -> None:
    """Validate manifests: every fault with its file, its line and what to write instead."""
    from bot.check import check_and_print, is_manifest

    for path in paths or []:
        if path.is_file() and not is_manifest(path):
            fail(f"{path} is no manifest. Name a journey's folder, or its manifest.yaml.")
    named = paths or [one for one in (settings().journeys_dir,) if one is not None]
    raise typer.Exit(check_and_print(named))


app.command(name="eval")(evaluate)


@app.command()
def read(
    kind: Annotated[str, typer.Argument(help="The kind of value, such as date.", metavar="KIND")],
) -> None:
    """Read replies on their own: JSON lines on standard input, one JSON line out for each.

    A line is {"reply": "...", "options": [...], "now": "2026-12-01T09:00:00", "locale": "en",
    "currency": "EUR"}; all but the reply may be left out.
    """
    from bot.reader import read_lines
    from core.reading import KINDS

    if kind not in KINDS:
        fail(f"{kind!r} is no kind of value. Write one of: {', '.join(sorted(KINDS))}.")
    _as_text()
    failed = False
    for line in read_lines(kind, sys.stdin, datetime.now().astimezone()):
        failed = failed or line.startswith('{"error"')
        sys.stdout.write(line + "\n")
    raise typer.Exit(1 if failed else 0)


@app.command()
def migrate() -> None:
    """Bring the database to the current schema, and load the journeys' directories."""
    from bot import processes

    chosen = settings()
    run_until_done(lambda: processes.migrate(chosen))
