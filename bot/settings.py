"""What can be set, from the environment and a `.env` file; wrong values are named with what to
write instead, before anything starts."""

from __future__ import annotations

import re
from difflib import get_close_matches
from io import StringIO
from pathlib import Path
from tempfile import TemporaryFile
from typing import Annotated, Literal
from zoneinfo import available_timezones

from babel import Locale, UnknownLocaleError
from dotenv.parser import parse_stream
from pydantic import AfterValidator, BeforeValidator, Field, SecretStr, TypeAdapter, ValidationError
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict
from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from channels.telegram.menu import COMMANDS
from core.admin.accounts import Owners
from core.evals.prices import Price
from core.model.settings import DEFAULT_MODEL

_PLAIN = {
    "float_parsing": "write a number, such as 60",
    "bool_parsing": "write true or false",
    "int_parsing": "write a whole number, such as 4096",
    "string_too_short": "write a text that is not empty",
}
"""What to write, by the type of a fault; the library's own words where they say it as well."""


_PRICES = TypeAdapter(dict[str, Price])


class SettingsFaulty(ValueError):
    """One or more settings are missing or malformed; each line says what to write."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


def _known_zone(name: str) -> str:
    if name not in available_timezones():
        raise ValueError("write an IANA time zone, such as Europe/Berlin")
    return name


def _known_locale(name: str) -> str:
    try:
        Locale.parse(name.replace("-", "_"))
    except (ValueError, UnknownLocaleError):
        raise ValueError("write a language such as en, de or es-MX") from None
    return name


def _accounts(text: str) -> str:
    Owners.of(text)
    return text


def _country(code: str) -> str:
    if len(code) != 2 or not code.isascii() or not code.isupper():
        raise ValueError("write a country's two capital letters, such as DE")
    return code


def _web_address(url: str) -> str:
    if not url.startswith(("http://", "https://")):
        raise ValueError("write an address that starts with https:// or http://")
    return url


_COMMAND = re.compile(r"[a-z0-9_]{1,32}")
OFF = "off"
"""A command that there is not to be."""


def _telegram_command(name: str) -> str:
    name = name.removeprefix("/").casefold()
    if not _COMMAND.fullmatch(name) or name in COMMANDS:
        raise ValueError("write a command that is not taken, of a-z, 0-9 and _, such as surestep")
    return name


def _folder(path: Path) -> Path:
    if not path.is_dir():
        raise ValueError("write the path of a folder that is there")
    return path


_POSTGRES = ("postgres://", "postgresql://")
"""How PostgreSQL's own tools and most hosts write an address, without the library to use."""


def _known_database(url: str) -> str:
    if url.startswith(_POSTGRES):
        try:
            return _with_library(url)
        except ValueError:
            url = ""
    if not url.startswith(("sqlite+aiosqlite:///", "postgresql+asyncpg://")):
        raise ValueError(
            "write sqlite+aiosqlite:///path/to/file.db or postgresql://user:password@host/name"
        )
    return url


def _with_library(url: str) -> str:
    """PostgreSQL's address as the store opens it. asyncpg calls `sslmode` simply `ssl`."""
    try:
        parts = make_url(url).set(drivername="postgresql+asyncpg")
    except ArgumentError:
        raise ValueError from None
    query = {"ssl" if key == "sslmode" else key: value for key, value in parts.query.items()}
    return parts.set(query=query).render_as_string(hide_password=False)


def _priced(given: object) -> object:
    if not isinstance(given, str):
        return given
    try:
        return _PRICES.validate_json(given)
    except ValidationError:
        raise ValueError(
            'write a JSON object such as {"MODEL": {"input": 1, "output": 2, "cache_read": 3, '
            '"cache_write": 4}}, in dollars per million tokens'
        ) from None


class Settings(BaseSettings):
    """Every setting, with its default. The description of each is what the README lists."""

    model_config = SettingsConfigDict(
        env_prefix="SURESTEP_",
        env_file=".env",
        env_ignore_empty=True,
        extra="ignore",
        populate_by_name=True,
    )

    database_url: Annotated[str, AfterValidator(_known_database)] = Field(
        "sqlite+aiosqlite:///data/surestep.db",
        validation_alias="DATABASE_URL",
        description="Where everything is kept: SQLite in a file, or PostgreSQL.",
    )
    data_dir: Path = Field(Path("data"), description="The folder of the files that the bot writes.")
    journeys_dir: Annotated[Path, AfterValidator(_folder)] | None = Field(
        None, description="The folder of the journeys; the shipped ones when it is not set."
    )
    journey: str = Field("event", description="The journey that a first message starts.")
    owners: Annotated[str, AfterValidator(_accounts)] = Field(
        "",
        description="The accounts that own the bot, such as telegram:12345 or slack:T01/U02, with "
        "commas between them; /privacy tells everybody theirs.",
    )
    locale: Annotated[str, AfterValidator(_known_locale)] = Field(
        "en", description="The language where a person's own is not known."
    )
    zone: Annotated[str, AfterValidator(_known_zone)] = Field(
        "UTC", description="The time zone where a person's own is not known."
    )
    country: Annotated[str, AfterValidator(_country)] | None = Field(
        None, description="The country (ISO code) whose phone numbers need no prefix."
    )
    anthropic_api_key: SecretStr | None = Field(
        None,
        validation_alias="ANTHROPIC_API_KEY",
        description="The model's key; without it every journey can still be finished.",
    )
    anthropic_base_url: Annotated[str, AfterValidator(_web_address)] = Field(
        "https://api.anthropic.com",
        validation_alias="ANTHROPIC_BASE_URL",
        description="Another server that speaks the Messages API.",
    )
    model: str = Field(DEFAULT_MODEL, min_length=1, description="The model that talks.")
    model_effort: Literal["auto", "", "low", "medium", "high", "xhigh", "max"] = Field(
        "auto", description="How much the model thinks; auto is little, which is fast."
    )
    model_max_tokens: int = Field(
        4096, ge=256, le=64_000, description="Tokens of one answer, its thinking with it."
    )
    model_deadline: float = Field(
        60.0, gt=0, le=600, description="Seconds for one model turn, with all its retries."
    )
    telegram_bot_token: SecretStr | None = Field(
        None,
        validation_alias="TELEGRAM_BOT_TOKEN",
        description="The token that @BotFather gave; with it the bot is in Telegram.",
    )
    telegram_driver: Literal["aiogram", "ptb"] = Field(
        "aiogram",
        validation_alias="TELEGRAM_DRIVER",
        description="The library that talks to Telegram: aiogram, or ptb (python-telegram-bot).",
    )
    telegram_api_base: Annotated[str, AfterValidator(_web_address)] = Field(
        "https://api.telegram.org",
        validation_alias="TELEGRAM_API_BASE",
        description="Another Bot API server.",
    )
    telegram_webhook_url: Annotated[str, AfterValidator(_web_address)] | None = Field(
        None,
        validation_alias="TELEGRAM_WEBHOOK_URL",
        description="The public https address that Telegram delivers to; without it the bot asks "
        "for updates itself (long polling).",
    )
    telegram_admin_command: Annotated[str, AfterValidator(_telegram_command)] = Field(
        "admin",
        validation_alias="TELEGRAM_ADMIN_COMMAND",
        description="The command of those who run the bot: another one in a program that has an "
        "/admin of its own, or off for none.",
    )
    slack_bot_token: SecretStr | None = Field(
        None,
        validation_alias="SLACK_BOT_TOKEN",
        description="The bot token (xoxb-...) of the app in one Slack workspace; with it the bot "
        "is in Slack.",
    )
    slack_app_token: SecretStr | None = Field(
        None,
        validation_alias="SLACK_APP_TOKEN",
        description="The app-level token (xapp-...) of Socket Mode, which needs no public address.",
    )
    slack_signing_secret: SecretStr | None = Field(
        None,
        validation_alias="SLACK_SIGNING_SECRET",
        description="The app's signing secret. Without SLACK_APP_TOKEN, Slack delivers over HTTP "
        "to /slack/events, and this proves that it is Slack.",
    )
    slack_client_id: str | None = Field(
        None,
        validation_alias="SLACK_CLIENT_ID",
        description="The app's client id: with its secret, and no SLACK_BOT_TOKEN, any number of "
        "workspaces can install the app at /slack/install.",
    )
    slack_client_secret: SecretStr | None = Field(
        None,
        validation_alias="SLACK_CLIENT_SECRET",
        description="The app's client secret.",
    )
    slack_api_base: Annotated[str, AfterValidator(_web_address)] = Field(
        "https://slack.com/api/",
        validation_alias="SLACK_API_BASE",
        description="Another Slack Web API server.",
    )
    web_host: str = Field("0.0.0.0", description="Where the web server listens.")
    web_port: int = Field(
        8080, validation_alias="PORT", ge=1, le=65_535, description="The web server's port."
    )
    workers: int = Field(
        16, ge=1, le=256, description="Conversations that are worked on at the same time."
    )
    lease: float = Field(
        60.0,
        ge=1,
        le=600,
        description="Seconds after which the work of a process that died is taken over; "
        "30 or more where several processes share a database.",
    )
    nudge_hours: float = Field(
        24.0,
        ge=0,
        description="Hours after which who left a journey half-way is reminded, once and by day; "
        "0 is never.",
    )
    expire_days: float = Field(
        30.0,
        ge=0,
        description="Days after which a journey that nobody goes on with is put away; 0 is never.",
    )
    keep_days: float = Field(
        90.0,
        ge=0,
        description="Days that what was said is kept, and who has not been there since; 0 is for "
        "ever.",
    )
    keep_submissions_days: float = Field(
        0.0,
        ge=0,
        description="Days that submissions are kept that have arrived; 0 is for ever.",
    )
    turns_a_minute: int = Field(
        120, ge=0, description="Replies of one person in a minute; 0 is without a limit."
    )
    tokens_a_day: int = Field(
        500_000,
        ge=0,
        description="The model's tokens for one person on one day; 0 is without a limit. After "
        "that every journey can still be finished, without talk.",
    )
    open_journeys: int = Field(
        10,
        ge=0,
        description="Journeys that one person may have open at once, in all their conversations; "
        "0 is without a limit.",
    )
    prices: Annotated[dict[str, Price], NoDecode, BeforeValidator(_priced)] = Field(
        {},
        description="What models cost, for the evals: a JSON object, each model's `input`, "
        "`output`, `cache_read` and `cache_write` in dollars per million tokens.",
    )
    allow_private_addresses: bool = Field(
        False,
        description="Whether webhooks may go to addresses that only this machine or its network "
        "reaches; every such address is refused otherwise.",
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        "warning", description="How much is logged to standard error; never content."
    )


def load() -> Settings:
    """The settings of this process. Raises SettingsFaulty, which names every fault at once."""
    faults = _lines_of_env(Path(".env"))
    if faults:
        raise SettingsFaulty(faults)
    try:
        return Settings()
    except ValidationError as error:
        raise SettingsFaulty([_worded(dict(one)) for one in error.errors()]) from None


def _lines_of_env(file: Path) -> list[str]:
    """What is wrong with the lines of a `.env` file; their content, maybe a key, is not said."""
    if not file.is_file():
        return []
    try:
        text = file.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return [f"{file}: save it as UTF-8 text that this user may read"]
    return [
        f"{file}, line {line.original.line}: write NAME=value, and close every quote"
        for line in parse_stream(StringIO(text))
        if line.error
    ]


_OURS = ("SURESTEP_", "TELEGRAM_", "SLACK_")


def unknown_names(file: Path = Path(".env")) -> list[str]:
    """What a `.env` file sets in vain: a line for each name that looks like one of ours and is
    none, with the nearest one that there is."""
    if not file.is_file():
        return []
    known = [variable(field) for field in Settings.model_fields]
    text = file.read_text("utf-8-sig", errors="replace")
    keys = [line.key.upper() for line in parse_stream(StringIO(text)) if line.key]
    lines = []
    for key in dict.fromkeys(keys):
        if key.startswith(_OURS) and key not in known:
            near = get_close_matches(key, known, n=1, cutoff=0.6)
            hint = f"did you mean {near[0]}?" if near else "README.md lists those there are"
            lines.append(f"{file}: there is no setting {key}; {hint}")
    return lines


def data_folder(settings: Settings) -> Path:
    """The folder of the files that the bot writes, made where it is not there.

    Raises SettingsFaulty when nothing can be written there: better before a journey than after.
    """
    folder = settings.data_dir
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            return folder
    except OSError as error:
        reason = error.strerror or type(error).__name__
        fault = f"SURESTEP_DATA_DIR: write a folder that this user may write to ({reason})"
        raise SettingsFaulty([f"{fault} (now: {str(folder)!r})"]) from None


def variable(field: str) -> str:
    """The environment variable of a setting."""
    alias = Settings.model_fields[field].validation_alias
    return alias if isinstance(alias, str) else f"SURESTEP_{field.upper()}"


def _worded(fault: dict[str, object]) -> str:
    place = fault.get("loc")
    name = str(place[0]) if isinstance(place, tuple) and place else "?"
    shown = variable(name) if name in Settings.model_fields else name
    message = _PLAIN.get(str(fault.get("type"))) or str(fault.get("msg", ""))
    message = message.removeprefix("Value error, ").replace("Input should be ", "write ", 1)
    # A database URL and a key are never repeated: what is printed may end up in a log.
    secret = shown == "DATABASE_URL" or shown.endswith(("_KEY", "_TOKEN", "_SECRET"))
    return f"{shown}: {message}" if secret else f"{shown}: {message} (now: {fault.get('input')!r})"
