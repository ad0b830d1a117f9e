"""Buttons that are typed: a button's label, without its arrow, presses it.

So that nobody who types is worse off than who taps. What turns a page or leaves things as they are
is pressed by the beginning of its label, too, and by what else people call it.
"""

from __future__ import annotations

import re

from core.cards import Button, Picker, Role
from core.manifest import Kind
from core.state import Ask, AskKind
from core.turn import asks
from core.turn.turning import Turning

_ENDS = re.compile(r"^[\W_]+|[\W_]+$")
_EASY = frozenset({"~keep"})
"""Controls that may be called by half their label: nothing is lost by them."""
_TEXTS = frozenset({Kind.SHORT_TEXT, Kind.LONG_TEXT, Kind.ENTRIES, Kind.FORM})
"""Kinds whose answer may be any word: there, only a whole label is one."""


def pressed(turn: Turning, ask: Ask, text: str) -> str:
    """The token of the button that a whole reply names on the open card; empty where it is none."""
    said = _plain(text)
    if not said or len(said) > 80:
        return ""
    card = asks.render(turn, ask)
    moves = card.moves if isinstance(card, Picker) else ()
    controls = tuple(one for one in card.controls if one.token in asks.CONTROLS)
    whole = [one for one in (*moves, *controls) if _plain(one.label) == said]
    if whole:
        return _only(whole)
    if ask.kind is not AskKind.STEP or turn.type.manifest.item(ask.item).value in _TEXTS:
        return ""
    called = [one for one in moves if said in _other_words(turn, one)]
    if called:
        return _only(called)
    easy = (*moves, *(one for one in controls if one.token in _EASY))
    return _only([one for one in easy if _plain(one.label).startswith(f"{said} ")])


def _only(found: list[Button]) -> str:
    return found[0].token if len(found) == 1 else ""


def _plain(text: str) -> str:
    """A label or a reply as they are compared: small letters, one space, no arrow."""
    return _ENDS.sub("", " ".join(text.casefold().split()))


def _other_words(turn: Turning, button: Button) -> frozenset[str]:
    """What a button that turns pages is called beside its label."""
    for name in ("next", "previous", "all", "again"):
        if button.role is Role.MOVE and button.label == turn.texts(f"step.{name}"):
            words = turn.texts.find(f"step.{name}_words") or ""
            return frozenset(_plain(one) for one in words.split(","))
    return frozenset()


def asks_help(turn: Turning, text: str) -> bool:
    """Whether a whole reply is the word for help."""
    words = turn.texts("turn.help_words").split(",")
    return " ".join(text.casefold().split()).rstrip(" !?.") in {one.strip() for one in words}
