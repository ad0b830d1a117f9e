"""E-mail: the settings of it (see `core.delivery.mailbox`)."""

from __future__ import annotations

from email.headerregistry import Address
from email.policy import SMTP
from typing import TYPE_CHECKING

from email_validator import EmailNotValidError, validate_email

from core.delivery.base import Means, Setting, Settings
from core.delivery.settings import LANGUAGE, fault_of, judged, one_of

if TYPE_CHECKING:
    from core.delivery.mailbox import Mailbox

_PORTS = {"starttls": 587, "tls": 465, "none": 25}
"""The usual ports (RFC 8314, RFC 5321)."""


def _addresses(text: str) -> str:
    """What is wrong with a list of addresses."""
    try:
        addresses(text)
    except ValueError:
        return "Write an e-mail address, such as events@example.org; several with commas between."
    return ""


def _sender(text: str) -> str:
    try:
        alone = len(addresses(text)) == 1
    except ValueError:
        alone = False
    return "" if alone else "Write one e-mail address, such as Events <bot@example.org>."


def _host(text: str) -> str:
    plain = all(one.isalnum() or one in "-.:" for one in text)
    return "" if plain and text else "Write the name of a mail server, such as smtp.example.org."


def _port(text: str) -> str:
    fits = text.isdecimal() and 0 < int(text) < 65_536
    return "" if fits else "Write a port, such as 587."


def addresses(text: str) -> tuple[Address, ...]:
    """E-mail addresses, perhaps with names, with commas between. Raises ValueError."""
    if not text.isprintable():
        raise ValueError(text)
    header = SMTP.header_factory("to", text)
    if header.defects or not header.addresses:
        raise ValueError(text)
    return tuple(_address(one) for one in header.addresses)


def _address(given: Address) -> Address:
    try:
        checked = validate_email(given.addr_spec, check_deliverability=False, test_environment=True)
    except EmailNotValidError as error:
        raise ValueError(given.addr_spec) from error
    if checked.ascii_email is None:
        # Few servers take other letters before the @ (RFC 6531).
        raise ValueError(given.addr_spec)
    return Address(display_name=given.display_name, addr_spec=checked.ascii_email)


class Email:
    """The kind `email`."""

    here = False
    about = "E-mail through an SMTP server, in plain text and HTML, with the files."
    settings = (
        Setting(
            "to",
            "team@example.org",
            "who gets it; several with commas between",
            needed=True,
            judge=_addresses,
        ),
        Setting("from", "bot@example.org", "who sends it", needed=True, judge=_sender),
        Setting("host", "smtp.example.org", "the mail server", needed=True, judge=_host),
        Setting("port", "587", "its port, where it is not the usual one", judge=_port),
        Setting(
            "tls",
            "starttls",
            "how it is encrypted: `starttls`, `tls` (from the first byte) or `none`",
            judge=one_of(*_PORTS),
        ),
        Setting("username", "$SMTP_USERNAME", "the name to log in with, where one is needed"),
        Setting("password", "$SMTP_PASSWORD", "its password", secret=True),
        LANGUAGE,
    )

    def fault(self, settings: Settings) -> str:
        """See `core.delivery.base.Kind`."""
        wrong = fault_of(settings, self.settings)
        if wrong:
            return wrong
        if ("username" in settings) != ("password" in settings):
            return "Write both username: and password:, or neither."
        if "password" in settings and settings.get("tls") == "none":
            return "Write tls: starttls or tls: tls; a password is never sent in the open."
        return ""

    def make(self, settings: Settings, means: Means) -> Mailbox:
        """See `core.delivery.base.Kind`."""
        # What it takes is loaded where it is used.
        from core.delivery.mailbox import Mailbox, Server

        chosen = judged(self.settings, settings)
        tls = chosen.get("tls", "starttls")
        if tls == "none" and "password" in chosen:
            raise ValueError("tls: Write starttls or tls; a password is never sent in the open.")
        return Mailbox(
            server=Server(
                host=chosen["host"],
                port=int(chosen.get("port", _PORTS[tls])),
                tls=tls,
                username=chosen.get("username"),
                password=chosen.get("password"),
            ),
            sender=addresses(chosen["from"])[0],
            to=addresses(chosen["to"]),
            language=chosen.get("language", ""),
            channels=means.channels,
        )
