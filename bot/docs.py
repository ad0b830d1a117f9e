"""The parts of the README that are made from the code: the settings, the command line, mounting.

`python -m bot.docs README.md .env.example` writes them anew; a test fails when they have drifted.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import typer

from bot import mounting
from bot.cli import app
from bot.settings import Settings, variable


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
        rows.append(f"| `python -m bot {usage}` | {' '.join((command.help or '').split())} |")
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


PARTS = {"settings": settings_table, "commands": commands_table, "mounting": mounting_part}


def written(text: str) -> str:
    """A text with each part between its `<!-- name -->` and `<!-- /name -->` made anew."""
    for name, made in PARTS.items():
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
