"""All that waits or is stuck: what is to be decided, on its way, or given up."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from math import ceil

from core.admin import showing
from core.admin.base import Answer, Asked, Outcome, Standing, paged, read_page, said, unclear
from core.posts import Action, Line, Post, Tone
from core.store import Delivery, Parked, Queue, Stage, Submitted

PAGE = 5
"""Entries on a page of what waits: each has its own buttons."""

_PARKED = (Queue.INBOX, Queue.OUTBOX)


@dataclass(frozen=True)
class _Entry:
    """One thing that waits, and what can be done about it."""

    line: Line
    actions: tuple[Action, ...] = ()


@dataclass(frozen=True)
class _Kind:
    """One kind of what waits: how much of it there is, and so many entries of it from one on."""

    count: int
    some: Callable[[int, int], Awaitable[list[_Entry]]]


async def queue(asked: Asked) -> Answer:
    """What waits for a decision; for admins, what is stuck or fails on its way as well."""
    page = read_page(asked)
    if not page:
        return unclear(asked, "queue")
    kinds = [await _undecided(asked)]
    counts = [asked.texts("admin.waiting_count", count=kinds[0].count)]
    if asked.standing >= Standing.ADMIN:
        stuck = [await _deliveries(asked), *[await _given_up(asked, one) for one in _PARKED]]
        moving = await asked.store.count_pending_deliveries()
        counts.append(asked.texts("admin.moving_count", count=moving))
        counts.append(asked.texts("admin.stuck_count", count=sum(one.count for one in stuck)))
        kinds += [*stuck, await _failing(asked)]
    # Pages that were there a moment ago may be none now.
    whole = sum(one.count for one in kinds)
    page = min(page, max(ceil(whole / PAGE), 1))
    shown = await _shown(kinds, (page - 1) * PAGE)
    post = Post(
        id="queue",
        title=asked.texts("admin.queue_title"),
        text="\n".join([*counts, *([] if shown else [asked.texts("admin.nothing_here")])]),
        lines=tuple(one.line for one in shown),
        actions=tuple(action for one in shown for action in one.actions),
    )
    return Answer(Outcome.SHOWN, post=paged(post, asked, "queue", page, more=whole > page * PAGE))


async def _shown(kinds: Sequence[_Kind], first: int) -> list[_Entry]:
    """A page of all that waits, one kind after the other, from this one on."""
    shown: list[_Entry] = []
    for kind in kinds:
        if first < kind.count and len(shown) < PAGE:
            shown += await kind.some(PAGE - len(shown), first)
        first = max(first - kind.count, 0)
    return shown


async def _undecided(asked: Asked) -> _Kind:
    async def some(limit: int, offset: int) -> list[_Entry]:
        numbers = await asked.store.undecided(limit, offset)
        found = [await asked.store.submission(number) for number in numbers]
        return [await _waits(asked, one) for one in found if one is not None]

    return _Kind(await asked.store.count_undecided(), some)


async def _waits(asked: Asked, one: Submitted) -> _Entry:
    title = await showing.title_of(asked.office, one, asked.locale)
    value = asked.texts("admin.waits_since", title=title, when=asked.when(one.at))
    label = asked.texts("admin.show_button", number=one.id)
    look = Action(command=f"show {one.id}", label=label)
    return _Entry(Line(label=f"#{one.id}", value=value), (look,))


async def _deliveries(asked: Asked) -> _Kind:
    async def some(limit: int, offset: int) -> list[_Entry]:
        return [_delivery(asked, one) for one in await asked.store.dead_letters(limit, offset)]

    return _Kind(await asked.store.count_dead_letters(), some)


async def _failing(asked: Asked) -> _Kind:
    """What is tried again by itself, and why it has not arrived: often there is something to mend,
    and days to do it."""

    async def some(limit: int, offset: int) -> list[_Entry]:
        return [_delivery(asked, one) for one in await asked.store.failing(limit, offset)]

    return _Kind(await asked.store.count_failing(), some)


def _delivery(asked: Asked, one: Delivery) -> _Entry:
    made = one.submitted
    label = f"#{made.id} {made.submission.manifest} → {one.destination}"
    return _Entry(Line(label=label, value=how_far(asked, one)), stuck_actions(asked, one))


def how_far(asked: Asked, one: Delivery) -> str:
    """How far a delivery is."""
    failing = one.stage is Stage.PENDING and one.error
    key = "failing" if failing else one.stage.value
    return asked.texts(f"admin.way.{key}", error=one.error)


def stuck_actions(asked: Asked, one: Delivery) -> tuple[Action, ...]:
    """What can be done about a delivery that is stuck."""
    if not one.stage.is_stuck or asked.standing < Standing.ADMIN:
        return ()
    which = f"{one.submitted.id} {one.destination}"
    label = asked.texts("admin.resend_button", which=f"#{which}")
    again = Action(command=f"resend {which}", label=label)
    if one.stage is Stage.DEAD:
        return (again,)
    label = asked.texts("admin.arrived_button", which=f"#{which}")
    return (again, Action(command=f"arrived {which}", label=label, tone=Tone.GOOD))


async def _given_up(asked: Asked, queue: Queue) -> _Kind:
    async def some(limit: int, offset: int) -> list[_Entry]:
        return [_parked(asked, one) for one in await asked.store.parked(queue, limit, offset)]

    return _Kind(await asked.store.count_parked(queue), some)


def _parked(asked: Asked, one: Parked) -> _Entry:
    label = asked.texts(f"admin.parked.{one.queue.value}", number=one.id)
    value = asked.texts("admin.given_up", lane=one.lane, error=one.error, when=asked.when(one.at))
    again = asked.texts("admin.retry_button", which=f"{one.queue.value} {one.id}")
    action = Action(command=f"retry {one.queue.value} {one.id}", label=again)
    return _Entry(Line(label=label, value=value), (action,))


async def retry(asked: Asked) -> Answer:
    """Try again what was given up: `retry inbox N`, `retry outbox N`."""
    kind, number = asked.word(0).casefold(), asked.number(1)
    if kind not in {one.value for one in _PARKED} or not number:
        return unclear(asked, "retry")
    done = await asked.store.unpark(Queue(kind), number)
    asked.office.ring()
    asked.store.outgoing.ring()
    outcome, key = (Outcome.DONE, "retried") if done else (Outcome.ALREADY, "not_parked")
    return said(asked, outcome, key, f"{kind} {number}", kind=kind, number=number)
