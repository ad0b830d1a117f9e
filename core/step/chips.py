"""A handful of labelled options: one of them, several, yes or no, a confirmation.

Taps that tick name what they want ("tick the second"), not what they change, so that a tap that
arrives twice does nothing twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from core.cards import Button, Card, Chips, Role
from core.draft import Source
from core.reading import is_done, read
from core.reading.result import Option, Outcome
from core.replies import Submit, Tap, Upload, Words
from core.step import common
from core.step.base import Beside, Moved, Read, Refused, Scene, Settled, Unsure
from core.step.checks import count_of

DONE = "done"


class Choice(common.Checked):
    """Exactly one of the item's options."""

    def draw(self, scene: Scene) -> Card:
        return Chips(**common.frame(self, scene), options=_buttons(scene))

    def read(self, scene: Scene, reply: Tap | Submit | Words | Upload) -> Read:
        if isinstance(reply, Words):
            return common.read_words(self, scene, reply.text, options_of(scene))
        if isinstance(reply, Upload):
            return Beside()
        token = reply.token if isinstance(reply, Tap) else common.single(reply.values, _name(scene))
        keys = scene.item.options
        number = _number(token or "", "o", len(keys))
        if number is None:
            return common.common_tap(self, scene, token or "") or common.unchanged(scene)
        return Settled(keys[number], Source.TAP if isinstance(reply, Tap) else Source.FORM)

    def show(self, scene: Scene, value: Any) -> str:
        return scene.texts.option(_name(scene), str(value))

    def sample(self, scene: Scene) -> Any:
        return scene.item.options[0]


class Choices(common.Checked):
    """Several of the item's options: taps tick, Done sends."""

    def draw(self, scene: Scene) -> Card:
        done = Button(token=DONE, label=scene.texts("step.done"), role=Role.DONE)
        frame = common.frame(self, scene)
        return Chips(**frame, options=_buttons(scene, _ticked(scene)), multiple=True, done=done)

    def read(self, scene: Scene, reply: Tap | Submit | Words | Upload) -> Read:
        if isinstance(reply, Words):
            return self._words(scene, reply.text)
        if isinstance(reply, Submit):
            return self._submitted(scene, reply)
        return self._tapped(scene, reply.token) if isinstance(reply, Tap) else Beside()

    def _tapped(self, scene: Scene, token: str) -> Read:
        if token == DONE:
            return self._done(scene)
        ticked, keys = _ticked(scene), scene.item.options
        tick, untick = _number(token, "t", len(keys)), _number(token, "u", len(keys))
        if untick is not None:
            return _moved(scene, [key for key in ticked if key != keys[untick]])
        if tick is None:
            return common.common_tap(self, scene, token) or common.unchanged(scene)
        wanted = [key for key in keys if key in ticked or key == keys[tick]]
        most = count_of(scene.item)[1]
        if len(wanted) > max(most, len(ticked)):
            return Refused(scene.texts("reason.too_many", maximum=most))
        return _moved(scene, wanted)

    def _done(self, scene: Scene) -> Read:
        ticked = _ticked(scene)
        fault = self.fault(scene, ticked)
        return Refused(fault) if fault else Settled(ticked, Source.TAP)

    def _submitted(self, scene: Scene, reply: Submit) -> Read:
        given = reply.values.get(_name(scene), reply.values.get("value"))
        tokens = [given] if isinstance(given, str) else given or []
        keys = scene.item.options
        found = [_number(one[1:], "", len(keys)) for one in tokens if one[:1] in ("t", "u")]
        picked = [key for number, key in enumerate(keys) if number in found]
        if len(found) < len(tokens) or None in found:
            return common.unchanged(scene)
        fault = self.fault(scene, picked)
        kept = {**scene.cursor, "ticked": picked}
        return Refused(fault, cursor=kept) if fault else Settled(picked, Source.FORM)

    def _words(self, scene: Scene, text: str) -> Read:
        ticked = _ticked(scene)
        result = common.read_words(self, scene, text, options_of(scene))
        if not scene.item.required and self._none(scene, text):
            return Settled(None, Source.TYPED)
        if isinstance(result, Beside | Refused) and is_done(text, scene.context):
            return self._done(scene)
        if isinstance(result, Beside | Unsure):
            return replace(result, proposals=self._with_ticked(scene, result.proposals))
        if not isinstance(result, Settled) or result.value is None:
            return result
        value = _in_order(scene, result.value)
        if set(ticked) <= set(value):
            return Settled(value, result.source)
        offers = self._with_ticked(scene, (value,))
        return Unsure(proposals=offers, reason=scene.texts("reason.which"))

    def _none(self, scene: Scene, text: str) -> bool:
        """Whether a reply like "none of them" leaves the item out, where no answer is that."""
        reading = read("choices", text, common.context_of(scene, options_of(scene)))
        none = reading.outcome is Outcome.SETTLED and not reading.value
        return none and count_of(scene.item)[0] > 0

    def _with_ticked(self, scene: Scene, named: Sequence[Any]) -> tuple[Any, ...]:
        # Some are ticked already and others are named: only a tap can tell "these too" from
        # "these instead".
        both = [_in_order(scene, [*_ticked(scene), *value]) for value in named]
        return common.good(self, scene, [*both, *(_in_order(scene, value) for value in named)])

    def show(self, scene: Scene, value: Any) -> str:
        keys = value if isinstance(value, list) else [value]
        return ", ".join(scene.texts.option(_name(scene), str(key)) for key in keys)

    def sample(self, scene: Scene) -> Any:
        return list(scene.item.options[: max(1, count_of(scene.item)[0])])


class YesNo(common.Checked):
    """Yes or no."""

    def draw(self, scene: Scene) -> Card:
        options = tuple(
            Button(token=token, label=self.show(scene, value)) for token, value in _ANSWERS.items()
        )
        return Chips(**common.frame(self, scene), options=options)

    def read(self, scene: Scene, reply: Tap | Submit | Words | Upload) -> Read:
        if isinstance(reply, Words):
            return common.read_words(self, scene, reply.text)
        if isinstance(reply, Upload):
            return Beside()
        token = reply.token if isinstance(reply, Tap) else common.single(reply.values, _name(scene))
        if token in _ANSWERS:
            source = Source.TAP if isinstance(reply, Tap) else Source.FORM
            return Settled(_ANSWERS[token], source)
        return common.common_tap(self, scene, token or "") or common.unchanged(scene)

    def show(self, scene: Scene, value: Any) -> str:
        key = "yes" if value else "no"
        return scene.texts.of(_name(scene), f"options.{key}") or scene.texts(f"step.{key}")

    def sample(self, scene: Scene) -> Any:
        return True


class Attestation(common.Checked):
    """A statement that the person confirms in so many words, or by the one button.

    It is never suggested: a confirmation that somebody else proposes is none.
    """

    def draw(self, scene: Scene) -> Card:
        frame = common.frame(self, scene)
        statement = scene.texts.of(_name(scene), "statement")
        confirm = scene.texts.of(_name(scene), "confirm") or scene.texts("step.confirm")
        options = (Button(token="o0", label=confirm, role=Role.CONFIRM),)
        return Chips(**{**frame, "suggestions": (), "verbatim": statement}, options=options)

    def read(self, scene: Scene, reply: Tap | Submit | Words | Upload) -> Read:
        if isinstance(reply, Words):
            return self._words(scene, reply.text)
        if not isinstance(reply, Tap):
            return common.unchanged(scene) if isinstance(reply, Submit) else Beside()
        if reply.token == "o0":
            return Settled(True, Source.TAP)
        if reply.token == common.SKIP and not scene.item.required:
            return Settled(None, Source.TAP)
        return common.unchanged(scene)

    def _words(self, scene: Scene, text: str) -> Read:
        reading = read("confirm", text, common.context_of(scene))
        if reading.outcome is Outcome.SETTLED:
            if reading.value is True:
                return Settled(True, Source.TYPED)
            return Refused(scene.texts("reason.not_attested"))
        return common.skipped(scene, text) or Beside()

    def show(self, scene: Scene, value: Any) -> str:
        return scene.texts.of(_name(scene), "confirmed") or scene.texts("step.confirmed")

    def sample(self, scene: Scene) -> Any:
        return True


_ANSWERS = {"o0": True, "o1": False}


def _name(scene: Scene) -> str:
    return scene.item.name


def options_of(scene: Scene) -> list[Option]:
    """The item's options as the reader knows them, with the other words that a journey lists."""
    name, texts = scene.item.name, scene.texts
    return [
        Option(key=key, label=texts.option(name, key), aliases=_aliases(scene, key))
        for key in scene.item.options
    ]


def _aliases(scene: Scene, key: str) -> tuple[str, ...]:
    given = scene.texts.of(scene.item.name, f"aliases.{key}")
    return tuple(filter(None, (part.strip() for part in given.split(","))))


def _buttons(scene: Scene, ticked: Sequence[str] | None = None) -> tuple[Button, ...]:
    name, texts = scene.item.name, scene.texts
    return tuple(
        Button(
            token=f"{_prefix(key, ticked)}{number}",
            label=texts.option(name, key),
            detail=texts.of(name, f"details.{key}"),
            ticked=None if ticked is None else key in ticked,
        )
        for number, key in enumerate(scene.item.options)
    )


def _prefix(key: str, ticked: Sequence[str] | None) -> str:
    if ticked is None:
        return "o"
    return "u" if key in ticked else "t"


def _ticked(scene: Scene) -> list[str]:
    """What is ticked now; in a review, what was settled before."""
    given = scene.cursor.get("ticked", scene.settled.get(scene.item.name))
    return _in_order(scene, given if isinstance(given, list | tuple) else ())


def _in_order(scene: Scene, keys: Sequence[str]) -> list[str]:
    return [key for key in scene.item.options if key in keys]


def _moved(scene: Scene, ticked: list[str]) -> Moved:
    return Moved(cursor={**scene.cursor, "ticked": ticked})


def _number(token: str, prefix: str, count: int) -> int | None:
    """The number in a token like "o12", below `count`; None where it is no such token."""
    digits = token.removeprefix(prefix)
    known = token.startswith(prefix) and digits.isascii() and digits.isdecimal()
    return int(digits) if known and len(digits) < 4 and int(digits) < count else None
