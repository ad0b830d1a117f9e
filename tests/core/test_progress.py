"""How far an effect came is known, whatever else is on its way into the same chat."""

from __future__ import annotations

from core.effects import Effect, Put, Say
from core.posts import Post
from core.progress import Progress, Underway

LANE = "telegram:-100:0:0"
ONE, OTHER = (Put(post=Post(id=name, title=name)) for name in ("j1:team", "j2:team"))


def underway() -> Underway[Progress]:
    return Underway(Progress)


def test_two_submissions_that_come_into_one_chat_at_once_go_on_each_where_it_stopped() -> None:
    """The first one's picture is there, and its text is to wait; the second one comes through."""
    lanes = underway()
    lanes.begin(LANE, ONE, again=False).messages.append(1)
    lanes.begin(LANE, OTHER, again=False).messages.append(2)
    lanes.end(LANE, OTHER)
    known = lanes.get(LANE, ONE)
    assert known is not None
    assert known.has_begun
    assert lanes.begin(LANE, ONE, again=True).messages == [1]
    assert lanes.get(LANE, OTHER) is None


def test_what_is_not_tried_again_begins_anew() -> None:
    lanes = underway()
    lanes.begin(LANE, ONE, again=False).messages.append(1)
    assert lanes.begin(LANE, ONE, again=False).messages == []


def test_of_all_else_a_lane_sends_one_at_a_time() -> None:
    lanes = underway()
    first, second = Say(text="one"), Say(text="two")
    lanes.begin(LANE, first, again=False).messages.append(1)
    lanes.begin(LANE, second, again=False)
    assert lanes.begin(LANE, first, again=True).messages == []


def test_what_was_given_up_is_not_remembered_for_ever() -> None:
    lanes = underway()
    many: list[Effect] = [Put(post=Post(id=f"j{number}")) for number in range(1500)]
    for effect in many:
        lanes.begin(LANE, effect, again=False)
    assert lanes.get(LANE, many[0]) is None
    assert lanes.get(LANE, many[-1]) is not None
