"""The methods that look things up: conversations, people, the workspace, the bot."""

from __future__ import annotations

from tests.support.slack.channels import Channel
from tests.support.slack.errors import Json, refused, violates
from tests.support.slack.tasks import Task, carries_out

_FAMILIES = {"channel": "channels", "group": "groups", "im": "im", "mpim": "mpim"}
_TYPES = {"public_channel": "channel", "private_channel": "group", "im": "im", "mpim": "mpim"}


def _known(task: Task, right: str) -> Channel:
    """The conversation of the call, with the scope that its kind needs. Raises ApiError."""
    channel = task.channel()
    task.needs(f"{_FAMILIES[channel.kind]}:{right}")
    return channel


@carries_out("conversations.open")
def _open(task: Task) -> Json:
    given = task.a.get("users")
    if given is None:
        channel = task.channel()
    elif len(given) != 1:
        raise violates("not_supported", "this server opens direct messages with one person only")
    else:
        person = task.workspace.people.get(given[0])
        if person is None:
            raise refused("user_not_found")
        channel = task.workspace.direct(person)
    whole = bool(task.a.get("return_im"))
    return {"channel": channel.json() if whole else {"id": channel.id}}


@carries_out("conversations.info")
def _info(task: Task) -> Json:
    return {"channel": _known(task, "read").json()}


@carries_out("conversations.list")
def _list(task: Task) -> Json:
    kinds = {_TYPES[one] for one in task.a.get("types", ["public_channel"])}
    every = [
        one.json()
        for one in task.workspace.channels.values()
        if one.kind in kinds and (one.kind != "group" or one.bot_in)
    ]
    page, more = task.page(every)
    return {"channels": page, **more}


@carries_out("conversations.members")
def _members(task: Task) -> Json:
    channel = _known(task, "read")
    every = [*channel.members, *([task.workspace.bot_user_id] if channel.bot_in else [])]
    page, more = task.page(every)
    return {"members": page, **more}


@carries_out("conversations.history")
def _history(task: Task) -> Json:
    channel = _known(task, "history")
    if not channel.bot_in:
        raise refused("not_in_channel")
    seen = [one for one in channel.messages if not one.deleted and one.only_for is None]
    every = [one.json() for one in reversed(seen) if not one.in_thread_only]
    return _between(task, every)


@carries_out("conversations.replies")
def _replies(task: Task) -> Json:
    channel = _known(task, "history")
    root = channel.get(task.a["ts"])
    if root is None:
        raise refused("thread_not_found")
    replies = channel.replies_to(root.root)
    first = channel.get(root.root)
    every = [one.json() for one in [*([first] if first else []), *replies]]
    return _between(task, every)


def _between(task: Task, messages: list[Json]) -> Json:
    oldest = float(task.a.get("oldest", 0))
    latest = float(task.a.get("latest", "inf"))
    if task.a.get("inclusive"):
        fitting = [one for one in messages if oldest <= float(one["ts"]) <= latest]
    else:
        fitting = [one for one in messages if oldest < float(one["ts"]) < latest]
    page, more = task.page(fitting)
    has_more = bool(more["response_metadata"]["next_cursor"])
    return {"messages": page, "has_more": has_more, **more}


@carries_out("users.info")
def _user(task: Task) -> Json:
    locale = bool(task.a.get("include_locale"))
    if task.a["user"] == task.workspace.bot_user_id:
        name = task.world.app.name
        bot = {"id": task.workspace.bot_user_id, "is_bot": True, "name": name, "real_name": name}
        return {"user": {**bot, "team_id": task.workspace.id, "deleted": False}}
    email = not task.world.app.lacks({"users:read.email"})
    return {"user": task.person("user").json(locale=locale, email=email)}


@carries_out("users.list")
def _users(task: Task) -> Json:
    every = [one.json(locale=True) for one in task.workspace.people.values()]
    page, more = task.page(every)
    return {"members": page, "cache_ts": int(task.world.now), **more}


@carries_out("users.lookupByEmail")
def _by_email(task: Task) -> Json:
    for person in task.workspace.people.values():
        if person.email.casefold() == task.a["email"].casefold():
            return {"user": person.json(email=True)}
    raise refused("users_not_found")


@carries_out("team.info")
def _team(task: Task) -> Json:
    return {"team": task.workspace.json()}


@carries_out("bots.info")
def _bot(task: Task) -> Json:
    space = task.workspace
    if task.a.get("bot", space.bot_id) != space.bot_id:
        raise refused("bot_not_found")
    told = {"id": space.bot_id, "app_id": task.world.app_id, "user_id": space.bot_user_id}
    return {"bot": {**told, "name": task.world.app.name, "deleted": False}}
