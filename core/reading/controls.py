"""Control words: a whole reply that drives the ask instead of answering it.

"Back", "skip this one, please", "start over": nothing but courtesy may stand beside them, so that
an answer which happens to hold such a word stays an answer.
"""

from __future__ import annotations

from core.reading.lexicon import FALLBACK, Lexicon, talk
from core.reading.result import Context
from core.reading.tokens import Kind

_LONGEST = 80


def is_done(text: str, context: Context) -> bool:
    """Whether a reply ends a list: "that's all"."""
    return _is("done", text, context)


def is_skip(text: str, context: Context) -> bool:
    """Whether a reply leaves the ask unanswered: "skip this one"."""
    return _is("skip", text, context)


def is_back(text: str, context: Context) -> bool:
    """Whether a reply asks for the previous step."""
    return _is("back", text, context)


def is_cancel(text: str, context: Context) -> bool:
    """Whether a reply ends the journey."""
    return _is("cancel", text, context)


def is_start_over(text: str, context: Context) -> bool:
    """Whether a reply asks to begin anew."""
    return _is("start_over", text, context)


def is_control(text: str, context: Context) -> bool:
    """Whether a reply is any of these."""
    return any(_is(name, text, context) for name in NAMES)


NAMES = ("done", "skip", "back", "cancel", "start_over")


def _is(name: str, text: str, context: Context) -> bool:
    if len(text) > _LONGEST:
        return False
    languages = dict.fromkeys((talk(context.locale), talk(FALLBACK)))
    return any(_whole(name, text, words) for words in languages)


def _whole(name: str, text: str, words: Lexicon) -> bool:
    found = words.tokens(text)
    if any(token.is_question for token in found):
        return False
    parts = [token for token in found if token.kind not in (Kind.PUNCT, Kind.EMOJI)]
    parse = words.grammar.over(parts)
    # Where courtesy alone may end, and where it may end once the control word was met.
    before, after = {0}, set[int]()
    for at in range(len(parts)):
        if at in before:
            before |= parse.ends("neutral", at) | parse.ends("control_lead", at)
            after |= parse.ends(name, at)
        if at in after:
            after |= parse.ends("neutral", at)
    return len(parts) in after
