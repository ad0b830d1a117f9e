"""Trying again: as often and as long as the settings say, never under an answer that was seen."""

from __future__ import annotations

from typing import Any

import pytest

from core.model.anthropic_model import AnthropicModel
from core.model.base import Failure, ModelFailed
from core.model.settings import ModelSettings
from core.model.testing import Fault, MessagesServer, Refuses, Reply, Says
from tests.core.model.conftest import asked

TEXT = "There are three of them."


def model_of(server: MessagesServer, **settings: Any) -> AnthropicModel:
    usual: dict[str, Any] = {"base_url": server.url, "first_wait": 0.0, "stall": 1.0}
    return AnthropicModel("a-key", ModelSettings(**{**usual, **settings}))


async def text_of(server: MessagesServer, **settings: Any) -> tuple[str, str]:
    """The answer's text, and all that was shown."""
    shown: list[str] = []

    async def on_text(piece: str) -> None:
        shown.append(piece)

    async with model_of(server, **settings) as model:
        answer = await model.respond(asked("Is there one?"), on_text)
    return answer.text, "".join(shown)


PASSING: list[Reply] = [
    Refuses(status=429),
    Refuses(status=429, headers={"retry-after": "0"}),
    Refuses(status=429, headers={"retry-after-ms": "10"}),
    Refuses(status=500),
    Refuses(status=529),
    Refuses(status=400, headers={"x-should-retry": "true"}),
    Says(text=TEXT, fault=Fault.ENDS, after=0),
    Says(text=TEXT, fault=Fault.DROPS, after=0),
    Says(text=TEXT, fault=Fault.STALLS, after=0),
    Says(text=TEXT, fault=Fault.BAD_LINE, after=0),
    Says(text=TEXT, fault=Fault.ERROR, after=0),
]


@pytest.mark.parametrize("reply", PASSING)
async def test_what_may_pass_is_tried_again(server: MessagesServer, reply: Reply) -> None:
    server.will(reply, reply, TEXT)

    assert await text_of(server) == (TEXT, TEXT)
    first, *others = server.requests
    assert others == [first, first]


@pytest.mark.parametrize("reply", PASSING)
async def test_and_only_so_often(server: MessagesServer, reply: Reply) -> None:
    server.will(reply, reply, TEXT)

    with pytest.raises(ModelFailed):
        await text_of(server, attempts=2)
    assert len(server.requests) == 2


LASTING: list[Reply] = [
    Refuses(status=400),
    Refuses(status=401),
    Refuses(status=413),
    Refuses(status=529, headers={"x-should-retry": "false"}),
    Says(text=TEXT, stop="refusal", fault=None),
    Says(stop="max_tokens"),
    Says(),
    Says(text=TEXT, fault=Fault.ERROR, error="invalid_request_error", after=0),
]


@pytest.mark.parametrize("reply", LASTING)
async def test_what_would_be_the_same_again_is_not(server: MessagesServer, reply: Reply) -> None:
    server.will(reply, TEXT)

    with pytest.raises(ModelFailed):
        await text_of(server)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "fault", [Fault.ENDS, Fault.DROPS, Fault.STALLS, Fault.BAD_LINE, Fault.ERROR]
)
async def test_an_answer_that_was_seen_is_not_begun_again(
    server: MessagesServer, fault: Fault
) -> None:
    server.will(Says(text=TEXT, fault=fault, after=1), "Something else.")

    with pytest.raises(ModelFailed):
        await text_of(server)
    assert len(server.requests) == 1


async def test_one_that_nobody_saw_is(server: MessagesServer) -> None:
    server.will(Says(text=TEXT, fault=Fault.ENDS, after=3), "Something else.")

    async with model_of(server) as model:
        assert (await model.respond(asked("Is there one?"))).text == "Something else."


@pytest.mark.parametrize("asked_for", ["6", "3600", "4294967", "Fri, 31 Dec 2999 23:59:59 GMT"])
async def test_a_service_that_wants_more_patience_is_left_in_peace(
    server: MessagesServer, asked_for: str
) -> None:
    server.will(Refuses(status=429, headers={"retry-after": asked_for}), TEXT)

    with pytest.raises(ModelFailed) as caught:
        await text_of(server, longest_wait=5.0)
    assert caught.value.kind is Failure.RATE_LIMITED
    assert len(server.requests) == 1


async def test_no_wait_goes_past_the_deadline(server: MessagesServer) -> None:
    server.will(Refuses(status=529, headers={"retry-after": "4"}), TEXT)

    with pytest.raises(ModelFailed) as caught:
        await text_of(server, longest_wait=5.0, deadline=3.0)
    # The true reason is told, at once: not that time ran out.
    assert caught.value.kind is Failure.OVERLOADED
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "setting, value",
    [("attempts", 0), ("deadline", 0.0), ("stall", -1.0), ("max_tokens", 0), ("first_wait", -0.1)],
)
def test_a_setting_that_makes_no_sense_is_told(setting: str, value: float) -> None:
    with pytest.raises(ValueError, match="The model's"):
        ModelSettings(**{setting: value})  # type: ignore[arg-type]


async def test_a_stream_that_breaks_off_is_charged_as_far_as_it_told(
    server: MessagesServer,
) -> None:
    server.will(Says(text=TEXT, fault=Fault.DROPS, after=0), TEXT)
    async with model_of(server) as model:
        answer = await model.respond(asked("Is there one?"))
    first, second = server.uses
    read = answer.usage.input + answer.usage.cache_read + answer.usage.cache_creation
    assert read == sum(first) + sum(second)


async def test_and_so_is_an_answer_that_never_comes(server: MessagesServer) -> None:
    server.will(Refuses(status=529), Says(stop="max_tokens"))
    async with model_of(server) as model:
        with pytest.raises(ModelFailed) as failed:
            await model.respond(asked("Is there one?"))
    (charged,) = server.uses
    usage = failed.value.usage
    assert usage.input + usage.cache_read + usage.cache_creation == sum(charged) > 0
    assert usage.output > 0
