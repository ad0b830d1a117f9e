"""Whoever is named is somebody whom the person named, or whom the platform told of (G2)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec

from core.draft import Source, Value
from core.evals.guarantees import Judge, Look
from core.evals.screen import Screen
from core.replies import Reply, Shared, Somebody, Submit
from core.state import Conversation
from core.turn import Taken
from tests.support.chat import Chat, Types
from tests.support.helper_folder import handover_type

KIM = Somebody(id="7", handle="kim", name="Kim Lindner")


class Seen:
    """A chat, and the looks at its turns."""

    def __init__(self) -> None:
        self.looks: list[Look] = []
        self.chat = Chat(Types((handover_type(),)), watch=self._watch)
        self.chat.commands("new", "handover")

    def _watch(self, chat: Chat, reply: Reply, before: Conversation, taken: Taken) -> None:
        screen = Screen([replace(one) for one in chat.view.messages], [], dict(chat.view.drawn))
        self.looks.append(Look(chat.types, reply, before, taken, screen, [*chat.notes]))

    def judged(self, look: Look) -> set[str]:
        judge = Judge()
        for earlier in self.looks[:-1]:
            assert judge.look(earlier) == []
        return {one.guarantee for one in judge.look(look)}

    def had(self, **changes: Any) -> Look:
        """The last turn, had it written somebody else."""
        look = self.looks[-1]
        state = look.taken.state
        assert state.journey is not None
        value = state.journey.draft.values["helper"]
        other = Value(value={**value.value, **changes}, source=value.source, turn=value.turn)
        draft = msgspec.structs.replace(
            state.journey.draft, values={**state.journey.draft.values, "helper": other}
        )
        journey = msgspec.structs.replace(state.journey, draft=draft)
        taken = replace(look.taken, state=msgspec.structs.replace(state, journey=journey))
        return replace(look, taken=taken)


def test_who_is_picked_is_as_the_platform_told() -> None:
    for told in ("submit", "shared"):
        seen = Seen()
        chat = seen.chat
        who: dict[str, Any] = {
            "people": (KIM,),
            "card": chat.card.id,
            "by": chat.state.person.id,
            "at": chat.now,
        }
        picked = Shared(kind="person", **who)
        chat.reply(Submit(values={"value": "7"}, **who) if told == "submit" else picked)
        assert chat.draft["helper"]["id"] == "7"
        assert seen.judged(seen.looks[-1]) == set()
        assert "G2" in seen.judged(seen.had(id="8"))
        assert "G2" in seen.judged(seen.had(name="Mallory"))
        assert "G2" in seen.judged(seen.had(handle="mallory"))


def test_who_is_named_is_as_the_person_typed() -> None:
    seen = Seen()
    seen.chat.says("It's Kim Lindner, please")
    assert seen.judged(seen.looks[-1]) == set()
    assert "G2" in seen.judged(seen.had(id="7"))
    assert "G2" in seen.judged(seen.had(name="Mallory"))
    assert seen.chat.state.journey is not None
    assert seen.chat.state.journey.draft.values["helper"].source is Source.TYPED
