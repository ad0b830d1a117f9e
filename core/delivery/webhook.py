"""An HTTP receiver: the settings of it (see `core.delivery.receiver`)."""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from core.delivery.base import Means, Setting, Settings
from core.delivery.settings import fault_of, judged, yes_or_no

if TYPE_CHECKING:
    from core.delivery.receiver import Receiver

_PREFIX = "whsec_"
"""What stands before a secret that is written in base64, as Standard Webhooks writes them."""


def _address(text: str) -> str:
    """What is wrong with an address, and what to write instead."""
    try:
        parts = urlsplit(text)
        known = parts.scheme in ("https", "http") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        known = False
    if not known:
        return "Write an address that starts with https://, such as https://example.org/events."
    if "@" in urlsplit(text).netloc:
        return "Take the name and the password out of the address; the signature proves who sends."
    return ""


def _key(text: str) -> str:
    """What is wrong with a secret."""
    try:
        long_enough = len(key_of(text)) >= 16
    except ValueError:
        return "After whsec_, write base64."
    return "" if long_enough else "Write a secret of at least 16 letters."


def key_of(secret: str) -> bytes:
    """The bytes that a secret stands for. Raises ValueError."""
    if not secret.startswith(_PREFIX):
        return secret.encode()
    try:
        return base64.b64decode(secret.removeprefix(_PREFIX), validate=True)
    except binascii.Error as error:
        raise ValueError from error


class Webhook:
    """The kind `webhook`."""

    here = False
    about = "An HTTP receiver: a signed POST of JSON (Standard Webhooks)."
    settings = (
        Setting("url", "https://example.org/events", "where to", needed=True, judge=_address),
        Setting(
            "secret",
            "$EVENTS_WEBHOOK_SECRET",
            "what the signature is made with; `whsec_` and base64, or any text",
            needed=True,
            secret=True,
            judge=_key,
        ),
        Setting(
            "knows_keys",
            "true",
            "false where the receiver would take the same `webhook-id` twice",
            judge=yes_or_no,
        ),
    )

    def fault(self, settings: Settings) -> str:
        """See `core.delivery.base.Kind`."""
        return fault_of(settings, self.settings)

    def make(self, settings: Settings, means: Means) -> Receiver:
        """See `core.delivery.base.Kind`."""
        # What it takes is loaded where it is used.
        from core.delivery.receiver import Receiver

        chosen = judged(self.settings, settings)
        return Receiver(
            url=chosen["url"],
            secret=key_of(chosen["secret"]),
            knows_keys=chosen.get("knows_keys", "true") == "true",
            private=means.private,
        )
