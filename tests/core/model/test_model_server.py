"""The loopback Messages API refuses what the service would refuse, and counts as it would count."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import aiohttp
import pytest

from core.model.anthropic_model import AnthropicModel
from core.model.base import Failure, ModelFailed
from core.model.settings import ModelSettings
from core.model.testing import MessagesServer, PromptCache, Says, Use, prefix_of, prompt_blocks
from tests.core.model.conftest import asked

HEADERS = {"anthropic-version": "2026-10-21", "x-api-key": "a-key"}
EPHEMERAL = {"type": "ephemeral"}
Json = dict[str, Any]


def text(words: str, **more: Any) -> Json:
    return {"type": "text", "text": words, **more}


def use(id_: str = "a", **more: Any) -> Json:
    return {"type": "tool_use", "id": id_, "name": "find", "input": {}, **more}


def result(id_: str = "a") -> Json:
    return {"type": "tool_result", "tool_use_id": id_, "content": "found"}


def user(*blocks: Json) -> Json:
    return {"role": "user", "content": list(blocks) or [text("Hello")]}


def assistant(*blocks: Json) -> Json:
    return {"role": "assistant", "content": list(blocks)}


def body(**changes: Any) -> Json:
    """A well formed request, changed; a change to None leaves it out."""
    plain = {
        "model": "some-model",
        "max_tokens": 100,
        "stream": True,
        "system": [text("Be kind.", cache_control=EPHEMERAL)],
        "tools": [tool()],
        "messages": [user(), assistant(text("Hm"), use()), user(result(), text("And?"))],
    }
    return {key: value for key, value in {**plain, **changes}.items() if value is not None}


def tool(name: str = "find", **schema: Any) -> Json:
    plain = {
        "type": "object",
        "properties": {
            "query": {"type": "string"},
            "kinds": {"anyOf": [{"type": "array", "items": {"enum": ["a", "b"]}}]},
        },
        "required": ["query"],
    }
    return {"name": name, "description": "Find it.", "input_schema": {**plain, **schema}}


async def post(server: MessagesServer, sent: Any, headers: Json = HEADERS) -> tuple[int, Json]:
    async with (
        aiohttp.ClientSession() as session,
        session.post(f"{server.url}/v1/messages", json=sent, headers=headers) as response,
    ):
        if response.status == 200:
            await response.read()
            return 200, {}
        return response.status, await response.json()


async def test_a_well_formed_request_is_answered(server: MessagesServer) -> None:
    server.will("Yes.", "Yes.")

    assert (await post(server, body()))[0] == 200
    bearer = {"anthropic-version": "2026-10-21", "authorization": "Bearer a-key"}
    assert (await post(server, body(), bearer))[0] == 200


MALFORMED: list[tuple[Json, str]] = [
    (body(model=None), "model: Field required"),
    (body(max_tokens=None), "max_tokens: Field required"),
    (body(max_tokens=0), "max_tokens: Field required"),
    (body(prompt="x"), "prompt: Extra inputs are not permitted"),
    (body(stream=None), "stream: this server only streams"),
    (body(messages=None), "messages: at least one message is required"),
    (body(messages=[]), "messages: at least one message is required"),
    (body(messages=["x"]), "messages: at least one message is required"),
    (body(messages=[assistant(text("Hi")), user()]), "expected user"),
    (body(messages=[user(), user()]), "expected assistant"),
    (body(messages=[user(), assistant(text("Hi"))]), "no prefill"),
    (body(messages=[{"role": "system", "content": "x"}]), "must be user or assistant"),
    (body(messages=[{"role": "user", "content": []}]), "non-empty content"),
    (body(messages=[{"role": "user", "content": ""}]), "non-empty content"),
    (body(messages=[user(text(""))]), "text content blocks must be non-empty"),
    (body(messages=[user(text(" \n"))]), "must contain non-whitespace text"),
    (body(messages=[user(use())]), "'tool_use' is no block of a user's"),
    (body(messages=[user(), assistant(result()), user()]), "no block of a assistant's"),
    (body(messages=[user({"type": "odd"})]), "'odd' is no block"),
    (body(system=[text("")]), "system.0: text content blocks must be non-empty"),
    (body(system=[use()]), "system.0: must be a text block"),
    (body(system=7), "system: must be a text or a list of blocks"),
    # tool calls and their results
    (body(messages=[user(), assistant(use()), user()]), "tool_use a has no tool_result"),
    (
        body(messages=[user(), assistant(use()), user(), assistant(text("x")), user(result())]),
        "tool_result for a, which the message before did not call",
    ),
    (body(messages=[user(result())]), "tool_result for a, which the message before did not"),
    (
        body(messages=[user(), assistant(use(), use("b")), user(result())]),
        "tool_use b has no tool_result",
    ),
    (
        body(messages=[user(), assistant(use()), user(text("x"), result())]),
        "tool_result blocks must come first",
    ),
    (
        body(messages=[user(), assistant(use()), user(result(), result())]),
        "must have a single result",
    ),
    (
        body(messages=[user(), assistant(use(), use()), user(result())]),
        "tool_use ids must be unique",
    ),
    (
        body(
            messages=[
                *(user(), assistant(use()), user(result())),
                *(assistant(use()), user(result())),
            ]
        ),
        "tool_use ids must be unique",
    ),
    (body(messages=[user(), assistant(use(input="x")), user(result())]), "must be an object"),
    (body(messages=[user(), assistant(use("a b")), user(result("a b"))]), "no id of a call"),
    (body(messages=[user(), assistant(use(name="")), user(result())]), "no name of a tool"),
    # tools
    (body(tools=[tool(), tool()]), "Tool names must be unique"),
    (body(tools=[tool("find it")]), "'find it' is no name of a tool"),
    (body(tools="find"), "tools: must be a list"),
    (body(tools=[tool(type="string")]), "input_schema must be an object schema"),
    (body(tools=[tool(anyOf=[{}])]), "does not support anyOf at the top level"),
    (body(tools=[tool(properties=[])]), "properties must be an object"),
    (body(tools=[tool(required=["other"])]), "names 'other', which is no property"),
    (body(tools=[tool(properties={"query": {"type": "text"}})]), "there is no type 'text'"),
    (body(tools=[tool(properties={"query": {"enum": []}})]), "enum must be a list"),
    (body(tools=[tool(properties={"query": {"enum": ["a", "a"]}})]), "names a value twice"),
    (body(tools=[tool(properties={"query": {"items": 3}})]), "items is not a schema"),
    (body(tools=[tool(properties={"query": {"anyOf": []}})]), "anyOf must be a list"),
    (body(tool_choice={"type": "tool", "name": "other"}), "tool 'other' was not found"),
    (body(tool_choice={"type": "some"}), "tool_choice: there is no type 'some'"),
    (body(tool_choice={"type": "any"}, tools=None), "only be given along with tools"),
    # the cache
    (
        body(messages=[user(*[text("x", cache_control=EPHEMERAL)] * 4)]),
        "at most 4 blocks may have cache_control, found 5",
    ),
    (
        body(
            messages=[user(*[text("x", cache_control=EPHEMERAL)] * 3)],
            cache_control=EPHEMERAL,
        ),
        "at most 4 blocks may have cache_control, found 5",
    ),
    (
        body(messages=[user(text(" ", cache_control=EPHEMERAL))]),
        "cache_control cannot be set for empty text blocks",
    ),
    (
        body(messages=[user(text("x", cache_control={"type": "forever"}))]),
        "must be of type ephemeral",
    ),
    (
        body(messages=[user(text("x", cache_control={"type": "ephemeral", "ttl": "2h"}))]),
        "must be 5m or 1h",
    ),
    (
        body(messages=[user(text("x", cache_control={"type": "ephemeral", "ttl": "1h"}))]),
        "1h must not come after 5m",
    ),
    (
        body(
            messages=[
                user(),
                assistant({"type": "thinking", "thinking": "x", "cache_control": EPHEMERAL}),
                user(),
            ]
        ),
        "cache_control cannot be set for thinking blocks",
    ),
]


@pytest.mark.parametrize("sent, reason", MALFORMED, ids=[reason for _, reason in MALFORMED])
async def test_a_malformed_request_is_refused_with_the_reason(
    server: MessagesServer, sent: Json, reason: str
) -> None:
    status, answer = await post(server, sent)

    assert status == 400
    assert answer["error"]["type"] == "invalid_request_error"
    assert reason in answer["error"]["message"]
    assert any(reason in violation for violation in server.take_violations())


@pytest.mark.parametrize("missing", list(HEADERS))
async def test_a_missing_header_is_refused(server: MessagesServer, missing: str) -> None:
    headers = {name: value for name, value in HEADERS.items() if name != missing}

    status, _ = await post(server, body(), headers)

    assert status == 400
    assert server.take_violations() == [f"{missing}: header is required"]


async def test_what_is_no_json_object_is_refused(server: MessagesServer) -> None:
    async with (
        aiohttp.ClientSession() as session,
        session.post(f"{server.url}/v1/messages", data=b"{", headers=HEADERS) as response,
    ):
        assert response.status == 400
    assert (await post(server, [1]))[0] == 400
    assert server.take_violations() == ["the body is no JSON", "the body is no object"]


async def test_a_violation_fails_the_test_that_ignores_it() -> None:
    with pytest.raises(AssertionError, match="max_tokens: Field required"):
        async with MessagesServer() as server:
            await post(server, body(max_tokens=None))


async def test_a_script_that_is_too_short_or_breaks_fails_the_test_too() -> None:
    def broken(_: Json) -> str:
        raise KeyError("nothing")

    for server in (MessagesServer(), MessagesServer(by=broken)):
        with pytest.raises(AssertionError, match="the script"):
            async with server:
                assert (await post(server, body()))[0] == 500


async def test_thinking_that_comes_back_elsewhere_is_refused(server: MessagesServer) -> None:
    # When: the tail of a turn changes between two of its rounds.
    server.will(Says(thinking="Hm.", uses=(Use(name="find_venue"),)))
    settings = ModelSettings(base_url=server.url)
    async with AnthropicModel("a-key", settings) as model:
        answer = await model.respond(asked("Hello", tail="one"))
        with pytest.raises(ModelFailed) as caught:
            await model.respond(asked("Hello", tail="two").after(answer, {"toolu_1_1": "found"}))

    assert caught.value.kind is Failure.REQUEST
    assert "bound to a different conversation" in caught.value.detail
    assert len(server.take_violations()) == 1


def _clock_in_system(sent: Json) -> None:
    sent["system"][0]["text"] = "It is 14:05. Be kind."


def _other_tool(sent: Json) -> None:
    sent["tools"][0]["description"] = "Find that."


def _edited_turn(sent: Json) -> None:
    sent["messages"][0]["content"][0]["text"] = "Hullo"


@pytest.mark.parametrize("change", [_clock_in_system, _other_tool, _edited_turn])
async def test_a_prompt_that_does_not_repeat_the_one_before_is_refused(
    server: MessagesServer, change: Callable[[Json], None]
) -> None:
    first = body(messages=[user(text("Hello", cache_control=EPHEMERAL), text("tail one"))])
    second = body(
        messages=[
            user(text("Hello")),
            assistant(text("Hi!")),
            user(text("Well?", cache_control=EPHEMERAL), text("tail two")),
        ]
    )
    changed = copy.deepcopy(second)
    change(changed)
    server.will("Hi!", "Yes.")

    assert (await post(server, first))[0] == 200
    assert (await post(server, second))[0] == 200
    assert (await post(server, changed))[0] == 400

    assert "the prompt repeats only" in server.take_violations()[0]
    assert [prefix.whole for prefix in server.prefixes] == [True, False]


def test_the_share_of_a_prompt_that_repeats_ends_at_the_breakpoint() -> None:
    first = body(
        tools=None,
        system="s" * 100,
        messages=[user(text("h" * 100, cache_control=EPHEMERAL), text("t" * 100))],
    )
    second = copy.deepcopy(first)
    second["messages"][0]["content"][1]["text"] = "u" * 100
    length = sum(len(block.content) for block in prompt_blocks(first)[:2])

    prefix = prefix_of(first, second)

    assert (prefix.repeated, prefix.whole) == (length, True)
    # The same tail again is no part of it: no breakpoint comes after it.
    assert prefix_of(first, first) == prefix
    assert prefix.share == length / prefix.total
    assert 0.6 < prefix.share < 0.7


def _prompt(*contents: str, marked: tuple[int, ...]) -> Json:
    blocks = [
        text(content, **({"cache_control": EPHEMERAL} if place in marked else {}))
        for place, content in enumerate(contents)
    ]
    return body(tools=None, system=None, messages=[user(*blocks)])


def test_a_cache_reads_what_was_marked_and_writes_what_is() -> None:
    cache = PromptCache(minimum=1)
    words = [f"block {number:03}" for number in range(40)]
    one = prompt_blocks(_prompt(*words[:1], marked=()))[0].tokens

    def used(count: int, *marked: int) -> tuple[int, int, int]:
        return cache.use("m", prompt_blocks(_prompt(*words[:count], marked=marked)))

    assert used(3) == (0, 0, 3 * one)
    assert used(3, 1) == (0, 2 * one, one)
    assert used(3, 1) == (2 * one, 0, one)
    # A later breakpoint finds the earlier one, up to 20 blocks in all.
    assert used(21, 20) == (2 * one, 19 * one, 0)
    assert used(40, 39) == (21 * one, 19 * one, 0)
    cache.clear()
    assert used(3, 1) == (0, 2 * one, one)
    assert used(40, 39) == (0, 40 * one, 0)
    cache.clear()
    assert used(20, 19) == (0, 20 * one, 0)
    assert used(40, 39) == (0, 40 * one, 0)
    assert used(40, 38) == (20 * one, 19 * one, one)
    # Another model has another cache.
    assert cache.use("n", prompt_blocks(_prompt(*words, marked=(39,)))) == (0, 40 * one, 0)


def test_a_start_that_is_too_short_is_not_cached() -> None:
    cache = PromptCache(minimum=100)
    short = prompt_blocks(_prompt("short", "tail", marked=(0,)))

    assert cache.use("m", short) == cache.use("m", short) == (0, 0, sum(b.tokens for b in short))


async def test_a_chat_is_told_apart_from_another_by_what_the_test_says() -> None:
    def person(sent: Json) -> str:
        return str(sent["messages"][0]["content"][0]["text"])

    async with MessagesServer(by=lambda _: "Hi!", conversation=person) as server:
        async with AnthropicModel("a-key", ModelSettings(base_url=server.url)) as model:
            for words in (["Anna"], ["Ben"], ["Anna", "Hi!", "Well?"]):
                await model.respond(asked(*words))
        assert len(server.prefixes) == 1

    async with MessagesServer(by=lambda _: "Hi!", append_only=False) as server:
        async with AnthropicModel("a-key", ModelSettings(base_url=server.url)) as model:
            for words in (["Anna"], ["Ben"]):
                await model.respond(asked(*words))
        assert [prefix.whole for prefix in server.prefixes] == [False]
