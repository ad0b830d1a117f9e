"""How a person answers an open ask with a value that they have in mind: the reply, by taps and
native forms or by words.

Nothing here knows a journey: a button is right when its step reads it as the value, and what a step
reads is what counts. A value may be named shorter than it is kept: a record by its label or id, a
file by its name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec

from core.cards import Button, Card, Chips, Form, Picker, PickerMode, Role, buttons
from core.evals.chat import Chat
from core.evals.scenario import Sent
from core.manifest import Kind
from core.replies import File, Reply, Somebody, Submit, Tap, Upload, Words
from core.step.base import Moved, Scene, Settled, Step
from core.step.fields import field_label
from core.talk import with_needs
from core.turn.turning import Turning, World

T = TypeVar("T")


class CannotAnswer(Exception):
    """The open ask takes no reply that gives this value; the text says which."""


@dataclass(frozen=True)
class Ask:
    """An open ask of an item, as a person who answers it sees it."""

    card: Card
    step: Step
    scene: Scene

    @property
    def kind(self) -> Kind:
        """What kind of value it wants."""
        return self.scene.item.value


def same(wanted: Any, value: Any) -> bool:
    """Whether a kept value is the one that was meant."""
    if isinstance(value, Mapping) and isinstance(wanted, str):
        return wanted in (value.get("label"), value.get("id"), value.get("name"))
    if isinstance(value, Mapping) and isinstance(wanted, Mapping):
        return all(value.get(key) == part for key, part in wanted.items())
    return bool(wanted == value)


class Actor:
    """A person in a chat."""

    def __init__(self, chat: Chat) -> None:
        self.chat = chat

    async def sample(self) -> Any:
        """A valid value for the open ask."""
        return await self._looking(lambda ask: ask.step.sample(ask.scene))

    async def reply(self, wanted: Any, *, by_words: bool) -> Reply:
        """The next reply that brings the open ask closer to this value. Raises CannotAnswer."""
        return await self._looking(lambda ask: self._reply(ask, wanted, by_words))

    async def typed(self, value: Any) -> str:
        """A value of the open ask's item as a person types it."""
        return await self._looking(lambda ask: typed(ask, value))

    async def _looking(self, look: Callable[[Ask], T]) -> T:
        """What a pure look at the open ask gives, with all that it needs fetched."""
        chat, fetched = self.chat, dict[str, Any]()
        asked = chat.ask
        if asked is None or not asked.item:
            raise CannotAnswer(f"{chat.asks or 'nothing'} is asked, and that is no item")
        card = chat.screen.drawn[asked.card]

        def pure() -> T:
            world = World(types=chat.types, now=chat.now, fresh="", fetched=fetched)
            turning = Turning(chat.state, world)
            step = turning.step(asked.item)
            return look(Ask(card, step, turning.scene(asked.item)))

        return await with_needs(pure, chat.fetch, fetched)

    def _reply(self, ask: Ask, wanted: Any, by_words: bool) -> Reply:
        if wanted is None:
            return self._skip(ask, by_words)
        if ask.kind is Kind.UPLOAD:
            return self._upload(wanted)
        if by_words:
            return self._words(ask, wanted)
        token = _settling(ask, wanted) or _closer(ask, wanted)
        if token:
            return self._tap(ask, token)
        return self._native(ask, wanted)

    # Replies

    def _tap(self, ask: Ask, token: str) -> Tap:
        return Tap(card=ask.card.id, token=token, by=self.chat.person.id, at=self.chat.now)

    def _say(self, text: str) -> Words:
        return Words(text=text, by=self.chat.person.id, at=self.chat.now)

    def _submit(self, ask: Ask, values: dict[str, str | list[str]]) -> Submit:
        return Submit(card=ask.card.id, values=values, by=self.chat.person.id, at=self.chat.now)

    def _upload(self, wanted: Any) -> Upload:
        return upload(wanted, by=self.chat)

    def _skip(self, ask: Ask, by_words: bool) -> Reply:
        skips = [one for one in ask.card.controls if one.role is Role.SKIP and one.token == "skip"]
        if not skips:
            raise CannotAnswer(f"{ask.scene.item.name} cannot be skipped")
        return self._say(skips[0].label) if by_words else self._tap(ask, "skip")

    def _words(self, ask: Ask, wanted: Any) -> Reply:
        if isinstance(ask.card, Picker) and ask.card.mode is PickerMode.ENTRIES:
            return self._entries(ask, wanted, by_words=True)
        done = ask.card.done if isinstance(ask.card, Form) else None
        if done is not None and _settling(ask, wanted) == done.token:
            # It was opened with values in it, and they are what is meant.
            return self._say(done.label)
        if _kept_waiting(ask, wanted):
            return self._tap(ask, _kept_waiting(ask, wanted))
        somebody = _known(ask, wanted)
        if somebody is not None:
            said = msgspec.structs.replace(somebody, said=f"@{somebody.name}")
            return msgspec.structs.replace(self._say(said.said), people=(said,))
        return self._say(typed(ask, wanted))

    def _native(self, ask: Ask, wanted: Any) -> Reply:
        """What a native control sends; a draft of the talk's is first put away."""
        card = ask.card
        if isinstance(card, Chips):
            own = next((one for one in card.options if one.token == "own"), None)
            return self._tap(ask, own.token) if own else self._say(typed(ask, wanted))
        if isinstance(card, Form):
            return self._submit(ask, _filled(ask, wanted))
        if isinstance(card, Picker) and card.mode is PickerMode.ENTRIES:
            return self._entries(ask, wanted, by_words=False)
        if isinstance(card, Picker) and card.mode is PickerMode.RECORDS:
            return self._submit(ask, {"query": _name(wanted)})
        if isinstance(card, Picker) and card.mode is PickerMode.PEOPLE:
            somebody = _known(ask, wanted)
            if somebody is None:
                return self._say(typed(ask, wanted))
            picked = self._submit(ask, {"value": somebody.id})
            return msgspec.structs.replace(picked, people=(somebody,))
        return self._submit(ask, {"value": str(wanted)})

    def _entries(self, ask: Ask, wanted: list[str], *, by_words: bool) -> Reply:
        """One step towards a list: what is missing is added, what is too much goes, then Done."""
        card = ask.card
        if not isinstance(card, Picker):
            raise CannotAnswer("this is no list")
        here = list(card.entries)
        extra = [at for at, one in enumerate(here) if here[:at].count(one) >= wanted.count(one)]
        missing = [
            one for at, one in enumerate(wanted) if wanted[:at].count(one) >= here.count(one)
        ]
        if extra:
            return self._tap(ask, card.options[extra[0]].token)
        if missing and by_words:
            return self._say("\n".join(missing))
        if missing:
            return self._submit(ask, {"value": missing})
        if card.done is None:
            raise CannotAnswer(f"{wanted} cannot be the whole list")
        return self._say(card.done.label) if by_words else self._tap(ask, card.done.token)


def upload(wanted: Any, *, by: Chat) -> Upload:
    """A file that is sent, named by its name, or described."""
    if isinstance(wanted, str):
        wanted = {"name": wanted}
    known = {key: part for key, part in dict(wanted).items() if key in Sent.model_fields}
    sent = Sent.model_validate(known)
    ref = str(dict(wanted).get("ref") or f"ref-{sent.name}")
    file = File(ref=ref, name=sent.name, mime=sent.mime, size=sent.size)
    return Upload(files=(file,), caption=sent.caption, by=by.person.id, at=by.now)


def _known(ask: Ask, wanted: Any) -> Somebody | None:
    """Whom the platform knows to be meant; None for who is known by name only."""
    if ask.kind is not Kind.PERSON or not isinstance(wanted, Mapping) or not wanted.get("id"):
        return None
    told = {key: str(wanted.get(key, "")) for key in ("id", "handle", "name")}
    return msgspec.convert(told, Somebody)


def _name(wanted: Any) -> str:
    return str(wanted.get("label", "")) if isinstance(wanted, Mapping) else str(wanted)


def _candidates(ask: Ask) -> list[Button]:
    controls = {one.token for one in ask.card.controls}
    return [one for one in buttons(ask.card) if one.token not in controls]


def _read(ask: Ask, token: str) -> Any:
    tap = Tap(card=ask.card.id, token=token, by="", at=ask.scene.context.now)
    return ask.step.read(ask.scene, tap)


def _settling(ask: Ask, wanted: Any) -> str:
    """The button that settles the ask with this very value; empty where there is none."""
    for button in _candidates(ask):
        result = _read(ask, button.token)
        if isinstance(result, Settled) and same(wanted, result.value):
            return button.token
    return ""


def _closer(ask: Ask, wanted: Any) -> str:
    """The box to tick, or to untick, for a choice of several."""
    if not isinstance(ask.card, Chips) or not ask.card.multiple or not isinstance(wanted, list):
        return ""
    ticked = set(ask.scene.cursor.get("ticked", ()))
    for button in ask.card.options:
        result = _read(ask, button.token)
        if isinstance(result, Moved):
            now = set(result.cursor.get("ticked", ()))
            if len(now ^ set(wanted)) < len(ticked ^ set(wanted)):
                return button.token
    return ""


def _kept_waiting(ask: Ask, wanted: Any) -> str:
    """The suggestion that is this value, where the card says that only a tap can tell."""
    if not ask.card.reason:
        return ""
    for button in ask.card.suggestions:
        result = _read(ask, button.token)
        if isinstance(result, Settled) and same(wanted, result.value):
            return button.token
    return ""


# What is typed


def typed(ask: Ask, value: Any) -> str:
    """A value as a person types it."""
    scene, kind = ask.scene, ask.kind
    match kind:
        case Kind.RECORD:
            return _name(value)
        case Kind.PERSON if isinstance(value, Mapping):
            handle = f"@{value['handle']}" if value.get("handle") else ""
            return f"{value.get('name') or ''} {handle}".strip()
        case Kind.ATTESTATION:
            return scene.texts("step.yes" if value else "step.no")
        case Kind.CHOICE | Kind.YES_NO | Kind.CHOICES | Kind.CUSTOM:
            return ask.step.show(scene, value)
        case Kind.FORM:
            return "\n".join(
                f"{field_label(scene, one)}: {_typed(one.value, value[one.name])}"
                for one in scene.item.fields
                if value.get(one.name) is not None
            )
    return _typed(kind, value)


def _typed(kind: Kind, value: Any) -> str:
    if kind is Kind.MONEY and isinstance(value, Mapping):
        return f"{value['amount']} {value['currency']}"
    if kind is Kind.DURATION:
        return f"{value} min"
    if kind is Kind.DATETIME:
        return str(value).replace("T", " ")
    return "\n".join(map(str, value)) if isinstance(value, list) else str(value)


def _filled(ask: Ask, wanted: Any) -> dict[str, str | list[str]]:
    """A native form filled in."""
    if ask.kind is not Kind.FORM:
        return {"value": typed(ask, wanted)}
    given = wanted if isinstance(wanted, Mapping) else {}
    return {
        one.name: "" if given.get(one.name) is None else _typed(one.value, given[one.name])
        for one in ask.scene.item.fields
    }
