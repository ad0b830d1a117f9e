"""All that waits or is stuck: what is to be decided, on its way, or given up."""

from __future__ import annotations

from dataclasses import dataclass

from core.admin import showing
from core.admin.base import Answer, Asked, Outcome, Standing, paged, read_page, said, unclear
from core.posts import Action, Line, Post, Tone
from core.store import Parked, Queue
from core.store.looking import OnItsWay, Way

PAGE = 5
"""Entries on a page of what waits: each has its own buttons."""

_PARKED = (Queue.INBOX, Queue.OUTBOX)


@dataclass(frozen=True)
class _Entry:
    """One thing that waits, and what can be done about it."""

    line: Line
    actions: tuple[Action, ...] = ()


async def queue(asked: Asked) -> Answer:
    """What waits for a decision; for admins, what is on its way or stuck as well."""
    page = read_page(asked)
    if not page:
        return unclear(asked, "queue")
    counts, entries = [], [*await _undecided(asked)]
    counts.append(asked.texts("admin.waiting_count", count=len(entries)))
    if asked.standing >= Standing.ADMIN:
        stuck = [*await _deliveries(asked), *await _given_up(asked)]
        moving = len(await asked.store.on_their_way(ways=(Way.WAITING,)))
        counts.append(asked.texts("admin.moving_count", count=moving))
        counts.append(asked.texts("admin.stuck_count", count=len(stuck)))
        entries += stuck
    shown = entries[(page - 1) * PAGE : page * PAGE]
    post = Post(
        id="queue",
        title=asked.texts("admin.queue_title"),
        text="\n".join([*counts, *([] if shown else [asked.texts("admin.nothing_here")])]),
        lines=tuple(one.line for one in shown),
        actions=tuple(action for one in shown for action in one.actions),
    )
    more = len(entries) > page * PAGE
    return Answer(Outcome.SHOWN, post=paged(post, asked, "queue", page, more=more))


async def _undecided(asked: Asked) -> list[_Entry]:
    entries = []
    for number in await asked.store.undecided(_MOST):
        found = await asked.store.submission(number)
        if found is None:
            continue
        title = await showing.title_of(asked.office, found, asked.locale)
        value = asked.texts("admin.waits_since", title=title, when=asked.when(found.at))
        look = Action(
            command=f"show {number}", label=asked.texts("admin.show_button", number=number)
        )
        entries.append(_Entry(Line(label=f"#{number}", value=value), (look,)))
    return entries


_MOST = 200
"""As much of each kind is listed."""


async def _deliveries(asked: Asked) -> list[_Entry]:
    stuck = await asked.store.on_their_way(ways=(Way.UNKNOWN, Way.DEAD), limit=_MOST)
    return [_delivery(asked, one) for one in stuck]


def _delivery(asked: Asked, one: OnItsWay) -> _Entry:
    label = f"#{one.submission} {one.manifest} → {one.destination}"
    value = asked.texts(f"admin.way.{one.way.value}", error=one.error, tries=one.tries)
    return _Entry(Line(label=label, value=value), stuck_actions(asked, one))


def stuck_actions(asked: Asked, one: OnItsWay) -> tuple[Action, ...]:
    """What can be done about a delivery that is stuck."""
    if one.way not in (Way.DEAD, Way.UNKNOWN) or asked.standing < Standing.ADMIN:
        return ()
    which = f"{one.submission} {one.destination}"
    label = asked.texts("admin.resend_button", which=f"#{which}")
    again = Action(command=f"resend {which}", label=label)
    if one.way is Way.DEAD:
        return (again,)
    label = asked.texts("admin.arrived_button", which=f"#{which}")
    return (again, Action(command=f"arrived {which}", label=label, tone=Tone.GOOD))


async def _given_up(asked: Asked) -> list[_Entry]:
    found = [one for one in await asked.store.parked() if one.queue in _PARKED]
    return [_parked(asked, one) for one in found[:_MOST]]


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
