"""What many chats came to, and the reports on it."""

from __future__ import annotations

import pytest

from core.evals.record import Lead
from core.evals.report.data import Report, report
from core.evals.tally import Example, Tally, tally, tally_of_crash
from tests.core.evals.reports import PRICE, RUN, records


@pytest.fixture(scope="session")
def both() -> Tally:
    """Chats of both leads; the runtime's go well."""
    return tally(records(Lead.RUNTIME) + records(Lead.MODEL))


@pytest.fixture(scope="session")
def good(both: Tally) -> Report:
    """The report on them."""
    return report(both, RUN, {"mischief": PRICE})


@pytest.fixture(scope="session")
def faulty() -> Report:
    """A report on chats in which the runtime breaks what always holds, and on one that crashed."""
    crash = Example(journey="dinner", scenario="words", seed=7, model="mischief", detail="oops")
    chats = tally(records(Lead.RUNTIME, faults=True) + records(Lead.MODEL))
    return report(chats + tally_of_crash(Lead.RUNTIME, crash), RUN)
