"""Given any text, then these messages and these entities, counted in UTF-16 units."""

from __future__ import annotations

import pytest
import regex
from hypothesis import assume, given
from hypothesis import strategies as st

from channels.telegram import limits
from channels.telegram.native import Json, Piece
from channels.telegram.text import (
    Styled,
    blank,
    clean,
    joined,
    mention,
    one_line,
    pieces,
    plain,
    split,
    styled,
    units,
)

FAMILY = "👨‍👩‍👧‍👦"
TEXTS = st.lists(
    st.one_of(
        st.text(st.characters(exclude_categories=()), max_size=30),
        st.sampled_from(
            [FAMILY, "🇩🇪", "e\u0301", "\u202e", "\n\n", "\n", ". ", " ", "<b>&amp;", "。"]
        ),
        st.sampled_from(["a", "🎉", "\u0301", " ", "word "]).map(lambda one: one * 50),
    ),
    max_size=40,
).map("".join)


def part(piece: Piece, entity: Json) -> str:
    """The characters that an entity covers."""
    start, end = 2 * entity["offset"], 2 * (entity["offset"] + entity["length"])
    return piece.text.encode("utf-16-le")[start:end].decode("utf-16-le")


def seen(text: str) -> str:
    """The characters that a person sees."""
    return "".join(char for char in text if not blank(char))


# What stands in a text


@pytest.mark.parametrize(
    "typed,sent",
    [
        ("<b>&amp;*_`[x](y)", "<b>&amp;*_`[x](y)"),
        ("one\r\ntwo\rthree\u2028four", "one\ntwo\nthree\nfour"),
        ("a\tb", "a b"),
        ("a\x00b\x1b[2Jc\x7fd\x9be", "ab[2Jcde"),
        ("\u202eevil", "evil"),
        ("half \ud83d gone", "half \ufffd gone"),
        ("two halves \ud83c\udf89", "two halves 🎉"),
        ("Malmo\u0308, A\u030arhus", "Malmö, Århus"),
        ("שלום \u200f", "שלום \u200f"),
    ],
)
def test_a_text_goes_out_as_it_was_typed_but_for_what_no_call_survives(
    typed: str, sent: str
) -> None:
    assert clean(typed) == sent


def test_a_text_in_one_line_has_single_spaces() -> None:
    assert one_line("  Old\n\n Mill\t ") == "Old Mill"


@pytest.mark.parametrize(
    "text,count", [("", 0), ("abc", 3), ("🎉", 2), ("é", 1), (FAMILY, 11), ("\ud83d", 1)]
)
def test_a_text_is_counted_in_utf_16_units(text: str, count: int) -> None:
    assert units(text) == count


@pytest.mark.parametrize("text", ["", " \n\t", "\u200b\u2060", "\u2800", "\xa0\u3000", "\ufe0f"])
def test_what_nobody_can_see_is_blank_and_never_sent(text: str) -> None:
    assert blank(text)
    assert pieces(plain(text)) == ()


@pytest.mark.parametrize("text", ["a", ".", "🎉", "\u200fש", "中"])
def test_what_somebody_can_see_is_not_blank(text: str) -> None:
    assert not blank(text)


def test_a_keyboard_has_a_message_even_where_there_is_nothing_to_say() -> None:
    keyboard = (({"text": "b", "callback_data": "d"},),)
    assert pieces(plain(" "), keyboard) == (Piece(text="…", keyboard=keyboard),)


# Entities


def test_entities_count_utf_16_units() -> None:
    (piece,) = pieces(plain("🎉 ") + styled("bold", "Dinner") + plain(" at 7"))
    assert piece.text == "🎉 Dinner at 7"
    assert piece.entities == ({"type": "bold", "offset": 3, "length": 6},)


def test_a_mention_names_a_person_by_their_id() -> None:
    (piece,) = pieces(mention("Ada\nL", 42) + plain(", hello"))
    assert piece.text == "Ada L, hello"
    user = {"id": 42, "is_bot": False, "first_name": "Ada L"}
    assert piece.entities == ({"type": "text_mention", "offset": 0, "length": 5, "user": user},)


def test_a_person_whose_name_nobody_can_see_is_mentioned_all_the_same() -> None:
    (piece,) = pieces(mention("\u200b", 42))
    assert piece.text == "…"
    assert piece.entities[0]["user"]["id"] == 42


def test_white_space_at_its_ends_is_no_part_of_an_entity_and_none_is_empty() -> None:
    (piece,) = pieces(joined((plain("x"), styled("bold", " a "), styled("italic", " "))))
    assert piece.text == "x\n a"
    assert piece.entities == ({"type": "bold", "offset": 3, "length": 1},)


def test_of_too_many_entities_the_least_important_are_left_out_and_no_text() -> None:
    lines = [styled("italic", f"i{number}") for number in range(80)]
    lines += [styled("bold", f"b{number}") for number in range(80)]
    (piece,) = pieces(joined([*lines, styled("blockquote", "q"), mention("Ada", 1)]))
    kinds = [entity["type"] for entity in piece.entities]
    assert len(kinds) == limits.ENTITIES
    assert (kinds.count("bold"), kinds.count("blockquote"), kinds.count("text_mention")) == (
        80,
        1,
        1,
    )
    assert piece.text.split("\n") == [*(line.text for line in lines), "q", "Ada"]


def test_what_is_blank_is_not_joined() -> None:
    assert joined((plain("a"), Styled(), plain(" "), plain("b")), "\n\n").text == "a\n\nb"


# Splitting


@pytest.mark.parametrize(
    "text,parts",
    [
        ("a" * 10, ["a" * 10]),
        ("para one\n\npara two.\nend", ["para one", "para two.", "end"]),
        ("line one\nand line", ["line one", "and line"]),
        ("It is. So it is", ["It is.", "So it is"]),
        ("これはペン。それは本。", ["これはペン。", "それは本。"]),
        ("これはペン。\u0301それは本だ。", ["これはペン。\u0301それは", "本だ。"]),
        ("lovely words too", ["lovely", "words too"]),
        ("abcdefghijkl", ["abcdefghij", "kl"]),
        ("🎉" * 6, ["🎉" * 5, "🎉"]),
        ("abcdefghi🎉", ["abcdefghi", "🎉"]),
        ("abcdefgh🇩🇪", ["abcdefgh", "🇩🇪"]),
        ("abcdefghie\u0301", ["abcdefghi", "e\u0301"]),
        ("a" + "\u0301" * 14, ["a" + "\u0301" * 9]),
    ],
)
def test_a_long_text_is_cut_where_a_reader_would_cut_it(text: str, parts: list[str]) -> None:
    assert [one.text for one in split(plain(text), 10)] == parts


def test_an_entity_is_cut_along_with_its_text() -> None:
    first, second = split(plain("abc ") + styled("bold", "def ghi"), 8)
    assert (first.text, second.text) == ("abc def", "ghi")
    assert first.entities() == ({"type": "bold", "offset": 4, "length": 3},)
    assert second.entities() == ({"type": "bold", "offset": 0, "length": 3},)


def test_a_message_is_as_long_as_the_platform_takes_and_no_longer() -> None:
    assert [units(one.text) for one in pieces(plain("a" * 4096))] == [4096]
    assert [units(one.text) for one in pieces(plain("🎉" * 2049))] == [4096, 2]


@given(TEXTS, TEXTS)
def test_any_text_comes_whole_in_messages_that_the_platform_takes(before: str, bold: str) -> None:
    # Given a text with entities, when it is sent, then all that can be seen of it arrives
    content = plain(before) + styled("bold", bold)
    sent = split(content, 64)
    assert seen("".join(one.text for one in sent)) == seen(content.text)
    for one in sent:
        assert 0 < units(one.text) <= 64
        assert not blank(one.text)
        assert one.text == one.text.strip() == clean(one.text)


@given(TEXTS, TEXTS, st.integers(1, 99))
def test_any_entity_covers_whole_characters_and_no_white_space_at_its_ends(
    before: str, bold: str, user: int
) -> None:
    content = joined((mention(before, user), plain(before), styled("bold", bold)))
    for piece in pieces(content):
        for entity in piece.entities:
            covered = part(piece, entity)
            assert covered.strip() == covered != ""
            assert entity["offset"] + entity["length"] <= units(piece.text)


@given(TEXTS)
def test_no_character_of_a_reader_is_cut_in_two(text: str) -> None:
    content = plain(text).trimmed()
    assume(all(units(one) <= 64 for one in regex.findall(r"\X", content.text)))
    ends = {match.end() for match in regex.finditer(r"\X", content.text)}
    place = 0
    for one in split(content, 64):
        place = content.text.index(one.text, place) + len(one.text)
        assert place in ends
