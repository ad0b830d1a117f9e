"""Surestep through aiogram: calls with its Bot, and a Router for a program that has one already.

    async with surestep(AiogramApi(bot)) as channel:  # bot.mounting
        dispatcher.include_router(router(channel))
        await dispatcher.start_polling(bot)

The router comes before the program's own, whose handlers then never see what is for Surestep.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from io import BytesIO
from typing import Any

from aiogram import Bot, Router
from aiogram.client.session.aiohttp import AiohttpSession
from aiogram.client.telegram import TelegramAPIServer
from aiogram.exceptions import (
    ClientDecodeError,
    TelegramAPIError,
    TelegramBadRequest,
    TelegramConflictError,
    TelegramEntityTooLarge,
    TelegramForbiddenError,
    TelegramMigrateToChat,
    TelegramNetworkError,
    TelegramNotFound,
    TelegramRetryAfter,
    TelegramServerError,
    TelegramUnauthorizedError,
)
from aiogram.filters import Filter
from aiogram.methods import TelegramMethod
from aiogram.types import BufferedInputFile, TelegramObject, Update
from aiogram.utils.token import TokenValidationError
from aiohttp import (
    ClientConnectorError,
    ClientResponseError,
    ConnectionTimeoutError,
    InvalidURL,
    NonHttpUrlClientError,
)

from channels.telegram.api import ApiFailed, File, Flooded, Refused, Unknown, Unreachable
from channels.telegram.arriving import KINDS, Surestep, WrongToken
from channels.telegram.native import Json
from channels.telegram.wire import on_the_wire, refused, too_large, upgraded, with_files, without

_CODES: dict[type[TelegramAPIError], int] = {
    TelegramBadRequest: 400,
    TelegramUnauthorizedError: 401,
    TelegramForbiddenError: 403,
    TelegramNotFound: 404,
    TelegramConflictError: 409,
    TelegramEntityTooLarge: 413,
}
_NEVER_SENT = (ClientConnectorError, ConnectionTimeoutError, InvalidURL, NonHttpUrlClientError)
"""What aiohttp raises before it has a connection: refused, an unknown host, a bad certificate."""


class AiogramApi:
    """The Bot API through aiogram's `Bot`, with its session and the middlewares of that."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot

    async def call(self, method: str, /, *, within: float | None = None, **parameters: Any) -> Any:
        """Carry out a method (see api.Api). Raises ApiFailed."""
        fields = {name: _field(value) for name, value in on_the_wire(parameters).items()}
        asked = _method(method)(**fields)
        try:
            # aiohttp counts fractions of a second; aiogram's annotation does not know
            return await self._bot(asked, request_timeout=within)  # type: ignore[arg-type]
        except Exception as error:
            raise failure(error, self._bot.token) from error

    async def fetch(self, path: str, limit: int) -> bytes:
        """A file by the path that getFile told (see api.Api). Raises ApiFailed."""
        content = _Limited(limit)
        try:
            await self._bot.download_file(path, content)
        except Refused:
            raise
        except Exception as error:
            raise failure(error, self._bot.token) from error
        return content.getvalue()


class _Limited(BytesIO):
    """What is written into it has at most so many bytes. Raises Refused."""

    def __init__(self, limit: int) -> None:
        super().__init__()
        self._limit = limit

    def write(self, chunk: Any, /) -> int:
        if self.tell() + len(chunk) > self._limit:
            raise too_large(self._limit)
        return super().write(chunk)


@asynccontextmanager
async def connect(token: str, base: str) -> AsyncIterator[AiogramApi]:
    """A bot of this process's own, at the Bot API server of this address."""
    session = AiohttpSession(api=TelegramAPIServer.from_base(base))
    try:
        async with Bot(token, session=session) as bot:
            yield AiogramApi(bot)
    except TokenValidationError as error:
        raise WrongToken(Refused(401, "it does not look like a token")) from error
    finally:
        await session.close()


def failure(error: Exception, token: str) -> ApiFailed:
    """What an error of aiogram, of its HTTP library or of a program's middleware means, for the
    bot with this token."""
    match error:
        case TelegramRetryAfter():
            return Flooded(error.retry_after)
        case TelegramMigrateToChat():
            return upgraded(error.migrate_to_chat_id)
        case ClientDecodeError():
            return Unknown(f"no JSON: {error.original}")
        case ClientResponseError():
            return refused(error.status, error.message)
        case FileNotFoundError():
            return Refused(404, "Not Found: the server's file is not on this disk")
        case TelegramAPIError():
            return _of_api(error, token)
    return _of_connection(error, token)


def _of_api(error: TelegramAPIError, token: str) -> ApiFailed:
    code = _CODES.get(type(error))
    if code is not None:
        return refused(code, error.message)
    if isinstance(error, TelegramNetworkError):
        return _of_connection(error.__cause__ or error, token)
    if isinstance(error, TelegramServerError):
        return refused(500, error.message)
    if error.message.startswith("Too Many Requests"):
        return refused(429, error.message)
    return refused(400, error.message)


def _of_connection(error: BaseException, token: str) -> ApiFailed:
    told = without(token, f"{type(error).__name__}: {error}")
    return Unreachable(told) if isinstance(error, _NEVER_SENT) else Unknown(told)


def _field(value: str | File | list[Any]) -> Any:
    # A list is written as JSON by aiogram, which gives the files in it names of its own.
    return value if isinstance(value, str) else with_files(value, _input_file)


def _input_file(file: File) -> BufferedInputFile:
    return BufferedInputFile(file.content, file.name)


@cache
def _method(name: str) -> type[TelegramMethod[Any]]:
    """aiogram's class of a method, without fields of its own: what is given goes out as it is."""

    class Raw(TelegramMethod[Any]):
        __returning__ = Any
        __api_method__ = name

    Raw.__name__ = f"{name[:1].upper()}{name[1:]}"  # what middlewares print
    return Raw


def router(surestep: Surestep, name: str = "surestep") -> Router:
    """A Router that takes the updates which are for Surestep, and leaves all others to the next.

    Include it before the program's own routers; their filters never see what it took.
    """
    ours = Router(name=name)
    for kind in KINDS:
        ours.observers[kind].register(_Taker(surestep).take, _Wanted(surestep))
    return ours


class _Wanted(Filter):
    """Whether an update is for Surestep; its JSON goes along to the handler."""

    def __init__(self, surestep: Surestep) -> None:
        self._surestep = surestep

    async def __call__(self, _: TelegramObject, event_update: Update) -> bool | dict[str, Any]:
        update = raw(event_update)
        return {"surestep_update": update} if await self._surestep.wants(update) else False


class _Taker:
    """Hands over an update that is for Surestep."""

    def __init__(self, surestep: Surestep) -> None:
        self._surestep = surestep

    async def take(self, _: TelegramObject, surestep_update: Json) -> None:
        await self._surestep.take(surestep_update)


def raw(update: Update) -> Json:
    """An update as the Bot API's own JSON: what came, fields unknown to aiogram among them.

    Only what was set came from the server; the rest are aiogram's own defaults.
    """
    return update.model_dump(mode="json", by_alias=True, exclude_unset=True)
