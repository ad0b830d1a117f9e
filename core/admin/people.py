"""People: who is not talked with, and whose everything is deleted."""

from __future__ import annotations

from core.admin.base import Answer, Asked, Outcome, Standing, said
from core.admin.naming import whose
from core.posts import Action, Post, Tone
from core.store.part import written

SURE = "yes"
"""What stands behind a command that is meant for certain."""


async def block(asked: Asked) -> Answer:
    """Somebody is not talked with any more: `block ACCOUNT [reason]`."""
    account = await whose(asked, "block", sender=True)
    if isinstance(account, Answer):
        return account
    who = written(account)
    if (refused := await _runs_it(asked, account)) is not None:
        return refused
    was = await asked.store.block(account, asked.account, asked.rest(1))
    return said(asked, Outcome.DONE if was else Outcome.ALREADY, "blocked", who, account=who)


async def _runs_it(asked: Asked, account: str) -> Answer | None:
    """The refusal to do this to somebody who runs the bot, too; None for all others."""
    standing, who = await asked.office.standing(account), written(account)
    if standing is Standing.NOBODY:
        return None
    key = "block_owner" if standing is Standing.OWNER else "block_none"
    return said(asked, Outcome.REFUSED, key, who, account=who)


async def unblock(asked: Asked) -> Answer:
    """Somebody is talked with again: `unblock ACCOUNT`."""
    account = await whose(asked, "unblock", sender=True)
    if isinstance(account, Answer):
        return account
    who = written(account)
    was = await asked.store.unblock(account)
    return said(asked, Outcome.DONE if was else Outcome.ALREADY, "unblocked", who, account=who)


async def erase(asked: Asked) -> Answer:
    """Everything of somebody is deleted: `erase ACCOUNT`, and for certain `erase ACCOUNT yes`."""
    account = await whose(asked, "erase", sender=True)
    if isinstance(account, Answer):
        return account
    who = written(account)
    if (refused := await _runs_it(asked, account)) is not None:
        return refused
    if asked.word(1).casefold() == SURE:
        was = await asked.store.ask_to_erase(account, asked.account)
        return said(asked, Outcome.DONE if was else Outcome.ALREADY, "erased", who, account=who)
    sent = await asked.store.submissions(account)
    sure = Action(
        command=f"erase {who} {SURE}", label=asked.texts("admin.erase_yes"), tone=Tone.BAD
    )
    post = Post(
        id="erase",
        title=asked.texts("admin.erase_title", account=who),
        text=asked.texts("admin.erase_sure", account=who, count=len(sent)),
        actions=(sure,),
    )
    return Answer(Outcome.ASKED, post=post, subject=who)
