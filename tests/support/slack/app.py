"""The Slack app whose bot is tested: what its manifest asks for.

What is not in the manifest does not happen: an event that the app did not subscribe to is never
sent, a method whose scope it did not ask for answers `missing_scope`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from tests.support.slack.errors import Json

SCOPES_OF_EVENTS: dict[str, str | None] = {
    "app_mention": "app_mentions:read",
    "app_home_opened": None,
    "app_uninstalled": None,
    "tokens_revoked": None,
    "assistant_thread_started": "assistant:write",
    "assistant_thread_context_changed": "assistant:write",
    "message.im": "im:history",
    "message.channels": "channels:history",
    "message.groups": "groups:history",
    "message.mpim": "mpim:history",
    "member_joined_channel": "channels:read",
    "member_left_channel": "channels:read",
    "channel_archive": "channels:read",
    "reaction_added": "reactions:read",
}
"""Events that this server sends, with the scope that each needs (docs.slack.dev/reference/events).
"""

ALL_SCOPES = (
    "app_mentions:read",
    "assistant:write",
    "channels:history",
    "channels:read",
    "chat:write",
    "commands",
    "files:read",
    "files:write",
    "groups:history",
    "groups:read",
    "im:history",
    "im:read",
    "im:write",
    "mpim:history",
    "mpim:read",
    "mpim:write",
    "reactions:read",
    "reactions:write",
    "team:read",
    "users:read",
    "users:read.email",
)

Shortcut = Literal["global", "message"]


@dataclass(frozen=True)
class App:
    """The app. `shortcuts` has the kind of each by its callback id.

    `pane` is what its manifest says of the assistant pane: "assistant" (`assistant_view`), "agent"
    (`agent_view`, since July 2026), or none. With `rotates`, its tokens have an end.
    """

    name: str = "Surestep"
    scopes: frozenset[str] = frozenset(ALL_SCOPES)
    events: frozenset[str] = frozenset(SCOPES_OF_EVENTS)
    commands: frozenset[str] = frozenset({"/surestep"})
    escapes: bool = True
    shortcuts: dict[str, Shortcut] = field(default_factory=dict)
    pane: Literal["", "assistant", "agent"] = "assistant"
    home: bool = True
    interactive: bool = True
    rotates: bool = False

    @classmethod
    def of_manifest(cls, manifest: Json) -> App:
        """The app that this manifest creates. Raises ValueError for what this server lacks."""
        features, settings = manifest.get("features", {}), manifest.get("settings", {})
        events = settings.get("event_subscriptions", {}).get("bot_events", [])
        unknown = sorted(set(events) - set(SCOPES_OF_EVENTS))
        if unknown:
            raise ValueError(f"this server never sends {', '.join(unknown)}")
        pane: Literal["", "assistant", "agent"] = ""
        if "agent_view" in features:
            pane = "agent"
        elif "assistant_view" in features:
            pane = "assistant"
        return cls(
            name=features.get("bot_user", {}).get(
                "display_name", manifest["display_information"]["name"]
            ),
            scopes=frozenset(manifest.get("oauth_config", {}).get("scopes", {}).get("bot", [])),
            events=frozenset(events),
            commands=frozenset(one["command"] for one in features.get("slash_commands", [])),
            escapes=any(one.get("should_escape") for one in features.get("slash_commands", [])),
            shortcuts={one["callback_id"]: one["type"] for one in features.get("shortcuts", [])},
            pane=pane,
            home=features.get("app_home", {}).get("home_tab_enabled", False),
            rotates=settings.get("token_rotation_enabled", False),
            interactive=settings.get("interactivity", {}).get("is_enabled", False),
        )

    def hears(self, event: str) -> bool:
        """Whether the app gets this event: it subscribed to it, and has the scope for it."""
        scope = SCOPES_OF_EVENTS[event]
        return event in self.events and (scope is None or scope in self.scopes)

    def lacks(self, scopes: Iterable[str]) -> bool:
        """Whether it has none of these scopes, one of which is needed."""
        needed = set(scopes)
        return bool(needed) and not needed & self.scopes
