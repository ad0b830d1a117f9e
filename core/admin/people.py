"""People: who is not talked with, and whose everything is deleted."""

from __future__ import annotations

from core.admin.accounts import read_account, written
from core.admin.base import Answer, Asked, Outcome, Standing, no_account, said
from core.posts import Action, Post, Tone
from core.store.part import account_of

SURE = "yes"
"""What stands behind a command that is meant for certain."""


async def _whose(asked: Asked, verb: str) -> str | Answer:
    """The account that is meant, by itself or by the number of a submission."""
    number = asked.number()
    if number:
        found = await asked.store.submission(number)
        if found is None:
            return said(asked, Outcome.UNKNOWN, "no_submission", number=number)
        return account_of(found.lane)
    return read_account(asked.word(0), asked.account) or no_account(asked, verb)


async def block(asked: Asked) -> Answer:
    """Somebody is not talked with any more: `block ACCOUNT [reason]`."""
    account = await _whose(asked, "block")
    if isinstance(account, Answer):
        return account
    who = written(account)
    standing = await asked.office.standing(account)
    if standing is not Standing.NOBODY:
        key = "block_owner" if standing is Standing.OWNER else "block_none"
        return said(asked, Outcome.REFUSED, key, who, account=who)
    was = await asked.store.block(account, asked.account, asked.rest(1))
    return said(asked, Outcome.DONE if was else Outcome.ALREADY, "blocked", who, account=who)


async def unblock(asked: Asked) -> Answer:
    """Somebody is talked with again: `unblock ACCOUNT`."""
    account = await _whose(asked, "unblock")
    if isinstance(account, Answer):
        return account
    who = written(account)
    was = await asked.store.unblock(account)
    return said(asked, Outcome.DONE if was else Outcome.ALREADY, "unblocked", who, account=who)


async def erase(asked: Asked) -> Answer:
    """Everything of somebody is deleted: `erase ACCOUNT`, and for certain `erase ACCOUNT yes`."""
    account = await _whose(asked, "erase")
    if isinstance(account, Answer):
        return account
    who = written(account)
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
