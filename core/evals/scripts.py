"""The model of a scenario: it answers what the scenario's entry says, and nothing else."""

from __future__ import annotations

from core.evals.scenario import Entry, Round
from core.model import Answer, Failure, ModelFailed, Request
from core.model.base import OnText
from core.model.scripted import says


class Unscripted(Exception):
    """The model was asked and the scenario has no answer for it."""


class ScenarioModel:
    """Answers by the entry that is being played; `expect` says which. What an entry left unsaid is
    forgotten with the next."""

    name = "scripted"

    def __init__(self) -> None:
        self._rounds: list[Round] | None = None
        self._fails = False

    def expect(self, entry: Entry | None) -> None:
        """What it is to answer until it is told otherwise."""
        told = entry.model if entry is not None else None
        self._fails = told is False
        if isinstance(told, str):
            self._rounds = [Round(text=told)]
        else:
            self._rounds = list(told) if isinstance(told, tuple) else None

    async def respond(self, request: Request, on_text: OnText | None = None) -> Answer:
        """The next round of the entry. Raises Unscripted where there is none."""
        if self._fails:
            raise ModelFailed(Failure.SERVICE, "the scenario says so")
        if not self._rounds:
            raise Unscripted("the model was asked, and the entry does not say what it answers")
        now = self._rounds.pop(0)
        calls = [(name, given) for call in now.calls for name, given in call.items()]
        return says(now.text, *calls)
