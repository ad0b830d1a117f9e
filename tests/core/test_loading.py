"""A journey's folder, read: what is in it, and every fault with its file and its line."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from core.cards import Record
from core.delivery.kinds import KINDS
from core.loading import ManifestFaulty, load_journey
from core.manifest import Condition, Item, Kind, Manifest, condition_from
from tests.support.folders import ENGLISH, MANIFEST, write


@pytest.fixture
def trip(tmp_path: Path) -> Path:
    return tmp_path / "trip"


def faults_of(folder: Path, **files: str | bytes | None) -> list[str]:
    """What is wrong with a folder: `file:line message. advice`, files named from the folder."""
    write(folder, **files)
    try:
        load_journey(folder, KINDS)
    except ManifestFaulty as error:
        return [str(one).removeprefix(f"{folder}/") for one in error.faults]
    return []


# What a folder holds


def test_a_folder_holds_a_manifest_and_its_texts(trip: Path) -> None:
    loaded = load_journey(write(trip))
    assert [item.name for item in loaded.manifest.items] == ["place", "day"]
    assert loaded.type.speak("en").option("place", "sea") == "The sea"


def test_a_condition_is_written_short(trip: Path) -> None:
    text = MANIFEST.replace("minimum: today", "when: {place: [sea, hills]}")
    day = load_journey(write(trip, manifest=text)).manifest.item("day")
    assert day.when == Condition.model_validate(condition_from({"place": ["sea", "hills"]}))
    assert day.when.tests["place"].one_of == ("sea", "hills")


def test_no_is_a_word_and_a_text_is_kept_as_it_is_typed(trip: Path) -> None:
    text = ENGLISH.replace("When?", "no").replace("label: Day", "label: Day\n    example: 12.50")
    texts = load_journey(write(trip, en=text)).type.texts["en"]
    assert (texts["items.day.ask"], texts["items.day.example"]) == ("no", "12.50")


def test_a_file_with_a_byte_order_mark_is_read(trip: Path) -> None:
    assert faults_of(trip, manifest=b"\xef\xbb\xbf" + MANIFEST.encode()) == []


PYTHON = """
    from core.step.base import Fetched
    from core.step.picker_dates import DateStep

    async def opening_hours(arguments, settled):
        return Fetched()

    STEPS = {"when": DateStep()}
    TOOLS = {"opening_hours": opening_hours}
"""


def test_a_folder_may_have_steps_and_tools_of_its_own(trip: Path) -> None:
    text = MANIFEST + "tools: [{name: opening_hours, description: Hours}]\n"
    text = text.replace("value: date\n    minimum: today", "value: custom\n    step: when")
    loaded = load_journey(write(trip, manifest=text, journey=PYTHON))
    assert set(loaded.functions) == {"opening_hours"}
    assert loaded.type.step(loaded.manifest.item("day")) is loaded.type.steps["when"]


HALLS = MANIFEST.replace(
    "destinations:",
    """\
  - name: hall
    value: record
    records: halls
directories: {halls: halls.csv}
tools:
  - {name: find_halls, description: Halls, records: halls, item: hall}
destinations:""",
)
HALLS_ENGLISH = ENGLISH + "  hall: {label: Hall, ask: Which hall?}\n"
HALLS_JSONL = {"manifest": HALLS.replace(".csv", ".jsonl"), "en": HALLS_ENGLISH}


def test_a_directory_is_a_table_whose_whole_numbers_are_numbers(trip: Path) -> None:
    rows = """\
        id,label,detail,capacity,code
        1,"Mill, Old","Mill Lane 1
        second court",80,0815
        2,Barn,,,12
    """
    loaded = load_journey(write(trip, manifest=HALLS, en=HALLS_ENGLISH, halls=rows))
    halls = loaded.directories["halls"].records
    assert halls[0] == Record(
        id="1",
        label="Mill, Old",
        detail="Mill Lane 1\nsecond court",
        fields={"capacity": 80, "code": "0815"},
    )
    assert halls[1].fields == {"capacity": None, "code": "12"}


def test_a_directory_may_be_json_lines(trip: Path) -> None:
    rows = '{"id": 7, "label": "Barn", "heated": true, "fee": 2.5}\n\n{"id": "8", "label": "Mill"}'
    loaded = load_journey(write(trip, **HALLS_JSONL, **{"halls.jsonl": rows}))
    barn, mill = loaded.directories["halls"].records
    assert (barn.id, barn.fields) == ("7", {"heated": True, "fee": 2.5})
    assert (mill.id, mill.fields) == ("8", {})


def test_a_directorys_digest_follows_its_content(trip: Path) -> None:
    def digest(rows: str) -> str:
        loaded = load_journey(write(trip, manifest=HALLS, en=HALLS_ENGLISH, halls=rows))
        return loaded.directories["halls"].digest

    first = digest("id,label\n1,Mill\n")
    assert digest("id,label\n1,Mill\n") == first
    assert digest("id,label\n1,Barn\n") != first


# What is wrong in a file

FILES = YAML(typ="safe").load((Path(__file__).parent / "faults_of_files.yaml").read_text("utf-8"))


@pytest.mark.parametrize("case", FILES, ids=[case["case"] for case in FILES])
def test_what_is_wrong_in_a_file_is_told_with_its_line(trip: Path, case: dict[str, Any]) -> None:
    halls = {"manifest": HALLS, "en": HALLS_ENGLISH} if case.get("with_halls") else {}
    assert faults_of(trip, **{**halls, **case["files"]}) == case["faults"]


def test_what_is_nested_too_deep_is_told(trip: Path) -> None:
    assert faults_of(trip, manifest="[" * 5000) == [
        "manifest.yaml:1: it is nested too deep. Take some of the brackets out."
    ]


def test_a_file_that_is_not_utf_8_is_told_with_its_line(trip: Path) -> None:
    wrong = MANIFEST.encode() + "human: Jörg\n".encode("latin-1")
    assert faults_of(trip, manifest=wrong) == [
        "manifest.yaml:12: this is not UTF-8. Save the file as UTF-8."
    ]


def test_a_key_that_is_there_twice_is_told_at_the_second(trip: Path) -> None:
    advice = "Take one of the two out, or give it another name."
    found = faults_of(trip, manifest=MANIFEST + "version: 2\n")
    assert found == [f"manifest.yaml:12: version is there twice. {advice}"]


def test_one_part_of_a_file_cannot_stand_for_another(trip: Path) -> None:
    text = MANIFEST.replace("[sea, hills]", "&places [sea, hills]") + "languages: *places\n"
    assert "manifest.yaml:6: this refers to another part of the file. Write it out here, too." in (
        faults_of(trip, manifest=text)
    )


# What the manifest's models refuse

FORMS = YAML(typ="safe").load((Path(__file__).parent / "faults_of_forms.yaml").read_text("utf-8"))


def marked(text: str) -> list[int]:
    """The lines of a text that are marked, each as often as it is."""
    lines = enumerate(text.splitlines(), 1)
    return [number for number, line in lines for _ in range(line.count("# here"))]


@pytest.mark.parametrize("case", FORMS, ids=[case["case"] for case in FORMS])
def test_a_form_that_is_wrong_is_told_in_plain_words(trip: Path, case: dict[str, Any]) -> None:
    faults = faults_of(trip, manifest=case["manifest"])
    found = [one for one in faults if one.startswith("manifest.yaml")]
    lines = marked(case["manifest"])
    assert found == [
        f"manifest.yaml:{line}: {fault}" for line, fault in zip(lines, case["faults"], strict=True)
    ]


def test_a_part_that_cannot_be_read_hides_no_other_fault(trip: Path) -> None:
    text = """\
        name: trip
        version: 1
        items:
          - a line of text
          - name: place
            value: chioce
          - name: day
            value: date
            when: {plaec: sea}
            needs: [weather]
            colour: red
    """
    found = [one for one in faults_of(trip, manifest=text) if one.startswith("manifest")]
    assert [one.split(": ")[0] for one in found] == [
        f"manifest.yaml:{line}" for line in (1, 4, 6, 9, 10, 11)
    ]


def test_what_could_not_be_read_is_not_guessed_about(trip: Path) -> None:
    text = MANIFEST.replace("value: choice", "value: chioce").replace(
        "minimum: today", "when: {place: sea}"
    )
    assert faults_of(trip, manifest=text) == [
        "manifest.yaml:5: item place: value is chioce. Did you mean choice?"
    ]


def test_a_journey_is_named_like_its_folder(trip: Path) -> None:
    found = faults_of(trip, manifest=MANIFEST.replace("name: trip", "name: outing"))
    advice = "Write name: trip, or name the folder outing."
    assert found == [f"manifest.yaml:1: the journey outing is in a folder named trip. {advice}"]


@pytest.mark.parametrize("line", ["{", "[1]", '{"id": "2"', "1"])
def test_json_lines_that_are_none_are_told_with_their_line(trip: Path, line: str) -> None:
    rows = '{"id": "1", "label": "Barn"}\n' + line
    found = faults_of(trip, **HALLS_JSONL, **{"halls.jsonl": rows})
    advice = 'Write an object, such as {"id": "1", "label": "Town Hall"}.'
    assert found == [f"halls.jsonl:2: this is no JSON object. {advice}"]


def test_a_record_has_plain_values_under_plain_names(trip: Path) -> None:
    rows = '{"id": "1", "label": "Barn", "at": {"x": 1}}\n{"id": "2", "label": "Mill", "No": 1}'
    found = faults_of(trip, **HALLS_JSONL, **{"halls.jsonl": rows})
    advice = "Write plain values under lower-case names."
    assert found == [
        f"halls.jsonl:1: at is no field of a record. {advice}",
        f"halls.jsonl:2: No is no field of a record. {advice}",
    ]


# Anything at all

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False),
    st.text(max_size=8),
    st.sampled_from(
        [
            "place",
            "day",
            "place.x",
            "today",
            "sea",
            "choice",
            "number",
            *(one.value for one in Kind),
        ]
    ),
)
JUNK = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["name", "value", "when", "any", "day", "x"]), inner)
    ),
    max_leaves=6,
)
KEYS = st.sampled_from([*Item.model_fields, "x"])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    item=st.dictionaries(KEYS, JUNK, max_size=6),
    key=st.sampled_from([*Manifest.model_fields, "x"]),
    rest=JUNK,
)
def test_whatever_stands_in_a_manifest_it_loads_or_its_faults_are_told(
    tmp_path: Path, item: dict[str, Any], key: str, rest: Any
) -> None:
    data = YAML(typ="safe").load(MANIFEST)
    data["items"].append(item)
    out = StringIO()
    YAML(typ="safe", pure=True).dump({**data, key: rest}, out)
    for one in faults_of(tmp_path / "trip", manifest=out.getvalue()):
        place, _, told = one.partition(": ")
        assert place.rpartition(":")[2].isdigit()
        assert told.endswith((".", "?"))
