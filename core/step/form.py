"""One thing to type: a text, a number, an amount, a duration, an address.

A long text that the talk has drafted is approved first: shown as it is, to be used, edited or
written anew.
"""

from __future__ import annotations

from typing import Any

from core.cards import Button, Card, Chips, Field, FieldKind, Form, Role
from core.draft import Source
from core.manifest import Kind
from core.reading import read
from core.reading.result import Outcome
from core.replies import Submit, Tap, Upload, Words
from core.step import common
from core.step.base import Beside, Moved, Read, Refused, Scene, Settled, Step, Unsure
from core.step.checks import longest
from core.step.samples import sample_of

VERBATIM = frozenset({Kind.SHORT_TEXT, Kind.LONG_TEXT})
"""Kinds whose field is wholly the answer, whatever is in it."""

USE, EDIT, OWN = "use", "edit", "own"
FEW_WORDS = 5
"""Fewer words than these beside a draft are a wish for it, not a text of one's own."""


def field_kind(kind: Kind) -> FieldKind:
    """What is typed into a field of a kind."""
    return FieldKind.TEXT if kind is Kind.SHORT_TEXT else FieldKind(kind.value)


class OneField(common.Checked):
    """One field to type into."""

    def draw(self, scene: Scene) -> Card:
        return _form(self, scene)

    def read(self, scene: Scene, reply: Tap | Submit | Words | Upload) -> Read:
        if isinstance(reply, Tap):
            tapped = common.common_tap(self, scene, reply.token)
            return tapped or common.unchanged(scene)
        if isinstance(reply, Submit):
            given = common.single(reply.values, scene.item.name)
            return common.unchanged(scene) if given is None else self.entered(scene, given)
        return self.typed(scene, reply.text) if isinstance(reply, Words) else Beside()

    def typed(self, scene: Scene, text: str) -> Read:
        """Words typed into the chat: only wholly an answer do they settle."""
        if scene.item.value not in VERBATIM:
            return common.read_words(self, scene, text)
        kind = scene.item.value.value
        return common.skipped(scene, text) or common.judge(
            self, scene, read(kind, text, common.context_of(scene))
        )

    def entered(self, scene: Scene, text: str) -> Read:
        """The text of a native field: it is the answer, so what cannot be read is refused."""
        if not text.strip() and not scene.item.required:
            return Settled(None, Source.FORM)
        before = scene.settled.get(scene.item.name)
        if (
            before is not None
            and text == self.show(scene, before)
            and not self.fault(scene, before)
        ):
            return Settled(before, Source.FORM)
        return field_value(self, scene, text, scene.texts.label(scene.item.name))

    def sample(self, scene: Scene) -> Any:
        return sample_of(scene)


class LongText(OneField):
    """A longer text; where the talk may draft it, the draft is approved by a tap."""

    def draw(self, scene: Scene) -> Card:
        draft = _draft(self, scene)
        if draft is None:
            return _form(self, scene)
        mode = _mode(scene, draft)
        if mode == EDIT:
            return _form(self, scene, hint=scene.texts("hint.draft_edit"), filled=draft)
        if mode == OWN:
            return _form(self, scene, hint=scene.texts("hint.draft_own"))
        frame = common.frame(self, scene, scene.texts("hint.draft"))
        return Chips(
            **{**frame, "verbatim": draft, "suggestions": ()},
            options=(
                Button(token=USE, label=scene.texts("step.use"), role=Role.CONFIRM),
                Button(token=EDIT, label=scene.texts("step.edit"), role=Role.EDIT),
                Button(token=OWN, label=scene.texts("step.own"), role=Role.EDIT),
            ),
        )

    def read(self, scene: Scene, reply: Tap | Submit | Words | Upload) -> Read:
        draft = _draft(self, scene)
        if draft is None or _mode(scene, draft):
            return super().read(scene, reply)
        if isinstance(reply, Tap):
            return self._decided(scene, reply.token, draft)
        if isinstance(reply, Words):
            return self._beside_draft(scene, reply.text, draft)
        return common.unchanged(scene) if isinstance(reply, Submit) else Beside()

    def _decided(self, scene: Scene, token: str, draft: str) -> Read:
        if token == USE:
            return Settled(draft, Source.TAP)
        if token in (EDIT, OWN):
            return _moved(token, draft)
        return common.common_tap(self, scene, token) or common.unchanged(scene)

    def _beside_draft(self, scene: Scene, text: str, draft: str) -> Read:
        """Words beside a draft: a button's name, a wish for the talk, or a text of one's own."""
        button = self._named_button(scene, text)
        if button == USE:
            reason = scene.texts("reason.approve_by_tap", button=scene.texts("step.use"))
            return Unsure(proposals=(), reason=reason)
        if button:
            return _moved(button, draft)
        skipped = common.skipped(scene, text)
        if skipped is not None:
            return skipped
        result = self.typed(scene, text)
        # What was read of it must not take the draft's place on the card; and a wish is one also
        # where it would be too short a text.
        beside = isinstance(result, Beside | Unsure) or _is_wish(scene, text, draft)
        return Beside() if beside else result

    def _named_button(self, scene: Scene, text: str) -> str:
        said = " ".join(text.split()).strip(" .!").casefold()
        for token in (USE, EDIT, OWN):
            label, words = scene.texts(f"step.{token}"), scene.texts(f"step.{token}_words")
            if said in (label.casefold(), *common.phrases(words)):
                return token
        reading = read("confirm", text, scene.context)
        if reading.outcome is not Outcome.SETTLED:
            return ""
        # A text of the model's is the person's own only by a tap (G2), so a typed yes asks for it.
        return USE if reading.value else OWN


def _draft(step: LongText, scene: Scene) -> str | None:
    """The text of the talk that is to be approved, if it could stand."""
    if not scene.item.draftable:
        return None
    fit = common.good(step, scene, scene.proposals)
    return str(fit[0]) if fit else None


def _mode(scene: Scene, draft: str) -> str:
    """What was chosen for this very draft: a newer one has to be decided on anew."""
    mode = scene.cursor.get("mode")
    return mode if mode in (EDIT, OWN) and scene.cursor.get("draft") == draft else ""


def _moved(mode: str, draft: str) -> Moved:
    return Moved(cursor={"mode": mode, "draft": draft})


def _is_wish(scene: Scene, text: str, draft: str) -> bool:
    """Whether a text is rather a wish for another draft: few words, or such as wishes begin with.

    Within a text such words say little, unless it is much shorter than the draft.
    """
    words = [word.strip(",.!?;:") for word in text.casefold().split()]
    wishes = set(common.phrases(scene.texts("step.draft_wishes")))
    found = [
        at
        for at in range(len(words))
        if words[at] in wishes or " ".join(words[at : at + 2]) in wishes
    ]
    short = len(text) * 2 < len(draft)
    return len(words) < FEW_WORDS or 0 in found or (short and bool(found))


def _form(step: OneField, scene: Scene, hint: str = "", filled: str = "") -> Form:
    frame = common.frame(step, scene, hint)
    before = scene.settled.get(scene.item.name)
    shown = "" if before is None else step.show(scene, before)
    return Form(
        **{**frame, "verbatim": filled or frame["verbatim"]},
        fields=(
            Field(
                name=scene.item.name,
                label=scene.texts.label(scene.item.name),
                kind=field_kind(scene.item.value),
                value=filled or shown,
                hint=scene.texts.of(scene.item.name, "example"),
                required=scene.item.required,
                max_length=longest(scene.item) if scene.item.value in VERBATIM else None,
            ),
        ),
        active=scene.item.name,
    )


def field_value(step: Step, scene: Scene, text: str, label: str) -> Read:
    """What stands in a native field of this label: settled, refused with the reason, or unsure."""
    kind = scene.item.value
    if kind in VERBATIM:
        value = text.strip()
        fault = step.fault(scene, value)
        return Refused(fault) if fault else Settled(value, Source.FORM)
    reading = read(kind.value, text, common.context_of(scene))
    result = common.judge(step, scene, reading, Source.FORM)
    if not isinstance(result, Beside):
        return result
    reason = scene.texts("reason.not_this", field=label) if text.strip() else ""
    return Refused(reason or scene.texts("reason.empty"), proposals=result.proposals)
