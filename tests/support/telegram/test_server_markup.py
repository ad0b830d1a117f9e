"""Markup becomes a text with entities; bad markup is refused in the server's words."""

from __future__ import annotations

import html
from typing import Any

import pytest
from aiogram.utils.text_decorations import html_decoration, markdown_decoration
from hypothesis import example, given
from hypothesis import strategies as st
from telegram.helpers import escape_markdown

from tests.support.telegram.entities import Text, settled, units
from tests.support.telegram.errors import ApiError
from tests.support.telegram.formatting import formatted

anything = st.text(
    st.characters(exclude_categories=["Cs", "Cc"]) | st.sampled_from("<>&\"'_*[]()~`#+-=|{}.!\\ a"),
    max_size=60,
)


def kinds(text: Text) -> list[tuple[str, str]]:
    return [(one["type"], text.part(one)) for one in text.entities]


@pytest.mark.parametrize(
    "source,text,entities",
    [
        ("<b>bold</b> &lt;a&gt; &amp; &quot;q&quot;", 'bold <a> & "q"', [("bold", "bold")]),
        ("<b>a <i>b</i></b>", "a b", [("bold", "a b"), ("italic", "b")]),
        ('<a href="https://e.org/?a=1&amp;b=2">x</a>', "x", [("text_link", "x")]),
        ("<tg-spoiler>no</tg-spoiler>", "no", [("spoiler", "no")]),
        ('<span class="tg-spoiler">no</span>', "no", [("spoiler", "no")]),
        ('<pre><code class="language-py">x = 1</code></pre>', "x = 1", [("pre", "x = 1")]),
        ("<blockquote expandable>long</blockquote>", "long", [("expandable_blockquote", "long")]),
        ("🎉<b>👩‍💻 ok</b>", "🎉👩‍💻 ok", [("bold", "👩‍💻 ok")]),
        ("<B>x</B>", "x", [("bold", "x")]),
        ("no &nbsp; entity, 1 &#60; 2, &#x1F600;", "no &nbsp; entity, 1 < 2, 😀", []),
        ("  <b> in </b>  ", " in", [("bold", " in")]),
        ("<b></b>x", "x", []),
    ],
)
def test_html_is_read_as_telegram_reads_it(
    source: str, text: str, entities: list[tuple[str, str]]
) -> None:
    read = formatted(source, "HTML", None)
    assert (read.text, kinds(read)) == (text, entities)


@pytest.mark.parametrize(
    "source,reason",
    [
        ("<b>x", 'Can\'t find end tag corresponding to start tag "b"'),
        ("x</b>", "Unexpected end tag at byte offset 1"),
        ("é<i>x</b>", 'Unmatched end tag at byte offset 6, expected "</i>", found "</b>"'),
        ("<script>x</script>", 'Unsupported start tag "script" at byte offset 0'),
        ("1 < 2", 'Unsupported start tag "" at byte offset 2'),
        ("<b", "Unclosed start tag at byte offset 0"),
        ("<b>x</b", "Unclosed end tag at byte offset 4"),
        ('<a href="x', "Unclosed start tag at byte offset 0"),
        ("<span>x</span>", 'Tag "span" must have class "tg-spoiler" at byte offset 0'),
        ("<3", "Unclosed start tag at byte offset 0"),
    ],
)
def test_bad_html_is_refused_in_the_servers_words(source: str, reason: str) -> None:
    with pytest.raises(ApiError) as refused:
        formatted(source, "html", None)
    assert refused.value.description == f"Bad Request: can't parse entities: {reason}"
    assert refused.value.violation


@pytest.mark.parametrize(
    "source,text,entities",
    [
        ("*bold* _it_ __under__", "bold it under", ["bold", "italic", "underline"]),
        ("~gone~ ||hidden||", "gone hidden", ["strikethrough", "spoiler"]),
        (r"1\. 2\!", "1. 2!", []),
        ("[x](https://e.org/a_\\(b\\))", "x", ["text_link"]),
        ("`a*b`", "a*b", ["code"]),
        ("```py\nx = 1\n```", "x = 1", ["pre"]),
        (">one\n>two\nthree", "one\ntwo\nthree", ["blockquote"]),
        ("*_both_*", "both", ["bold", "italic"]),
        ("![😀](tg://emoji?id=5)", "😀", ["custom_emoji"]),
    ],
)
def test_markdown_v2_is_read_as_telegram_reads_it(
    source: str, text: str, entities: list[str]
) -> None:
    read = formatted(source, "MarkdownV2", None)
    assert (read.text, sorted(kind for kind, _ in kinds(read))) == (text, sorted(entities))


@pytest.mark.parametrize(
    "source,reason",
    [
        ("a.b", "Character '.' is reserved and must be escaped with the preceding '\\'"),
        ("ok!", "Character '!' is reserved and must be escaped with the preceding '\\'"),
        ("é *x", "Can't find end of Bold entity at byte offset 3"),
        ("[x](http://e.org", "Can't find end of a URL at byte offset 4"),
        ("||x|", "Character '|' is reserved and must be escaped with the preceding '\\'"),
    ],
)
def test_bad_markdown_v2_is_refused_in_the_servers_words(source: str, reason: str) -> None:
    with pytest.raises(ApiError) as refused:
        formatted(source, "MarkdownV2", None)
    assert refused.value.description == f"Bad Request: can't parse entities: {reason}"


def test_old_markdown_still_works() -> None:
    read = formatted("*b* _i_ `c` [l](http://e.org) \\_", "Markdown", None)
    assert read.text == "b i c l _"
    assert [kind for kind, _ in kinds(read)] == ["bold", "italic", "code", "text_link"]
    with pytest.raises(ApiError, match="Can't find end of the entity starting at byte offset 2"):
        formatted("a *b", "Markdown", None)


@given(anything)
@example("<b>&amp;</b>")
@example("🏳️‍🌈 مرحبا <")
def test_what_is_escaped_for_html_comes_out_as_it_was(source: str) -> None:
    as_it_is = settled(Text(source), explicit=False)
    for escaped in (html.escape(source, quote=False), html_decoration.quote(source)):
        assert formatted(escaped, "HTML", None) == as_it_is


@given(anything)
@example("1. *a* [b](c) `d` ~e~ >f #g")
def test_what_is_escaped_for_markdown_comes_out_as_it_was(source: str) -> None:
    as_it_is = settled(Text(source), explicit=False)
    quoted = escape_markdown(source.replace("\\", ""), version=2)
    assert formatted(quoted, "MarkdownV2", None) == settled(
        Text(source.replace("\\", "")), explicit=False
    )
    if "\\" not in source:
        assert formatted(markdown_decoration.quote(source), "MarkdownV2", None) == as_it_is


@given(anything)
def test_a_text_without_markup_never_fails_on_its_content(source: str) -> None:
    read = formatted(source, None, None)
    assert read.text == source.strip() or read.text in source.replace("\r", "")
    assert all(one["offset"] + one["length"] <= units(read.text) for one in read.entities)


@pytest.mark.parametrize(
    "source,found",
    [
        ("/start@surestep_bot now", [("bot_command", "/start@surestep_bot")]),
        ("ask @surestep_bot", [("mention", "@surestep_bot")]),
        ("see https://e.org/a?b=1.", [("url", "https://e.org/a?b=1")]),
        ("mail ada@example.org", [("email", "ada@example.org")]),
        ("on example.com today", [("url", "example.com")]),
        ("a #party", [("hashtag", "#party")]),
        ("1/2 a/b, 3.5, and/or", []),
    ],
)
def test_links_commands_and_mentions_need_no_markup(
    source: str, found: list[tuple[str, str]]
) -> None:
    assert kinds(formatted(source, None, None)) == found


@pytest.mark.parametrize(
    "entity,reason",
    [
        ({"offset": 5, "length": 1}, "entity begins after the end of the text"),
        ({"offset": 1, "length": 9}, "ends after the end of the text"),
        ({"offset": 1, "length": 1}, "in a middle of a UTF-16 symbol"),
        ({"offset": -1, "length": 1}, "incorrect offset"),
    ],
)
def test_an_entity_outside_of_the_text_is_refused(entity: dict[str, Any], reason: str) -> None:
    with pytest.raises(ApiError, match=reason):
        formatted("🎉abc", None, [{"type": "bold", **entity}])


def test_entities_keep_their_places_when_white_space_goes() -> None:
    read = formatted("\n  see this  \n", None, [{"type": "bold", "offset": 7, "length": 6}])
    assert (read.text, kinds(read)) == ("see this", [("bold", "this")])
