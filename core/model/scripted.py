"""A model that answers as it is told: for the tests of a journey, at the narrowest seam.

    model = Scripted(
        says("Let me look.", ("find_venue", {"query": "library"})),
        says("There is one in Graz."),
    )

It also takes a function of the request, for a model that reacts (or misbehaves) to what it sees.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

from core.model.base import (
    Answer,
    Block,
    Call,
    ModelFailed,
    OnText,
    Request,
    Stop,
)

Script = str | Answer | ModelFailed
"""One answer: a text, an answer with calls (see `says`), or a failure to raise."""

Responder = Callable[[Request], Script | Awaitable[Script]]


def says(text: str = "", *calls: tuple[str, dict[str, Any]]) -> Answer:
    """An answer with a text and tool calls, each a name and its arguments."""
    made = tuple(
        Call(id=f"call_{number}", name=name, arguments=arguments)
        for number, (name, arguments) in enumerate(calls, start=1)
    )
    blocks: list[Block] = [{"type": "text", "text": text}] if text else []
    blocks += [
        {"type": "tool_use", "id": call.id, "name": call.name, "input": call.arguments}
        for call in made
    ]
    stop = Stop.TOOL_USE if made else Stop.END_TURN
    return Answer(text=text, calls=made, stop=stop, blocks=tuple(blocks))


class Scripted:
    """Answers by a list, in order, or by a function of the request.

    `requests` has every request that it got. A call beyond the list raises AssertionError: the
    test's script and the code disagree about how often the model is asked.
    """

    def __init__(self, *answers: Script, by: Responder | None = None, name: str = "script") -> None:
        if answers and by:
            raise ValueError("Give a Scripted model a list of answers or a function, not both.")
        self.name = name
        self.requests: list[Request] = []
        self._answers: Iterator[Script] = iter(answers)
        self._by = by

    async def respond(self, request: Request, on_text: OnText | None = None) -> Answer:
        """The next answer; its text is told in pieces, as a real model's would be."""
        self.requests.append(request)
        script = await self._script(request)
        if isinstance(script, ModelFailed):
            raise script
        answer = says(script) if isinstance(script, str) else script
        if on_text is not None:
            for piece in re.findall(r"\S*\s*", answer.text):
                if piece:
                    await on_text(piece)
        return answer

    async def _script(self, request: Request) -> Script:
        if self._by is not None:
            made = self._by(request)
            return await made if inspect.isawaitable(made) else made
        answer = next(self._answers, None)
        if answer is None:
            raise AssertionError(f"The script has no answer to request {len(self.requests)}.")
        return answer
