"""The journeys that are offered: looked at, paused, read anew, and how long one may lie open."""

from __future__ import annotations

from core.admin.base import Answer, Asked, Outcome, said
from core.admin.watch import PAUSED, RELOAD
from core.faults.base import nearest
from core.loading import ManifestFaulty
from core.posts import Action, Line, Post, Tone

_FAULTS = 10
"""As many faults of a journey are shown at once."""

_MOST_HOURS, _MOST_DAYS = 24 * 365, 3650

OFF = "off"


async def journeys(asked: Asked) -> Answer:
    """The journeys with their versions, how many are open, and whether they are paused."""
    catalogue, paused = asked.office.catalogue, asked.office.watch.paused
    counts = await asked.store.open_counts()
    lines, actions = [], []
    for name in catalogue.names():
        lines.append(Line(label=name, value=_line(asked, name, counts.get(name, 0))))
        command = "resume" if name in paused else "pause"
        label = asked.texts(f"admin.{command}_button", name=name)
        tone = Tone.GOOD if name in paused else Tone.PLAIN
        actions.append(Action(command=f"{command} {name}", label=label, tone=tone))
    for name, found in catalogue.faulty.items():
        value = asked.texts("admin.left_out", count=len(found))
        lines.append(Line(label=name, value=value))
    gone = set(counts) - set(catalogue.names())
    for name in sorted(gone):
        value = asked.texts("admin.not_served", open=counts[name])
        lines.append(Line(label=name, value=value))
    post = Post(
        id="journeys",
        title=asked.texts("admin.journeys_title"),
        lines=tuple(lines),
        footer=_waits(asked),
        actions=tuple(actions),
    )
    return Answer(Outcome.SHOWN, post=post)


def _line(asked: Asked, name: str, opened: int) -> str:
    manifest = asked.office.catalogue.journey(name).manifest
    parts = [
        asked.texts("admin.version", version=manifest.version, digest=manifest.digest),
        asked.texts("admin.open_count", count=opened),
    ]
    if name in asked.office.watch.paused:
        parts.append(asked.texts("admin.paused_mark"))
    if manifest.moderation is not None:
        parts.append(asked.texts("admin.moderated_mark"))
    return " · ".join(parts)


def _waits(asked: Asked) -> str:
    """What was set about reminders and about putting away."""
    found = sorted(asked.office.watch.switches.items())
    waits = [(*name.partition(":")[::2], value) for name, value in found]
    return "\n".join(_told(asked, *one) for one in waits if one[0] in ("nudge", "expire"))


def _told(asked: Asked, verb: str, name: str, value: str) -> str:
    """What is set, as a sentence."""
    key = f"{verb}_off" if value == OFF else f"{verb}_set"
    where = name or asked.texts("admin.every_journey")
    return asked.texts(f"admin.{key}", name=where, count=value)


def named(asked: Asked, verb: str, word: str) -> str | Answer:
    """The journey that is meant, or what to write where none is."""
    name, names = word.casefold(), asked.office.catalogue.names()
    if name in names:
        return name
    if not name:
        usage = asked.texts(f"admin.usage.{verb}")
        return said(asked, Outcome.UNCLEAR, "write_journey", usage=usage, names=", ".join(names))
    near = nearest(name, names)
    key = "meant_journey" if near else "no_journey"
    listed = ", ".join(names)
    return said(asked, Outcome.UNKNOWN, key, name=name[:40], near=near, verb=verb, names=listed)


async def pause(asked: Asked) -> Answer:
    """A journey begins no new one; those that are open go on."""
    name = named(asked, "pause", asked.word(0))
    if isinstance(name, Answer):
        return name
    was = name in asked.office.watch.paused
    await asked.store.set_switch(f"{PAUSED}{name}", "on", asked.account)
    await asked.office.watch.look(now=True)
    return said(asked, Outcome.ALREADY if was else Outcome.DONE, "paused", name, name=name)


async def resume(asked: Asked) -> Answer:
    """A journey that was paused may be begun again."""
    name = named(asked, "resume", asked.word(0))
    if isinstance(name, Answer):
        return name
    was = await asked.store.clear_switch(f"{PAUSED}{name}")
    await asked.office.watch.look(now=True)
    return said(asked, Outcome.DONE if was else Outcome.ALREADY, "resumed", name, name=name)


async def reload(asked: Asked) -> Answer:
    """A journey's folder is read anew, here and in every other process."""
    catalogue = asked.office.catalogue
    name = asked.word(0).casefold()
    if catalogue.folder_of(name) is None:
        found = named(asked, "reload", asked.word(0))
        if isinstance(found, Answer):
            return found
    before = catalogue.latest(name)
    try:
        manifest = await catalogue.reload(name, asked.store)
    except ManifestFaulty as faulty:
        lines = tuple(
            Line(label=f"{fault.file.name}:{fault.line}", value=f"{fault.message}. {fault.instead}")
            for fault in faulty.faults[:_FAULTS]
        )
        text = asked.texts("admin.reload_faulty", name=name, count=len(faulty.faults))
        post = Post(id="reload", title=asked.texts("admin.reload_title"), text=text, lines=lines)
        return Answer(Outcome.FAULTY, post=post, subject=name)
    value = f"{manifest.digest} {asked.key}"
    asked.office.watch.knows(f"{RELOAD}{name}", value)
    await asked.store.set_switch(f"{RELOAD}{name}", value, asked.account)
    stays = before is None or catalogue.version(name, before.manifest.digest) is not None
    key = "reloaded" if stays else "reloaded_moved"
    said_version = {"version": manifest.version, "digest": manifest.digest}
    return said(asked, Outcome.DONE, key, name, name=name, **said_version)


async def nudge(asked: Asked) -> Answer:
    """After how many hours somebody who left is reminded: `nudge [NAME] HOURS|off`."""
    return await _set_waiting(asked, "nudge", _MOST_HOURS)


async def expire(asked: Asked) -> Answer:
    """After how many days an open journey is put away: `expire [NAME] DAYS|off`."""
    return await _set_waiting(asked, "expire", _MOST_DAYS)


async def _set_waiting(asked: Asked, verb: str, most: int) -> Answer:
    name = ""
    if len(asked.words) > 1:
        found = named(asked, verb, asked.word(0))
        if isinstance(found, Answer):
            return found
        name = found
    value = asked.word(len(asked.words) - 1).casefold()
    if value != OFF and not (value.isdecimal() and value.isascii() and 0 < int(value) <= most):
        return said(
            asked,
            Outcome.UNCLEAR,
            "which_count",
            most=most,
            usage=asked.texts(f"admin.usage.{verb}"),
        )
    switch = f"{verb}:{name}" if name else verb
    await asked.store.set_switch(switch, value, asked.account)
    await asked.office.watch.look(now=True)
    told = _told(asked, verb, name, value)
    return Answer(Outcome.DONE, told, subject=f"{name} {value}".strip())
