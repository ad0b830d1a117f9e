"""What an admin's command is: who gave it, what it may look at, and what it answers."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum, StrEnum
from functools import cache
from importlib import resources
from pathlib import Path

import msgspec

from core import values
from core.admin.accounts import Owners
from core.admin.pulse import Pulse
from core.admin.watch import Watch
from core.catalogue import Catalogue
from core.channel import Channel
from core.manifest import Kind
from core.posts import Action, Post
from core.store import Store
from core.texts import Texts, parse
from core.turn.zones import local


class Standing(IntEnum):
    """What somebody may do: each may all that those before may."""

    NOBODY = 0
    MODERATOR = 1
    ADMIN = 2
    OWNER = 3


NAME = "admin"
"""The command that all others stand behind."""

GRANTED = {"moderator": Standing.MODERATOR, "admin": Standing.ADMIN}
"""The roles that are given in the chat."""


class Outcome(StrEnum):
    """What came of a command, as its record says."""

    SHOWN = "shown"
    DONE = "done"
    ALREADY = "already done"
    ASKED = "asked to be sure"
    UNCLEAR = "not understood"
    UNKNOWN = "not found"
    REFUSED = "refused"
    FAULTY = "faulty"


@dataclass
class Office:
    """What the people who run the bot work with. `data` is the folder of what the bot writes,
    `ring` wakes whoever takes turns; `locale` and `zone` are those of the moderators' chats,
    which may be named by a variable of the `environment`. `called` is what the command of all
    these is called, by channel, where it is not `admin`."""

    store: Store
    catalogue: Catalogue
    channels: Mapping[str, Channel]
    clock: Callable[[], datetime]
    ring: Callable[[], None]
    data: Path
    pulse: Pulse
    owners: Owners = field(default_factory=Owners)
    watch: Watch = field(default_factory=Watch)
    locale: str = "en"
    zone: str = "UTC"
    environment: Mapping[str, str] = field(default_factory=dict)
    called: Mapping[str, str] = field(default_factory=dict)

    async def standing(self, account: str) -> Standing:
        """What an account may do."""
        if self.owners.has(account):
            return Standing.OWNER
        return GRANTED.get(await self.store.role_of(account), Standing.NOBODY)

    def texts(self, locale: str, channel: str = "") -> Texts:
        """The texts of a language, with commands as people type them in a channel."""
        known = self.channels.get(channel)
        command = known.command if known is not None else "/"
        return Texts(locale, admin_texts(self.called.get(channel) or NAME), command)


@dataclass(frozen=True)
class Asked:
    """A command that somebody gave in a lane: `words` stand behind its name. `key` is its own, the
    same when it is carried out again after a crash; `post` is the post whose button it was, if
    any."""

    office: Office
    lane: str
    key: str
    account: str
    name: str
    standing: Standing
    words: tuple[str, ...]
    texts: Texts
    zone: str
    post: str = ""

    @property
    def store(self) -> Store:
        """The store."""
        return self.office.store

    @property
    def locale(self) -> str:
        """The language of whoever asked."""
        return self.texts.locale

    def word(self, place: int) -> str:
        """The word at a place, from 0; empty where there is none."""
        return self.words[place] if 0 <= place < len(self.words) else ""

    def rest(self, place: int) -> str:
        """All words from a place on."""
        return " ".join(self.words[place:])

    def number(self, place: int = 0) -> int:
        """The word at a place as a number above 0 (`12`, `#12`); 0 where it is none."""
        word = self.word(place).removeprefix("#")
        return int(word) if word.isascii() and word.isdecimal() and len(word) < 16 else 0

    def when(self, moment: datetime) -> str:
        """A moment on the clock of whoever asked."""
        return shown_at(moment, self.zone, self.locale)


@dataclass(frozen=True)
class Answer:
    """What a command answers, and what its record says: the outcome, and the `subject`, which is
    a number, a name or an account, and never anybody's words. `told`: the post whose button it was
    says the same, so that the text need not be a message."""

    outcome: Outcome
    text: str = ""
    post: Post | None = None
    subject: str = ""
    told: bool = False


Handler = Callable[[Asked], Awaitable[Answer]]


@dataclass(frozen=True)
class Verb:
    """A command: who may give it at least, what carries it out, and how many words it takes at
    most, None for any number. How it is written is the text `usage.<name>`, what it is for
    `help.<name>`."""

    name: str
    least: Standing
    carry_out: Handler
    most: int | None = None

    def takes(self, words: tuple[str, ...]) -> bool:
        """Whether all of the words can be meant for it. One word more than it knows is never left
        unread: whoever wrote it meant something by it."""
        return self.most is None or len(words) <= self.most


def said(asked: Asked, outcome: Outcome, key: str, subject: str = "", **filled: object) -> Answer:
    """An answer in one text."""
    return Answer(outcome, asked.texts(f"admin.{key}", **filled), subject=subject)


def unclear(asked: Asked, verb: str) -> Answer:
    """What to write for a command that lacks something."""
    usage = asked.texts(f"admin.usage.{verb}")
    return said(asked, Outcome.UNCLEAR, "write", usage=usage)


def no_account(asked: Asked, verb: str) -> Answer:
    """What to write where an account was wanted: what is wrong with the word that was written."""
    text = asked.word(0)
    if not text:
        return unclear(asked, verb)
    return said(asked, Outcome.UNCLEAR, "no_account", text=text[:40])


def read_page(asked: Asked) -> int:
    """The page that is wanted, from 1; 0 for what is none."""
    return asked.number() if asked.words else 1


def paged(post: Post, asked: Asked, command: str, page: int, *, more: bool) -> Post:
    """A post with the buttons that turn its pages: `command` shows the first one."""
    turns = []
    if page > 1:
        back = command if page == 2 else f"{command} {page - 1}"
        turns.append(Action(command=back, label=asked.texts("admin.back")))
    if more:
        turns.append(Action(command=f"{command} {page + 1}", label=asked.texts("admin.more")))
    return msgspec.structs.replace(post, actions=(*post.actions, *turns))


def shown_at(moment: datetime, zone: str, locale: str) -> str:
    """A moment as people read it, on the clock of a zone."""
    text = local(zone, moment).replace(tzinfo=None).isoformat(timespec="minutes")
    return values.shown(Kind.DATETIME, text, locale)


@cache
def admin_texts(name: str = NAME) -> dict[str, dict[str, str]]:
    """What is said to the people who run the bot, by language: a file each in `wording/`. `name`
    is what their command is called."""
    if name != NAME:
        return {
            language: {key: _CALLED.sub(f"/{name}", text) for key, text in texts.items()}
            for language, texts in admin_texts().items()
        }
    folder = resources.files("core.admin").joinpath("wording")
    return {
        file.name.removesuffix(".yaml"): parse(file.read_text("utf-8"))
        for file in folder.iterdir()
        if file.name.endswith(".yaml")
    }


_CALLED = re.compile(rf"(?<!\w)/{NAME}\b")
"""The command in a text."""
