"""The kinds of destination there are. Another one is a file beside this, and a line here."""

from __future__ import annotations

from core.delivery.base import Kind
from core.delivery.chat import Chat
from core.delivery.jsonl import Jsonl
from core.delivery.mail import Email
from core.delivery.table import Csv
from core.delivery.webhook import Webhook

KINDS: dict[str, Kind] = {
    "jsonl": Jsonl(),
    "csv": Csv(),
    "webhook": Webhook(),
    "email": Email(),
    "chat": Chat(),
}
