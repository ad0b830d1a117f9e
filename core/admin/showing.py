"""A submission as those see it who run the bot."""

from __future__ import annotations

from core import submitted
from core.admin.base import Office
from core.journey import JourneyType
from core.posts import Attachment, Line
from core.store.deliveries import Submitted
from core.store.part import account_of, channel_of, written


async def type_of(office: Office, one: Submitted) -> JourneyType | None:
    """The version that a submission was made with; None where nothing is left of it."""
    return await submitted.version_of(office.catalogue, one.submission, office.store)


async def title_of(office: Office, one: Submitted, locale: str) -> str:
    """What a submission is called."""
    type_ = await type_of(office, one)
    name = one.submission.manifest
    return submitted.title(type_, one.submission, locale) if type_ is not None else name


async def lines_of(office: Office, one: Submitted, locale: str) -> tuple[Line, ...]:
    """What was submitted, as the summary showed it; as it is kept where its version is gone."""
    type_ = await type_of(office, one)
    if type_ is not None:
        return submitted.rows(type_, one.submission, locale)
    values = submitted.values_of(one.submission)
    return tuple(
        Line(label=name, value=str(value)) for name, value in values.items() if value is not None
    )


async def files_of(office: Office, one: Submitted) -> tuple[Attachment, ...]:
    """The files of a submission."""
    type_ = await type_of(office, one)
    channel = channel_of(one.lane)
    return submitted.attachments(type_, one.submission, channel) if type_ is not None else ()


async def from_whom(office: Office, one: Submitted) -> str:
    """Who submitted it: their name, where they told it, and their account."""
    return who(one.lane, await name_of(office, one.lane))


async def name_of(office: Office, lane: str) -> str:
    """What somebody told that they are called; empty where they did not."""
    state = await office.store.conversation(lane)
    return state.person.name if state is not None else ""


def who(lane: str, name: str) -> str:
    """Somebody by their name, where there is one, and their account."""
    account = written(account_of(lane))
    return f"{name} ({account})" if name else account
