"""What Slack's error codes mean for a message: each code is in this one table, once.

(docs.slack.dev/reference/methods; the codes are the same in all methods that send and change.)
"""

from __future__ import annotations

from enum import Enum, auto

from channels.slack.api import Refused


class Meaning(Enum):
    """What a refusal means."""

    GONE = auto()
    """There is no such message, or it is none that may be changed."""
    SHUT = auto()
    """Nothing can be said there by this bot, however often it tries."""
    NOBODY = auto()
    """Nothing can be said there to this person."""
    UNINSTALLED = auto()
    """The workspace has removed the app."""
    TOKEN = auto()
    """The token is wrong, which whoever runs the bot can mend."""
    BUSY = auto()
    """Nothing was done; it may be a while later."""
    BROKEN = auto()
    """Something failed on the server: "some aspect of the operation succeeded before the error"
    (docs.slack.dev/reference/methods/chat.postMessage)."""
    MALFORMED = auto()
    """The bot has made a message that Slack does not take, which must not happen."""
    DENIED = auto()
    """The app may not call this method here, or the workspace has none of it."""
    OTHER = auto()
    """Anything else: it would be refused for the same reason again."""


CODES: dict[Meaning, tuple[str, ...]] = {
    Meaning.GONE: (
        "cant_delete_message",
        "cant_update_message",
        "edit_window_closed",
        "message_not_found",
        "message_not_owned_by_app",
    ),
    Meaning.SHUT: (
        "channel_is_limited_access",
        "channel_not_found",
        "is_archived",
        "is_inactive",
        "not_in_channel",
        "restricted_action",
        "restricted_action_non_threadable_channel",
        "restricted_action_read_only_channel",
        "restricted_action_thread_locked",
        "restricted_action_thread_only_channel",
        "thread_locked",
    ),
    Meaning.NOBODY: (
        "cannot_dm_bot",
        "user_disabled",
        "user_not_found",
        "user_not_in_channel",
    ),
    Meaning.UNINSTALLED: ("account_inactive", "not_authed", "team_not_found", "token_revoked"),
    Meaning.TOKEN: ("invalid_auth", "token_expired"),
    Meaning.BUSY: (
        "accesslimited",
        "request_timeout",
        "service_unavailable",
        "team_added_to_org",
    ),
    Meaning.BROKEN: ("fatal_error", "internal_error"),
    Meaning.MALFORMED: (
        "invalid_blocks",
        "invalid_blocks_format",
        "msg_blocks_too_long",
        "msg_too_long",
        "no_text",
        "too_many_blocks",
    ),
    Meaning.DENIED: ("missing_scope", "not_allowed", "unknown_method"),
}

_MEANINGS = {code: meaning for meaning, codes in CODES.items() for code in codes}


def meaning_of(refused: Refused) -> Meaning:
    """What a refusal means."""
    return _MEANINGS.get(refused.error, Meaning.OTHER)
