"""The journeys at hand: each a folder with a manifest. One that is faulty is reported and left out;
the others are served."""

from __future__ import annotations

import asyncio
import importlib.util
import re
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

import structlog
from pydantic import ValidationError

from core.cards import Record
from core.delivery.kinds import KINDS
from core.faults import MANIFEST, Known, faults, missing_texts
from core.journey import JourneyType
from core.loading import FileFault, Loaded, ManifestFaulty, load_journey
from core.manifest import Manifest, Tool
from core.step.base import Fetch, Fetched
from core.store import Store

log = structlog.get_logger()

SHIPPED = "steps"
"""The package whose folders are the journeys that ship; a name, for core imports no journey."""

PAGE = 8
"""Records on a page of a directory."""

MOST = 10_000
"""As many records are looked through for those that have at least so much of a field."""

Tools = Callable[[Fetch], Awaitable[Fetched]]


_NAME = re.compile(r"[a-z][a-z0-9_]*")


class Searches(Protocol):
    """Whatever has the journeys' directories: the store, or a shelf in memory."""

    async def search_directory(
        self,
        name: str,
        query: str = "",
        limit: int = 10,
        offset: int = 0,
        filters: Mapping[str, str | int | float | bool | None] | None = None,
    ) -> Fetched:
        """A page of the records in which every word of the query begins a word."""
        ...


def shipped() -> Path:
    """The folder of the journeys that ship. Raises LookupError where they are not installed."""
    found = importlib.util.find_spec(SHIPPED)
    places = list(found.submodule_search_locations or []) if found else []
    if not places:
        raise LookupError(f"the package {SHIPPED} is not installed; name a folder of journeys")
    return Path(places[0])


def journey_folders(folder: Path) -> list[Path]:
    """The folders under this one that have a manifest, by name."""
    return sorted(path.parent for path in folder.glob(f"*/{MANIFEST}"))


class Catalogue:
    """The journey types at hand (see `core.journey.JourneyTypes`).

    `faulty` has what is wrong with the journeys that were left out, by the name of their folder.
    """

    def __init__(
        self,
        journeys: Mapping[str, Loaded],
        faulty: Mapping[str, list[FileFault]],
        folder: Path | None = None,
    ) -> None:
        self._folder = folder
        self._journeys = dict(journeys)
        self._kept: dict[tuple[str, str], JourneyType] = {}
        self.faulty = dict(faulty)

    @classmethod
    def load(cls, folder: Path | None = None) -> Catalogue:
        """The journeys of a folder; those that ship when none is named."""
        journeys: dict[str, Loaded] = {}
        faulty: dict[str, list[FileFault]] = {}
        folder = folder or shipped()
        for path in journey_folders(folder):
            try:
                loaded = load_journey(path, KINDS)
            except ManifestFaulty as error:
                faulty[path.name] = error.faults
            else:
                journeys[loaded.manifest.name] = loaded
        for name, found in faulty.items():
            log.error(
                "journey_left_out", journey=name, faults=len(found), see="python -m bot check"
            )
        return cls(journeys, faulty, folder)

    def names(self) -> tuple[str, ...]:
        """The names of the journeys that are served."""
        return tuple(self._journeys)

    def journey(self, name: str) -> Loaded:
        """A journey with all that its folder has. Raises KeyError, which names what there is."""
        if name not in self._journeys:
            raise KeyError(f"there is no journey {name}; there are: {', '.join(self._journeys)}")
        return self._journeys[name]

    def latest(self, name: str) -> JourneyType | None:
        """The current version; None where there is no such journey."""
        loaded = self._journeys.get(name)
        return loaded.type if loaded else None

    def version(self, name: str, digest: str) -> JourneyType | None:
        """The very version that a journey is on, where it is at hand."""
        latest = self.latest(name)
        if latest is not None and latest.manifest.digest == digest:
            return latest
        return self._kept.get((name, digest))

    async def keep(self, store: Store) -> None:
        """Keep the current versions and fill their directories; take up the versions before them.

        An older version is at hand while this code can still ask all of its items.
        """
        for loaded in self._journeys.values():
            await _keep(store, loaded)
        for name, digest, content in await store.manifests():
            older = self._older(name, digest, content)
            if older is not None:
                self._kept[name, digest] = older

    def folder_of(self, name: str) -> Path | None:
        """The folder of a journey that is served, or could be; None where there is none."""
        if name in self._journeys:
            return self._journeys[name].folder
        if self._folder is None or not _NAME.fullmatch(name):
            return None
        return self._folder / name if (self._folder / name / MANIFEST).is_file() else None

    async def reload(self, name: str, store: Store) -> Manifest:
        """Read a journey's folder anew, and serve what is there now; open journeys stay on their
        version while it can still be asked. Raises ManifestFaulty, and then what was served is
        served on; KeyError where there is no such folder."""
        folder = self.folder_of(name)
        if folder is None:
            raise KeyError(f"there is no folder of a journey {name}")
        loaded = await asyncio.to_thread(load_journey, folder, KINDS)
        await _keep(store, loaded)
        before = self._journeys.get(name)
        self._journeys[name] = loaded
        self.faulty.pop(name, None)
        if before is not None:
            self._kept[name, before.manifest.digest] = before.type
        self._kept = {
            key: kept for key, kept in self._kept.items() if key[0] != name or _asks(loaded, kept)
        }
        return loaded.manifest

    def _older(self, name: str, digest: str, content: str) -> JourneyType | None:
        loaded = self._journeys.get(name)
        if loaded is None:
            return None
        try:
            older = Manifest.model_validate_json(content)
        except ValidationError:
            return None
        made = JourneyType(manifest=older, texts=loaded.type.texts, steps=loaded.type.steps)
        unworded = missing_texts(older, loaded.type.texts)
        return made if older.digest == digest and not unworded and _asks(loaded, made) else None

    def tools(self, store: Searches) -> Tools:
        """What carries out the domain tools of these journeys, whose directories are in `store`."""

        async def carry_out(fetch: Fetch) -> Fetched:
            return await self._carry_out(store, fetch)

        return carry_out

    async def _carry_out(self, store: Searches, fetch: Fetch) -> Fetched:
        loaded, tool = self.journey(fetch.journey), self._tool(fetch)
        if tool is None:
            return Fetched(failed=f"there is no tool named {fetch.tool}")
        if tool.records is None:
            return await loaded.functions[tool.name](fetch.arguments, fetch.settled)
        directory = loaded.directories[tool.records]
        search = _Search(tool, fetch.arguments, directory.columns())
        return await search.run(store, f"{fetch.journey}.{tool.records}")

    def _tool(self, fetch: Fetch) -> Tool | None:
        """The tool that is called; one that only an older version has is called by what is open."""
        kept = (one.manifest for (name, _), one in self._kept.items() if name == fetch.journey)
        manifests = (self.journey(fetch.journey).manifest, *kept)
        tools = (tool for manifest in manifests for tool in manifest.tools)
        return next((tool for tool in tools if tool.name == fetch.tool), None)


class _Search:
    """A search of a directory by a tool's arguments.

    `query` is words, `page` counts from 1; an argument named like a field of the records is what
    that field must be, and for a number how much it must be at least. Others are not looked at.
    """

    def __init__(self, tool: Tool, arguments: Mapping[str, Any], columns: frozenset[str]) -> None:
        self.query = str(arguments.get("query") or "")
        page = arguments.get("page")
        self.page = page if isinstance(page, int) and page > 0 else 1
        self.exact: dict[str, str | int | float | bool | None] = {}
        self.least: dict[str, float] = {}
        for one in tool.arguments:
            given = arguments.get(one.name)
            if one.name not in columns or given is None or given == "":
                continue
            if one.type in ("integer", "number"):
                self._at_least(one.name, given)
            elif isinstance(given, str | bool):
                self.exact[one.name] = given

    def _at_least(self, name: str, given: Any) -> None:
        try:
            self.least[name] = float(given)
        except (TypeError, ValueError):
            return

    async def run(self, store: Searches, directory: str) -> Fetched:
        """The asked page of what matches."""
        start = (self.page - 1) * PAGE
        if not self.least:
            return await store.search_directory(directory, self.query, PAGE, start, self.exact)
        found = await store.search_directory(directory, self.query, MOST, 0, self.exact)
        enough = [record for record in found.records if self._is_enough(record)]
        return Fetched(records=tuple(enough[start : start + PAGE]), total=len(enough))

    def _is_enough(self, record: Record) -> bool:
        return all(_amount(record.fields.get(name)) >= least for name, least in self.least.items())


def _amount(value: Any) -> float:
    """How much a field holds; nothing where it holds no number, so that it is never enough."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number else float("-inf")


def _asks(loaded: Loaded, older: JourneyType) -> bool:
    """Whether a folder as it is now has all that an older version is asked with: its directories
    with their columns, and its functions. Its texts and steps are its own."""
    known = Known(
        steps=frozenset(older.steps),
        functions=frozenset(loaded.functions),
        columns={name: one.columns() for name, one in loaded.directories.items()},
    )
    gone = set(older.manifest.directories) - set(loaded.directories)
    return not gone and not faults(older.manifest, known=known)


async def _keep(store: Store, loaded: Loaded) -> None:
    """Keep the version that a folder has now, and fill its directories."""
    manifest = loaded.manifest
    content = manifest.model_dump_json(exclude_unset=True)
    await store.keep_manifest(manifest.name, manifest.digest, content)
    for directory, one in loaded.directories.items():
        await store.load_directory(f"{manifest.name}.{directory}", one.digest, one.records)
