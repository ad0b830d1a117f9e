"""The scenarios of a journey, from its folder: every fault with its file and its line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import ValidationError

from core.evals.scenario import Scenario
from core.faults import Place
from core.loading.lines import FileFault, Source, read_yaml
from core.manifest import Manifest

FOLDER = "evals"
"""Where a journey's scenarios lie, beside its manifest."""


class ScenariosFaulty(ValueError):
    """Scenarios that cannot be played as they are; `faults` has everything that is wrong."""

    def __init__(self, found: list[FileFault]) -> None:
        self.faults = sorted(set(found))
        super().__init__("\n".join(map(str, self.faults)))


def load_scenarios(folder: Path, manifest: Manifest | None = None) -> list[Scenario]:
    """The scenarios of a journey's folder, by name. Raises ScenariosFaulty.

    With the manifest, the items that they name are looked up, too.
    """
    found: list[FileFault] = []
    scenarios = []
    for file in sorted((folder / FOLDER).glob("*.yaml")):
        source, wrong = read_yaml(file)
        found += wrong
        scenario = _scenario(source, folder.resolve().name, found) if not wrong else None
        if scenario is not None:
            scenarios.append(scenario)
            if manifest is not None:
                found += _unknown_items(source, scenario, manifest)
    if found:
        raise ScenariosFaulty(found)
    return scenarios


def _scenario(source: Source, journey: str, found: list[FileFault]) -> Scenario | None:
    if not isinstance(source.data, dict):
        found.append(source.fault((), "this is no scenario", "Write about: and what it shows."))
        return None
    data = {**source.data, "name": source.file.stem, "journey": journey}
    try:
        return Scenario.model_validate(data)
    except ValidationError as error:
        found += [_refused(source, dict(one)) for one in error.errors(include_url=False)]
        return None


def _refused(source: Source, error: dict[str, Any]) -> FileFault:
    # A value of several possible kinds has a step for the kind that was tried: no key of the file.
    place = tuple(error["loc"])
    named = ".".join(str(step) for step in place if not isinstance(step, int)) or "the scenario"
    message = str(error["msg"]).removeprefix("Value error, ")
    if error["type"] == "extra_forbidden":
        return source.fault(place, f"{named} is no key of a scenario", "Take it out.")
    return source.fault(place, f"{named}: {message}", "See core/evals/scenario.py.")


def _unknown_items(source: Source, scenario: Scenario, manifest: Manifest) -> list[FileFault]:
    asks = {"summary", "zone", "language", "cancel", "restart", "start", ""}
    expect = scenario.expect
    named: dict[Place, set[str]] = {
        ("answers",): set(scenario.answers) - {"zone", "language"},
        ("expect", "submission"): set(expect.submission),
        ("expect", "draft"): set(expect.draft),
        ("expect", "absent"): set(expect.absent),
        ("expect", "sources"): set(expect.sources),
    }
    for number, entry in enumerate(scenario.script):
        names = {entry.at, entry.open or "", entry.stale_tap or ""} - asks
        named["script", number] = names | set(entry.gives) | set(entry.change or {})
    known = set(manifest.by_name)
    advice = f"The items are: {', '.join(manifest.by_name)}."
    return [
        source.fault((*place, name), f"{manifest.name} has no item {name}", advice)
        for place, names in named.items()
        for name in sorted(names - known)
    ]
