"""An e-mail reads well, cannot be tampered with, and its outcome is known or told to be unknown."""

from __future__ import annotations

import re
from collections import deque
from dataclasses import replace
from pathlib import Path
from ssl import PROTOCOL_TLS_SERVER, SSLContext
from typing import Any

import pytest
import trustme

from core.delivery import Confirmed, Delivered, Failed, Means, Outcome, Rejected, Unknown
from core.delivery.letter import message_id
from core.delivery.mail import Email
from core.texts import flatten
from tests.core.delivery.parcels import TEXTS, Chats, confirmed, journey, parcel
from tests.support.mail import LOST, MailServer
from tests.support.ports import free_port

KEY = "j1:mail"


async def send(
    server: MailServer,
    chats: Chats | None = None,
    port: int = 0,
    as_of: Confirmed | None = None,
    **changes: Any,
) -> Outcome:
    """Deliver the submission by e-mail; what begins with `content_` changes the submission."""
    settings: dict[str, Any] = {
        "to": "team@example.org",
        "from": "Dinners <bot@example.org>",
        "host": "127.0.0.1",
        "port": port or server.port,
        "tls": "none",
    }
    content = {key[8:]: one for key, one in changes.items() if key.startswith("content_")}
    settings |= {key: one for key, one in changes.items() if not key.startswith("content_")}
    channels = {"chats": chats} if chats else {}
    made = Email().make(settings, Means(Path(), channels))
    return await made.deliver(parcel(**content), KEY, as_of or confirmed())


def plain(server: MailServer) -> str:
    body = server.messages[-1].get_body(("plain",))
    assert body is not None
    return str(body.get_content()).replace("\r\n", "\n")


def html(server: MailServer) -> str:
    body = server.messages[-1].get_body(("html",))
    assert body is not None
    return str(body.get_content())


async def test_it_reads_as_the_summary_did() -> None:
    async with MailServer() as server:
        assert await send(server, to="team@example.org, Anna <anna@example.org>") == Delivered()
        (message,) = server.messages
        assert message["Subject"] == "A dinner: Käse & Wein"
        assert message["From"] == "Dinners <bot@example.org>"
        assert message["To"] == "team@example.org, Anna <anna@example.org>"
        assert server.envelopes == [("bot@example.org", ("team@example.org", "anna@example.org"))]
        assert message["Message-ID"] == message_id(KEY, "example.org")
        assert message["Auto-Submitted"] == "auto-generated"
        assert plain(server) == (
            "Käse & Wein\n\n"
            "Format: In person\nHall: Old Mill\nSeats: 60\nPrice: €12.50\n"
            "Day: Friday, December 4, 2026\n\n"
            "Guests:\nAda, Grace\n\n"
            "Contact:\nE-mail: anna@example.org\nPhone: +49 30 901820\n\n"
            "Poster: Plakat.jpg (20 kB)\nAgreed: Confirmed\nTitle: Käse & Wein\n\n"
            "About:\nFirst line.\nSecond line.\n\n"
            "-- \nSent in on Tuesday, December 1, 2026, 10:00 AM (Europe/Berlin). Not attached,"
            " because it was too large or could not be fetched: Plakat.jpg.\n"
        )


async def test_it_is_written_in_the_language_that_is_set() -> None:
    async with MailServer() as server:
        await send(server, language="de")
        assert server.messages[0]["Subject"] == "Ein Abendessen: Käse & Wein"
        assert "Day: Freitag, 4. Dezember 2026\n" in plain(server)
        assert "Beschreibung:\nFirst line." in plain(server)
        assert '<html lang="de"' in html(server)


async def test_what_has_no_title_of_its_own_is_called_as_its_journey_is_once() -> None:
    texts = {key: text for key, text in flatten(TEXTS).items() if key != "post.title"}
    untitled = confirmed(replace(journey(), texts={"en": texts}))
    async with MailServer() as server:
        assert await send(server, as_of=untitled) == Delivered()
        assert server.messages[0]["Subject"] == "A dinner"
        assert plain(server).startswith("A dinner\n\nFormat: In person\n")
        assert html(server).count("A dinner") == 1
        await send(server)
        assert html(server).count("A dinner") == 1, "above its own title"


async def test_its_files_come_along() -> None:
    async with MailServer() as server:
        picture = bytes(range(256)) * 40
        assert await send(server, Chats(files={"F1": picture})) == Delivered()
        (file,) = server.messages[0].iter_attachments()
        assert (file.get_filename(), file.get_content_type()) == ("Plakat.jpg", "image/jpeg")
        assert file.get_content() == picture
        assert "Not attached" not in plain(server)


@pytest.mark.parametrize(
    "poster",
    [
        {"ref": "gone", "name": "Plakat.jpg", "mime": "image/jpeg", "size": 20},
        {"ref": "F1", "name": "Plakat.jpg", "mime": "image/jpeg", "size": 9_000_000},
    ],
)
async def test_a_file_that_cannot_be_had_is_named(poster: dict[str, Any]) -> None:
    async with MailServer() as server:
        outcome = await send(server, Chats(files={"F1": b"x"}), content_poster=poster)
        assert outcome == Delivered()
        assert list(server.messages[0].iter_attachments()) == []
        assert "could not be fetched: Plakat.jpg." in plain(server)


async def test_a_file_is_named_without_its_folder() -> None:
    odd = {"ref": "F1", "name": "../../etc/pass\r\nwd", "mime": "text/html\r\nX: y", "size": 1}
    async with MailServer() as server:
        await send(server, Chats(files={"F1": b"x"}), content_poster=odd)
        (file,) = server.messages[0].iter_attachments()
        assert file.get_filename() == "_.._etc_pass wd"
        assert file.get_content_type() == "application/octet-stream"
        assert file["X"] is None


@pytest.mark.parametrize(
    "typed",
    [
        "Dinner\r\nBcc: everybody@example.org",
        "Dinner\n\n<script>alert(1)</script>",
        "Dinner\x00\u2028\x0b\x85Bcc: everybody@example.org",
        "D" * 3000,
    ],
)
async def test_what_is_typed_becomes_no_header_and_no_tag(typed: str) -> None:
    async with MailServer() as server:
        assert await send(server, content_title=typed, content_about=typed) == Delivered()
        (message,) = server.messages
        assert message["Bcc"] is None
        assert server.envelopes == [("bot@example.org", ("team@example.org",))]
        assert str(message["Subject"]).startswith("A dinner: D")
        assert len(str(message["Subject"])) <= 150
        assert "<script>" not in html(server)
        assert len(re.findall(r"<h1[ >]", html(server))) == 1


@pytest.mark.parametrize(
    "answer, outcome",
    [
        ("451 greylisted", Failed("451 greylisted")),
        ("550 no such person", Rejected("550 no such person")),
        ("552 too large", Rejected("552 too large")),
    ],
)
async def test_a_recipient_that_is_refused_hinders_all(answer: str, outcome: Outcome) -> None:
    """Nobody gets it twice because another one did not get it."""
    async with MailServer() as server:
        server.to_recipients = deque(["250 OK", answer])
        assert await send(server, to="anna@example.org, bob@example.org") == outcome
        assert server.messages == []


@pytest.mark.parametrize(
    "answer, outcome",
    [
        ("451 later", Failed("451 later")),
        ("554 spam", Rejected("554 spam")),
        (LOST, Unknown("the connection broke after the message was sent")),
    ],
)
async def test_what_is_answered_to_the_message_says_what_becomes_of_it(
    answer: str, outcome: Outcome
) -> None:
    async with MailServer() as server:
        server.to_data.append(answer)
        assert await send(server) == outcome
        assert len(server.messages) == (answer == LOST)


async def test_a_server_that_is_not_there_is_asked_again() -> None:
    async with MailServer() as server:
        outcome = await send(server, port=free_port())
        assert isinstance(outcome, Failed)
        assert outcome.reason.startswith("it cannot be reached: ")


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def tls(authority: trustme.CA, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SSLContext:
    """A server's certificate, whose authority this machine trusts."""
    context = SSLContext(PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
    return context


LOGIN: dict[str, Any] = {"username": "bot", "password": "a password of the tests"}


@pytest.mark.parametrize("how", ["starttls", "tls"])
async def test_it_logs_in_over_an_encrypted_connection(tls: SSLContext, how: str) -> None:
    password = LOGIN["password"]
    async with MailServer(tls=tls, at_once=how == "tls", password=password) as server:
        assert await send(server, tls=how, **LOGIN) == Delivered()
        assert server.logins == [("bot", password)]
        assert len(server.messages) == 1


async def test_a_wrong_password_waits_for_the_right_one(tls: SSLContext) -> None:
    async with MailServer(tls=tls, password="another one") as server:
        outcome = await send(server, tls="starttls", **LOGIN)
        assert isinstance(outcome, Failed)
        assert outcome.reason.startswith("it does not take the username and the password: 535 ")
        assert LOGIN["password"] not in outcome.reason
        assert server.messages == []


async def test_encryption_is_never_left_out() -> None:
    async with MailServer() as server:
        outcome = await send(server, tls="starttls", **LOGIN)
        assert isinstance(outcome, Failed)
        assert (server.messages, server.logins) == ([], [])


async def test_a_certificate_that_nobody_vouches_for_is_not_trusted() -> None:
    context = SSLContext(PROTOCOL_TLS_SERVER)
    trustme.CA().issue_cert("127.0.0.1").configure_cert(context)
    async with MailServer(tls=context, at_once=True) as server:
        outcome = await send(server, tls="tls", **LOGIN)
        assert isinstance(outcome, Failed)
        assert "certificate" in outcome.reason
        assert (server.messages, server.logins) == ([], [])


LITERAL = (
    "Write the name of a variable, such as password: $SMTP_PASSWORD, and the value into the"
    " environment or into .env: a secret never stands in a manifest."
)
TO = "Write an e-mail address, such as events@example.org; several with commas between."
HOST = "Write the name of a mail server, such as smtp.example.org."
FROM = "Write one e-mail address, such as Events <bot@example.org>."


@pytest.mark.parametrize(
    "changes, fault",
    [
        ({}, ""),
        ({"to": "Team <team@example.org>, $OTHER@example.org"}, ""),
        ({"to": "$TEAM", "from": "$BOT", "port": "$PORT_OF_MAIL"}, ""),
        ({"username": "$USER", "password": "$PASSWORD"}, ""),
        ({"password": "secret", "username": "bot"}, LITERAL),
        ({"username": "bot"}, "Write both username: and password:, or neither."),
        (
            {"username": "bot", "password": "$PASSWORD", "tls": "none"},
            "Write tls: starttls or tls: tls; a password is never sent in the open.",
        ),
        ({"to": "team"}, TO),
        ({"to": "team@example.org\r\nBcc: all@example.org"}, TO),
        ({"to": "Kö@example.org"}, TO),
        ({"from": "a@example.org, b@example.org"}, FROM),
        (
            {"host": "http://example.org/"},
            "Write the name of a mail server, such as smtp.example.org.",
        ),
        ({"port": 99999}, "Write a port, such as 587."),
        ({"tls": "yes"}, "Write one of: starttls, tls, none."),
        ({"language": "klingon"}, "Write a language, such as en, de or es."),
    ],
)
def test_settings_are_judged(changes: dict[str, str | int | bool], fault: str) -> None:
    settings: dict[str, str | int | bool] = {
        "to": "team@example.org",
        "from": "bot@example.org",
        "host": "smtp.example.org",
        **changes,
    }
    assert Email().fault(settings) == fault


def test_a_password_is_in_no_text_of_the_destination() -> None:
    settings = {"to": "t@example.org", "from": "b@example.org", "host": "h", **LOGIN}
    made = Email().make(settings, Means(Path()))
    assert (made.server.port, made.server.tls) == (587, "starttls")
    assert LOGIN["password"] not in repr(made)
