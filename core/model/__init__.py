"""The model: what it is asked, what it answers, and who answers.

One turn of the runtime's loop:

    request = request_for(manifest, texts, transcript, facts_block(settled=..., now=..., ...))
    try:
        async with deadline(seconds_for_the_turn):
            answer = await model.respond(request, on_text)
            while answer.calls:
                results = {call.id: carry_out(call) for call in answer.calls}
                request = request.after(answer, results)
                answer = await model.respond(request, on_text)
    except ModelFailed as failed:
        ...   # the turn ends without the model; nothing that its calls did counts

What the runtime owes the model:

1. The whole transcript, oldest first, never edited: it is cut to size here, in a stable way. What
   the person has just said is its last turn.
2. One tail a turn: facts that arise between rounds are told as results of the calls.
3. A result for every call of an answer.
4. A limit of its own on the number of rounds.

What it gets: a whole answer or ModelFailed, never half of one (`core.model.base`), within the
deadline of the settings (`core.model.settings`), tried again only while nothing of an answer was
shown (`core.model.anthropic_model`, which is imported by itself: its SDK takes a second to load,
and a process without a key need not wait for it).
"""

from core.model.base import (
    Answer,
    Call,
    Failure,
    Model,
    ModelFailed,
    NoModel,
    OnText,
    Request,
    Result,
    Round,
    Stop,
    ToolSpec,
    Turn,
    Usage,
    deadline,
)
from core.model.facts import facts_block
from core.model.prompt import request_for
from core.model.scripted import Scripted, says
from core.model.settings import DEFAULT_MODEL, ModelSettings

__all__ = [
    "DEFAULT_MODEL",
    "Answer",
    "Call",
    "Failure",
    "Model",
    "ModelFailed",
    "ModelSettings",
    "NoModel",
    "OnText",
    "Request",
    "Result",
    "Round",
    "Scripted",
    "Stop",
    "ToolSpec",
    "Turn",
    "Usage",
    "deadline",
    "facts_block",
    "request_for",
    "says",
]
