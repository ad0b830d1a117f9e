"""A submission as an e-mail: in plain text and in HTML, with its files.

Nothing that a person typed can become a header or a tag.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from importlib import resources
from itertools import groupby

from jinja2 import Environment

from core.delivery.base import Confirmed
from core.delivery.record import one_line
from core.effects import Submission
from core.manifest import Kind
from core.posts import Attachment, Line
from core.submitted import rows, title
from core.texts import language_of
from core.turn.zones import local
from core.values import shown

_SUBJECT = 150
"""Letters of a subject; more is shown nowhere."""

_POLICY = SMTP.clone(cte_type="7bit", max_line_length=78)
"""What every mail server takes."""

_MIME = re.compile(r"[a-z]+/[a-z0-9][a-z0-9.+-]*")

_HTML = Environment(autoescape=True, trim_blocks=True).from_string(
    resources.files("core.delivery").joinpath("mail.html.jinja").read_text("utf-8")
)


@dataclass(frozen=True)
class Enclosed:
    """A file of a submission, with its bytes; None where it could not be had."""

    file: Attachment
    data: bytes | None


@dataclass(frozen=True)
class Letter:
    """What an e-mail is written from."""

    submission: Submission
    key: str
    confirmed: Confirmed
    locale: str
    enclosed: Sequence[Enclosed] = ()

    def written(self, sender: Address, to: Sequence[Address]) -> bytes:
        """The message, as it is sent."""
        made = EmailMessage(policy=_POLICY)
        made["From"] = sender
        made["To"] = tuple(to)
        made["Subject"] = self._subject()
        made["Date"] = self.confirmed.at
        made["Message-ID"] = message_id(self.key, sender.domain)
        made["Auto-Submitted"] = "auto-generated"
        made.set_content(self._plain())
        made.add_alternative(self._html(), subtype="html")
        for one in self.enclosed:
            if one.data is not None:
                main, _, sub = _mime(one.file).partition("/")
                made.add_attachment(
                    one.data, maintype=main, subtype=sub, filename=_file_name(one.file)
                )
        return made.as_bytes()

    def _kind(self) -> str:
        return self.confirmed.type.speak(self.locale)("title")

    def _title(self) -> str:
        return title(self.confirmed.type, self.submission, self.locale)

    def _lines(self) -> tuple[Line, ...]:
        return rows(self.confirmed.type, self.submission, self.locale)

    def _subject(self) -> str:
        return one_line(": ".join(dict.fromkeys((self._kind(), self._title()))))[:_SUBJECT]

    def _footer(self) -> str:
        texts = self.confirmed.type.speak(self.locale)
        there = local(self.submission.zone, self.confirmed.at)
        moment = there.replace(tzinfo=None).isoformat("T", "minutes")
        when = f"{shown(Kind.DATETIME, moment, self.locale)} ({there.tzinfo})"
        parts = [texts("mail.sent", when=when)]
        missing = [_file_name(one.file) for one in self.enclosed if one.data is None]
        if missing:
            parts.append(texts("mail.not_enclosed", files=", ".join(missing)))
        return " ".join(parts)

    def _plain(self) -> str:
        parts = [self._title()]
        for long, lines in groupby(self._lines(), key=lambda line: line.long):
            if long:
                parts += [f"{line.label}:\n{line.value}" for line in lines]
            else:
                parts.append("\n".join(f"{line.label}: {line.value}" for line in lines))
        # What stands behind this line is a signature to every mail program.
        return "\n\n".join([*parts, f"-- \n{self._footer()}\n"])

    def _html(self) -> str:
        return _HTML.render(
            language=language_of(self.locale),
            kind=self._kind(),
            title=self._title(),
            lines=self._lines(),
            footer=self._footer(),
        )


def message_id(key: str, domain: str) -> str:
    """The id of the message of a key: always the same, so that a double can be told."""
    return f"<{hashlib.sha256(key.encode()).hexdigest()[:40]}@{domain}>"


def _mime(file: Attachment) -> str:
    given = file.mime.casefold()
    is_whole = given.startswith(("message/", "multipart/"))
    return given if _MIME.fullmatch(given) and not is_whole else "application/octet-stream"


def _file_name(file: Attachment) -> str:
    """A name to show, without any folder in it."""
    plain = one_line(re.sub(r"[\\/]", "_", file.name)).lstrip(".")
    return plain or f"file.{_mime(file).rpartition('/')[2]}"
