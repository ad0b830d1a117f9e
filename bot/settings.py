"""What can be set, from the environment and a `.env` file; wrong values are named with what to
write instead, before anything starts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal
from zoneinfo import available_timezones

from babel import Locale, UnknownLocaleError
from pydantic import AfterValidator, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from core.model.settings import DEFAULT_MODEL


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


def _known_database(url: str) -> str:
    if not url.startswith(("sqlite+aiosqlite:///", "postgresql+asyncpg://")):
        raise ValueError(
            "write sqlite+aiosqlite:///path/to/file.db or "
            "postgresql+asyncpg://user:password@host/name"
        )
    return url


class Settings(BaseSettings):
    """Every setting, with its default. The description of each is what the README lists."""

    model_config = SettingsConfigDict(
        env_prefix="SURESTEP_", env_file=".env", extra="ignore", populate_by_name=True
    )

    database_url: Annotated[str, AfterValidator(_known_database)] = Field(
        "sqlite+aiosqlite:///data/surestep.db",
        validation_alias="DATABASE_URL",
        description="Where everything is kept: SQLite in a file, or PostgreSQL.",
    )
    data_dir: Path = Field(Path("data"), description="The folder of the files that the bot writes.")
    journeys_dir: Path | None = Field(
        None, description="The folder of the journeys; the shipped ones when it is not set."
    )
    journey: str = Field("event", description="The journey that a first message starts.")
    locale: Annotated[str, AfterValidator(_known_locale)] = Field(
        "en", description="The language where a person's own is not known."
    )
    zone: Annotated[str, AfterValidator(_known_zone)] = Field(
        "UTC", description="The time zone where a person's own is not known."
    )
    country: str | None = Field(
        None,
        pattern=r"^[A-Z]{2}$",
        description="The country (ISO code) whose phone numbers need no prefix.",
    )
    anthropic_api_key: SecretStr | None = Field(
        None,
        validation_alias="ANTHROPIC_API_KEY",
        description="The model's key; without it every journey can still be finished.",
    )
    anthropic_base_url: str = Field(
        "https://api.anthropic.com",
        pattern=r"^https?://",
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
    lease: float = Field(
        60.0,
        ge=1,
        le=600,
        description="Seconds after which the work of a process that died is taken over; "
        "30 or more where several processes share a database.",
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        "warning", description="How much is logged to standard error; never content."
    )


def load() -> Settings:
    """The settings of this process. Raises SettingsFaulty, which names every fault at once."""
    try:
        return Settings()
    except ValidationError as error:
        raise SettingsFaulty([_worded(dict(one)) for one in error.errors()]) from None


def variable(field: str) -> str:
    """The environment variable of a setting."""
    alias = Settings.model_fields[field].validation_alias
    return alias if isinstance(alias, str) else f"SURESTEP_{field.upper()}"


def _worded(fault: dict[str, object]) -> str:
    place = fault.get("loc")
    name = str(place[0]) if isinstance(place, tuple) and place else "?"
    shown = variable(name) if name in Settings.model_fields else name
    message = str(fault.get("msg", "")).removeprefix("Value error, ")
    # A database URL and a key are never repeated: what is printed may end up in a log.
    secret = shown in ("DATABASE_URL", "ANTHROPIC_API_KEY")
    return f"{shown}: {message}" if secret else f"{shown}: {message} (now: {fault.get('input')!r})"
