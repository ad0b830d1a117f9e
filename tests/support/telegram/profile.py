"""The methods about the bot itself: its commands, names and menu, in each language."""

from __future__ import annotations

import re
from typing import Any

from tests.support.telegram.entities import units
from tests.support.telegram.errors import Json, violates
from tests.support.telegram.tasks import Task, carries_out
from tests.support.telegram.world import World

COMMANDS_LIMIT = 100
_COMMAND = re.compile(r"/?[a-z0-9_]{1,32}")
_LANGUAGE = re.compile(r"([a-z]{2})?")
_DESCRIPTION_LIMIT = 256
_TOLD = {
    "Name": ("name", 64),
    "Description": ("description", 512),
    "ShortDescription": ("short_description", 120),
}


def _language(task: Task) -> str:
    code = str(task.p.get("language_code", ""))
    if not _LANGUAGE.fullmatch(code):
        raise violates("invalid language code specified: two letters of ISO 639-1 are expected")
    return code


def _scope(task: Task) -> str:
    """The scope as one word; one of a chat has its identifier in it."""
    scope = task.p.get("scope") or {"type": "default"}
    return ":".join(str(part) for part in scope.values())


@carries_out("setMyCommands")
def set_my_commands(task: Task) -> bool:
    """Set the menu of commands for a scope and a language."""
    commands = task.p["commands"]
    if len(commands) > COMMANDS_LIMIT:
        raise violates("BOT_COMMANDS_TOO_MUCH")
    for command in commands:
        if not _COMMAND.fullmatch(command["command"]):
            raise violates("BOT_COMMAND_INVALID")
        if not 1 <= len(command["description"].strip()) <= _DESCRIPTION_LIMIT:
            raise violates("BOT_COMMAND_DESCRIPTION_INVALID")
    kept = [{**one, "command": one["command"].removeprefix("/")} for one in commands]
    task.world.commands[_scope(task), _language(task)] = kept
    return True


@carries_out("getMyCommands")
def get_my_commands(task: Task) -> list[Json]:
    """The menu that was set for exactly this scope and language."""
    return task.world.commands.get((_scope(task), _language(task)), [])


@carries_out("deleteMyCommands")
def delete_my_commands(task: Task) -> bool:
    """Forget a menu."""
    task.world.commands.pop((_scope(task), _language(task)), None)
    return True


def commands_shown(world: World, language: str | None, *, private: bool = True) -> list[Json]:
    """The menu that a person with this language sees: the nearest scope, then their language."""
    scopes = ("all_private_chats" if private else "all_group_chats", "default")
    for scope in scopes:
        for code in (language or "", ""):
            if (scope, code) in world.commands:
                return world.commands[scope, code]
    return []


@carries_out(*(f"setMy{kind}" for kind in _TOLD))
def set_my_text(task: Task) -> bool:
    """Set the name or a description in a language."""
    name, limit = _TOLD[task.method.removeprefix("setMy")]
    text = task.p.get(name, "")
    if units(text) > limit:
        raise violates(f"{name} is longer than {limit} characters")
    task.world.told[name, _language(task)] = text
    return True


@carries_out(*(f"getMy{kind}" for kind in _TOLD))
def get_my_text(task: Task) -> Json:
    """The name or a description, in a language or in none."""
    name, _ = _TOLD[task.method.removeprefix("getMy")]
    told = task.world.told
    default = task.world.bot["first_name"] if name == "name" else ""
    return {name: told.get((name, _language(task))) or told.get((name, ""), default)}


@carries_out("setChatMenuButton")
def set_chat_menu_button(task: Task) -> bool:
    """Set what the button beside the input does."""
    task.world.menus[task.p.get("chat_id", 0)] = task.p.get("menu_button") or {"type": "default"}
    return True


@carries_out("getChatMenuButton")
def get_chat_menu_button(task: Task) -> Any:
    """What that button does."""
    menus = task.world.menus
    return menus.get(task.p.get("chat_id", 0)) or menus.get(0) or {"type": "commands"}
