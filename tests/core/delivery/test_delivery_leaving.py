"""What a destination is not to know is in nothing that it gets; all else is."""

from __future__ import annotations

import csv
import json
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from core.channel import Channel
from core.delivery import Deliverer, Means
from core.delivery.leaving import left_out, without
from core.draft import canonical
from core.effects import Effects, Put
from core.journey import JourneyType
from core.manifest import Manifest
from core.store import Stage, Store
from core.texts import flatten
from tests.core.delivery.parcels import CONTENT, ITEMS, TEXTS, Chats, parcel
from tests.core.store.building import put, state, take
from tests.support.chat import Types
from tests.support.mail import MailServer
from tests.support.receivers import HttpReceiver

PRIVATE = ("+4930901820", "anna@example.org", "Plakat")
OUT = ["contact", "poster"]


@pytest.fixture
async def store(sqlite_url: str) -> AsyncIterator[Store]:
    store = await Store.open(sqlite_url)
    await store.migrate()
    yield store
    await store.close()


def dinner(*destinations: dict[str, Any], version: int = 1) -> JourneyType:
    """The journey of the parcels, whose title in a chat names the contact, too."""
    titles = {**TEXTS, "post": {"title": "{title} {contact}"}}
    made = Manifest.model_validate(
        {"name": "dinner", "version": version, "items": ITEMS, "destinations": destinations}
    )
    return JourneyType(manifest=made, texts={"en": flatten(titles)})


async def delivered(
    store: Store,
    type: JourneyType,
    data: Path,
    channels: Mapping[str, Channel] | None = None,
    newest: JourneyType | None = None,
) -> None:
    """Confirm the submission of a version, and deliver it as the newest one says."""
    await put(store, "confirm")
    claim = await take(store)
    sent = msgspec.structs.replace(
        parcel(),
        digest=type.manifest.digest,
        content=canonical(CONTENT).decode(),
        sources=dict.fromkeys(CONTENT, "typed"),
    )
    await store.settle(
        claim,
        done=claim.entries,
        state=state(1, journey="j1"),
        effects=Effects(submission=sent),
        destinations=[one.name for one in type.manifest.destinations],
    )
    means = Means(data, channels or {}, {"HOOK_SECRET": "a secret of the tests"}, private=True)
    types = Types((type, newest) if newest is not None else (type,))
    await Deliverer(store, means, "test", types).drain()
    assert {one.stage for one in await store.deliveries("j1")} == {Stage.DELIVERED}


def says_nothing_private(text: str) -> bool:
    return not any(one in text for one in PRIVATE)


async def test_a_file_for_programs(store: Store, tmp_path: Path) -> None:
    file = {"name": "all", "kind": "jsonl", "settings": {"path": "all.jsonl"}}
    some = {"name": "some", "kind": "jsonl", "settings": {"path": "some.jsonl"}, "leave_out": OUT}
    await delivered(store, dinner(file, some), tmp_path)

    whole = json.loads((tmp_path / "all.jsonl").read_text("utf-8"))
    text = (tmp_path / "some.jsonl").read_text("utf-8")
    part = json.loads(text)
    assert whole["content"] == CONTENT
    assert part["content"] == {key: one for key, one in CONTENT.items() if key not in OUT}
    assert part["sources"] == {key: "typed" for key in CONTENT if key not in OUT}
    assert says_nothing_private(text)
    assert (whole["revision"], part["revision"]) == ("0123456789abcdef", "")


async def test_a_file_for_spreadsheets(store: Store, tmp_path: Path) -> None:
    file = {"name": "some", "kind": "csv", "settings": {"path": "some.csv"}, "leave_out": OUT}
    await delivered(store, dinner(file), tmp_path)
    text = (tmp_path / "some.csv").read_text("utf-8-sig")
    (row,) = csv.DictReader(text.splitlines(keepends=True))
    assert row["title"] == "Käse & Wein"
    assert [one for one in row if one.startswith(("contact", "poster"))] == []
    assert says_nothing_private(text)


async def test_an_http_receiver(store: Store, tmp_path: Path) -> None:
    async with HttpReceiver() as receiver:
        settings = {"url": receiver.url, "secret": "$HOOK_SECRET"}
        hook = {"name": "hook", "kind": "webhook", "settings": settings, "leave_out": OUT}
        await delivered(store, dinner(hook), tmp_path)
        (one,) = receiver.posted
    assert one.content["title"] == "Käse & Wein"
    assert says_nothing_private(one.body.decode())
    assert one.is_signed(b"a secret of the tests")


async def test_an_e_mail(store: Store, tmp_path: Path) -> None:
    chats = Chats(name="test", files={"F1": b"a poster"})
    async with MailServer() as server:
        settings = {
            "to": "team@example.org",
            "from": "bot@example.org",
            "host": "127.0.0.1",
            "port": server.port,
            "tls": "none",
        }
        mail = {"name": "mail", "kind": "email", "settings": settings, "leave_out": OUT}
        await delivered(store, dinner(mail), tmp_path, {"test": chats})
        (message,) = server.messages
    assert message["Subject"] == "A dinner: Käse & Wein"
    parts = [part for part in message.walk() if not part.is_multipart()]
    assert [part.get_content_type() for part in parts] == ["text/plain", "text/html"]
    for part in parts:
        assert "Old Mill" in part.get_content()
        assert says_nothing_private(part.get_content())


async def test_a_post_that_all_can_read(store: Store, tmp_path: Path) -> None:
    chats = Chats()
    post = {"name": "team", "kind": "chat", "settings": {"chat": "chats:42"}, "leave_out": OUT}
    await delivered(store, dinner(post), tmp_path, {"chats": chats})
    ((_, effect, _),) = chats.shown
    assert isinstance(effect, Put)
    assert effect.post.title == "Käse & Wein"
    assert effect.post.files == ()
    assert "Old Mill" in str(effect.post.lines)
    assert says_nothing_private(str(effect.post))


async def test_what_waits_is_delivered_as_the_newest_version_says(
    store: Store, tmp_path: Path
) -> None:
    settings = {"path": "some.jsonl"}
    before = dinner({"name": "some", "kind": "jsonl", "settings": settings})
    now = dinner({"name": "some", "kind": "jsonl", "settings": settings, "leave_out": OUT})
    await delivered(store, before, tmp_path, newest=now)
    assert says_nothing_private((tmp_path / "some.jsonl").read_text("utf-8"))


def version(leave_out: list[str], *names: str, destination: str = "some") -> Manifest:
    items = [{"name": one, "value": "short_text"} for one in names]
    some = {"name": destination, "kind": "jsonl", "leave_out": leave_out}
    return Manifest.model_validate(
        {"name": "dinner", "version": 1, "items": items, "destinations": [some]}
    )


@pytest.mark.parametrize(
    "own, newest, out",
    [
        (version(["phone"], "phone", "title"), None, {"phone"}),
        (version(["phone"], "phone", "title"), version([], "phone", "title"), set()),
        (version([], "phone", "title"), version(["phone"], "phone", "title"), {"phone"}),
        # It was renamed: nothing of the newest version tells of it.
        (version(["phone"], "phone", "title"), version(["number"], "number"), {"phone", "number"}),
        # The destination itself is gone: its own version decides about all of it.
        (version(["phone"], "phone"), version([], "phone", destination="other"), {"phone"}),
    ],
)
def test_the_newest_version_decides_about_what_it_has(
    own: Manifest, newest: Manifest | None, out: set[str]
) -> None:
    assert left_out("some", newest, own) == out


def test_where_nothing_is_left_out_not_a_byte_changes() -> None:
    made = parcel()
    assert without(made, ()) is made
    assert without(made, ["nothing_of_this_name"]) is made


def test_a_version_that_leaves_nothing_out_has_the_digest_that_it_always_had() -> None:
    """It was worked out before there was anything to leave out."""
    item = {"name": "title", "value": "short_text"}
    file = {"name": "file", "kind": "jsonl", "settings": {"path": "x.jsonl"}}
    plain = {"name": "event", "version": 1, "items": [item], "destinations": [file]}
    assert Manifest.model_validate(plain).digest == "6aace6203def"
    leaves = {**plain, "destinations": [{**file, "leave_out": ["title"]}]}
    assert Manifest.model_validate(leaves).digest != "6aace6203def"
    else_ = {**plain, "items": [{"name": "title", "value": "person", "somebody_else": True}]}
    assert Manifest.model_validate(else_).digest != Manifest.model_validate(plain).digest
