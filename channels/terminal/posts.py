"""Posts as a terminal shows them: what could be tapped elsewhere is a command to type."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel

from channels.terminal.render import plain
from core.posts import MADE, Line, Post, typed


def drawn(post: Post, command: str) -> RenderableType:
    """A post, with the commands that belong to it. `command` is what stands before one."""
    parts: list[RenderableType] = [plain(post.text)] if post.text else []
    for line in post.lines:
        parts += _line(line)
    # What is made is saved, and where it is then is told below the post.
    sent = [one for one in post.files if one.origin != MADE]
    parts += [plain(f"file: {one.name or one.ref}", "dim") for one in sent]
    if post.footer:
        parts += ["", plain(post.footer, "dim")]
    if post.actions:
        parts.append("")
    for one in post.actions:
        wanted = " ..." if one.needs else ""
        parts.append(plain(f"{command}{typed(one.command)}{wanted} - {one.label}", "magenta"))
    return Panel(Group(*parts), title=plain(post.title, "bold"), title_align="left")


def _line(line: Line) -> list[RenderableType]:
    if line.long:
        return [plain(f"{line.label}:"), Padding(plain(line.value), (0, 2))]
    return [plain(f"{line.label}: {line.value}")]
