"""Looking at one submission with all that became of it, and finding it first."""

from __future__ import annotations

from core.admin import showing
from core.admin.base import Answer, Asked, Outcome, Standing, said, unclear
from core.admin.chats import buttons_for, verdict_line
from core.admin.queue import how_far, stuck_actions
from core.posts import Action, Line, Post
from core.state import Conversation, is_open
from core.store.deliveries import Submitted
from core.store.part import account_of, written

_FOUND = 8
"""As many submissions, and as many conversations, are found at once."""

_SHORTEST = 2


async def show(asked: Asked) -> Answer:
    """A submission as its rows, with the state of each delivery and what was decided: `show N`."""
    number = asked.number()
    if not number:
        return unclear(asked, "show")
    one = await asked.store.submission(number)
    if one is None:
        return said(asked, Outcome.UNKNOWN, "no_submission", str(number), number=number)
    office, locale = asked.office, asked.locale
    decided = await asked.store.decided(number)
    deliveries = await asked.store.deliveries_of(number)
    if decided is None and asked.standing < Standing.ADMIN:
        # Who moderates is shown what is theirs to decide.
        return said(asked, Outcome.REFUSED, "not_moderated", str(number), number=number)
    state = [Line(label=f"→ {sent.destination}", value=how_far(asked, sent)) for sent in deliveries]
    if decided is not None:
        label = asked.texts("admin.decision")
        state.append(Line(label=label, value=verdict_line(asked.texts, decided, asked.when)))
    title = await showing.title_of(office, one, locale)
    when = asked.when(one.at)
    post = Post(
        id="show",
        title=f"#{number} {title}",
        text=asked.texts("admin.from", who=await showing.from_whom(office, one), when=when),
        lines=(*await showing.lines_of(office, one, locale), *state),
        files=await showing.files_of(office, one),
        actions=(
            *(buttons_for(asked.texts, number) if decided is not None and decided.waits else ()),
            *(action for sent in deliveries for action in stuck_actions(asked, sent)),
        ),
    )
    return Answer(Outcome.SHOWN, post=post, subject=str(number))


async def find(asked: Asked) -> Answer:
    """Submissions and open journeys by number, account or name: `find WORDS`."""
    words = asked.rest(0).removeprefix("#").strip()
    if len(words) < _SHORTEST and not words.isdecimal():
        return unclear(asked, "find")
    sent = await asked.store.find_submissions(words, _FOUND)
    people = await asked.store.find_conversations(words, _FOUND)
    lines = [await _sent(asked, one) for one in sent]
    lines += [_person(asked, one) for one in people]
    actions = tuple(
        Action(command=f"show {one.id}", label=asked.texts("admin.show_button", number=one.id))
        for one in sent
    )
    text = asked.texts("admin.found_nothing") if not lines else ""
    title = asked.texts("admin.find_title")
    post = Post(id="find", title=title, text=text, lines=tuple(lines), actions=actions)
    return Answer(Outcome.SHOWN if lines else Outcome.UNKNOWN, post=post)


async def _sent(asked: Asked, one: Submitted) -> Line:
    title = await showing.title_of(asked.office, one, asked.locale)
    who = await showing.from_whom(asked.office, one)
    return Line(label=f"#{one.id} {title}", value=f"{who} · {asked.when(one.at)}")


def _person(asked: Asked, state: Conversation) -> Line:
    account = written(account_of(state.id))
    journey = state.journey
    if journey is None or not is_open(state):
        value = asked.texts("admin.nothing_open")
    else:
        known = len(journey.draft.values)
        value = asked.texts("admin.has_open", name=journey.manifest, count=known)
    return Line(label=f"{state.person.name or account} ({account})", value=value)
