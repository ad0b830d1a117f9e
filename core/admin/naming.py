"""Who is meant by a word of a command: an account, a handle, the number of what somebody sent in.

Whoever is called by a mention, or whose message is answered with the command, stands in its words
by their account: it is the platform that says who that is.
"""

from __future__ import annotations

from core.admin.accounts import CHANNELS, read_account
from core.admin.base import Answer, Asked, Outcome, no_account, said
from core.replies import Command, Somebody
from core.store.part import account_in, account_of, channel_of, written

ABOUT = frozenset({"grant", "revoke", "block", "unblock", "erase"})
"""The commands whose first word says whom they are about."""

_HOW = {"slack": "mention"}
"""How somebody can be meant who is not known by their handle; an answer to them elsewhere."""

_NOBODY = "!"
"""What stands, with the reason why, for whom no command can be about."""


def words_of(lane: str, command: Command) -> tuple[str, ...]:
    """The words of a command that somebody gave in a lane, with accounts for whom it means."""
    text = command.argument
    name = text.partition(" ")[0].casefold().removeprefix("/")
    for one in command.people:
        text = text.replace(one.said, _stands_for(lane, name, one), 1) if one.said else text
    words = text.split()
    if command.answers is None or name not in ABOUT or _names_somebody(words[1:]):
        return tuple(words)
    return (words[0], _stands_for(lane, name, command.answers), *words[1:])


def _names_somebody(words: list[str]) -> bool:
    return bool(words) and (words[0].startswith(("@", _NOBODY)) or ":" in words[0])


def _stands_for(lane: str, verb: str, one: Somebody) -> str:
    """The account of somebody; where they can have no part in this, why."""
    stranger = one.wrong in ("outside", "gone") and verb == "grant"
    if one.wrong in ("bot", "group") or stranger:
        return f"{_NOBODY}{one.wrong}"
    return written(account_in(lane, one.id)) if one.id else f"{_NOBODY}unknown"


async def whose(asked: Asked, verb: str, *, sender: bool = False) -> str | Answer:
    """The account that the first word of a command means, or what to write where it means none.

    With `sender`, a number is that of a submission and means who sent it in.
    """
    number, word = asked.number(), asked.word(0)
    if sender and number:
        found = await asked.store.submission(number)
        if found is None:
            return said(asked, Outcome.UNKNOWN, "no_submission", number=number)
        return account_of(found.lane)
    if word.startswith(_NOBODY) and (why := asked.texts.find(f"reason.person_{word[1:]}")):
        return Answer(Outcome.UNCLEAR, why)
    account = read_account(word, asked.account)
    if account and channel_of(account) in CHANNELS | set(asked.office.channels):
        return account
    if word.startswith("@") and ":" not in word:
        return await _by_handle(asked, word.removeprefix("@"))
    return no_account(asked, verb)


async def _by_handle(asked: Asked, handle: str) -> str | Answer:
    """Who goes by a handle here. Platforms tell a bot nobody's account by it, so only those are
    known who have written to the bot."""
    found = await asked.store.accounts_of(channel_of(asked.lane), handle)
    if len(found) == 1:
        return found[0]
    shown = " ".join(map(written, found))
    key = "several_handles" if found else f"no_handle_{_HOW.get(channel_of(asked.lane), 'answer')}"
    return said(asked, Outcome.UNKNOWN, key, handle=handle[:40], accounts=shown)
