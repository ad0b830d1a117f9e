"""A model that does on purpose, at set rates, everything that models were seen to do.

It knows no journey: the items and the tools are read from the request, as a real model would. All
that it draws comes from its seed, so a chat plays again. What it costs is estimated, four bytes a
token, with what repeats of the request before counted as read from a cache.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from random import Random
from typing import Any

import msgspec

from core.model import Answer, Failure, ModelFailed, Request, Usage
from core.model.base import OnText, ToolSpec, tokens_of
from core.model.scripted import says
from core.model.tools import OPEN, RECORD, SUGGEST

INVENTED = ("Mallory", "Eve", "9999", "Pirate Feast", "A night of stolen recipes and rum.")
"""Values that nobody but such a model ever brings up."""

QUESTIONS = (
    "What time should it start?",
    "Is that right?",
    "And which day?",
    "¿Qué día prefieres?",
    "Wie viele Plätze?",
    "Shall I send it?",
)
NAMED_QUESTIONS = ("And what about the {item}?", "What is the {item}?", "{item}: which one?")
"""Questions for an item by its name; in any journey they are about something that it asks."""

STATEMENTS = (
    "Parking is free.",
    "Great choice!",
    "The house is old. It has two doors, a fire place and a garden.",
    "Good to know.",
    "Most people bring their own cup.",
)
CLAIMS = (
    "All set, I have confirmed and submitted it for you.",
    "I've recorded that and sent it off.",
    "Your confirmation has been saved.",
)
NOTHING_MISSING = (
    "That is all I need.",
    "We can leave the rest out.",
    "Nothing else is missing, you are done.",
)
OTHER_LANGUAGES = (
    "Natürlich, das mache ich gern.",
    "はい、わかりました。",
    "Конечно, сейчас сделаю.",
)
PLAUSIBLE = (
    "2027-01-15",
    "19:30",
    "90 min",
    "25",
    "12 EUR",
    "yes",
    "https://example.org/made-up",
    "mallory@example.org",
    "Old Mill",
    "We cook old recipes together and tell where they come from, with tea.",
)
"""Values that a step may well take, whoever says them."""

ORDERS = re.compile(
    r"ignore (all|any|previous|your)|vergiss alle|olvida las reglas|(just|and) submit|"
    r"submit (it )?at once|schick es einfach ab|envíalo ya",
    re.IGNORECASE,
)
"""What reads like an order to a model, in a person's text or in a record."""


class Rates(msgspec.Struct, frozen=True, kw_only=True):
    """How often it does what, each a share of its answers. Where a failure was measured in chats
    that a model led (DESIGN: a question skipped in 25 to 50 % of chats, an invented list in 1 of
    64), this is more, since here it may be caught only where it happens."""

    skips: float = 0.10
    """Says that nothing is missing."""
    asks: float = 0.30
    asks_twice: float = 0.12
    invents: float = 0.15
    suggests_invented: float = 0.15
    attests: float = 0.10
    contradicts: float = 0.15
    changes_silently: float = 0.10
    misquotes: float = 0.12
    hides_a_record: float = 0.08
    obeys: float = 0.60
    other_language: float = 0.05
    says_nothing: float = 0.05
    stops_half_way: float = 0.06
    loops: float = 0.03


Made = tuple[str, dict[str, Any]]


class Mischief:
    """The model. One for each chat."""

    name = "mischief"

    def __init__(self, seed: int, rates: Rates | None = None) -> None:
        self.random = Random(f"mischief {seed}")
        self.rates = rates or Rates()
        self._loops = False
        self._meter = Meter()

    async def respond(self, request: Request, on_text: OnText | None = None) -> Answer:
        """Anything at all."""
        if not request.rounds:
            self._loops = self._does(self.rates.loops)
        answer = self._answer(request)
        if self._does(self.rates.stops_half_way):
            half = answer.text[: len(answer.text) // 2]
            await _told(half, on_text)
            raise self._meter.broken(request, half, self.random.choice(HALF_WAY))
        if not answer.text and not answer.calls and not request.rounds:
            raise self._meter.broken(request, "", Failure.EMPTY)
        await _told(answer.text, on_text)
        return msgspec.structs.replace(answer, usage=self._meter.of(request, answer))

    def _does(self, rate: float) -> bool:
        return self.random.random() < rate

    def _answer(self, request: Request) -> Answer:
        offered = Offered.of(request.tools)
        if self._loops:
            return says("", (OPEN, {"item": self.random.choice(offered.items)}))
        calls = list(self._calls(request, offered)) if len(request.rounds) < 2 else []
        return says(self._text(request, offered), *calls)

    # What it says

    def _text(self, request: Request, offered: Offered) -> str:
        if self._does(self.rates.says_nothing):
            return ""
        if self._does(self.rates.other_language):
            return self.random.choice(OTHER_LANGUAGES)
        parts = [self.random.choice(STATEMENTS)]
        if self._does(self.rates.attests):
            parts.append(self.random.choice(CLAIMS))
        if self._does(self.rates.hides_a_record) and request.rounds:
            parts.append(f"I've put {_label_in(request)} down as your choice.")
        if self._does(self.rates.skips):
            parts.append(self.random.choice(NOTHING_MISSING))
        if self._does(self.rates.asks):
            parts.append(self.random.choice((*QUESTIONS, *self._named(offered))))
        if self._does(self.rates.asks_twice):
            parts += self.random.sample((*QUESTIONS, *self._named(offered)), 2)
        return " ".join(parts)

    def _named(self, offered: Offered) -> list[str]:
        item = self.random.choice(offered.items).replace("_", " ")
        return [question.format(item=item) for question in NAMED_QUESTIONS]

    # What it calls

    def _calls(self, request: Request, offered: Offered) -> Iterator[Made]:
        rates, words = self.rates, _last_words(request)
        if ordered(request) and self._does(rates.obeys):
            yield self.random.choice([("submit", {}), ("confirm", {"confirmed": True})])
        acts: tuple[tuple[float, Callable[[], Made | None]], ...] = (
            (rates.invents, lambda: self._record(offered, self._invented(request))),
            (rates.suggests_invented, lambda: self._suggest(offered, request)),
            (rates.attests, lambda: ("confirm", {"confirmed": True})),
            (rates.contradicts, lambda: self._contradict(offered)),
            (rates.changes_silently, lambda: self._record(offered, self._piece(words))),
            (rates.misquotes, lambda: self._misquote(offered, request)),
            (rates.hides_a_record, lambda: self._search(offered)),
        )
        for rate, act in acts:
            if self._does(rate):
                made = act()
                if made is not None:
                    yield made

    def _invented(self, request: Request) -> Any:
        """Odd values, values that would be quite possible, and lists; each sort as often."""
        odd: list[Any] = [*INVENTED, "true", None, 7]
        lists: list[Any] = [["Mallory", "Eve"], ["Mallory"]]
        possible: list[Any] = [*PLAUSIBLE, *options_in(request.system)]
        return self.random.choice(self.random.choice([odd, possible, lists]))

    def _piece(self, words: str) -> str:
        """Some words of the person's own, taken out of what they stand in."""
        found = words.split()
        start = self.random.randrange(len(found)) if found else 0
        return " ".join(found[start : start + 3])

    def _record(self, offered: Offered, value: Any) -> Made | None:
        if not offered.talk:
            return None
        item = self.random.choice(offered.talk)
        return RECORD, {"item": item, "value": value, "quote": str(value)}

    def _misquote(self, offered: Offered, request: Request) -> Made | None:
        made = self._record(offered, self._invented(request))
        if made is None:
            return None
        quotes = ("yes", "what nobody ever said", "", "I would like that")
        return RECORD, {**made[1], "quote": self.random.choice(quotes)}

    def _suggest(self, offered: Offered, request: Request) -> Made | None:
        if not offered.suggested:
            return None
        item, value = self.random.choice(offered.suggested), self._invented(request)
        return self.random.choice([SUGGEST, OPEN]), {"item": item, "value": value}

    def _contradict(self, offered: Offered) -> Made | None:
        """A tool of the journey's, with arguments that nobody settled."""
        if not offered.domain:
            return None
        tool = self.random.choice(offered.domain)
        values = {"integer": 9999, "number": 0.5, "boolean": False, "string": "Nowhere"}
        properties = tool.schema["properties"]
        return tool.name, {name: values.get(one["type"]) for name, one in properties.items()}

    def _search(self, offered: Offered) -> Made | None:
        if not offered.domain:
            return None
        words = self.random.choice(["", "old", "hall", "berlin", "nowhere at all"])
        return self.random.choice(offered.domain).name, {"query": words}


class Offered(msgspec.Struct, frozen=True):
    """What a request's tools can be used for."""

    items: tuple[str, ...]
    talk: tuple[str, ...]
    suggested: tuple[str, ...]
    domain: tuple[ToolSpec, ...]

    @classmethod
    def of(cls, tools: tuple[ToolSpec, ...]) -> Offered:
        """Read from the tools' schemas."""
        named = {tool.name: _items(tool) for tool in tools if tool.name in (RECORD, SUGGEST, OPEN)}
        return cls(
            items=named.get(OPEN, ()),
            talk=named.get(RECORD, ()),
            suggested=named.get(SUGGEST, ()),
            domain=tuple(tool for tool in tools if tool.name not in named),
        )


def _items(tool: ToolSpec) -> tuple[str, ...]:
    return tuple(tool.schema["properties"]["item"]["enum"])


def _last_words(request: Request) -> str:
    said = [turn.text for turn in request.transcript if turn.role == "person"]
    return said[-1] if said else ""


def ordered(request: Request) -> bool:
    """Whether the newest message, or what a tool brought, reads like an order."""
    read = (_last_words(request), *_results(request))
    return any(ORDERS.search(text) for text in read)


def _results(request: Request) -> Iterator[str]:
    return (one.text for round_ in request.rounds for one in round_.results)


_OPTIONS = re.compile(r"^  options: (.+)$", re.MULTILINE)


@lru_cache(maxsize=64)
def options_in(system: tuple[str, ...]) -> tuple[str, ...]:
    """The options that a prompt lists, by their keys."""
    lines = _OPTIONS.findall("\n".join(system))
    return tuple(one.partition(" = ")[0].strip() for line in lines for one in line.split(";"))


_LABEL = re.compile(r'"label": "([^"]+)"')


def _label_in(request: Request) -> str:
    found = [match for text in _results(request) for match in _LABEL.findall(text)]
    return found[0] if found else "it"


async def _told(text: str, on_text: OnText | None) -> None:
    if on_text is not None and text:
        await on_text(text)


# What it costs


HALF_WAY = (Failure.BROKEN, Failure.SERVICE, Failure.CUT)
"""How an answer stops half-way. Of these, a service that fails charges nothing."""


class Meter:
    """Estimates what requests of one chat cost. The fixed start of them is in a cache from the
    second on, and so is the transcript of the request before. A request that is not charged never
    reached a cache."""

    def __init__(self) -> None:
        self._cached = 0

    def broken(self, request: Request, text: str, kind: Failure) -> ModelFailed:
        """An answer that came only this far, with what it cost."""
        if kind is Failure.SERVICE:
            return ModelFailed(kind)
        return ModelFailed(kind, usage=self.of(request, says(text)))

    def of(self, request: Request, answer: Answer) -> Usage:
        """The tokens of a request and its answer."""
        fixed = _fixed(request.system, request.tools)
        said = sum(len(turn.text.encode("utf-8", "replace")) for turn in request.transcript)
        rest = len(request.tail.encode("utf-8", "replace"))
        rest += sum(len(text) for text in _results(request))
        rest += sum(len(str(block)) for round_ in request.rounds for block in round_.blocks)
        start = fixed + said
        read, self._cached = min(self._cached, start), start
        written = len(answer.text) + sum(40 + len(str(call.arguments)) for call in answer.calls)
        return Usage(
            input=tokens_of(rest),
            output=tokens_of(written),
            cache_read=tokens_of(read),
            cache_creation=tokens_of(start - read),
        )


@lru_cache(maxsize=64)
def _fixed_of(system: tuple[str, ...], names: tuple[str, ...], size: int) -> int:
    return sum(len(text.encode()) for text in system) + size


def _fixed(system: tuple[str, ...], tools: tuple[ToolSpec, ...]) -> int:
    size = sum(len(tool.description) + 60 * len(tool.schema["properties"]) for tool in tools)
    return _fixed_of(system, tuple(tool.name for tool in tools), size)
