"""On random dependency graphs, after random answers and changes: the draft and what is owed are
those of a fresh journey with the same final answers.

The oracle is written apart from the planner. It knows no changes and no propagation: it keeps with
each answer a snapshot of what the item depended on when it was given, and strikes out, over and
over, every answer whose snapshot no longer fits.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from core import planner
from core.draft import Draft, Source
from core.manifest import Condition, Item, Kind, Manifest
from core.manifest import Test as Criterion

ABSENT = "absent"
PENDING = "pending"


@dataclass
class Oracle:
    """What a reader of the design would work out on paper."""

    manifest: Manifest
    answers: dict[str, tuple[Any, dict[str, Any]]] = field(default_factory=dict)

    def shown(self, name: str) -> bool | None:
        """Whether an item is part of the journey; None while nobody can know."""
        condition = self.manifest.item(name).when
        if condition is None:
            return True
        verdicts: list[bool | None] = []
        for other, test in condition.tests.items():
            there = self.shown(other)
            if there is False:
                verdicts.append(False)
            elif there is None or other not in self.answers:
                verdicts.append(None)
            else:
                verdicts.append(self.answers[other][0] in (test.one_of or ()))
        if False in verdicts:
            return False
        return None if None in verdicts else True

    def effective(self, name: str) -> Any:
        """What an item contributes to those that depend on it."""
        if name in self.answers:
            return self.answers[name][0]
        return PENDING if self.shown(name) else ABSENT

    def may_answer(self, name: str) -> bool:
        """Whether the item can be asked: it is part, and nothing before it is open."""
        item = self.manifest.item(name)
        before = [*(item.when.tests if item.when else ()), *item.needs, *item.depends_on]
        return self.shown(name) is True and all(
            other in self.answers or self.shown(other) is False for other in before
        )

    def answer(self, name: str, value: Any) -> None:
        """An answer is given; strike out what no longer fits, until all fits."""
        item = self.manifest.item(name)
        self.answers[name] = (value, {other: self.effective(other) for other in item.depends_on})
        while True:
            misfits = [
                one
                for one, (_, snapshot) in self.answers.items()
                if self.shown(one) is False
                or any(self.effective(other) != was for other, was in snapshot.items())
            ]
            if not misfits:
                return
            for one in misfits:
                del self.answers[one]

    def owed(self) -> tuple[str, ...]:
        """What is still to be answered."""
        return tuple(
            item.name
            for item in self.manifest.items
            if item.required
            and item.name not in self.answers
            and self.shown(item.name) is not False
        )


@st.composite
def manifests(draw: st.DrawFn) -> Manifest:
    """Journeys of up to nine items; each may look only at items before it."""
    count = draw(st.integers(2, 9))
    names = [f"i{number}" for number in range(count)]
    items = []
    for number, name in enumerate(names):
        before = names[:number]
        some: st.SearchStrategy[list[str]] = (
            st.lists(st.sampled_from(before), unique=True, max_size=2) if before else st.just([])
        )
        wanted = st.sets(st.integers(0, 2), min_size=1, max_size=2)
        tests = {other: Criterion(one_of=tuple(draw(wanted))) for other in draw(some)}
        conditional: bool = draw(st.booleans())
        items.append(
            Item(
                name=name,
                value=Kind.NUMBER,
                required=draw(st.integers(0, 3)) > 0,
                when=Condition(tests=tests) if tests and conditional else None,
                needs=tuple(draw(some)),
                depends_on=tuple(draw(some)),
            )
        )
    return Manifest(name="random", version=1, items=tuple(items))


def put(manifest: Manifest, draft: Draft, name: str, value: Any, turn: int = 0) -> planner.Written:
    return planner.write(manifest, draft, name, value, source=Source.TYPED, turn=turn)


@given(manifests(), st.lists(st.tuples(st.integers(0, 8), st.integers(0, 2)), max_size=40))
def test_the_draft_and_what_is_owed_are_what_the_oracle_says(
    manifest: Manifest, moves: list[tuple[int, int]]
) -> None:
    oracle, draft = Oracle(manifest), Draft()
    names = [item.name for item in manifest.items]
    for turn, (number, value) in enumerate(moves):
        name = names[number % len(names)]
        item = manifest.item(name)
        assert planner.askable(manifest, draft, item) == oracle.may_answer(name)
        if not oracle.may_answer(name):
            continue
        before = set(draft.values)
        written = put(manifest, draft, name, value, turn)
        oracle.answer(name, value)
        draft = written.draft
        assert {one: kept.value for one, kept in draft.values.items()} == {
            one: kept for one, (kept, _) in oracle.answers.items()
        }
        assert planner.owed(manifest, draft) == oracle.owed()
        assert before - set(draft.values) == {*written.lost, *written.hidden}


@given(manifests(), st.lists(st.tuples(st.integers(0, 8), st.integers(0, 2)), max_size=40))
def test_a_fresh_journey_with_the_final_answers_comes_to_the_same(
    manifest: Manifest, moves: list[tuple[int, int]]
) -> None:
    draft = Draft()
    names = [item.name for item in manifest.items]
    for number, value in moves:
        name = names[number % len(names)]
        if planner.askable(manifest, draft, manifest.item(name)):
            draft = put(manifest, draft, name, value).draft
    fresh = Draft()
    waiting = planner.content(manifest, draft)
    while ready := [n for n in waiting if planner.askable(manifest, fresh, manifest.item(n))]:
        for name in ready:
            fresh = put(manifest, fresh, name, waiting.pop(name)).draft
    if not planner.owed(manifest, draft):
        assert not waiting
        assert planner.content(manifest, fresh) == planner.content(manifest, draft)
    assert set(planner.owed(manifest, draft)) <= set(planner.owed(manifest, fresh))
