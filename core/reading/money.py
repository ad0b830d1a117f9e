"""Read a reply as an amount of money: "€20", "1.200,50 EUR", "twenty bucks please".

An amount without a currency is in the ask's own. A currency that is named is kept, also if it is
another one; a sign that several countries use is only suggested where nothing says which is meant.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import Any

from core.reading import currencies
from core.reading.answers import Reply, answer, choice, judge, reply, within
from core.reading.currencies import Codes
from core.reading.lexicon import lexicon
from core.reading.numerals import LITERAL, Numerals, decimal_mark, literal, numerals
from core.reading.patterns import Span, either, listed, spellings
from core.reading.result import Context, Reading, beside, invalid, suggested

_LONGEST_SIGN = 4


@dataclass(frozen=True)
class Amount:
    """An amount in a line: its place, what the number can mean, and the currencies it can be in."""

    start: int
    end: int
    values: tuple[Decimal, ...]
    named: Codes
    doubtful: bool = False

    @property
    def piece(self) -> Span:
        """Its place in the line."""
        return self.start, self.end


@dataclass(frozen=True)
class Grammar:
    """The money phrases of one language. `cents` are hundredths of whatever is meant."""

    numerals: Numerals
    words: Mapping[str, Codes]
    cents: Mapping[str, Codes]
    number: re.Pattern[str]
    behind: re.Pattern[str]
    small: re.Pattern[str]


@cache
def grammar(language: str) -> Grammar:
    """The money grammar of a language."""
    section = lexicon(language).sections.get("money") or {}
    given, words = numerals(language), currencies.words(language)
    cents = {
        spelled: tuple(codes or ())
        for codes, names in ((None, "cents"), (("GBP",), "pence"))
        for word in listed(section.get(names))
        for spelled in spellings(word)
    }
    joins = either(s for word in listed(section.get("joins")) for s in spellings(word))
    return Grammar(
        numerals=given,
        words=words,
        cents=cents,
        # A currency may touch its number ("20eur"), so what stands around is looked at later.
        number=re.compile(
            rf"(?<!\d)(?<!\d[.,:/\-])(?P<sign>-)?"
            rf"(?:(?P<digits>{LITERAL})(?P<scale>{given.scaled}(?!\w))?"
            rf"|(?<!\w)(?P<words>{given.words})(?!\w))(?![.,:/\-]?\d)"
        ),
        behind=re.compile(rf" ?(?P<name>{either([*words, *cents])}|[a-z]{{3}})(?!\w)(?:\.-)?"),
        # "5 euros 50", "5€50", "5 € and 50 cents"; "5 € 50" is no one amount.
        small=re.compile(
            rf"(?:(?<=[a-z]) |(?<=[^a-z ]))(?P<cents>\d\d)(?!\w)"
            rf"|(?: {joins})? (?P<spelled>\d\d?) ?{either(cents)}(?!\w)"
        ),
    )


def amounts(given: Reply) -> list[Amount]:
    """The amounts of a reply's line, from left to right."""
    known = grammar(given.words.language)
    found: list[Amount] = []
    for match in known.number.finditer(given.line.text):
        # The cents of the amount before are a part of it.
        if not found or match.start() >= found[-1].end:
            amount = _amount(match, given, known)
            found.extend([amount] if amount else [])
    return found


def _amount(match: re.Match[str], given: Reply, known: Grammar) -> Amount | None:
    text, start, end = match.string, match.start(), match.end()
    values = _values(match, known, given.context.locale)
    before, start = _sign_before(given, known, start)
    behind = known.behind.match(text, end)
    named, cents = _named(given, known, behind) if behind else ((), False)
    if behind and (named or cents):
        end = behind.end()
    if before and named and not set(before) & set(named):
        return None
    if cents:
        values = tuple(value.scaleb(-2) for value in values)
    elif behind and named and (small := known.small.match(text, end)):
        values = tuple(
            value + Decimal(small["cents"] or small["spelled"]).scaleb(-2) for value in values
        )
        end = small.end()
    # What still touches the number is no currency: "20x", "a20".
    if re.match(r"\w", text[end : end + 1]) or re.match(r"\w", text[max(0, start - 1) : start]):
        return None
    both = tuple(code for code in before if code in named) if before and named else before or named
    mark = decimal_mark(given.context.locale)
    doubtful = bool(re.fullmatch(r"\d+[.,]\d", match["digits"] or "")) and mark not in match[0]
    return Amount(start, end, values, both, doubtful)


def _values(match: re.Match[str], known: Grammar, locale: str) -> tuple[Decimal, ...]:
    if match["words"]:
        value = known.numerals.value(match["words"])
        values: tuple[Decimal, ...] = () if value is None else (value,)
    else:
        values = literal(match["digits"], locale)
        if match["scale"]:
            factor = known.numerals.times(match["scale"].strip())
            values = tuple((value * factor).normalize() for value in values[:1])
    return tuple(-value for value in values) if match["sign"] else values


def _sign_before(given: Reply, known: Grammar, start: int) -> tuple[Codes, int]:
    """The currency that stands before a number ("US$ 20", "EUR20"), and where that begins."""
    text = given.line.text
    end = start - 1 if text[max(0, start - 1) : start] == " " else start
    for length in range(min(_LONGEST_SIGN, end), 0, -1):
        sign, begin = text[end - length : end], end - length
        if re.match(r"\w", sign) and re.match(r"\w", text[max(0, begin - 1) : begin]):
            continue
        if sign in currencies.SIGNS:
            return currencies.SIGNS[sign], begin
        if length == 3 and currencies.is_code(_written(given, begin, end)):
            return (sign.upper(),), begin
    return (), start


def _named(given: Reply, known: Grammar, behind: re.Match[str]) -> tuple[Codes, bool]:
    """The currencies that the word behind a number names, and whether it names hundredths."""
    name = behind["name"]
    if name in known.cents:
        return known.cents[name], True
    if name in known.words:
        return known.words[name], False
    if currencies.is_code(_written(given, behind.start("name"), behind.end("name"))):
        return (name.upper(),), False
    return (), False


def _written(given: Reply, start: int, end: int) -> str:
    """A piece of the line as the reply wrote it, capitals and all."""
    place = given.line.place(start, end)
    return "".join(t.text for t in given.tokens if place[0] <= t.start and t.end <= place[1])


def read_money(text: str, context: Context) -> Reading:
    """The reading of a reply to an ask for an amount of money."""
    given = reply(text, context, "money")
    found = amounts(given)
    if not found or not all(amount.values for amount in found):
        return beside()
    # "20 or 30 euros": the currency is said once.
    shared = tuple(dict.fromkeys(code for amount in found for code in amount.named))
    values = [v for amount in found for v in _meanings(amount, shared, context)]
    pieces = [amount.piece for amount in found]
    several = len({amount.values for amount in found}) > 1
    offered = choice(given, pieces) if several else None
    rest = judge(given, [offered] if offered else pieces)
    if several and not (offered and rest.harmless):
        return beside(*values, reason=rest.reason or "another_value")
    if several:
        return suggested(*values)
    if not values:
        return invalid("no_currency") if rest.harmless else beside(reason=rest.reason)
    open_sign = len(currencies.meant(shared, context)) > 1
    # "1.200 €" in English is 1200, as no cent is that small; a slip of the finger looks alike.
    # "1,5" in English may be a list; "1,50" is an amount.
    unsure = any(len(amount.values) > 1 or amount.doubtful for amount in found)
    if rest.harmless and (open_sign or unsure):
        return suggested(*values)
    return answer(values, rest, lambda value: _refusal(value, context))


def _meanings(amount: Amount, shared: Codes, context: Context) -> list[dict[str, str]]:
    named = amount.named or shared
    chosen = currencies.meant(named, context) if named else currencies.unnamed(context)
    # Of a sign that many countries use, the likeliest is proposed.
    return [
        {"amount": f"{value:f}", "currency": code}
        for code in chosen[:1]
        for value in _precise(amount.values, code)
    ]


def _precise(values: Sequence[Decimal], code: str) -> Sequence[Decimal]:
    """Of two readings of "1.200" the one that the currency can have."""
    fitting = [value for value in values if _places(value) <= currencies.digits(code)]
    return fitting or values


def _places(value: Decimal) -> int:
    return max(0, -int(value.as_tuple().exponent))


def _refusal(value: Mapping[str, Any], context: Context) -> Reading | None:
    amount, code = Decimal(value["amount"]), value["currency"]
    if amount < 0:
        return invalid("too_small", minimum="0")
    if _places(amount) > currencies.digits(code):
        return invalid("too_precise", digits=str(currencies.digits(code)))
    if code != context.currency:
        return None
    low, high = (None if b is None else Decimal(str(b)) for b in (context.minimum, context.maximum))
    return within(amount, low, high)


READERS = {"money": read_money}
