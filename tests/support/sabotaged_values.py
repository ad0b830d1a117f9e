"""The code that keeps what is written (G1 to G5, G16), broken in one place at a time.

Each `Break` patches a real function for as long as a test runs; its name is what is wrong then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from core import planner
from core.draft import Draft, Source, canonical
from core.events import Happened
from core.manifest import Item, Manifest
from core.reading import read
from core.reading.result import Context, Reading
from core.reading.result import settled as read_as
from core.step import picker_entries
from core.step.base import Fetch, Fetched, Scene, Settled
from core.step.picker_records import RecordStep, _page, value_of
from core.turn import Consult, asks, consult, replies, settle, summary
from core.turn.quotes import quoted_in
from core.turn.turning import Turning

Break = Callable[[pytest.MonkeyPatch], None]


# G1


def an_item_is_forgotten(patch: pytest.MonkeyPatch) -> None:
    """Whoever names what is owed does not know one of the items."""
    owed, next_item = planner.owed, planner.next_item
    forgotten = ("contact", "needed_by")

    def fewer(manifest: Manifest, draft: Draft) -> tuple[str, ...]:
        return tuple(name for name in owed(manifest, draft) if name not in forgotten)

    def next_of(manifest: Manifest, draft: Draft) -> Item | None:
        kept = tuple(one for one in manifest.items if one.name not in forgotten)
        return next_item(manifest.model_copy(update={"items": kept}), draft)

    patch.setattr(planner, "owed", fewer)
    patch.setattr(planner, "next_item", next_of)


def a_condition_is_read_as_false(patch: pytest.MonkeyPatch) -> None:
    """What belongs only sometimes never belongs."""
    patch.setattr(planner, "_holds", lambda condition, draft, judge: planner.Truth.NO)


def the_summary_comes_too_early(patch: pytest.MonkeyPatch) -> None:
    """It is drawn as soon as half of it is there."""
    next_item = planner.next_item

    def early(manifest: Manifest, draft: Draft) -> Item | None:
        return None if len(draft.values) > 4 else next_item(manifest, draft)

    patch.setattr(planner, "next_item", early)


def a_row_is_left_out(patch: pytest.MonkeyPatch) -> None:
    """An item is on no summary, and in no submission."""
    content = planner.content

    def without(manifest: Manifest, draft: Draft) -> dict[str, Any]:
        found = content(manifest, draft)
        found.pop("attestation", None)
        return found

    patch.setattr(planner, "content", without)


def what_may_be_left_out_is_never_asked(patch: pytest.MonkeyPatch) -> None:
    """A step's optional item is not asked."""
    next_item = planner.next_item

    def required_only(manifest: Manifest, draft: Draft) -> Item | None:
        kept = tuple(one for one in manifest.items if one.required)
        return next_item(manifest.model_copy(update={"items": kept}), draft)

    patch.setattr(planner, "next_item", required_only)


# G2


def another_option_than_the_tapped_one_is_taken(patch: pytest.MonkeyPatch) -> None:
    """A choice settles with its last option, whichever was tapped."""
    as_read = settle.settle

    def last(turn: Turning, name: str, result: Settled) -> None:
        options = turn.type.manifest.item(name).options
        is_one = isinstance(result.value, str) and result.value in options
        as_read(turn, name, replace(result, value=options[-1]) if is_one else result)

    patch.setattr(settle, "settle", last)


def a_quote_is_not_verified(patch: pytest.MonkeyPatch) -> None:
    """Whatever the model says that the person said is believed."""
    patch.setattr(consult, "quoted_in", lambda quote, said: quote)


def a_value_is_not_looked_for_in_its_quote(patch: pytest.MonkeyPatch) -> None:
    """Something else than what was quoted is written, on the strength of some words of theirs."""

    def any_words(quote: str, said: Iterable[str]) -> str | None:
        told = list(said)
        return quoted_in(quote, told) or (told[-1] if told else None)

    patch.setattr(consult, "quoted_in", any_words)
    patch.setattr(consult, "value_of", lambda item, claimed, quote, context: str(claimed))


def a_suggestion_settles(patch: pytest.MonkeyPatch) -> None:
    """What the model suggests is written as if the person had typed it."""
    suggest = Consult._suggest

    def settles(self: Consult, arguments: Any) -> str:
        item = self._item(arguments)
        value = self._value(item, arguments.get("value")) if item is not None else None
        told = suggest(self, arguments)
        fits = item is not None and value is not None and self._askable(item)
        if item is not None and fits and self.turn.acceptable(item.name, value):
            receipt = settle.write(self.turn, item.name, value, Source.TYPED)
            self.receipts.append(receipt.text)
        return told

    patch.setattr(Consult, "_suggest", settles)


def suggested_entries_slide_into_the_list(patch: pytest.MonkeyPatch) -> None:
    """Done sends what was suggested, too."""
    done = picker_entries.EntriesStep._done

    def more(self: Any, scene: Scene, source: Source) -> Any:
        result = done(self, scene, source)
        suggested = [name for one in scene.proposals for name in one]
        if not isinstance(result, Settled):
            return result
        return replace(result, value=[*result.value, *suggested])

    patch.setattr(picker_entries.EntriesStep, "_done", more)


# G3


def something_else_is_submitted(patch: pytest.MonkeyPatch) -> None:
    """What is frozen is not quite what was shown."""

    def louder(content: dict[str, Any]) -> bytes:
        told = [name for name in ("title", "reason") if name in content]
        return canonical({**content, **{name: str(content[name]).upper() for name in told}})

    patch.setattr(summary, "canonical", louder)


def any_words_confirm(patch: pytest.MonkeyPatch) -> None:
    """Whatever is said at the summary is taken for a yes."""

    def yes(kind: str, text: str, context: Context) -> Reading:
        return read_as(True) if kind == "confirm" else read(kind, text, context)

    patch.setattr(replies, "read", yes)


def the_summary_shows_what_was(patch: pytest.MonkeyPatch) -> None:
    """A row of it shows the value before the change."""
    row = summary._row

    def older(turn: Turning, number: int, name: str) -> Any:
        made, past = row(turn, number, name), turn.draft.values[name].past
        if not past:
            return made
        return msgspec.structs.replace(made, value=turn.display(name, past[-1].value))

    patch.setattr(summary, "_row", older)


def a_summary_of_before_can_be_confirmed(patch: pytest.MonkeyPatch) -> None:
    """Nobody looks whether the summary still shows what is so."""
    patch.setattr(asks, "still_shows", lambda turn, ask: True)
    patch.setattr(summary, "confirmable", lambda turn, ask: True)


# G4


def a_change_is_told_without_what_was(patch: pytest.MonkeyPatch) -> None:
    """A changed value gets the receipt of a new one."""

    def new_only(turn: Turning, name: str, value: Any, *_: Any) -> str:
        label = turn.texts.label(name)
        return turn.texts("turn.settled", label=label, value=turn.display(name, value))

    patch.setattr(settle, "_head", new_only)


def a_change_is_told_without_what_is(patch: pytest.MonkeyPatch) -> None:
    """A changed value is told with the old one alone."""
    head = settle._head

    def old_only(
        turn: Turning, name: str, value: Any, written: planner.Written, source: Source
    ) -> str:
        shown = written.old.value if written.changed and written.old is not None else value
        return head(turn, name, shown, written, source)

    patch.setattr(settle, "_head", old_only)


# G5


def the_first_record_found_is_taken(patch: pytest.MonkeyPatch) -> None:
    """What a search of the model's brings is in the draft at once."""
    fetched = Consult.fetched

    def takes(self: Consult, fetch: Fetch, answer: Fetched) -> str:
        tool = next(one for one in self.turn.type.manifest.tools if one.name == fetch.tool)
        item = self.turn.type.manifest.item(tool.item) if tool.item else None
        if item is not None and answer.records and self._askable(item):
            value = value_of(answer.records[0])
            receipt = settle.write(self.turn, item.name, value, Source.RECORD)
            self.receipts.append(receipt.text)
        return fetched(self, fetch, answer)

    patch.setattr(Consult, "fetched", takes)


def another_record_than_the_tapped_one_is_taken(patch: pytest.MonkeyPatch) -> None:
    """The last of those on the card is taken, whichever was meant."""
    accepted = RecordStep._accepted

    def last(self: RecordStep, scene: Scene, record: Any) -> Any:
        return accepted(self, scene, [*_page(scene).shown, record][-2])

    patch.setattr(RecordStep, "_accepted", last)


def the_summary_shows_another_record(patch: pytest.MonkeyPatch) -> None:
    """The row of a record shows one that nobody took."""
    row = summary._row

    def other(turn: Turning, number: int, name: str) -> Any:
        made = row(turn, number, name)
        return msgspec.structs.replace(made, value="Villa Royal") if name == "venue" else made

    patch.setattr(summary, "_row", other)


# G16


def a_change_takes_nothing_with_it(patch: pytest.MonkeyPatch) -> None:
    """What depends on a changed value stands all the same."""
    patch.setattr(planner, "_take_away", lambda manifest, draft, changed: (draft, (), ()))


def a_change_takes_only_what_is_next_to_it(patch: pytest.MonkeyPatch) -> None:
    """What depends on something that went stands all the same."""
    take_away = planner._take_away

    def one_round(manifest: Manifest, draft: Draft, changed: set[str]) -> Any:
        after, lost, hidden = take_away(manifest, draft, changed)
        direct = {
            item.name
            for item in manifest.items
            if changed & {*item.depends_on, *(item.when.names() if item.when else ())}
        }
        back = {name: draft.values[name] for name in lost if name not in direct}
        kept = msgspec.structs.replace(after, values={**after.values, **back})
        return kept, tuple(one for one in lost if one in direct), hidden

    patch.setattr(planner, "_take_away", one_round)


def a_change_takes_too_much_with_it(patch: pytest.MonkeyPatch) -> None:
    """A change takes away what has nothing to do with it."""
    take_away = planner._take_away

    def more(manifest: Manifest, draft: Draft, changed: set[str]) -> Any:
        after, lost, hidden = take_away(manifest, draft, changed)
        value = draft.values.get(next(iter(changed)))
        others = [name for name in ("title", "system") if name in after.values]
        if value is None or not value.past or not others:
            return after, lost, hidden
        values = {name: one for name, one in after.values.items() if name not in others}
        return msgspec.structs.replace(after, values=values), (*lost, *others), hidden

    patch.setattr(planner, "_take_away", more)


def what_stands_is_asked_again(patch: pytest.MonkeyPatch) -> None:
    """After a change the first question comes again."""
    advance = asks.advance

    def again(turn: Turning, *, prefer: str = "", late: bool = False) -> None:
        changed = any(one.what is Happened.CHANGED for one in turn.events)
        advance(turn, prefer="kind" if changed else prefer, late=late)

    patch.setattr(asks, "advance", again)


def what_went_is_not_named(patch: pytest.MonkeyPatch) -> None:
    """Nobody says what a change took away."""
    patch.setattr(settle, "taken_away", lambda turn, written: "")
