"""The methods of the assistant pane: its status, its suggested prompts, its title.

https://docs.slack.dev/ai/developing-ai-apps
"""

from __future__ import annotations

from typing import Any

from tests.support.slack.channels import AssistantThread
from tests.support.slack.errors import Json, refused, violates
from tests.support.slack.tasks import Task, carries_out

PROMPT_LIMIT = 4
LOADING_LIMIT = 10


def _thread(task: Task) -> AssistantThread:
    channel = task.channel("channel_id")
    ts = task.a["thread_ts"]
    if channel.get(ts) is None and ts not in channel.assistants:
        raise refused("thread_not_found")
    return channel.assistants.setdefault(ts, AssistantThread(channel, ts))


@carries_out("assistant.threads.setStatus")
def _status(task: Task) -> Json:
    loading: Any = task.a.get("loading_messages", [])
    if not isinstance(loading, list) or len(loading) > LOADING_LIMIT:
        raise violates("invalid_arguments", f"no more than {LOADING_LIMIT} items allowed")
    thread = _thread(task)
    thread.sets_status(task.a["status"], loading)
    return {}


@carries_out("assistant.threads.setTitle")
def _title(task: Task) -> Json:
    _thread(task).title = task.a["title"]
    return {}


@carries_out("assistant.threads.setSuggestedPrompts")
def _prompts(task: Task) -> Json:
    prompts: Any = task.a["prompts"]
    if not isinstance(prompts, list) or not 1 <= len(prompts) <= PROMPT_LIMIT:
        raise violates("invalid_arguments", f"1 to {PROMPT_LIMIT} prompts are allowed")
    for one in prompts:
        words = one.values() if isinstance(one, dict) else []
        if set(one) != {"title", "message"} or not all(isinstance(x, str) and x for x in words):
            raise violates("invalid_arguments", "a prompt has a title and a message")
    is_agent = task.world.app.pane == "agent"
    if "thread_ts" not in task.a:
        if not is_agent:
            raise violates("invalid_arguments", "missing required field: thread_ts")
        task.channel("channel_id").prompts = prompts
    elif not is_agent:  # for an agent app, thread_ts makes the call do nothing, without an error
        thread = _thread(task)
        thread.prompts, thread.prompts_title = prompts, task.a.get("title", "")
    return {}
