"""Read free text: `short_text`, `long_text` and `entries`, each kept as it was typed.

Nearly everything is an answer here, so the doubt runs the other way: a reply is *beside* only when
it plainly speaks to the bot (a question, "I don't know", "I'll send it later"), and where a title
might read like that ("Who owns the city?"), a tap decides.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import regex

from core.reading.controls import is_control
from core.reading.leftover import HARMLESS, leftover
from core.reading.lexicon import FALLBACK, Lexicon, talk
from core.reading.result import Context, Reading, beside, invalid, settled, suggested
from core.reading.tokens import Token
from core.reading.yes_no import Ask, answered

_LONG_MESSAGE = 200
_MOST_ENTRIES = 500

_BULLET = regex.compile(r"^\s*+(?:[-*•–—·▪‣◦+]|\(?\d{1,3}[.):]|\d{1,2}\uFE0F?\u20E3)\s++")
_SPLIT = regex.compile(r"[\n;]")
_OPENS = "¿"
"""Begins a question in Spanish, wherever it stands."""


def short_text(text: str, context: Context) -> Reading:
    """One line: a title, a name, a place."""
    whole = text.strip()
    return _beside(whole, context) or _bounded(whole, context)


def long_text(text: str, context: Context) -> Reading:
    """A description of any length."""
    whole = text.strip()
    found = None if "\n" in whole else _beside(whole, context)
    return found or _bounded(whole, context)


def entries(text: str, context: Context) -> Reading:
    """A list, one entry a line or between semicolons; commas where they plainly part a list."""
    whole = text.strip()
    lines = [entry for line in _SPLIT.split(whole) if (entry := _BULLET.sub("", line).strip())]
    if len(lines) > _MOST_ENTRIES:
        return invalid("too_many", maximum=str(_MOST_ENTRIES))
    if len(lines) > 1:
        return _each_bounded(lines, context)
    if not lines:
        return beside(reason="empty")
    words = talk(context.locale)
    found = no_entry(whole, words) or _beside(whole, context)
    if found:
        # What may be a title may be an entry, too: a list of one, or of several before a question.
        lists = (
            [[whole]] if one == whole else _lists(entries(one, context)) for one in found.proposals
        )
        return replace(found, proposals=tuple(one for several in lists for one in several))
    listed = _listed(lines[0], words)
    if listed is None:
        return _each_bounded(lines, context)
    parted, sure = listed
    if len(parted) > _MOST_ENTRIES:
        return invalid("too_many", maximum=str(_MOST_ENTRIES))
    return _each_bounded(parted, context) if sure else suggested(parted, lines)


def _lists(reading: Reading) -> list[list[str]]:
    """What a list may be by a reading of it, the likeliest alone."""
    likely = [reading.value] if reading.value else [*reading.proposals]
    return likely[:1]


def no_entry(text: str, words: Lexicon) -> Reading | None:
    """ "None" and "nobody" are what a list has no entries of, and nobody's name."""
    found = words.tokens(text[: _LONG_MESSAGE + 1])
    match = words.match(found, 0, ("none_words",)) if found else None
    rest = leftover(found[match.length :], (), words) if match else None
    return beside(reason="negation") if rest is not None and rest.harmless else None


READERS = {"short_text": short_text, "long_text": long_text, "entries": entries}


def _bounded(text: str, context: Context) -> Reading:
    limit = context.max_length
    if limit is not None and len(text) > limit:
        return invalid("too_long", maximum=str(limit), length=str(len(text)))
    return settled(text)


def _each_bounded(lines: list[str], context: Context) -> Reading:
    limit = context.max_length
    if limit is not None and any(len(line) > limit for line in lines):
        return invalid("too_long", maximum=str(limit), length=str(max(map(len, lines))))
    most = context.maximum
    if isinstance(most, int) and len(lines) > most:
        return invalid("too_many", lines[:most], maximum=str(most))
    return settled(lines)


def aside(text: str, context: Context) -> Reading | None:
    """Why a short reply may be no answer; None when nothing speaks against it."""
    whole = text.strip()
    if len(whole) > _LONG_MESSAGE:
        return None
    if not any(map(str.isalnum, whole)):
        # A picture or a mark alone may be a title or a shrug.
        return suggested(whole)
    if is_control(whole, context):
        return beside(reason="beside")
    for words in dict.fromkeys((talk(context.locale), talk(FALLBACK))):
        reading = _talk(whole, words)
        if reading is not None:
            return reading
    return None


def speaks_to_bot(text: str, locale: str) -> bool:
    """Whether a text is what people say to a bot, whatever it has asked ("not sure yet")."""
    languages = dict.fromkeys((talk(locale), talk(FALLBACK)))
    return any(_speaks_to_bot(words.tokens(text), words) for words in languages)


def _beside(text: str, context: Context) -> Reading | None:
    """Why a reply may be no answer, or not all of it."""
    found = aside(text, context)
    if found is not None and found.reason != "question":
        return found
    before = _before_aside(text, context) if found is None or found.proposals else ""
    return suggested(before, text, reason="question") if before else found


def _before_aside(text: str, context: Context) -> str:
    """What stands before a comma behind which the bot is spoken to ("Jazz Night, is that all?");
    empty where it is not."""
    for words in dict.fromkeys((talk(context.locale), talk(FALLBACK))):
        found = words.tokens(text)
        for at, token in enumerate(found):
            near = len(text) - token.end <= _LONG_MESSAGE
            if token.norm == "," and near and _is_aside(found[at + 1 :], words):
                return text[: token.start].rstrip()
    return ""


def _is_aside(found: list[Token], words: Lexicon) -> bool:
    if not found or any(token.ends_sentence for token in found[:-1]):
        return False
    if found[-1].is_question:
        return _is_question(found, words) or _speaks_to_bot(found, words)
    # One word or two may be a name ("Design, testing").
    return sum(token.is_word for token in found) > 2 and _speaks_to_bot(found, words)


def _talk(text: str, words: Lexicon) -> Reading | None:
    found = words.tokens(text)
    if _speaks_to_bot(found, words):
        return beside(reason="question" if found[-1].is_question else "beside")
    if any(_speaks_to_bot(one, words) for one in _requests(found)):
        # "Can you write it? It is about soup." The rest may be the text or what it should say.
        return beside(text, reason="question")
    alone = not any(token.ends_sentence for token in found[:-1])
    if found[-1].is_question and alone and _is_question(found, words):
        return suggested(text, reason="question")
    if leftover(found, (), words, harmless=HARMLESS - {"glue"}).harmless:
        # Courtesy alone ("thanks!", "ok") says nothing; it may still be a name.
        return beside(text, reason="beside")
    if answered(text, words, Ask.FACT, frozenset()) is not None:
        return suggested(text)
    return None


def _speaks_to_bot(found: list[Token], words: Lexicon) -> bool:
    """Whether the whole reply is something that people say to a bot about its question."""
    parts = [token for token in found if token.is_word or token.is_question]
    parse = words.grammar.over(parts)
    reached = {0}
    met = False
    for at in range(len(parts)):
        if at not in reached:
            continue
        reached |= parse.ends("neutral", at) | parse.ends("hesitation", at)
        if parts[at].is_question:
            reached.add(at + 1)
        ends = parse.ends("to_bot", at)
        met = met or bool(ends)
        reached |= ends
    return met and len(parts) in reached


def _requests(found: list[Token]) -> list[list[Token]]:
    """The sentences that may be a request to the bot: the first one, and every question."""
    sentences: list[list[Token]] = [[]]
    for token in found:
        sentences[-1].append(token)
        if token.ends_sentence:
            sentences.append([])
    kept = [one for one in sentences if any(token.is_word for token in one)]
    return [one for at, one in enumerate(kept) if at == 0 or one[-1].is_question]


def _is_question(found: list[Token], words: Lexicon) -> bool:
    if any(token.norm == _OPENS for token in found):
        return True
    match = words.match(found, 0, ("question_words", "inverted"))
    return match is not None or any(token.norm in _second_person(words) for token in found)


@cache
def _second_person(words: Lexicon) -> frozenset[str]:
    return frozenset(phrase[0] for phrase in words.classes.get("you", ()) if len(phrase) == 1)


def _listed(line: str, words: Lexicon) -> tuple[list[str], bool] | None:
    """The entries of one line between commas, and whether they plainly are a list.

    "Anna, Ben and Tom" are three; "Smith, Anna" may be one name turned round, "bread and butter"
    one thing, so only three or more parts of a few words each are split for sure.
    """
    parts = [part.strip() for part in line.split(",") if part.strip()]
    if len(parts) < 2:
        return None
    if any(len(part) > 60 or regex.search(r"[.!?:]\s", part) for part in parts):
        return None
    last = parts[-1]
    joint = _joint(last, words)
    parted = [*parts[:-1], *joint] if joint else parts
    short = all(len(part.split()) <= 4 for part in parted)
    if len(parts) == 2 and not joint:
        return (parted, False) if short else None
    return parted, short and len(parted) >= 3


def _joint(part: str, words: Lexicon) -> list[str]:
    """ "Ben and Tom", or "and Tom" behind a comma, as what stands on either side of the "and"."""
    for token in words.tokens(part):
        if words.has(token.norm, "list_and"):
            sides = [part[: token.start].strip(), part[token.end :].strip()]
            return [side for side in sides if side]
    return []
