"""Judges a chat, whoever led it: what the person gave, what they saw, and what was submitted.

Both leads tell the same `Story`; no rule asks who led. Nobody gets the benefit of a doubt: what the
person did not give is invented, however likely it is, and a summary shows what stands in it.

One slip is one failure. Of what is wrong with one item, what comes first in `PRECEDENCE` is told:
what was never asked is of course not what the person gave, nor what the summary showed. What was
changed in silence makes no stale confirmation besides; and what was submitted without a yes is
none, either, nor was a change silent besides that was submitted at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from core.evals.acting import same
from core.evals.record import OCCASIONS, Failure, FailureKind

NOTHING = object()

PRECEDENCE = (
    FailureKind.UNACCEPTED_RECORD,
    FailureKind.SKIPPED,
    FailureKind.INVENTED_LIST,
    FailureKind.INVENTED,
    FailureKind.STALE_CONFIRMATION,
)
"""Failures that one slip may bring about together, the slip itself first."""


class Given(msgspec.Struct, frozen=True, kw_only=True):
    """The person gave an item's value in this turn; None left it out. `record` marks one that they
    accepted of a directory. `correction` is a value that replaces one that was taken before, and
    `taken` the turn in which it took its place; 0 while it has not. `spellings` are the ways in
    which a text may say it."""

    turn: int
    item: str
    value: Any = None
    record: bool = False
    correction: bool = False
    taken: int = 0
    spellings: tuple[str, ...] = ()


class Summed(msgspec.Struct, frozen=True, kw_only=True):
    """A summary that the person saw, with what it shows: by item, as text. `text` is all of it,
    where an item that has no line of its own may stand anywhere. `records` are the items on it
    whose value is a fetched record. `values` are the kept values that stand on it, by item, each
    with its spellings."""

    turn: int
    shows: dict[str, str]
    text: str = ""
    records: tuple[str, ...] = ()
    values: dict[str, tuple[Any, tuple[str, ...]]] = {}

    def of(self, item: str) -> str:
        """What it shows of an item."""
        return self.shows.get(item, self.text)


class Sent(msgspec.Struct, frozen=True, kw_only=True):
    """What was submitted: the values, and each in the ways a summary may spell it. `required` are
    the items that such a submission must have. `said_yes` is whether the person's last word on the
    newest summary was a yes and nothing else."""

    turn: int
    content: dict[str, Any]
    spellings: dict[str, tuple[str, ...]]
    required: tuple[str, ...] = ()
    said_yes: bool


class Story(msgspec.Struct, kw_only=True):
    """A chat as it is judged, or as much of it as belongs to one journey.

    `asked` are the items that were asked for on the screen, with the turn. `heard` is what the
    person did in each turn, as text; `said` what the bot said in it, and `questions` how many
    things it asked for. `not_yes` are the turns in which a summary was answered with something else
    than a yes. `lists` are the items whose value is a list.
    """

    lists: frozenset[str] = frozenset()
    asked: dict[str, int] = {}
    given: list[Given] = []
    heard: dict[int, str] = {}
    said: dict[int, str] = {}
    questions: dict[int, int] = {}
    not_yes: list[int] = []
    summaries: list[Summed] = []
    sent: Sent | None = None


def judged(story: Story) -> tuple[Failure, ...]:
    """Everything that went wrong, in the order of the turns."""
    slips = [*_unaccepted(story), *_invented_on_summaries(story)]
    if story.sent is not None:
        slips += _submitted(story, story.sent)
    silent = list(_unacknowledged(story))
    found = [
        *_second_questions(story),
        *silent,
        *(_unconfirmed(story.sent) if story.sent is not None else ()),
        *_together(_first_of_each(slips), {one.item for one in silent}),
    ]
    return tuple(sorted(found, key=lambda one: one.turn))


def occasions(story: Story) -> dict[FailureKind, int]:
    """How often each kind that needs an occasion had one; what happened had one in any case."""
    confirmed = story.sent is not None and story.sent.said_yes
    first = story.summaries[0].turn if story.summaries else None
    changed = first is not None and any(one.turn > first for one in story.given)
    could = {
        FailureKind.UNACKNOWLEDGED: [
            (one.taken, one.item) for one in story.given if one.correction and one.taken
        ],
        FailureKind.CONFIRMED_AFTER_CHANGE: [(turn, "") for turn in story.not_yes],
        FailureKind.STALE_CONFIRMATION: (
            [(story.sent.turn, "")] if story.sent is not None and confirmed and changed else []
        ),
    }
    found = judged(story)
    return {
        kind: len({*could[kind], *(_place(one) for one in found if one.kind is kind)})
        for kind in sorted(OCCASIONS)
    }


def _place(one: Failure) -> tuple[int, str]:
    """Which occasion a failure was on: corrections are one for each item, all else for the turn."""
    return one.turn, one.item if one.kind is FailureKind.UNACKNOWLEDGED else ""


def _failure(kind: FailureKind, turn: int, item: str = "", detail: str = "") -> Failure:
    return Failure(kind=kind, turn=turn, item=item, detail=detail)


# One slip, one failure


def _first_of_each(found: list[Failure]) -> Iterator[Failure]:
    """Of all that is wrong with an item, what comes first, once; what is no item's stays."""
    best: dict[str, Failure] = {}
    for one in found:
        known = best.get(one.item)
        if not one.item:
            yield one
        elif known is None or PRECEDENCE.index(one.kind) < PRECEDENCE.index(known.kind):
            best[one.item] = one
    yield from best.values()


def _together(found: Iterator[Failure], silent: set[str]) -> Iterator[Failure]:
    """A confirmation is stale once, whatever of it is; and not for what was changed in silence."""
    stale: list[Failure] = []
    for one in found:
        if one.kind is not FailureKind.STALE_CONFIRMATION:
            yield one
        elif one.item not in silent:
            stale.append(one)
    if stale:
        items = ", ".join(one.item for one in stale if one.item)
        detail = "; ".join(dict.fromkeys(one.detail for one in stale))
        yield msgspec.structs.replace(stale[0], item=items, detail=detail)


# In the talk


def _second_questions(story: Story) -> Iterator[Failure]:
    for turn, count in story.questions.items():
        if count > 1:
            yield _failure(FailureKind.SECOND_QUESTION, turn, detail=f"{count} things at once")


def _unacknowledged(story: Story) -> Iterator[Failure]:
    for one in story.given:
        sent = story.sent
        unconfirmed = sent is not None and sent.turn == one.taken and not sent.said_yes
        if not one.correction or not one.taken or unconfirmed:
            continue
        since = (story.said.get(turn, "") for turn in range(one.turn, one.taken + 1))
        if not any(stands_in(one.spellings, text) for text in since):
            detail = f"{one.spellings[:1]} was not said"
            yield _failure(FailureKind.UNACKNOWLEDGED, one.taken, one.item, detail)


# On summaries


def _unaccepted(story: Story) -> Iterator[Failure]:
    for summary in story.summaries:
        for item in summary.records:
            # That another one was accepted, now or earlier, does not make this one theirs.
            chosen = [one for one in story.given if one.item == item and one.turn <= summary.turn]
            newest = chosen[-1] if chosen else None
            shown = summary.of(item)
            if newest is None or not newest.record or not stands_in(newest.spellings, shown):
                detail = f"{shown} was never accepted"
                yield _failure(FailureKind.UNACCEPTED_RECORD, summary.turn, item, detail)


def _invented_on_summaries(story: Story) -> Iterator[Failure]:
    """What was put before the person as theirs, and they had neither given nor said. What they had
    said, and not meant so, is misunderstood: they see it, and it is wrong on the summary."""
    for summary in story.summaries:
        words = [text for turn, text in story.heard.items() if turn <= summary.turn]
        for item, (value, spellings) in summary.values.items():
            known = [one.value for one in story.given if one.item == item]
            given = any(_is_given(value, one) for one in known)
            if not given and not _is_said(value, spellings, words):
                detail = f"{value!r} was on the summary; nobody had said it"
                yield _invented(story, summary.turn, item, detail)


def _is_said(value: Any, spellings: tuple[str, ...], words: list[str]) -> bool:
    """Whether the person has said it, all in one message; the entries of a list may be in many."""
    entries = isinstance(value, list) and all(isinstance(one, str) for one in value)
    pieces = [(one,) for one in value] if entries else []
    if pieces and all(any(stands_in(one, text) for text in words) for one in pieces):
        return True
    return any(stands_in(spellings, text) for text in words)


def _invented(story: Story, turn: int, item: str, detail: str) -> Failure:
    kind = FailureKind.INVENTED_LIST if item in story.lists else FailureKind.INVENTED
    return _failure(kind, turn, item, detail)


# In what was submitted


def _unconfirmed(sent: Sent) -> Iterator[Failure]:
    if not sent.said_yes:
        yield _failure(FailureKind.CONFIRMED_AFTER_CHANGE, sent.turn)


def _submitted(story: Story, sent: Sent) -> Iterator[Failure]:
    last = {one.item: one.value for one in story.given}
    for item in sent.required:
        if item not in last and item not in story.asked:
            yield _failure(FailureKind.SKIPPED, sent.turn, item, "it was never asked, nor said")
        elif sent.content.get(item) is None:
            yield _failure(FailureKind.SKIPPED, sent.turn, item, "it was submitted without")
    for item, value in sent.content.items():
        if not _is_given(value, last.get(item, NOTHING)):
            told = "nothing" if item not in last else repr(last[item])
            detail = f"{value!r} was submitted; the person gave {told}"
            yield _invented(story, sent.turn, item, detail)
    if sent.said_yes:
        yield from _stale(story, sent)


def _is_given(value: Any, given: Any) -> bool:
    if given is NOTHING:
        return value is None
    return value == given or same(given, value) or _is_less_of(value, given)


def _is_less_of(value: Any, given: Any) -> bool:
    """Whether somebody is known by a part of what they are called: their name, and no handle."""
    parts = {"id", "handle", "name"}
    if not (isinstance(value, dict) and isinstance(given, dict) and set(value) == parts):
        return False
    known = {key: part for key, part in value.items() if part}
    return bool(known) and all(given.get(key) == part for key, part in known.items())


def _stale(story: Story, sent: Sent) -> Iterator[Failure]:
    earlier = [one for one in story.summaries if one.turn < sent.turn]
    if not earlier:
        yield _failure(FailureKind.STALE_CONFIRMATION, sent.turn, detail="no summary was shown")
        return
    summary = earlier[-1]
    for item, spellings in sent.spellings.items():
        if not stands_in(spellings, summary.of(item)):
            detail = f"{spellings[:1]} was submitted; the summary did not show it"
            yield _failure(FailureKind.STALE_CONFIRMATION, sent.turn, item, detail)
    last = {one.item: one for one in story.given}
    for item, shown in summary.shows.items():
        given = last.get(item)
        lost = given is not None and given.value is not None and sent.content.get(item) is None
        if given is not None and lost and stands_in(given.spellings, shown):
            detail = f"{shown} was shown and not submitted"
            yield _failure(FailureKind.STALE_CONFIRMATION, sent.turn, item, detail)


_WORD = re.compile(r"[€$£¥₹₺]|\d+(?:[.,:/’'-]\d+)*|[^\W\d_]+")
"""A word, a number with all that is in it (17:30 is no 17), or a sign of money."""


def stands_in(spellings: tuple[str, ...], text: str) -> bool:
    """Whether a value stands in a text: all words and numbers of one of its spellings do."""
    there = words_in(text)
    return any(words_in(one) <= there for one in spellings)


def words_in(text: str) -> set[str]:
    """The words and numbers of a text."""
    return set(_WORD.findall(text.casefold()))
