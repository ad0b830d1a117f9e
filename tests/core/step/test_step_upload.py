"""A photo or a file."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from core.cards import PickerMode
from core.draft import Source
from core.replies import File
from core.step.base import Beside, Moved, Refused, Settled
from tests.support.scenes import Asked, ask, labels, submit, tap, upload

PHOTO = File(ref="f1", name="poster.jpg", mime="image/jpeg", size=2_000_000)
HUGE = File(ref="f2", name="raw.jpg", mime="image/jpeg", size=20_000_000)
SONG = File(ref="f3", name="song.mp3", mime="audio/mpeg", size=1000)


def poster(**more: Any) -> Asked:
    return ask("upload", **{"accepts": ["image/*", ".pdf"], "max_bytes": 5_000_000, **more})


def kept(file: File) -> dict[str, Any]:
    return {"ref": file.ref, "name": file.name, "mime": file.mime, "size": file.size}


def test_the_card_says_what_fits() -> None:
    card = poster().card
    assert card.mode is PickerMode.UPLOAD
    assert card.accepts == ("image/*", ".pdf")
    assert card.hint == "Send one file.\nFits: pictures, PDF.\nUp to 5 MB."
    assert poster(locale="de").card.hint.endswith("Es passt: Bilder, PDF.\nBis zu 5 MB.")


def test_a_file_that_fits_settles_by_reference() -> None:
    assert poster().uploads(PHOTO).read == Settled(kept(PHOTO), Source.UPLOAD)


def test_a_file_of_the_cards_own_form_is_as_good() -> None:
    sent = msgspec.structs.replace(submit(), files=(PHOTO,))
    assert poster().replies(sent).read == Settled(kept(PHOTO), Source.UPLOAD)
    refused = msgspec.structs.replace(submit(), files=(SONG,))
    assert isinstance(poster().replies(refused).read, Refused)


def test_of_several_files_the_first_that_fits_is_taken_and_named() -> None:
    read = poster().uploads(SONG, HUGE, PHOTO).read
    said = "I took poster.jpg (2 MB); one file is enough here."
    assert read == Settled(kept(PHOTO), Source.UPLOAD, said=said)


@pytest.mark.parametrize(
    "file, reason",
    [
        (SONG, "That kind of file does not fit: pictures, PDF. Please send another."),
        (HUGE, "That file is too big: up to 5 MB. Please send a smaller one."),
    ],
)
def test_a_file_that_does_not_fit_says_why(file: File, reason: str) -> None:
    assert poster().uploads(file).read == Refused(reason)


@pytest.mark.parametrize(
    "name, mime, fits",
    [
        ("a.PDF", "", True),
        ("a.pdf", "application/octet-stream", True),
        ("a.png", "", True),
        ("a.exe", "IMAGE/PNG", True),
        ("a.exe", "", False),
        ("pdf", "", False),
    ],
)
def test_a_type_is_known_by_what_the_platform_says_or_else_by_the_name(
    name: str, mime: str, fits: bool
) -> None:
    read = poster().uploads(File(ref="f", name=name, mime=mime)).read
    assert isinstance(read, Settled if fits else Refused)


def test_words_are_for_the_talk_and_skip_skips() -> None:
    assert poster().says("here it comes").read == Beside()
    assert poster(required=False).says("skip").read == Settled(None, Source.TYPED)
    assert poster(required=False).taps("Skip").read == Settled(None, Source.TAP)
    assert poster().replies(upload()).read == Beside()


def test_no_tap_and_no_form_makes_up_a_file() -> None:
    assert poster().replies(tap("s0")).read == Moved(cursor={})
    assert poster().replies(submit(value="f1")).read == Moved(cursor={})


def test_a_file_that_was_sent_before_comes_back_as_a_suggestion() -> None:
    asked = poster(proposals=(kept(PHOTO), kept(SONG)))
    assert labels(asked.card.suggestions) == ["poster.jpg (2 MB)"]
    assert asked.taps("poster.jpg (2 MB)").read == Settled(kept(PHOTO), Source.TAP)


@pytest.mark.parametrize(
    "mime, called",
    [
        ("image/jpeg", "JPG (2 MB)"),
        ("application/pdf", "PDF (2 MB)"),
        ("application/x-nobody-knows", "A file (2 MB)"),
        ("", "A file (2 MB)"),
    ],
)
def test_a_file_without_a_name_is_called_by_what_it_is(mime: str, called: str) -> None:
    asked = poster()
    photo = kept(File(ref="f", mime=mime, size=2_000_000))
    assert asked.step.show(asked.scene, photo) == called


@pytest.mark.parametrize(
    "wrong",
    [
        "f1",
        {},
        {**kept(PHOTO), "ref": ""},
        {**kept(PHOTO), "size": "big"},
        {**kept(PHOTO), "name": 1},
    ],
)
def test_what_is_no_file_is_a_fault(wrong: Any) -> None:
    asked = poster()
    assert asked.step.fault(asked.scene, wrong) != ""


@pytest.mark.parametrize(
    "locale, said",
    [
        ("en", "no"),
        ("en", "no photo, thanks"),
        ("en", "not now"),
        ("de", "kein Foto"),
        ("es", "sin foto"),
    ],
)
def test_a_plain_no_leaves_an_optional_file_out(locale: str, said: str) -> None:
    nouns = {"nouns": "photo, foto"}
    assert poster(required=False, locale=locale, texts=nouns).says(said).read == Settled(
        None, Source.TYPED
    )
    needed = poster(locale=locale, texts=nouns).says(said).read
    assert isinstance(needed, Refused)


def test_a_plain_yes_is_asked_for_the_file_and_anything_more_is_for_the_talk() -> None:
    assert poster(required=False).says("yes").read == Refused("Send one file.")
    for said in ("no, or do I need one?", "no but maybe later", "the one from last year"):
        assert poster(required=False).says(said).read == Beside()
