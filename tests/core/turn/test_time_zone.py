"""The time zone is asked once, when it first matters: each case as a chat."""

from __future__ import annotations

from datetime import timedelta

import msgspec
import pytest

from core.cards import Chips, Picker, Role, Summary
from core.journey import JourneyType
from core.manifest import Manifest
from core.replies import Submit, Words
from core.state import AskKind, Person
from core.step.picker_dates import DatetimeStep
from tests.support.chat import DOWN, Chat, Says, Types
from tests.support.guarantees import check
from tests.support.journeys import dinner, halls

ANNA = Person(id="anna", name="Anna", locale="en-GB", zone="UTC", zone_known=False)


def begun(person: Person = ANNA, journey: JourneyType | None = None) -> Chat:
    types = Types((journey or dinner(),))
    return Chat(types, fetch=halls, person=person, watch=check).commands("new", "dinner")


@pytest.fixture
def chat() -> Chat:
    """A dinner for 50 in the Old Mill; its day is what is asked next."""
    return begun().taps("In person").says("Old Mill").says("50")


def kind(chat: Chat) -> AskKind:
    assert chat.state.journey is not None
    assert chat.state.journey.ask is not None
    return chat.state.journey.ask.kind


def labels(chat: Chat) -> list[str]:
    return [one.label for one in chat.card.options]


def test_it_is_asked_right_before_the_first_question_about_time_and_not_sooner() -> None:
    # Given a person whose zone the channel cannot know
    chat = begun()

    # When what is asked has nothing to do with the clock, the zone is not asked for
    assert chat.card.item == "format"
    chat.taps("In person")
    assert chat.card.item == "hall"

    # Then it is, before the day
    chat.says("Old Mill").says("50")
    assert kind(chat) is AskKind.ZONE
    assert isinstance(chat.card, Chips)
    assert "where are you?" in chat.card.title


def test_a_tap_on_ones_own_clock_settles_it_and_the_day_follows_in_the_same_reply(
    chat: Chat,
) -> None:
    assert "London · 12:00" in labels(chat)
    assert all(len(one.token) <= 12 for one in chat.card.options)

    chat.taps("London · 12:00")

    assert chat.said == "Time zone: London (12:00)"
    assert chat.card.item == "day"
    assert chat.state.person.zone == "Europe/London"
    assert chat.state.person.zone_known
    # and it is no item: nothing of it is in the draft
    assert list(chat.draft) == ["format", "hall", "seats"]


def test_each_button_shows_another_time_so_that_one_is_ones_own(chat: Chat) -> None:
    clocks = [label.rpartition("· ")[2] for label in labels(chat)]
    assert len(set(clocks)) == len(clocks) >= 4


@pytest.mark.parametrize(
    "words, zone",
    [
        ("Berlin", "Europe/Berlin"),
        ("europe/berlin", "Europe/Berlin"),
        ("I live in New York.", "America/New_York"),
        ("I'm in Munich", "Europe/Berlin"),
        ("São Paulo, please", "America/Sao_Paulo"),
        ("Berlin, Germany", "Europe/Berlin"),
        ("Japan", "Asia/Tokyo"),
        ("the UK", "Europe/London"),
        ("UTC+2", "Etc/GMT-2"),
        ("GMT+1", "Etc/GMT-1"),
        ("utc-3", "Etc/GMT+3"),
        ("UTC", "Etc/UTC"),
    ],
)
def test_a_place_in_ones_own_words_settles_it(chat: Chat, words: str, zone: str) -> None:
    chat.says(words)
    assert chat.state.person.zone == zone
    assert chat.card.item == "day"


@pytest.mark.parametrize("words", ["it's 14:05", "14:05", "2:05 pm", "my clock says 14:05"])
def test_a_clock_time_offers_the_zones_that_have_it_now(chat: Chat, words: str) -> None:
    chat.says(words)
    assert kind(chat) is AskKind.ZONE
    assert chat.card.reason == "Which of these is it?"
    assert labels(chat)[0].endswith("· 14:00")

    first = labels(chat)[0]
    chat.taps(first)
    assert chat.card.item == "day"
    assert chat.said == f"Time zone: {first.replace(' · ', ' (')})"


def test_a_country_with_several_times_offers_them(chat: Chat) -> None:
    chat.says("USA")
    assert labels(chat)[:2] == ["New York · 07:00", "Los Angeles · 04:00"]
    chat.taps("Los Angeles · 04:00")
    assert chat.state.person.zone == "America/Los_Angeles"


def test_a_name_that_stands_for_two_places_is_decided_by_a_tap(chat: Chat) -> None:
    chat.says("Valencia")
    assert labels(chat)[:2] == ["Madrid · 13:00", "Caracas · 08:00"]
    assert kind(chat) is AskKind.ZONE


def test_a_question_about_it_goes_to_the_model_and_the_card_stays(chat: Chat) -> None:
    chat.says("why do you need that?", Says("So that tomorrow means your tomorrow. Where are you?"))

    assert chat.texts[-2] == "So that tomorrow means your tomorrow."
    assert kind(chat) is AskKind.ZONE
    assert not chat.state.person.zone_known


def test_what_stands_beside_a_place_goes_to_the_model_and_the_place_is_one_tap_away(
    chat: Chat,
) -> None:
    chat.says("Tokyo, but only until May, does that matter?", Says("It does not."))
    assert kind(chat) is AskKind.ZONE
    assert "Tokyo · 21:00" in labels(chat)


def test_an_unknown_place_is_refused_kindly_and_then_the_default_is_taken(chat: Chat) -> None:
    chat.says("Springfield")
    assert kind(chat) is AskKind.ZONE
    assert chat.card.reason.startswith("I don't know that place. Please name a large city")

    chat.says("Shelbyville")
    assert chat.said == "I'll go by UTC (12:00) for now. /timezone changes it at any time."
    assert chat.state.person.zone == "UTC"
    assert chat.state.person.zone_known
    assert chat.card.item == "day"


@pytest.mark.parametrize("leaves", ["button", "skip"])
def test_it_can_be_left_at_the_default(chat: Chat, leaves: str) -> None:
    (use,) = [one for one in chat.card.controls if one.role is Role.SKIP]
    assert use.label == "Use UTC (12:00)"
    if leaves == "button":
        chat.taps(use.label)
    else:
        chat.says("skip")
    assert chat.said == "Time zone: UTC (12:00)"
    assert chat.card.item == "day"


def test_it_is_never_asked_again_not_even_in_the_next_journey(chat: Chat) -> None:
    chat.says("Lisbon").commands("cancel").taps("Yes, cancel").commands("new", "dinner")
    chat.taps("Online").says("https://example.org/room").says("20")
    assert chat.card.item == "day"


def test_a_person_whose_zone_is_known_is_never_asked() -> None:
    known = msgspec.structs.replace(ANNA, zone="Europe/Berlin", zone_known=True)
    chat = begun(known).taps("In person").says("Old Mill").says("50")
    assert chat.card.item == "day"


def test_back_cancel_and_start_over_work_on_it(chat: Chat) -> None:
    chat.taps("Back")
    assert chat.card.item == "seats"
    chat.says("40")
    assert kind(chat) is AskKind.ZONE

    chat.says("cancel").taps("No, go on")
    assert kind(chat) is AskKind.ZONE

    chat.says("start over").taps("Yes, start over")
    assert chat.card.item == "format"
    assert not chat.state.person.zone_known


def test_an_old_zone_card_settles_nothing(chat: Chat) -> None:
    old = chat.tap_on("London · 12:00")
    chat.says("14:05")
    chat.reply(old)
    assert kind(chat) is AskKind.ZONE
    assert not chat.state.person.zone_known


def test_a_native_select_settles_it_like_a_tap(chat: Chat) -> None:
    token = chat.tap_on("London · 12:00").token
    chat.reply(Submit(card=chat.card.id, values={"value": token}, by="anna", at=chat.now))
    assert chat.state.person.zone == "Europe/London"


def test_a_strangers_tap_or_word_changes_nothing(chat: Chat) -> None:
    tap = msgspec.structs.replace(chat.tap_on("London · 12:00"), by="bob")
    chat.reply(tap)
    chat.reply(Words(text="Tokyo", by="bob", at=chat.now))
    assert chat.state.person == ANNA


def test_words_sent_before_the_card_was_drawn_are_at_most_a_suggestion(chat: Chat) -> None:
    assert chat.state.journey is not None
    assert chat.state.journey.ask is not None
    sent = chat.state.journey.ask.drawn_at - timedelta(seconds=5)
    taken = chat.taken(chat.state, Words(text="Tokyo", by="anna", at=sent))
    assert not taken.state.person.zone_known


def test_a_tap_that_waits_while_the_model_answers_means_what_was_shown(chat: Chat) -> None:
    tap = chat.tap_on("London · 12:00")
    chat.says("is Tokyo fine, too?", Says("It is."), after=tap)
    assert chat.state.person.zone == "Europe/London"
    assert chat.card.item == "day"


def test_tomorrow_is_tomorrow_where_the_person_is(chat: Chat) -> None:
    # Given noon in UTC on 1 December, which is 2 December in Kiritimati
    chat.says("Kiritimati")
    chat.says("tomorrow")
    assert chat.draft["day"] == "2026-12-03"


def test_a_day_that_the_model_heard_waits_until_the_zone_is_known() -> None:
    # Given a journey whose day the talk gathers
    journey = dinner(day={"gather": "talk"})
    chat = begun(journey=journey)

    # When the model records a day from the person's words
    call = ("record_item", {"item": "day", "value": "2026-12-24", "quote": "24 December 2026"})
    chat.says("We meet on 24 December 2026, all of us", Says("Lovely.", (call,)))

    # Then nothing is written yet: the zone is asked first, and the day is one tap away behind it
    assert "day" not in chat.draft
    assert kind(chat) is AskKind.ZONE
    chat.says("Madrid")
    assert chat.card.item == "day"
    assert isinstance(chat.card, Picker)
    assert [one.label for one in chat.card.suggestions] == ["Thursday, 24 December 2026"]


class _Moonrise(DatetimeStep):
    """A journey's own step, asking for a moment in its own way."""


def test_a_journeys_own_step_that_reads_the_clock_waits_for_the_zone() -> None:
    plain = dinner()
    items = [
        {"name": "moonrise", "value": "datetime", "step": "moonrise"},
        {"name": "title", "value": "short_text"},
    ]
    manifest = Manifest.model_validate({"name": "dinner", "version": 1, "items": items})
    steps = {"moonrise": _Moonrise()}
    own = JourneyType(manifest=manifest, texts=plain.texts, steps=steps)
    assert kind(begun(journey=own)) is AskKind.ZONE


def test_the_command_changes_it_at_any_time_and_the_open_ask_comes_again(chat: Chat) -> None:
    chat.says("Lisbon")
    chat.commands("timezone", "Tokyo")
    assert chat.said == "Time zone: Tokyo (21:00)"
    assert chat.card.item == "day"
    assert chat.state.person.zone == "Asia/Tokyo"


def test_the_command_alone_asks_and_comes_back_to_what_was_open(chat: Chat) -> None:
    chat.says("Lisbon").says("24 December 2026")
    assert chat.card.item == "start"
    chat.commands("timezone")
    assert kind(chat) is AskKind.ZONE
    chat.says("Athens")
    assert chat.said == "Time zone: Athens (14:00)"
    assert chat.card.item == "start"


def test_the_command_from_the_summary_comes_back_to_the_summary(chat: Chat) -> None:
    chat.says("Lisbon").says("24 December 2026").says("19:00").taps("Skip")
    chat.says("Winter Dinner").says("Food and stories by the fire.")
    assert kind(chat) is AskKind.SUMMARY
    chat.commands("timezone").says("Athens")
    assert kind(chat) is AskKind.SUMMARY
    chat.says("yes")
    assert len(chat.submissions) == 1


def test_the_command_with_an_unknown_place_says_so_on_the_card(chat: Chat) -> None:
    chat.commands("timezone", "Springfield")
    assert kind(chat) is AskKind.ZONE
    assert "I don't know that place" in chat.card.reason


def test_the_command_works_with_no_journey_open() -> None:
    chat = Chat(Types((dinner(),)), person=ANNA, watch=check)
    chat.commands("timezone")
    assert "Your time zone is UTC (12:00)" in chat.said
    chat.commands("timezone", "Spain")
    assert "/timezone Europe/Madrid - Madrid · 13:00" in chat.said
    chat.commands("timezone", "Europe/Madrid")
    assert chat.said == "Time zone: Madrid (13:00)"
    assert chat.state.person.zone == "Europe/Madrid"


@pytest.mark.parametrize(
    "locale, option, words, zone",
    [
        ("de", "Berlin · 13:00", "Ich wohne in München", "Europe/Berlin"),
        ("de", "Berlin · 13:00", "Österreich", "Europe/Vienna"),
        ("de", "Berlin · 13:00", "Rom", "Europe/Rome"),
        ("es", "Madrid · 13:00", "Estoy en Ciudad de México", "America/Mexico_City"),
        ("es", "Madrid · 13:00", "Nueva York", "America/New_York"),
    ],
)
def test_in_german_and_spanish(locale: str, option: str, words: str, zone: str) -> None:
    person = msgspec.structs.replace(ANNA, locale=locale)
    chat = begun(person).taps("In person").says("Old Mill").says("50")
    assert option in labels(chat)
    chat.says(words)
    assert chat.state.person.zone == zone
    assert chat.said.startswith("Zeitzone: " if locale == "de" else "Zona horaria: ")


def test_with_no_model_it_can_be_answered_too(chat: Chat) -> None:
    chat.says("why do you need that?", DOWN)
    assert kind(chat) is AskKind.ZONE
    chat.says("Berlin")
    assert chat.card.item == "day"


# On whose clock the summary is


def finished(journey: JourneyType | None = None) -> Chat:
    """A dinner at its summary, by somebody in Berlin."""
    berlin = msgspec.structs.replace(ANNA, zone="Europe/Berlin", zone_known=True)
    chat = begun(berlin, journey).taps("In person").says("Old Mill").says("50")
    chat.says("24 December 2026")
    if journey is None:
        chat.says("19:00")
    chat.taps("Skip").says("Winter Dinner").says("Food and stories by the fire.")
    assert isinstance(chat.card, Summary)
    return chat


def test_the_summary_says_on_whose_clock_its_times_are_and_the_submission_has_it() -> None:
    chat = finished()
    assert "Times are Berlin time." in chat.card.hint.splitlines()
    chat.taps("Confirm")
    assert chat.submissions[-1].zone == "Europe/Berlin"


def test_another_zone_under_an_open_summary_makes_it_another_summary() -> None:
    # Given a summary that is open
    chat = finished()
    shown, old = chat.card.revision, chat.tap_on("Confirm")

    # When the person moves to another zone
    chat.commands("timezone", "Tokyo")

    # Then what was shown is confirmed by nothing, and the new summary is
    assert "Times are Tokyo time." in chat.card.hint.splitlines()
    assert chat.card.revision != shown
    chat.reply(old)
    assert not chat.submissions
    chat.says("yes")
    assert chat.submissions[-1].zone == "Asia/Tokyo"


def test_a_zone_that_is_said_again_changes_nothing() -> None:
    chat = finished()
    shown = chat.card.revision
    chat.commands("timezone", "Berlin")
    assert chat.card.revision == shown


def test_where_no_time_is_shown_nobodys_clock_is_told() -> None:
    chat = finished(dinner(start=None))
    assert "Times are" not in chat.card.hint
