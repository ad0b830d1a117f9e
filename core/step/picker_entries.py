"""A list that is collected entry by entry: added by typing, removed by a tap, sent by Done.

The list only ever changes by adding and removing: no reply replaces it. A suggestion adds to it
too, so its value is the entries to add. An entry named twice is kept twice (two guests may have
one name), and the person is told.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from core.cards import Button, Card, Picker, PickerMode, Role
from core.draft import Source
from core.reading import is_done, is_skip, read
from core.reading.result import Outcome
from core.replies import Submit, Tap, Upload, Words
from core.step import common
from core.step.base import Beside, Moved, Read, Refused, Scene, Settled, Unsure
from core.step.checks import count_fault, count_of, text_fault
from core.step.samples import sample_of

DONE = "done"


class EntriesStep(common.Checked):
    """A list of texts, each as it was typed."""

    def draw(self, scene: Scene) -> Card:
        entries = _entries(scene)
        verbatim, suggestions = self._suggestions(scene)
        done = Button(token=DONE, label=scene.texts("step.done"), role=Role.DONE)
        frame = common.frame(self, scene)
        return Picker(
            mode=PickerMode.ENTRIES,
            **{**frame, "verbatim": verbatim, "suggestions": suggestions},
            entries=tuple(entries),
            options=tuple(
                Button(
                    token=_removal(entries, at),
                    label=common.shorten(f"{at + 1}. {entry}"),
                    role=Role.REMOVE,
                )
                for at, entry in enumerate(entries)
            ),
            done=None if count_fault(scene, len(entries)) else done,
        )

    def read(self, scene: Scene, reply: Tap | Submit | Words | Upload) -> Read:
        if isinstance(reply, Tap):
            return self._tapped(scene, reply.token)
        if isinstance(reply, Submit):
            return self._submitted(scene, reply)
        return (
            self._typed(scene, common.plain(reply.text)) if isinstance(reply, Words) else Beside()
        )

    # Taps and native forms

    def _tapped(self, scene: Scene, token: str) -> Read:
        entries = _entries(scene)
        if token == DONE:
            return self._done(scene, Source.TAP)
        offers = self._offers(scene)
        if token in offers:
            return self._added(scene, _new(entries, offers[token]))
        removals = {_removal(entries, at): at for at in range(len(entries))}
        if token in removals:
            return self._removed(scene, removals[token])
        skips = token == common.SKIP and not scene.item.required
        return Settled(None, Source.TAP) if skips else common.unchanged(scene)

    def _submitted(self, scene: Scene, reply: Submit) -> Read:
        given = reply.values.get(scene.item.name, reply.values.get("value"))
        lines = given if isinstance(given, list) else (given or "").splitlines()
        named = [line.strip() for line in lines if line.strip()]
        return self._added(scene, named) if named else common.unchanged(scene)

    def _done(self, scene: Scene, source: Source) -> Read:
        entries = _entries(scene)
        fault = self.fault(scene, entries)
        return Refused(fault) if fault else Settled(entries, source)

    def _added(self, scene: Scene, named: Sequence[str]) -> Read:
        entries = _entries(scene)
        if len(entries) + len(named) > count_of(scene.item)[1]:
            return Refused(count_fault(scene, len(entries) + len(named)))
        fault = next(filter(None, (text_fault(scene, one) for one in named)), "")
        if fault:
            return Refused(fault)
        now = [*entries, *named]
        folded = [one.casefold() for one in now]
        repeated = [one for one in dict.fromkeys(named) if folded.count(one.casefold()) > 1]
        said = scene.texts(
            "step.added_again" if repeated else "step.added",
            entries=", ".join(named),
            repeated=", ".join(repeated),
        )
        return Moved(cursor={"entries": now}, said=said)

    def _removed(self, scene: Scene, at: int) -> Read:
        entries = _entries(scene)
        said = scene.texts("step.removed", entry=entries[at])
        return Moved(cursor={"entries": entries[:at] + entries[at + 1 :]}, said=said)

    # Words

    def _typed(self, scene: Scene, text: str) -> Read:
        if is_done(text, scene.context):
            return self._done(scene, Source.TYPED)
        if is_skip(text, scene.context):
            skip = common.skipped(scene, text)
            waiting = Refused(scene.texts("hint.entries"))
            return waiting if _entries(scene) or skip is None else skip
        for form, act in (
            ("remove_forms", self._remove_named),
            ("add_forms", self._add_named),
            ("forgot_forms", self._forgotten),
        ):
            rest = _rest(scene.texts(f"step.{form}"), text)
            if rest and "?" not in rest:
                return act(scene, rest)
        head = _before_done(scene, text)
        return self._ended(scene, head) if head else self._listed(scene, text)

    def _ended(self, scene: Scene, text: str) -> Read:
        """The last entries and the word that ends the list, in one reply."""
        result = self._listed(scene, text)
        if not isinstance(result, Moved):
            return result
        entries = list(result.cursor["entries"])
        fault = self.fault(scene, entries)
        if fault:
            return Refused(fault, cursor=result.cursor)
        return Settled(entries, Source.TYPED)

    def _remove_named(self, scene: Scene, rest: str) -> Read:
        entries = _entries(scene)
        if rest.isascii() and rest.isdecimal() and 0 < int(rest[:5]) <= len(entries):
            return self._removed(scene, int(rest) - 1)
        same = [at for at, one in enumerate(entries) if one.casefold() == rest.casefold()]
        if len(same) == 1:
            return self._removed(scene, same[0])
        key = "reason.which_entry" if same else "reason.no_such_entry"
        return Refused(scene.texts(key, entry=rest))

    def _add_named(self, scene: Scene, rest: str) -> Read:
        reading = read("entries", rest, common.context_of(scene))
        return self._added(scene, _read_entries(reading.value, rest))

    def _forgotten(self, scene: Scene, rest: str) -> Read:
        """ "I forgot Anna" names an entry, but it is no list: a tap adds her."""
        reading = read("entries", rest, common.context_of(scene))
        offer = _read_entries(reading.value, rest)
        if self.proposable(scene, offer):
            return Beside()
        return Unsure(proposals=(offer,), reason=scene.texts("reason.add_by_tap"))

    def _listed(self, scene: Scene, text: str) -> Read:
        reading = read("entries", text, common.context_of(scene))
        if reading.outcome is Outcome.SETTLED:
            return self._added(scene, [str(one) for one in reading.value])
        if reading.reason == "negation" and not _entries(scene):
            return self._nobody(scene)
        if reading.reason == "question":
            return Beside()
        offers = tuple(
            list(one) for one in reading.proposals if not self.proposable(scene, list(one))
        )
        if reading.outcome is Outcome.BESIDE:
            return Beside(proposals=offers)
        reason = common.reason_of(scene, reading)
        if reading.outcome is Outcome.SUGGESTED and offers:
            return Unsure(proposals=offers, reason=reason)
        return Refused(reason, proposals=offers)

    def _nobody(self, scene: Scene) -> Read:
        """ "None" where nothing is listed: an empty list, or an optional one left out."""
        if count_of(scene.item)[0] > 0 and not scene.item.required:
            return Settled(None, Source.TYPED)
        return self._done(scene, Source.TYPED)

    # Suggestions

    def proposable(self, scene: Scene, value: Any) -> str:
        """Why entries cannot be suggested; fewer than a whole list needs are fine."""
        if not isinstance(value, list) or not value:
            return scene.texts("reason.wrong_kind")
        return next(filter(None, (text_fault(scene, one) for one in value)), "")

    def _offers(self, scene: Scene) -> dict[str, list[str]]:
        """The suggestions that would still add something, by token."""
        entries, most = _entries(scene), count_of(scene.item)[1]
        found: dict[str, list[str]] = {}
        for number, value in enumerate(scene.proposals):
            if self.proposable(scene, value) or value in found.values():
                continue
            new = [] if _names(value) <= _names(entries) else _new(entries, value)
            if new and len(entries) + len(new) <= most:
                found[f"s{number}"] = value
        return found

    def _suggestions(self, scene: Scene) -> tuple[str, tuple[Button, ...]]:
        entries, verbatim, buttons = _entries(scene), "", []
        offers = {token: _new(entries, one) for token, one in self._offers(scene).items()}
        read_alike = Counter(", ".join(new) for new in offers.values())
        for token, new in offers.items():
            named = ", ".join(new)
            key = "step.add_as" if read_alike[named] > 1 else "step.add"
            label = scene.texts(key, entries=named, count=len(new))
            if len(label) > common.LABEL:
                if verbatim:
                    continue
                verbatim, label = "\n".join(new), scene.texts("step.use_this")
            buttons.append(Button(token=token, label=label, role=Role.SUGGESTION))
        return verbatim, tuple(buttons)

    # Values

    def show(self, scene: Scene, value: Any) -> str:
        if not isinstance(value, list):
            return str(value)
        line = ", ".join(map(str, value))
        plain = len(line) <= common.LABEL and not any("," in str(one) for one in value)
        numbered = (f"{at}. {one}" for at, one in enumerate(value, 1))
        return line if plain else "\n".join(numbered)

    def sample(self, scene: Scene) -> Any:
        return sample_of(scene)


def _entries(scene: Scene) -> list[str]:
    """What is on the list; in a review, what was settled before."""
    given = scene.cursor.get("entries", scene.settled.get(scene.item.name))
    return [str(one) for one in given] if isinstance(given, list | tuple) else []


def _new(entries: Sequence[str], value: Sequence[str]) -> list[str]:
    known = {one.casefold() for one in entries}
    return [one for one in value if one.casefold() not in known]


def _names(entries: Sequence[str]) -> set[str]:
    """What entries name, also those that a comma parts: of "Berg, Anna" and of "Berg" and "Anna"
    the same, so that of two readings of one reply the other is offered no more."""
    return {part.strip().casefold() for entry in entries for part in entry.split(",")}


def _removal(entries: Sequence[str], at: int) -> str:
    # The whole list is in the token: a tap that comes twice removes one entry.
    digest = hashlib.sha256("\n".join(entries).encode("utf-8", "replace")).hexdigest()
    return f"x{at}-{digest[:6]}"


def _read_entries(value: Any, text: str) -> list[str]:
    return [str(one) for one in value] if value else [text]


def _before_done(scene: Scene, text: str) -> str:
    """What stands before the sentence, line or part that ends the list ("Anna, that's all")."""
    found = re.fullmatch(r"(?s)(.*\S)\s*[\n,.;!]\s*(\S[^\n,.;!]*?)[\s.!]*", text.strip())
    return found.group(1) if found and is_done(found.group(2), scene.context) else ""


def _rest(forms: str, text: str) -> str:
    """What stands in the place of `{entry}` in the first of the forms that the whole text is."""
    said = " ".join(text.split()).rstrip(" .!")
    for form in sorted(forms.split(","), key=len, reverse=True):
        before, _, after = form.strip().partition("{entry}")
        pattern = re.escape(before) + r"(\S.*?)" + re.escape(after)
        found = re.fullmatch(pattern, said, re.IGNORECASE)
        if found:
            return found.group(1)
    return ""
