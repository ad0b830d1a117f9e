"""Given this card, then these lines and these controls."""

from __future__ import annotations

from channels.slack import render
from channels.slack.payload import MORE, block_id, button_id, field_id, part_of, token_of
from core.cards import Button, Mark, PickerMode, Role
from core.texts import Texts
from tests.support.slack import seeing
from tests.support.slack.cards import (
    BACK,
    CANCEL,
    DONE,
    EN,
    RESTART,
    SKIP,
    THREAD,
    chips,
    control,
    drawn,
    lines,
    options,
    picker,
    row,
    summary,
)

# Choices


def test_a_choice_has_its_place_its_question_and_its_options() -> None:
    card = chips("Meetup", "Workshop", place=(1, 18), hint="Tap one.", controls=(BACK, CANCEL))
    posts = drawn(card)
    assert seeing.lines(posts) == [
        "1/18",
        "Which?",
        "Tap one.",
        "[ Meetup ] [ Workshop ]",
        "[ Back ] [ Cancel ]",
    ]
    assert seeing.words(posts).marked("bold") == ["Which?"]
    assert posts[0].text == "1/18\nWhich?\nTap one."


def test_a_button_names_its_card_and_its_token_and_nothing_else() -> None:
    found = control(drawn(chips("Meetup"), THREAD), "Meetup")
    assert found.element["action_id"] == button_id("o0")
    assert "value" not in found.element
    assert found.block["block_id"] == block_id("c1", "one0", THREAD)


def test_a_reason_comes_first_and_suggestions_above_the_options() -> None:
    offer = Button(token="s0", label="40", role=Role.SUGGESTION)
    card = chips("Yes", reason="It can be 40 at most.", suggestions=(offer,))
    assert lines(card) == ["ℹ️ It can be 40 at most.", "Which?", "[ 💡 40 ]", "[ Yes ]"]


def test_six_options_are_two_rows_of_buttons_and_seven_are_a_select() -> None:
    labels = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    assert lines(chips(*labels[:6]))[1:] == [
        "[ Mon ] [ Tue ] [ Wed ]",
        "[ Thu ] [ Fri ] [ Sat ]",
    ]
    posts = drawn(chips(*labels))
    assert seeing.lines(posts) == ["Which?", "[ Choose one ▾ ]"]
    select = control(posts)
    assert (select.kind, select.labels) == ("static_select", labels)
    assert select.element["action_id"] == field_id("value")
    assert [one["value"] for one in select.options] == [f"o{number}" for number in range(7)]


def test_options_too_long_for_a_button_are_told_in_full() -> None:
    long = "The hall on the ground floor, with the garden and the piano"
    assert lines(chips(long, "Another")) == [
        "Which?",
        f"1. {long}",
        "2. Another",
        f"[ 1. {long} ] [ 2. Another ]",
    ]


def test_options_too_long_for_a_select_are_told_in_full_too() -> None:
    long = [f"{'very ' * 20}long {number}" for number in range(8)]
    posts = drawn(chips(*long))
    assert seeing.lines(posts)[1:9] == [f"{number}. {one}" for number, one in enumerate(long, 1)]
    assert control(posts).labels[1] == f"2. {'very ' * 14}v…"


def test_what_more_is_said_of_options_stands_above_buttons_and_in_a_select() -> None:
    assert lines(chips(options=options("Small", "Large", detail="up to 20"))) == [
        "Which?",
        "1. Small",
        "up to 20",
        "2. Large",
        "up to 20",
        "[ 1. Small ] [ 2. Large ]",
    ]
    select = control(drawn(chips(options=options(*"abcdefg", detail="up to 20"))))
    assert {one["description"]["text"] for one in select.options} == {"up to 20"}


def test_several_choices_are_checkboxes_with_what_is_ticked() -> None:
    ticks = (*options("English", ticked=True), Button(token="t1", label="German", ticked=False))
    card = chips(options=ticks, multiple=True, done=DONE)
    posts = drawn(card)
    assert seeing.lines(posts) == ["Which?", "☑ English ☐ German", "[ Done ]"]
    boxes = control(posts)
    assert (boxes.kind, boxes.element["action_id"]) == ("checkboxes", field_id("value"))
    assert control(posts, "Done").element["style"] == "primary"


def test_checkboxes_are_new_ones_when_others_are_ticked() -> None:
    unticked = chips(options=options("English", ticked=False), multiple=True, done=DONE)
    ticked = chips(options=options("English", ticked=True), multiple=True, done=DONE)
    before, after = (control(drawn(card)).key[0] for card in (unticked, ticked))
    assert before != after
    assert before == control(drawn(unticked)).key[0]


def test_more_than_ten_choices_are_a_select_of_several() -> None:
    labels = [f"Language {number}" for number in range(11)]
    posts = drawn(chips(options=options(*labels, ticked=True), multiple=True, done=DONE))
    select = control(posts)
    assert (select.kind, len(select.options)) == ("multi_static_select", 11)
    assert len(select.element["initial_options"]) == 11
    assert seeing.lines(posts)[-1] == "[ Done ]"


def test_a_text_shown_as_it_is_is_a_quotation() -> None:
    text = "I hold the rights to <all> texts.\n\nAnd *images*."
    (post,) = drawn(chips("I agree", verbatim=text))
    (quote,) = [
        part
        for block in post.blocks
        if block["type"] == "rich_text"
        for part in block["elements"]
        if part["type"] == "rich_text_quote"
    ]
    assert [one["text"] for one in quote["elements"]] == [text]


def test_a_suggestion_too_long_for_a_button_is_told_in_full() -> None:
    long = "the one with the window to the garden"
    offer = Button(token="s0", label=long, role=Role.SUGGESTION)
    assert lines(chips("Yes", suggestions=(offer,))) == [
        "Which?",
        f"💡 A. {long}",
        f"[ 💡 A. {long} ]",
        "[ Yes ]",
    ]


def test_where_ways_out_are_many_those_that_lead_out_are_behind_one_button() -> None:
    posts = drawn(chips("Yes", controls=(SKIP, BACK, CANCEL, RESTART)))
    assert seeing.lines(posts)[-1] == "[ Skip ] [ Back ] [ … Cancel / Start over ]"
    menu = control(posts, "…")
    assert token_of(menu.element["action_id"]) == MORE
    assert [one["value"] for one in menu.options] == ["~cancel", "~restart"]


# The summary


def test_a_summary_has_each_value_below_its_label_with_an_edit_beside() -> None:
    posts = drawn(
        summary(
            row("Title", "Bees & *honey*"),
            row("Date", "Friday", Mark.QUOTED, "e1", quote="on friday"),
            row("Venue", "Halle 1", Mark.RECORD, "e2"),
            row("Photo", "left out", Mark.SKIPPED, "e3"),
        )
    )
    assert seeing.lines(posts) == [
        "Is everything right?",
        "Title",
        "[ Edit ]",
        "Bees & *honey*",
        "Date",
        "[ Edit ]",
        "Friday ❝",
        "“on friday”",
        "Venue",
        "[ Edit ]",
        "Halle 1 ◆",
        "Photo",
        "[ Edit ]",
        "left out",
        "❝ from your words",
        "◆ from a list, accepted by you",
        "Confirm, or pick a line.",
        "[ Confirm ]",
        "[ Back ] [ Cancel ] [ Start over ]",
    ]
    assert seeing.words(posts).marked("italic") == ["“on friday”", "left out"]
    assert token_of(control(posts, "Edit: Venue").element["action_id"]) == "e2"
    assert control(posts, "Confirm").element["style"] == "primary"


def test_eighteen_rows_are_one_message_and_more_go_on_in_the_next() -> None:
    rows = [row(f"Item {number}", "value", token=f"e{number}") for number in range(60)]
    assert len(drawn(summary(*rows[:18]))) == 1
    posts = drawn(summary(*rows))
    assert len(posts) == 3
    assert [one.label for one in seeing.controls(posts[:1])] == ["Edit"] * 24
    assert seeing.lines(posts[2:])[-2] == "[ Confirm ]"
    assert [part_of(one.key[0]) is not None for one in seeing.controls(posts)] == [True] * 64


def test_a_long_value_is_shown_whole() -> None:
    text = "\n\n".join(f"Paragraph {number}. " + "word " * 300 for number in range(20))
    posts = drawn(summary(row("Text", text)))
    assert len(posts) == 4
    shown = seeing.words(posts).text
    assert "".join(text.split()) in "".join(shown.split())


def test_a_confirmed_summary_stays_as_shown_without_its_controls() -> None:
    posts = render.confirmed(summary(row("Title", "Bees")), EN, "Confirmed.", again="Twice?")
    assert seeing.lines(posts) == ["Title", "Bees", "✓ Confirmed.", "Twice?"]
    assert seeing.controls(posts) == []


def test_a_label_that_mrkdwn_might_read_is_plain_instead_of_bold() -> None:
    posts = drawn(summary(row("Price *net*", "1"), row("Price", "2", token="e1")))
    assert seeing.words(posts).marked("bold") == ["Is everything right?", "Price"]
    assert "Price *net*" in seeing.lines(posts)


# Messages, and whose they are


def test_a_message_is_shown_as_it_was_written() -> None:
    text = "Dear <@U123> & @channel, *see* <https://a.example|here> :smile: `x`\n> no quote"
    posts = render.message(text)
    assert seeing.lines(posts) == text.split("\n")
    shown = seeing.words(posts)
    assert (shown.pings, shown.links, shown.marked("bold")) == ([], {}, [])
    assert render.message(" \u200b") == ()


def test_a_receipt_is_ticked_once() -> None:
    assert seeing.lines(render.receipt("Date: Friday")) == ["✓ Date: Friday"]
    assert seeing.lines(render.receipt("✓ Date: Friday", again="Twice?")) == [
        "✓ Date: Friday",
        "Twice?",
    ]
    assert render.receipt("") == ()


def test_where_others_are_a_card_calls_its_owner() -> None:
    posts = drawn(chips("Yes"), THREAD, for_name="Ada")
    assert seeing.words(posts).pings == ["U1"]
    assert seeing.lines(posts)[0] == "@U1"


def test_a_card_speaks_the_person_s_language() -> None:
    german = drawn(summary(row("Titel", "Bienen")), texts=Texts("de"))
    assert "[ Ändern ]" in seeing.lines(german)
    moment = picker(PickerMode.DATE, options=options("1"), maximum="2027-02-01")
    assert seeing.lines(drawn(moment, texts=Texts("es")))[-1] == "[ Elegir la fecha ▾ ]"
