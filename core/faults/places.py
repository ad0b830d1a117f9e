"""Where things come from and go to: tools, directories, destinations, languages."""

from __future__ import annotations

from collections.abc import Iterator

from babel import Locale, UnknownLocaleError

from core.faults.base import Fault, Known, Place, meant
from core.manifest import Destination, Kind, Manifest, Tool
from core.texts import FALLBACK

LEAVE_OUT = "leave_out"
BESIDE = (
    "Write it beside settings:, such as {name: team, kind: chat, settings: {...}, leave_out:"
    " [contact]}."
)


def place_faults(manifest: Manifest, known: Known) -> Iterator[Fault]:
    """Faults of tools, directories, destinations and languages."""
    for number, tool in enumerate(manifest.tools):
        yield from _tool(manifest, known, number, tool)
    yield from _directories(manifest)
    yield from _destinations(manifest, known)
    yield from _languages(manifest)


def _tool(manifest: Manifest, known: Known, number: int, tool: Tool) -> Iterator[Fault]:
    subject = f"tool {tool.name}"
    if tool.records is not None and tool.records not in manifest.directories:
        yield Fault(
            ("tools", number, "records"),
            f"{subject}: there is no directory named {tool.records}",
            meant(
                tool.records,
                manifest.directories,
                f"Write directories: {{{tool.records}: {tool.records}.csv}}.",
            ),
        )
    functions = known.functions
    if tool.records is None and functions is not None and tool.name not in functions:
        yield Fault(
            ("tools", number, "name"),
            f"{subject}: it searches no directory, and journey.py has no function for it in TOOLS",
            f"Write records: and the name of a directory, or add {tool.name} to TOOLS.",
        )
    yield from _tool_item(manifest, number, tool)


def _tool_item(manifest: Manifest, number: int, tool: Tool) -> Iterator[Fault]:
    if tool.item is None:
        return
    item = manifest.by_name.get(tool.item)
    place = ("tools", number, "item")
    if item is None:
        records = [one.name for one in manifest.items if one.value is Kind.RECORD]
        yield Fault(
            place,
            f"tool {tool.name}: its records are for {tool.item}, which is no item of this journey",
            meant(tool.item, records),
        )
    elif item.value not in (Kind.RECORD, Kind.CUSTOM):
        yield Fault(
            place,
            f"tool {tool.name}: {tool.item} is a {item.value.value} item and takes no record",
            "Name a record item, or take item out.",
        )


def _directories(manifest: Manifest) -> Iterator[Fault]:
    used = {item.records for item in manifest.items} | {tool.records for tool in manifest.tools}
    for name, file in manifest.directories.items():
        place = ("directories", name)
        if name not in used:
            yield Fault(
                place,
                f"directory {name}: no item and no tool searches it",
                f"Write records: {name} where it is used, or take it out.",
            )
        if not file.endswith((".csv", ".jsonl")) or file.startswith("/") or ".." in file:
            yield Fault(
                place,
                f"directory {name}: {file} is no data file of this journey",
                "Write the name of a .csv or .jsonl file in the journey's folder.",
            )


def _destinations(manifest: Manifest, known: Known) -> Iterator[Fault]:
    if not manifest.destinations:
        yield Fault(
            ("destinations",),
            f"journey {manifest.name}: what is confirmed goes nowhere",
            "Write destinations:, such as [{name: file, kind: jsonl, settings: "
            f"{{path: {manifest.name}.jsonl}}}}].",
        )
    for number, one in enumerate(manifest.destinations):
        place = ("destinations", number)
        yield from _left_out(manifest, place, one)
        if LEAVE_OUT in one.settings:
            message = f"destination {one.name}: {LEAVE_OUT} stands in settings"
            yield Fault((*place, "settings", LEAVE_OUT), message, BESIDE)
            continue
        if known.destinations is None:
            continue
        kind = known.destinations.get(one.kind)
        if kind is None:
            yield Fault(
                (*place, "kind"),
                f"destination {one.name}: there is no kind of destination named {one.kind}",
                meant(one.kind, sorted(known.destinations)),
            )
            continue
        advice = kind.fault(one.settings)
        if advice:
            message = f"destination {one.name}: these settings do not fit {one.kind}"
            yield Fault((*place, "settings"), message, advice)


def _left_out(manifest: Manifest, place: Place, one: Destination) -> Iterator[Fault]:
    for number, name in enumerate(one.leave_out):
        here = (*place, "leave_out", number)
        if name not in manifest.by_name:
            message = f"leave_out names {name}, which is no item of this journey"
            advice = meant(name, manifest.by_name)
            yield Fault(here, f"destination {one.name}: {message}", advice)
        elif name in one.leave_out[:number]:
            message = f"leave_out has the item {name} twice"
            yield Fault(here, f"destination {one.name}: {message}", "Take one of them out.")


def _languages(manifest: Manifest) -> Iterator[Fault]:
    seen: set[str] = set()
    for number, code in enumerate(manifest.languages):
        place = ("languages", number)
        if code in seen:
            yield Fault(place, f"language {code} is there twice", "Take one of them out.")
        seen.add(code)
        if not _is_language(code):
            yield Fault(
                place,
                f"there is no language {code}",
                "Write the two letters of a language, such as en, de or es.",
            )
    if FALLBACK not in manifest.languages:
        yield Fault(
            ("languages",),
            f"journey {manifest.name}: it does not speak English, which everybody gets whose "
            "language it does not speak",
            f"Add {FALLBACK} to languages.",
        )


def _is_language(code: str) -> bool:
    try:
        return Locale.parse(code).language == code
    except (UnknownLocaleError, ValueError, TypeError):
        return False
