"""The app's manifest, from which it is created in Slack: `app-manifest.yaml`, beside this file."""

from __future__ import annotations

from functools import cache
from importlib import resources

from ruamel.yaml import YAML

from channels.slack.native import Json

FILE = "app-manifest.yaml"


@cache
def manifest() -> Json:
    """What the manifest says."""
    text = resources.files("channels.slack").joinpath(FILE).read_text("utf-8")
    loaded: Json = YAML(typ="safe", pure=True).load(text)
    return loaded


def scopes() -> tuple[str, ...]:
    """The scopes that the bot asks for when it is installed."""
    return tuple(manifest()["oauth_config"]["scopes"]["bot"])
