"""A webhook is signed, goes nowhere that is private, and tells what is certain from what is not."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from ssl import PROTOCOL_TLS_SERVER, SSLContext, create_default_context
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import pytest
import trustme

from core.delivery import Delivered, Failed, Means, Outcome, Rejected, Unknown
from core.delivery.addresses import is_public
from core.delivery.receiver import Receiver, signature
from core.delivery.webhook import Webhook, key_of
from tests.core.delivery.parcels import CONTENT, confirmed, parcel
from tests.support.ports import free_port
from tests.support.receivers import Answer, HttpReceiver

SECRET = b"a secret of the tests"
KEY = "j1:hook"
NOON = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)
LATER = format_datetime(NOON + timedelta(seconds=90), usegmt=True)


async def post(url: str, **changes: Any) -> Outcome:
    """Deliver the submission, at noon."""
    to = Receiver(
        **{"url": url, "secret": SECRET, "private": True, "clock": lambda: NOON, **changes}
    )
    return await to.deliver(parcel(), KEY, confirmed())


async def test_it_is_the_record_of_the_submission_and_signed() -> None:
    async with HttpReceiver() as receiver:
        assert await post(receiver.url) == Delivered()
        (one,) = receiver.posted
        assert one.key == KEY
        assert one.headers["webhook-timestamp"] == str(int(NOON.timestamp()))
        assert one.is_signed(SECRET)
        assert not one.is_signed(b"another secret of the tests")
        assert one.headers["Content-Type"] == "application/json"
        assert one.content == CONTENT
        told = json.loads(one.body)
        assert (told["key"], told["journey"], told["channel"]) == (KEY, "j1", "chats")
        assert told["submitted_at"] == "2026-12-01T09:00:00Z"


def test_the_signature_is_that_of_the_published_example() -> None:
    """The example of the Standard Webhooks libraries' own tests."""
    secret = key_of("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    signed = signature(
        secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", b'{"test": 2432232314}'
    )
    assert signed == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


@pytest.mark.parametrize(
    "answer, outcome",
    [
        (Answer(200), Delivered()),
        (Answer(204), Delivered()),
        (Answer(408), Failed("408 Request Timeout")),
        (Answer(425), Failed("425 Too Early")),
        (Answer(429), Failed("429 Too Many Requests")),
        (Answer(429, {"Retry-After": "30"}), Failed("429 Too Many Requests", 30.0)),
        (Answer(503, {"Retry-After": "0"}), Failed("503 Service Unavailable", 1.0)),
        (Answer(503, {"Retry-After": "999999"}), Failed("503 Service Unavailable", 3600.0)),
        (
            Answer(503, {"Retry-After": LATER}),
            Failed("503 Service Unavailable", 90.0),
        ),
        (Answer(503, {"Retry-After": "soon"}), Failed("503 Service Unavailable")),
        (Answer(500, body="oh"), Failed("500 Internal Server Error")),
        (Answer(404), Rejected("404 Not Found")),
        (Answer(410, body="<b>gone</b>\r\n for good"), Rejected("410 Gone: <b>gone</b> for good")),
        (Answer(422, body="x" * 5000), Rejected(f"422 Unprocessable Entity: {'x' * 160}")),
    ],
)
async def test_what_is_answered_says_what_becomes_of_it(answer: Answer, outcome: Outcome) -> None:
    async with HttpReceiver() as receiver:
        receiver.answers.append(answer)
        assert await post(receiver.url) == outcome
        assert receiver.keys == [KEY]


async def test_a_redirect_is_not_followed() -> None:
    async with HttpReceiver() as elsewhere, HttpReceiver() as receiver:
        receiver.answers.append(Answer(307, {"Location": elsewhere.url}))
        outcome = await post(receiver.url)
        assert isinstance(outcome, Rejected)
        server = elsewhere.url.rpartition("/")[0]
        assert outcome.reason.startswith(
            f"307 Temporary Redirect: it points elsewhere ({server}), and no redirect is followed"
        )
        assert elsewhere.posted == []


TOKEN = "T0k3nOfTheHook"
NOT_FOLLOWED = ", and no redirect is followed; write the address that it means"


@pytest.mark.parametrize(
    "answer, told",
    [
        # As Express, Django and nginx answer, and many a receiver of its own.
        (Answer(404, body="Cannot POST /hooks/T0k3nOfTheHook"), "404 Not Found: Cannot POST …"),
        (
            Answer(403, body="http://{host}/hooks/T0k3nOfTheHook?key=k3yOfTheHook is closed"),
            "403 Forbidden: … is closed",
        ),
        (Answer(400, body="no hook T0k3nOfTheHook"), "400 Bad Request: no hook …"),
        (Answer(400, body="wrong key: k3yOfTheHook"), "400 Bad Request: wrong key: …"),
        (
            Answer(401, body="not signed with a secret of the tests"),
            "401 Unauthorized: not signed with …",
        ),
        (
            Answer(308, {"Location": "/hooks/T0k3nOfTheHook/"}),
            "308 Permanent Redirect: it points elsewhere (http://{host})" + NOT_FOLLOWED,
        ),
        (
            Answer(301, {"Location": "https://me:T0k3nOfTheHook@example.org/T0k3nOfTheHook"}),
            "301 Moved Permanently: it points elsewhere (https://example.org)" + NOT_FOLLOWED,
        ),
    ],
)
async def test_no_secret_comes_back_in_what_is_answered(answer: Answer, told: str) -> None:
    """An address from a variable may be as secret as a password: admins see what was answered."""
    async with HttpReceiver() as receiver:
        host = urlsplit(receiver.url).netloc
        receiver.answers.append(replace(answer, body=answer.body.replace("{host}", host)))
        outcome = await post(f"http://{host}/hooks/{TOKEN}?key=k3yOfTheHook")
    assert outcome == Rejected(told.replace("{host}", host))


def test_no_secret_is_in_what_is_shown_of_a_receiver() -> None:
    shown = repr(Receiver(url=f"https://example.org/{TOKEN}", secret=SECRET))
    assert TOKEN not in shown
    assert SECRET.decode() not in shown


async def test_where_nobody_listens_nothing_was_sent() -> None:
    outcome = await post(f"http://127.0.0.1:{free_port()}/events")
    assert isinstance(outcome, Failed)
    assert outcome.reason.startswith("it cannot be reached: ")


async def test_a_name_that_leads_nowhere_is_a_failure_that_may_pass() -> None:
    outcome = await post("http://nowhere.invalid/events")
    assert isinstance(outcome, Failed)


async def test_an_answer_that_was_lost_is_unknown() -> None:
    async with HttpReceiver() as receiver:
        receiver.answers.append(Answer(lost=True))
        assert await post(receiver.url) == Unknown("the connection broke (ServerDisconnectedError)")
        assert receiver.keys == [KEY]


async def test_an_answer_that_does_not_come_is_unknown() -> None:
    async with HttpReceiver() as receiver:
        receiver.answers.append(Answer(late=True))
        hasty = aiohttp.ClientTimeout(total=0.3)
        assert await post(receiver.url, times=hasty) == Unknown("it gave no answer in time")
        assert receiver.keys == [KEY]


async def test_a_certificate_that_nobody_vouches_for_is_not_trusted() -> None:
    context = SSLContext(PROTOCOL_TLS_SERVER)
    trustme.CA().issue_cert("127.0.0.1").configure_cert(context)
    async with HttpReceiver(tls=context) as receiver:
        outcome = await post(receiver.url)
        assert outcome == Failed(
            "it cannot be trusted: its certificate, or its encryption, is not right"
        )
        assert receiver.posted == []


async def test_what_somebody_vouches_for_is_trusted(
    tmp_path: Path,
) -> None:
    authority, context = trustme.CA(), SSLContext(PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    trusting = create_default_context(cafile=tmp_path / "ca.pem")
    async with HttpReceiver(tls=context) as receiver:
        assert await post(receiver.url, tls=trusting) == Delivered()


REFUSED = "a private address, and nothing was sent; if that is meant, set SURESTEP_ALLOW_PRIVATE_"
NO_ADDRESS = "url: this is no address"
"""What is a number, and yet leads somewhere in many programs, is not even tried."""


@pytest.mark.parametrize(
    "host, why",
    [
        ("127.0.0.1", REFUSED),
        ("localhost", REFUSED),
        ("0x7f000001", REFUSED),
        ("[::1]", REFUSED),
        ("[::ffff:127.0.0.1]", REFUSED),
        ("[::ffff:7f00:1]", REFUSED),
        ("[::]", REFUSED),
        ("0.0.0.0", REFUSED),
        ("127.1", NO_ADDRESS),
        ("2130706433", NO_ADDRESS),
        ("0", NO_ADDRESS),
    ],
)
async def test_this_machine_is_not_reached_by_any_name(host: str, why: str) -> None:
    """The very address that is connected to is judged, whatever led to it."""
    async with HttpReceiver(host="127.0.0.1") as receiver:
        outcome = await post(f"http://{host}:{receiver.port}/events", private=False)
        assert isinstance(outcome, Failed)
        assert receiver.posted == []
        assert why in outcome.reason


PRIVATE = """
127.0.0.1 127.255.255.254 10.0.0.1 172.16.0.1 172.31.255.255 192.168.0.1 169.254.169.254 100.64.0.1
0.0.0.0 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 192.0.0.8 192.0.2.1 198.18.0.1
198.51.100.1 203.0.113.1 192.88.99.1 :: ::1 ::127.0.0.1 ::ffff:10.0.0.1 ::ffff:169.254.169.254
fe80::1 fe80::1%eth0 fc00::1 fd00:ec2::254 fec0::1 ff02::1 2001:db8::1 2001::1 2002:7f00:1::
64:ff9b::10.0.0.1 64:ff9b:1::1 100::1 3fff::1 nonsense
"""
PUBLIC = "8.8.8.8 172.32.0.1 ::ffff:8.8.8.8 2606:4700:4700::1111 64:ff9b::8.8.8.8"


def test_what_is_private() -> None:
    assert [one for one in PRIVATE.split() if is_public(one)] == []
    assert [one for one in PUBLIC.split() if not is_public(one)] == []


LITERAL = (
    "Write the name of a variable, such as secret: $EVENTS_WEBHOOK_SECRET, and the value into the"
    " environment or into .env: a secret never stands in a manifest."
)
ADDRESS = "Write an address that starts with https://, such as https://example.org/events."


@pytest.mark.parametrize(
    "changes, fault",
    [
        ({}, ""),
        ({"url": "$EVENTS_URL"}, ""),
        ({"knows_keys": False}, ""),
        ({"secret": "a secret of the tests"}, LITERAL),
        ({"secret": 12345}, LITERAL),
        ({"url": "ftp://example.org"}, ADDRESS),
        ({"url": "https://"}, ADDRESS),
        ({"url": "https://example.org:99999/"}, ADDRESS),
        (
            {"url": "https://anna:secret@example.org/"},
            "Take the name and the password out of the address; the signature proves who sends.",
        ),
        ({"knows_keys": "perhaps"}, "Write one of: true, false."),
        ({"header": "x"}, "Take header out; its settings are: url, secret, knows_keys."),
    ],
)
def test_settings_are_judged(changes: dict[str, str | int | bool], fault: str) -> None:
    settings = {"url": "https://example.org/events", "secret": "$SECRET", **changes}
    assert Webhook().fault(settings) == fault


def test_settings_make_a_receiver(tmp_path: Path) -> None:
    secret = "whsec_" + base64.b64encode(SECRET).decode()
    settings: dict[str, str | int | bool] = {
        "url": "https://example.org/events",
        "secret": secret,
        "knows_keys": False,
    }
    made = Webhook().make(settings, Means(tmp_path))
    assert (made.secret, made.knows_keys, made.private) == (SECRET, False, False)
    assert secret not in repr(made)
    assert Webhook().make({**settings, "knows_keys": True}, Means(tmp_path, private=True)).private
    with pytest.raises(ValueError, match="at least 16"):
        Webhook().make({**settings, "secret": "short"}, Means(tmp_path))
    with pytest.raises(ValueError, match="After whsec_, write base64"):
        Webhook().make({**settings, "secret": "whsec_?"}, Means(tmp_path))
