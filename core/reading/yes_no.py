"""Read a yes or a no: `confirm` (the summary, strictest), `offer` and `yes_no`.

A reply is cut into *units* by the language's grammar: each unit says yes, says no, leans to one of
them (it counts beside a plain yes or no only: "I'm good" after "no thanks"), or says nothing
("thank you"). The reply settles when units take all of it, at least one is plain, and none
contradicts. Whatever can be read both as a yes and as a no settles nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum, IntFlag

from core.reading.grammar import Parse
from core.reading.leftover import leftover
from core.reading.lexicon import FALLBACK, Lexicon, talk
from core.reading.repair import repaired
from core.reading.result import Context, Reading, beside, settled
from core.reading.tokens import Kind, Token


class Ask(Enum):
    """What is asked, and so which of a language's rules apply beside the general ones."""

    CONFIRM = "confirm"
    OFFER = "offer"
    FACT = "fact"


class Said(IntFlag):
    """What units have said so far."""

    NOTHING = 0
    YES = 1
    LEANS_YES = 2
    NO = 4
    LEANS_NO = 8
    PRAISE = 16  # "perfect": a yes, unless something is wanted as well
    ACT = 32  # "I want to book it": a yes to an offer, unless it only follows on praise
    AND = 64  # the last word was "and": something must follow it


_YES_SIDE = Said.YES | Said.LEANS_YES | Said.PRAISE | Said.ACT
_NO_SIDE = Said.NO | Said.LEANS_NO
_UNITS = {
    "yes": Said.YES,
    "closed_yes": Said.YES,
    "praise": Said.PRAISE,
    "act": Said.ACT,
    "lean_yes": Said.LEANS_YES,
    "no": Said.NO,
    "closed_no": Said.NO,
    "lean_no": Said.LEANS_NO,
}
_FOLLOWS_AND = Said.YES | Said.PRAISE | Said.NO

# These marks may stand inside a unit and mean nothing.
_INNER_MARKS = frozenset({"'", '"', "-", "(", ")", "*", "_", "¡", "¿", "~"})
# A pause parts two units as a sentence's end does: "no está bien" is a no, "no, está bien" is none.
_DOUBTFUL = frozenset({"hedges", "second_thoughts"})
_SARCASM = ("sarcasm",)
_PAUSES = frozenset(",;:")
# Nobody needs more words to say yes.
_LONGEST = 60
_PROPOSING = frozenset({"question", "another_value", "beside", "hedge"})


def confirm(text: str, context: Context) -> Reading:
    """A yes to what the summary shows, and nothing else; a no, and nothing else."""
    return _read(text, context, Ask.CONFIRM)


def offer(text: str, context: Context) -> Reading:
    """Whether an offer is taken: "not now" is a no, "go ahead" a yes."""
    return _read(text, context, Ask.OFFER)


def yes_no(text: str, context: Context) -> Reading:
    """The answer to a plain question of fact."""
    return _read(text, context, Ask.FACT)


READERS = {"confirm": confirm, "offer": offer, "yes_no": yes_no, "yesno": yes_no}


def _read(text: str, context: Context, ask: Ask) -> Reading:
    label = _labelled(text, context)
    if label is not None:
        return settled(label)
    own = talk(context.locale)
    for words in _understood(text, own):
        answer = answered(text, words, ask, context.nouns)
        if answer is not None:
            return settled(answer)
    return _beside(text, own, ask, context.nouns)


def _understood(text: str, own: Lexicon) -> Iterator[Lexicon]:
    """The languages in which a reply may be meant: the person's own, and English.

    A false friend keeps English out: a Polish "no" is a "yeah".
    """
    yield own
    found = own.tokens(text)
    friends = any(own.match(found, at, ("false_friends",)) for at in range(len(found)))
    if own.language != FALLBACK and not friends:
        yield talk(FALLBACK)


def answered(text: str, words: Lexicon, ask: Ask, nouns: frozenset[str]) -> bool | None:
    """What a reply settles to in one language, None if it does not settle."""
    reply = _stripped(text, words, ask)
    if reply is None:
        return None
    known = words.vocabulary | nouns if nouns else words.vocabulary
    reply = replace(reply, parts=repaired(reply.parts, known))
    meanings = _meanings(reply, words, ask, nouns)
    yes = any(_is_yes(said, ask) for said in meanings)
    no = any(Said.NO in said and not said & _YES_SIDE for said in meanings)
    return None if yes == no or Said.NOTHING in meanings else yes


def _is_yes(said: Said, ask: Ask) -> bool:
    if said & _NO_SIDE:
        return False
    if Said.YES in said:
        return True
    wanted = said & (Said.ACT | Said.LEANS_YES)
    if ask is not Ask.OFFER:
        return Said.PRAISE in said
    # "Great. I want to book a table" takes up what was offered, or goes on from it: nobody knows.
    return (Said.ACT in said and Said.PRAISE not in said) or (Said.PRAISE in said and not wanted)


def _labelled(text: str, context: Context) -> bool | None:
    """The answer whose own label was typed, where a manifest words its two buttons itself."""
    meaning = {"yes": True, "true": True, "no": False, "false": False}
    typed = text.strip().casefold()
    for option in context.options:
        names = (option.label, *option.aliases)
        if option.key in meaning and typed in {name.strip().casefold() for name in names}:
            return meaning[option.key]
    return None


@dataclass(frozen=True, slots=True)
class _Reply:
    """A reply without the marks inside its clauses; `breaks` are the places where one stood."""

    parts: list[Token]
    breaks: frozenset[int]


def _stripped(text: str, words: Lexicon, ask: Ask) -> _Reply | None:
    """The tokens that units are made of, None if one of them forbids a settle."""
    found = words.tokens(text)
    if len(found) > _LONGEST or _left_open(found):
        return None
    parts: list[Token] = []
    breaks: set[int] = set()
    for at, token in enumerate(found):
        if token.norm == "…" and ask is Ask.CONFIRM:
            return None  # "yes..." trails off
        picture = words.match(found, at) if token.kind is Kind.EMOJI else None
        # A face says the same in every language; the English file has them all.
        if token.kind is Kind.EMOJI and talk(FALLBACK).match(found, at, _DOUBTFUL):
            return None
        # A picture that no class knows is decoration.
        decoration = token.kind is Kind.EMOJI and not picture
        inner = token.kind is Kind.PUNCT and token.norm in _INNER_MARKS
        if token.norm in _PAUSES:
            parts.append(replace(token, norm="."))
        elif decoration or inner:
            breaks.add(len(parts))
        else:
            parts.append(token)
    run = [part for part in parts if part.text not in _PAUSES]
    if any(words.match(run, at, _SARCASM) for at in range(len(run))):
        return None
    return _Reply(parts, frozenset(breaks | {len(parts)}))


def _left_open(found: Sequence[Token]) -> bool:
    """Whether a question is opened as in Spanish and never closed: "¿sí" is no yes."""
    marks = {token.norm for token in found if token.is_question}
    return marks == {"¿"}


def _meanings(reply: _Reply, words: Lexicon, ask: Ask, nouns: frozenset[str]) -> frozenset[Said]:
    """What the whole reply can say: one flag set for each way to cut it into units."""
    parts = reply.parts
    if any(not _known(part, words, nouns) for part in parts):
        return frozenset()
    parse = words.grammar.over(parts, nouns)
    reached: list[set[Said]] = [set() for _ in range(len(parts) + 1)]
    reached[0].add(Said.NOTHING)
    for at, part in enumerate(parts):
        if not reached[at]:
            continue
        plain = {said for said in reached[at] if Said.AND not in said}
        if part.ends_sentence and not part.is_question:
            reached[at + 1] |= plain
        for end in _ends(parse, "neutral", ask, at):
            reached[end] |= plain
        for end in parse.ends("and", at):
            reached[end] |= {said | Said.AND for said in plain if said}
        for name, said in _UNITS.items():
            # What leans counts on its own words only: "yes and get me a room" asks for more.
            before = reached[at] if said & _FOLLOWS_AND else plain
            for end in _ends(parse, name, ask, at):
                if not name.startswith("closed_") or _closes(reply, parse, ask, end):
                    reached[end] |= {(one & ~Said.AND) | said for one in before}
    return frozenset(said for said in reached[-1] if Said.AND not in said)


def _closes(reply: _Reply, parse: Parse, ask: Ask, end: int) -> bool:
    """Whether a unit can end here that a following word would turn into something else."""
    if end in reply.breaks or reply.parts[end].ends_sentence:
        return True
    return bool(_ends(parse, "neutral", ask, end))


def _ends(parse: Parse, name: str, ask: Ask, at: int) -> frozenset[int]:
    return parse.ends(name, at) | parse.ends(f"{name}_{ask.value}", at)


def _known(part: Token, words: Lexicon, nouns: frozenset[str]) -> bool:
    return part.ends_sentence or part.norm in words.vocabulary or part.norm in nouns


def _beside(text: str, words: Lexicon, ask: Ask, nouns: frozenset[str]) -> Reading:
    """Why a reply does not settle, and at an offer what its first words say."""
    found = words.tokens(text)
    reason = leftover(found, (), words, nouns=nouns).reason or "beside"
    if ask is Ask.CONFIRM or reason not in _PROPOSING:
        return beside(reason=reason)
    head = _head(found)
    if head and len(head) < len(found):
        answer = answered(text[: head[-1].end], words, ask, nouns)
        if answer is not None:
            return beside(answer, reason=reason)
    return beside(reason=reason)


def _head(found: Sequence[Token]) -> Sequence[Token]:
    """The words before the first mark: the "Sure" of "Sure, and is parking free?"."""
    for at, token in enumerate(found):
        if token.kind is Kind.PUNCT:
            return found[:at]
    return found[:1]
