"""A whole answer, over the real SDK and real HTTP: its text, its calls, its rounds, its tokens."""

from __future__ import annotations

from typing import Any

import pytest

from core.model.anthropic_model import AnthropicModel
from core.model.base import Answer, Call, Request, Result, Stop, Usage
from core.model.settings import ModelSettings
from core.model.testing import MessagesServer, Says, Use
from tests.core.model.conftest import asked


class Heard:
    """What was told while an answer arrived."""

    def __init__(self) -> None:
        self.pieces: list[str] = []

    async def __call__(self, piece: str) -> None:
        self.pieces.append(piece)


async def answer_to(
    request: Request, server: MessagesServer, heard: Heard | None = None, **settings: Any
) -> Answer:
    async with AnthropicModel("a-key", ModelSettings(base_url=server.url, **settings)) as model:
        return await model.respond(request, heard)


async def test_the_text_arrives_in_pieces_and_whole(server: MessagesServer) -> None:
    server.will("Parking is free, and right behind the house.")
    heard = Heard()

    answer = await answer_to(asked("Is parking free?"), server, heard)

    assert answer.text == "Parking is free, and right behind the house."
    assert answer.stop is Stop.END_TURN
    assert answer.calls == ()
    assert len(heard.pieces) > 3
    assert "".join(heard.pieces) == answer.text


async def test_nobody_has_to_listen(server: MessagesServer) -> None:
    server.will("Yes.")

    assert (await answer_to(asked("Is parking free?"), server)).text == "Yes."


async def test_calls_come_with_their_arguments(server: MessagesServer) -> None:
    uses = (
        Use(name="find_venue", input={"query": "Bücherei »Süd« \\ \n 🎉"}),
        Use(name="find_venue"),
    )
    server.will(Says(text="Let me look.", uses=uses))

    answer = await answer_to(asked("Somewhere in the south?"), server)

    assert answer.stop is Stop.TOOL_USE
    assert answer.text == "Let me look."
    assert [call.name for call in answer.calls] == ["find_venue", "find_venue"]
    assert [call.arguments for call in answer.calls] == [{"query": "Bücherei »Süd« \\ \n 🎉"}, {}]
    assert len({call.id for call in answer.calls}) == 2


async def test_every_call_is_answered_in_the_next_message_results_first(
    server: MessagesServer,
) -> None:
    server.will(
        Says(text="Let me look.", uses=(Use(name="find_venue", id="a"), Use(name="other", id="b"))),
        Says(uses=(Use(name="find_venue", id="c"),)),
        "There is one.",
    )
    request = asked("Hello", "Hi!", "Somewhere in the south?")

    first = await answer_to(request, server)
    request = request.after(
        first, (Result(call="b", text="", failed=True), Result(call="a", text="one venue"))
    )
    second = await answer_to(request, server)
    request = request.after(second, {"c": "two venues"})
    third = await answer_to(request, server)

    assert third.text == "There is one."
    assert [message["role"] for message in server.requests[2]["messages"]] == (
        ["user", "assistant", "user", "assistant", "user", "assistant", "user"]
    )
    assert server.requests[2]["messages"][4]["content"] == [
        {"type": "tool_result", "tool_use_id": "a", "content": "one venue"},
        {"type": "tool_result", "tool_use_id": "b", "content": "(nothing)", "is_error": True},
    ]
    assert server.requests[2]["messages"][:5] == server.requests[1]["messages"]
    assert server.requests[1]["messages"][:3] == server.requests[0]["messages"]


async def test_thinking_is_sent_back_as_it_was(server: MessagesServer) -> None:
    # The server refuses a thinking block when anything before it is not as it was.
    server.will(
        Says(thinking="They want a venue.", text="Let me look.", uses=(Use(name="find_venue"),)),
        Says(thinking="There are two.", uses=(Use(name="find_venue"),)),
        Says(thinking="One fits.", text="There is one."),
    )
    request, heard = asked("Somewhere in the south?"), Heard()

    first = await answer_to(request, server, heard)
    request = request.after(first, {first.calls[0].id: "two venues"})
    second = await answer_to(request, server, heard)
    request = request.after(second, {second.calls[0].id: "one venue"})
    third = await answer_to(request, server, heard)

    assert [first.text, second.text, third.text] == ["Let me look.", "", "There is one."]
    assert "think" not in "".join(heard.pieces)
    assert third.blocks[0]["thinking"] == "One fits."


async def test_an_answer_after_tool_rounds_may_have_nothing_to_add(server: MessagesServer) -> None:
    server.will(Says(uses=(Use(name="find_venue"),)), Says())
    request = asked("Somewhere in the south?")

    first = await answer_to(request, server)
    second = await answer_to(request.after(first, {first.calls[0].id: "done"}), server)

    assert second.text == ""
    assert second.stop is Stop.END_TURN


async def test_kinds_of_event_that_nobody_knows_change_nothing(server: MessagesServer) -> None:
    server.will(Says(thinking="Hm.", text="Yes, it is.", uses=(Use(name="find_venue"),), odd=True))
    heard = Heard()

    answer = await answer_to(asked("Is parking free?"), server, heard)

    assert answer.text == "".join(heard.pieces) == "Yes, it is."
    assert len(answer.calls) == 1


async def test_a_slow_stream_is_whole_in_the_end(server: MessagesServer) -> None:
    server.will(Says(text="One word after the other.", pause=0.02))

    assert (await answer_to(asked("And?"), server)).text == "One word after the other."


async def test_tokens_are_counted_as_the_service_reports_them() -> None:
    async with MessagesServer("Yes.", "No.", minimum=1) as server:
        first = (await answer_to(asked("Is parking free?"), server)).usage
        second = (await answer_to(asked("Is parking free?", "Yes.", "Sure?"), server)).usage

        seen, again = server.uses

    assert first == Usage(input=seen.rest, cache_creation=seen.created, output=first.output)
    assert first.output > 0
    assert first.cache_creation > 0
    assert second.cache_read == again.read == first.cache_creation
    total = first + second
    assert total.cache_read == second.cache_read
    assert total.output == first.output + second.output


async def test_settings_are_sent_only_when_they_are_set(server: MessagesServer) -> None:
    server.will("Yes.", "Yes.")

    await answer_to(asked("Is it?"), server)
    await answer_to(
        asked("Is it?"),
        server,
        model="claude-haiku-4-5",
        temperature=0.3,
        max_tokens=99,
    )

    plain, special = server.requests
    assert plain["model"] == "claude-sonnet-5-5"
    assert plain["output_config"] == {"effort": "low"}
    assert "temperature" not in plain
    assert special["model"] == "claude-haiku-4-5"
    assert special["temperature"] == 0.3
    assert special["max_tokens"] == 99
    assert "output_config" not in special


@pytest.mark.parametrize(
    "model, effort, sent",
    [
        ("claude-sonnet-5-5", "auto", "low"),
        ("claude-opus-5", "auto", "low"),
        ("claude-haiku-4-5-20251001", "auto", ""),
        ("somebody-elses", "auto", ""),
        ("somebody-elses", "high", "high"),
        ("claude-sonnet-5-5", "", ""),
    ],
)
def test_effort_is_told_to_those_who_know_it(model: str, effort: Any, sent: str) -> None:
    assert ModelSettings(model=model, effort=effort).effort_sent == sent


async def test_a_text_of_nothing_but_space_is_not_sent_back(server: MessagesServer) -> None:
    # The service sends such blocks, and refuses them.
    server.will(Says(text=" \n", uses=(Use(name="find_venue"),)), "There is one.")
    request = asked("Somewhere in the south?")

    first = await answer_to(request, server)
    second = await answer_to(request.after(first, {first.calls[0].id: "found"}), server)

    assert second.text == "There is one."


async def test_half_an_emoji_does_no_harm(server: MessagesServer) -> None:
    server.will(Says(uses=(Use(name="find_venue"),)), "There is one.")
    request = asked("Near the \ud83c?")

    first = await answer_to(request, server)
    second = await answer_to(request.after(first, {first.calls[0].id: "the \udfe0"}), server)

    assert second.text == "There is one."
    assert server.requests[0]["messages"][0]["content"][0]["text"] == "Near the ??"


async def test_an_error_of_the_listener_is_no_failure_of_the_model(
    server: MessagesServer,
) -> None:
    class ChatIsGone(Exception):
        pass

    async def on_text(_: str) -> None:
        raise ChatIsGone

    server.will("Hello there.")
    async with AnthropicModel("a-key", ModelSettings(base_url=server.url)) as model:
        with pytest.raises(ChatIsGone):
            await model.respond(asked("Hello"), on_text)
    assert len(server.requests) == 1


def test_a_round_wants_a_result_for_every_call_and_for_no_other() -> None:
    answer = Answer(
        text="", calls=(Call(id="a", name="find_venue"), Call(id="b", name="find_venue"))
    )
    for results in ({"a": "x"}, {"a": "x", "b": "y", "c": "z"}, {}):
        with pytest.raises(ValueError, match="were answered by"):
            asked("Hello").after(answer, results)
    with pytest.raises(ValueError, match="were answered by"):
        asked("Hello").after(Answer(text="no calls"), {})
