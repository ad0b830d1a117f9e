"""What is left of a model's answer when a card follows: answers given in `prose_cases.yaml`, and
what holds for any answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from core.prose import Streamer, cut, sentences
from core.prose.patterns import PATTERNS, WORDS, languages

CASES: dict[str, list[dict[str, str]]] = YAML(typ="safe").load(
    Path(__file__).with_name("prose_cases.yaml").read_text(encoding="utf-8")
)

STATEMENTS = (
    "Got it, Friday it is.",
    "Dr. Smith is on the list, e.g. as a speaker.",
    "We open at 5 p.m. on Fridays!",
    'Your title is "Who\'s afraid of Python?" for now.',
    "The rooms are at https://example.org/rooms?free=1 as always.",
    "The flag is called `--why?` there.",
    "Der Raum fasst z. B. 40 Personen.",
    "Ya guardé el título «¿Quién teme a Python?» en la lista.",
    "C'est noté !",
    "Парковка бесплатная, т. е. платить не нужно.",
    "Ο τίτλος αποθηκεύτηκε.",
    "تم حفظ العنوان.",
    "タイトルは「なぜ？」です。",
    "停车免费。",
    "주차는 무료입니다.",
    "शीर्षक सहेज लिया गया है।",
)
QUESTIONS = (
    "What date works for you?",
    "Shall we? 🙂",
    "**Which room do you want?**",
    "Really?!",
    "Could you tell me the date (e.g. 12 May)?",
    "Wann passt es dir?",
    "¿Qué fecha te viene bien?",
    "Quelle date vous convient ?",
    "Когда начинаем?",
    "Πότε ξεκινά;",
    "ما هو التاريخ؟",
    "いつがよろしいですか。",
    "请问哪一天？",
    "언제가 좋을까요.",
    "Ե՞րբ է միջոցառումը։",
    "ዝግጅቱ መቼ ነው፧",
    "ꔏꕃ꘏",
)
AROUND = (
    "Take your time!",
    "Thanks!",
    "One more question:",
    "Here are the options:",
    "Here's what I have so far:",
    "Please choose one:",
    "Let me know whether it is online.",
    "If so, I'll add it.",
    "(You can change it later.)",
    "The hall seats 40 (or would you rather go online?).",
    "- Online\n- In person",
    "1. **Title:** Rust\n2. **Date:** 3 May",
    "1️⃣ Talk\n2️⃣ Panel",
    "• What is it called?\n• Where is it?",
    "| Room | Seats |\n|---|---|\n| Blue | 20 |",
    "## Next step",
    "**Date**",
    "---",
    "> Who's afraid of Python?",
    "```\nwhy?\n```",
    "Online\nIn person\nHybrid",
    "Saved! :tada:",
    "What",
    "ok",
    "Hmm...",
    "12.",
)
LOOSE = (*"*_`\"'“”«»()[]?!.:;…🙂？。", "**", "e.g.", "- ", "1. ", "# ", "> ", "\r\n", "\t")
SEPARATORS = (" ", "\n", "\n\n", "\r\n\r\n")

# Where a question mark is no question of the model's.
ELSEWHERE = regex.compile(
    r"```.*?```|`[^`]*`|https?://\S+|\"[^\"]*\"|«[^»]*»|「[^」]*」|(?m:^>.*$)", regex.DOTALL
)
BLOCK = regex.compile(r"[-#>|`•]|\d|.+\n")
MARK = regex.compile(r"[?？؟;՞፧꘏]")


def cases() -> Iterator[Any]:
    for name, listed in CASES.items():
        for number, case in enumerate(listed, 1):
            yield pytest.param(case["given"], case["left"], id=f"{name}-{number}")


def joined(*pools: tuple[str, ...]) -> st.SearchStrategy[str]:
    """Answers put together from pieces, with all sorts of white space between them.

    What is a block of Markdown stands on lines of its own.
    """
    pieces = st.sampled_from([f"\n{p}\n" if BLOCK.match(p) else p for pool in pools for p in pool])
    parts = st.tuples(pieces, st.sampled_from(SEPARATORS))
    return st.lists(parts, max_size=8).map(lambda made: "".join(a + b for a, b in made))


def loose() -> st.SearchStrategy[str]:
    """Pieces run into each other, as no model should write and one might."""
    pieces = st.sampled_from((*STATEMENTS, *QUESTIONS, *AROUND, *LOOSE, *SEPARATORS))
    return st.lists(pieces, max_size=12).map("".join)


ANSWERS = joined(STATEMENTS, QUESTIONS, AROUND)


@pytest.mark.parametrize("answer,left", list(cases()))
def test_what_is_left_of_an_answer(answer: str, left: str) -> None:
    assert cut(answer).kept == left


@pytest.mark.parametrize("answer,left", list(cases()))
def test_a_card_never_takes_back_what_was_streamed(answer: str, left: str) -> None:
    streamer = Streamer()
    shown = "".join(streamer.feed(char) for char in answer)
    assert left.startswith(shown)
    assert shown + streamer.finish(card_follows=True) == left


def test_there_are_cases_in_many_languages() -> None:
    assert len(CASES) > 30
    assert sum(map(len, CASES.values())) > 150


def test_what_was_removed_is_told_and_the_questions_are_counted() -> None:
    found = cut("Saved. Which one?\n- Online\n- In person\n\nNo rush! And when (roughly)?")
    assert found.kept == "Saved."
    assert found.removed == (
        "Which one?", "- Online", "- In person", "No rush!", "And when (roughly)?",
    )  # fmt: skip
    assert found.questions == 2


def test_a_question_in_brackets_is_removed_with_its_brackets() -> None:
    found = cut("The hall is yours (is that fine?), from 5 p.m. on.")
    assert found.kept == "The hall is yours, from 5 p.m. on."
    assert (found.removed, found.questions) == (("(is that fine?)",), 1)


def test_the_persons_own_words_are_no_question_of_the_models() -> None:
    answer = "I noted Why Rust? for Friday. Title: Why Rust?"
    assert cut(answer).kept == ""
    assert cut(answer, own=["Why Rust?"]).kept == answer
    assert cut("Which day?", own=["?", "Which"]).kept == ""


def test_sentences_are_shown_as_soon_as_nothing_can_cut_them() -> None:
    streamer = Streamer()
    assert streamer.feed("Saved. The hall is yours. It has") == "Saved."
    assert streamer.feed(" a bar. Shall we go on? It ") == " The hall is yours."
    assert streamer.feed("is free. And it is warm. So there.") == ""
    assert (
        streamer.finish(card_follows=True) == " It has a bar. It is free. And it is warm. So there."
    )


def test_a_list_waits_for_the_question_that_may_follow() -> None:
    streamer = Streamer()
    assert streamer.feed("Saved.\n\nThere are two rooms:\n- Blue\n- Green\n\nWhich ") == "Saved."
    assert streamer.feed("one would you like? ") == ""
    assert streamer.finish(card_follows=True) == ""


@pytest.mark.parametrize("name,words", list(languages().items()))
def test_the_words_of_a_language_are_well_formed(name: str, words: dict[str, Any]) -> None:
    assert set(words) <= WORDS | PATTERNS | {"spaced"}
    for pattern in (pattern for key in PATTERNS for pattern in words.get(key, ())):
        assert regex.compile(pattern).match("") is None, (
            f"{name}: {pattern!r} matches nothing at all"
        )
        written = regex.sub(r"\\(?:p\{\w+\}|\w)", "", pattern)
        assert written == written.lower(), f"{name}: {pattern!r} is not in lower case"


@given(joined(STATEMENTS))
def test_an_answer_that_asks_nothing_stays_byte_for_byte(answer: str) -> None:
    assert cut(answer).kept == answer


@given(
    st.lists(st.sampled_from((*STATEMENTS, *QUESTIONS)), max_size=8), st.sampled_from(SEPARATORS)
)
def test_every_statement_stays_and_every_question_goes(parts: list[str], separator: str) -> None:
    kept = cut(separator.join(parts)).kept
    assert kept.split() == " ".join(part for part in parts if part in STATEMENTS).split()


@given(joined(QUESTIONS))
def test_nothing_is_left_of_an_answer_that_only_asks(answer: str) -> None:
    assert cut(answer).kept.strip() == ""


@given(ANSWERS)
def test_no_question_is_left(answer: str) -> None:
    assert not MARK.search(ELSEWHERE.sub("", cut(answer).kept))


@given(ANSWERS)
def test_what_is_left_is_whole(answer: str) -> None:
    """It can be put together from units of the answer, in their order."""
    bracket = "(orwouldyourathergoonline?)"
    kept = "".join(cut(answer).kept.split())
    reached = {0}
    for unit in ("".join(unit.split()) for unit in sentences(answer)):
        for whole in (unit, unit.replace(bracket, "")):
            reached |= {at + len(whole) for at in reached if kept.startswith(whole, at)}
    assert len(kept) in reached


@given(ANSWERS | loose() | st.text(max_size=60))
def test_a_second_cut_cuts_nothing_more(answer: str) -> None:
    kept = cut(answer).kept
    assert cut(kept).kept == kept


@given(ANSWERS | loose() | st.text(max_size=60), st.data())
def test_a_stream_shows_only_what_stays(answer: str, data: st.DataObject) -> None:
    kept = cut(answer).kept
    streamer, other, shown, at = Streamer(), Streamer(), "", 0
    while at < len(answer):
        size = data.draw(st.integers(1, 40), label="size")
        shown += streamer.feed(answer[at : at + size])
        other.feed(answer[at : at + size])
        at += size
        assert answer.startswith(shown)
        assert kept.startswith(shown)
    assert shown + streamer.finish(card_follows=True) == kept
    assert shown + other.finish(card_follows=False) == answer
