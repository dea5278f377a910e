"""A second PostgreSQL server that really follows the tests' own: streaming, hot standby, read only.

It is copied with pg_basebackup into a folder that goes at the end, and listens on loopback alone.
"""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import attrs
import psycopg

from tests.postgres import SETTINGS, Server, _Cluster, _newest_binaries, _user_to_run_it


@attrs.define
class OwnServer:
    """A server of a test's own, which can be stopped and started again at the same address."""

    cluster: _Cluster
    password: str = attrs.field(repr=False)
    server: Server = attrs.field(init=False)
    runs: bool = attrs.field(default=False, init=False)

    def __attrs_post_init__(self) -> None:
        self.server = attrs.evolve(self.cluster.start(), password=self.password)
        self.runs = True

    def start(self) -> None:
        """Start it once more, where it was."""
        settings = {**SETTINGS, "port": str(self.server.port)}
        options = " ".join(f"-c {name}='{value}'" for name, value in settings.items())
        log = f"--log={self.cluster.place / 'log'}"
        self.cluster._pg_ctl("start", log, f"--options={options}")  # noqa: SLF001 -- its command
        self.runs = True

    def stop(self) -> None:
        """Stop it at once, whoever is connected."""
        self.cluster.stop()
        self.runs = False

    def run(self, statement: str) -> Any:
        """The one value that a statement gives on it, as its superuser."""
        with self.server.as_owner() as connection:
            row = connection.execute(statement.encode()).fetchone()
        return row[0] if row else None


@contextmanager
def following(server: Server) -> Iterator[OwnServer]:
    """A server that follows another one, with all its databases and roles."""
    with _folder() as cluster:
        cluster._run(  # noqa: SLF001 -- a program of the server like any other
            "pg_basebackup",
            f"--pgdata={cluster.folder}",
            f"--dbname={server.url('postgres', user='postgres')}",
            "--write-recovery-conf",
            "--wal-method=stream",
            "--checkpoint=fast",
            "--no-sync",
        )
        with _running(cluster, server.password) as follower:
            yield follower


@contextmanager
def own_server(wal_kept: bool = False) -> Iterator[OwnServer]:
    """A server for nobody else, with the plain user of the tests; its WAL is kept if asked for."""
    with _folder() as cluster:
        cluster.make()
        if wal_kept:
            wal = _wal_of(cluster)
            wal.mkdir()
            if cluster.user:
                shutil.chown(wal, cluster.user, cluster.user)
            keeping = (
                f"archive_mode = on\narchive_command = 'test ! -f {wal}/%f && cp %p {wal}/%f'\n"
            )
            _configure(cluster, keeping)
        with _running(cluster, cluster.password) as server:
            with server.server.as_owner() as connection:
                role = f"CREATE ROLE corrigenda LOGIN PASSWORD '{cluster.password}'"
                connection.execute(role.encode())
            yield server


@contextmanager
def recovered(lost: OwnServer, base: Path) -> Iterator[OwnServer]:
    """The server that a base backup and the kept WAL of a lost one give."""
    with _folder() as cluster:
        shutil.copytree(base, cluster.folder)
        for path in (cluster.folder, *cluster.folder.rglob("*")):
            if cluster.user:
                shutil.chown(path, cluster.user, cluster.user)
        _configure(cluster, f"restore_command = 'cp {_wal_of(lost.cluster)}/%f %p'\n")
        (cluster.folder / "recovery.signal").touch()
        with _running(cluster, lost.password) as server:
            yield server


def base_backup(server: OwnServer, name: str) -> Path:
    """Copy a running server as its superuser would, beside it."""
    folder = server.cluster.place / name
    server.cluster._run(  # noqa: SLF001 -- a program of the server like any other
        "pg_basebackup",
        f"--pgdata={folder}",
        f"--dbname={server.server.url('postgres', user='postgres')}",
        "--wal-method=none",
        "--checkpoint=fast",
        "--no-sync",
    )
    return folder


def _wal_of(cluster: _Cluster) -> Path:
    return cluster.place / "wal"


def _configure(cluster: _Cluster, lines: str) -> None:
    with (cluster.folder / "postgresql.conf").open("a", encoding="ascii") as file:
        file.write(lines)


@contextmanager
def _folder() -> Iterator[_Cluster]:
    user = _user_to_run_it()
    place = Path(tempfile.mkdtemp(prefix="corrigenda-pg-"))
    try:
        if user:
            shutil.chown(place, user, user)
        yield _Cluster(binaries=_newest_binaries(), user=user, place=place)
    finally:
        shutil.rmtree(place)


@contextmanager
def _running(cluster: _Cluster, password: str) -> Iterator[OwnServer]:
    server = OwnServer(cluster, password)
    try:
        yield server
    finally:
        if server.runs:
            server.stop()


def caught_up(primary: Server, follower: OwnServer) -> None:
    """Wait until the second server has replayed all that the first one has written."""
    with primary.as_owner() as connection:
        row = connection.execute("SELECT pg_current_wal_insert_lsn()::text").fetchone()
    assert row is not None
    for _ in range(600):
        if follower.run(f"SELECT pg_last_wal_replay_lsn() >= '{row[0]}'::pg_lsn"):
            return
        with psycopg.connect(primary.url("postgres", user="postgres")) as connection:
            connection.execute("SELECT pg_sleep(0.05)")
    raise AssertionError("it does not follow")
