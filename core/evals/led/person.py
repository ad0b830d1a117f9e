"""A person who talks with a model that leads: they read what it asks, and answer with what they
have in mind, in their own words.

What is asked is found in the bot's text by what items are called there: their labels, and the
words of their questions. A person is no parser, but neither do they need more than that.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from core import planner
from core.evals.led.desk import Desk
from core.evals.referee import stands_in
from core.evals.scenario import Scenario
from core.manifest import Item, Kind
from core.texts import Texts, language_of

SORRY = "Sorry, something went wrong. Please say that again."
"""What a person sees where the model had no answer, as any bot would say it."""

YES = {"en": "Yes.", "de": "Ja.", "es": "Sí."}
GO_ON = {"en": "Please go on.", "de": "Bitte weiter.", "es": "Sigue, por favor."}
NONE = {"en": "No, thank you.", "de": "Nein, danke.", "es": "No, gracias."}
CHANGE = {
    "en": "Please change {label} to: {value}",
    "de": "Bitte ändere {label} auf: {value}",
    "es": "Cambia {label} a: {value}",
}
_CONFIRMS = re.compile(
    r"(everything|all|this|that|it|details?) (looks? |is |are )?(right|correct|ok|good|accurate)\b|"
    r"confirm|(submit|send) (it|this|that|everything|your)|happy with|ready to (send|submit)|"
    r"alles (richtig|korrekt|so)|stimmt (das|alles|so)|bestätig|(abschicken|absenden|einreichen)|"
    r"todo (bien|correcto|en orden)|confirma|es correcto|(envío|enviarl[oa]|enviar)",
    re.IGNORECASE,
)
_MARKS = " \t*_#>|-•·–0123456789.)"
"""What may stand around a label in a summary."""
_QUESTION = re.compile(r"[^.!?\n]*\?")
_WORD = re.compile(r"\w{3,}")
_ASKS = re.compile(r"\?(\s|$)")
_ENOUGH = 0.6
PATIENCE = 4
"""Messages in a row without anything to answer after which the person gives up."""

STUBBORN, NO_IDEA = 3, 12
"""Answers to one question after which something else will do, and after which they give up: as
where the runtime leads."""

CORRECTIONS = 2
"""How often the person corrects a value that a summary says otherwise, before they give up."""


@dataclass
class Does:
    """What the person does now: the text, and what they give with it, by item."""

    text: str
    gives: dict[str, Any] = field(default_factory=dict)
    corrects: bool = False
    says_yes: bool = False


class Person:
    """The person of a scenario. `intent` is what they have in mind."""

    def __init__(self, scenario: Scenario, desk: Desk) -> None:
        self.scenario, self.desk = scenario, desk
        self.locale = language_of(scenario.person.locale)
        self.texts: Texts = desk.kind.speak(scenario.person.locale)
        names = [one.name for one in desk.kind.manifest.items]
        self.labels = {self.texts.label(name).casefold(): name for name in names}
        self.intent: dict[str, Any] = dict(scenario.answers)
        self.given: dict[str, Any] = {}
        self.entries = [one for one in scenario.script if one.say is not None or one.change]
        self.corrections: Counter[str] = Counter()
        self.idle = 0
        self.last = Does("")
        self.asked_last, self.answers = "", 0

    def opens(self) -> Does:
        """Their first message."""
        self.last = self._first()
        return self.last

    def _first(self) -> Does:
        first = self.scenario.script[0] if self.scenario.script else None
        if first is not None and first.at == "start" and first.say is not None:
            self.entries.remove(first)
            self.intent.update(first.gives)
            if not first.gives:
                return Does(first.say)
        return Does({"de": "Hallo!", "es": "¡Hola!"}.get(self.locale, "Hello!"))

    async def reads(self, said: str) -> Does | None:
        """What they do about what the bot said; None when they give up."""
        does = await self._does(said)
        self.idle = self.idle + 1 if does is None else 0
        if does is None:
            does = self.last if said == SORRY else self._nods(said)
        self.last = does
        return does if self.idle <= PATIENCE else None

    def _nods(self, said: str) -> Does:
        """What they say where nothing is asked for: that it may be sent, or that it goes on."""
        asking = " ".join(_QUESTION.findall(said))
        if self.given and _CONFIRMS.search(asking):
            return Does(self._of(YES), says_yes=True)
        return Does(self._of(GO_ON))

    async def _does(self, said: str) -> Does | None:
        if self.is_summary(said):
            return await self._at_summary(said)
        asked = list(self._asked(said)) if said != SORRY else []
        if not asked:
            return None
        aside = self._entry_at(asked[0])
        while aside is not None and aside.gives:
            # What was said in passing is said when it is asked for: the runner words it.
            self.intent.update(aside.gives)
            aside = self._entry_at(asked[0])
        if aside is not None:
            return await self._says(asked[0], aside.say or "")
        return await self._answer(asked)

    # At the summary

    def is_summary(self, said: str) -> bool:
        """Whether a text sums up what was given, and asks whether it is right."""
        lines = [line for line in said.splitlines() if ":" in line]
        return len(lines) >= min(4, max(2, len(self.given))) and bool(_CONFIRMS.search(said))

    async def _at_summary(self, said: str) -> Does | None:
        entry = self._entry_at("summary")
        if entry is not None and entry.change:
            ((item, value),) = entry.change.items()
            return await self._change(item, value)
        if entry is not None and entry.gives:
            item, value = next(iter(entry.gives.items()))
            return await self._change(item, value)
        if entry is not None:
            return Does(entry.say or "")
        wrong = await self._first_wrong(said)
        if wrong:
            self.corrections[wrong] += 1
            if self.corrections[wrong] > CORRECTIONS:
                self.idle = PATIENCE
                return None
            return await self._change(wrong, self.intent[wrong])
        return Does(self._of(YES), says_yes=True)

    async def _first_wrong(self, said: str) -> str:
        """An item that they gave and that the summary says otherwise. Nobody checks what they were
        never asked for."""
        rows = self.rows(said)
        for item, value in self.given.items():
            if value is None or not self._belongs(item):
                continue
            if not stands_in(await self.desk.spellings(item, value), rows.get(item, said)):
                return item
        return ""

    def rows(self, said: str) -> dict[str, str]:
        """What a summary says of each item: the line that begins with its label, and what follows,
        up to the next such line. An item without such a line is not in it."""
        lines = said.splitlines()
        named = [self._labelled(line) for line in lines]
        return {
            item: "\n".join((_value_in(lines[at]), *_until_named(lines, named, at + 1)))
            for at, item in enumerate(named)
            if item
        }

    def _labelled(self, line: str) -> str:
        """The item whose label a line begins with."""
        label, colon, _ = line.partition(":")
        return self.labels.get(label.strip(_MARKS).casefold(), "") if colon else ""

    async def _change(self, item: str, value: Any) -> Does:
        kept = await self._kept(item, value)
        self.intent[item] = self.given[item] = kept
        words = await self.desk.typed(item, kept)
        text = self._of(CHANGE).format(label=self.texts.label(item), value=words)
        return Does(text, {item: kept}, corrects=True)

    # What is asked

    def _asked(self, said: str) -> Iterator[str]:
        """The items that the bot asks for, in the order in which they are named."""
        asking = (" ".join(_QUESTION.findall(said)) or said).casefold()
        items = [one for one in self.desk.kind.manifest.items if self._belongs(one.name)]
        scored = [(self._score(one, asking), one.name) for one in items]
        best = max((score for score, _ in scored), default=0.0)
        named = [name for score, name in scored if score == best]
        # Several are asked for only where each is asked in its own words.
        if best >= _ENOUGH:
            yield from named if best > 1 else named[:1]

    def _score(self, item: Item, asking: str) -> float:
        """How much of an item's question, or of its label, stands in what was asked."""
        asked = self.texts.of(item.name, "ask").casefold()
        if asked and asked.rstrip("?¿ ") in asking:
            return 2.0
        label = self.texts.label(item.name).casefold()
        if re.search(rf"\b{re.escape(label)}\b", asking):
            return 0.9
        words = set(_WORD.findall(asked))
        return len(words & set(_WORD.findall(asking))) / len(words) if words else 0.0

    def _belongs(self, name: str) -> bool:
        truths = planner.belonging(self.desk.kind.manifest, self.desk.draft)
        return truths[name] is not planner.Truth.NO

    async def _answer(self, asked: list[str]) -> Does | None:
        self.answers = self.answers + 1 if asked[0] == self.asked_last else 1
        self.asked_last = asked[0]
        if self.answers > NO_IDEA:
            self.idle = PATIENCE
            return None
        if self.answers > STUBBORN:
            self.intent[asked[0]] = await self.desk.sample(asked[0])
        gives = {name: await self._wanted(name) for name in asked}
        self.given.update(gives)
        texts = {name: await self._worded(name, value) for name, value in gives.items()}
        if len(texts) == 1:
            return Does(next(iter(texts.values())), gives)
        lines = [f"{self.texts.label(name)}: {text}" for name, text in texts.items()]
        return Does("\n".join(lines), gives)

    async def _says(self, name: str, words: str) -> Does:
        """What the scenario has them say: an aside where it asks something, else their answer."""
        if _ASKS.search(words):
            return Does(words)
        self.given[name] = await self._wanted(name)
        return Does(words, {name: self.given[name]})

    async def _worded(self, name: str, value: Any) -> str:
        return self._of(NONE) if value is None else await self.desk.typed(name, value)

    async def _wanted(self, name: str) -> Any:
        if name not in self.intent:
            optional = not self.desk.kind.manifest.item(name).required
            self.intent[name] = None if optional else await self.desk.sample(name)
        return await self._kept(name, self.intent[name])

    async def _kept(self, name: str, value: Any) -> Any:
        """A value as it is kept, where the scenario names it shorter."""
        kind = self.desk.kind.manifest.item(name).value
        if kind is Kind.RECORD and isinstance(value, str):
            return await self.desk.read(name, value) or value
        if kind is Kind.UPLOAD and value is not None:
            named = value if isinstance(value, str) else value.get("name", "photo.jpg")
            return await self.desk.read(name, named)
        if kind is Kind.PERSON and value is not None:
            # Nobody is picked where all is text: what is typed of them is all that is known.
            said = value if isinstance(value, str) else await self.desk.typed(name, value)
            return await self.desk.read(name, said) or value
        return value

    def _entry_at(self, name: str) -> Any:
        """The scenario's next entry for this moment, once."""
        for entry in self.entries:
            if entry.at == name:
                self.entries.remove(entry)
                return entry
        return None

    def _of(self, said: dict[str, str]) -> str:
        return said.get(self.locale, said["en"])


def _value_in(line: str) -> str:
    return line.partition(":")[2].strip(" *_")


def _until_named(lines: list[str], named: list[str], start: int) -> Iterator[str]:
    """The lines of one row, but for the paragraph that comes after all rows."""
    for line, name in zip(lines[start:], named[start:], strict=True):
        if name or not line.strip():
            return
        yield line
