"""What a restless person, or somebody else in the chat, does where the runtime leads: on cards."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from core.cards import Card, Summary, buttons
from core.evals.chat import Chat
from core.evals.restless import Restless, Whim
from core.evals.telling import Means
from core.manifest import Item
from core.replies import Reload, Reply, Tap, Words
from core.state import AskKind

Wanted = Callable[[], Awaitable[tuple[Any, str]]]
"""What the person has in mind for the open ask, and how they would type it."""

Done = tuple[Reply, Means]


class Whims:
    """Acts out the whims of a person on what is on the screen."""

    def __init__(self, chat: Chat, restless: Restless) -> None:
        self.chat, self.restless = chat, restless

    async def next(self, intent: dict[str, Any], wanted: Wanted) -> Done | None:
        """What is done now instead of answering; mostly nothing."""
        ask = self.chat.ask
        if ask is None or not self.chat.screen.live:
            return None
        card = self.chat.screen.live[-1]
        whim = self.restless.whim(at_summary=ask.kind is AskKind.SUMMARY)
        if whim is Whim.ASIDE:
            return self._says(self.restless.aside(asked=self._asked))
        if whim is Whim.ANSWER_AND_MORE:
            return await self._answer_and_more(card, wanted)
        reply = self._on_a_card(whim, card, intent) if whim is not None else None
        return (reply, Means()) if reply is not None else None

    def _on_a_card(self, whim: Whim, card: Card, intent: dict[str, Any]) -> Reply | None:
        match whim:
            case Whim.OLD_CARD:
                return self._old_card()
            case Whim.STRANGER:
                return self._tap(card, self._button_of(card), by="somebody else")
            case Whim.COMES_BACK:
                return Reload(by=self.chat.person.id, at=self.chat.now)
        return self._wavers(card, intent)

    def _says(self, text: str, means: Means | None = None) -> Done:
        words = Words(text=text, by=self.chat.person.id, at=self.chat.now)
        return words, means or Means()

    async def _answer_and_more(self, card: Card, wanted: Wanted) -> Done:
        """The answer, and more in the same message; at a summary, what one of its lines is."""
        ask = self.chat.ask
        if isinstance(card, Summary):
            row = self.restless.random.choice(card.rows)
            return self._says(self.restless.aside(row.label))
        if ask is None or not ask.item:
            return self._says(self.restless.aside())
        value, typed = await wanted()
        gives = {ask.item: value} if typed else {}
        aside = self.restless.aside(typed, asked=self._asked)
        return self._says(aside, Means(gives=gives))

    @property
    def _asked(self) -> Item | None:
        """The item that is asked for."""
        ask = self.chat.ask
        return self.chat.type.manifest.item(ask.item) if ask is not None and ask.item else None

    def _old_card(self) -> Reply | None:
        live = {one.id for one in self.chat.screen.live}
        old = [one for one in self.chat.screen.drawn.values() if one.id not in live]
        if not old:
            return None
        chosen = self.restless.random.choice(old)
        return self._tap(chosen, self._button_of(chosen))

    def _wavers(self, card: Card, intent: dict[str, Any]) -> Reply | None:
        if not isinstance(card, Summary):
            return None
        rows = {row.item: row for row in card.rows}
        change = self.restless.change(self.chat.type.manifest, rows, intent)
        if change is None:
            return None
        item, intent[item] = change
        return self._tap(card, rows[item].edit.token)

    def _button_of(self, card: Card) -> str:
        return self.restless.random.choice(buttons(card)).token

    def _tap(self, card: Card, token: str, by: str = "") -> Tap:
        by = by or self.chat.person.id
        return Tap(card=card.id, token=token, by=by, at=self.chat.now)
