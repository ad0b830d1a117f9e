"""A form of several fields, filled in any order: by words, by lines, by taps, by a native form.

What is filled in so far is the card's own state; the item is settled as a whole, by Done, by a
native form without a fault, or by the reply that fills (or leaves out) the last open field.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from core.cards import Button, Card, Field, Form, Role
from core.draft import Source
from core.manifest import FormField, Item
from core.reading import is_done, is_skip, read
from core.replies import Submit, Tap, Upload, Words
from core.step import common
from core.step.base import Beside, Moved, Read, Refused, Scene, Settled, Unsure
from core.step.checks import fault_of, longest
from core.step.filling import Filling, filling_of
from core.step.form import VERBATIM, OneField, field_kind, field_value
from core.step.samples import sample_of

DONE, LEAVE = "done", "leave"
_ONE = OneField()


class ManyFields(common.Checked):
    """Several fields that are settled together."""

    def draw(self, scene: Scene) -> Card:
        filling = filling_of(scene)
        active = _active(scene, filling)
        frame = _frame(self, scene, active)
        choices = _choices(scene, active, filling)
        leave = () if active is None or active.required else (_leave(scene, active),)
        done = Button(token=DONE, label=scene.texts("step.done"), role=Role.DONE)
        return Form(
            **{
                **frame,
                "suggestions": (*choices, *frame["suggestions"]),
                "controls": (*leave, *frame["controls"]),
            },
            fields=tuple(_drawn(scene, one, filling) for one in scene.item.fields),
            active=active.name if active else "",
            edit=tuple(
                Button(token=f"f{number}", label=field_label(scene, one), role=Role.EDIT)
                for number, one in enumerate(scene.item.fields)
            ),
            done=None if filling.missing(scene.item) else done,
        )

    def read(self, scene: Scene, reply: Tap | Submit | Words | Upload) -> Read:
        filling = filling_of(scene)
        if isinstance(reply, Tap):
            return self._tapped(scene, filling, reply.token)
        if isinstance(reply, Submit):
            return self._submitted(scene, filling, reply.values)
        return self._typed(scene, filling, reply.text) if isinstance(reply, Words) else Beside()

    # Taps

    def _tapped(self, scene: Scene, filling: Filling, token: str) -> Read:
        active = _active(scene, filling)
        if token == DONE:
            return self._done(scene, filling)
        if token == LEAVE and active is not None and not active.required:
            return self._went_on(scene, filling, filling.without_value(active.name))
        number = token.removeprefix("f")
        fields = {str(at): one.name for at, one in enumerate(scene.item.fields)}
        if token.startswith("f") and number in fields:
            return Moved(cursor=replace(filling, active=fields[number]).cursor())
        chosen = {} if active is None else dict(_chosen(scene, active, filling))
        if token in chosen and active is not None:
            now = filling.with_value(active.name, chosen[token])
            return self._went_on(scene, filling, now)
        return common.common_tap(self, scene, token) or common.unchanged(scene)

    def _done(self, scene: Scene, filling: Filling) -> Read:
        missing = filling.missing(scene.item)
        if missing:
            labels = ", ".join(field_label(scene, one) for one in missing)
            cursor = replace(filling, active=missing[0].name).cursor()
            reason = scene.texts("reason.fields_missing", fields=labels)
            required = dict.fromkeys((one.name for one in missing), scene.texts("reason.required"))
            return Refused(reason, cursor=cursor, fields=required)
        value = _value(scene, filling)
        fault, wrong = self.fault(scene, value), _faults(scene, value)
        return Refused(fault, fields=wrong) if fault else Settled(value, Source.FORM)

    def _went_on(self, scene: Scene, before: Filling, now: Filling, said: str = "") -> Read:
        """Settle when this reply completed the form; one that was complete before needs Done."""
        item = scene.item
        if before.open(item) and not now.open(item) and not now.missing(item):
            return self._done(scene, now)
        return Moved(cursor=now.cursor(), said=said)

    # A native form

    def _submitted(
        self, scene: Scene, filling: Filling, values: Mapping[str, str | list[str]]
    ) -> Read:
        known = [one for one in scene.item.fields if isinstance(values.get(one.name), str)]
        if not known:
            return common.unchanged(scene)
        now = filling
        for one in known:
            now = _entered(scene, now, one, str(values[one.name]))
        return self._or_wrong(scene, now) or self._done(scene, now)

    def _or_wrong(self, scene: Scene, filling: Filling) -> Refused | None:
        wrong = [one for one in scene.item.fields if one.name in filling.wrong]
        if not wrong:
            return None
        named = ", ".join(field_label(scene, one) for one in wrong)
        reason = scene.texts("reason.fields", fields=named)
        cursor = replace(filling, active=wrong[0].name).cursor()
        return Refused(reason, cursor=cursor, fields=dict(filling.wrong))

    # Words

    def _typed(self, scene: Scene, filling: Filling, text: str) -> Read:
        text = common.plain(text)
        if is_done(text, scene.context):
            return self._done(scene, filling)
        if is_skip(text, scene.context):
            return self._skipped(scene, filling, text)
        lines = _labelled(scene, text)
        if lines:
            return self._lines(scene, filling, lines)
        active = _active(scene, filling)
        if active is None:
            return self._no_field(scene, text)
        return self._active_field(scene, filling, active, text)

    def _skipped(self, scene: Scene, filling: Filling, text: str) -> Read:
        active = _active(scene, filling)
        if active is not None and not active.required:
            now = filling.without_value(active.name)
            return self._went_on(scene, filling, now)
        if filling.filled or filling.raw:
            return Refused(scene.texts("reason.required"))
        whole = common.skipped(scene, text)
        return whole if whole is not None else Beside()

    def _no_field(self, scene: Scene, text: str) -> Read:
        # The form is complete and nothing is active: a text could belong anywhere, or nowhere.
        if read("long_text", text, scene.context).reason == "question":
            return Beside()
        label = field_label(scene, scene.item.fields[0])
        return Refused(scene.texts("reason.no_field", field=label))

    def _active_field(self, scene: Scene, filling: Filling, active: FormField, text: str) -> Read:
        result = _ONE.typed(_field_scene(scene, active), text)
        if isinstance(result, Settled):
            now = filling.with_value(active.name, result.value)
            return self._went_on(scene, filling, now, _noted(scene, active, result.value))
        if isinstance(result, Unsure):
            now = filling.could_be(active.name, result.proposals)
            return Moved(cursor=replace(now, active=active.name).cursor(), said=result.reason)
        if isinstance(result, Beside):
            whole = (
                _value(scene, filling.with_value(active.name, one)) for one in result.proposals
            )
            return Beside(proposals=common.good(self, scene, whole))
        return result

    def _lines(self, scene: Scene, filling: Filling, lines: Mapping[str, str]) -> Read:
        now, noted = filling, []
        for one in scene.item.fields:
            if one.name not in lines:
                continue
            inner = _field_scene(scene, one)
            if _is_question(inner, one, lines[one.name]):
                return Beside()
            now = _entered(scene, now, one, lines[one.name])
            if one.name in now.filled and one.name not in now.wrong:
                noted.append(_noted(scene, one, now.filled[one.name]))
        return self._or_wrong(scene, now) or self._went_on(scene, filling, now, " ".join(noted))

    # Values

    def fault(self, scene: Scene, value: Any) -> str:
        if value is None:
            return fault_of(scene, value)
        if not isinstance(value, Mapping) or set(value) - {one.name for one in scene.item.fields}:
            return scene.texts("reason.wrong_kind")
        wrong = _faults(scene, value)
        labels = {one.name: field_label(scene, one) for one in scene.item.fields}
        return "\n".join(f"{labels[name]}: {fault}" for name, fault in wrong.items())

    def show(self, scene: Scene, value: Any) -> str:
        if not isinstance(value, Mapping):
            return str(value)
        shown = {
            one.name: _shown(scene, one, value[one.name])
            for one in scene.item.fields
            if value.get(one.name) is not None
        }
        lines = {
            one.name: f"{field_label(scene, one)}: {shown[one.name]}"
            for one in scene.item.fields
            if one.name in shown
        }
        worded = common.worded(scene, "show", shown)
        if not worded:
            return "\n".join(lines.values())
        # What the journey's own text leaves out is shown all the same: it is submitted, too (G3).
        told = scene.texts.find(f"items.{scene.item.name}.show") or ""
        return ", ".join(
            [worded, *(line for name, line in lines.items() if f"{{{name}}}" not in told)]
        )

    def sample(self, scene: Scene) -> Any:
        return {
            one.name: sample_of(_field_scene(scene, one), _example(scene, one))
            for one in scene.item.fields
        }


# The card's own state


def _active(scene: Scene, filling: Filling) -> FormField | None:
    """The field that plain words fill: the tapped one, or the first open one."""
    for one in scene.item.fields:
        if one.name == filling.active:
            return one
    return next(iter(filling.open(scene.item)), None)


def _value(scene: Scene, filling: Filling) -> dict[str, Any]:
    return {one.name: filling.filled.get(one.name) for one in scene.item.fields}


def _faults(scene: Scene, value: Mapping[str, Any]) -> dict[str, str]:
    """Why fields of a value cannot stand, by their names; those that can are not in it."""
    found = {
        one.name: fault_of(_field_scene(scene, one), value.get(one.name))
        for one in scene.item.fields
    }
    return {name: fault for name, fault in found.items() if fault}


def _field_scene(scene: Scene, one: FormField) -> Scene:
    """The field as an ask of its own; its texts are `items.<item>.fields.<field>.<part>`."""
    item = Item(
        name=one.name,
        value=one.value,
        required=one.required,
        max_length=one.max_length,
        whole=False,
    )
    return replace(scene, item=item, cursor={}, proposals=())


def _entered(scene: Scene, filling: Filling, one: FormField, text: str) -> Filling:
    """A field of a native form, or of a `Field: value` line."""
    if not text.strip():
        if one.required:
            return filling.with_fault(one.name, "", scene.texts("reason.required"))
        return filling.without_value(one.name)
    if one.name in filling.filled and text == _shown(scene, one, filling.filled[one.name]):
        return filling.with_value(one.name, filling.filled[one.name])
    text = common.plain(text)
    result = field_value(_ONE, _field_scene(scene, one), text, field_label(scene, one))
    if isinstance(result, Settled):
        return filling.with_value(one.name, result.value)
    reason = result.reason if isinstance(result, Refused | Unsure) else ""
    kept = filling.with_fault(one.name, text, reason or scene.texts("reason.wrong_kind"))
    return kept.could_be(one.name, result.proposals) if isinstance(result, Unsure) else kept


def _is_question(scene: Scene, one: FormField, text: str) -> bool:
    kind = one.value.value
    return one.value not in VERBATIM and (
        read(kind, text, common.context_of(scene)).reason == "question"
    )


def _labelled(scene: Scene, text: str) -> dict[str, str]:
    """`Field: value` lines (or parts after a comma), if the whole text is made of them."""
    names = {}
    for one in scene.item.fields:
        names[one.name.casefold()] = one.name
        names[field_label(scene, one).casefold()] = one.name
    labels = "|".join(re.escape(label) for label in sorted(names, key=len, reverse=True))
    found = list(re.finditer(rf"(?:^|[\n;,])[ \t]*({labels})[ \t]*[:=]", text.strip(), re.I))
    if not found or found[0].start() > 0:
        return {}
    ends = [*(match.start() for match in found[1:]), None]
    return {
        names[match.group(1).casefold()]: text.strip()[match.end() : end].strip(" \t\n,;")
        for match, end in zip(found, ends, strict=True)
    }


# What is drawn


def field_label(scene: Scene, one: FormField) -> str:
    """What a field is called."""
    given = scene.texts.of(scene.item.name, f"fields.{one.name}.label")
    return given or one.name.replace("_", " ").capitalize()


def _example(scene: Scene, one: FormField) -> str:
    return scene.texts.of(scene.item.name, f"fields.{one.name}.example")


def _shown(scene: Scene, one: FormField, value: Any) -> str:
    return _ONE.show(_field_scene(scene, one), value)


def _noted(scene: Scene, one: FormField, value: Any) -> str:
    shown = _shown(scene, one, value)
    return scene.texts(
        "step.noted_field", field=field_label(scene, one), value=common.shorten(shown)
    )


def _frame(step: ManyFields, scene: Scene, active: FormField | None) -> dict[str, Any]:
    """The card's frame, with the hint and the example of the active field."""
    frame = common.frame(step, replace(scene, refusals=0), _hint(scene, active))
    if active is None or scene.refusals < common.PATIENCE:
        return frame
    example = _example(scene, active) or common.example(_ONE, _field_scene(scene, active))
    hint = "\n".join((frame["hint"], scene.texts("step.example", example=example)))
    return {**frame, "hint": hint}


def _hint(scene: Scene, active: FormField | None) -> str:
    if active is None:
        return scene.texts("hint.form_done")
    own = scene.texts.of(scene.item.name, f"fields.{active.name}.hint")
    return own or scene.texts("hint.form", field=field_label(scene, active))


def _chosen(scene: Scene, active: FormField, filling: Filling) -> list[tuple[str, Any]]:
    """What the active field could have meant, by token."""
    inner = _field_scene(scene, active)
    fit = common.good(_ONE, inner, filling.choose.get(active.name, ()))
    return [(f"c{number}", value) for number, value in enumerate(fit)]


def _choices(scene: Scene, active: FormField | None, filling: Filling) -> tuple[Button, ...]:
    if active is None:
        return ()
    return tuple(
        Button(
            token=token,
            label=common.shorten(_shown(scene, active, value)),
            role=Role.SUGGESTION,
        )
        for token, value in _chosen(scene, active, filling)
    )


def _leave(scene: Scene, active: FormField) -> Button:
    label = scene.texts("step.leave", field=field_label(scene, active))
    return Button(token=LEAVE, label=label, role=Role.SKIP)


def _drawn(scene: Scene, one: FormField, filling: Filling) -> Field:
    inner = _field_scene(scene, one)
    value = filling.filled.get(one.name)
    shown = "" if value is None else _shown(scene, one, value)
    return Field(
        name=one.name,
        label=field_label(scene, one),
        kind=field_kind(one.value),
        value=filling.raw.get(one.name, shown),
        hint=scene.texts.of(scene.item.name, f"fields.{one.name}.hint"),
        reason=filling.wrong.get(one.name, ""),
        required=one.required,
        max_length=longest(inner.item) if one.value in VERBATIM else None,
    )
