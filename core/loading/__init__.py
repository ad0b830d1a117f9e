"""A journey's folder, read and judged: every fault with its file, its line and what to write.

steps/event/
    manifest.yaml       what must be known, in order
    texts/<language>.yaml
    <directory>.csv     data files that the manifest names
    journey.py          steps and tools of its own, where it has any
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from core.faults import MANIFEST, Fault, Known, SettingsCheck, faults, file_of
from core.journey import JourneyType
from core.loading.directories import Directory, load_directory
from core.loading.lines import FileFault, Source, read_yaml
from core.loading.manifests import Parsed, parse_manifest
from core.loading.python import Function, Own, load_python
from core.manifest import Manifest
from core.texts import flatten

__all__ = ["Directory", "FileFault", "Function", "Loaded", "ManifestFaulty", "load_journey"]


class ManifestFaulty(ValueError):
    """A journey that cannot be used as it is; `faults` has everything that is wrong with it."""

    def __init__(self, found: Iterable[FileFault]) -> None:
        self.faults = sorted(set(found))
        super().__init__("\n".join(map(str, self.faults)))


@dataclass(frozen=True)
class Loaded:
    """A journey type as its folder has it, with what the shell needs beside it."""

    folder: Path
    type: JourneyType
    functions: Mapping[str, Function] = field(default_factory=dict)
    directories: Mapping[str, Directory] = field(default_factory=dict)

    @property
    def manifest(self) -> Manifest:
        """What the journey must know."""
        return self.type.manifest


Kinds = Mapping[str, SettingsCheck]
"""The kinds of destination that there are."""


def load_journey(folder: Path, destinations: Kinds | None = None) -> Loaded:
    """The journey of a folder. Raises ManifestFaulty, which lists all that is wrong with it.

    `destinations` is None where nobody knows which kinds there are; they are not judged then.
    """
    return _Reader(Path(folder)).loaded(destinations)


class _Reader:
    """Reads a folder, and collects what is wrong in its files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.found: list[FileFault] = []
        self.sources: dict[str, Source] = {}

    def loaded(self, destinations: Kinds | None) -> Loaded:
        parsed = self._manifest()
        texts = self._texts()
        own, wrong = load_python(self.folder)
        self.found += wrong
        directories = self._directories(parsed.manifest)
        if parsed.manifest is not None:
            self._named(parsed.manifest)
            known = _known(parsed, own, directories, destinations)
            self._judge(parsed, texts, known)
        if self.found or parsed.manifest is None or own is None:
            raise ManifestFaulty(self.found)
        made = JourneyType(manifest=parsed.manifest, texts=texts, steps=own.steps)
        return Loaded(self.folder, made, own.functions, directories)

    def _source(self, name: str, *, verbatim: bool = False) -> Source:
        source, wrong = read_yaml(self.folder / name, verbatim=verbatim)
        self.sources[name] = source
        self.found += wrong
        return source

    def _manifest(self) -> Parsed:
        source = self._source(MANIFEST)
        if source.tree is None and self.found:
            return Parsed()
        parsed = parse_manifest(source.data)
        self.found += [source.fault(*refused) for refused in parsed.refused]
        return parsed

    def _named(self, manifest: Manifest) -> None:
        """A journey is named like its folder, so that no two have one name."""
        name = self.folder.resolve().name
        if manifest.name != name and self.sources[MANIFEST].data.get("name") == manifest.name:
            message = f"the journey {manifest.name} is in a folder named {name}"
            advice = f"Write name: {name}, or name the folder {manifest.name}."
            self.found.append(self.sources[MANIFEST].fault(("name",), message, advice))

    def _texts(self) -> dict[str, dict[str, str]]:
        """The texts of every language that is listed or that there is a file of."""
        texts = {}
        here = sorted((self.folder / "texts").glob("*.yaml"))
        for language in [file.stem for file in here]:
            source = self._source(file_of(language), verbatim=True)
            if isinstance(source.data, Mapping):
                self.found += _not_texts(source, source.data)
                texts[language] = flatten(_said(source.data))
            elif source.data is not None:
                self.found.append(source.fault((), "these are no texts", "Write key: text."))
        return texts

    def _directories(self, manifest: Manifest | None) -> dict[str, Directory]:
        found = {}
        for name, file in (manifest.directories if manifest else {}).items():
            if Path(file).name != file or not file.endswith((".csv", ".jsonl")):
                continue
            if not (self.folder / file).is_file():
                advice = f"Write {file}, or name the file that has the records."
                place = ("directories", name)
                source = self.sources[MANIFEST]
                self.found.append(source.fault(place, f"there is no file {file}", advice))
                continue
            found[name], wrong = load_directory(self.folder / file)
            self.found += wrong
        return found

    def _judge(self, parsed: Parsed, texts: Mapping[str, Mapping[str, str]], known: Known) -> None:
        assert parsed.manifest is not None
        faulty = {fault.file for fault in self.found}
        unread = {
            name
            for name, source in self.sources.items()
            if not isinstance(source.data, Mapping) and source.file in faulty
        }
        for fault in faults(parsed.manifest, texts, known):
            # What is wrong with a file that cannot be read has been said.
            if fault.file not in unread:
                self.found.append(self._placed(parsed, fault))

    def _placed(self, parsed: Parsed, fault: Fault) -> FileFault:
        source = self.sources.get(fault.file)
        if source is None:
            return FileFault(self.folder / fault.file, 1, fault.message, fault.instead)
        place = parsed.in_file(fault.path) if fault.file == MANIFEST else fault.path
        return source.fault(place, fault.message, fault.instead)


def _known(
    parsed: Parsed,
    own: Own | None,
    directories: Mapping[str, Directory],
    destinations: Kinds | None,
) -> Known:
    return Known(
        steps=frozenset(own.steps) if own else None,
        functions=frozenset(own.functions) if own else None,
        destinations=destinations,
        columns={name: one.columns() for name, one in directories.items() if one.records},
        unsure=frozenset(parsed.unsure),
    )


def _not_texts(source: Source, tree: Mapping[str, object], *above: str) -> list[FileFault]:
    """Everything among texts that is neither a text nor a group of them."""
    found = []
    for key, value in tree.items():
        if isinstance(value, Mapping):
            found += _not_texts(source, value, *above, key)
        elif value is None or isinstance(value, list):
            what = "is a list" if isinstance(value, list) else "has no text"
            name = ".".join((*above, key))
            advice = "Write a text; one of several lines begins with |."
            found.append(source.fault((*above, key), f"{name} {what}", advice))
    return found


def _said(tree: Mapping[str, object]) -> dict[str, object]:
    """The texts alone; what is none has been reported, and is a text for the rest of the check."""
    return {
        key: _said(value) if isinstance(value, Mapping) else "-" if value is None else value
        for key, value in tree.items()
    }
