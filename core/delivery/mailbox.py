"""E-mail through an SMTP server: the same message to everybody it goes to, or to nobody.

What the server says before the message itself is certain; when it was handed over and no answer
came, nobody can know. A mail program may tell a double by its Message-ID, but need not, so a
message whose outcome is unknown is not sent again by itself.
"""

from __future__ import annotations

import asyncio
import contextlib
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.headerregistry import Address

from aiosmtplib import (
    SMTP,
    SMTPAuthenticationError,
    SMTPException,
    SMTPResponseException,
    SMTPServerDisconnected,
)

from core.channel import Channel
from core.delivery.base import Confirmed, Delivered, Failed, Outcome, Rejected, Unknown
from core.delivery.fetching import fetched
from core.delivery.letter import Letter
from core.delivery.record import one_line
from core.delivery.settings import locale_for
from core.effects import Submission

_TALKING, _HANDING_OVER = 10.0, 12.0
"""Seconds for what comes before the message, and for the message itself. With what its files may
take, they are less than the worker waits for an answer."""


@dataclass(frozen=True)
class Server:
    """A mail server, and how to log in. `tls` is starttls, tls or none."""

    host: str
    port: int
    tls: str
    username: str | None = None
    password: str | None = field(default=None, repr=False)

    def client(self) -> SMTP:
        """A client of it, not connected yet. Encryption is never left out where it is set."""
        return SMTP(
            hostname=self.host,
            port=self.port,
            use_tls=self.tls == "tls",
            start_tls=self.tls == "starttls",
            username=self.username,
            password=self.password,
            timeout=_HANDING_OVER,
        )


@dataclass(frozen=True)
class Mailbox:
    """Those who get the e-mail."""

    server: Server
    sender: Address
    to: tuple[Address, ...]
    language: str
    channels: Mapping[str, Channel]

    knows_keys = False

    async def deliver(self, submission: Submission, key: str, confirmed: Confirmed) -> Outcome:
        """See `core.delivery.base.Destination`."""
        files = await fetched(self.channels, submission, confirmed)
        locale = locale_for(self.language, confirmed.type.manifest)
        letter = Letter(submission, key, confirmed, locale, files)
        message = letter.written(self.sender, self.to)
        client = self.server.client()
        try:
            early = await self._begin(client, message)
            return early or await self._hand_over(client, message)
        finally:
            await _leave(client)

    async def _begin(self, client: SMTP, message: bytes) -> Outcome | None:
        """All that comes before the message; what hinders it, else None. Nothing was sent yet."""
        try:
            async with asyncio.timeout(_TALKING):
                await client.connect()
                await client.mail(self.sender.addr_spec, options=_size(client, message))
                for one in self.to:
                    await client.rcpt(one.addr_spec)
        except SMTPAuthenticationError as error:
            # Whoever runs the bot puts that right; until then it waits.
            return Failed(f"it does not take the username and the password: {_said(error)}")
        except SMTPResponseException as error:
            return _refused(error) or Failed(_said(error))
        except ssl.SSLError:
            return Failed("it cannot be trusted: its certificate, or its encryption, is not right")
        except TimeoutError:
            return Failed(f"it did not answer within {_TALKING:g} s")
        except (SMTPException, OSError, ValueError) as error:
            return Failed(f"it cannot be reached: {_brief(str(error)) or type(error).__name__}")
        return None

    async def _hand_over(self, client: SMTP, message: bytes) -> Outcome:
        try:
            async with asyncio.timeout(_HANDING_OVER):
                await client.data(message)
        except SMTPResponseException as error:
            return _refused(error) or Unknown(f"it answered oddly: {_said(error)}")
        except SMTPServerDisconnected:
            return Unknown("the connection broke after the message was sent")
        except (TimeoutError, SMTPException, OSError):
            return Unknown("it gave no answer after the message was sent")
        return Delivered()


def _size(client: SMTP, message: bytes) -> list[str]:
    """What tells a server how large a message is, so that it may refuse it before it is sent."""
    return [f"size={len(message)}"] if client.supports_extension("size") else []


def _refused(error: SMTPResponseException) -> Outcome | None:
    """What a refusal means (RFC 5321, 4.2.1); None for what is none."""
    if 400 <= error.code < 500:
        return Failed(_said(error))
    return Rejected(_said(error)) if 500 <= error.code < 600 else None


def _said(error: SMTPResponseException) -> str:
    return _brief(f"{error.code} {error.message}")


def _brief(text: str) -> str:
    return one_line(text)[:200]


async def _leave(client: SMTP) -> None:
    """Say good-bye, where there is somebody to say it to."""
    with contextlib.suppress(SMTPException, OSError, TimeoutError):
        if client.is_connected:
            await client.quit(timeout=1.0)
    client.close()
