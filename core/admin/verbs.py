"""Every command of those who run the bot. Another one is a line here, and its two texts."""

from __future__ import annotations

from core.admin import (
    deciding,
    delivering,
    exporting,
    health,
    journeys,
    people,
    place,
    queue,
    roles,
    searching,
    stats,
)
from core.admin.base import NAME, Answer, Asked, Outcome, Standing, Verb
from core.faults.base import nearest
from core.posts import Line, Post
from core.store.part import channel_of

_MODERATOR, _ADMIN, _OWNER = Standing.MODERATOR, Standing.ADMIN, Standing.OWNER


async def tell_help(asked: Asked) -> Answer:
    """What whoever asked may do, and nothing else."""
    mine = verbs_of(asked.standing).values()
    called = asked.office.called.get(channel_of(asked.lane)) or NAME
    lines = tuple(
        Line(
            label=f"{asked.texts.command}{called} {asked.texts(f'admin.usage.{verb.name}')}",
            value=asked.texts(f"admin.help.{verb.name}"),
        )
        for verb in mine
    )
    role = asked.texts(f"admin.role.{asked.standing.name.lower()}")
    title, text = asked.texts("admin.help_title"), asked.texts("admin.help_text", role=role)
    return Answer(Outcome.SHOWN, post=Post(id="help", title=title, text=text, lines=lines))


VERBS = (
    Verb("help", _MODERATOR, tell_help),
    Verb("queue", _MODERATOR, queue.queue, most=1),
    Verb("show", _MODERATOR, searching.show, most=1),
    Verb("approve", _MODERATOR, deciding.approve, most=1),
    Verb("changes", _MODERATOR, deciding.changes),
    Verb("reject", _MODERATOR, deciding.reject),
    Verb("find", _ADMIN, searching.find),
    Verb("resend", _ADMIN, delivering.resend, most=2),
    Verb("arrived", _ADMIN, delivering.arrived, most=2),
    Verb("retry", _ADMIN, queue.retry, most=2),
    Verb("journeys", _ADMIN, journeys.journeys, most=0),
    Verb("pause", _ADMIN, journeys.pause, most=1),
    Verb("resume", _ADMIN, journeys.resume, most=1),
    Verb("reload", _ADMIN, journeys.reload, most=1),
    Verb("nudge", _ADMIN, journeys.nudge, most=2),
    Verb("expire", _ADMIN, journeys.expire, most=2),
    Verb("stats", _ADMIN, stats.stats, most=2),
    Verb("export", _ADMIN, exporting.export, most=3),
    Verb("block", _ADMIN, people.block),
    Verb("unblock", _ADMIN, people.unblock, most=1),
    Verb("erase", _ADMIN, people.erase, most=2),
    Verb("grant", _ADMIN, roles.grant, most=2),
    Verb("revoke", _ADMIN, roles.revoke, most=1),
    Verb("roles", _ADMIN, roles.roles, most=0),
    Verb("audit", _ADMIN, roles.audit, most=1),
    Verb("here", _ADMIN, place.here, most=0),
    Verb("health", _ADMIN, health.health, most=0),
)


def verbs_of(standing: Standing) -> dict[str, Verb]:
    """The commands that somebody may give, by name."""
    return {verb.name: verb for verb in VERBS if standing >= verb.least}


def nearest_verb(name: str, standing: Standing) -> str:
    """The command that was probably meant; empty where none is near."""
    return nearest(name, verbs_of(standing))
