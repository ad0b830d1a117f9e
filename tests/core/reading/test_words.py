"""The tokens of a reply, the word files, and the small grammar over them."""

from __future__ import annotations

import pytest

from core.reading.leftover import leftover
from core.reading.lexicon import languages, lexicon, talk
from core.reading.repair import repaired
from core.reading.rules import compiled
from core.reading.tokens import Kind, tokens

Listed = list[tuple[str, Kind]]


@pytest.mark.parametrize(
    "text,expected",
    [
        ("Yes!!!", [("yes", Kind.WORD), ("!", Kind.PUNCT)]),
        ("ok...", [("ok", Kind.WORD), ("…", Kind.PUNCT)]),
        ("well… ok", [("well", Kind.WORD), ("…", Kind.PUNCT), ("ok", Kind.WORD)]),
        ("5pm", [("5", Kind.NUMBER), ("pm", Kind.WORD)]),
        ("３２", [("32", Kind.NUMBER)]),
        ("٣", [("3", Kind.NUMBER)]),
        ("2️⃣", [("2", Kind.NUMBER)]),
        ("👍🏽", [("👍", Kind.EMOJI)]),
        ("🙅‍♀️", [("🙅", Kind.EMOJI)]),
        ("🇩🇪", [("🇩🇪", Kind.EMOJI)]),
        (":)", [("🙂", Kind.EMOJI)]),
        ("I’d", [("i'd", Kind.WORD)]),
        ("Straße", [("strasse", Kind.WORD)]),
        ("na\u0308h", [("näh", Kind.WORD)]),
        ("why？", [("why", Kind.WORD), ("?", Kind.PUNCT)]),
        ("？！", [("?", Kind.PUNCT), ("!", Kind.PUNCT)]),
        ("a\n\n b \n", [("a", Kind.WORD), ("\n", Kind.PUNCT), ("b", Kind.WORD)]),
        ("€20", [("€", Kind.SYMBOL), ("20", Kind.NUMBER)]),
        ("e-mail", [("e", Kind.WORD), ("-", Kind.PUNCT), ("mail", Kind.WORD)]),
        ("", []),
        (" \u200b ", []),
    ],
)  # fmt: skip
def test_tokens(text: str, expected: Listed) -> None:
    assert [(token.norm, token.kind) for token in tokens(text)] == expected


def test_a_token_knows_its_place() -> None:
    text = " Yes,  I'd like 20 "
    assert [text[t.start : t.end] for t in tokens(text)] == ["Yes", ",", "I'd", "like", "20"]


def test_contractions_and_drawn_out_words_are_undone() -> None:
    words = lexicon("en")
    assert words.phrase("I don’t") == ("i", "do", "not")
    assert words.phrase("yesss goooood") == ("yes", "good")
    assert words.phrase("aaah zzzz")[1] == "zzzz"


def test_a_phrase_is_known_without_its_accents_and_hyphens() -> None:
    assert talk("de").has("schoen", "praise_word")
    assert not talk("de").has("schon", "praise_word")
    assert talk("es").has("tambien", "and_words")
    assert not talk("es").has("si", "yes_word")
    assert ("avant", "dernier") in talk("fr").classes["positions"]


def test_the_longest_phrase_wins() -> None:
    words = lexicon("en")
    match = words.match(words.tokens("of course not"), 0, ("yes_word", "no_word"))
    assert match is not None
    assert (match.length, match.classes) == (3, frozenset({"no_word"}))


def test_languages() -> None:
    assert {"en", "de", "es"} <= languages()
    assert lexicon("de-AT").language == lexicon("DE_at").language == "de"
    assert lexicon("xx").language == lexicon("").language == "en"
    assert lexicon("fr").language == "en" or "fr" in languages()
    assert talk("fr-CA").language == "fr"


TALKED = [
    "ar",
    "cs",
    "da",
    "de",
    "en",
    "es",
    "fr",
    "hi",
    "it",
    "ja",
    "ko",
    "nb",
    "nl",
    "pl",
    "pt",
    "ru",
    "sv",
    "tr",
    "uk",
    "zh",
]


@pytest.mark.parametrize("language", TALKED)
def test_every_word_file_loads_and_has_its_yes_and_no(language: str) -> None:
    words = talk(language)
    assert words.language == language
    assert words.classes["yes_word"]
    assert words.classes["no_word"]
    assert {"neutral", "yes", "no"} <= set(words.grammar.rules)


def test_what_is_left_over_has_a_reason() -> None:
    words = lexicon("en")

    def reason(text: str, value: str) -> str:
        start = text.index(value)
        span = (start, start + len(value))
        return leftover(words.tokens(text), [span], words).reason

    assert reason("I'd like 20 please 🙂", "20") == ""
    assert reason("20, is that ok?", "20") == "question"
    assert reason("wait, 20", "20") == "second_thought"
    assert reason("20 unless it rains", "20") == "condition"
    assert reason("not 20", "20") == "negation"
    assert reason("maybe 20", "20") == "hedge"
    assert reason("20 or so and 30", "20") == "condition"
    assert reason("20 and 30", "20") == "another_value"
    assert reason("20 zebras", "20") == "beside"


def test_a_slip_is_repaired_only_where_one_word_is_meant() -> None:
    known = frozenset({"perfect", "please", "right", "change"})

    def mended(text: str) -> list[str]:
        return [token.norm for token in repaired(tokens(text), known)]

    assert mended("prefect") == ["perfect"]
    assert mended("pelase") == ["please"]
    assert mended("night") == ["night"]
    assert mended("for Plase") == ["for", "plase"]
    assert mended("chance") == ["chance"]


def test_the_grammar_matches_by_words_classes_and_rules() -> None:
    grammar = compiled(
        {"ask": ["<want> (a | the)? <thing> <kind>*", "that one"], "want": ["i (want | need)"]},
        {"thing": frozenset({("tea",), ("green", "tea")}), "kind": frozenset({("please",)})},
        lambda word: [(word,)],
    )

    def takes(text: str) -> bool:
        return grammar.over(tokens(text)).whole("ask")

    assert takes("I want tea")
    assert takes("I need a green tea please please")
    assert takes("that one")
    assert not takes("I want a")
    assert not takes("want tea")
    assert not takes("I want tea now")
    assert grammar.vocabulary >= {"i", "want", "tea", "green", "that"}


@pytest.mark.parametrize("rule", ["(a", "a)", "a | (b"])
def test_a_broken_rule_is_refused(rule: str) -> None:
    with pytest.raises(ValueError, match="unbalanced"):
        compiled({"x": [rule]}, {}, lambda word: [(word,)])


def test_a_rule_that_names_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="no rule and no class"):
        compiled({"x": ["<y>"]}, {}, lambda word: [(word,)])
