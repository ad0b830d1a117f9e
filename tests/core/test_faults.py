"""Given a manifest whose parts do not fit, then this fault, and this advice.

The cases are in `faults_of_manifests.yaml` and `faults_of_texts.yaml` beside this file.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from core.delivery.kinds import KINDS
from core.faults import RUNTIME_TOOLS, TALK_KINDS, Fault, Known, circles, faults
from core.manifest import Kind, Manifest, condition_from
from core.model import tools as model_tools
from core.texts import parse

HERE = Path(__file__).parent
MANIFESTS = YAML(typ="safe").load((HERE / "faults_of_manifests.yaml").read_text("utf-8"))
TEXTS = YAML(typ="safe").load((HERE / "faults_of_texts.yaml").read_text("utf-8"))


def names(cases: list[dict[str, Any]]) -> list[str]:
    return [case["case"] for case in cases]


def manifest_of(text: str) -> Manifest:
    """A manifest as a file has it; what every manifest needs is filled in where it is missing."""
    data: dict[str, Any] = {"name": "trip", "version": 1, **YAML(typ="safe").load(text)}
    file = {"name": "file", "kind": "jsonl", "settings": {"path": "x.jsonl"}}
    data.setdefault("destinations", [file])
    data["items"] = [
        {**item, "when": condition_from(item["when"])} if "when" in item else item
        for item in data["items"]
    ]
    return Manifest.model_validate(data)


def told(found: list[Fault]) -> list[str]:
    """Faults, each in a line: where, what, what instead."""
    return [f"{'.'.join(map(str, one.path))}: {one.message}. {one.instead}" for one in found]


KNOWN = Known(
    steps=frozenset({"publish"}),
    functions=frozenset({"opening_hours"}),
    destinations=KINDS,
    columns={"halls": frozenset({"capacity", "city"})},
)


def judged(text: str, known: Known = KNOWN) -> list[str]:
    return told(faults(manifest_of(text), known=known))


SOUND = """
items:
  - {name: format, value: choice, options: [here, online, both]}
  - {name: title, value: short_text, gather: talk}
  - {name: hall, value: record, records: halls, when: {format: [here, both]}}
  - {name: link, value: url, when: {format: [online, both]}}
  - {name: day, value: date, minimum: today}
  - {name: seats, value: number, minimum: 1, maximum: hall.capacity, depends_on: [hall]}
  - {name: fee, value: money, currency: CHF, when: {seats: {at_least: 10}}}
  - {name: guests, value: entries, count: [1, 9], required: false}
  - {name: rules, value: attestation}
tools: [{name: find_halls, description: Halls, records: halls, item: hall}]
directories: {halls: halls.csv}
"""


def test_a_sound_manifest_has_no_fault() -> None:
    assert judged(SOUND) == []


@pytest.mark.parametrize("case", MANIFESTS, ids=names(MANIFESTS))
def test_a_fault_is_named_with_what_to_write_instead(case: dict[str, Any]) -> None:
    assert judged(case["manifest"]) == case["faults"]


def test_all_faults_are_told_at_once() -> None:
    found = judged(
        "items: [{name: kind, value: choice}, {name: day, value: date, needs: [dya, kin]}]"
    )
    assert len(found) == 3


# What the surroundings of a manifest tell


def test_what_nobody_knows_is_not_judged() -> None:
    text = """
    items: [{name: at, value: custom, step: anything}]
    tools: [{name: hours, description: x}]
    destinations: [{name: file, kind: pigeon}]
    """
    assert judged(text, Known()) == []


def test_a_tool_with_a_function_and_a_step_of_its_own_are_right() -> None:
    text = """
    items: [{name: at, value: custom, step: publish}]
    tools: [{name: opening_hours, description: x}]
    """
    assert judged(text) == []


def test_a_usual_step_may_be_named() -> None:
    assert judged("items: [{name: at, value: date, step: picker}]") == []


# Texts

SPOKEN = """
items:
  - {name: kind, value: choice, options: [red, green]}
  - {name: who, value: form, fields: [{name: mail, value: email}]}
  - {name: rules, value: attestation}
"""
WORDED = """
title: A trip
greeting: Hello {name}!
items:
  kind: {label: Kind, ask: Which?, options: {red: Red, green: Green}}
  who: {label: Who, ask: Who?, fields: {mail: {label: Mail}}, show: "{mail}"}
  rules: {label: Rules, ask: Agreed?, statement: I do as I am told.}
"""


def spoken(text: str, **tables: str) -> list[str]:
    """What is wrong with the texts of a manifest, file by file."""
    parsed = {language: parse(table) for language, table in tables.items()}
    found = faults(manifest_of(text), parsed)
    return [f"{one.file} {line}" for one, line in zip(found, told(found), strict=True)]


def test_texts_that_are_all_there_have_no_fault() -> None:
    assert spoken(SPOKEN, en=WORDED) == []


def test_every_text_that_is_missing_is_named() -> None:
    assert spoken(SPOKEN, en="title: A trip") == [
        f"texts/en.yaml {key}: {what} not worded in en. Write the text {key}."
        for key, what in [
            ("items.kind.label", "item kind: its label is"),
            ("items.kind.ask", "item kind: its question is"),
            ("items.kind.options.red", "item kind: the option red is"),
            ("items.kind.options.green", "item kind: the option green is"),
            ("items.who.label", "item who: its label is"),
            ("items.who.ask", "item who: its question is"),
            ("items.who.fields.mail.label", "item who: the field mail is"),
            ("items.rules.label", "item rules: its label is"),
            ("items.rules.ask", "item rules: its question is"),
            ("items.rules.statement", "item rules: what the person attests is"),
        ]
    ]


def test_every_language_that_is_listed_has_its_texts() -> None:
    missing = "the texts in de are missing. Write texts/de.yaml, or take de out of languages."
    assert spoken("languages: [en, de]\n" + SPOKEN, en=WORDED) == [f"texts/de.yaml : {missing}"]


def test_texts_in_a_language_that_is_not_listed_are_a_fault() -> None:
    unlisted = "the journey does not list the language fr."
    advice = "Add fr to languages, or take the file away."
    found = spoken(SPOKEN, en=WORDED, fr=WORDED)
    assert found == [f"texts/fr.yaml : {unlisted} {advice}"]


@pytest.mark.parametrize("case", TEXTS, ids=names(TEXTS))
def test_a_text_that_does_not_fit_is_a_fault(case: dict[str, Any]) -> None:
    table = {**parse(WORDED), **parse(case["texts"])}
    assert told(faults(manifest_of(SPOKEN), {"en": table})) == case["faults"]


def test_a_journey_may_word_a_text_of_the_runtime_anew() -> None:
    assert spoken(SPOKEN, en=WORDED + "turn: {lost: 'Once more, please: {items}.'}\n") == []


def test_a_step_of_the_journeys_own_may_have_any_texts() -> None:
    text = "items: [{name: at, value: custom, step: publish}]"
    worded = "title: x\nitems: {at: {label: At, ask: When?, now: Now, late: 'Not after {start}.'}}"
    assert spoken(text, en=worded) == []


# What must agree with others


def test_the_names_of_the_runtimes_tools_are_those_that_it_offers() -> None:
    assert {model_tools.RECORD, model_tools.SUGGEST, model_tools.OPEN} == RUNTIME_TOOLS


def test_the_talk_brings_nothing_that_only_a_tap_can_tell() -> None:
    assert not TALK_KINDS & {
        Kind.ATTESTATION,
        Kind.CHOICE,
        Kind.CHOICES,
        Kind.PERSON,
        Kind.RECORD,
        Kind.UPLOAD,
        Kind.YES_NO,
    }


# Circles

GRAPHS = st.dictionaries(
    st.sampled_from("abcdef"), st.lists(st.sampled_from("abcdef"), max_size=4), max_size=6
)


@given(GRAPHS)
def test_every_circle_is_one_and_without_them_there_is_none(graph: dict[str, list[str]]) -> None:
    found = circles(graph)
    for circle in found:
        for name, following in zip(circle, (*circle[1:], circle[0]), strict=True):
            assert following in graph[name]
    gone = {name for circle in found for name in circle}
    left = {
        name: [other for other in others if other not in gone]
        for name, others in graph.items()
        if name not in gone
    }
    assert circles(left) == []
    assert bool(found) == _goes_in_a_circle(graph)


def _goes_in_a_circle(graph: Mapping[str, list[str]]) -> bool:
    """Whether from some name a way of two or more steps leads back to it, tried step by step."""
    for start in graph:
        reached = {other for other in graph[start] if other != start}
        for _ in range(len(graph)):
            reached |= {other for one in reached for other in graph.get(one, []) if other != one}
        if start in reached:
            return True
    return False
