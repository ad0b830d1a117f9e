"""How far people come: a funnel by step, from the behaviour events alone."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from core.admin.base import Answer, Asked, Office, Outcome, said, unclear
from core.admin.journeys import named
from core.events import Happened
from core.manifest import Manifest
from core.posts import MADE, Attachment, Line, Post
from core.texts import Texts

RECIPE = "stats"
"""The first word of a funnel's recipe: `stats NAME DAYS LOCALE`; 0 days are all there were."""

DAY = 86_400.0

_MOST_DAYS = 3650

Counts = dict[tuple[str, str], int]
"""What happened to which item (by name; "" for none), and how often."""


@dataclass(frozen=True)
class Step:
    """One step of the funnel: how many came to it, and how many of them went on."""

    label: str
    reached: int
    passed: int


@dataclass(frozen=True)
class Funnel:
    """How many journeys were started, came through each step, and were submitted."""

    started: int
    steps: tuple[Step, ...]
    submitted: int


async def funnel(office: Office, name: str, days: int, texts: Texts) -> Funnel:
    """The funnel of a journey type over the last so many days, in the order of its items."""
    found = office.catalogue.latest(name)
    assert found is not None
    counts = await _counts(office, name, found.manifest, days * DAY or None)
    worded = found.speak(texts.locale)
    steps = [
        Step(
            label=worded.label(item.name),
            reached=counts.get((Happened.REACHED, item.name), 0),
            passed=counts.get((Happened.PASSED, item.name), 0),
        )
        for item in found.manifest.items
    ]
    submitted = counts.get((Happened.SUBMITTED, ""), 0)
    summary = counts.get((Happened.REACHED, ""), 0)
    steps.append(Step(label=texts("admin.summary_step"), reached=summary, passed=submitted))
    return Funnel(counts.get((Happened.STARTED, ""), 0), tuple(steps), submitted)


async def _counts(office: Office, name: str, current: Manifest, since: float | None) -> Counts:
    """An item's number is its place in its own version, so each version is read by itself."""
    counts: Counts = {}
    items: dict[str, tuple[str, ...]] = {}
    for one in await office.store.counted(name, since):
        if one.digest not in items:
            items[one.digest] = await _items(office, name, one.digest, current)
        names = items[one.digest]
        if one.item > len(names):
            continue
        key = (one.what, names[one.item - 1] if one.item else "")
        counts[key] = counts.get(key, 0) + one.count
    return counts


async def _items(office: Office, name: str, digest: str, current: Manifest) -> tuple[str, ...]:
    kept = await office.store.manifest(name, digest)
    manifest = Manifest.model_validate_json(kept) if kept is not None else current
    return tuple(item.name for item in manifest.items)


async def stats(asked: Asked) -> Answer:
    """The funnel of a journey as a picture and in lines: `stats [NAME] [DAYS]`."""
    words = list(asked.words)
    days = 0
    if words and words[-1].isdecimal():
        days = int(words.pop()[:9])
    if len(words) > 1:
        return unclear(asked, "stats")
    names = asked.office.catalogue.names()
    name = named(asked, "stats", words[0] if words else _first(asked))
    if isinstance(name, Answer):
        return name
    if days > _MOST_DAYS or not names:
        return said(asked, Outcome.UNCLEAR, "days_at_most", most=_MOST_DAYS)
    made = await funnel(asked.office, name, days, asked.texts)
    key = "over_days" if days else "over_all"
    title = asked.texts("admin.stats_title", name=name)
    over = asked.texts(f"admin.{key}", count=days)
    if not made.started:
        text = asked.texts("admin.no_stats", over=over)
        return Answer(Outcome.SHOWN, post=Post(id="stats", title=title, text=text), subject=name)
    share = f"{made.submitted / made.started:.0%}"
    text = asked.texts(
        "admin.stats_text", over=over, started=made.started, submitted=made.submitted, share=share
    )
    picture = Attachment(
        origin=MADE,
        ref=f"{RECIPE} {name} {days} {asked.locale}",
        name=f"{name}-funnel.png",
        mime="image/png",
    )
    post = Post(
        id="stats",
        title=title,
        text=text,
        lines=tuple(_line(asked.texts, one) for one in made.steps if one.reached),
        files=(picture,),
    )
    return Answer(Outcome.SHOWN, post=post, subject=f"{name} {days or ''}".strip())


def _first(asked: Asked) -> str:
    """The journey where none is named: the only one there is."""
    names = asked.office.catalogue.names()
    return names[0] if len(names) == 1 else ""


def _line(texts: Texts, one: Step) -> Line:
    share = f"{min(one.passed / one.reached, 1.0):.0%}"
    value = texts("admin.step", reached=one.reached, passed=one.passed, share=share)
    return Line(label=one.label, value=value)


@dataclass
class FunnelMaker:
    """Makes the picture when it is sent (see core.files.Files.makers)."""

    office: Office

    async def __call__(self, recipe: str) -> bytes:
        """The funnel of a recipe as a PNG."""
        name, days, locale = recipe.split()
        texts = self.office.texts(locale)
        made = await funnel(self.office, name, int(days), texts)
        return await asyncio.to_thread(picture, made, texts)


def picture(made: Funnel, texts: Texts) -> bytes:
    """A funnel as a PNG: of all that were started, how many came to each step, faintly, and how
    many went on, in full."""
    from core.plots import Bar, Row, bars, png

    whole = max(1, made.started)
    rows = [
        Row(
            label=_brief(one.label),
            bars=(
                Bar(
                    share=min(one.passed / whole, 1.0),
                    behind=min(one.reached / whole, 1.0),
                    says=texts("admin.bar", reached=one.reached, passed=one.passed),
                ),
            ),
        )
        for one in made.steps
        if one.reached
    ]
    series = texts("admin.bar_title", started=made.started)
    return png(bars(rows, (series,), least=1.0))


_WIDEST = 44
"""Characters of a label that the picture is wide enough for."""


def _brief(label: str) -> str:
    """A label that is seen to its end."""
    return label if len(label) <= _WIDEST else f"{label[: _WIDEST - 1].rstrip()}…"
