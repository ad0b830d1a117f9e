"""The house holds: imports point one way, the pure part stays pure, and nothing grows too long.

The import contracts themselves are in pyproject.toml. Here each is seen to break.
"""

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CONFIG = "pyproject.toml"
LINTER = tomllib.loads((ROOT / CONFIG).read_text())["tool"]["importlinter"]
PACKAGES: list[str] = LINTER["root_packages"]
CONTRACTS = {contract["id"]: contract for contract in LINTER["contracts"]}
PURE: list[str] = CONTRACTS["pure"]["source_modules"]

FILE_LINES = 400
FUNCTION_LINES = 50

NOT_PURE = {"asyncio", "random", "secrets", "socket", "time", "uuid"}
NOT_PURE_NAMES = {"os.environ", "os.getenv", "os.urandom"}
CLOCK_CALLS = {"now", "today", "utcnow"}


def package_files() -> list[Path]:
    return sorted(file for name in PACKAGES for file in (ROOT / name).rglob("*.py"))


def file_id(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


# --- imports point one way -----------------------------------------------------------------------


def lint(house: Path) -> str:
    """What the import linter says of the tree in `house`: empty if all contracts are kept."""
    code = "from importlinter.cli import lint_imports_command as main; main()"
    command = [sys.executable, "-c", code, "--no-cache", "--no-logo"]
    done = subprocess.run(command, cwd=house, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else done.stdout + done.stderr


def module_file(house: Path, module: str) -> Path:
    """The file of a module in `house`, whether it is a plain module or a package."""
    path = house.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


WRONG_IMPORTS = [
    ("core", "bot", "one-way"),
    ("core.turn", "channels.telegram", "one-way"),
    ("core.store", "steps", "one-way"),
    ("channels", "bot", "one-way"),
    ("channels.slack", "steps", "one-way"),
    ("steps", "channels", "one-way"),
    ("channels.slack", "channels.telegram", "channels-apart"),
    ("channels.telegram", "channels.slack", "channels-apart"),
    ("core.runtime", "channels", "core-knows-no-channel"),
    ("core.cards", "telegram", "core-knows-no-channel"),
    ("core.delivery", "aiogram", "core-knows-no-channel"),
    ("core.runtime", "slack_bolt", "core-knows-no-channel"),
    ("core.events", "slack_sdk.models", "core-knows-no-channel"),
    ("core.turn", "core.store", "pure"),
    ("core.planner", "core.model", "pure"),
    ("core.step", "core.runtime", "pure"),
    ("core.reading", "core.delivery", "pure"),
    ("core.prose", "anthropic", "pure"),
    ("core.draft", "sqlalchemy", "pure"),
    ("core.values", "asyncio", "pure"),
    ("core.manifest", "random", "pure"),
]


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A copy of the packages, to break."""
    shutil.copy(ROOT / CONFIG, tmp_path)
    ignored = shutil.ignore_patterns("__pycache__")
    for name in PACKAGES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, tmp_path / name, ignore=ignored)
    for module in sorted({*PACKAGES, *named_modules()}):
        ensure_module(tmp_path, module)
    return tmp_path


def named_modules() -> set[str]:
    """Our modules that the contracts and the cases above name."""
    named = {name for module, wrong_import, _ in WRONG_IMPORTS for name in (module, wrong_import)}
    for contract in CONTRACTS.values():
        named.update(contract.get("source_modules", ()), contract.get("forbidden_modules", ()))
    return {name for name in named if name.split(".")[0] in PACKAGES}


def ensure_module(house: Path, module: str) -> None:
    """Write an empty module where the copy has none.

    A contract must bite whether or not all of its modules are written; that none of them is
    missing in the real tree is what `make lint` says, which runs the linter there.
    """
    file = module_file(house, module)
    if not file.exists():
        folder = house.joinpath(*module.split("."))
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "__init__.py").touch()


def test_the_house_stands(house: Path) -> None:
    assert lint(house) == ""


@pytest.mark.parametrize("module, wrong_import, contract", WRONG_IMPORTS)
def test_a_wrong_import_breaks_its_contract(
    house: Path, module: str, wrong_import: str, contract: str
) -> None:
    with module_file(house, module).open("a") as file:
        file.write(f"\nimport {wrong_import}\n")
    # The linter breaks lines to the width of its terminal.
    said = " ".join(lint(house).split())
    assert f"{CONTRACTS[contract]['name']} BROKEN" in said


def test_a_pure_module_is_impure_through_what_it_imports(house: Path) -> None:
    (house / "core" / "innocent.py").write_text("import random\n")
    with module_file(house, "core.cards").open("a") as file:
        file.write("\nimport core.innocent\n")
    assert "core.cards is not allowed to import random" in lint(house)


@pytest.mark.parametrize("name", PACKAGES)
def test_every_folder_of_code_is_a_package(name: str) -> None:
    """A folder without __init__.py is not seen by the import linter at all."""
    folders = {file.parent for file in (ROOT / name).rglob("*.py")}
    assert [file_id(f) for f in sorted(folders) if not (f / "__init__.py").exists()] == []


# --- the pure part is pure -----------------------------------------------------------------------


def pure_files() -> list[Path]:
    return [file for file in package_files() if is_pure(".".join(file.relative_to(ROOT).parts))]


def is_pure(dotted_file: str) -> bool:
    return any(re.match(rf"{re.escape(module)}\.", dotted_file) for module in PURE)


def impurities(source: str) -> list[str]:
    """What a source takes from the world: each as `line: what`."""
    return [f"{line}: {what}" for line, what in _impurities(ast.parse(source))]


def _impurities(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                taken = [alias.name for alias in names]
            case ast.ImportFrom(module=str(module), names=names):
                taken = [module, *(f"{module}.{alias.name}" for alias in names)]
            case ast.Attribute(value=ast.Name(id="os"), attr=attr):
                taken = [f"os.{attr}"]
            case ast.Call(func=ast.Attribute(attr=attr)) if attr in CLOCK_CALLS:
                yield node.lineno, f"{attr}()"
                continue
            case _:
                continue
        for name in taken:
            if name in NOT_PURE_NAMES or name in NOT_PURE or name.split(".")[0] in NOT_PURE:
                yield node.lineno, name
                break


@pytest.mark.parametrize("file", pure_files(), ids=file_id)
def test_pure_code_takes_nothing_from_the_world(file: Path) -> None:
    assert impurities(file.read_text()) == []


@pytest.mark.parametrize(
    "source, found",
    [
        ("import asyncio", ["1: asyncio"]),
        ("import os.path, random", ["1: random"]),
        ("from time import monotonic", ["1: time"]),
        ("from os import environ", ["1: os.environ"]),
        ("import os\nhome = os.environ['HOME']", ["2: os.environ"]),
        ("from datetime import datetime\nx = datetime.now(UTC)", ["2: now()"]),
        ("import datetime as d\nx = d.date.today()", ["2: today()"]),
        ("def f():\n    import uuid", ["2: uuid"]),
        ("from datetime import datetime, time\nx = datetime.combine(day, time(9))", []),
        ("import timeit_like\nfrom core.time_words import x", []),
    ],
)
def test_the_check_of_pure_code_sees(source: str, found: list[str]) -> None:
    assert impurities(source) == found


# --- nothing grows too long ----------------------------------------------------------------------


def long_functions(source: str, limit: int = FUNCTION_LINES) -> list[str]:
    """The functions that are longer than the limit, decorators and docstring included."""
    return [
        f"{node.name} (line {node.lineno}): {length} lines"
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (length := function_length(node)) > limit
    ]


def function_length(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    first = min(part.lineno for part in (node, *node.decorator_list))
    return (node.end_lineno or first) - first + 1


@pytest.mark.parametrize("file", package_files(), ids=file_id)
def test_a_file_and_its_functions_are_short(file: Path) -> None:
    source = file.read_text()
    assert len(source.splitlines()) <= FILE_LINES
    assert long_functions(source) == []


def test_the_check_of_lengths_sees() -> None:
    source = "@cached\ndef f():\n    a = 1\n    return a\n\nasync def g():\n    return 1\n"
    assert long_functions(source, limit=3) == ["f (line 2): 4 lines"]
