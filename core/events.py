"""What is reported about behaviour: counts and enums, nothing else (G14).

The record's type is the guarantee: no field can hold a word of anybody's. Items are numbered by
their place in the manifest, never named by a text that a manifest's author could fill with more.
"""

from __future__ import annotations

from enum import StrEnum

import msgspec


class Happened(StrEnum):
    """What a step can report.

    REACHED and PASSED come once for an item in a journey: when it was asked, or settled, for the
    first time. REACHED without an item is the summary. What moderators sent back is neither started
    nor submitted a second time.
    """

    STARTED = "started"
    REACHED = "reached"
    PASSED = "passed"
    DRAWN = "drawn"
    SETTLED = "settled"
    SKIPPED = "skipped"
    REFUSED = "refused"
    UNSURE = "unsure"
    HANDED = "handed_to_model"
    REDRAWN = "redrawn"
    LATE_DRAWN = "late_drawn"
    RE_ASKED = "re_asked"
    RE_OPENED = "re_opened"
    CHANGED = "changed"
    STALE_TAP = "stale_tap"
    STRANGER_TAP = "stranger_tap"
    OVERRIDDEN = "overridden_argument"
    QUOTE_REFUSED = "quote_refused"
    QUESTION_CUT = "question_cut"
    MODEL_FAILED = "model_failed"
    TOOL_CALLED = "tool_called"
    TOOL_FAILED = "tool_failed"
    SUBMITTED = "submitted"
    RESUBMITTED = "resubmitted"
    CANCELLED = "cancelled"
    NUDGED = "nudged"
    EXPIRED = "expired"
    MIGRATED = "migrated"


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that happened. `item` is the item's number in its manifest, from 1; 0 for none."""

    what: Happened
    item: int = 0
    count: int = 1
    turn: int = 0
