"""How many things a text asks for, counted by its question marks.

A counter of the referee's own. The runtime has rules of its own for a model's questions
(`core.prose`), and cuts by them; whoever judges what is left must not ask the same rules. What is
quoted, stands in code or in an address asks nothing; several marks in a row are one question.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_NOT_ASKED = re.compile(
    r"```.*?```|`[^`\n]*`|“[^”\n]*”|„[^“”\n]*[“”]|«[^»\n]*»|\"[^\"\n]*\"|「[^」\n]*」|\S*://\S*",
    re.DOTALL,
)
_SENTENCE = re.compile(
    r"[^.!?？؟。！\n]*(?:[?？؟⁇⁈❓❔][?？؟⁇⁈!！❓❔]*|(?:か|까요)[。.])",
)


def questions(text: str, own: Iterable[str] = (), *, fixed: bool = False) -> tuple[str, ...]:
    """The questions of a text, in order, but for those that only tell the person's `own` words
    again, behind a colon ("Title: why not?"). Of a `fixed` text, into which values are put, they
    may end any sentence ("Title changed from why not? to a feast")."""
    asked = [one.strip() for one in _SENTENCE.findall(_NOT_ASKED.sub("…", text))]
    said = [one.casefold() for one in own]
    return tuple(one for one in asked if not _repeats(one, said, fixed))


def _repeats(question: str, said: list[str], fixed: bool) -> bool:
    _, colon, rest = question.casefold().partition(": ")
    told = [rest] if colon else []
    words = question.split()
    if fixed and len(words) > 1:
        told.append(words[-1].casefold())
    return any(one in own for one in told for own in said)
