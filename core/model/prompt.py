"""A request to a model, from a journey's manifest, its texts, the transcript and this turn's facts.

All but the tail is the same bytes from turn to turn: no clock, no draft and no state is in it. A
journey says who its bot is and what people may be told by the texts `talk.persona` and
`talk.about`, and what a model should know of an item by the item's text `about`.
"""

from __future__ import annotations

from collections.abc import Iterable

from core.manifest import Condition, FormField, Gather, Item, Kind, Manifest, Test
from core.model.base import Request, Turn
from core.model.rules import RULES
from core.model.tools import tools_for
from core.texts import Texts

_KINDS = {
    Kind.CHOICE: "one option",
    Kind.CHOICES: "one or more options",
    Kind.YES_NO: "yes or no",
    Kind.SHORT_TEXT: "a short text",
    Kind.LONG_TEXT: "a longer text",
    Kind.NUMBER: "a number",
    Kind.MONEY: "an amount of money",
    Kind.DATE: "a date",
    Kind.TIME: "a time",
    Kind.DATETIME: "a date and time",
    Kind.DURATION: "a duration",
    Kind.EMAIL: "an e-mail address",
    Kind.PHONE: "a phone number",
    Kind.URL: "a link",
    Kind.ENTRIES: "a list",
    Kind.RECORD: "a record that is looked up",
    Kind.UPLOAD: "a file",
    Kind.PERSON: "a person",
    Kind.ATTESTATION: "a declaration that the person alone can make",
    Kind.FORM: "a form",
    Kind.CUSTOM: "a value of its own",
}


def request_for(
    manifest: Manifest, texts: Texts, transcript: Iterable[Turn], tail: str = ""
) -> Request:
    """The request of a turn. `transcript` is all of the conversation so far, oldest first, with
    what the person has just said at its end; `tail` is a `facts_block`."""
    return Request(
        system=(rules(texts), described(manifest, texts)),
        tools=tools_for(manifest),
        transcript=tuple(transcript),
        tail=tail,
    )


def rules(texts: Texts) -> str:
    """How to behave, and who the journey's bot is."""
    persona = texts.find("talk.persona")
    return f"{RULES}\n\nWho you are\n{persona.strip()}" if persona else RULES


def described(manifest: Manifest, texts: Texts) -> str:
    """What the journey is about and what it must end up knowing, in the manifest's order."""
    about = texts.find("talk.about")
    steps = [item for item in manifest.items if item.gather is Gather.STEP]
    talk = [item for item in manifest.items if item.gather is Gather.TALK]
    parts = [f"What people may be told\n{about.strip()}"] if about else []
    if steps:
        parts.append(_listed("Items that a step gathers (never ask for these)", steps, texts))
    if talk:
        parts.append(_listed("Items that the talk gathers (you may ask for these)", talk, texts))
    return "\n\n".join(parts)


def _listed(title: str, items: list[Item], texts: Texts) -> str:
    return "\n".join([title, *(_item(item, texts) for item in items)])


def _item(item: Item, texts: Texts) -> str:
    head = f"- {item.name} ({texts.label(item.name)}): {_KINDS[item.value]}"
    notes = [
        "" if item.required else "optional",
        f"only when {_condition(item.when)}" if item.when else "",
        f"after {', '.join(item.needs)}" if item.needs else "",
        f"asked again when {' or '.join(item.depends_on)} changes" if item.depends_on else "",
        _bounds(item),
        "you may draft it when asked to, and suggest the draft" if item.draftable else "",
    ]
    lines = ["; ".join([head, *filter(None, notes)])]
    if item.options:
        named = (f"{key} = {texts.option(item.name, key)}" for key in item.options)
        lines.append(f"  options: {'; '.join(named)}")
    if item.fields:
        lines.append(f"  fields: {'; '.join(_field(one) for one in item.fields)}")
    lines += [f"  {said}" for part in ("ask", "about") if (said := _one_line(item, part, texts))]
    return "\n".join(lines)


def _one_line(item: Item, part: str, texts: Texts) -> str:
    # Unfilled: what a card fills in may change from turn to turn, and this must not.
    return " ".join((texts.find(f"items.{item.name}.{part}") or "").split())


def _field(field: FormField) -> str:
    return f"{field.name} ({_KINDS[field.value]}{'' if field.required else ', optional'})"


def _bounds(item: Item) -> str:
    limits = [
        f"at least {item.minimum}" if item.minimum is not None else "",
        f"at most {item.maximum}" if item.maximum is not None else "",
        f"{item.count[0]} to {item.count[1]} of them" if item.count else "",
        f"at least {item.min_length} characters" if item.min_length else "",
        f"at most {item.max_length} characters" if item.max_length else "",
    ]
    return ", ".join(filter(None, limits))


def _condition(condition: Condition) -> str:
    parts = [_test(name, test) for name, test in condition.tests.items()]
    if condition.any:
        parts.append(f"({' or '.join(_condition(part) for part in condition.any)})")
    parts += [f"not ({_condition(part)})" for part in condition.none]
    return " and ".join(parts) or "always"


def _test(name: str, test: Test) -> str:
    parts = [
        f"is {_either(test.one_of)}" if test.one_of is not None else "",
        f"is not {_either(test.none_of)}" if test.none_of is not None else "",
        f"is at least {_plain(test.at_least)}" if test.at_least is not None else "",
        f"is at most {_plain(test.at_most)}" if test.at_most is not None else "",
        "" if test.given is None else "is given" if test.given else "is not given",
    ]
    return f"{name} {' and '.join(filter(None, parts))}"


def _either(values: tuple[str | int | bool, ...]) -> str:
    return " or ".join(_plain(value) for value in values)


def _plain(value: str | float | bool) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
