"""A program that cannot serve Telegram says so in a line, and does not say that it does."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path

import pytest

from bot.serving import serve
from core.channel import CannotServe
from tests.support.program import log_of, program
from tests.support.telegram.server import TelegramServer
from tests.support.telegram_bot import settings_for


async def test_a_busy_port_is_named_with_what_to_do(
    server: TelegramServer, tmp_path: Path, driver: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as busy:
        port = busy.getsockname()[1]
        url = f"http://127.0.0.1:{port}/telegram"
        here = {"telegram_webhook_url": url, "web_host": "127.0.0.1", "web_port": port}
        with pytest.raises(CannotServe) as raised:
            await serve(settings_for(server, tmp_path, driver, **here))
    assert str(raised.value).startswith(f"Nothing can listen at 127.0.0.1, port {port} (")
    assert "Choose another port with PORT, or leave out TELEGRAM_WEBHOOK_URL" in str(raised.value)
    assert "Ctrl-C stops" not in capsys.readouterr().err
    assert server.called("setWebhook") == []


async def test_a_wrong_token_is_wrong_use(server: TelegramServer, tmp_path: Path) -> None:
    (tmp_path / "journeys").mkdir()
    wrong = {"TELEGRAM_BOT_TOKEN": "1:wrong", "TELEGRAM_API_BASE": server.url}
    async with program(server, tmp_path, **wrong) as started, asyncio.timeout(30):
        await started.watching
        assert started.code == 2, log_of(tmp_path)
    assert "Telegram knows no bot with this token" in log_of(tmp_path)
    assert "Traceback" not in log_of(tmp_path)


async def test_a_server_that_gives_no_answer_is_nothing_that_was_set_wrongly(
    server: TelegramServer, tmp_path: Path
) -> None:
    (tmp_path / "journeys").mkdir()
    with socket.create_server(("127.0.0.1", 0)) as gone:
        nowhere = f"http://127.0.0.1:{gone.getsockname()[1]}"
    away = {"TELEGRAM_BOT_TOKEN": "1:a", "TELEGRAM_API_BASE": nowhere}
    async with program(server, tmp_path, **away) as started, asyncio.timeout(30):
        await started.watching
        assert started.code == 1, log_of(tmp_path)
    assert "gave no answer" in log_of(tmp_path)
