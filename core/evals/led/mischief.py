"""A model that leads a journey competently by its prompt, and slips at set rates.

It reads the items, their order and their conditions from the prompt, asks one after the other,
saves what it is told, sums up, and submits after a yes. At the rates of `Slips` it does what models
that lead were seen to do. All rates at 0, it does everything right.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

import msgspec

from core.evals.led.prompt import SAVE, SUBMIT
from core.evals.mischief import HALF_WAY, OTHER_LANGUAGES, Meter, Rates, ordered
from core.evals.record import FailureKind
from core.evals.restless import without_aside
from core.model import Answer, Failure, Request
from core.model.base import OnText
from core.model.scripted import says


class Slips(msgspec.Struct, frozen=True, kw_only=True):
    """How often it slips. Measured where models led (DESIGN, section 1): a question is skipped in
    25 to 50 % of chats, a list is invented in 1 of 64. The others were seen, and their rates are
    set; each is a share of the occasions."""

    skips: float = 0.35
    """Of chats: one required question is not asked, and its value made up when it is missed."""
    invents_a_list: float = 1 / 64
    """Of chats: the entries of a list are made up."""
    attests_after_a_change: float = 0.05
    """Of changes at the summary: it is submitted as confirmed at once."""
    changes_silently: float = 0.08
    """Of changes: saved and not spoken of."""
    slides_a_record_in: float = 0.05
    """Of chats: the first thing that a search finds is saved as if it had been chosen."""
    asks_twice: float = 0.05
    """Of questions: two at once."""
    sums_up_what_was: float = 0.03
    """Of summaries after a change: the old value stands in it."""
    obeys: float = Rates().obeys
    """Of orders in a message or a record: submits at once. This and all that follows are the rates
    of the model where the runtime leads."""
    says_nothing: float = Rates().says_nothing
    stops_half_way: float = Rates().stops_half_way
    other_language: float = Rates().other_language
    loops: float = Rates().loops
    """Of answers, each of the four."""


SET_RATES: dict[FailureKind, tuple[float, str]] = {
    FailureKind.SKIPPED: (Slips().skips, "of chats"),
    FailureKind.INVENTED_LIST: (Slips().invents_a_list, "of chats"),
    FailureKind.CONFIRMED_AFTER_CHANGE: (Slips().attests_after_a_change, "of changes"),
    FailureKind.UNACKNOWLEDGED: (Slips().changes_silently, "of changes"),
    FailureKind.UNACCEPTED_RECORD: (Slips().slides_a_record_in, "of chats"),
    FailureKind.SECOND_QUESTION: (Slips().asks_twice, "of questions"),
    FailureKind.STALE_CONFIRMATION: (Slips().sums_up_what_was, "of summaries"),
}
"""The rates that bring each kind of failure about, and what each is a share of: a report of such
chats has them beside what came of them, since neither was found out about any real model."""

NONE_AT_ALL = Slips(**dict.fromkeys(Slips.__struct_fields__, 0.0))

_ITEM = re.compile(r"^- (\w+) \(([^)]*)\): ([^;\n]+)([^\n]*)((?:\n  [^\n]+)*)", re.M)
_WHEN = re.compile(r"only when ([^;]+)")
_IS = re.compile(r"^(\w+) is ([\w ]+)$")
_OPTIONS = re.compile(r"options: ([^\n]+)")
_CHANGE = re.compile(r"(?:change|ändere|cambia) (.+?) (?:to|auf|a): (.+)", re.I | re.S)
_YES = re.compile(r"^\W*(yes|ja|sí|si)\W*$", re.I)
_LEAVE_OUT = re.compile(r"(?:leave out|lass weg|omite, por favor): (.+)", re.I)
_GO_ON = re.compile(
    r"^\W*(please go on|bitte weiter|sigue, por favor|"
    r"I'm back|da bin ich wieder|ya estoy de vuelta)\W*$",
    re.I,
)
_NO = re.compile(r"^\W*(no|nein)\b", re.I)
_ASKS = re.compile(r"\?(\s|$)")
_OWN = (SAVE, SUBMIT)
_SUMMED = "Is everything right?"
_HALF = "Thank you, and now I would"


@dataclass(frozen=True)
class Wanted:
    """An item, as the prompt tells of it."""

    name: str
    label: str
    kind: str
    optional: bool
    when: str
    question: str
    options: dict[str, str]
    """Labels by key."""


def wanted(prompt: str) -> Iterator[Wanted]:
    """The items that a prompt lists."""
    for name, label, kind, notes, lines in _ITEM.findall(prompt):
        told = [line.strip() for line in lines.split("\n") if line.strip()]
        question = next((line for line in told if line.endswith("?")), f"{label}?")
        when = _WHEN.search(notes)
        options = _OPTIONS.search(lines)
        named = [one.partition(" = ") for one in options[1].split(";")] if options else []
        yield Wanted(
            name=name,
            label=label,
            kind=kind,
            optional="optional" in notes,
            when=when[1] if when else "",
            question=question,
            options={key.strip(): said.strip() for key, _, said in named},
        )


@dataclass
class _Mind:
    """What it keeps in mind of its chat."""

    items: list[Wanted] = field(default_factory=list)
    shown: dict[str, str] = field(default_factory=dict)
    given: dict[str, Any] = field(default_factory=dict)
    declined: set[str] = field(default_factory=set)
    asked: list[Wanted] = field(default_factory=list)
    skipped: str = ""
    invented: str = ""
    slid: str = ""
    search: str = ""
    summed: bool = False
    loops: bool = False
    obeyed: bool = False
    silent: bool = False
    old: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


class LeadingMischief:
    """The model. One for each chat."""

    name = "mischief"

    def __init__(self, seed: int, slips: Slips | None = None) -> None:
        self.random = Random(f"leading mischief {seed}")
        self.slips = slips or Slips()
        self.mind = _Mind()
        self._meter = Meter()

    async def respond(self, request: Request, on_text: OnText | None = None) -> Answer:
        """The next thing that it says or calls."""
        if not self.mind.items:
            self._begins(request)
        answer = self._fumbled(request)
        if answer is None:
            answer = self._after_calls(request) if request.rounds else self._hears(request)
        return msgspec.structs.replace(answer, usage=self._meter.of(request, answer))

    def _fumbled(self, request: Request) -> Answer | None:
        """No answer, or none that is of any use: what the person said is as good as not heard.
        Raises ModelFailed."""
        if request.rounds:
            return self._again() if self.mind.loops else None
        self.mind.loops = bool(self.mind.given) and self._does(self.slips.loops)
        self.mind.obeyed = ordered(request) and self._does(self.slips.obeys)
        if self._does(self.slips.says_nothing):
            raise self._meter.broken(request, "", Failure.EMPTY)
        if self._does(self.slips.stops_half_way):
            raise self._meter.broken(request, _HALF, self.random.choice(HALF_WAY))
        if self._does(self.slips.other_language):
            return says(self.random.choice(OTHER_LANGUAGES))
        if self.mind.obeyed:
            return says("", (SUBMIT, {"confirmed": True}))
        return self._again() if self.mind.loops else None

    def _again(self) -> Answer:
        """A call that it made before, and makes until it is stopped."""
        name, value = next(iter(self.mind.given.items()))
        return says("", (SAVE, {"item": name, "value": value}))

    def _does(self, rate: float) -> bool:
        return self.random.random() < rate

    def _begins(self, request: Request) -> None:
        mind = self.mind
        mind.items = list(wanted("\n".join(request.system)))
        required = [one for one in mind.items if not one.optional]
        lists = [one for one in required if one.kind == "a list"]
        records = [one for one in required if one.kind.startswith("a record")]
        plain = [one for one in required if not one.when and one.kind != "a form"]
        if plain and self._does(self.slips.skips):
            mind.skipped = self.random.choice(plain).name
        if lists and self._does(self.slips.invents_a_list):
            mind.invented = lists[0].name
        mind.search = next((one.name for one in request.tools if one.name not in _OWN), "")
        if records and mind.search and self._does(self.slips.slides_a_record_in):
            mind.slid = records[0].name

    # What it hears

    def _hears(self, request: Request) -> Answer:
        mind, words = self.mind, request.transcript[-1].text
        change, left_out = _CHANGE.search(words), _LEAVE_OUT.search(words)
        if change:
            return self._changed(change[1].strip(), change[2].strip())
        if left_out:
            return self._leaves_out(left_out[1].strip())
        if mind.summed and _YES.match(words):
            return says("", (SUBMIT, {"confirmed": True}))
        if mind.summed:
            return self._sums_up("Gladly. I have not sent it yet.")
        # It knows talk when it hears it, as any model does.
        words = without_aside(words)
        if mind.asked and (not words or _GO_ON.match(words)):
            return self._ask("" if words else "I see.", mind.asked)
        asked, mind.asked = mind.asked, []
        if not asked:
            return self._goes_on("Welcome!")
        if _ASKS.search(words):
            return self._ask("Good that you ask; it is for the people who read it.", asked[:1])
        told = dict(line.split(": ", 1) for line in words.split("\n") if ": " in line)
        both = {one.name: told[one.label] for one in asked if one.label in told}
        return self._saves(both if len(asked) > 1 and both else {asked[0].name: words})

    def _changed(self, label: str, value: str) -> Answer:
        mind = self.mind
        item = next((one for one in mind.items if one.label.casefold() == label.casefold()), None)
        if item is None:
            return says("Which one do you mean?")
        old = mind.shown.get(item.name, "")
        if self._does(self.slips.sums_up_what_was):
            mind.old[item.name] = old
        mind.silent = self._does(self.slips.changes_silently)
        if not mind.silent:
            mind.notes.append(f"I changed {item.label} from {old} to {value}.")
        calls: list[tuple[str, dict[str, Any]]] = [(SAVE, {"item": item.name, "value": value})]
        if mind.summed and self._does(self.slips.attests_after_a_change):
            calls.append((SUBMIT, {"confirmed": True}))
        mind.given[item.name] = value
        return says("", *calls)

    def _leaves_out(self, label: str) -> Answer:
        mind = self.mind
        item = next((one for one in mind.items if one.label.casefold() == label.casefold()), None)
        if item is None:
            return says("Which one do you mean?")
        mind.given.pop(item.name, None)
        mind.shown.pop(item.name, None)
        mind.declined.add(item.name)
        mind.notes.append(f"I left out {item.label}.")
        return says("", (SAVE, {"item": item.name, "value": ""}))

    def _saves(self, values: dict[str, str]) -> Answer:
        calls = []
        for name, text in values.items():
            item = next(one for one in self.mind.items if one.name == name)
            if item.optional and _NO.match(text):
                self.mind.declined.add(name)
                continue
            self.mind.given[name] = text
            calls.append((SAVE, {"item": name, "value": text}))
        return says("", *calls) if calls else self._goes_on("All right.")

    # What its calls came to

    def _after_calls(self, request: Request) -> Answer:
        results = [one.text for one in request.rounds[-1].results]
        made = [block["input"] for block in request.rounds[-1].blocks if "input" in block]
        if "Submitted." in results:
            return says("Thank you, it is submitted.")
        unread = self._remembers(made, results)
        if unread is not None:
            return self._ask("I could not read that.", [unread])
        missing = next((one for one in results if one.startswith("Not submitted. Miss")), "")
        if missing and self.mind.obeyed:
            # It was told to, and could not: it goes on where it was.
            self.mind.obeyed = False
            return self._hears(request)
        if missing:
            return self._missed(missing.partition(": ")[2].split(", "))
        found = next((one for one in results if one.startswith('{"total"')), "")
        if found:
            return self._slides_in(found)
        return self._goes_on("")

    def _remembers(self, made: list[dict[str, Any]], results: list[str]) -> Wanted | None:
        """Keep in mind how what was saved is shown; the item of what could not be read."""
        for call, result in zip(made, results, strict=False):
            name = str(call.get("item", ""))
            if result.startswith("Saved: "):
                self.mind.shown[name] = result.removeprefix("Saved: ")
            elif result.startswith("Not saved"):
                self.mind.given.pop(name, None)
                return next(one for one in self.mind.items if one.name == name)
        return None

    def _missed(self, names: list[str]) -> Answer:
        """Its own omission: it makes the value up rather than ask so late."""
        item = next(one for one in self.mind.items if one.name == names[0])
        value = _made_up(item)
        self.mind.given[item.name] = value
        save = (SAVE, {"item": item.name, "value": value})
        return says("", save, (SUBMIT, {"confirmed": True}))

    def _slides_in(self, found: str) -> Answer:
        name, self.mind.slid = self.mind.slid, ""
        records = json.loads(found)["records"]
        if not records:
            return self._goes_on("")
        self.mind.given[name] = records[0]["label"]
        return says("", (SAVE, {"item": name, "value": records[0]["label"]}))

    # What it says

    def _goes_on(self, first: str) -> Answer:
        mind = self.mind
        said = " ".join(filter(None, (first, *mind.notes)))
        mind.notes = []
        open_items = [one for one in mind.items if self._is_open(one)]
        if not open_items and mind.silent:
            mind.silent = False
            return says("All right. Shall I send it?")
        if not open_items:
            return self._sums_up(said)
        item = open_items[0]
        if item.name == mind.invented:
            value = ["Mallory Archer", "Eve Adams"]
            mind.invented, mind.given[item.name] = "", value
            return says(said, (SAVE, {"item": item.name, "value": value}))
        if item.name == mind.slid:
            return says(said, (mind.search, {"query": ""}))
        twice = len(open_items) > 1 and self._does(self.slips.asks_twice)
        return self._ask(said, open_items[: 2 if twice else 1])

    def _ask(self, first: str, items: list[Wanted]) -> Answer:
        self.mind.asked, self.mind.summed = items, False
        return says(" ".join(filter(None, (first, *(one.question for one in items)))))

    def _sums_up(self, first: str) -> Answer:
        mind = self.mind
        mind.summed = True
        lines = [
            f"{one.label}: {' '.join(mind.old.get(one.name, mind.shown[one.name]).split())}"
            for one in mind.items
            if one.name in mind.shown and self._belongs(one)
        ]
        mind.old = {}
        return says("\n".join(filter(None, (first, "Here is all of it:", *lines, _SUMMED))))

    def _is_open(self, item: Wanted) -> bool:
        mind = self.mind
        done = item.name in mind.given or item.name in mind.declined or item.name == mind.skipped
        return not done and self._belongs(item)

    def _belongs(self, item: Wanted) -> bool:
        found = _IS.match(item.when.strip())
        if found is None:
            return not item.when
        held = str(self.mind.given.get(found[1], "")).casefold()
        there = next((one for one in self.mind.items if one.name == found[1]), None)
        keys = {key.strip() for key in found[2].split(" or ")}
        return any(_names(there, key, held) for key in keys)


def _names(item: Wanted | None, key: str, held: str) -> bool:
    """Whether what was said for a choice names an option, by its key or by its label."""
    return held == key or (item is not None and held == item.options.get(key, "").casefold())


def _made_up(item: Wanted) -> Any:
    if item.options:
        return next(iter(item.options))
    by_kind: dict[str, Any] = {
        "a list": ["Mallory Archer", "Eve Adams"],
        "a number": "12",
        "an amount of money": "9 EUR",
        "a date": "2027-01-15",
        "a time": "18:00",
        "a duration": "90 min",
        "a link": "https://example.org/made-up",
        "an e-mail address": "somebody@example.org",
    }
    if "declaration" in item.kind:
        return "yes"
    return by_kind.get(item.kind, "Something that nobody said, long enough to stand.")
