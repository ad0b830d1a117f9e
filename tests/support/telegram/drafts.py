"""Previews of an answer that is being written: sendMessageDraft and sendRichMessageDraft."""

from __future__ import annotations

from tests.support.telegram.chats import Chat, Draft
from tests.support.telegram.entities import Text
from tests.support.telegram.errors import violates
from tests.support.telegram.formatting import message_text
from tests.support.telegram.sending import rich_content
from tests.support.telegram.tasks import Task, carries_out


@carries_out("sendMessageDraft")
def send_message_draft(task: Task) -> bool:
    """A text so far; an empty one shows that the bot thinks."""
    text = message_text(task.p, allow_empty=True)
    return _show(task, _private(task), Draft(0, text, task.world.now))


@carries_out("sendRichMessageDraft")
def send_rich_message_draft(task: Task) -> bool:
    """Blocks so far."""
    chat = _private(task)
    rich = rich_content(task, chat)["rich_message"]
    return _show(task, chat, Draft(0, Text(), task.world.now, rich=rich))


def _private(task: Task) -> Chat:
    chat = task.chat()
    if not chat.is_private:
        raise violates("drafts can be sent to private chats only")
    return chat


def _show(task: Task, chat: Chat, draft: Draft) -> bool:
    """Show a draft in the place of the one before; one that was stopped stays away."""
    draft.id = task.p["draft_id"]
    if draft.id == 0:
        raise violates("draft identifier must be non-zero")
    draft.thread = task.thread(chat)
    draft.can_stop = task.p.get("can_stop", False)
    draft.keep_on_stop = task.p.get("keep_on_stop", False)
    if draft.id not in chat.stopped_drafts:
        chat.draft = draft
        task.world.touch()
    return True
