"""The terminal's driver: reads lines from a person or a script, and prints what the runtime shows.

In a terminal it prompts; standard input that is no terminal is read line by line, and every line is
printed as it would have been typed, so that a recorded run reads like the chat it was.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from prompt_toolkit import PromptSession
from rich.console import Console
from rich.text import Text

from channels.terminal import posts, render
from channels.terminal.files import save
from channels.terminal.limits import LINE, WIDTH
from channels.terminal.read import NoSuchFile, NotText, TooLong, reply_from
from core.cards import Card
from core.channel import Native, Never
from core.effects import Change, Close, Draw, Effect, Put, Say, Toast
from core.files import Content, no_files
from core.posts import MADE, Post
from core.replies import Reply
from core.texts import COMMAND, Texts

LANE = "terminal:local"
PERSON = "local"

Take = Callable[[Reply], Awaitable[None]]
"""Takes a reply and comes back when everything that it caused has been shown."""


@dataclass
class Terminal:
    """The channel itself: what is open, and how things are shown."""

    texts: Texts
    console: Console = field(default_factory=Console)
    clock: Callable[[], datetime] = lambda: datetime.now(UTC)
    card: Card | None = None
    previewed: str = ""
    files: Content = no_files
    exports: Path = Path("exports")
    """The folder that files are saved in which are made to be handed out."""

    name = "terminal"
    command = COMMAND

    async def carry_out(
        self, lane: str, effect: Effect, drawn: Native | None, *, again: bool = False
    ) -> Native | None:
        """Show one effect. A terminal cannot edit: a changed card is printed again."""
        match effect:
            case Say():
                self._say(effect)
            case Close():
                if self.card is not None and self.card.id == effect.card:
                    self.card = None
                render.show(self.console, render.receipt(effect))
            case Draw() | Change():
                self.card = effect.card
                render.show(self.console, render.card(effect.card, self.texts))
                return {"card": effect.card.id}
            case Put():
                render.show(self.console, posts.drawn(effect.post, self.command))
                await self._save(effect.post)
            case Toast():
                if effect.text and effect.text != (self.card.reason if self.card else ""):
                    self.console.print(render.plain(effect.text, "yellow"))
        return {}

    async def _save(self, post: Post) -> None:
        for file in post.files:
            if file.origin != MADE:
                continue
            try:
                content = await self.files(file)
                saved = await asyncio.to_thread(save, self.exports, file.name, content)
            except (OSError, Never) as error:
                text = self.texts("posts.missing", name=file.name)
                self.console.print(render.plain(f"{text} ({error})", "yellow"))
            else:
                told = self.texts("terminal.saved", path=saved)
                self.console.print(render.plain(told, "green"), soft_wrap=True)

    def chat_lane(self, chat: str) -> str:
        """A terminal has one reader and no chats. Raises ValueError."""
        raise ValueError("a terminal has no chats; write telegram:NUMBER or slack:CHANNEL")

    async def download(self, ref: str, limit: int) -> bytes:
        """A file that was named here, by its path. Raises Never."""
        return await asyncio.to_thread(_content, Path(ref), limit)

    def preview(self, lane: str, text: str) -> None:
        """The model's answer, as it comes; `_say` prints only what is still missing."""
        if not text:
            return
        more = text.removeprefix(self.previewed) if text.startswith(self.previewed) else text
        if more == text:
            self.console.print()
        self.previewed = text
        self.console.print(render.plain(more), end="", highlight=False)
        self.console.file.flush()

    async def end_preview(self, lane: str) -> None:
        """What was shown of the answer stands; `_say` prints the rest."""

    def tell(self, key: str) -> None:
        """Say something about the terminal itself."""
        self.console.print(render.plain(self.texts(key), "dim"), width=self.width)

    @property
    def width(self) -> int:
        """Columns that are used of this screen."""
        return min(WIDTH, self.console.width)

    def _say(self, effect: Say) -> None:
        shown, self.previewed = self.previewed.strip(), ""
        if effect.model and shown and effect.text.startswith(shown):
            self.console.print(render.plain(effect.text[len(shown) :]))
            return
        if shown:
            self.console.print()
        render.show(self.console, render.message(effect))

    async def lines(self) -> AsyncIterator[str]:
        """What is typed, line by line, until the end of the input."""
        if sys.stdin.isatty():
            session: PromptSession[str] = PromptSession()
            while True:
                try:
                    yield await session.prompt_async("> ")
                except (EOFError, KeyboardInterrupt):
                    return
        for raw in sys.stdin:
            line = raw.removeprefix("\ufeff").rstrip("\r\n")
            self.console.print(Text("> ", style="bold") + render.plain(line))
            yield line

    def reply(self, line: str) -> Reply | None:
        """The reply that a line is; None when it was refused, which the person has been told."""
        if not line.strip():
            return None
        try:
            return reply_from(line, self.card, by=PERSON, at=self.clock())
        except TooLong:
            refusal = self.texts("terminal.too_long", limit=LINE)
        except NotText:
            refusal = self.texts("terminal.not_text")
        except NoSuchFile as error:
            refusal = self.texts("terminal.no_file", name=str(error))
        self.console.print(render.plain(refusal, "yellow"))
        return None


LEAVING = frozenset({"/quit", "/exit", "quit", "exit", "bye"})
"""What ends the talk in the terminal, and leaves the journey as it is."""


async def converse(terminal: Terminal, take: Take, over: Callable[[], Awaitable[bool]]) -> None:
    """Talk until the journey is over, the input ends, or the person leaves."""
    async for line in terminal.lines():
        typed = line.strip().casefold()
        if typed in LEAVING:
            break
        if typed == "/help":
            terminal.tell("terminal.how")
        reply = terminal.reply(line)
        if reply is None:
            continue
        await take(reply)
        if await over():
            return


def _content(file: Path, limit: int) -> bytes:
    try:
        with file.open("rb") as opened:
            content = opened.read(limit + 1)
    except OSError as error:
        raise Never(error.strerror or type(error).__name__) from None
    if len(content) > limit:
        raise Never(f"the file is larger than {limit} bytes")
    return content
