"""What always holds, checked after every turn of a test's chat (see `core.evals.guarantees`)."""

from __future__ import annotations

from core.evals.guarantees import Look
from core.replies import Reply
from core.state import Conversation
from core.turn import Taken
from tests.support.chat import Chat

__all__ = ["check"]


def check(chat: Chat, reply: Reply, before: Conversation, taken: Taken) -> None:
    """All of it; an AssertionError names the guarantees that broke."""
    found = chat.judge.look(
        Look(
            types=chat.types,
            reply=reply,
            before=before,
            taken=taken,
            screen=chat.view,
            notes=chat.notes,
            again=lambda: chat.taken(before, reply),
            fetches=chat.fetches,
            waited=chat.waited,
            fetched={one.key(): chat.fetch(one) for one in chat.fetches},
        )
    )
    assert not found, "; ".join(f"{one.guarantee}: {one.detail}" for one in found)
