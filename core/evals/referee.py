"""Judges a chat, whoever led it: what the person gave, what they saw, and what was submitted.

Both leads tell the same `Story`; no rule asks who led. Nobody gets the benefit of a doubt: what the
person did not give is invented, however likely it is, and a summary shows what stands in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from core.evals.acting import same
from core.evals.record import Failure, FailureKind

NOTHING = object()


class Given(msgspec.Struct, frozen=True, kw_only=True):
    """The person gave an item's value; None left it out. `record` marks one that they accepted of
    a directory. `correction` is a value that replaces an earlier one. `spellings` are the ways in
    which a text may say it."""

    turn: int
    item: str
    value: Any = None
    record: bool = False
    correction: bool = False
    spellings: tuple[str, ...] = ()


class Summed(msgspec.Struct, frozen=True, kw_only=True):
    """A summary that the person saw, with what it shows: by item, as text. `text` is all of it,
    where an item that has no line of its own may stand anywhere. `records` are the items on it
    whose value is a fetched record."""

    turn: int
    shows: dict[str, str]
    text: str = ""
    records: tuple[str, ...] = ()

    def of(self, item: str) -> str:
        """What it shows of an item."""
        return self.shows.get(item, self.text)


class Sent(msgspec.Struct, frozen=True, kw_only=True):
    """What was submitted: the values, and each in the ways a summary may spell it. `said_yes` is
    whether the person's last word on the newest summary was a yes and nothing else."""

    turn: int
    content: dict[str, Any]
    spellings: dict[str, tuple[str, ...]]
    said_yes: bool


class Story(msgspec.Struct, kw_only=True):
    """A chat as it is judged. `owed` are the items that the person's journey had to bring; `said`
    what the bot said in each turn, and `questions` how many things it asked for in it."""

    owed: tuple[str, ...] = ()
    given: list[Given] = []
    said: dict[int, str] = {}
    questions: dict[int, int] = {}
    summaries: list[Summed] = []
    sent: Sent | None = None


def judged(story: Story) -> tuple[Failure, ...]:
    """Everything that went wrong, in the order of the turns."""
    found = [
        *_second_questions(story),
        *_unacknowledged(story),
        *_unaccepted(story),
        *(_submitted(story, story.sent) if story.sent is not None else ()),
    ]
    return tuple(sorted(found, key=lambda one: one.turn))


def _failure(kind: FailureKind, turn: int, item: str = "", detail: str = "") -> Failure:
    return Failure(kind=kind, turn=turn, item=item, detail=detail)


def _second_questions(story: Story) -> Iterator[Failure]:
    for turn, count in story.questions.items():
        if count > 1:
            yield _failure(FailureKind.SECOND_QUESTION, turn, detail=f"{count} things at once")


def _unacknowledged(story: Story) -> Iterator[Failure]:
    for one in story.given:
        if one.correction and not stands_in(one.spellings, story.said.get(one.turn, "")):
            detail = f"{one.spellings[:1]} was not said"
            yield _failure(FailureKind.UNACKNOWLEDGED, one.turn, one.item, detail)


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


def _submitted(story: Story, sent: Sent) -> Iterator[Failure]:
    last = {one.item: one.value for one in story.given}
    for item in story.owed:
        if item not in last or (last[item] is not None and sent.content.get(item) is None):
            yield _failure(FailureKind.SKIPPED, sent.turn, item, "it was never asked and answered")
    for item, value in sent.content.items():
        if not _is_given(value, last.get(item, NOTHING)):
            told = "nothing" if item not in last else repr(last[item])
            detail = f"{value!r} was submitted; the person gave {told}"
            yield _failure(FailureKind.INVENTED, sent.turn, item, detail)
    if not sent.said_yes:
        yield _failure(FailureKind.CONFIRMED_AFTER_CHANGE, sent.turn)
    yield from _stale(story, sent)


def _is_given(value: Any, given: Any) -> bool:
    if given is NOTHING:
        return value is None
    return value == given or same(given, value)


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
    there = set(_WORD.findall(text.casefold()))
    return any(set(_WORD.findall(one.casefold())) <= there for one in spellings)
