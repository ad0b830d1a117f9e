"""Surestep through python-telegram-bot: calls with its Bot, and handlers for an Application.

    async with application, surestep(PtbApi(application.bot)) as channel:  # bot.mounting
        application.add_handlers(handlers(channel))
        ...

They are asked before the program's own handlers, which then never see what is for Surestep.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from enum import Enum
from typing import Any

import httpx
from telegram import Bot, InputFile, TelegramObject, Update
from telegram import File as StoredFile
from telegram.error import (
    BadRequest,
    ChatMigrated,
    Conflict,
    EndPointNotFound,
    Forbidden,
    InvalidToken,
    NetworkError,
    RetryAfter,
    TelegramError,
)
from telegram.ext import (
    ApplicationHandlerStop,
    BaseHandler,
    CallbackContext,
    InvalidCallbackData,
    TypeHandler,
)
from telegram.request import HTTPXRequest

from channels.telegram.api import ApiFailed, File, Flooded, Refused, Unknown, Unreachable
from channels.telegram.arriving import KINDS, Surestep, WrongToken
from channels.telegram.native import Json
from channels.telegram.wire import (
    as_json,
    on_the_wire,
    refused,
    too_large,
    upgraded,
    with_files,
    without,
)

Context = CallbackContext[Any, Any, Any, Any]
Handlers = dict[int, Sequence[BaseHandler[Any, Any, Any]]]

EARLY = -1
"""The group of handlers; those of a program are 0 where it says nothing else."""
_CODES: dict[type[TelegramError], int] = {BadRequest: 400, Forbidden: 403, Conflict: 409}
_NEVER_SENT = (
    httpx.ConnectError,
    httpx.ConnectTimeout,
    httpx.PoolTimeout,
    httpx.ProxyError,
    httpx.UnsupportedProtocol,
    httpx.InvalidURL,
)
"""What httpx raises before it has a connection."""
_NOT_FOUND = "Not Found"
_ONLY_TRUE = (
    "delete_chat_photo",
    "group_chat_created",
    "supergroup_chat_created",
    "channel_chat_created",
)
"""Fields of a message that the Bot API leaves out where they are not true, and the library does
not."""


class _Text(TelegramObject):
    """A text that python-telegram-bot passes on unread: with `Defaults` it would look into the
    parameter `media` for objects of its own."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text
        self._freeze()

    def to_dict(self, recursive: bool = True) -> Any:
        return self.text


class PtbApi:
    """The Bot API through python-telegram-bot's `Bot`, with its requests and its rate limiter."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot

    async def call(self, method: str, /, *, within: float | None = None, **parameters: Any) -> Any:
        """Carry out a method (see api.Api). Raises ApiFailed."""
        fields = _fields(on_the_wire(parameters))
        # `Bot.do_api_request` takes sendMessage_ for what it is, but does not warn that the method
        # has a function of its own, which would put the program's defaults in.
        more: dict[str, Any] = {} if within is None else {"read_timeout": within}
        try:
            return await self._bot.do_api_request(f"{method}_", api_kwargs=fields, **more)
        except Exception as error:
            raise failure(error, self._bot.token) from error

    async def fetch(self, path: str, limit: int) -> bytes:
        """A file by the path that getFile told (see api.Api), which the library has whole before
        its size can be looked at. Raises ApiFailed."""
        place = path if path.startswith("/") else f"{self._bot.base_file_url}/{path}"
        file = StoredFile(file_id="", file_unique_id="", file_path=place)
        file.set_bot(self._bot)
        try:
            content = bytes(await file.download_as_bytearray())
        except Exception as error:
            raise failure(error, self._bot.token) from error
        if len(content) > limit:
            raise too_large(limit)
        return content


@asynccontextmanager
async def connect(token: str, base: str) -> AsyncIterator[PtbApi]:
    """A bot of this process's own, at the Bot API server of this address. Raises WrongToken."""
    # It would log an answer that is no JSON as it came, with what people wrote.
    logging.getLogger("telegram.request.BaseRequest").setLevel(logging.CRITICAL)
    base = base.rstrip("/")
    try:
        bot = Bot(
            token, base_url=f"{base}/bot", base_file_url=f"{base}/file/bot", request=_requests()
        )
        await bot.initialize()
    except InvalidToken as error:
        raise WrongToken(_of_token(error)) from error
    except TelegramError as error:
        raise failure(error, token) from error
    try:
        yield PtbApi(bot)
    finally:
        await bot.shutdown()


def _requests() -> HTTPXRequest:
    # As many calls at a time as conversations are worked on, and more; as patient as aiogram is.
    return HTTPXRequest(connection_pool_size=128, pool_timeout=30.0, read_timeout=60.0)


def failure(error: Exception, token: str) -> ApiFailed:
    """What an error of python-telegram-bot means, for the bot with this token. The library tells
    codes by the class of its errors."""
    match error:
        case RetryAfter():
            return Flooded(_seconds(error))
        case ChatMigrated():
            return upgraded(error.new_chat_id)
        case EndPointNotFound() | InvalidToken():
            return _of_token(error)
        case BadRequest():
            # It takes these words off.
            return refused(400, f"Bad Request: {error.message}")
        case Forbidden() | Conflict():
            return refused(_CODES[type(error)], error.message)
        case NetworkError():
            return _of_network(error, token)
        case FileNotFoundError():
            return Refused(404, "Not Found: the server's file is not on this disk")
    return Unknown(without(token, f"{type(error).__name__}: {error}"))


def _of_token(error: TelegramError) -> Refused:
    """401 and 404 are one error here; the server's own words are in it, or in its cause."""
    cause = error.__cause__
    said = cause.message if isinstance(cause, TelegramError) else error.message
    return Refused(404 if said.startswith(_NOT_FOUND) else 401, said)


def _of_network(error: NetworkError, token: str) -> ApiFailed:
    cause = error.__cause__
    if isinstance(cause, _NEVER_SENT) or _is_shut(cause):
        return Unreachable(without(token, f"{type(cause).__name__}: {cause}"))
    if cause is None and error.message.startswith("Too Many Requests"):
        return refused(429, error.message)
    if cause is None and "Entity Too Large" in error.message:
        return refused(413, error.message)
    return Unknown(without(token, error.message))


def _is_shut(cause: BaseException | None) -> bool:
    """Whether the application was shut down, with its HTTP client."""
    return isinstance(cause, RuntimeError) and "not initialized" in str(cause)


def _seconds(error: RetryAfter) -> float:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that this will be a timedelta, which it may be already
        wait = error.retry_after
    return wait.total_seconds() if isinstance(wait, timedelta) else float(wait)


def _fields(form: dict[str, str | File | list[Any]]) -> dict[str, str | InputFile | _Text]:
    """What goes out, and beside a list the files in it, by names that it has them under."""
    fields: dict[str, str | InputFile | _Text] = {}

    def attached(file: File) -> str:
        name = f"file{len(fields)}"
        fields[name] = InputFile(file.content, file.name)
        return f"attach://{name}"

    for name, value in form.items():
        if isinstance(value, File):
            fields[name] = InputFile(value.content, value.name)
            continue
        text = value if isinstance(value, str) else as_json(with_files(value, attached))
        fields[name] = _Text(text) if name == "media" else text
    return fields


def handlers(surestep: Surestep, group: int = EARLY) -> Handlers:
    """What to give to `Application.add_handlers`: it takes the updates which are for Surestep, and
    leaves all others to the program's own handlers. The `group` has to be before theirs."""

    async def take(update: Update, context: Context) -> None:
        told = raw(update)
        if not any(kind in told for kind in KINDS) or not await surestep.wants(told):
            return
        try:
            await surestep.take(told)
        except Exception as error:  # else the program's own handlers would be asked as well
            await context.application.process_error(update, error)
        raise ApplicationHandlerStop

    return {group: [TypeHandler(Update, take, block=True)]}


def raw(update: Update) -> Json:
    """An update as the Bot API's own JSON, fields unknown to python-telegram-bot among them."""
    told: Json = _as_sent(update.to_dict())
    return told


def _as_sent(value: Any) -> Any:
    """Takes back what the library, or a program with `arbitrary_callback_data`, had replaced."""
    match value:
        case InvalidCallbackData():
            return value.callback_data
        case Enum():
            return value.value
        case dict():
            return {
                name: _as_sent(part)
                for name, part in value.items()
                if part is not False or name not in _ONLY_TRUE
            }
        case list() | tuple():
            return [_as_sent(part) for part in value]
    return value
