"""A PostgreSQL of the tests' own: one server for the session, one fresh database for each test.

The server is Debian's, found by its binaries; its cluster lies in a temporary folder and goes when
the session ends. It listens on 127.0.0.1 alone, on a port nobody else has, and asks for a password
that only this session knows. If PostgreSQL is not installed the tests fail and say so: a skipped
database test is one that nobody notices.
"""

import os
import secrets
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import attrs
import psycopg
import pytest
from psycopg import sql

TRIES = 5
"""How often another port is tried, should somebody take ours before the server does."""

SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    # A crash of the machine may cost us the cluster; it is thrown away anyway.
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "shared_buffers": "64MB",
    "max_connections": "100",
    "timezone": "UTC",
    "log_min_messages": "warning",
}


@attrs.frozen
class Server:
    """A running server, and how to reach it: as its owner, or as the plain user of the tests."""

    port: int
    password: str = attrs.field(repr=False)

    def url(self, database: str, user: str = "corrigenda") -> str:
        """Give the address of a database, in the form that libpq and we ourselves read."""
        return f"postgresql://{user}:{self.password}@127.0.0.1:{self.port}/{database}"

    def as_owner(self) -> psycopg.Connection:
        """Connect with all rights, outside any transaction, as CREATE DATABASE wants it."""
        return psycopg.connect(self.url("postgres", user="postgres"), autocommit=True)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Server]:
    """Start a server in a cluster of its own, and stop that very server at the end."""
    with running_server() as server:
        yield server


@pytest.fixture
def postgres_url(postgres_server: Server) -> Iterator[str]:
    """Give the address of an empty database that no other test sees."""
    with empty_database(postgres_server) as address:
        yield address


@contextmanager
def running_server() -> Iterator[Server]:
    """A server in a cluster that goes when it stops."""
    binaries = _newest_binaries()
    user = _user_to_run_it()
    place = Path(tempfile.mkdtemp(prefix="corrigenda-pg-"))
    try:
        if user:
            shutil.chown(place, user, user)
        cluster = _Cluster(binaries=binaries, user=user, place=place)
        cluster.make()
        server = cluster.start()
        try:
            with server.as_owner() as connection:
                # The product gets no more rights than an operator would give it.
                connection.execute(
                    sql.SQL("CREATE ROLE corrigenda LOGIN PASSWORD {}").format(server.password)
                )
            yield server
        finally:
            cluster.stop()
    finally:
        shutil.rmtree(place)


@contextmanager
def empty_database(server: Server) -> Iterator[str]:
    """The address of a new database of a server, which goes at the end."""
    name = f"test_{secrets.token_hex(8)}"
    database = sql.Identifier(name)
    with server.as_owner() as connection:
        connection.execute(
            sql.SQL("CREATE DATABASE {} OWNER corrigenda TEMPLATE template0").format(database)
        )
        yield server.url(name)
        # FORCE: what a failed test left connected must not fail the next one.
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(database))


@attrs.frozen
class _Cluster:
    """A folder with a cluster in it, and the few commands that it takes."""

    binaries: Path
    user: str | None
    place: Path
    password: str = attrs.field(init=False, repr=False, factory=lambda: secrets.token_hex(16))

    @property
    def folder(self) -> Path:
        return self.place / "cluster"

    def make(self) -> None:
        """Make the cluster; the password comes from a file, so no process list shows it."""
        secret = self.place / "password"
        secret.write_text(self.password, encoding="ascii")
        self._run(
            "initdb",
            f"--pgdata={self.folder}",
            f"--pwfile={secret}",
            "--username=postgres",
            # Over loopback a hash would only cost time.
            "--auth=password",
            "--encoding=UTF8",
            "--locale=C.UTF-8",
            "--no-sync",
        )
        secret.unlink()

    def start(self) -> Server:
        """Start the server on a free port and wait until it answers."""
        for tries_left in reversed(range(TRIES)):
            port = _free_port()
            settings = {**SETTINGS, "port": str(port)}
            options = " ".join(f"-c {name}='{value}'" for name, value in settings.items())
            try:
                self._pg_ctl("start", f"--log={self.place / 'log'}", f"--options={options}")
            except _CommandFailedError:
                if not tries_left:
                    raise
            else:
                return Server(port=port, password=self.password)
        raise AssertionError

    def stop(self) -> None:
        """Stop the server of this folder, and no other: pg_ctl reads its pid from there."""
        self._pg_ctl("stop", "--mode=immediate")

    def _pg_ctl(self, *words: str) -> None:
        self._run("pg_ctl", f"--pgdata={self.folder}", "--wait", "--timeout=60", *words)

    def _run(self, program: str, *words: str) -> None:
        """Run one of the server's programs, in a folder and an environment that it may use."""
        # Output goes to a file: the server inherits it, and a pipe would stay open with it.
        output = self.place / "output"
        with output.open("wb") as file:
            done = subprocess.run(
                [str(self.binaries / program), *words],
                user=self.user,
                group=self.user,
                extra_groups=() if self.user else None,
                cwd=self.place,
                env={"PATH": os.defpath, "LC_ALL": "C.UTF-8"},
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
                timeout=120,
                check=False,
            )
        if done.returncode:
            log = self.place / "log"
            said = output.read_text() + (log.read_text() if log.exists() else "")
            raise _CommandFailedError(program, done.returncode, said)


class _CommandFailedError(Exception):
    """A program of PostgreSQL failed; what it said follows."""

    def __init__(self, program: str, code: int, said: str) -> None:
        super().__init__(f"{program} ended with {code}:\n{said}")


def _newest_binaries() -> Path:
    """Find the server's programs: where Debian keeps them, or wherever the path leads."""
    found = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/pg_ctl")]
    if found:
        return max(found, key=lambda folder: int(folder.parent.name))
    on_path = shutil.which("pg_ctl")
    if on_path:
        return Path(on_path).resolve().parent
    pytest.fail(
        "PostgreSQL is not installed, and these tests do not pass without it: run `make set-up`, "
        "or install Debian's package postgresql",
        pytrace=False,
    )


def _user_to_run_it() -> str | None:
    """Name the user that PostgreSQL has to run as, since it refuses root; else none."""
    return "postgres" if os.geteuid() == 0 else None


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
