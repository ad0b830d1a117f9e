"""The code that keeps turns, screen and tools (G6 to G12, G14, G15), broken in one place at a time.

Each `Break` patches a real function for as long as a test runs; its name is what is wrong then.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import Any

import msgspec
import pytest

import core.turn
from core.effects import Close
from core.evals import chat as evals_chat
from core.events import Event, Happened
from core.manifest import Tool
from core.prose.cutting import Cut
from core.replies import Reload, Reply, Submit, Tap, Words
from core.state import Conversation
from core.step.base import Fetch, Fetched, Scene
from core.turn import Consult, Taken, World, asks, replies, take
from core.turn.turning import Turning

Break = Callable[[pytest.MonkeyPatch], None]


# G6


def the_models_argument_wins(patch: pytest.MonkeyPatch) -> None:
    """A tool is called with whatever the model wrote."""
    carry = Consult._carry

    def as_given(self: Consult, tool: Tool, arguments: Any) -> Fetch:
        known = {one.name for one in tool.arguments}
        given = {name: one for name, one in arguments.items() if name in known}
        return msgspec.structs.replace(carry(self, tool, arguments), arguments=given)

    patch.setattr(Consult, "_carry", as_given)


def a_step_calls_without_what_is_settled(patch: pytest.MonkeyPatch) -> None:
    """A card's own search is not told what is settled."""
    fetch = Scene.fetch

    def bare(self: Scene, tool: str, **arguments: Any) -> Fetched:
        return fetch(replace(self, settled={}), tool, **arguments)

    patch.setattr(Scene, "fetch", bare)


# G7


def nothing_is_drawn_under_an_answer(patch: pytest.MonkeyPatch) -> None:
    """The model's answer is the last word."""
    patch.setattr(core.turn, "_end_with_ask", lambda turn, consulted, after, reason: None)


def something_is_said_below_the_card(patch: pytest.MonkeyPatch) -> None:
    """A remark comes after the card."""
    draw = asks.draw

    def remarked(turn: Turning, *, reason: str = "") -> None:
        draw(turn, reason=reason)
        if turn.ask is not None and turn.ask.item == "duration":
            turn.say("turn.going_on")

    patch.setattr(asks, "draw", remarked)


# G8


def the_card_before_stays_live(patch: pytest.MonkeyPatch) -> None:
    """A card that is drawn again is there twice."""

    def drawn_again(turn: Turning, *, reason: str = "") -> None:
        asks.draw(turn, reason=reason)

    patch.setattr(asks, "redraw", drawn_again)


def an_earlier_card_says_nothing(patch: pytest.MonkeyPatch) -> None:
    """A tap on a card that is inert is not told so."""
    toast = Turning.toast
    patch.setattr(Turning, "toast", lambda self, text="", *, told=False: toast(self))


# G9


def nothing_comes_after_a_receipt(patch: pytest.MonkeyPatch) -> None:
    """What is next waits for the next message."""
    advance = asks.advance

    def later(turn: Turning, *, prefer: str = "", late: bool = False) -> None:
        if not any(isinstance(one, Close) and one.receipt for one in turn.show):
            advance(turn, prefer=prefer, late=late)

    patch.setattr(asks, "advance", later)


def receipts_are_not_printed(patch: pytest.MonkeyPatch) -> None:
    """A card closes without a word."""
    close = Turning.close
    patch.setattr(Turning, "close", lambda self, card, receipt="": close(self, card))


def what_was_recorded_is_not_told(patch: pytest.MonkeyPatch) -> None:
    """What the model recorded of the person's words is not printed."""
    tell = core.turn._tell_answer

    def silent(turn: Turning, consulted: Consult, text: str) -> None:
        consulted.receipts = []
        tell(turn, consulted, text)

    patch.setattr(core.turn, "_tell_answer", silent)


# G10


def the_models_question_stands(patch: pytest.MonkeyPatch) -> None:
    """Nothing is cut."""
    patch.setattr(core.turn, "cut", lambda text, own=(): Cut(text, (), 0))


# G11


def an_id_is_drawn_from_elsewhere(patch: pytest.MonkeyPatch) -> None:
    """The same turn comes out otherwise the next time."""
    numbers = count(1)
    patch.setattr(
        Turning, "next_card", lambda self: f"{self.journey.id}-{next(numbers)}", raising=True
    )


def coming_back_asks_the_model(patch: pytest.MonkeyPatch) -> None:
    """Who comes back is greeted by the model."""

    def greeted(state: Conversation, reply: Reply, world: World) -> Taken:
        if isinstance(reply, Reload):
            reply = Words(text="hello again, you", by=reply.by, at=reply.at)
        return take(state, reply, world)

    patch.setattr(evals_chat, "take", greeted)


# G12


def nobody_says_that_the_model_is_down(patch: pytest.MonkeyPatch) -> None:
    """The card comes again without a word."""
    say = Turning.say

    def quiet(self: Turning, key: str, **values: Any) -> None:
        if key != "turn.model_down":
            say(self, key, **values)

    patch.setattr(Turning, "say", quiet)


def a_dead_model_ends_the_talk(patch: pytest.MonkeyPatch) -> None:
    """Nothing is asked any more once the model has failed."""
    end = core.turn._end_with_ask

    def over(turn: Turning, consulted: Consult, after: Any, *, reason: str) -> None:
        if any(one.what is Happened.MODEL_FAILED for one in turn.events):
            turn.update(ask=None)
        else:
            end(turn, consulted, after, reason=reason)

    patch.setattr(core.turn, "_end_with_ask", over)


# G14


def an_event_names_its_item(patch: pytest.MonkeyPatch) -> None:
    """A text of the manifest's gets into what is reported."""
    event = Turning.event

    def named(self: Turning, what: Happened, item: Any = "", count: int = 1) -> None:
        event(self, what, item, count)
        if item:
            self.events.append(Event(what=what, item=item, turn=self.state.turn))

    patch.setattr(Turning, "event", named)


# G15


def anybody_may_tap(patch: pytest.MonkeyPatch) -> None:
    """Who taps is not looked at."""

    def as_the_owner(turn: Turning, reply: Reply) -> Taken:
        if isinstance(reply, Tap | Submit):
            replies.tapped(turn, reply)
        return Taken(turn.state, turn.effects())

    patch.setattr(core.turn, "_stranger", as_the_owner)


def any_card_counts(patch: pytest.MonkeyPatch) -> None:
    """A tap on an earlier card is taken for one on the open card."""
    tapped = replies.tapped

    def on_the_open_one(turn: Turning, reply: Tap | Submit) -> None:
        card = turn.ask.card if turn.ask is not None else reply.card
        tapped(turn, msgspec.structs.replace(reply, card=card))

    patch.setattr(replies, "tapped", on_the_open_one)
