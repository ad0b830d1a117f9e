"""How the program is: what it is connected to, what waits, and which versions it is made of."""

from __future__ import annotations

import asyncio
import platform
import shutil
import tomllib
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from core import values
from core.admin.base import Answer, Asked, Outcome
from core.posts import Line, Post

_LIBRARIES = (
    "aiogram",
    "python-telegram-bot",
    "slack-bolt",
    "anthropic",
    "sqlalchemy",
    "msgspec",
    "pydantic",
)


async def health(asked: Asked) -> Answer:
    """How everything is."""
    texts = asked.texts
    lines = [
        Line(label=texts("admin.health.database"), value=await _database(asked)),
        Line(label=texts("admin.health.model"), value=_model(asked)),
        Line(label=texts("admin.health.channels"), value=_channels(asked)),
        *await _lags(asked),
        Line(label=texts("admin.health.counts"), value=await _counts(asked)),
        Line(label=texts("admin.health.disk"), value=await asyncio.to_thread(_disk, asked)),
        Line(label=texts("admin.health.versions"), value=_versions()),
    ]
    post = Post(id="health", title=texts("admin.health.title"), lines=tuple(lines))
    return Answer(Outcome.SHOWN, post=post)


async def _database(asked: Asked) -> str:
    name = "PostgreSQL" if "postgresql" in asked.store.database.url.drivername else "SQLite"
    return asked.texts("admin.health.migrated", name=name, version=await asked.store.version())


def _model(asked: Asked) -> str:
    pulse, texts = asked.office.pulse, asked.texts
    if not pulse.model:
        return texts("admin.health.no_model")
    if pulse.failed is None or pulse.failed_at is None:
        return texts("admin.health.never_failed", name=pulse.model)
    when = asked.when(pulse.failed_at)
    return texts("admin.health.failed", name=pulse.model, kind=pulse.failed.value, when=when)


def _channels(asked: Asked) -> str:
    parts = [
        asked.texts("admin.health.since", name=name, when=asked.when(since))
        for name, since in sorted(asked.office.pulse.served.items())
    ]
    return ", ".join(parts) or asked.texts("admin.health.no_channel")


async def _lags(asked: Asked) -> list[Line]:
    lines = []
    for name, lag in (await asked.store.lag(besides=asked.lane)).items():
        key = "admin.health.waits" if lag.count else "admin.health.nothing_waits"
        value = asked.texts(key, count=lag.count, seconds=round(lag.seconds))
        lines.append(Line(label=asked.texts(f"admin.health.lag.{name}"), value=value))
    return lines


async def _counts(asked: Asked) -> str:
    counts = await asked.store.totals()
    counts["waiting"] = await asked.store.count_undecided()
    return asked.texts("admin.health.count_text", **counts)


def _disk(asked: Asked) -> str:
    folder = asked.office.data
    usage = shutil.disk_usage(folder)
    used = sum(map(_size, folder.rglob("*")))
    sizes = {"used": used, "free": usage.free}
    shown = {name: values.size(size, asked.locale) for name, size in sizes.items()}
    return asked.texts("admin.health.disk_text", **shown)


def _size(file: Path) -> int:
    """The bytes of a file; none where it is no file, or was one a moment ago: a database makes and
    drops some beside its own."""
    try:
        return file.stat().st_size if file.is_file() else 0
    except OSError:
        return 0


def _versions() -> str:
    parts = [f"Surestep {_own_version()}", f"Python {platform.python_version()}"]
    return ", ".join([*parts, *(f"{name} {_version(name)}" for name in _LIBRARIES)])


def _own_version() -> str:
    """The program's version, also where it runs from its folder and is not installed."""
    project = Path(__file__).parents[2] / "pyproject.toml"
    if not project.is_file():
        return _version("surestep")
    return str(tomllib.loads(project.read_text("utf-8"))["project"]["version"])


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "?"
