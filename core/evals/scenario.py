"""A scenario: one person, what they have in mind, what they do on the way, what must come of it.

It is data (`steps/<journey>/evals/*.yaml`), and short: what it does not say is answered for the
person by the runner, with a valid sample of each step, so that a new item breaks no scenario.

    about: An in-person meetup, everything by taps; she asks why the time is needed.
    by: taps
    answers:
      kind: meetup
      title: Python Evening
    script:
      - at: start_time
        say: why do you need that?
        model: So that people come in time.
        open: start_time
      - at: summary
        change: {capacity: 40}
    expect:
      submission: {capacity: 40}
      sources: {title: typed}

The same scenario can be played with the model leading (`core.evals.led`); what only the runtime has
(a tap on an old card, a reload) is left out there.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from core.draft import Source
from core.evals.record import Ending
from core.events import Happened

ACTS = (
    "say",
    "tap",
    "answer",
    "submit",
    "upload",
    "change",
    "command",
    "reload",
    "stale_tap",
    "later",
)
"""What a person can do; an entry does exactly one of these."""


class _Data(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Round(_Data):
    """One answer of the scripted model: its text and its tool calls, each `{tool: arguments}`."""

    text: str = ""
    calls: tuple[dict[str, dict[str, Any]], ...] = ()


class Sent(_Data):
    """A file that the person sends: `size` in bytes."""

    name: str = "photo.jpg"
    mime: str = "image/jpeg"
    size: int = 100_000
    caption: str = ""


class Entry(_Data):
    """One thing that the person does, and what must then be seen.

    With `at`, everything else that is asked is answered first, until that item (or "summary",
    "zone", "language") is open. `gives` is what the person's words say, by item, where they say any
    value: it is what they have in mind from then on. `sees` are texts that this turn must show,
    `never_sees` such that it must not; `open` is what must be open after it.
    """

    at: str = ""
    say: str | None = None
    tap: str | None = None
    """The label of a button on the open card."""
    answer: Any = None
    """A value: the open ask is answered with it, in the scenario's way."""
    submit: dict[str, str | list[str]] | None = None
    upload: Sent | None = None
    change: Annotated[dict[str, Any], Field(min_length=1, max_length=1)] | None = None
    """A settled item and its new value: re-opened as the open card offers, then answered."""
    command: str | None = None
    """A command with what is typed after it: "new request"."""
    reload: Literal[True] | None = None
    stale_tap: str | None = None
    """An item, or "summary": a button of its last closed card is tapped; of a summary, Confirm."""
    later: Annotated[float, Field(gt=0)] | None = None
    """So many hours pass."""

    model: str | tuple[Round, ...] | Literal[False] | None = None
    """What the scripted model answers, should it be asked: a text, rounds with tool calls, or
    false: it fails. An entry that says nothing of it must not come to a model at all."""
    gives: dict[str, Any] = {}
    sees: tuple[str, ...] = ()
    never_sees: tuple[str, ...] = ()
    open: str | None = None

    @model_validator(mode="after")
    def _one_act(self) -> Entry:
        done = [name for name in ACTS if getattr(self, name) is not None]
        if len(done) != 1:
            raise ValueError(
                f"an entry does exactly one of {', '.join(ACTS)}; this one does "
                f"{' and '.join(done) or 'none of them'}"
            )
        return self

    @property
    def act(self) -> str:
        """Which of `ACTS` it does."""
        return next(name for name in ACTS if getattr(self, name) is not None)


class Somebody(_Data):
    """The person as their platform knows them. `zone` null: it is not known, and asked for."""

    name: str = "Anna"
    locale: str = "en"
    zone: str | None = "Europe/Berlin"
    country: str | None = "DE"


class Expect(_Data):
    """What must have come of it. `submission` and `draft` have the values of some items (null: it
    was skipped); `absent` are items that must not be in them; `events` how often each must have
    happened; `model_calls` how often the model was asked in all."""

    ends: Ending = Ending.SUBMITTED
    submission: dict[str, Any] = {}
    draft: dict[str, Any] = {}
    absent: tuple[str, ...] = ()
    sources: dict[str, Source] = {}
    events: dict[Happened, int] = {}
    model_calls: int | None = None


class Scenario(_Data):
    """One person's way through a journey.

    `by` is how they answer what the script leaves to the runner: by taps and forms, by words, or
    mixed. `now` is when it begins (UTC). `answers` are values by item; the rest are samples of the
    steps, and an item that may be skipped is skipped unless it is in `answers`. `stops` ends the
    chat after the script; otherwise it goes on to the confirmation.
    """

    about: str
    by: Literal["taps", "words", "mixed"] = "taps"
    person: Somebody = Somebody()
    now: str = "2026-12-01T12:00:00+00:00"
    answers: dict[str, Any] = {}
    script: tuple[Entry, ...] = ()
    stops: bool = False
    records: dict[str, tuple[dict[str, Any], ...]] = {}
    """What a tool's directory holds in this scenario, instead of the journey's own: by directory,
    records with id, label, detail and fields."""
    expect: Expect = Expect()

    name: str = ""
    journey: str = ""
    """Both from where the file lies."""
