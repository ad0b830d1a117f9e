"""What holds for every step, whatever is tapped, typed, sent or forged."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.cards import Record
from core.cards import buttons as buttons_of
from core.manifest import Kind
from core.replies import File, Somebody
from core.step.base import Fetch, Fetched, Moved, Read, Refused, Settled, Unsure
from core.step.registry import STEPS
from tests.support.scenes import Asked, ask, submit, tap, upload, words

RECORDS = tuple(Record(id=f"n{n}", label=f"Room {n}", fields={"seats": n}) for n in range(1, 20))
TOOL = {"name": "rooms", "description": "Rooms", "item": "it"}


def rooms(fetch: Fetch) -> Fetched:
    query = str(fetch.arguments["query"]).casefold()
    found = tuple(one for one in RECORDS if query in one.label.casefold())
    start = (int(fetch.arguments["page"]) - 1) * 6
    return Fetched(records=found[start : start + 6], total=len(found))


def down(fetch: Fetch) -> Fetched:
    return Fetched(failed="timeout")


FIELDS = [
    {"name": "name", "value": "short_text"},
    {"name": "fee", "value": "money"},
    {"name": "mail", "value": "email", "required": False},
]
CASES: dict[str, dict[str, Any]] = {
    "choice": {"options": ["a", "b", "c"]},
    "choices": {"options": ["a", "b", "c"], "count": (2, 2)},
    "yes_no": {},
    "attestation": {},
    "short_text": {"max_length": 40},
    "long_text": {"min_length": 3},
    "number": {"minimum": 2, "maximum": 90},
    "money": {"maximum": 500},
    "duration": {"minimum": 15, "maximum": 600},
    "email": {},
    "phone": {},
    "url": {},
    "date": {"minimum": "today", "maximum": "2027-06-15"},
    "time": {"minimum": "09:10", "maximum": "21:20"},
    "datetime": {"minimum": "today"},
    "entries": {"count": (2, 3)},
    "record": {"tools": (TOOL,), "directory": rooms},
    "upload": {"accepts": ["image/*"]},
    "form": {"fields": FIELDS},
    "person": {},
}
KINDS = sorted(CASES)
LOCALES = ("en", "de", "es")

PROPOSALS: dict[str, tuple[Any, ...]] = {
    "choice": ("b", "gone"),
    "choices": (["a", "c"], ["a"]),
    "long_text": ("A draft of some length. " * 5,),
    "number": (5, 500),
    "date": ("2026-12-24", "2020-01-01"),
    "entries": (["Anna"], ["Anna", "Ben", "Cleo"]),
    "person": ({"id": "", "handle": "kim", "name": "Kim"}, {"name": "Kim"}),
    "form": ({"name": "Anna", "fee": {"amount": "5.00", "currency": "EUR"}, "mail": None},),
}


def asked(kind: str, **more: Any) -> Asked:
    return ask(kind, **{**CASES[kind], **more})


def holds(one: Asked, read: Read | None) -> None:
    """What a settled value, and any other outcome, must be."""
    if isinstance(read, Settled):
        assert one.step.fault(one.scene, read.value) == ""
        assert msgspec.json.decode(msgspec.json.encode(read.value)) == read.value
        assert one.step.show(one.scene, read.value) or read.value is None
    if isinstance(read, Moved | Refused) and read.cursor is not None:
        assert msgspec.json.decode(msgspec.json.encode(read.cursor)) == read.cursor
    if isinstance(read, Refused):
        assert read.reason
    if isinstance(read, Refused | Unsure):
        assert all(value is not None for value in read.proposals)


def card_holds(one: Asked) -> None:
    """What every card must be, and that it is drawn the same twice."""
    card = one.card
    assert msgspec.json.encode(card) == msgspec.json.encode(one.card)
    buttons = list(buttons_of(card))
    tokens = [button.token for button in buttons]
    assert len(set(tokens)) == len(tokens)
    assert all(0 < len(token) <= 12 and not token.startswith("~") for token in tokens)
    assert all(button.label.strip() and "\n" not in button.label for button in buttons)
    assert card.id == "c1"
    assert card.title
    assert card.item == "it"


def test_every_kind_has_a_step_and_a_case() -> None:
    assert set(CASES) == {kind.value for kind in Kind} - {"custom"}
    assert {kind.value for kind in STEPS} == set(CASES)


VARIANTS = st.fixed_dictionaries(
    {},
    optional={
        "required": st.booleans(),
        "locale": st.sampled_from(LOCALES),
        "refusals": st.integers(0, 4),
    },
)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=30)
@given(data=st.data())
def test_taps_on_the_cards_own_buttons_never_fail_and_settle_only_what_may_stand(
    kind: str, data: st.DataObject
) -> None:
    more = data.draw(VARIANTS)
    if kind == "long_text":
        more["draftable"] = data.draw(st.booleans())
    if kind == "record" and data.draw(st.booleans()):
        more["directory"] = down
    one = asked(kind, **more)
    if data.draw(st.booleans()):
        one.scene = replace(one.scene, proposals=PROPOSALS.get(kind, ()))
    for _ in range(data.draw(st.integers(1, 8))):
        card_holds(one)
        buttons = list(buttons_of(one.card))
        if not buttons:
            break
        one.replies(tap(data.draw(st.sampled_from(buttons)).token))
        holds(one, one.read)
        if isinstance(one.read, Settled):
            break


TYPED = st.one_of(
    st.text(max_size=80),
    st.sampled_from(
        [
            "yes",
            "no",
            "skip",
            "done",
            "back",
            "2",
            "-1",
            "0",
            "1e400",
            "5.005",
            "9" * 40,
            "the second one",
            "tomorrow at 5",
            "2026-12-04 17:00",
            "in 20 minutes",
            "Room 3",
            "Kim Lindner",
            "@kim, my boss",
            "room",
            "name: Anna, fee: 5",
            "name:\nfee:",
            "remove 1",
            "remove 99999999999999999999",
            "i forgot Anna",
            "a and b",
            "anna@example.org",
            "+49 30 12345678",
            "https://example.org",
            "{name} {0} {!r}",
            "\x00",
            "\ud800",
            "👍",
        ]
    ),
)
SUBMITTED = st.dictionaries(
    st.sampled_from(["value", "it", "query", "name", "fee", "mail", "ticked", "~"]),
    TYPED | st.lists(st.sampled_from(["t0", "t1", "u1", "o0", "o9", "", "t٣"]), max_size=3),
    max_size=4,
)
TOKENS = st.text(max_size=14) | st.from_regex(r"[a-z]{1,2}-?[0-9]{0,10}", fullmatch=True)
FILES = st.builds(
    File,
    ref=st.text(max_size=5),
    name=st.sampled_from(["a.png", "b.pdf", "", "x" * 300]),
    mime=st.sampled_from(["image/png", "", "application/pdf", "[", "image"]),
    size=st.integers(0, 10**9),
)
PEOPLE = st.lists(
    st.builds(
        Somebody,
        id=st.sampled_from(["U1", "U2", ""]),
        handle=TYPED,
        name=TYPED,
        said=TYPED,
        wrong=st.sampled_from(["", "", "bot", "gone"]),
    ),
    max_size=3,
)


def naming(reply: Any, people: list[Somebody]) -> Any:
    return msgspec.structs.replace(reply, people=tuple(people))


REPLIES = st.one_of(
    TYPED.map(words),
    st.builds(naming, TYPED.map(words), PEOPLE),
    st.builds(naming, st.just(submit(value="U1")), PEOPLE),
    TOKENS.map(tap),
    SUBMITTED.map(lambda values: submit(**values)),
    st.lists(FILES, max_size=3).map(lambda files: upload(*files)),
)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=60)
@given(replies=st.lists(REPLIES, min_size=1, max_size=5), more=VARIANTS)
def test_no_reply_however_forged_fails_or_settles_what_may_not_stand(
    kind: str, replies: list[Any], more: dict[str, Any]
) -> None:
    one = asked(kind, **more)
    for reply in replies:
        one.replies(reply)
        holds(one, one.read)
        card_holds(one)


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TYPED,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["id", "label", "amount", "currency", "ref", "name", "handle", "fee", "x"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=6,
)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=60)
@given(value=ANYTHING)
def test_no_value_however_odd_fails_and_what_stands_can_be_stored_and_read(
    kind: str, value: Any
) -> None:
    one = asked(kind, proposals=(value,))
    fault = one.step.fault(one.scene, value)
    assert isinstance(fault, str)
    assert isinstance(one.step.show(one.scene, value), str)
    card_holds(one)
    if not fault:
        assert msgspec.json.decode(msgspec.json.encode(value)) == value


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("kind", KINDS)
def test_a_sample_stands_and_reads_as_something(kind: str, locale: str) -> None:
    one = asked(kind, locale=locale)
    assert one.card
    sample = one.step.sample(one.scene)
    assert one.step.fault(one.scene, sample) == ""
    assert one.step.show(one.scene, sample)


TYPED_BACK = {
    "number": st.integers(2, 90),
    "money": st.integers(0, 50000).map(
        lambda cents: {"amount": f"{cents // 100}.{cents % 100:02}", "currency": "EUR"}
    ),
    "duration": st.integers(15, 600),
    "date": st.dates()
    .map(lambda day: f"2027-{day.month:02}-{min(day.day, 15):02}")
    .filter(lambda text: text <= "2027-06-15"),
    "time": st.times().map(lambda at: f"{at:%H:%M}").filter(lambda at: "09:10" <= at <= "21:20"),
    "choice": st.sampled_from(["a", "b", "c"]),
    "yes_no": st.booleans(),
    "person": st.fixed_dictionaries(
        {
            "id": st.just(""),
            "handle": st.sampled_from(["", "kim", "ana_belen.2"]),
            "name": st.sampled_from(["Kim Lindner", "José de la Cruz", "O’Neil", "李小龍"]),
        }
    ),
}


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("kind", sorted(TYPED_BACK))
@settings(max_examples=25)
@given(data=st.data())
def test_what_is_shown_can_be_typed_back(kind: str, locale: str, data: st.DataObject) -> None:
    one = asked(kind, locale=locale)
    value = data.draw(TYPED_BACK[kind])
    read = one.says(one.step.show(one.scene, value)).read
    assert isinstance(read, Settled), one.step.show(one.scene, value)
    assert read.value == value


EXAMPLES: dict[str, tuple[str, Any]] = {
    "short_text": ("Mending Café", "Mending Café"),
    "long_text": ("Bring it broken.\nTake it home whole.", "Bring it broken.\nTake it home whole."),
    "number": ("24", 24),
    "money": ("12.50", {"amount": "12.50", "currency": "EUR"}),
    "duration": ("2 hours", 120),
    "email": ("jo@example.org", "jo@example.org"),
    "url": ("https://meet.example.org/cafe", "https://meet.example.org/cafe"),
    "date": ("24 December 2026", "2026-12-24"),
    "time": ("7 pm", "19:00"),
    "entries": ("Amina Yilmaz\nJo Marten", ["Amina Yilmaz", "Jo Marten"]),
    "person": ("Amina Yilmaz", {"id": "", "handle": "", "name": "Amina Yilmaz"}),
}


@pytest.mark.parametrize("kind", EXAMPLES)
def test_the_journeys_own_example_is_the_sample(kind: str) -> None:
    example, value = EXAMPLES[kind]
    one = asked(kind, texts={"example": example})
    assert one.step.sample(one.scene) == value


@pytest.mark.parametrize(
    "kind, example", [("number", "91"), ("number", "a few"), ("entries", "Amina Yilmaz")]
)
def test_an_example_that_cannot_stand_is_no_sample(kind: str, example: str) -> None:
    one = asked(kind, texts={"example": example})
    assert one.step.fault(one.scene, one.step.sample(one.scene)) == ""


def test_a_form_is_sampled_by_the_examples_of_its_fields() -> None:
    one = asked("form", texts={"fields": {"name": {"example": "Anna Berg"}}})
    assert one.step.sample(one.scene)["name"] == "Anna Berg"
    assert one.step.fault(one.scene, one.step.sample(one.scene)) == ""
