"""A photo or a file, of the types and the size that the item takes."""

from __future__ import annotations

import mimetypes
from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Any

from core import values
from core.cards import Card, Picker, PickerMode
from core.draft import Source
from core.manifest import Kind
from core.reading import read
from core.reading.result import Outcome
from core.replies import File, Submit, Tap, Upload, Words
from core.step import common
from core.step.base import Beside, Read, Refused, Scene, Settled
from core.step.checks import fault_of

# The types that Python itself knows: the machine's own tables would make a turn depend on it.
_TYPES = mimetypes.MimeTypes(filenames=())


class UploadStep:
    """One file. A caption settles nothing and hinders nothing."""

    def draw(self, scene: Scene) -> Card:
        own = scene.texts.of(scene.item.name, "hint") or scene.texts("hint.upload")
        hint = "\n".join(filter(None, (own, _types_hint(scene), _size_hint(scene))))
        frame = common.frame(self, scene, hint)
        return Picker(mode=PickerMode.UPLOAD, **frame, accepts=scene.item.accepts)

    def read(self, scene: Scene, reply: Tap | Submit | Words | Upload) -> Read:
        if isinstance(reply, Upload) or (isinstance(reply, Submit) and reply.files):
            return self._uploaded(scene, reply.files)
        if isinstance(reply, Tap):
            tapped = common.common_tap(self, scene, reply.token)
            return tapped or common.unchanged(scene)
        if isinstance(reply, Submit):
            return common.unchanged(scene)
        return common.skipped(scene, reply.text) or self._worded(scene, reply.text)

    def _worded(self, scene: Scene, text: str) -> Read:
        """Words are no file, but a plain yes or no answers whether there is one."""
        reading = read(Kind.YES_NO.value, common.plain(text), common.context_of(scene))
        if reading.outcome is not Outcome.SETTLED:
            return Beside()
        if reading.value:
            return Refused(scene.texts("hint.upload"))
        if scene.item.required:
            return Refused(scene.texts("reason.required"))
        return Settled(None, Source.TYPED)

    def _uploaded(self, scene: Scene, files: tuple[File, ...]) -> Read:
        faults = []
        for file in files:
            value = value_of(file)
            fault = self.fault(scene, value)
            if not fault:
                said = scene.texts("step.took_file", name=self.show(scene, value))
                return Settled(value, Source.UPLOAD, said=said if len(files) > 1 else "")
            faults.append(fault)
        return Refused(faults[0]) if faults else Beside()

    def fault(self, scene: Scene, value: Any) -> str:
        if value is None:
            return fault_of(scene, value)
        if not isinstance(value, Mapping) or not all(
            isinstance(value.get(key), str) for key in ("ref", "name", "mime")
        ):
            return scene.texts("reason.wrong_kind")
        size = value.get("size")
        if not value["ref"] or not isinstance(size, int) or isinstance(size, bool):
            return scene.texts("reason.wrong_kind")
        if scene.item.accepts and not _accepted(scene, value["name"], value["mime"]):
            return scene.texts("reason.file_type", types=_types(scene))
        if size > scene.item.max_bytes:
            return scene.texts("reason.file_size", size=_most(scene))
        return ""

    def show(self, scene: Scene, value: Any) -> str:
        if not isinstance(value, Mapping):
            return str(value)
        name = value.get("name") or _form(value.get("mime")) or scene.texts("step.file")
        size = value.get("size")
        return f"{name} ({values.size(size, scene.context.locale)})" if size else str(name)

    def sample(self, scene: Scene) -> Any:
        wanted = scene.item.accepts[0] if scene.item.accepts else "image/jpeg"
        kind = _TYPES.guess_type(f"x{wanted}")[0] if wanted.startswith(".") else wanted
        mime = (kind or "").replace("image/*", "image/jpeg").replace("*", "x")
        name = f"sample{wanted}" if wanted.startswith(".") else "sample"
        return {
            "ref": "sample",
            "name": name,
            "mime": mime,
            "size": min(1000, scene.item.max_bytes),
        }


def value_of(file: File) -> dict[str, Any]:
    """A file as it is stored: by reference."""
    return {"ref": file.ref, "name": file.name, "mime": file.mime, "size": file.size}


def _accepted(scene: Scene, name: str, mime: str) -> bool:
    """Whether a type pattern ("image/*") or an ending (".pdf") of the item fits the file."""
    kind = (mime or _TYPES.guess_type(name)[0] or "").casefold()
    return any(
        name.casefold().endswith(one.casefold())
        if one.startswith(".")
        else fnmatchcase(kind, one.casefold())
        for one in scene.item.accepts
    )


def _form(mime: Any) -> str:
    """What people call a file of this type that has no name, as a photo in a chat: "JPG"."""
    return (_TYPES.guess_extension(str(mime)) or "").lstrip(".").upper()


def _types(scene: Scene) -> str:
    """The accepted types as people call them: "JPEG, PDF", "image"."""
    names = []
    for one in scene.item.accepts:
        family, _, form = one.rpartition("/")
        word = family if form == "*" else form.lstrip(".").upper()
        given = scene.texts.find(f"files.{word}")
        names.append(scene.texts(f"files.{word}") if given is not None else word)
    return ", ".join(dict.fromkeys(names))


def _types_hint(scene: Scene) -> str:
    return scene.texts("hint.accepts", types=_types(scene)) if scene.item.accepts else ""


def _size_hint(scene: Scene) -> str:
    return scene.texts("hint.size", size=_most(scene))


def _most(scene: Scene) -> str:
    return values.size(scene.item.max_bytes, scene.context.locale)
