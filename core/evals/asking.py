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


def questions(text: str, own: Iterable[str] = ()) -> tuple[str, ...]:
    """The questions of a text, in order, but for those that only tell the person's `own` words
    again: behind a colon ("Title: why not?"), or as three words and more at the end of a sentence
    ("Title changed from A to and for children?")."""
    asked = [one.strip() for one in _SENTENCE.findall(_NOT_ASKED.sub("…", text))]
    said = [one.casefold() for one in own]
    return tuple(one for one in asked if not _repeats(one, said))


def _repeats(question: str, said: list[str]) -> bool:
    _, colon, rest = question.casefold().partition(": ")
    words = question.casefold().split()
    ends = [" ".join(words[at:]) for at in range(2, len(words) - 2)]
    told = [*ends, *([rest] if colon else [])]
    return any(end in one for end in told for one in said)
