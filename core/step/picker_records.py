"""Records of a directory: shown in pages, searched by typing, accepted by a tap or their name.

A record's token is a digest of all that was shown of it. Records may change between the draw and
the tap: then the token is on no card any more, and nothing else is accepted in its place (G5).
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from core.cards import Button, Card, Picker, PickerMode, Record, Role
from core.draft import Source
from core.reading import is_back, is_cancel, is_start_over, read
from core.reading.result import Option, Outcome, Reading
from core.replies import Submit, Tap, Upload, Words
from core.step import common
from core.step.base import Beside, Fetched, Moved, Read, Refused, Scene, Settled, Unsure

SHOWN = 8
"""Records on one card; a page of the tool may hold more."""
SEARCH_WORDS = 6
"""More words than these are talk, not a name to look for."""

PREVIOUS, NEXT, ALL, AGAIN = "pp", "np", "all", "again"


@dataclass(frozen=True)
class Page:
    """What of the directory is shown: from record `at` on of one page of the tool's.

    `sizes` are how many records the pages before that one had; `narrowed` are the arguments that
    a search of the model's had beside its words (a city).
    """

    query: str
    narrowed: Mapping[str, Any]
    sizes: tuple[int, ...]
    at: int
    fetched: Fetched

    @property
    def shown(self) -> list[Record]:
        """The records on the card, each once."""
        return list(
            {token_of(one): one for one in self.fetched.records[self.at :][:SHOWN]}.values()
        )

    @property
    def more_here(self) -> bool:
        """The fetched page has more than the card shows."""
        return self.at + SHOWN < len(self.fetched.records)

    @property
    def more(self) -> bool:
        """There are records after those on the card."""
        here = len(self.fetched.records)
        return self.more_here or (here > 0 and sum(self.sizes) + here < self.fetched.total)

    @property
    def earlier(self) -> bool:
        """There are records before those on the card."""
        return bool(self.at or self.sizes)


class RecordStep(common.Checked):
    """One record of the directory that the item's tool searches."""

    def draw(self, scene: Scene) -> Card:
        page = _page(scene)
        frame = common.frame(self, scene)
        if page.fetched.failed:
            frame["reason"] = scene.texts("reason.directory_down")
        elif not page.shown and not frame["reason"]:
            frame["reason"] = scene.texts("reason.nothing_found")
        return Picker(
            mode=PickerMode.RECORDS,
            **frame,
            options=tuple(_button(one) for one in page.shown),
            records=tuple(page.shown),
            moves=_moves(scene, page),
            query=page.query,
            searchable=True,
        )

    def read(self, scene: Scene, reply: Tap | Submit | Words | Upload) -> Read:
        if isinstance(reply, Tap):
            return self._tapped(scene, reply.token)
        if isinstance(reply, Submit):
            return self._submitted(scene, reply)
        return (
            self._typed(scene, common.plain(reply.text)) if isinstance(reply, Words) else Beside()
        )

    def _tapped(self, scene: Scene, token: str) -> Read:
        common_one = self._suggested(scene, token)
        if common_one is not None:
            return common_one
        page = _page(scene)
        if token in (PREVIOUS, NEXT, ALL, AGAIN):
            return Moved(cursor=_turned(page, token))
        if not token.startswith("r"):
            return common.unchanged(scene)
        found = {token_of(one): one for one in page.shown}.get(token)
        if found is None or (scene.drawn and token not in scene.drawn):
            return Refused(scene.texts("reason.list_changed"))
        return self._accepted(scene, found)

    def _suggested(self, scene: Scene, token: str) -> Read | None:
        found = common.common_tap(self, scene, token)
        if isinstance(found, Settled) and found.value is not None:
            return Settled(found.value, Source.RECORD)
        return found

    def _accepted(self, scene: Scene, record: Record) -> Read:
        value = value_of(record)
        fault = self.fault(scene, value)
        return Refused(fault) if fault else Settled(value, Source.RECORD)

    def _submitted(self, scene: Scene, reply: Submit) -> Read:
        query = reply.values.get("query")
        token = common.single(reply.values, scene.item.name)
        if isinstance(query, str):
            return self._searched(scene, common.plain(query), token)
        return common.unchanged(scene) if token is None else self._tapped(scene, token)

    def _searched(self, scene: Scene, query: str, token: str | None) -> Read:
        """A search, and the record that was taken out of what it found, if one was."""
        cursor = _searching(query)
        if token is None:
            return Moved(cursor=cursor)
        shown = Page(query, {}, (), 0, _fetched(scene, cursor["query"], 1, {})).shown
        found = {token_of(one): one for one in shown}.get(token)
        if found is None:
            return Refused(scene.texts("reason.list_changed"), cursor=cursor)
        return self._accepted(scene, found)

    # Words

    def _typed(self, scene: Scene, text: str) -> Read:
        """A shown record's full name, its number or its place; else a name to look for."""
        page = _page(scene)
        named, placed = _named(scene, page.shown, text), _placed(scene, page, text)
        if placed.outcome is Outcome.SETTLED:
            record = {token_of(one): one for one in page.shown}[placed.value]
            if named and record not in named:
                return Unsure(proposals=tuple(value_of(one) for one in (*named, record)))
            return self._by_place(scene, page, record)
        if len(named) == 1:
            return self._by_name(scene, named[0])
        skip = common.skipped(scene, text)
        if skip is not None:
            return skip
        if placed.outcome is Outcome.INVALID:
            return Refused(common.reason_of(scene, placed))
        return self._sought(scene, text, sure=placed.reason == "beside")

    def _by_place(self, scene: Scene, page: Page, record: Record) -> Read:
        if scene.drawn and scene.drawn != tuple(token_of(one) for one in page.shown):
            return Refused(scene.texts("reason.list_changed"))
        return self._accepted(scene, record)

    def _by_name(self, scene: Scene, record: Record) -> Read:
        if scene.drawn and token_of(record) not in scene.drawn:
            return Refused(scene.texts("reason.list_changed"))
        return self._accepted(scene, record)

    def _sought(self, scene: Scene, text: str, *, sure: bool) -> Read:
        """Look for what was typed; where it may well be talk, only a full name counts."""
        query = " ".join(text.split()).strip(" .!,;")
        if not query or not _may_be_name(scene, text):
            return Beside()
        found = _fetched(scene, query, 1, {})
        if found.failed:
            return Refused(scene.texts("reason.directory_down")) if sure else Beside()
        count = max(found.total, len(found.records))
        named = _named(scene, list(found.records), query)
        if len(named) == 1 and count == len(found.records):
            return self._accepted(scene, named[0])
        if not found.records and sure:
            return Beside(reason=scene.texts("reason.no_match", query=query))
        if not found.records or not (sure or named):
            return Beside()
        said = scene.texts("step.found", query=query, count=count)
        return Moved(cursor=_searching(query), said=said)

    # Values

    def show(self, scene: Scene, value: Any) -> str:
        if not isinstance(value, dict):
            return str(value)
        return common.worded(scene, "show", value) or str(value.get("label", ""))

    def sample(self, scene: Scene) -> Any:
        found = _page(scene).shown
        return value_of(found[0]) if found else {"id": "sample", "label": "Sample"}


def token_of(record: Record) -> str:
    """A record's token: the same only for what is shown and stored the same."""
    return "r" + hashlib.sha256(msgspec.json.encode(record, order="sorted")).hexdigest()[:10]


def value_of(record: Record) -> dict[str, Any]:
    """A record as it is stored."""
    return {**record.fields, "id": record.id, "label": record.label}


# The directory


def _tool(scene: Scene) -> str | None:
    """The tool that serves this item: the one that names it, or its directory."""
    name, records = scene.item.name, scene.item.records
    for tool in scene.manifest.tools:
        if tool.item == name or (records is not None and tool.records == records):
            return tool.name
    return None


def _fetched(scene: Scene, query: str, page: int, narrowed: Mapping[str, Any]) -> Fetched:
    tool = _tool(scene)
    if tool is None:
        return Fetched(failed="no tool serves this item")
    return scene.fetch(tool, **narrowed, query=query, page=page)


def _page(scene: Scene) -> Page:
    cursor = scene.cursor
    query = str(cursor.get("query", ""))
    sizes = tuple(int(one) for one in cursor.get("sizes", ()))
    narrowed = dict(cursor.get("narrowed", {}))
    fetched = _fetched(scene, query, len(sizes) + 1, narrowed)
    return Page(query, narrowed, sizes, int(cursor.get("at", 0)), fetched)


def _searching(query: str) -> dict[str, Any]:
    return {"query": " ".join(query.split())}


def _turned(page: Page, token: str) -> dict[str, Any]:
    """The cursor after a move; where there is nothing to turn to, as it was."""
    kept: dict[str, Any] = {"query": page.query, "sizes": list(page.sizes), "at": page.at}
    if page.narrowed:
        kept["narrowed"] = page.narrowed
    if token == ALL:
        return {}
    if token == NEXT and page.more_here:
        return {**kept, "at": page.at + SHOWN}
    if token == NEXT and page.more:
        return {**kept, "sizes": [*page.sizes, len(page.fetched.records)], "at": 0}
    if token == PREVIOUS and page.at:
        return {**kept, "at": max(0, page.at - SHOWN)}
    if token == PREVIOUS and page.sizes:
        last = page.sizes[-1]
        return {**kept, "sizes": list(page.sizes[:-1]), "at": max(0, (last - 1) // SHOWN * SHOWN)}
    return kept


# What is typed


def _named(scene: Scene, records: list[Record], text: str) -> list[Record]:
    """The records whose whole name the reply is, with nothing but harmless words around it."""
    said = folded(text)
    exact = [one for one in records if folded(one.label) == said]
    if exact:
        return exact
    full = [one for one in records if folded(one.label) and folded(one.label) in said]
    options = [Option(key=token_of(one), label=one.label) for one in full]
    reading = read("choice", text, common.context_of(scene, options)) if options else None
    meant = reading.value if reading and reading.outcome is Outcome.SETTLED else None
    return [one for one in full if token_of(one) == meant]


def _placed(scene: Scene, page: Page, text: str) -> Reading:
    """The reply as a place on the card ("2", "the second one"); names are nothing to it."""
    options = [Option(key=token_of(one), label=token_of(one)) for one in page.shown]
    return read("choice", text, common.context_of(scene, options))


def _may_be_name(scene: Scene, text: str) -> bool:
    if len(text.split()) > SEARCH_WORDS or len(text.splitlines()) > 1 or "?" in text:
        return False
    return not any(heard(text, scene.context) for heard in (is_back, is_cancel, is_start_over))


def folded(text: str) -> str:
    """Text as names are compared: letter case, accents' encoding and white space do not count."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split()).strip(" .!,;")


# What is drawn


def _button(record: Record) -> Button:
    label = common.shorten(record.label) or record.id
    return Button(token=token_of(record), label=label, detail=record.detail)


def _moves(scene: Scene, page: Page) -> tuple[Button, ...]:
    wanted = {
        AGAIN: bool(page.fetched.failed),
        PREVIOUS: page.earlier,
        NEXT: page.more,
        ALL: bool(page.query or page.narrowed),
    }
    names = {AGAIN: "again", PREVIOUS: "previous", NEXT: "next", ALL: "all"}
    return tuple(
        Button(token=token, label=scene.texts(f"step.{names[token]}"), role=Role.MOVE)
        for token, shown in wanted.items()
        if shown
    )
