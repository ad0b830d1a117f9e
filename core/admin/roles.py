"""Giving and taking roles, and the record of what everybody did."""

from __future__ import annotations

from core.admin.base import (
    GRANTED,
    Answer,
    Asked,
    Outcome,
    Standing,
    paged,
    read_page,
    said,
    unclear,
)
from core.admin.naming import whose
from core.posts import Line, Post
from core.store.part import written

_PAGE = 10


async def grant(asked: Asked) -> Answer:
    """Give somebody a role: `grant ACCOUNT moderator`."""
    account, role = await whose(asked, "grant"), asked.word(1).casefold()
    if isinstance(account, Answer):
        return account
    if role not in GRANTED:
        return unclear(asked, "grant")
    subject = f"{written(account)} {role}"
    if GRANTED[role] >= asked.standing or await _is_above(asked, account):
        return said(asked, Outcome.REFUSED, "only_owner", subject)
    who = written(account)
    word = asked.texts(f"admin.role.{role}")
    if asked.office.owners.has(account):
        return said(asked, Outcome.ALREADY, "is_owner", subject, account=who)
    if await asked.store.is_blocked(account):
        return said(asked, Outcome.REFUSED, "grant_blocked", subject, account=who)
    await asked.store.grant(account, role, asked.account)
    return said(asked, Outcome.DONE, "granted", subject, account=who, role=word)


async def revoke(asked: Asked) -> Answer:
    """Take somebody's role away: `revoke ACCOUNT`."""
    account = await whose(asked, "revoke")
    if isinstance(account, Answer):
        return account
    subject = written(account)
    if asked.office.owners.has(account):
        return said(asked, Outcome.REFUSED, "is_owner", subject, account=subject)
    if await _is_above(asked, account):
        return said(asked, Outcome.REFUSED, "only_owner", subject)
    outcome = Outcome.DONE if await asked.store.revoke(account) else Outcome.ALREADY
    return said(asked, outcome, "revoked", subject, account=subject)


async def _is_above(asked: Asked, account: str) -> bool:
    """Whether somebody's role is not for this person to change: an admin's is the owners'."""
    if asked.standing is Standing.OWNER:
        return False
    return await asked.office.standing(account) >= asked.standing


async def roles(asked: Asked) -> Answer:
    """Who may do what."""
    lines = [
        Line(label=written(one), value=asked.texts("admin.role.owner"))
        for one in sorted(asked.office.owners.accounts)
    ]
    for one in await asked.store.roles():
        role = asked.texts(f"admin.role.{one.role}")
        by = asked.texts("admin.given", role=role, by=written(one.by), when=asked.when(one.at))
        lines.append(Line(label=written(one.account), value=by))
    text = "" if lines else asked.texts("admin.no_roles")
    title = asked.texts("admin.roles_title")
    return Answer(Outcome.SHOWN, post=Post(id="roles", title=title, text=text, lines=tuple(lines)))


async def audit(asked: Asked) -> Answer:
    """What was done, the newest first."""
    page = read_page(asked)
    if not page:
        return unclear(asked, "audit")
    found = await asked.store.audits(_PAGE + 1, (page - 1) * _PAGE)
    lines = tuple(
        Line(
            label=asked.when(one.at),
            value=" · ".join(
                filter(
                    None, (written(one.account), f"{one.verb} {one.subject}".strip(), one.outcome)
                )
            ),
        )
        for one in found[:_PAGE]
    )
    post = Post(
        id="audit",
        title=asked.texts("admin.audit_title"),
        text="" if lines else asked.texts("admin.nothing_more"),
        lines=lines,
    )
    return Answer(Outcome.SHOWN, post=paged(post, asked, "audit", page, more=len(found) > _PAGE))
