"""Tells the story of a chat that the runtime leads, for the referee: from what the person had in
mind, what was on the screen, and what was submitted."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from core import planner
from core.cards import Summary
from core.draft import Source
from core.effects import Draw, Effect, Say, Submission
from core.evals.acting import same
from core.evals.chat import Chat, Took
from core.evals.drawing import drawn
from core.evals.referee import Given, Sent, Story, Summed
from core.manifest import Kind
from core.prose import cut
from core.reading import read
from core.reading.result import Context, Outcome
from core.replies import Reply, Tap, Words
from core.state import Conversation
from core.turn.turning import Turning, World


class Teller:
    """Writes the story down, turn by turn."""

    def __init__(self, chat: Chat) -> None:
        self.chat = chat
        self.story = Story()

    def turn(
        self, number: int, took: Took, intent: Mapping[str, Any], mind: Mapping[str, Any]
    ) -> None:
        """One turn. `intent` is what the person meant to answer with this reply, by item; what
        came of anything else that they did is what they gave."""
        shown = took.taken.effects.show
        self.story.said[number] = drawn(shown)
        self.story.questions[number] = _asked_for(shown)
        self._given(number, took, intent, mind)
        for effect in shown:
            if isinstance(effect, Draw) and isinstance(effect.card, Summary):
                self._summed(number, effect.card)
        if took.taken.effects.submission is not None:
            self._sent(number, took, took.taken.effects.submission)

    def told(self) -> Story:
        """All of it."""
        journey = self.chat.journey
        if journey is not None:
            self.story.owed = planner.required(self.chat.type.manifest, journey.draft)
        return self.story

    def _given(
        self, number: int, took: Took, intent: Mapping[str, Any], mind: Mapping[str, Any]
    ) -> None:
        before, after = took.before.journey, took.taken.state.journey
        if after is None:
            return
        known = before.draft.values if before is not None and before.id == after.id else {}
        if not known:
            self.story.given.clear()
            self.story.summaries.clear()
        for name, value in after.draft.values.items():
            old = known.get(name)
            if old is not None and old.value == value.value:
                continue
            if value.source is Source.QUOTED and name not in intent:
                if name not in mind:
                    continue
                meant = mind[name]
            else:
                meant = intent.get(name, value.value)
            self.story.given.append(
                Given(
                    turn=number,
                    item=name,
                    # What is kept has more to it than what is in mind: a record's other fields.
                    value=value.value if same(meant, value.value) else meant,
                    record=self.chat.type.manifest.item(name).value is Kind.RECORD,
                    correction=old is not None,
                    spellings=(self._shown(took.taken.state, name, value.value),),
                )
            )

    def _summed(self, number: int, card: Summary) -> None:
        items = self.chat.type.manifest.by_name
        records = [row.item for row in card.rows if items[row.item].value is Kind.RECORD]
        shows = {row.item: row.value for row in card.rows}
        self.story.summaries.append(Summed(turn=number, shows=shows, records=tuple(records)))

    def _sent(self, number: int, took: Took, submission: Submission) -> None:
        content: dict[str, Any] = json.loads(submission.content)
        shown: dict[str, tuple[str, ...]] = {
            name: (self._shown(took.before, name, value),) for name, value in content.items()
        }
        self.story.sent = Sent(
            turn=number, content=content, spellings=shown, said_yes=self._says_yes(took.reply)
        )

    def _says_yes(self, reply: Reply) -> bool:
        if isinstance(reply, Tap):
            return reply.token == "confirm"
        if not isinstance(reply, Words):
            return False
        heard = read("confirm", reply.text, Context(now=self.chat.now, locale=self._locale))
        return heard.outcome is Outcome.SETTLED and heard.value is True

    @property
    def _locale(self) -> str:
        return self.chat.state.person.locale

    def _shown(self, state: Conversation, name: str, value: Any) -> str:
        world = World(types=self.chat.types, now=self.chat.now, fresh="")
        return Turning(state, world).display(name, value)


def _asked_for(shown: tuple[Effect, ...]) -> int:
    """How many things a turn asked for: questions that the model was let ask, and the card."""
    texts = [one.text for one in shown if isinstance(one, Say) and one.model]
    cards = sum(isinstance(one, Draw) for one in shown)
    return sum(cut(text).questions for text in texts) + cards
