"""Every tap gets an answer, and one only."""

from __future__ import annotations

from channels.telegram.answers import Answers
from channels.telegram.api import Api
from tests.support.telegram.people import Person, Tap
from tests.support.telegram.server import TelegramServer

LONG = 3600.0
WAIT = "One moment."


async def tapped(api: Api, ada: Person) -> Tap:
    """A button that Ada has tapped."""
    keyboard = {"inline_keyboard": [[{"text": "Go", "callback_data": "go"}]]}
    await api.call("sendMessage", chat_id=ada.id, text="Shall I?", reply_markup=keyboard)
    return ada.taps("Go")


async def test_a_tap_that_nobody_answers_is_answered_in_time(ada: Person, api: Api) -> None:
    tap = await tapped(api, ada)
    answers = Answers(api)
    answers.promise(tap.id, 0.0, WAIT)
    assert (await tap.answered()).text == WAIT


async def test_a_tap_that_has_its_answer_gets_no_late_one(
    server: TelegramServer, ada: Person, api: Api
) -> None:
    tap = await tapped(api, ada)
    answers = Answers(api)
    answers.promise(tap.id, LONG, WAIT)
    await answers.give(tap.id, "Done.")
    answers.promise(tap.id, 0.0, WAIT)
    await answers.give(tap.id, "Done again.")
    await answers.close()
    assert tap.answer is not None
    assert tap.answer.text == "Done."
    assert len(server.called("answerCallbackQuery")) == 1


async def test_a_process_that_ends_answers_the_taps_that_wait(ada: Person, api: Api) -> None:
    tap, other = await tapped(api, ada), await tapped(api, ada)
    answers = Answers(api)
    answers.promise(tap.id, LONG, WAIT)
    answers.promise(other.id, LONG, WAIT)
    await answers.close()
    assert [one.answer.text for one in (tap, other) if one.answer] == [WAIT, WAIT]
