"""Texts: whatever a person will read is there in every language, and nothing else is."""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator, Mapping

from core.faults.base import Fault, Known, called, listed, meant
from core.manifest import Item, Kind, Manifest
from core.step.registry import STEPS
from core.texts import FALLBACK, runtime_texts

Tables = Mapping[str, Mapping[str, str]]
"""The texts of a journey: dotted keys to text, by language."""

POST_TITLE = "post.title"
"""The text that says what a submission is called where others read it."""

JOURNEY_TEXTS: dict[str, frozenset[str]] = {
    "title": frozenset(),
    "greeting": frozenset({"name"}),
    "done": frozenset(),
    "talk.persona": frozenset(),
    "talk.about": frozenset(),
    POST_TITLE: frozenset(),
}
"""The texts that a journey may have beside those of its items, with what is filled in; into the
title of a post that are its items."""

PARTS = frozenset({"label", "ask", "hint", "example", "nouns", "about"})
"""The texts that every item may have."""
OF_KIND: dict[Kind, frozenset[str]] = {
    Kind.ATTESTATION: frozenset({"statement", "confirm", "confirmed"}),
    Kind.YES_NO: frozenset({"options"}),
    Kind.CHOICE: frozenset({"options", "aliases", "details"}),
    Kind.CHOICES: frozenset({"options", "aliases", "details"}),
    Kind.FORM: frozenset({"fields", "show"}),
    Kind.RECORD: frozenset({"show"}),
}
"""The texts that items of a kind may have beside those."""
_KEYED = frozenset({"options", "aliases", "details", "fields"})
_FIELD_PARTS = frozenset({"label", "hint", "example", "nouns"})

Wrong = tuple[str, str]
"""What is wrong, and what to write instead."""


def file_of(language: str) -> str:
    """The file of a language's texts, from the journey's folder."""
    return f"texts/{language}.yaml"


def text_faults(manifest: Manifest, tables: Tables, known: Known) -> Iterator[Fault]:
    """Faults of a journey's texts. A language without a table is wholly missing."""
    for language in dict.fromkeys(manifest.languages):
        if language in tables:
            yield from _Table(manifest, known, language, tables[language]).faults()
        else:
            yield Fault(
                (),
                f"the texts in {language} are missing",
                f"Write {file_of(language)}, or take {language} out of languages.",
                file_of(language),
            )
    for language in sorted(set(tables) - set(manifest.languages)):
        yield Fault(
            (),
            f"the journey does not list the language {language}",
            f"Add {language} to languages, or take the file away.",
            file_of(language),
        )


def missing_texts(manifest: Manifest, tables: Tables) -> list[Fault]:
    """The texts that a manifest needs and that its journey does not have."""
    tabled = (_Table(manifest, Known(), one, tables.get(one, {})) for one in manifest.languages)
    return [fault for table in tabled for fault in table.missing()]


class _Table:
    """The texts of one language."""

    def __init__(
        self, manifest: Manifest, known: Known, language: str, table: Mapping[str, str]
    ) -> None:
        self.manifest = manifest
        self.columns = known.columns or {}
        self.language = language
        self.table = table
        # Of an item that could not be read nobody knows which texts it has.
        broken = {place[1] for place in known.unsure if place[0] == "items" and len(place) > 1}
        self.unsure = {item.name for number, item in enumerate(manifest.items) if number in broken}
        own = {one.name for one in manifest.items if _asked_by_its_own(one)}
        self.free = self.unsure | own

    def missing(self) -> Iterator[Fault]:
        yield from self._missing("title", f"journey {self.manifest.name} is")
        for item in self.manifest.items:
            for key, what in _needed(item, whole=item.name not in self.unsure):
                yield from self._missing(f"items.{item.name}.{key}", f"{called(item)}: {what}")

    def faults(self) -> Iterator[Fault]:
        yield from self.missing()
        for key, text in self.table.items():
            wrong = self._key(key)
            if wrong is not None:
                yield self._fault(key, *wrong)
            elif not text.strip():
                yield self._fault(key, f"the text {key} is empty", "Write it, or take it out.")
            else:
                for what, advice in _braces(text, self._filled(key)):
                    yield self._fault(key, f"the text {key}: {what}", advice)

    def _fault(self, key: str, message: str, instead: str) -> Fault:
        return Fault(tuple(key.split(".")), message, instead, file_of(self.language))

    def _missing(self, key: str, what: str) -> Iterator[Fault]:
        if key not in self.table:
            yield self._fault(
                key, f"{what} not worded in {self.language}", f"Write the text {key}."
            )

    def _key(self, key: str) -> Wrong | None:
        """What is wrong with the key of a text."""
        first, _, rest = key.partition(".")
        if first == "items":
            return self._item_key(*rest.split("."))
        runtime = runtime_texts().get(FALLBACK, {})
        if key in JOURNEY_TEXTS or key in runtime:
            return None
        return f"nothing says the text {key}", meant(key, [*JOURNEY_TEXTS, *runtime])

    def _item_key(self, name: str, part: str = "", inner: str = "", *more: str) -> Wrong | None:
        item = self.manifest.by_name.get(name)
        if item is None:
            return f"there are texts of {name}, which is no item", meant(
                name, self.manifest.by_name
            )
        if name in self.free:
            return None
        parts = PARTS | OF_KIND.get(item.value, frozenset())
        if part not in parts:
            message = f"{called(item)}: a {item.value.value} item has no text {part}"
            return message, meant(part, sorted(parts))
        if part not in _KEYED:
            return None
        names = _keys(item, part)
        if inner not in names:
            one = "field" if part == "fields" else "option"
            return f"{called(item)}: {part} has {inner}, which is no {one}", meant(inner, names)
        if part == "fields" and (more[0] if more else "") not in _FIELD_PARTS:
            advice = f"Write its {listed(sorted(_FIELD_PARTS))}."
            return f"{called(item)}: that is no text of the field {inner}", advice
        return None

    def _filled(self, key: str) -> frozenset[str] | None:
        """What is filled into a text; None where nobody knows."""
        first, name, part = (*key.split(".", 2), "", "")[:3]
        if first == "items":
            return None if name in self.free else self._filled_of(self.manifest.item(name), part)
        if key == POST_TITLE:
            return frozenset(self.manifest.by_name)
        runtime = runtime_texts().get(FALLBACK, {})
        return JOURNEY_TEXTS.get(key, frozenset(_placeholders(runtime.get(key, "")) or ()))

    def _filled_of(self, item: Item, part: str) -> frozenset[str] | None:
        if part != "show":
            return frozenset()
        if item.value is Kind.FORM:
            return frozenset(field.name for field in item.fields)
        columns = self.columns.get(item.records or "")
        return None if columns is None else columns | {"id", "label"}


def _asked_by_its_own(item: Item) -> bool:
    """Whether the journey's own step asks the item: that step knows which texts it fills in."""
    return item.value not in STEPS or item.step not in (None, STEPS[item.value][0])


def _needed(item: Item, *, whole: bool) -> Iterator[tuple[str, str]]:
    """The texts that an item needs, each with how a message names it."""
    yield "label", "its label is"
    yield "ask", "its question is"
    if not whole:
        return
    for option in item.options:
        yield f"options.{option}", f"the option {option} is"
    for field in item.fields:
        yield f"fields.{field.name}.label", f"the field {field.name} is"
    if item.value is Kind.ATTESTATION:
        yield "statement", "what the person attests is"


def _keys(item: Item, part: str) -> list[str]:
    """What the texts of a part are keyed by."""
    if part == "fields":
        return [field.name for field in item.fields]
    return ["yes", "no"] if item.value is Kind.YES_NO else list(item.options)


def _braces(text: str, filled: frozenset[str] | None) -> Iterator[tuple[str, str]]:
    names = _placeholders(text)
    if names is None:
        yield "a brace stands alone", "Write {{ or }} for a brace that is meant as one."
        return
    for name in dict.fromkeys(names):
        if not name.isidentifier():
            yield (
                f"{{{name}}} is no placeholder",
                "Write the name alone between the braces, or {{ and }} for braces.",
            )
        elif filled is not None and name not in filled:
            places = listed(f"{{{one}}}" for one in sorted(filled))
            yield (
                f"nothing fills in {{{name}}}",
                f"Write {places}." if filled else "Take it out, or write {{ and }} for braces.",
            )


def _placeholders(text: str) -> list[str] | None:
    """The names between braces; None where a brace has no counterpart."""
    if "{" not in text:  # the text is then said as it stands
        return []
    try:
        parts: Iterable[tuple[str, str | None, str | None, str | None]] = list(
            string.Formatter().parse(text)
        )
    except ValueError:
        return None
    return [
        name + (f"!{how}" if how else "") + (f":{spec}" if spec else "")
        for _, name, spec, how in parts
        if name is not None
    ]
