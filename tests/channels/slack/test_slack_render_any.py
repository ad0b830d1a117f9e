"""Given any card, then every message of it is within all limits, and all of it can be used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from hypothesis import example, given
from hypothesis import strategies as st

from channels.slack import limits, render, views
from channels.slack.controls import beside, moment, opens
from channels.slack.native import Json, Post
from channels.slack.payload import (
    DATE,
    OPEN,
    SET,
    TIME,
    VALUE,
    Dest,
    field_of,
    found_of,
    part_of,
    token_of,
)
from channels.slack.text import blank, clean
from core.cards import (
    Button,
    Card,
    Chips,
    Form,
    Mark,
    Picker,
    PickerMode,
    Role,
    Row,
    Summary,
    buttons,
)
from core.texts import Texts
from tests.support.any_cards import CARDS, HOSTILE, TEXTS, forms, pickers, summaries
from tests.support.slack import seeing
from tests.support.slack.checking import check_options, faults_of, view_faults_of
from tests.support.slack.controls import Control
from tests.support.slack.text import mrkdwn

DM = Dest(team="T1", channel="D1", owner="U1")
THREAD = Dest(team="T1", channel="C1", owner="U1", thread="1700000000.000100")
EN = Texts("en")
LOCALES = st.sampled_from(["en", "de", "es", "ar", "xx"])


def check(posts: Sequence[Post], calls: Sequence[str] = ()) -> None:
    """Every limit of the platform; nobody is called but these, and nothing is a link."""
    for post in posts:
        assert faults_of(list(post.blocks)) == []
        assert post.blocks
        assert 1 <= len(post.text) <= limits.TOP_TEXT
        assert not blank(post.text)
        said = mrkdwn(post.text, seeing.nobody)
        assert said.pings == []
        assert not [one for one in said if "link" in one.styles and one.target != one.text]
        post.text.encode()
    assert sum(len(post.blocks) for post in posts) < limits.BLOCKS or len(posts) > 1
    read = seeing.words(posts)
    assert read.pings == list(calls)
    assert read.links == {}


def tokens(used: Sequence[Control]) -> Iterator[str]:
    """The tokens of all buttons and options; the channel's own are not among them."""
    for one in used:
        if one.kind == "button":
            yield token_of(one.element["action_id"])
        else:
            yield from (option["value"] for option in one.options)


def wanted(card: Card) -> list[str]:
    """The tokens that no native control takes the place of."""
    left: list[Button] = [*buttons(card)]
    if moment(card) and isinstance(card, Picker):
        left = [one for one in left if one not in (*card.options, *card.moves)]
    if isinstance(card, Form):
        left = [one for one in left if one not in card.edit]
    return sorted(one.token for one in left)


@given(CARDS, LOCALES, st.sampled_from([(DM, ""), (THREAD, "Ada"), (THREAD, "\u200b")]), TEXTS)
def test_any_card_is_within_all_limits_and_each_button_is_there_once(
    card: Card, locale: str, whose: tuple[Dest, str], again: str
) -> None:
    dest, name = whose
    posts = render.card(card, dest, Texts(locale), for_name=name, again=again)
    check(posts, [dest.owner] if name else [])
    used = seeing.controls(posts)
    own = {OPEN, SET}
    found = [one for one in tokens(used) if one not in own]
    assert sorted(found) == wanted(card)
    for one in used:
        part = part_of(one.key[0])
        assert part is not None
        assert (part.card, part.owner, part.thread) == (card.id, dest.owner, dest.thread)
        assert field_of(one.element["action_id"]) in ("", VALUE, DATE, TIME)
    assert Counter(tokens(used))[OPEN] == int(opens(card))


@given(CARDS)
def test_buttons_that_say_the_same_stand_beside_what_tells_them_apart(card: Card) -> None:
    used = seeing.controls(render.card(card, DM, EN))
    rows = [one for one in used if one.block["type"] == "actions"]
    for block in {one.key[0] for one in rows}:
        labels = [one.label for one in rows if one.key[0] == block and one.kind == "button"]
        assert len(labels) == len(set(labels))
    for select in used:
        assert len(select.labels) == len(set(select.labels))


@given(summaries())
@example(
    Summary(
        id="c1",
        item="",
        title="?",
        revision="r",
        rows=tuple(
            Row(
                item="x",
                label=f"Item {number}",
                value=value,
                mark=Mark.YOURS,
                edit=Button(token=f"e{number}", label="x", role=Role.EDIT),
            )
            for number, value in enumerate((*HOSTILE, "word " * 4000))
        ),
        confirm=Button(token="confirm", label="Confirm", role=Role.CONFIRM),
    )
)
def test_no_value_of_a_summary_is_ever_shortened(summary: Summary) -> None:
    for posts in (render.card(summary, DM, EN), render.confirmed(summary, EN, "Confirmed.")):
        check(posts)
        said = _squeezed(seeing.words(posts).text)
        at = 0
        for row in summary.rows:
            value = "–" if blank(clean(row.value)) else _squeezed(clean(row.value))
            found = said.find(value, at)
            assert found >= 0, value
            at = found + len(value)
    assert seeing.controls(render.confirmed(summary, EN, "Confirmed.")) == []


def _squeezed(text: str) -> str:
    """The signs without the white space between them: line breaks may be where messages end."""
    return "".join(text.split())


@given(TEXTS, TEXTS)
def test_any_message_and_receipt_is_taken_or_is_none(text: str, again: str) -> None:
    for posts in (render.message(text, again=again), render.receipt(text, again=again)):
        check(posts)
        assert bool(posts) is not blank(clean(text))
        assert _squeezed(clean(text)) in _squeezed(seeing.words(posts).text) or not posts


@given(pickers())
def test_any_answer_to_a_search_is_taken(picker: Picker) -> None:
    found = render.options(picker)
    assert check_options({"options": found}) == []
    tokens_found = [found_of(one["value"])[0] for one in found]
    assert tokens_found == [one.token for one in picker.options[:100]]


NAMED = st.dictionaries(st.sampled_from(["", "f0", "f1"]), TEXTS)


@given(st.one_of(forms(), pickers()), NAMED, NAMED)
def test_any_modal_is_taken_and_loses_nothing(
    card: Form | Picker, kept: dict[str, str], refused: dict[str, str]
) -> None:
    view = views.form(card, DM, EN, kept)
    assert view_faults_of(view) == []
    assert views.origin_of(view) == views.Origin(DM.lane, card.id)
    if not isinstance(card, Form):
        return
    here = views.blocks_of(view)
    for field in card.fields:
        first = clean(kept.get(field.name, field.value))
        element = _input(view, here.get(field.name, ""))
        assert (element is None) is (len(first) > limits.TYPED)
        if element is not None and first.strip():
            assert element["initial_value"] == first
    faults = views.faults(view, refused)
    assert set(faults) <= set(here.values())
    assert all(not blank(why) for why in faults.values())


def _input(view: Json, block: str) -> Json | None:
    return next((one["element"] for one in view["blocks"] if one.get("block_id") == block), None)


@given(TEXTS, st.lists(TEXTS, max_size=3), st.lists(TEXTS, max_size=12), st.integers(0, 60))
def test_any_app_home_is_taken(
    question: str, open_lines: list[str], submissions: list[str], count: int
) -> None:
    offers = [views.Offer(f"j{number}", question, question) for number in range(count)]
    view = views.home(
        EN,
        DM,
        question=question,
        open_lines=open_lines,
        offers=offers,
        submissions=submissions,
    )
    assert view_faults_of(view) == []


@given(CARDS)
def test_a_card_is_drawn_the_same_every_time(card: Card) -> None:
    assert render.card(card, DM, EN) == render.card(card, DM, EN)


def test_what_is_chosen_natively_leaves_no_button_behind() -> None:
    options = tuple(Button(token=f"d{day}", label=str(day)) for day in range(1, 32))
    for mode in PickerMode:
        picker = Picker(id="c1", item="x", title="?", mode=mode, options=options)
        used = seeing.controls(render.card(picker, DM, EN))
        native = mode in (PickerMode.DATE, PickerMode.TIME, PickerMode.DATETIME)
        assert any(one.kind == "static_select" for one in used) is not native
        assert beside(picker) is False


def test_a_hundred_and_fifty_options_are_two_selects() -> None:
    options = tuple(Button(token=f"o{number}", label=f"Option {number}") for number in range(150))
    for multiple in (False, True):
        card = Chips(id="c1", item="x", title="?", options=options, multiple=multiple)
        posts = render.card(card, DM, EN)
        assert len(posts) == 1
        selects = [one for one in seeing.controls(posts) if one.kind != "button"]
        assert [len(one.options) for one in selects] == [100, 50]
        assert all(len(one.element["placeholder"]["text"]) <= 150 for one in selects)
