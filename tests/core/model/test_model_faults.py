"""Whatever goes wrong, over the real SDK and real HTTP, is one kind of failure, and soon."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from core.model.anthropic_model import AnthropicModel
from core.model.base import Failure, ModelFailed, NoModel, Request, deadline
from core.model.settings import ModelSettings
from core.model.testing import Fault, MessagesServer, Refuses, Reply, Says, Use
from tests.core.model.conftest import asked

TEXT = "There are three of them."


def model_of(server: MessagesServer, **settings: Any) -> AnthropicModel:
    """A model that tries once, and has all the time that a slow machine may need."""
    usual: dict[str, Any] = {"base_url": server.url, "attempts": 1, "stall": 60.0}
    return AnthropicModel("a-key", ModelSettings(**{**usual, **settings}))


def patience(reply: Reply) -> float:
    """Short where the fault is that nothing comes."""
    return 0.3 if isinstance(reply, Says) and reply.fault is Fault.STALLS else 60.0


async def failure_of(
    request: Request, server: MessagesServer, **settings: Any
) -> tuple[ModelFailed, str]:
    """The failure, and what was shown before it."""
    shown: list[str] = []

    async def on_text(piece: str) -> None:
        shown.append(piece)

    async with model_of(server, **settings) as model:
        with pytest.raises(ModelFailed) as caught:
            await model.respond(request, on_text)
    return caught.value, "".join(shown)


STREAMS = [
    (Says(text=TEXT, fault=Fault.ENDS), Failure.BROKEN),
    (Says(text=TEXT, fault=Fault.ENDS, after=99), Failure.BROKEN),
    (Says(text=TEXT, fault=Fault.ENDS, after=0), Failure.BROKEN),
    (Says(text=TEXT, fault=Fault.DROPS), Failure.CONNECTION),
    (Says(text=TEXT, fault=Fault.STALLS), Failure.STALLED),
    (Says(text=TEXT, fault=Fault.STALLS, after=0), Failure.STALLED),
    (Says(text=TEXT, fault=Fault.BAD_LINE), Failure.BROKEN),
    (Says(text=TEXT, fault=Fault.ERROR), Failure.OVERLOADED),
    (Says(text=TEXT, fault=Fault.ERROR, error="api_error"), Failure.SERVICE),
    (Says(text=TEXT, fault=Fault.ERROR, error="rate_limit_error"), Failure.RATE_LIMITED),
    (Says(text=TEXT, fault=Fault.ERROR, error="brand_new_error"), Failure.SERVICE),
    (Says(text=TEXT, stop="max_tokens"), Failure.CUT),
    (Says(text=TEXT, stop="model_context_window_exceeded"), Failure.CUT),
    (Says(text=TEXT, stop="refusal"), Failure.DECLINED),
    (Says(stop="refusal"), Failure.DECLINED),
    (Says(text=TEXT, stop="pause_turn"), Failure.PAUSED),
    (Says(text=TEXT, stop="brand_new_reason"), Failure.BROKEN),
    (Says(text=TEXT, stop="tool_use"), Failure.BROKEN),
    (Says(), Failure.EMPTY),
    (Says(text="  \n"), Failure.EMPTY),
]


@pytest.mark.parametrize("reply, kind", STREAMS)
async def test_a_stream_that_goes_wrong(server: MessagesServer, reply: Says, kind: Failure) -> None:
    server.will(reply)

    failed, shown = await failure_of(asked("Is there one?"), server, stall=patience(reply))

    assert failed.kind is kind
    assert TEXT.startswith(shown.strip())


CALL = Use(name="find_venue", input={"query": "library"})
HALF = Use(name="find_venue", input='{"query": "libr')
CALLS = [
    (Says(uses=(HALF,)), Failure.TOOL_INPUT),
    (Says(uses=(CALL, HALF)), Failure.TOOL_INPUT),
    (Says(uses=(Use(name="find_venue", input='{"query": }'),)), Failure.TOOL_INPUT),
    (Says(uses=(Use(name="find_venue", input='["library"]'),)), Failure.TOOL_INPUT),
    (Says(uses=(Use(name="find_venue", input="null"),)), Failure.TOOL_INPUT),
    (Says(uses=(HALF,), stop="max_tokens"), Failure.CUT),
    (Says(uses=(CALL,), stop="end_turn"), Failure.BROKEN),
    (Says(text=TEXT, uses=(CALL,), fault=Fault.ENDS, after=99), Failure.BROKEN),
    (Says(text=TEXT, uses=(CALL,), fault=Fault.DROPS, after=99), Failure.CONNECTION),
]


@pytest.mark.parametrize("reply, kind", CALLS)
async def test_a_call_that_is_not_whole_is_no_call(
    server: MessagesServer, reply: Says, kind: Failure
) -> None:
    server.will(reply)

    failed, _ = await failure_of(asked("Is there one?"), server)

    assert failed.kind is kind


STATUSES = [
    (Refuses(status=400), Failure.REQUEST),
    (Refuses(status=401), Failure.CREDENTIALS),
    (Refuses(status=402), Failure.CREDENTIALS),
    (Refuses(status=403), Failure.CREDENTIALS),
    (Refuses(status=404), Failure.REQUEST),
    (Refuses(status=413), Failure.REQUEST),
    (Refuses(status=429), Failure.RATE_LIMITED),
    (Refuses(status=429, headers={"retry-after": "4294967"}), Failure.RATE_LIMITED),
    (Refuses(status=500), Failure.SERVICE),
    (Refuses(status=504), Failure.SERVICE),
    (Refuses(status=529), Failure.OVERLOADED),
]


@pytest.mark.parametrize("reply, kind", STATUSES)
async def test_a_status_that_is_an_error(
    server: MessagesServer, reply: Reply, kind: Failure
) -> None:
    server.will(reply)

    failed, shown = await failure_of(asked("Is there one?"), server)

    assert failed.kind is kind
    assert shown == ""
    assert "told so by the test" in failed.detail


async def test_nobody_listens_at_the_address() -> None:
    async with MessagesServer() as server:
        pass

    failed, _ = await failure_of(asked("Is there one?"), server)

    assert failed.kind is Failure.CONNECTION


async def test_what_answers_is_no_messages_api(server: MessagesServer) -> None:
    failed, _ = await failure_of(asked("Is there one?"), server, base_url=f"{server.url}/else")

    assert failed.kind is Failure.REQUEST


async def test_all_of_it_takes_too_long(server: MessagesServer) -> None:
    server.will(Says(text="on and on " * 50, pause=0.05))

    failed, shown = await failure_of(asked("Is there one?"), server, deadline=1.5)
    await server.until_abandoned()

    assert failed.kind is Failure.DEADLINE
    assert shown.startswith("on ")


async def test_a_listener_that_hangs_is_ended_by_the_deadline(server: MessagesServer) -> None:
    async def on_text(_: str) -> None:
        await asyncio.Event().wait()

    server.will(Says(text=TEXT, fault=Fault.STALLS))
    async with model_of(server, deadline=1.0) as model:
        with pytest.raises(ModelFailed) as caught:
            await model.respond(asked("Is there one?"), on_text)
    await server.until_abandoned()

    assert caught.value.kind is Failure.DEADLINE


async def test_nothing_to_answer_is_not_even_sent(server: MessagesServer) -> None:
    for request in (asked(tail=""), asked("Hello", "Hi!", tail=" ")):
        failed, _ = await failure_of(request, server)
        assert failed.kind is Failure.REQUEST
    assert server.requests == []


async def test_a_turn_has_one_deadline_for_all_its_rounds(server: MessagesServer) -> None:
    server.will(Says(uses=(CALL,)), Says(text=TEXT, fault=Fault.STALLS))
    request = asked("Is there one?")

    async def rounds(model: AnthropicModel) -> None:
        async with deadline(2.0):
            answer = await model.respond(request)
            await model.respond(request.after(answer, {answer.calls[0].id: "three"}))

    async with model_of(server) as model:
        with pytest.raises(ModelFailed) as caught:
            await rounds(model)
    await server.until_abandoned()

    assert caught.value.kind is Failure.DEADLINE


async def test_a_deadline_lets_the_time_limits_of_others_through() -> None:
    with pytest.raises(TimeoutError):
        async with deadline(60.0):
            raise TimeoutError
    async with deadline(None):
        pass


@pytest.mark.parametrize("after", [0, 1])
async def test_a_cancelled_answer_closes_its_stream_at_once(
    server: MessagesServer, after: int
) -> None:
    begun = asyncio.Event()

    async def on_text(_: str) -> None:
        begun.set()

    def reply(_: dict[str, Any]) -> Says:
        if after == 0:
            begun.set()
        return Says(text=TEXT, fault=Fault.STALLS, after=after)

    server.answer_by(reply)
    async with model_of(server, stall=600.0, deadline=600.0) as model:
        answering = asyncio.create_task(model.respond(asked("Is there one?"), on_text))
        await begun.wait()
        answering.cancel()
        with pytest.raises(asyncio.CancelledError):
            await answering
        # The model is still in use: it is the stream that was closed, not the client.
        await server.until_abandoned()
        server.will("There is.")
        assert (await model.respond(asked("Is there one?"))).text == "There is."


@pytest.mark.parametrize("after", [0, 1])
async def test_a_stream_that_failed_is_let_go_while_the_model_stays_in_use(
    server: MessagesServer, after: int
) -> None:
    server.will(Says(text=TEXT, fault=Fault.STALLS, after=after))

    async with model_of(server, stall=0.5) as model:
        with pytest.raises(ModelFailed):
            await model.respond(asked("Is there one?"))
        await server.until_abandoned()


async def test_many_may_ask_at_once_and_one_failure_is_nobody_elses() -> None:
    def by_place(body: dict[str, Any]) -> Says:
        place = body["messages"][0]["content"][0]["text"]
        return Says(text=f"Answer {place}.", fault=Fault.DROPS if place.endswith("7") else None)

    async with MessagesServer(by=by_place, append_only=False) as server, model_of(server) as model:
        answers = await asyncio.gather(
            *(model.respond(asked(str(place))) for place in range(30)), return_exceptions=True
        )

    for place, answer in enumerate(answers):
        if place % 10 == 7:
            assert isinstance(answer, ModelFailed)
        else:
            assert not isinstance(answer, BaseException)
            assert answer.text == f"Answer {place}."


async def test_without_a_model_it_fails_at_once() -> None:
    with pytest.raises(ModelFailed) as caught:
        await NoModel().respond(asked("Hello"))
    assert caught.value.kind is Failure.ABSENT


async def test_the_key_is_in_no_failure_and_no_setting(server: MessagesServer) -> None:
    server.will(Refuses(status=401))
    async with AnthropicModel("sk-secret", ModelSettings(base_url=server.url)) as model:
        with pytest.raises(ModelFailed) as caught:
            await model.respond(asked("Hello"))
        assert "sk-secret" not in f"{caught.value!r} {caught.value} {model.settings!r}"
