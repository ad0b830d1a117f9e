"""What the leading model's tools work on: the values that were saved so far, each read by the step
of its item, exactly as the runtime reads what a person types."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

import msgspec

from core import planner
from core.draft import Draft, Source, Value
from core.evals.acting import Ask, typed
from core.evals.led.prompt import SAVE, SUBMIT
from core.evals.looking import Fetcher, Looking
from core.journey import JourneyType
from core.manifest import Item, Kind
from core.replies import Submit, Words
from core.state import Conversation, Journey, Person
from core.step.base import Beside, Fetch, Read, Refused, Settled, Unsure
from core.step.picker_records import value_of

T = TypeVar("T")

MOST_RECORDS = 10
"""Records of a search that the model is told, as where the runtime leads."""
_VERBATIM = frozenset({Kind.SHORT_TEXT, Kind.LONG_TEXT})


@dataclass(frozen=True)
class Heard:
    """What a text is for an item: its value, or why it is none."""

    value: Any = None
    why: str = ""


class _Types:
    def __init__(self, kind: JourneyType) -> None:
        self.kind = kind

    def latest(self, name: str) -> JourneyType | None:
        return self.kind

    def version(self, name: str, digest: str) -> JourneyType | None:
        return self.kind

    def names(self) -> tuple[str, ...]:
        return (self.kind.manifest.name,)


class Desk:
    """Saves, searches and submits. `sent` is what was submitted, None before."""

    def __init__(self, kind: JourneyType, person: Person, now: datetime, fetch: Fetcher) -> None:
        self.kind, self.now, self.fetch = kind, now, fetch
        manifest = kind.manifest
        journey = Journey(id="led", manifest=manifest.name, digest=manifest.digest)
        self.state = Conversation(id="led", person=person, journey=journey)
        self.sent: dict[str, Any] | None = None
        self._looking = Looking(_Types(kind), fetch)
        self._spelled: dict[str, tuple[str, ...]] = {}

    @property
    def draft(self) -> Draft:
        """What is saved."""
        assert self.state.journey is not None
        return self.state.journey.draft

    async def call(self, name: str, arguments: Mapping[str, Any]) -> str:
        """What a tool call comes to, as the model is told it."""
        if name == SAVE:
            return await self._save(str(arguments.get("item", "")), arguments.get("value"))
        if name == SUBMIT:
            return self._submit(arguments.get("confirmed") is True)
        return await self._search(name, arguments)

    async def _save(self, name: str, given: Any) -> str:
        if name not in self.kind.manifest.by_name:
            return f"There is no item {name!r}. Items: {', '.join(self.kind.manifest.by_name)}"
        if given in ("", []) and not self.kind.manifest.item(name).required:
            self._leave_out(name)
            return "Left out."
        heard = await self.heard(name, given)
        if heard.value is None:
            return f"Not saved: {heard.why or f'that cannot be read as {name}.'}"
        self.put(name, heard.value)
        return f"Saved: {await self.shown(name, heard.value)}"

    def put(self, name: str, value: Any) -> None:
        """Save a value."""
        kept = Value(value=value, source=Source.TYPED, turn=0)
        self._keep({**self.draft.values, name: kept})

    def _leave_out(self, name: str) -> None:
        self._keep({known: value for known, value in self.draft.values.items() if known != name})

    def _keep(self, values: dict[str, Value]) -> None:
        assert self.state.journey is not None
        draft = msgspec.structs.replace(self.draft, values=values)
        journey = msgspec.structs.replace(self.state.journey, draft=draft)
        self.state = msgspec.structs.replace(self.state, journey=journey)

    def _submit(self, confirmed: bool) -> str:
        owed = planner.owed(self.kind.manifest, self.draft)
        if not confirmed:
            return "Not submitted: the person has to confirm the summary first."
        if owed:
            return f"Not submitted. Missing: {', '.join(owed)}"
        self.sent = planner.content(self.kind.manifest, self.draft)
        return "Submitted."

    async def _search(self, name: str, arguments: Mapping[str, Any]) -> str:
        tool = next((one for one in self.kind.manifest.tools if one.name == name), None)
        if tool is None:
            return f"There is no tool named {name!r}."
        known = {one.name for one in tool.arguments}
        given = {key: value for key, value in arguments.items() if key in known}
        call = Fetch(journey=self.kind.manifest.name, tool=name, arguments=given)
        found = await self.fetch(call)
        if found.failed:
            return f"The tool failed: {found.failed}"
        told = [
            {"id": one.id, "label": one.label, "detail": one.detail, **one.fields}
            for one in found.records[:MOST_RECORDS]
        ]
        return json.dumps({"total": found.total, "records": told}, ensure_ascii=False)

    # Values

    async def read(self, name: str, given: Any) -> Any:
        """The value that a text is for an item; None where it is none."""
        return (await self.heard(name, given)).value

    async def heard(self, name: str, given: Any) -> Heard:
        """What a text is for an item."""
        item = self.kind.manifest.item(name)
        text = "\n".join(map(str, given)) if isinstance(given, list) else str(given or "").strip()
        if not text:
            return Heard()
        if item.value is Kind.UPLOAD:
            value = {"ref": f"ref-{text}", "name": text, "mime": "image/jpeg", "size": 100_000}
            return Heard(value)
        if item.value is Kind.FORM:
            return await self._form(name, text)
        plain = _plain(item, text)
        if plain is not None:
            fault = await self._at(name, lambda ask: ask.step.fault(ask.scene, plain))
            return Heard(why=fault) if fault else Heard(plain)
        heard = await self._reads(name, text)
        if item.value is Kind.RECORD and heard.value is None:
            return Heard(await self._named(name, text), heard.why)
        return heard

    async def _form(self, name: str, text: str) -> Heard:
        """A form of `Field: value` lines; a field that is not named is left out."""
        texts, item = self.kind.speak(self.state.person.locale), self.kind.manifest.item(name)
        lines = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
        said = {label.strip().casefold(): value.strip() for label, value in lines.items()}
        values: dict[str, str | list[str]] = {}
        for one in item.fields:
            label = texts.of(name, f"fields.{one.name}.label") or one.name
            values[one.name] = said.get(label.casefold(), said.get(one.name, ""))
        submit = Submit(card="", values=values, by=self.state.person.id, at=self.now)
        return _heard(await self._at(name, lambda ask: ask.step.read(ask.scene, submit)))

    async def _named(self, name: str, label: str) -> Any:
        """The record of a directory that is called so, whatever else the search finds."""
        tools = self.kind.manifest.tools
        tool = next((one for one in tools if one.item == name), None)
        if tool is None:
            return None
        journey = self.kind.manifest.name
        call = Fetch(journey=journey, tool=tool.name, arguments={"query": label, "page": 1})
        found = await self.fetch(call)
        return next((value_of(one) for one in found.records if one.label == label), None)

    async def _reads(self, name: str, text: str) -> Heard:
        words = Words(text=text, by=self.state.person.id, at=self.now)
        return _heard(await self._at(name, lambda ask: ask.step.read(ask.scene, words)))

    async def sample(self, name: str) -> Any:
        """A valid value of an item."""
        return await self._at(name, lambda ask: ask.step.sample(ask.scene))

    async def shown(self, name: str, value: Any) -> str:
        """A value as it is read."""
        return await self._at(name, lambda ask: ask.step.show(ask.scene, value))

    async def typed(self, name: str, value: Any) -> str:
        """A value as a person types it."""
        if isinstance(value, Mapping) and self.kind.manifest.item(name).value is Kind.UPLOAD:
            return str(value.get("name", ""))
        return await self._at(name, lambda ask: typed(ask, value))

    async def spellings(self, name: str, value: Any) -> tuple[str, ...]:
        """The ways in which a text may say a value."""
        key = f"{name} {value!r}"
        if key not in self._spelled:
            self._spelled[key] = await self._looking.spellings(self.state, self.now, name, value)
        return self._spelled[key]

    async def _at(self, name: str, look: Callable[[Ask], T]) -> T:
        return await self._looking.at(self.state, self.now, name, look)


def _plain(item: Item, text: str) -> Any:
    """A text that is a value as it stands; None where it has to be read."""
    if item.value in _VERBATIM:
        return text
    if item.value is Kind.ENTRIES:
        return [line.strip() for line in text.splitlines() if line.strip()]
    if item.value is Kind.ATTESTATION:
        return True if text.casefold() in ("true", "yes") else None
    keys = [part.strip() for part in text.split(",")]
    if item.options and all(key in item.options for key in keys):
        return keys if item.value is Kind.CHOICES else keys[0] if len(keys) == 1 else None
    return None


def _heard(result: Read) -> Heard:
    if isinstance(result, Settled):
        return Heard(result.value)
    return Heard(why=result.reason if isinstance(result, Refused | Unsure | Beside) else "")
