"""Deciding about a submission: once, whoever is first, with all that follows from it."""

from __future__ import annotations

from dataclasses import replace

from core import submitted
from core.admin import showing
from core.admin.base import Answer, Asked, Outcome, Standing, said, unclear
from core.admin.chats import Moderators, verdict_line
from core.replies import Command
from core.state import Returned
from core.store.deliveries import Submitted
from core.store.moderation import Consequences, Decided, Verdict, post_of
from core.store.part import account_of
from core.turn.moderated import APPROVED, CHANGES, REJECTED, told

_TOLD = {
    Verdict.APPROVED: APPROVED,
    Verdict.CHANGES: CHANGES,
    Verdict.REJECTED: REJECTED,
}
_VERB = {
    Verdict.APPROVED: "approve",
    Verdict.CHANGES: "changes",
    Verdict.REJECTED: "reject",
}


async def approve(asked: Asked) -> Answer:
    """A submission is delivered: `approve N`."""
    return await _decide(asked, Verdict.APPROVED)


async def changes(asked: Asked) -> Answer:
    """Words go back to the person, who changes it and sends it again: `changes N words`."""
    return await _decide(asked, Verdict.CHANGES)


async def reject(asked: Asked) -> Answer:
    """A submission is not taken, for a reason that the person is told: `reject N reason`."""
    return await _decide(asked, Verdict.REJECTED)


async def _decide(asked: Asked, verdict: Verdict) -> Answer:
    number, words = asked.number(), asked.rest(1)
    if not number or (verdict is not Verdict.APPROVED and not words):
        return unclear(asked, _VERB[verdict])
    one = await asked.store.submission(number)
    if one is None:
        return said(asked, Outcome.UNKNOWN, "no_submission", str(number), number=number)
    before = await asked.store.decided(number)
    if before is None:
        return said(asked, Outcome.REFUSED, "not_moderated", str(number), number=number)
    if account_of(one.lane) == asked.account and asked.standing < Standing.OWNER:
        return said(asked, Outcome.REFUSED, "own_submission", str(number), number=number)
    made = Decided(number, verdict, asked.account, asked.name, words, asked.office.clock())
    after = await asked.store.decide(made, await _consequences(asked, one, made))
    asked.office.ring()
    asked.store.outgoing.ring()
    if after is None:
        # Erased since it was read.
        return said(asked, Outcome.UNKNOWN, "no_submission", str(number), number=number)
    return _told(asked, made, before, after)


def _told(asked: Asked, made: Decided, before: Decided, after: Decided) -> Answer:
    subject = str(made.number)
    if after.verdict is made.verdict and after.account == made.account:
        outcome = Outcome.DONE if before.waits else Outcome.ALREADY
        done = said(asked, outcome, f"did.{made.verdict.value}", subject, number=made.number)
        return replace(done, told=asked.post == post_of(made.number))
    by = verdict_line(asked.texts, after, asked.when)
    return said(asked, Outcome.ALREADY, "decided_by", subject, number=made.number, verdict=by)


async def _consequences(asked: Asked, one: Submitted, made: Decided) -> Consequences:
    office = asked.office
    type_ = await showing.type_of(office, one)
    approved = made.verdict is Verdict.APPROVED
    goes_to = type_.manifest.destinations if type_ is not None and approved else ()
    chat, show = await Moderators(office).decided(one, made)
    return Consequences(
        person=one.lane,
        tell=Command(
            name=_TOLD[made.verdict],
            argument=told(await _returned(asked, one, made)),
            by=one.submission.person,
            at=office.clock(),
        ),
        destinations=tuple(goes.name for goes in goes_to),
        chat=chat,
        show=show,
    )


async def _returned(asked: Asked, one: Submitted, made: Decided) -> Returned:
    """What the person is told; where they are to change it, with all that they sent."""
    state = await asked.store.conversation(one.lane)
    locale = state.person.locale if state is not None else asked.office.locale
    title = await showing.title_of(asked.office, one, locale)
    if made.verdict is not Verdict.CHANGES:
        return Returned(number=made.number, title=title, words=made.reason)
    sent = one.submission
    return Returned(
        number=made.number,
        title=title,
        words=made.reason,
        journey=sent.journey,
        manifest=sent.manifest,
        digest=sent.digest,
        content=submitted.values_of(sent),
        sources=sent.sources,
    )
