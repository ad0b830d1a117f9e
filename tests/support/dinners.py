"""A dinner on its way, as a chat."""

from __future__ import annotations

from tests.support.chat import Chat


def at_summary(chat: Chat) -> Chat:
    """A dinner in the Old Mill for 50, walked to its summary without a model."""
    chat.taps("In person").says("Old Mill").says("50")
    chat.says("24 December 2026").says("19:00").taps("Skip")
    return chat.says("Winter Dinner").says("Food and stories by the fire.")
