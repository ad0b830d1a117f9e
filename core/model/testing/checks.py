"""What the Messages API refuses a request for, checked one rule at a time.

The rules are those of the service's reference and of its error messages. Where the service is
lenient and a careful client is not (it merges two messages of one role), the client's rule holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from core.model.testing.cache import blocks_of
from core.model.testing.schemas import schema_faults

_KNOWN = (
    {"model", "max_tokens", "system", "messages", "tools", "tool_choice", "stream", "thinking"}
    | {"output_config", "temperature", "top_k", "top_p", "stop_sequences", "metadata", "speed"}
    | {"cache_control", "container", "diagnostics", "inference_geo", "service_tier"}
)
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")
_TYPES = {
    "user": {"text", "tool_result", "image", "document"},
    "assistant": {"text", "tool_use", "thinking", "redacted_thinking"},
}
_BREAKPOINTS = 4
Json = dict[str, Any]


def faults_of(headers: Mapping[str, str], body: Json) -> Iterator[str]:
    """Every reason to refuse a request, in words; none when it is well formed."""
    yield from _header_faults(headers)
    yield from _top_faults(body)
    yield from _tool_faults(body)
    if not _is_list_of_objects(body.get("messages")) or not body["messages"]:
        yield "messages: at least one message is required"
        return
    yield from _message_faults(body["messages"])
    yield from _pairing_faults(body["messages"])
    yield from _cache_faults(body)


def _header_faults(headers: Mapping[str, str]) -> Iterator[str]:
    if not headers.get("anthropic-version"):
        yield "anthropic-version: header is required"
    bearer = headers.get("authorization", "").removeprefix("Bearer ").strip()
    if not headers.get("x-api-key") and not bearer:
        yield "x-api-key: header is required"


def _top_faults(body: Json) -> Iterator[str]:
    for name in sorted(body.keys() - _KNOWN):
        yield f"{name}: Extra inputs are not permitted"
    if not isinstance(body.get("model"), str) or not body["model"]:
        yield "model: Field required"
    limit = body.get("max_tokens")
    if not isinstance(limit, int) or isinstance(limit, bool) or limit < 1:
        yield "max_tokens: Field required, and at least 1"
    system = body.get("system", [])
    if not isinstance(system, str) and not _is_list_of_objects(system):
        yield "system: must be a text or a list of blocks"
        return
    for number, block in enumerate(blocks_of(system)):
        if block.get("type") != "text":
            yield f"system.{number}: must be a text block"
        yield from _text_faults(block, f"system.{number}")


def _is_list_of_objects(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, dict) for one in value)


def _text_faults(block: Json, where: str) -> Iterator[str]:
    if block.get("type") != "text":
        return
    text = block.get("text")
    if not isinstance(text, str) or not text:
        yield f"{where}: text content blocks must be non-empty"
    elif not text.strip():
        yield f"{where}: text content blocks must contain non-whitespace text"


def _tool_faults(body: Json) -> Iterator[str]:
    tools = body.get("tools", [])
    if not _is_list_of_objects(tools):
        yield "tools: must be a list of tools"
        return
    names: list[str] = []
    for number, tool in enumerate(tools):
        name = str(tool.get("name", ""))
        if not _NAME.fullmatch(name):
            yield f"tools.{number}.name: {name!r} is no name of a tool"
        if name in names:
            yield f"tools: Tool names must be unique, and {name!r} is not"
        names.append(name)
        for fault in schema_faults(tool.get("input_schema")):
            yield f"tools.{number} ({name}): {fault}"
    yield from _choice_faults(body.get("tool_choice"), names)


def _choice_faults(choice: Any, names: list[str]) -> Iterator[str]:
    if choice is None:
        return
    kind = choice.get("type") if isinstance(choice, dict) else None
    if kind not in ("auto", "any", "none", "tool"):
        yield f"tool_choice: there is no type {kind!r}"
    elif kind != "none" and not names:
        yield "tool_choice: may only be given along with tools"
    elif kind == "tool" and choice.get("name") not in names:
        yield f"tool_choice: tool {choice.get('name')!r} was not found in tools"


def _message_faults(messages: list[Json]) -> Iterator[str]:
    expected = "user"
    for number, message in enumerate(messages):
        role = message.get("role")
        if role not in _TYPES:
            yield f"messages.{number}.role: must be user or assistant, not {role!r}"
            return
        if role != expected:
            yield f"messages.{number}: roles must alternate from user on; expected {expected}"
        expected = "assistant" if role == "user" else "user"
        yield from _content_faults(message, f"messages.{number}")
    if messages[-1]["role"] != "user":
        yield "messages: the last message must be the user's (no prefill)"


def _content_faults(message: Json, where: str) -> Iterator[str]:
    content = message.get("content")
    if not content or not (isinstance(content, str) or _is_list_of_objects(content)):
        yield f"{where}: all messages must have non-empty content"
        return
    for number, block in enumerate(blocks_of(content)):
        kind = block.get("type")
        if kind not in _TYPES[message["role"]]:
            yield f"{where}.content.{number}: {kind!r} is no block of a {message['role']}'s"
        yield from _text_faults(block, f"{where}.content.{number}")
        if kind == "tool_use":
            yield from _use_faults(block, f"{where}.content.{number}")


def _use_faults(block: Json, where: str) -> Iterator[str]:
    if not _NAME.fullmatch(str(block.get("id", ""))):
        yield f"{where}.id: {block.get('id')!r} is no id of a call"
    if not _NAME.fullmatch(str(block.get("name", ""))):
        yield f"{where}.name: {block.get('name')!r} is no name of a tool"
    if not isinstance(block.get("input"), dict):
        yield f"{where}.input: must be an object"


def _pairing_faults(messages: list[Json]) -> Iterator[str]:
    """Every call is answered in the very next message, before anything else, exactly once."""
    seen: set[str] = set()
    pending: list[str] = []
    for number, message in enumerate(messages):
        blocks = blocks_of(message.get("content"))
        results = [b.get("tool_use_id") for b in blocks if b.get("type") == "tool_result"]
        for missing in [call for call in pending if call not in results]:
            yield f"messages.{number}: tool_use {missing} has no tool_result right after it"
        for odd in [result for result in results if result not in pending]:
            yield f"messages.{number}: tool_result for {odd}, which the message before did not call"
        if len(set(results)) != len(results):
            yield f"messages.{number}: each tool_use must have a single result"
        kinds = [block.get("type") == "tool_result" for block in blocks]
        if kinds != sorted(kinds, reverse=True):
            yield f"messages.{number}: tool_result blocks must come first"
        pending = [str(b.get("id")) for b in blocks if b.get("type") == "tool_use"]
        for twice in {call for call in pending if call in seen or pending.count(call) > 1}:
            yield f"messages.{number}: tool_use ids must be unique, and {twice} is not"
        seen.update(pending)
    for missing in pending:
        yield f"messages: tool_use {missing} has no tool_result after it"


def _cache_faults(body: Json) -> Iterator[str]:
    marked = [block for block in _all_blocks(body) if "cache_control" in block]
    extra = 1 if body.get("cache_control") else 0
    if len(marked) + extra > _BREAKPOINTS:
        yield f"at most {_BREAKPOINTS} blocks may have cache_control, found {len(marked) + extra}"
    ttls = []
    for block in marked:
        control = block["cache_control"]
        if not isinstance(control, dict) or control.get("type") != "ephemeral":
            yield "cache_control: must be of type ephemeral"
            continue
        ttls.append(control.get("ttl", "5m"))
        if ttls[-1] not in ("5m", "1h"):
            yield f"cache_control.ttl: must be 5m or 1h, not {ttls[-1]!r}"
        if block.get("type") == "text" and not str(block.get("text", "")).strip():
            yield "cache_control cannot be set for empty text blocks"
        if block.get("type") in ("thinking", "redacted_thinking"):
            yield "cache_control cannot be set for thinking blocks"
    if ttls != sorted(ttls, key=lambda ttl: ttl != "1h"):
        yield "cache_control.ttl: 1h must not come after 5m"


def _all_blocks(body: Json) -> Iterator[Json]:
    yield from blocks_of(body.get("tools"))
    yield from blocks_of(body.get("system"))
    for message in body["messages"]:
        yield from blocks_of(message.get("content"))
