"""The prompt cache of the Messages API, and how much of a prompt repeats the one before it.

A prompt is its blocks in the order tools, system, messages. A cached start ends at a block that
carried `cache_control`; to find one again, the service looks at each breakpoint of a request and at
the blocks before it, 20 in all. Where the breakpoints are is no part of the prompt. Tokens are an
estimate here (`core.model.base.tokens_of`).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from core.model.base import tokens_of

LOOK_BACK = 20


class PromptBlock(NamedTuple):
    """One block: what it says as bytes, and whether a breakpoint is on it."""

    content: bytes
    breakpoint: bool

    @property
    def tokens(self) -> int:
        """About how many tokens it is."""
        return tokens_of(len(self.content))


class CacheUse(NamedTuple):
    """The tokens of a prompt: read from the cache, written to it, and neither."""

    read: int
    created: int
    rest: int


def prompt_blocks(body: dict[str, Any], messages: int | None = None) -> list[PromptBlock]:
    """A request's blocks in the order in which a prompt has them; of so many messages only."""
    return [
        PromptBlock(
            json.dumps([part, _bare(block)], ensure_ascii=False).encode("utf-8", "replace"),
            "cache_control" in block,
        )
        for part, block in _parts(body, messages)
    ]


def _parts(body: dict[str, Any], messages: int | None) -> Iterator[tuple[str, dict[str, Any]]]:
    for tool in body.get("tools", []):
        yield "tool", tool
    for block in blocks_of(body.get("system", [])):
        yield "system", block
    for message in body["messages"][:messages]:
        for block in blocks_of(message["content"]):
            yield message["role"], block


def blocks_of(content: Any) -> list[dict[str, Any]]:
    """A content as blocks: a text alone is one block. What is no block is left out."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    found = content if isinstance(content, list) else []
    return [block for block in found if isinstance(block, dict)]


def _bare(block: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in block.items() if key != "cache_control"}


def prefix_digest(blocks: list[PromptBlock]) -> str:
    """What identifies a start of a prompt."""
    return _digests(blocks)[-1]


class PromptCache:
    """What a service has seen. Entries never expire by themselves: `clear` is their expiry."""

    def __init__(self, minimum: int = 1024) -> None:
        """`minimum` is how many tokens a start must have to be cached (it differs by model)."""
        self.minimum = minimum
        self._entries: set[tuple[str, str]] = set()

    def clear(self) -> None:
        """Forget everything."""
        self._entries.clear()

    def use(self, model: str, blocks: list[PromptBlock]) -> CacheUse:
        """Serve a prompt of a model from the cache, and remember its breakpoints."""
        marked = [place for place, block in enumerate(blocks) if block.breakpoint]
        digests = _digests(blocks)
        tokens = _running(blocks)
        hit = max((self._found(model, digests, place) for place in marked), default=0)
        written = [place + 1 for place in marked if tokens[place + 1] >= self.minimum]
        self._entries |= {(model, digests[length]) for length in written}
        end = max([hit, *written])
        return CacheUse(tokens[hit], tokens[end] - tokens[hit], tokens[-1] - tokens[end])

    def _found(self, model: str, digests: list[str], place: int) -> int:
        """How many blocks of the longest cached start that this breakpoint finds."""
        for length in range(place + 1, max(0, place + 1 - LOOK_BACK), -1):
            if (model, digests[length]) in self._entries:
                return length
        return 0


def _digests(blocks: list[PromptBlock]) -> list[str]:
    digest = hashlib.sha256()
    digests = [digest.hexdigest()]
    for block in blocks:
        digest.update(len(block.content).to_bytes(8, "big") + block.content)
        digests.append(digest.hexdigest())
    return digests


def _running(blocks: list[PromptBlock]) -> list[int]:
    totals = [0]
    for block in blocks:
        totals.append(totals[-1] + block.tokens)
    return totals


class Prefix(NamedTuple):
    """How a prompt repeats the one before it: in bytes, and whether all up to the earlier one's
    last breakpoint is in it, byte for byte."""

    repeated: int
    total: int
    whole: bool

    @property
    def share(self) -> float:
        """The part of the prompt that repeats the one before it and lies before a breakpoint."""
        return self.repeated / self.total if self.total else 0.0


def was_cut(before: dict[str, Any], now: dict[str, Any], instead: str = "") -> bool:
    """Whether a request is the one before it with its oldest messages left out, and nothing else
    changed: all that was cached of the messages that are kept is there, in a row. `instead` is the
    text that may stand at their start, to say that there were more."""
    old, new = prompt_blocks(before), prompt_blocks(now)
    fixed = len(prompt_blocks(before, 0))
    if _contents(old[:fixed]) != _contents(prompt_blocks(now, 0)):
        return False
    end = max((place + 1 for place, block in enumerate(old) if block.breakpoint), default=0)
    earlier, later = _contents(old[fixed:end]), _contents(new[fixed:])
    if instead and blocks_of(now["messages"][0]["content"])[0].get("text") == instead:
        later = later[1:]
    return any(earlier[start:] == later[: len(earlier) - start] for start in range(1, len(earlier)))


def _contents(blocks: list[PromptBlock]) -> list[bytes]:
    return [block.content for block in blocks]


def prefix_of(before: dict[str, Any], now: dict[str, Any]) -> Prefix:
    """How a request's prompt repeats that of the request before it in the same conversation."""
    old, new = prompt_blocks(before), prompt_blocks(now)
    same = 0
    for one, other in zip(old, new, strict=False):
        if one.content != other.content:
            break
        same += 1
    promised = max((place + 1 for place, block in enumerate(old) if block.breakpoint), default=0)
    usable = max((place + 1 for place, block in enumerate(new) if block.breakpoint), default=0)
    served = min(same, promised, usable)
    return Prefix(
        repeated=sum(len(block.content) for block in new[:served]),
        total=sum(len(block.content) for block in new),
        whole=same >= promised,
    )
