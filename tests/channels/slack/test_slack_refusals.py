"""What Slack refuses: each code has one meaning, and each meaning one consequence."""

from __future__ import annotations

from collections import Counter

import pytest

from channels.slack.api import Limited, Refused, Unknown, Unreachable
from channels.slack.calling import Calls, is_no_fault_of, is_shut
from channels.slack.refusals import CODES, Meaning, meaning_of
from core.channel import Later, Lost, Never
from tests.support.slack.people import Person
from tests.support.slack_bot import SlackBot

CONSEQUENCES = {
    Meaning.GONE: Never,
    Meaning.SHUT: Never,
    Meaning.NOBODY: Never,
    Meaning.UNINSTALLED: Never,
    Meaning.TOKEN: Later,
    Meaning.BUSY: Later,
    Meaning.BROKEN: Lost,
    Meaning.MALFORMED: Never,
    Meaning.DENIED: Never,
    Meaning.OTHER: Never,
}
OF_THE_PLACE = {Meaning.SHUT}
NOT_OF_THE_METHOD = {Meaning.SHUT, Meaning.NOBODY, Meaning.UNINSTALLED, Meaning.TOKEN}


@pytest.fixture
def calls(bot: SlackBot) -> Calls:
    return bot.channel.calls


def test_each_code_has_one_meaning() -> None:
    counted = Counter(code for codes in CODES.values() for code in codes)
    assert [code for code, count in counted.items() if count > 1] == []
    assert set(CODES) | {Meaning.OTHER} == set(Meaning)


async def test_each_code_has_the_consequence_of_its_meaning(calls: Calls, ada: Person) -> None:
    told = [(code, meaning) for meaning, codes in CODES.items() for code in codes]
    for code, meaning in [*told, ("unheard_of", Meaning.OTHER)]:
        refused = Refused(code)
        assert meaning_of(refused) is meaning
        assert type(calls.failure(refused)) is CONSEQUENCES[meaning], code
        assert is_shut(refused) is (meaning in OF_THE_PLACE), code
        assert is_no_fault_of(refused) is (meaning in NOT_OF_THE_METHOD), code


async def test_what_was_not_refused_is_tried_again(calls: Calls, ada: Person) -> None:
    limited = calls.failure(Limited(7.0), begun=True)
    assert isinstance(limited, Later)
    assert (limited.seconds, limited.begun) == (7.0, True)
    assert isinstance(calls.failure(Unreachable("no line")), Later)
    assert isinstance(calls.failure(Unknown("no answer")), Lost)
