"""An SMTP server on loopback: it keeps what is sent, and answers as it is told to.

async with MailServer() as server:
    server.to_data.append("451 try later")
    ...
    assert server.keys == ["<...@example.org>"]
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from ssl import SSLContext
from types import TracebackType
from typing import Any

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, Session

LOST = "lost"
"""Instead of an answer: the connection breaks."""


@dataclass
class MailServer:
    """The server. It gives these answers in their order, and then says that all is well.

    With `tls` it speaks STARTTLS, and from the first byte where `at_once` is set. `watch` is called
    with each message.
    """

    to_recipients: deque[str] = field(default_factory=deque)
    to_data: deque[str] = field(default_factory=deque)
    messages: list[EmailMessage] = field(default_factory=list)
    envelopes: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    logins: list[tuple[str, str]] = field(default_factory=list)
    watch: Callable[[], None] = lambda: None
    tls: SSLContext | None = None
    at_once: bool = False
    password: str = ""
    port: int = 0

    async def __aenter__(self) -> MailServer:
        loop = asyncio.get_running_loop()
        context = self.tls if self.at_once else None
        self._server = await loop.create_server(self._protocol, "127.0.0.1", self.port, ssl=context)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.close()

    @property
    def keys(self) -> list[str]:
        """The Message-IDs of what came, in order."""
        return [str(one["Message-ID"]) for one in self.messages]

    def _protocol(self) -> SMTP:
        return SMTP(
            self,
            hostname="mail.example.org",
            tls_context=None if self.at_once else self.tls,
            auth_required=bool(self.password),
            auth_require_tls=self.tls is not None and not self.at_once,
            authenticator=self._login if self.password else None,
        )

    def _login(
        self, server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: Any
    ) -> AuthResult:
        given = (data.login.decode(), data.password.decode())
        self.logins.append(given)
        return AuthResult(success=given[1] == self.password, handled=False)

    # What aiosmtpd calls

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        answer = self.to_recipients.popleft() if self.to_recipients else "250 OK"
        if answer.startswith("250"):
            envelope.rcpt_tos.append(address)
        return answer

    async def handle_DATA(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        answer = self.to_data.popleft() if self.to_data else "250 OK"
        if answer.startswith("250") or answer == LOST:
            assert isinstance(envelope.content, bytes)
            made = message_from_bytes(envelope.content, policy=default)
            assert isinstance(made, EmailMessage)
            self.messages.append(made)
            self.envelopes.append((envelope.mail_from or "", tuple(envelope.rcpt_tos)))
            self.watch()
        if answer == LOST:
            assert isinstance(server.transport, asyncio.Transport)
            server.transport.abort()
        return answer
