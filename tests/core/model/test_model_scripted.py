"""The model that a journey's own tests script."""

from __future__ import annotations

import pytest

from core.model.base import Answer, Failure, Model, ModelFailed, Request, Stop
from core.model.scripted import Scripted, says
from tests.core.model.conftest import asked


async def test_it_answers_by_a_list_and_remembers_what_it_was_asked() -> None:
    model: Model = Scripted("Hello!", says("Let me look.", ("find_venue", {"query": "south"})))

    first = await model.respond(asked("Hi"))
    second = await model.respond(asked("Hi", "Hello!", "A venue?"))

    assert first == Answer(
        text="Hello!", stop=Stop.END_TURN, blocks=({"type": "text", "text": "Hello!"},)
    )
    assert second.stop is Stop.TOOL_USE
    assert [(call.name, call.arguments) for call in second.calls] == [
        ("find_venue", {"query": "south"})
    ]
    assert isinstance(model, Scripted)
    assert model.requests == [asked("Hi"), asked("Hi", "Hello!", "A venue?")]


async def test_its_rounds_go_on_as_a_real_models_do() -> None:
    model = Scripted(says("", ("find_venue", {})), "There is one.")
    request = asked("A venue?")

    answer = await model.respond(request)
    last = await model.respond(request.after(answer, {answer.calls[0].id: "one venue"}))

    assert last.text == "There is one."
    assert model.requests[1].rounds[0].results[0].text == "one venue"


async def test_it_tells_its_text_in_pieces() -> None:
    pieces: list[str] = []

    async def on_text(piece: str) -> None:
        pieces.append(piece)

    await Scripted("  Hello there,\nyou. ").respond(asked("Hi"), on_text)

    assert len(pieces) > 3
    assert "".join(pieces) == "  Hello there,\nyou. "


async def test_it_can_react_and_it_can_fail() -> None:
    def by(request: Request) -> str | ModelFailed:
        last = request.transcript[-1].text
        return last.upper() if last != "boom" else ModelFailed(Failure.OVERLOADED)

    async def later(request: Request) -> str:
        return request.tail

    assert (await Scripted(by=by).respond(asked("hi"))).text == "HI"
    assert (await Scripted(by=later).respond(asked("hi", tail="t"))).text == "t"
    with pytest.raises(ModelFailed, match="overloaded"):
        await Scripted(by=by).respond(asked("boom"))


async def test_a_script_that_is_too_short_is_the_tests_fault() -> None:
    model = Scripted("Hello!")
    await model.respond(asked("Hi"))

    with pytest.raises(AssertionError, match="no answer to request 2"):
        await model.respond(asked("Hi again"))
    with pytest.raises(ValueError, match="not both"):
        Scripted("Hello!", by=lambda _: "Hello!")
