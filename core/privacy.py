"""What is held of a person is theirs: they get it as a file, and it goes when they say so.

`/privacy` itself is the turn's (see `core.turn.holdings`); what is behind it needs the store.
"""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from core.effects import Close, Effects, Put, Say
from core.posts import MADE, Action, Attachment, Post, Tone
from core.replies import Act, Command, Reply
from core.runtime.doors import taken_by
from core.state import Conversation, Status, is_open
from core.store import Store
from core.store.part import account_of
from core.texts import Texts
from core.turn import Taken
from core.turn.halfway import ended

COMMAND = "privacy"
RECIPE = "mine"
"""The first word of the recipe for the file of all that is held; the account follows it."""

_ID = "privacy"


@dataclass
class Privacy:
    """A door (see core.runtime.doors), and the maker of what is handed out (core.files)."""

    store: Store

    async def answer(self, lane: str, state: Conversation, reply: Reply) -> Effects | Taken | None:
        """What comes of asking for one's own; None for anything else. Nobody is asked about but
        whoever asks: another person's reply is never taken."""
        wish = _wish(reply)
        if wish is None or reply.by != state.person.id:
            return None
        texts = Texts(state.person.locale)
        match wish.split():
            case ["export"]:
                return _shown(_file(texts, account_of(lane)), state, reply)
            case ["erase"]:
                return _shown(_sure(texts), state, reply)
            case ["erase", "yes"]:
                await self.store.ask_to_erase(account_of(lane), account_of(lane))
                return _erased(state, texts)
            case ["keep"]:
                return _shown(Post(id=_ID, text=texts("privacy.kept")), state, reply)
            case _:
                return None

    async def make(self, account: str) -> bytes:
        """All that is held about a person, as JSON that a person can read, too."""
        held = msgspec.json.encode(await self.store.held(account))
        return msgspec.json.format(held, indent=2)


def is_about_privacy(reply: Reply) -> bool:
    """Whether somebody asks for what is held of them."""
    return _wish(reply) is not None


def _wish(reply: Reply) -> str | None:
    if isinstance(reply, Command) and reply.name == COMMAND:
        return reply.argument.casefold()
    if isinstance(reply, Act) and reply.command.startswith(f"{COMMAND} "):
        return reply.command.removeprefix(f"{COMMAND} ")
    return None


def _shown(post: Post, state: Conversation, reply: Reply) -> Effects:
    """The post, anew for whoever asks anew: one that stands further up would be changed where
    nobody looks. What its button does is seen where the button is."""
    beside = reply.post if isinstance(reply, Act) else ""
    own = beside if beside.startswith(f"{post.id}-") else f"{post.id}-{state.turn + 1}"
    placed = msgspec.structs.replace(post, id=own)
    return Effects(show=(Put(post=placed, personal=True),))


def _file(texts: Texts, account: str) -> Post:
    file = Attachment(
        origin=MADE, ref=f"{RECIPE} {account}", name="my-data.json", mime="application/json"
    )
    return Post(id="my-data", text=texts("privacy.export"), files=(file,))


def _sure(texts: Texts) -> Post:
    return Post(
        id=_ID,
        title=texts("privacy.erase_title"),
        text=texts("privacy.erase_sure"),
        actions=(
            Action(command=f"{COMMAND} erase yes", label=texts("privacy.erase_yes"), tone=Tone.BAD),
            Action(command=f"{COMMAND} keep", label=texts("privacy.erase_no")),
        ),
    )


def _erased(state: Conversation, texts: Texts) -> Taken:
    """The journey ends here: what is open goes with the rest, as soon as this has been said."""
    journey = state.journey
    closes: tuple[Close, ...] = ()
    if journey is not None and is_open(state):
        if journey.ask is not None and journey.ask.card:
            closes = (Close(card=journey.ask.card),)
        state = msgspec.structs.replace(state, journey=ended(journey, Status.CANCELLED))
    said = Say(text=texts("privacy.erasing"), personal=True)
    return taken_by(state, Effects(show=(*closes, said)))
