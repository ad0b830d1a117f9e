"""A journey's own Python: `journey.py` beside its manifest, with the steps that it builds and the
tools that it has functions for."""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import sys
import traceback
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.loading.lines import FileFault
from core.step.base import Fetched, Step

FILE = "journey.py"

Function = Callable[[Mapping[str, Any], Mapping[str, Any]], Awaitable[Fetched]]
"""Carries out a domain tool: the call's arguments and the settled values to what was fetched."""


@dataclass(frozen=True)
class Own:
    """What a journey's Python brings."""

    steps: Mapping[str, Step] = field(default_factory=dict)
    functions: Mapping[str, Function] = field(default_factory=dict)


def load_python(folder: Path) -> tuple[Own | None, list[FileFault]]:
    """STEPS and TOOLS of a journey's Python, which runs here; None where it cannot be used.

    A journey without such a file has neither.
    """
    file = folder / FILE
    if not file.is_file():
        return Own(), []
    module = _module(file)
    if isinstance(module, FileFault):
        return None, [module]
    steps, functions = getattr(module, "STEPS", {}), getattr(module, "TOOLS", {})
    found = [*_steps(file, steps), *_functions(file, functions)]
    return (None, found) if found else (Own(dict(steps), dict(functions)), [])


def _module(file: Path) -> Any:
    """The file as a module, anew each time; why it cannot be run where it cannot."""
    name = f"journey_{hashlib.sha256(str(file.resolve()).encode()).hexdigest()[:12]}"
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # A dataclass looks for its module here while it is being made.
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        # Whoever ends the program while it is read would end it for everybody.
        del sys.modules[name]
        return _broken(file, error)
    return module


def _broken(file: Path, error: Exception | SystemExit) -> FileFault:
    what = f"{type(error).__name__}: {error}".removesuffix(": ")
    if isinstance(error, SyntaxError):
        what = f"SyntaxError: {error.msg}"
        line = error.lineno or 1
    else:
        frames = traceback.extract_tb(error.__traceback__)
        own = [frame.lineno for frame in frames if Path(frame.filename) == file]
        line = (own[-1] if own else 1) or 1
    return FileFault(file, line, f"this Python cannot be run: {what}", "Correct it.")


def _steps(file: Path, steps: Any) -> list[FileFault]:
    if not isinstance(steps, Mapping):
        advice = "Write STEPS = {name: step}."
        return [FileFault(file, _line(file, "STEPS"), "STEPS is no dict", advice)]
    return [
        FileFault(
            file,
            _line(file, "STEPS"),
            f"STEPS has {name}, which is no step",
            "Give it an object with draw, read, fault, show and sample.",
        )
        for name, step in steps.items()
        if isinstance(step, type) or not isinstance(step, Step)
    ]


def _functions(file: Path, functions: Any) -> list[FileFault]:
    if not isinstance(functions, Mapping):
        advice = "Write TOOLS = {name: function}."
        return [FileFault(file, _line(file, "TOOLS"), "TOOLS is no dict", advice)]
    return [
        FileFault(
            file,
            _line(file, "TOOLS"),
            f"TOOLS has {name}, which is no function that can be awaited",
            f"Write async def {name}(arguments, settled) -> Fetched.",
        )
        for name, function in functions.items()
        if not inspect.iscoroutinefunction(function)
    ]


def _line(file: Path, name: str) -> int:
    """The line that gives a name its value; the first where none is found."""
    lines = file.read_text("utf-8").splitlines()
    found = (number for number, line in enumerate(lines, 1) if line.startswith(name))
    return next(found, 1)
