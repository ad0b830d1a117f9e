"""A person who talks with a model that leads: they read what it asks, and answer with what they
have in mind, in their own words.

What is asked is found in the bot's text by what items are called there: their labels, and the
words of their questions. A person is no parser, but neither do they need more than that. They are
as restless, and read a summary as carefully, as where the runtime leads.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from core.evals import owing
from core.evals.asking import questions
from core.evals.led.desk import Desk
from core.evals.player import PATIENCE, STUBBORN
from core.evals.proofreading import CORRECTIONS, InMind, Patience, in_mind, wrong
from core.evals.referee import stands_in
from core.evals.restless import BACK, Restless, Whim, is_yes
from core.evals.scenario import Entry, Scenario
from core.evals.telling import Means
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
LEAVE_OUT = {
    "en": "Please leave out: {label}",
    "de": "Bitte lass weg: {label}",
    "es": "Omite, por favor: {label}",
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
_WORD = re.compile(r"\w{3,}")
_ASKS = re.compile(r"\?(\s|$)")
_ENOUGH = 0.6

IDLE = 4
"""Messages in a row without anything to answer after which the person gives up."""


@dataclass
class Does:
    """What the person does now: the text, and what they mean by it."""

    text: str
    means: Means = field(default_factory=Means)


class GivesUp(Exception):
    """The person cannot get on; the text says why."""


class Person:
    """The person of a scenario. `intent` is what they have in mind, `given` what they gave."""

    def __init__(self, scenario: Scenario, desk: Desk, restless: Restless | None = None) -> None:
        self.scenario, self.desk, self.restless = scenario, desk, restless
        self.locale = language_of(scenario.person.locale)
        self.texts: Texts = desk.kind.speak(scenario.person.locale)
        names = [one.name for one in desk.kind.manifest.items]
        self.labels = {self.texts.label(name).casefold(): name for name in names}
        self.intent: dict[str, Any] = dict(scenario.answers)
        self.given: dict[str, Any] = {}
        self.entries = [one for one in scenario.script if one.say is not None or one.change]
        self.patience = Patience()
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

    async def reads(self, said: str) -> Does:
        """What they do about what the bot said. Raises GivesUp."""
        does = await self._does(said)
        self.idle = self.idle + 1 if does is None else 0
        if self.idle > IDLE:
            raise GivesUp(f"nothing was asked in {IDLE} messages")
        if does is None:
            does = self.last if said == SORRY else self._nods(said)
        self.last = does
        self.given.update(does.means.gives)
        return does

    def _nods(self, said: str) -> Does:
        """What they say where nothing is asked for: that it may be sent, or that it goes on."""
        if self.given and any(map(_CONFIRMS.search, questions(said))):
            return self._yes()
        return Does(self._of(GO_ON))

    def _yes(self) -> Does:
        return Does(self._of(YES), Means(says_yes=True))

    async def _does(self, said: str) -> Does | None:
        at_summary = self.is_summary(said)
        asked = [] if at_summary or said == SORRY else self.asked(said)
        if at_summary or asked:
            whim = await self._whim(said, asked)
            if whim is not None:
                return whim
        if at_summary:
            return await self._at_summary(said)
        if not asked:
            return None
        entry = self._entry_at(asked[0])
        while entry is not None:
            told = await self._tells(asked[0], entry)
            if told is not None:
                return told
            entry = self._entry_at(asked[0])
        return await self._answer(asked)

    async def _tells(self, asked: str, entry: Entry) -> Does | None:
        """What the scenario has them say here. What they take back of what they gave is a change;
        what they give in passing is said when it is asked for."""
        self.intent.update(entry.gives)
        for item, value in entry.gives.items():
            if item in self.given and item != asked and self.given[item] != value:
                return await self._change(item, value)
        return None if entry.gives else await self._says(asked, entry.say or "")

    # Whims

    async def _whim(self, said: str, asked: list[str]) -> Does | None:
        """What they do instead, as a restless person; old cards and strangers have nothing to tap
        here."""
        if self.restless is None:
            return None
        item = self.desk.kind.manifest.item(asked[0]) if asked else None
        match self.restless.whim(at_summary=not asked):
            case Whim.ASIDE:
                return Does(self.restless.aside(asked=item))
            case Whim.ANSWER_AND_MORE:
                return await self._answer_and_more(said, asked)
            case Whim.COMES_BACK:
                return Does(self._of(BACK))
            case Whim.WAVERS:
                shown = self.rows(said)
                change = self.restless.change(self.desk.kind.manifest, shown, self.intent)
                return await self._change(*change) if change is not None else None
        return None

    async def _answer_and_more(self, said: str, asked: list[str]) -> Does:
        """The answer, and more in the same message; at a summary, what one of its lines is."""
        assert self.restless is not None
        if not asked:
            rows = list(self.rows(said))
            label = self.texts.label(self.restless.random.choice(rows)) if rows else ""
            return Does(self.restless.aside(label))
        item, value = self.desk.kind.manifest.item(asked[0]), await self._wanted(asked[0])
        if value is None or item.value is Kind.UPLOAD:
            return Does(self.restless.aside())
        typed = await self.desk.typed(asked[0], value)
        aside = self.restless.aside(typed, asked=item)
        return Does(aside, Means(gives={asked[0]: value}))

    # At the summary

    def is_summary(self, said: str) -> bool:
        """Whether a text sums up what was given, and asks whether it is right."""
        lines = [line for line in said.splitlines() if ":" in line]
        return len(lines) >= min(4, max(2, len(self.given))) and bool(_CONFIRMS.search(said))

    async def _at_summary(self, said: str) -> Does:
        entry = self._entry_at("summary")
        if entry is not None and (entry.change or entry.gives):
            item, value = next(iter((entry.change or entry.gives).items()))
            return await self._change(item, value)
        if entry is not None:
            text = entry.say or ""
            return Does(text, Means(says_yes=is_yes(text)))
        found = await self.wrong_on(said)
        if not found:
            return self._yes()
        if not self.patience.is_left(found[0]):
            raise GivesUp(f"{found[0]} was corrected {CORRECTIONS} times and is wrong again")
        self.patience.corrected(found[0])
        return await self._change(found[0], await self._wanted(found[0]))

    async def wrong_on(self, said: str) -> list[str]:
        """What is wrong on a summary."""
        rows = self.rows(said)
        known = {name for name in self.intent if name in rows or name in self.given}
        there = sorted(name for name in known if self._belongs(name))
        mind = {name: await self._in_mind(name) for name in there}
        given = [name for name in self.given if name in mind]
        shows = {name: shown for name, shown in rows.items() if self._belongs(name)}
        return wrong(shows, said, mind, given)

    async def _in_mind(self, name: str) -> InMind:
        value = await self._wanted(name)
        spelled = await self.desk.spellings(name, value)
        return in_mind(self.desk.kind.manifest.item(name), value, spelled, self.texts)

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
        self.intent[item] = kept
        label = self.texts.label(item)
        if kept is None:
            text = self._of(LEAVE_OUT).format(label=label)
        else:
            words = await self.desk.typed(item, kept)
            text = self._of(CHANGE).format(label=label, value=words)
        return Does(text, Means(gives={item: kept}))

    # What is asked

    def things(self, said: str, own: list[str]) -> int:
        """How many things a text asks for, but for what repeats the person's own words; that all is
        right and may be sent is one."""
        asked = questions(said, own)
        confirming = [one for one in asked if _CONFIRMS.search(one)]
        return len(asked) - len(confirming) + bool(confirming)

    def asked(self, said: str) -> list[str]:
        """The items that the bot asks for, in the order in which they are named."""
        asking = (" ".join(questions(said)) or said).casefold()
        items = [one for one in self.desk.kind.manifest.items if self._belongs(one.name)]
        scored = [(self._score(one, asking), one.name) for one in items]
        best = max((score for score, _ in scored), default=0.0)
        named = [name for score, name in scored if score == best]
        # Several are asked for only where each is asked in its own words.
        if best < _ENOUGH:
            return []
        return named if best > 1 else named[:1]

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
        there = owing.belonging(self.desk.kind.manifest, self.desk.draft.plain())
        return there[name] is not False

    async def _answer(self, asked: list[str]) -> Does:
        self.answers = self.answers + 1 if asked[0] == self.asked_last else 1
        self.asked_last = asked[0]
        if self.answers > STUBBORN:
            raise GivesUp(f"{asked[0]} was answered {STUBBORN} times and is asked again")
        if self.answers > PATIENCE:
            self.intent[asked[0]] = await self.desk.sample(asked[0])
        gives = {name: await self._wanted(name) for name in asked}
        texts = {name: await self._worded(name, value) for name, value in gives.items()}
        if len(texts) == 1:
            return Does(next(iter(texts.values())), Means(gives=gives))
        lines = [f"{self.texts.label(name)}: {text}" for name, text in texts.items()]
        return Does("\n".join(lines), Means(gives=gives))

    async def _says(self, name: str, words: str) -> Does | None:
        """What the scenario has them say: an aside where it asks something, else their answer. None
        for words that look for a record on a card: here there is none to choose from."""
        if _ASKS.search(words):
            return Does(words)
        gives = {name: await self._wanted(name)}
        is_record = self.desk.kind.manifest.item(name).value is Kind.RECORD
        if is_record and not stands_in(await self.desk.spellings(name, gives[name]), words):
            return None
        return Does(words, Means(gives=gives))

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

    def _entry_at(self, name: str) -> Entry | None:
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
    """The lines of one row, but for what comes after all rows: a paragraph, or the question."""
    for line, name in zip(lines[start:], named[start:], strict=True):
        if name or not line.strip() or any(map(_CONFIRMS.search, questions(line))):
            return
        yield line
