"""YAML with the line of everything in it, so that a fault can say where it stands."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode
from ruamel.yaml.reader import ReaderError

from core.faults import Place

_PREFIX = "tag:yaml.org,2002:"
_HELP = (
    ("mapping values are not allowed", "Put a text that has a colon in it between quotes."),
    (r"found character '\t'", "Indent with spaces, not with tabs."),
    ("cannot start any token", "Put the text between quotes."),
    ("could not find expected ':'", "Write a colon after the key."),
    ("expected <block end>", "Let all parts of one list or mapping begin in the same column."),
    ("expected ',' or", "Close the bracket or the brace, and put commas between its parts."),
    ("found '<stream end>'", "Close the bracket or the brace."),
    ("unexpected end of stream", "Close the quotes."),
    ("another document", "Take out the line `---`: a file is one document."),
    ("undefined alias", "Put a text that begins with * between quotes."),
)


@dataclass(frozen=True, slots=True, order=True)
class FileFault:
    """One thing that is wrong in a file of a journey. `line` counts from 1."""

    file: Path
    line: int
    message: str
    instead: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.message}. {self.instead}"


@dataclass(frozen=True, slots=True)
class Source:
    """A file as it was read: plain data, and the tree that knows where each part stands."""

    file: Path
    data: Any
    tree: Node | None

    def line(self, place: Place) -> int:
        """The line of what stands at a place; of the nearest thing around it where it is not there.

        Steps that the file does not have are passed over: a condition is written shorter than it
        is kept.
        """
        node, line = self.tree, 1
        if node is not None:
            line = node.start_mark.line + 1
        for step in place:
            found = _inside(node, step)
            if found is not None:
                node, line = found
        return line

    def fault(self, place: Place, message: str, instead: str) -> FileFault:
        """A fault of what stands at a place."""
        return FileFault(self.file, self.line(place), message, instead)


def _inside(node: Node | None, step: str | int) -> tuple[Node, int] | None:
    if isinstance(node, MappingNode):
        for key, value in node.value:
            if isinstance(key, ScalarNode) and key.value == str(step):
                return value, key.start_mark.line + 1
    if isinstance(node, SequenceNode) and isinstance(step, int) and step < len(node.value):
        return node.value[step], node.value[step].start_mark.line + 1
    return None


def read_text(file: Path) -> str | FileFault:
    """What stands in a file, or why it cannot be read."""
    try:
        return file.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        return FileFault(file, 1, "there is no such file", "Write it.")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        return FileFault(file, line, "this is not UTF-8", "Save the file as UTF-8.")
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        return FileFault(file, 1, f"it cannot be read: {reason}", "Let it be a readable file.")


def read_yaml(file: Path, *, verbatim: bool = False) -> tuple[Source, list[FileFault]]:
    """A YAML file, with all that is wrong in its syntax.

    With `verbatim` every value is the text that was typed ("12.50" and not 12.5), or None.
    """
    text = read_text(file)
    if isinstance(text, FileFault):
        return Source(file, None, None), [text]
    try:
        tree = YAML(typ="safe", pure=True).compose(text)
    except (YAMLError, RecursionError) as error:
        return Source(file, None, None), [_syntax(file, text, error)]
    found: list[FileFault] = []
    data = _Plain(file, found, verbatim).of(tree) if tree is not None else None
    return Source(file, data, tree), found


def _syntax(file: Path, text: str, error: Exception) -> FileFault:
    if isinstance(error, ReaderError):
        line = text.count("\n", 0, error.position) + 1
        return FileFault(file, line, "a character that no text may have", "Take it out.")
    if not isinstance(error, MarkedYAMLError):
        return FileFault(file, 1, "it is nested too deep", "Take some of the brackets out.")
    mark = error.problem_mark or error.context_mark
    problem = (error.problem or error.context or "").strip()
    advice = next((help for sign, help in _HELP if sign in problem), "Check the line above, too.")
    return FileFault(file, mark.line + 1 if mark else 1, f"this is no YAML: {problem}", advice)


class _Plain:
    """Makes plain data of a tree, and reports what plain data cannot hold."""

    def __init__(self, file: Path, found: list[FileFault], verbatim: bool) -> None:
        self.file = file
        self.found = found
        self.verbatim = verbatim
        self.seen: set[int] = set()

    def of(self, node: Node) -> Any:
        # What is anchored and referred to is one and the same node in the tree.
        if id(node) in self.seen:
            self._fault(node, "this refers to another part of the file", "Write it out here, too.")
            return None
        self.seen.add(id(node))
        if isinstance(node, MappingNode):
            return dict(self._pairs(node))
        if isinstance(node, SequenceNode):
            return [self.of(part) for part in node.value]
        kind, text = str(node.tag).removeprefix(_PREFIX), str(node.value)
        return text if self.verbatim and kind != "null" else _scalar(kind, text)

    def _pairs(self, node: MappingNode) -> Iterator[tuple[str, Any]]:
        keys: set[str] = set()
        for key, value in node.value:
            if not isinstance(key, ScalarNode):
                self._fault(key, "a key that is not a name", "Write a name before the colon.")
                continue
            if key.value in keys:
                advice = "Take one of the two out, or give it another name."
                self._fault(key, f"{key.value} is there twice", advice)
                continue
            keys.add(key.value)
            yield key.value, self.of(value)

    def _fault(self, node: Node, message: str, instead: str) -> None:
        self.found.append(FileFault(self.file, node.start_mark.line + 1, message, instead))


def _scalar(kind: str, text: str) -> Any:
    try:
        if kind == "int":
            return int(text.replace("_", ""), 0 if text.lstrip("+-")[:2] in ("0x", "0o") else 10)
        if kind == "float":
            number = float(text.replace("_", ""))
            return number if math.isfinite(number) else text
    except ValueError:
        return text
    if kind == "bool":
        return text.lower() == "true"
    return None if kind == "null" else text
