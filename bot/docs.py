"""The parts of the README that are made from the code: settings, commands, mounting, kinds, texts.

`python -m bot.docs README.md .env.example` writes them anew; a test fails when they have drifted.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import typer

from bot import mounting
from bot.cli import app
from bot.settings import Settings, variable
from core.admin.base import admin_texts
from core.admin.verbs import VERBS
from core.delivery import KINDS
from core.delivery.base import Setting
from core.faults.kinds import MEANINGFUL
from core.faults.texts import JOURNEY_TEXTS, OF_KIND, PARTS
from core.manifest import Kind


def settings_table() -> str:
    """Every setting with its default, as a Markdown table."""
    rows = ["| variable | default | what it is |", "| --- | --- | --- |"]
    for name, field in Settings.model_fields.items():
        default = "" if field.default is None else f"`{_plain(field.default)}`"
        rows.append(f"| `{variable(name)}` | {default} | {field.description} |")
    return "\n".join(rows)


def _plain(default: Any) -> str:
    return str(default) if str(default) else '""'


def commands_table() -> str:
    """Every command with its arguments and what it does, as a Markdown table."""
    group = typer.main.get_command(app)
    rows = ["| command | what it does |", "| --- | --- |"]
    for name, command in sorted(group.commands.items()):  # type: ignore[attr-defined]
        usage = " ".join([name, *(_argument(one) for one in command.params)])
        rows.append(
            f"| `.venv/bin/python -m bot {usage}` | {' '.join((command.help or '').split())} |"
        )
    return "\n".join(rows)


def _argument(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        name = str(parameter.name).upper()
        return name if parameter.required else f"[{name}]"
    if parameter.is_flag:
        return f"[{parameter.opts[0]}]"
    return f"[{parameter.opts[0]} {str(parameter.name).upper()}]"


def mounting_examples() -> dict[str, str]:
    """The code that mounts Surestep, by what the docstring of `bot.mounting` says above it."""
    found: dict[str, list[str]] = {}
    title = ""
    for line in (mounting.__doc__ or "").splitlines():
        if line.startswith("    ") or (not line and title and found[title]):
            found[title].append(line.removeprefix("    "))
        elif line.endswith(":"):
            title = line
            found[title] = []
    return {title: "\n".join(lines).strip() for title, lines in found.items()}


def mounting_part() -> str:
    """How to mount Surestep into a program that has a bot, with either library."""
    return "\n\n".join(
        f"{title}\n\n```python\n{code}\n```" for title, code in mounting_examples().items()
    )


HOLDS = {
    Kind.CHOICE: "One of `options`.",
    Kind.CHOICES: "Several of `options`.",
    Kind.YES_NO: "Yes or no.",
    Kind.SHORT_TEXT: "A text in one line.",
    Kind.LONG_TEXT: "A text of any form; with `draftable`, the model may draft it.",
    Kind.NUMBER: "A number.",
    Kind.MONEY: "An amount in `currency`.",
    Kind.DATE: "A day.",
    Kind.TIME: "A time of day.",
    Kind.DATETIME: "A day and a time.",
    Kind.DURATION: "A number of minutes.",
    Kind.EMAIL: "An e-mail address.",
    Kind.PHONE: "A phone number.",
    Kind.URL: "A web address.",
    Kind.ENTRIES: "A list of short texts.",
    Kind.RECORD: "A record of the directory or tool that `records` names.",
    Kind.UPLOAD: "A file.",
    Kind.PERSON: "Somebody: picked from the platform's own list, mentioned, or named.",
    Kind.ATTESTATION: "What the person confirms: the text `statement`.",
    Kind.FORM: "Several `fields` on one card.",
    Kind.CUSTOM: "What a `step` of the journey's own Python makes of it; any property and text.",
}
"""What an item of each kind holds."""


def kinds_table() -> str:
    """Every kind of item, with the properties and texts that it has beside those of all items."""
    rows = ["| kind | what it holds | its own properties | its own texts |", "| " + "--- | " * 4]
    rows[1] = rows[1].rstrip()
    for kind in Kind:
        own = [name for name, kinds in MEANINGFUL.items() if kind in kinds]
        texts = sorted(OF_KIND.get(kind, ()))
        rows.append(f"| `{kind.value}` | {HOLDS[kind]} | {_coded(own)} | {_coded(texts)} |")
    return "\n".join(rows)


def texts_part() -> str:
    """The keys that a file of texts may have."""
    return (
        f"In `texts/<language>.yaml`, a journey has {_coded(JOURNEY_TEXTS)} of its own, and for "
        f"each item under `items.<name>` {_coded(sorted(PARTS))}, and what the table says of its "
        "kind. `nouns` are what people call it, with commas between them. Any text of "
        "`core/wording/` may be worded anew under the same key."
    )


def destinations_table() -> str:
    """Every kind of destination with its settings, as a Markdown table."""
    rows = ["| kind | what it is | its settings |", "| --- | --- | --- |"]
    for name, kind in KINDS.items():
        settings = "<br>".join(_setting(one) for one in kind.settings)
        rows.append(f"| `{name}` | {kind.about} | {settings} |")
    return "\n".join(rows)


def _setting(one: Setting) -> str:
    needed = "" if one.needed else "may be left out: "
    return f"`{one.name}: {one.example}` - {needed}{one.about}"


def _coded(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def admin_table() -> str:
    """Every command of those who run the bot, with who may give it, as a Markdown table."""
    texts = admin_texts()["en"]
    rows = ["| `/admin ...` | what it does | who may, at least |", "| --- | --- | --- |"]
    for verb in VERBS:
        usage = texts[f"admin.usage.{verb.name}"].replace("|", "\\|")
        what, who = texts[f"admin.help.{verb.name}"], verb.least.name.lower()
        rows.append(f"| `{usage}` | {what} | {who} |")
    return "\n".join(rows)


PARTS_MADE = {
    "settings": settings_table,
    "commands": commands_table,
    "mounting": mounting_part,
    "kinds": kinds_table,
    "texts": texts_part,
    "destinations": destinations_table,
    "admin": admin_table,
}


def written(text: str) -> str:
    """A text with each part between its `<!-- name -->` and `<!-- /name -->` made anew."""
    for name, made in PARTS_MADE.items():
        start, end = f"<!-- {name} -->\n", f"<!-- /{name} -->"
        before, _, rest = text.partition(start)
        text = f"{before}{start}{made()}\n{end}{rest.partition(end)[2]}"
    return text


def example() -> str:
    """The `.env` file to start from: every setting, commented out, at its default."""
    lines = ["# Copy this to .env and change what you need; python -m bot says what is wrong."]
    for name, field in Settings.model_fields.items():
        default = "" if field.default is None else str(field.default)
        lines += ["", f"# {field.description}", f"# {variable(name)}={default}"]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write the README's parts and the example of a `.env` file."""
    readme, env = Path(sys.argv[1]), Path(sys.argv[2])
    readme.write_text(written(readme.read_text("utf-8")), "utf-8")
    env.write_text(example(), "utf-8")


if __name__ == "__main__":
    main()
