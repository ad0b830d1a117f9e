"""What a scenario expects, compared with what came: every difference in a line."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from core.evals.acting import same
from core.evals.chat import Chat, Took
from core.evals.drawing import drawn
from core.evals.record import Ending
from core.evals.scenario import Entry, Expect

_NOTHING = object()


def unmet(entry: Entry, took: Took | None, chat: Chat) -> Iterator[str]:
    """What an entry says must be seen, and was not (or was, and must not be)."""
    shown = drawn(took.taken.effects.show) if took is not None else ""
    for text in entry.sees:
        if text not in shown:
            yield f"{text!r} was not seen after {entry.act}"
    for text in entry.never_sees:
        if text in shown:
            yield f"{text!r} was seen after {entry.act}"
    if entry.open is not None and chat.asks != entry.open:
        yield f"{chat.asks or 'nothing'} is open after {entry.act}, not {entry.open or 'nothing'}"


def unmet_at_end(expect: Expect, chat: Chat, ending: Ending, calls: int) -> Iterator[str]:
    """What a scenario says must have come of it, and did not."""
    if ending is not expect.ends:
        yield f"it ended {ending.value}, not {expect.ends.value}"
    values = chat.journey.draft.values if chat.journey else {}
    content = json.loads(chat.submissions[-1].content) if chat.submissions else {}
    yield from _differing("submission", expect.submission, content)
    yield from _differing("draft", expect.draft, {name: one.value for name, one in values.items()})
    for name in expect.absent:
        if name in values or name in content:
            yield f"{name} has a value, and should have none"
    for name, source in expect.sources.items():
        found = values[name].source.value if name in values else "nowhere"
        if found != source.value:
            yield f"{name} came from {found}, not from {source.value}"
    counted = Counter[str]()
    for event in chat.events:
        counted[event.what.value] += event.count
    for what, count in expect.events.items():
        if counted[what.value] != count:
            yield f"{what.value} happened {counted[what.value]} times, not {count}"
    if expect.model_calls is not None and calls != expect.model_calls:
        yield f"the model was asked {calls} times, not {expect.model_calls}"


def _differing(where: str, wanted: Mapping[str, Any], found: Mapping[str, Any]) -> Iterator[str]:
    for name, value in wanted.items():
        kept = found.get(name, _NOTHING)
        if kept is _NOTHING:
            yield f"{name} is not in the {where}"
        elif not same(value, kept):
            yield f"{name} is {kept!r} in the {where}, not {value!r}"
