"""What all steps share: the frame of a card, suggestions, skipping, and what a reading comes to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from core import values
from core.cards import Button, Role
from core.draft import Source
from core.manifest import Kind
from core.reading import is_skip, read
from core.reading.result import Context, Option, Outcome, Reading
from core.step.base import Beside, Moved, Read, Refused, Scene, Settled, Step, Unsure
from core.step.bounds import bounds_of, currency_of
from core.step.checks import UNSTORABLE, bound_shown, count_of, fault_of, longest

LABEL = 60
"""The longest label of a button; a longer text is shown as it is, beside a button to use it."""
PATIENCE = 3
"""After so many refusals the card shows an example."""
SKIP = "skip"

_TIMED = frozenset({Kind.DATE, Kind.TIME, Kind.DATETIME})
_RANGED = frozenset({Kind.NUMBER, Kind.MONEY, Kind.DURATION}) | _TIMED
_COUNTED = frozenset({Kind.CHOICES, Kind.ENTRIES})
_LONG = frozenset({Kind.SHORT_TEXT, Kind.LONG_TEXT})
_WORDLESS = frozenset({Kind.YES_NO, Kind.ATTESTATION, Kind.RECORD, Kind.UPLOAD, Kind.CUSTOM})


class Checked:
    """A step whose values are judged and shown by their kind alone."""

    def fault(self, scene: Scene, value: Any) -> str:
        """See `Step.fault`."""
        return fault_of(scene, value)

    def show(self, scene: Scene, value: Any) -> str:
        """See `Step.show`."""
        return values.shown(scene.item.value, value, scene.context.locale)


# The frame of a card


def frame(step: Step, scene: Scene, hint: str = "") -> dict[str, Any]:
    """The parts that every card has, for its constructor. `hint` replaces the kind's own."""
    verbatim, suggestions = suggested(step, scene)
    return {
        "id": scene.card,
        "item": scene.item.name,
        "title": title_of(scene),
        "hint": hint_of(step, scene, hint),
        "reason": scene.reason,
        "verbatim": verbatim,
        "place": scene.place,
        "suggestions": suggestions,
        "controls": () if scene.item.required else (skip_button(scene),),
    }


def title_of(scene: Scene) -> str:
    """The question, as the journey words it."""
    asked = scene.texts.of(scene.item.name, "ask")
    return asked or scene.texts("step.ask", label=scene.texts.label(scene.item.name))


def hint_of(step: Step, scene: Scene, hint: str = "") -> str:
    """How to answer: the journey's hint or the kind's, its bounds, and in the end an example."""
    name, kind = scene.item.name, scene.item.value.value
    own = scene.texts.of(name, "hint")
    lines = [hint or own or scene.texts(f"hint.{kind}", currency=currency_of(scene))]
    lines += [] if own else [limits(scene)]
    if scene.refusals >= PATIENCE and (shown := example(step, scene)):
        lines.append(scene.texts("step.example", example=shown))
    return "\n".join(filter(None, lines))


def example(step: Step, scene: Scene) -> str:
    """An answer that would do; empty where no words can give one (a file, a plain yes)."""
    given = scene.texts.of(scene.item.name, "example")
    key = f"example.{scene.item.value.value}"
    if given or scene.texts.find(key) is not None:
        return given or scene.texts(key)
    return "" if scene.item.value in _WORDLESS else step.show(scene, step.sample(scene))


def limits(scene: Scene) -> str:
    """The bounds of the item, in words; empty where it has none."""
    kind, texts = scene.item.value, scene.texts
    if kind in _COUNTED and scene.item.count:
        low, high = count_of(scene.item)
        key = "hint.exactly" if low == high else "hint.between"
        return texts(key, minimum=low, maximum=high)
    if kind in _LONG and scene.item.max_length:
        return texts("hint.length", maximum=longest(scene.item))
    return _range(scene) if kind in _RANGED else ""


def _range(scene: Scene) -> str:
    bounds, texts = bounds_of(scene), scene.texts
    # Zero and today go without saying.
    said = scene.item.minimum is not None and scene.item.minimum != "today"
    low = bound_shown(scene, bounds.low) if bounds.low and said else ""
    high = "" if bounds.high is None else bound_shown(scene, bounds.high)
    timed = scene.item.value in _TIMED
    if low and high:
        return texts("hint.between", minimum=low, maximum=high)
    if low:
        return texts("hint.not_before" if timed else "hint.at_least", minimum=low)
    return texts("hint.not_after" if timed else "hint.at_most", maximum=high) if high else ""


def worded(scene: Scene, part: str, parts: Mapping[str, Any]) -> str:
    """A text of the journey's own for this item, filled with a value's parts; empty without one."""
    key = f"items.{scene.item.name}.{part}"
    if scene.texts.find(key) is None:
        return ""
    return scene.texts(key, **{name: one for name, one in parts.items() if name != "key"})


def skip_button(scene: Scene) -> Button:
    """Leaves an optional item out."""
    return Button(token=SKIP, label=scene.texts("step.skip"), role=Role.SKIP)


def shorten(text: str, length: int = LABEL) -> str:
    """A text as a label: one line, no longer than `length`."""
    line = " ".join(text.split())
    return line if len(line) <= length else line[: length - 1].rstrip() + "…"


# Suggestions


def good(step: Step, scene: Scene, found: Iterable[Any]) -> tuple[Any, ...]:
    """Of some values those that could be settled now, each once."""
    fit: list[Any] = []
    for value in found:
        if value is not None and value not in fit and not step.fault(scene, value):
            fit.append(value)
    return tuple(fit)


def offered(step: Step, scene: Scene) -> dict[str, Any]:
    """The suggestions that are drawn, by token. What does not fit a label is drawn alone."""
    drawn: dict[str, Any] = {}
    long_one = False
    for number, value in enumerate(scene.proposals):
        if value is None or value in drawn.values() or step.fault(scene, value):
            continue
        if not _fits(step.show(scene, value)):
            if long_one:
                continue
            long_one = True
        drawn[f"s{number}"] = value
    return drawn


def suggested(step: Step, scene: Scene) -> tuple[str, tuple[Button, ...]]:
    """The suggestions as buttons, and the text that one of them stands for, shown as it is."""
    verbatim, buttons = "", []
    for token, value in offered(step, scene).items():
        label = step.show(scene, value)
        if not _fits(label):
            verbatim, label = label, scene.texts("step.use_this")
        buttons.append(Button(token=token, label=label, role=Role.SUGGESTION))
    return verbatim, tuple(buttons)


def _fits(label: str) -> bool:
    return len(label) <= LABEL and len(label.splitlines()) == 1


# Replies


def plain(text: str) -> str:
    """Typed text without what cannot be stored: it may be shown again, or searched for."""
    return UNSTORABLE.sub("\ufffd", text)


def unchanged(scene: Scene) -> Moved:
    """A reply that means nothing on this card (a forged or a late token)."""
    return Moved(cursor=scene.cursor)


def common_tap(step: Step, scene: Scene, token: str) -> Read | None:
    """The taps that every card knows: a suggestion, Skip. None for any other token."""
    if token == SKIP:
        return unchanged(scene) if scene.item.required else Settled(None, Source.TAP)
    found = offered(step, scene)
    return Settled(found[token], Source.TAP) if token in found else None


def skipped(scene: Scene, text: str) -> Read | None:
    """What a whole reply like "skip this one" comes to; None where it is none."""
    if not is_skip(text, scene.context):
        return None
    if scene.item.required:
        return Refused(scene.texts("reason.required"))
    return Settled(None, Source.TYPED)


def context_of(scene: Scene, options: Sequence[Option] = ()) -> Context:
    """What the reader may know of this ask."""
    bounds = bounds_of(scene)
    return replace(
        scene.context,
        currency=currency_of(scene),
        options=tuple(options),
        nouns=nouns(scene.texts.of(scene.item.name, "nouns")),
        minimum=bounds.low,
        maximum=bounds.high,
        max_length=longest(scene.item),
        whole=scene.item.whole and scene.item.value is Kind.NUMBER,
    )


def phrases(text: str) -> tuple[str, ...]:
    """The phrases of a comma-separated text, as they are compared."""
    return tuple(filter(None, (" ".join(part.split()).casefold() for part in text.split(","))))


def nouns(text: str) -> frozenset[str]:
    """What an ask is about, of a comma-separated text: its phrases and their single words."""
    found = phrases(text)
    return frozenset([*found, *(word for phrase in found for word in phrase.split())])


def judge(step: Step, scene: Scene, reading: Reading, source: Source = Source.TYPED) -> Read:
    """What a reading of the whole reply comes to, with the item's own bounds kept."""
    kind = scene.item.value
    offers = good(step, scene, (values.stored(kind, one) for one in reading.proposals))
    if reading.outcome is Outcome.SETTLED:
        value = values.stored(kind, reading.value)
        fault = step.fault(scene, value)
        return Refused(fault, proposals=offers) if fault else Settled(value, source)
    # A question that may be a title, too, is answered by the talk; a tap can still take it.
    if reading.outcome is Outcome.BESIDE or reading.reason == "question":
        return Beside(proposals=offers)
    if reading.outcome is Outcome.SUGGESTED and offers:
        alone = reading.reason == "which" and len(offers) == 1
        why = scene.texts("reason.this_one") if alone else reason_of(scene, reading)
        return Unsure(proposals=offers, reason=why)
    return Refused(_why_none(step, scene, reading), proposals=offers)


def _why_none(step: Step, scene: Scene, reading: Reading) -> str:
    # An ambiguous reply of which no reading can stand: what is wrong with the first says most.
    if reading.outcome is Outcome.SUGGESTED and reading.proposals:
        first = values.stored(scene.item.value, reading.proposals[0])
        return step.fault(scene, first) or reason_of(scene, reading)
    return reason_of(scene, reading)


def reason_of(scene: Scene, reading: Reading) -> str:
    """Why the reader did not settle, in words for the person."""
    bounds, timed = bounds_of(scene), scene.item.value in _TIMED
    if reading.reason == "too_small" and bounds.low is not None:
        key = "reason.not_before" if timed else "reason.at_least"
        return scene.texts(key, minimum=bound_shown(scene, bounds.low))
    if reading.reason == "too_large" and bounds.high is not None:
        key = "reason.not_after" if timed else "reason.at_most"
        return scene.texts(key, maximum=bound_shown(scene, bounds.high))
    if reading.reason == "whole" and scene.item.value is Kind.DURATION:
        return scene.texts("reason.whole_minutes")
    key = f"reason.{reading.reason}"
    known = scene.texts.find(key) is not None
    return scene.texts(key if known else "reason.wrong_kind", **reading.details)


def read_words(step: Step, scene: Scene, text: str, options: Sequence[Option] = ()) -> Read:
    """Typed words as the item's own kind; where they are no answer, perhaps they skip it."""
    reading = read(scene.item.value.value, plain(text), context_of(scene, options))
    if reading.outcome is Outcome.SETTLED:
        return judge(step, scene, reading)
    return skipped(scene, text) or judge(step, scene, reading)


def single(submitted: Mapping[str, str | list[str]], name: str) -> str | None:
    """The one text of a submitted form: of the field `value`, or of one named like the item."""
    given = submitted.get(name, submitted.get("value"))
    if isinstance(given, list):
        return given[0] if len(given) == 1 else None
    return given
