"""The model's answer while it is still coming.

In a thread it is a stream of the platform's own (chat.startStream). In a conversation that is no
thread, and in a workspace without streams, it is a message that is changed at a polite rate.
Either way its message then becomes the answer itself.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import structlog

from channels.slack import limits
from channels.slack.api import ApiFailed, Refused, Unknown
from channels.slack.calling import Calls, is_no_fault_of
from channels.slack.messages import content
from channels.slack.payload import Dest
from channels.slack.refusals import Meaning, meaning_of
from channels.slack.render import message
from channels.slack.text import clean, escaped
from core.carrying import Gone
from core.channel import Native
from core.previews import Preview, Previews
from core.store import Store
from core.texts import Texts

log = structlog.get_logger()

_MARKUP = re.compile(r"[\\*_~`#\[\]()-]")

Stopped = Callable[[str, Dest, str], Awaitable[None]]
"""The person stopped the answer of a lane, whose unfinished message is this one."""
Speaks = Callable[[str], Awaitable[Texts]]
"""The texts that a lane is talked to with."""


@dataclass(frozen=True)
class Pace:
    """Seconds between two looks of one answer. A workspace takes some 100 appends a minute of one
    app, and some 50 updates (docs.slack.dev/apis/web-api/rate-limits)."""

    stream: float = 1.0
    update: float = 2.0


@dataclass
class _Stream(Preview[Dest]):
    """`place` is where its message stands, `streams` in it whether it is a stream of the platform's
    own; `sent` is what of the text that one has."""

    place: Native | None = None
    sent: str = ""


class Streams(Previews[Dest, _Stream]):
    """The answers that are coming now, by lane."""

    def __init__(
        self, calls: Calls, store: Store, speaks: Speaks, stopped: Stopped, pace: Pace
    ) -> None:
        super().__init__(store, _Stream, (ApiFailed, Gone), Unknown)
        self.calls = calls
        self.speaks = speaks
        self.stopped = stopped
        self.pace = pace
        self._has_streams: dict[str, bool] = {}
        self._has_status: dict[str, bool] = {}

    async def stop(self, dest: Dest, place: Native) -> None:
        """The platform's own stream ends, so that its message can be changed. Raises ApiFailed."""
        if place.get("streams"):
            # One that was stopped, or that has grown too old, is none any more.
            with contextlib.suppress(Refused):
                await self.calls.call(dest, "chat.stopStream", ts=place["message"])

    # How it is shown

    async def _show_begun(self, lane: str, dest: Dest) -> None:
        """That it is being written, under the thread; the platform takes that away itself."""
        if not dest.thread or not self._has_status.get(dest.team, True):
            return
        status = (await self.speaks(lane))("slack.thinking")
        try:
            await self.calls.assist(dest, "assistant.threads.setStatus", status=status)
        except Refused as refused:
            if meaning_of(refused) is Meaning.DENIED:
                self._has_status[dest.team] = False

    def _streams_in(self, dest: Dest) -> bool:
        return bool(dest.thread) and self._has_streams.get(dest.team, True)

    def _pause(self, dest: Dest) -> float:
        return self.pace.stream if self._streams_in(dest) else self.pace.update

    async def _adopt(self, lane: str, stream: _Stream, place: Native) -> None:
        stream.place = place
        if place.get("streams"):
            # It can only be appended to, and what it says is of another attempt.
            await self._drop(lane, stream)

    async def _show(self, lane: str, stream: _Stream, text: str) -> None:
        text = clean(text)
        if stream.place is not None and stream.place.get("streams"):
            if text.startswith(stream.sent):
                await self._append(lane, stream, text)
                return
            await self._drop(lane, stream)
        if self._streams_in(stream.dest) and stream.place is None:
            await self._begin_stream(lane, stream, text)
        if not self._streams_in(stream.dest):
            await self._update(lane, stream, text)

    async def _begin_stream(self, lane: str, stream: _Stream, text: str) -> None:
        dest, recipient, said = stream.dest, {}, _unmarked(text)
        if len(said) > limits.CHARACTERS:
            return
        if not dest.direct:
            recipient = {"recipient_user_id": dest.owner, "recipient_team_id": dest.team}
        try:
            await self._begin(lane, stream, "chat.startStream", markdown_text=said, **recipient)
        except Refused as refused:
            if is_no_fault_of(refused):
                raise
            log.info("no_streams", team=dest.team, why=refused.error)
            self._has_streams[dest.team] = False
            return
        stream.sent = text

    async def _append(self, lane: str, stream: _Stream, text: str) -> None:
        assert stream.place is not None
        more, message = _unmarked(text[len(stream.sent) :]), stream.place["message"]
        if not more or max(len(text), len(more)) > limits.CHARACTERS:
            return
        try:
            # One that comes late changes nothing: the stream was stopped before the answer came.
            await self.calls.call(stream.dest, "chat.appendStream", ts=message, markdown_text=more)
        except Unknown:
            # Perhaps it is there: appended again, it could stand there twice.
            stream.sent = text
            raise
        except Refused as refused:
            stream.ended.set()
            if refused.error == "stopped_by_user":
                await self.stopped(lane, stream.dest, message)
            raise
        stream.sent = text

    async def _drop(self, lane: str, stream: _Stream) -> None:
        """It was another answer: its message goes."""
        assert stream.place is not None
        await self.stop(stream.dest, stream.place)
        with contextlib.suppress(Gone):
            await self.calls.change(stream.dest, "chat.delete", stream.place["message"])
        stream.place, stream.sent = None, ""
        await self.forget(lane)

    async def _update(self, lane: str, stream: _Stream, text: str) -> None:
        posts = message(text)
        if len(posts) != 1:
            return
        shown = content(posts[0])
        if stream.place is None:
            await self._begin(lane, stream, "chat.postMessage", **shown)
            return
        async with self._changing(lane, stream.place):
            await self.calls.change(stream.dest, "chat.update", stream.place["message"], **shown)

    async def _begin(self, lane: str, stream: _Stream, method: str, **shown: object) -> None:
        """Send the message that may become the answer."""
        async with self._beginning(lane, stream):
            begun = await self.calls.post(stream.dest, method, **shown)
            streams = method == "chat.startStream"
            stream.place = {"message": str(begun["ts"]), "streams": streams}
            await self._remember(lane, stream.place)


def _unmarked(text: str) -> str:
    """A text for a stream, which is Markdown: nothing of it is markup, a link or a mention."""
    return escaped(_MARKUP.sub(r"\\\g<0>", text))
