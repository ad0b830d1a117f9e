"""Every command of those who run the bot. Another one is a line here, and its two texts."""

from __future__ import annotations

from core.admin import (
    deciding,
    delivering,
    exporting,
    health,
    journeys,
    people,
    queue,
    roles,
    searching,
    stats,
)
from core.admin.base import Answer, Asked, Outcome, Standing, Verb
from core.faults.base import nearest
from core.posts import Line, Post

_MODERATOR, _ADMIN, _OWNER = Standing.MODERATOR, Standing.ADMIN, Standing.OWNER


async def tell_help(asked: Asked) -> Answer:
    """What whoever asked may do, and nothing else."""
    mine = verbs_of(asked.standing).values()
    lines = tuple(
        Line(
            label=f"{asked.texts.command}admin {asked.texts(f'admin.usage.{verb.name}')}",
            value=asked.texts(f"admin.help.{verb.name}"),
        )
        for verb in mine
    )
    role = asked.texts(f"admin.role.{asked.standing.name.lower()}")
    title, text = asked.texts("admin.help_title"), asked.texts("admin.help_text", role=role)
    return Answer(Outcome.SHOWN, post=Post(id="help", title=title, text=text, lines=lines))


VERBS = (
    Verb("help", _MODERATOR, tell_help),
    Verb("queue", _MODERATOR, queue.queue),
    Verb("show", _MODERATOR, searching.show),
    Verb("approve", _MODERATOR, deciding.approve),
    Verb("changes", _MODERATOR, deciding.changes),
    Verb("reject", _MODERATOR, deciding.reject),
    Verb("find", _ADMIN, searching.find),
    Verb("resend", _ADMIN, delivering.resend),
    Verb("arrived", _ADMIN, delivering.arrived),
    Verb("retry", _ADMIN, queue.retry),
    Verb("journeys", _ADMIN, journeys.journeys),
    Verb("pause", _ADMIN, journeys.pause),
    Verb("resume", _ADMIN, journeys.resume),
    Verb("reload", _ADMIN, journeys.reload),
    Verb("nudge", _ADMIN, journeys.nudge),
    Verb("expire", _ADMIN, journeys.expire),
    Verb("stats", _ADMIN, stats.stats),
    Verb("export", _ADMIN, exporting.export),
    Verb("block", _ADMIN, people.block),
    Verb("unblock", _ADMIN, people.unblock),
    Verb("erase", _ADMIN, people.erase),
    Verb("grant", _ADMIN, roles.grant),
    Verb("revoke", _ADMIN, roles.revoke),
    Verb("roles", _ADMIN, roles.roles),
    Verb("audit", _ADMIN, roles.audit),
    Verb("health", _ADMIN, health.health),
)


def verbs_of(standing: Standing) -> dict[str, Verb]:
    """The commands that somebody may give, by name."""
    return {verb.name: verb for verb in VERBS if standing >= verb.least}


def nearest_verb(name: str, standing: Standing) -> str:
    """The command that was probably meant; empty where none is near."""
    return nearest(name, verbs_of(standing))
