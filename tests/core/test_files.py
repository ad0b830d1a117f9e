"""What is in a file is found where it lies, within a limit; whoever sends it waits for it, though
not for ever."""

from __future__ import annotations

from typing import Any

import pytest

from core.channel import Later, Lost, Never
from core.files import Files, Patient, no_files
from core.posts import MADE, Attachment

LANE = "test:1"
COVER = Attachment(origin="there", ref="cover", name="cover.png", mime="image/png")
LIST = Attachment(origin=MADE, ref="list of all", name="list.csv", mime="text/csv")


class There:
    """A channel with some files in it."""

    def __init__(self, **files: bytes) -> None:
        self.files = files

    async def download(self, ref: str, limit: int) -> bytes:
        return self.files[ref]


async def made(recipe: str) -> bytes:
    return f"made {recipe}".encode()


def files(**more: Any) -> Files:
    return Files(channels={"there": There(cover=b"picture")}, makers={"list": made}, **more)


async def test_a_file_comes_from_the_channel_that_it_was_sent_to() -> None:
    assert await files().content(COVER) == b"picture"


async def test_a_file_is_made_by_what_stands_behind_the_first_word_of_its_recipe() -> None:
    assert await files().content(LIST) == b"made of all"


@pytest.mark.parametrize(
    "file, why",
    [
        (Attachment(origin="elsewhere", ref="x"), "no channel 'elsewhere' is open here"),
        (Attachment(origin=MADE, ref="cake"), "the recipe 'cake'"),
        (Attachment(origin="there", ref="cover", size=11), "11 bytes, more than the 10"),
        (Attachment(origin=MADE, ref="list of everybody"), "17 bytes, more than the 10"),
    ],
    ids=["no channel", "no maker", "said to be too large", "too large"],
)
async def test_what_nobody_will_ever_get_says_why(file: Attachment, why: str) -> None:
    with pytest.raises(Never, match=why):
        await files(limit=10).content(file)


async def test_without_any_place_for_files_there_is_none() -> None:
    with pytest.raises(Never, match="no channel 'there'"):
        await no_files(COVER)


class Flaky:
    """Does not tell the content the first times."""

    def __init__(self, silent: int, content: bytes = b"x") -> None:
        self.silent = silent
        self.content = content

    async def ask(self, file: Attachment) -> bytes:
        self.silent -= 1
        if self.silent >= 0:
            raise Lost("no answer")
        return self.content


async def test_what_does_not_come_is_waited_for_a_few_times_and_then_done_without() -> None:
    patient = Patient(Flaky(silent=100).ask, tries=3, wait=7.0)
    for _ in range(2):
        with pytest.raises(Later) as later:
            await patient.ask(LANE, COVER)
        assert (later.value.seconds, later.value.begun) == (7.0, False)
    with pytest.raises(Never, match="no answer"):
        await patient.ask(LANE, COVER)


async def test_each_file_of_each_lane_is_waited_for_on_its_own() -> None:
    patient = Patient(Flaky(silent=4).ask, tries=2)
    for lane, file in ((LANE, COVER), (LANE, LIST), ("test:2", COVER)):
        with pytest.raises(Later):
            await patient.ask(lane, file)
    with pytest.raises(Never):
        await patient.ask(LANE, COVER)
    assert await patient.ask("test:2", COVER) == b"x"


async def test_an_empty_file_is_none() -> None:
    with pytest.raises(Never, match="empty"):
        await Patient(Flaky(silent=0, content=b"").ask).ask(LANE, COVER)
