"""A file of JSON lines: one line a submission (see `core.delivery.record`)."""

from __future__ import annotations

import msgspec

from core.delivery.base import Confirmed, Means, Setting, Settings
from core.delivery.keyed import KeyedFile
from core.delivery.record import record
from core.delivery.settings import data_file, fault_of, judged
from core.effects import Submission

_BEGINNING = b'{"key":"'
"""How every line begins that is written here."""


class _Key(msgspec.Struct):
    key: str


class Jsonl:
    """The kind `jsonl`."""

    here = True
    about = "A file of JSON lines, one a submission: for programs."
    settings = (
        Setting(
            "path",
            "submissions.jsonl",
            "the file, in the data folder",
            needed=True,
            judge=data_file(".jsonl"),
        ),
    )

    def fault(self, settings: Settings) -> str:
        """See `core.delivery.base.Kind`."""
        return fault_of(settings, self.settings)

    def make(self, settings: Settings, means: Means) -> JsonlFile:
        """See `core.delivery.base.Kind`."""
        return JsonlFile(means.data / judged(self.settings, settings)["path"])


class JsonlFile(KeyedFile):
    """One such file."""

    def _entry(self, submission: Submission, key: str, confirmed: Confirmed) -> bytes:
        return record(submission, key, confirmed) + b"\n"

    def _split(self, data: bytes) -> tuple[list[bytes], bytes]:
        *lines, rest = data.split(b"\n")
        return [line + b"\n" for line in lines], rest

    def _is_whole(self, rest: bytes) -> bool:
        begun = rest.rstrip(b"\0")
        if not _BEGINNING.startswith(begun[: len(_BEGINNING)]):
            # Nobody tore that off: whatever it is, somebody else wrote it, and it stays.
            return True
        return begun == rest and super()._is_whole(rest)

    def _learn(self, entry: bytes) -> str:
        try:
            return msgspec.json.decode(entry, type=_Key).key
        except (msgspec.DecodeError, UnicodeDecodeError):
            return ""
