"""What a person would see of messages that are not posted yet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from channels.slack.native import Json, Post
from tests.support.slack.controls import Control, controls_in, with_ids
from tests.support.slack.drawing import lines_of, shown
from tests.support.slack.text import Shown, joined


def nobody(_: str) -> None:
    """A workspace without anybody."""


def lines(posts: Iterable[Post]) -> list[str]:
    """The messages drawn, one below the other."""
    return [line for post in posts for line in lines_of(_stored(post.blocks), {}, nobody)]


def words(posts: Iterable[Post]) -> Shown:
    """All that they say, with its styles."""
    return joined(shown(_stored(post.blocks), nobody) for post in posts)


def controls(posts: Iterable[Post]) -> list[Control]:
    """All that can be used in them."""
    return [one for post in posts for one in controls_in(_stored(post.blocks))]


def _stored(blocks: Sequence[Json]) -> list[Json]:
    return with_ids(list(blocks), 0)
