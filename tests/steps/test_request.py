"""The request journey: data alone, in its own folder."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

from core import planner
from core.catalogue import Catalogue, shipped
from core.draft import Draft, Source

REQUEST = Catalogue.load().journey("request")
MANIFEST = REQUEST.manifest
ROOT = Path(__file__).parents[2]

ANSWERS: dict[str, Any] = {
    "kind": "access",
    "system": "crm",
    "product": "A headset",
    "cost": {"amount": "80.00", "currency": "EUR"},
    "reason": "I answer the support line from May on.",
    "needed_by": "2027-01-11",
    "approver": {"id": "U7", "handle": "kim", "name": "Kim"},
    "urgency": "soon",
    "attestation": True,
}


def answered(**changes: Any) -> Draft:
    answers, draft = {**ANSWERS, **changes}, Draft()
    while True:
        item = planner.next_item(MANIFEST, draft)
        if item is None:
            return draft
        value = answers[item.name]
        written = planner.write(MANIFEST, draft, item.name, value, source=Source.TAP, turn=1)
        draft = written.draft


@pytest.mark.parametrize(
    "kind, asked, not_asked",
    [
        ("access", {"system"}, {"product", "cost"}),
        ("purchase", {"product", "cost"}, {"system"}),
    ],
)
def test_its_kind_decides_what_else_is_asked(
    kind: str, asked: set[str], not_asked: set[str]
) -> None:
    draft = answered(kind=kind)
    assert asked <= set(draft.values)
    assert not not_asked & set(draft.values)
    assert planner.owed(MANIFEST, draft) == ()
    assert {"reason", "needed_by", "approver", "urgency", "attestation"} <= set(draft.values)


def test_another_kind_hides_what_was_asked_for_the_first() -> None:
    written = planner.write(MANIFEST, answered(), "kind", "purchase", source=Source.TAP, turn=2)
    assert written.hidden == ("system",)
    assert planner.owed(MANIFEST, written.draft) == ("product", "cost")


def test_its_folder_has_data_and_no_code() -> None:
    folder = shipped() / "request"
    files = {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and not {"__pycache__", "evals"} & set(path.parts)
    }
    assert files == {
        "__init__.py",
        "manifest.yaml",
        "texts/en.yaml",
        "texts/de.yaml",
        "texts/es.yaml",
    }
    (only,) = ast.parse((folder / "__init__.py").read_text("utf-8")).body
    assert isinstance(only, ast.Expr)
    assert {path.suffix for path in (folder / "evals").rglob("*.*")} == {".yaml", ".txt"}


def test_no_code_elsewhere_knows_its_items() -> None:
    """A journey is one folder: nothing outside of it names what only this journey has."""
    own = {"needed_by", "approver", "urgency", "steps.request", "steps/request"}
    code = [path for name in ("bot", "channels", "core") for path in (ROOT / name).rglob("*.py")]
    assert len(code) > 50
    for path in code:
        text = path.read_text("utf-8")
        assert not [name for name in own if name in text], path
