"""The methods by which a bot gets its updates."""

from __future__ import annotations

import re

from tests.support.telegram.errors import Json, bad_request, conflict, violates
from tests.support.telegram.tasks import Task, carries_out
from tests.support.telegram.webhook import Webhook

POLL_LIMIT = 50
"""Seconds for which a poll is held at most, as the real server does."""
_SECRET = re.compile(r"[A-Za-z0-9_-]{1,256}")
_IN_THE_WAY = (
    "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook "
    "first"
)


@carries_out("getUpdates")
async def get_updates(task: Task) -> list[Json]:
    """Wait for updates; those before the offset are confirmed by it."""
    updates = task.world.updates
    if updates.webhook is not None:
        raise conflict(_IN_THE_WAY)
    limit = task.p.get("limit", 100)
    if not 1 <= limit <= 100:
        raise violates("limit is 1-100")
    updates.allow(task.p.get("allowed_updates"))
    timeout = min(max(task.p.get("timeout", 0), 0), POLL_LIMIT)
    return await updates.poll(task.p.get("offset", 0), limit, timeout)


@carries_out("setWebhook")
async def set_webhook(task: Task) -> bool:
    """Deliver updates to an address from now on; http is allowed, as by one's own server."""
    url = task.p.get("url", "")
    secret = task.p.get("secret_token")
    if secret is not None and not _SECRET.fullmatch(secret):
        too_long = len(secret) > 256
        what = "is too long" if too_long else "contains unallowed characters"
        raise violates(f"secret token {what}")
    if url and not re.match(r"https?://[^/]+", url):
        raise bad_request("invalid webhook URL specified")
    connections = task.p.get("max_connections", 40)
    if not 1 <= connections <= 100:
        raise violates("max_connections is 1-100")
    updates = task.world.updates
    if task.p.get("drop_pending_updates"):
        updates.clear()
    updates.allow(task.p.get("allowed_updates"))
    hook = Webhook(updates, url, secret, task.reply, lambda: task.world.now, connections)
    await updates.set_webhook(hook if url else None)
    return True


@carries_out("deleteWebhook")
async def delete_webhook(task: Task) -> bool:
    """Deliver nowhere."""
    if task.p.get("drop_pending_updates"):
        task.world.updates.clear()
    await task.world.updates.set_webhook(None)
    return True


@carries_out("getWebhookInfo")
def get_webhook_info(task: Task) -> Json:
    """Where updates go, and what went wrong last."""
    updates = task.world.updates
    told: Json = {
        "url": "",
        "has_custom_certificate": False,
        "pending_update_count": len(updates.waiting()),
    }
    if updates.webhook is not None:
        told |= {"url": updates.webhook.url, **updates.webhook.info()}
    if updates.allowed is not None:
        told["allowed_updates"] = sorted(updates.allowed)
    return told


@carries_out("logOut", "close")
async def end(task: Task) -> bool:
    """The bot leaves this server."""
    await task.world.updates.set_webhook(None)
    return True
