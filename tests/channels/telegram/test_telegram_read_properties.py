"""Whatever comes in is read or left alone: reading never fails."""

from __future__ import annotations

import copy
import json
from typing import Any

import msgspec
from hypothesis import example, given
from hypothesis import strategies as st

from channels.telegram.payload import Dest, data_for, dest_of
from channels.telegram.read import Amended, Gone, Heard, Me, Moved, Turned, Unread, received
from channels.telegram.typed import typed
from channels.telegram.updates import Entity, User
from core.replies import Command, Reply, Words
from tests.support.telegram.files import png
from tests.support.telegram.messages import Message
from tests.support.telegram.people import Medium
from tests.support.telegram.server import TelegramServer

ME = Me(id=4242, username="surestep_bot")
BOT = User(id=ME.id, username=ME.username)

TEXT = st.text(st.characters(), max_size=20)
"""Half a surrogate pair too: JSON can spell it."""
KINDS = ("message", "edited_message", "callback_query", "my_chat_member", "channel_post")
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)


def real_updates() -> list[dict[str, Any]]:
    """One update of each kind that people cause."""
    server = TelegramServer(reads_all=True)
    ada = server.person("Ada", username="ada_l", language="pt-br")
    group = server.group("Friends", ada, forum=True)
    topic = group.topic("Events")
    ada.starts("event")
    message = ada.says("see https://example.org 👋 /cancel @surestep_bot")
    ada.edits(message, "hello")
    ada.sends_album([Medium("photo", "a.png", png(), "#1"), Medium("document", "b.pdf", b"%")])
    ada.sends_voice()
    ada.sends_sticker()
    ada.shares_contact("4930123456")
    ada.shares_location(52.5, 13.4)
    ada.sends_poll("When?", "Friday", "Saturday")
    ada.says("@surestep_bot hey", chat=group, thread=topic)
    data = data_for("j-1", "a", Dest(chat=group.id, owner=ada.id, thread=topic.id))
    markup = {"inline_keyboard": [[{"text": "Now", "callback_data": data}]]}
    when = {"text": "When?"}
    card = Message(group, group.next_id(), server.bot, server.now, when, markup, from_bot=True)
    group.add(card)
    ada.taps("Now", chat=group)
    ada.says("Friday", chat=group, reply_to=card)
    server.group("Others", ada).upgrades()
    ada.blocks()
    return [update.json() for update in server.updates.log]


REAL = real_updates()


def read(update: Any) -> None:
    """Read an update, and see that what came of it can be kept."""
    found = received(update, ME)
    match found:
        case Heard():
            assert msgspec.json.decode(spelled(found.reply), type=Reply) is not None
            assert dest_of(found.dest.lane) == found.dest
            assert found.dedupe.startswith("telegram:4242:")
            assert found.reply.at.utcoffset() is not None
        case Amended() | Turned():
            assert dest_of(found.dest.lane) == found.dest
        case _:
            assert found is None or isinstance(found, Unread | Moved | Gone)


def spelled(reply: Reply) -> bytes:
    """A reply as JSON that has every character, half a surrogate pair too."""
    return json.dumps(msgspec.to_builtins(reply)).encode()


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where something stands in a JSON value."""
    if isinstance(value, dict):
        inner = [places(one, (*path, name)) for name, one in value.items()]
    elif isinstance(value, list):
        inner = [places(one, (*path, number)) for number, one in enumerate(value)]
    else:
        inner = []
    return [path, *(one for some in inner for one in some)]


@given(JSON)
@example({"message": {"message_id": 1, "chat": {"id": 1}, "date": 10**30}})
@example({"callback_query": {"id": "1", "from": {"id": 1}, "data": "s1|a|~page" + "9" * 5000}})
def test_any_json_is_read_or_left_alone(update: Any) -> None:
    read(update)


@given(st.sampled_from(KINDS), JSON)
def test_any_json_in_place_of_what_happened_is_read_or_left_alone(kind: str, told: Any) -> None:
    read({"update_id": 1, kind: told})


@given(st.data())
def test_a_real_update_with_anything_in_it_changed_is_read_or_left_alone(
    data: st.DataObject,
) -> None:
    update = copy.deepcopy(data.draw(st.sampled_from(REAL)))
    for _ in range(data.draw(st.integers(1, 3))):
        path = data.draw(st.sampled_from(places(update)))
        if not path:
            continue
        inside = update
        for name in path[:-1]:
            inside = inside[name]
        if data.draw(st.booleans()):
            inside[path[-1]] = data.draw(JSON)
        else:
            del inside[path[-1]]
    read(update)


@given(st.data(), st.dictionaries(st.text(max_size=9), JSON, min_size=1, max_size=3))
def test_what_a_newer_server_adds_changes_nothing_of_what_is_read(
    data: st.DataObject, added: dict[str, Any]
) -> None:
    update = data.draw(st.sampled_from(REAL))
    newer = copy.deepcopy(update)
    for name in ("message", "edited_message", "callback_query"):
        for inside in (newer.get(name), newer.get(name, {}).get("from")):
            if inside is not None:
                inside.update({f"new_{key}": one for key, one in added.items()})
    assert received(newer, ME) == received(update, ME)


ENTITIES = st.lists(
    st.builds(
        Entity,
        type=st.sampled_from(["mention", "text_mention", "text_link", "bold", "bot_command"]),
        offset=st.integers(-3, 40),
        length=st.integers(-3, 40),
        url=st.sampled_from(["", "https://example.org", "tg://user?id=1"]),
        user=st.sampled_from([None, BOT]),
    ),
    max_size=4,
)


@given(TEXT, ENTITIES)
def test_nothing_that_was_typed_is_lost_where_nobody_else_is(
    text: str, entities: list[Entity]
) -> None:
    said = typed(text, entities, BOT, public=False, commands=False)
    left = iter(said.text)
    assert all(character in left for character in text)


@given(
    TEXT, st.sampled_from(["", "👋 ", "\n"]), st.sampled_from(["@surestep_bot", "@SURESTEP_BOT"])
)
def test_the_bots_name_is_all_that_is_taken_out_of_words(text: str, before: str, name: str) -> None:
    whole = f"{before}{name} x{text}"
    mark = Entity(type="mention", offset=len(before.encode("utf-16-le")) // 2, length=len(name))
    said = typed(whole, [mark], BOT, public=True, commands=True)
    assert said.mentions
    assert said.text == f"{before}x{text}".lstrip() if not before.strip() else f"{before}x{text}"


def test_the_real_updates_are_heard() -> None:
    """Else changing them would prove little."""
    found = [received(update, ME) for update in REAL]
    assert [type(one).__name__ for one in found if not isinstance(one, Heard)] == [
        "NoneType", "Amended", "Moved", "Moved", "Gone",
    ]  # fmt: skip
    spoken = [one.reply for one in found if isinstance(one, Heard)]
    assert sum(isinstance(one, Words | Command) for one in spoken) == 4
