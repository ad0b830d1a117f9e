"""The door of those who run the bot: their commands never reach a journey.

Every command has a record of its own, whatever comes of it, and is carried out again where a
process ended before its answer was stored: so none has a second effect.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import msgspec

from core.admin.base import NAME, Answer, Asked, Office, Outcome, Standing, said, unclear
from core.admin.naming import words_of
from core.admin.verbs import VERBS, nearest_verb, verbs_of
from core.effects import Effect, Effects, Put, Say, Toast
from core.posts import Post
from core.replies import Act, Command, Reply
from core.state import Conversation
from core.store.part import account_in, channel_of

TOAST = 180
"""Characters of an answer that is short enough to be shown on the button itself; a longer one is a
message. Telegram takes 200."""

_SHOWS_ANEW = ("queue", "show")
"""Commands whose post is shown anew where one of its buttons has done something."""


@dataclass
class AdminDoor:
    """A door (see core.runtime.doors)."""

    office: Office

    async def answer(self, lane: str, state: Conversation, reply: Reply) -> Effects | None:
        """What comes of an admin's command; None for everything else."""
        await self.office.watch.look()
        if isinstance(reply, Act):
            words = tuple(f"{reply.command} {reply.words}".split())
        elif isinstance(reply, Command) and reply.name == NAME:
            words = words_of(lane, reply)
        else:
            return None
        account = account_in(lane, reply.by)
        asked = Asked(
            office=self.office,
            lane=lane,
            key=f"{lane}:{state.turn + 1}",
            account=account,
            name=state.person.name,
            standing=await self.office.standing(account),
            words=words,
            texts=self.office.texts(state.person.locale, channel_of(lane)),
            zone=state.person.zone if state.person.zone_known else self.office.zone,
            post=reply.post if isinstance(reply, Act) else "",
        )
        return Effects(show=_shown(reply, await self._carried_out(asked), state.turn + 1))

    async def _carried_out(self, asked: Asked) -> Answer:
        if asked.standing is Standing.NOBODY:
            # Once a day: nobody who has no part in this can fill the record.
            day = self.office.clock().date().isoformat()
            key = f"{asked.lane}:refused:{day}"
            await self._record(replace(asked, key=key), NAME, Outcome.REFUSED)
            return said(asked, Outcome.REFUSED, "nobody")
        name = asked.word(0).casefold().removeprefix("/") or "help"
        verb = verbs_of(asked.standing).get(name)
        if verb is None:
            near = nearest_verb(name, asked.standing)
            key = "meant" if near else "unknown"
            # A word that is no command may be anything, and is not written down.
            above = any(one.name == name for one in VERBS)
            outcome = Outcome.REFUSED if above else Outcome.UNCLEAR
            await self._record(asked, name if above else "?", outcome)
            return said(asked, Outcome.UNCLEAR, key, name=name[:40], near=near)
        asked = replace(asked, words=asked.words[1:])
        await asked.store.audited(asked.key, asked.account, verb.name)
        takes = verb.takes(asked.words)
        answer = await verb.carry_out(asked) if takes else unclear(asked, verb.name)
        await asked.store.audited(
            asked.key, asked.account, verb.name, answer.subject, answer.outcome.value
        )
        return await self._with_post(asked, answer)

    async def _record(self, asked: Asked, verb: str, outcome: Outcome) -> None:
        await asked.store.audited(asked.key, asked.account, verb, "", outcome.value)

    async def _with_post(self, asked: Asked, answer: Answer) -> Answer:
        """The answer with the post anew that its button stands below: it looks otherwise now."""
        shows, _, _ = asked.post.partition("-")
        if answer.post is not None or shows not in _SHOWS_ANEW:
            return answer
        words = asked.words[:1] if shows == "show" else ()
        anew = await verbs_of(asked.standing)[shows].carry_out(replace(asked, words=words))
        return replace(answer, post=anew.post)


def _shown(reply: Reply, answer: Answer, turn: int) -> tuple[Effect, ...]:
    """An answer as it is shown to whoever asked, and to nobody else."""
    show: list[Effect] = []
    text = answer.text
    if isinstance(reply, Act) and reply.handle:
        brief = text if len(text) <= TOAST else ""
        show.append(Toast(text=brief, to=reply.handle, told=answer.told))
        text = "" if brief else text
    if isinstance(reply, Act) and answer.told:
        text = ""
    if answer.post is not None:
        show.append(Put(post=_placed(reply, answer.post, turn), personal=True))
    if text:
        show.append(Say(text=text, personal=True))
    return tuple(show)


def _placed(reply: Reply, post: Post, turn: int) -> Post:
    """The post with its id: below whose button it was asked for, it is changed where it stands."""
    of_same = isinstance(reply, Act) and reply.post.startswith(f"{post.id}-")
    name = reply.post if isinstance(reply, Act) and of_same else f"{post.id}-{turn}"
    return msgspec.structs.replace(post, id=name)
