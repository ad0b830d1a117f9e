"""What a process is to do, judged before it starts; what is missing is said with what to write."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import ip_address
from urllib.parse import urlsplit

from bot.settings import Settings, SettingsFaulty
from core.admin.accounts import Owners
from core.catalogue import Catalogue
from core.channel import CannotServe

_TELEGRAM = "https://api.telegram.org"


class NoSuchJourney(ValueError):
    """The journey that was named is not served; the message says what to write."""


class NothingSetUp(CannotServe):
    """There is no channel to serve, and nobody at a keyboard to talk to."""

    def __init__(self) -> None:
        super().__init__(
            "No channel is set up. Write TELEGRAM_BOT_TOKEN, or SLACK_BOT_TOKEN with"
            " SLACK_APP_TOKEN, into the environment or into .env (README.md says where you get"
            " them). To drive a journey from a script, use: python -m bot chat"
        )


class NoAnswer(CannotServe):
    """The platform's server cannot be reached: nothing is set wrongly, as far as is known."""

    def __init__(self, server: str, address: str, failed: Exception, variable: str) -> None:
        super().__init__(
            f"{server} at {address} gave no answer ({failed}). Check the network, and {variable} if"
            " you set it; then start again."
        )


def only_complete(settings: Settings) -> None:
    """Raises SettingsFaulty where credentials are half there: a channel that somebody has begun to
    set up is not left out in silence."""
    faults = [*_halves(settings), *_addresses(settings), *_owners(settings)]
    if faults:
        raise SettingsFaulty(faults)


def _owners(settings: Settings) -> Iterator[str]:
    """With several workspaces, a person of Slack is nobody without theirs."""
    one_workspace = settings.slack_bot_token is not None or settings.slack_client_id is None
    for short in () if one_workspace else sorted(Owners.of(settings.owners).without_workspace):
        person = short.partition(":")[2]
        yield (
            f"SURESTEP_OWNERS: write slack:WORKSPACE/{person} instead of {short}, since any number"
            " of workspaces may install the app"
        )


def _halves(settings: Settings) -> Iterator[str]:
    if settings.telegram_webhook_url is not None and settings.telegram_bot_token is None:
        yield (
            "TELEGRAM_BOT_TOKEN: write the token that @BotFather gave you; "
            "TELEGRAM_WEBHOOK_URL is set, and starts nothing without it"
        )
    if settings.slack_bot_token is not None or settings.slack_client_id is not None:
        return
    for name in ("slack_app_token", "slack_signing_secret", "slack_client_secret"):
        if getattr(settings, name) is None:
            continue
        partner = "SLACK_CLIENT_ID" if name == "slack_client_secret" else "SLACK_BOT_TOKEN"
        what = (
            "the app's client id" if name == "slack_client_secret" else "the bot token (xoxb-...)"
        )
        yield (
            f"{partner}: write {what} of the app's settings at https://api.slack.com/apps; "
            f"{name.upper()} is set, and starts nothing without it"
        )
        return


def _addresses(settings: Settings) -> Iterator[str]:
    url = settings.telegram_webhook_url
    if url is None:
        return
    # Telegram itself calls https only; a Bot API server of one's own also calls http.
    theirs = settings.telegram_api_base.rstrip("/") == _TELEGRAM
    if theirs and urlsplit(url).scheme != "https" and not _is_loopback(url):
        yield (
            "TELEGRAM_WEBHOOK_URL: write an address that starts with https://, for Telegram "
            f"calls no other (now: {url!r})"
        )
    slack = settings.slack_bot_token is not None or settings.slack_client_id is not None
    if slack and (settings.slack_app_token is None or settings.slack_bot_token is None):
        yield (
            "TELEGRAM_WEBHOOK_URL: leave it out, or set SLACK_APP_TOKEN and SLACK_BOT_TOKEN; "
            "only one of Telegram and Slack can deliver to one process at PORT"
        )


def _is_loopback(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def no_port(error: OSError, settings: Settings, otherwise: str) -> CannotServe:
    """Why the web server cannot listen, and what to do. `otherwise` is another way out."""
    reason = error.strerror or type(error).__name__
    return CannotServe(
        f"Nothing can listen at {settings.web_host}, port {settings.web_port} ({reason}). Choose"
        f" another port with PORT, or {otherwise}, and no port is needed."
    )


def first_journey(settings: Settings, catalogue: Catalogue) -> str:
    """The journey that a first message starts: the one that is named; where none was, the only one
    there is. Empty where that cannot be known."""
    names = catalogue.names()
    if settings.journey in names:
        return settings.journey
    named = "journey" in settings.model_fields_set
    return names[0] if len(names) == 1 and not named else ""


def served_journey(settings: Settings, catalogue: Catalogue, named: str | None = None) -> str:
    """The journey to start here. Raises NoSuchJourney, which says what to write."""
    wanted = named or first_journey(settings, catalogue)
    if wanted and catalogue.latest(wanted) is not None:
        return wanted
    raise NoSuchJourney(_instead_of(named, settings, catalogue))


def _instead_of(named: str | None, settings: Settings, catalogue: Catalogue) -> str:
    """What to write in place of a journey that is not served."""
    journey = named or settings.journey
    names = ", ".join(catalogue.names())
    if journey in catalogue.faulty:
        return f"The journey {journey} has faults. See them with: python -m bot check"
    if not names:
        return (
            "There is no journey without faults. See what is wrong with: python -m bot check, "
            "or name another folder in SURESTEP_JOURNEYS_DIR."
        )
    if named or "journey" in settings.model_fields_set:
        return f"There is no journey {journey!r}. Write one of: {names}."
    return f"Name the journey that a first message starts in SURESTEP_JOURNEY; one of: {names}."
