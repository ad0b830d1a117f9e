"""How many things a text asks for, counted by its question marks.

A counter of the referee's own. The runtime has rules of its own for a model's questions
(`core.prose`), and cuts by them; whoever judges what is left must not ask the same rules. What is
quoted, stands in code or in an address asks nothing; several marks in a row are one question.
"""

from __future__ import annotations

import re

_NOT_ASKED = re.compile(
    r"```.*?```|`[^`\n]*`|“[^”\n]*”|„[^“”\n]*[“”]|«[^»\n]*»|\"[^\"\n]*\"|「[^」\n]*」|\S*://\S*",
    re.DOTALL,
)
_SENTENCE = re.compile(
    r"[^.!?？؟。！\n]*(?:[?？؟⁇⁈❓❔][?？؟⁇⁈!！❓❔]*|(?:か|까요)[。.])",
)


def questions(text: str) -> tuple[str, ...]:
    """The questions of a text, in order."""
    asked = _SENTENCE.findall(_NOT_ASKED.sub("…", text))
    return tuple(one.strip() for one in asked)
