"""Accounts as people write them: `telegram:12345`, `slack:T01/U02`; and who owns the bot."""

from __future__ import annotations

import re
from dataclasses import dataclass

_ACCOUNT = re.compile(r"(?P<channel>[a-z]+):(?:(?P<space>[\w-]+)[/:])?(?P<person>[\w-]+)")
_MENTION = re.compile(r"<@(?P<person>[A-Z0-9]+)(?:\|[^>]*)?>")

_SHAPES = {
    "telegram": re.compile(r"telegram:[1-9][0-9]{0,18}"),
    "slack": re.compile(r"slack:[A-Z0-9]+:[A-Z0-9]+"),
}
"""What accounts look like: where a channel numbers its people, a name is nobody's account."""

TERMINAL = "terminal"
"""Whoever sits at the keyboard of the machine owns what runs on it."""


CHANNELS = frozenset({*_SHAPES, TERMINAL})
"""The channels that there are, whichever of them a process serves."""


def read_account(text: str, near: str) -> str:
    """The account that somebody wrote, empty where it is none.

    `near` is the account of whoever wrote it: a person of Slack may be mentioned, or be named
    without their workspace where it is the same. From elsewhere nobody could tell which.
    """
    account = _read(text.strip().removeprefix("@"), near)
    shape = _SHAPES.get(account.partition(":")[0])
    return account if shape is None or shape.fullmatch(account) else ""


def _read(text: str, near: str) -> str:
    channel, *place = near.split(":")
    mentioned = _MENTION.fullmatch(text)
    if mentioned is not None and channel == "slack":
        return ":".join((channel, *place[:-1], mentioned["person"]))
    name, colon, rest = text.partition(":")
    found = _ACCOUNT.fullmatch(f"{name.casefold()}{colon}{rest}")
    if found is None:
        return ""
    own = place[:-1] if found["channel"] == channel else []
    spaces = [found["space"]] if found["space"] else own
    return ":".join((found["channel"], *spaces, found["person"]))


@dataclass(frozen=True)
class Owners:
    """The owners that the settings name. Without its workspace, `slack:U02` is a person of the one
    workspace that there is."""

    accounts: frozenset[str] = frozenset()

    @classmethod
    def of(cls, texts: str) -> Owners:
        """The owners by their accounts, with commas or spaces between them. Raises ValueError, with
        what to write, for what is none."""
        found = set()
        for text in texts.replace(",", " ").split():
            match = _ACCOUNT.fullmatch(text)
            if match is None:
                raise ValueError(
                    "write accounts such as telegram:12345 or slack:T01/U02, with commas between"
                    " them; /privacy tells people theirs"
                )
            found.add(":".join(filter(None, match.group("channel", "space", "person"))))
        return cls(frozenset(found))

    @property
    def without_workspace(self) -> frozenset[str]:
        """The people of Slack whose workspace is not named."""
        return frozenset(
            one for one in self.accounts if one.startswith("slack:") and one.count(":") == 1
        )

    def has(self, account: str) -> bool:
        """Whether an account owns the bot."""
        channel, *place = account.split(":")
        short = f"{channel}:{place[-1]}" if place else ""
        return channel == TERMINAL or account in self.accounts or short in self.accounts
