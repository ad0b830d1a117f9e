"""What a person sees of a chat, as every channel shows it: the newest message last."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from core.cards import Card
from core.effects import Change, Close, Draw, Effect, Put, Say, Toast


@dataclass
class Shown:
    """One message on the screen; `card` is None once it has no buttons any more."""

    text: str
    card: Card | None = None
    id: str = ""
    item: str = ""


@dataclass
class Screen:
    """All messages of a chat. `drawn` has every card that ever was, as it was drawn last."""

    messages: list[Shown] = field(default_factory=list)
    toasts: list[str] = field(default_factory=list)
    drawn: dict[str, Card] = field(default_factory=dict)

    def show(self, effects: Iterable[Effect]) -> None:
        """What a turn wants to be seen."""
        for effect in effects:
            self._put(effect)

    def _put(self, effect: Effect) -> None:
        match effect:
            case Say():
                self.messages.append(Shown(effect.text))
            case Draw():
                card = effect.card
                self.drawn[card.id] = card
                self.messages.append(Shown(card.title, card, card.id, card.item))
            case Change():
                self.drawn[effect.card.id] = effect.card
                for one in self._of(effect.card.id):
                    one.card = effect.card
            case Close():
                for one in self._of(effect.card):
                    one.card = None
                    one.text = effect.receipt or one.text
            case Toast():
                self.toasts.append(effect.text)
            case Put():
                post = effect.post
                self.messages.append(Shown("\n".join((post.title, post.text)).strip()))

    def _of(self, card: str) -> list[Shown]:
        return [one for one in self.messages if one.id == card]

    @property
    def live(self) -> list[Card]:
        """Every card that still has its buttons."""
        return [one.card for one in self.messages if one.card is not None]

    @property
    def texts(self) -> list[str]:
        """Everything on the screen, as text."""
        return [one.text for one in self.messages]
