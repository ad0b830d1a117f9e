"""A model that answers when a test says so."""

from __future__ import annotations

import asyncio

from core.model import Answer, ModelFailed, Request
from core.model.base import OnText
from core.model.scripted import says


class Told:
    """A model that says what a test tells it, piece by piece; None ends an answer."""

    name = "told"

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.asked = asyncio.Event()
        """Set when it has been asked for the first time."""
        self.pieces: asyncio.Queue[str | Answer | ModelFailed | None] = asyncio.Queue()

    def tell(self, *pieces: str | Answer | ModelFailed | None) -> None:
        for piece in pieces:
            self.pieces.put_nowait(piece)

    async def respond(self, request: Request, on_text: OnText | None = None) -> Answer:
        self.requests.append(request)
        self.asked.set()
        text = ""
        while (piece := await self.pieces.get()) is not None:
            if isinstance(piece, ModelFailed):
                raise piece
            if isinstance(piece, Answer):
                return piece
            text += piece
            if on_text is not None:
                await on_text(piece)
        return says(text)
