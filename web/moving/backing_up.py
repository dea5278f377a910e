"""A consistent copy of a home whose stores are SQLite files, while others go on writing to it.

The copy is a home: to restore it is to put it in its place. SQLite's own online backup copies each
file as it stands at one moment; the order of the moments makes them fit. The read model comes
first, so it knows nothing that the copied ledger lacks. The ledger is held still while it and the
private store are copied, so neither names what the other lacks. The archive only grows, and what an
event names was archived before it.
"""

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import attrs

from ledger.archive import Archive, Changed
from ledger.errors import Busy, Refused
from ledger.store import open_store
from web.settings import Settings
from web.wiring import random_salt, utc_now

OWNER_ALONE = 0o600
BUSY_SECONDS = 20.0


class BackupElsewhere(Refused):
    """The stores are in PostgreSQL, whose own tools copy them: pg_dump, or a base backup with its
    WAL. The archive, {archive}, is a folder that only grows; copy it after them."""


class BackupThere(Refused):
    """{out} is there already and stays as it is; name a folder that is not."""


class CannotBackUp(Refused):
    """{out} cannot be made ({why}); nothing was left there."""


class BackupDamaged(Refused):
    """{file} does not hold together ({why}), so nothing was left at {out}; ask corrigenda
    doctor."""


@attrs.frozen
class BackedUp:
    """How far the copied ledger goes, and how many archived files are beside it."""

    position: int
    files: int


def back_up(settings: Settings, out: Path) -> BackedUp:
    """Copy a home to a folder that is not there yet; it has its name once it is complete.

    The key that signs checkpoints is not copied. Raises ``BackupElsewhere``, ``BackupThere``,
    ``CannotBackUp``, ``BackupDamaged``, ``Damaged`` and ``Busy``.
    """
    if settings.database_url is not None:
        raise BackupElsewhere(archive=settings.archive)
    if out.exists():
        raise BackupThere(out=out)
    try:
        partial = Path(tempfile.mkdtemp(prefix=f".{out.name}.", dir=out.parent))
        try:
            files = _copy(settings, Settings(home=partial), out)
            position = _head(partial)
            _settle(partial)
            # Crash before this: a folder whose name begins with a dot, which may be removed.
            partial.rename(out)
            _sync(out.parent)
        except BaseException:
            shutil.rmtree(partial)
            raise
    except (OSError, sqlite3.Error) as why:
        raise CannotBackUp(out=out, why=getattr(why, "strerror", None) or why) from why
    return BackedUp(position, files)


def _copy(here: Settings, there: Settings, out: Path) -> int:
    _copy_database(Path(here.views), Path(there.views))
    with _held_still(Path(here.ledger)):
        _copy_database(Path(here.ledger), Path(there.ledger))
        _copy_database(Path(here.private), Path(there.private))
    for copied, path in (
        (there.views, here.views),
        (there.ledger, here.ledger),
        (there.private, here.private),
    ):
        _check_database(Path(copied), Path(path), out)
    return _copy_archive(Archive(here.archive), there.archive)


@contextmanager
def _held_still(ledger: Path) -> Iterator[None]:
    """Let nobody append meanwhile: they wait, and readers do not notice."""
    with closing(sqlite3.connect(ledger, isolation_level=None, timeout=BUSY_SECONDS)) as holder:
        try:
            holder.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as why:
            raise Busy from why
        try:
            yield
        finally:
            holder.execute("ROLLBACK")


def _copy_database(source: Path, target: Path) -> None:
    """One step, and so one moment; in WAL mode nobody waits for it."""
    os.close(os.open(target, os.O_CREAT | os.O_RDWR, OWNER_ALONE))
    with (
        closing(sqlite3.connect(source, timeout=BUSY_SECONDS)) as reading,
        closing(sqlite3.connect(target)) as writing,
    ):
        reading.backup(writing)


def _check_database(copied: Path, source: Path, out: Path) -> None:
    """See that the copy holds together, in one file and no log beside it."""
    with closing(sqlite3.connect(copied)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")
        said = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    if said != "ok":
        raise BackupDamaged(file=source, why=said, out=out)


def _copy_archive(archive: Archive, folder: Path) -> int:
    """Each file is checked on its way."""
    folder.mkdir()
    to, count = Archive(folder), 0
    for count, digest in enumerate(archive.digests(), start=1):  # noqa: B007 -- how many there were
        with archive.open(digest) as file:
            try:
                to.put_stream(file, digest)
            except Changed:
                archive.check(digest)  # Says so where it is the archived file that is damaged.
                raise
    return count


def _head(home: Path) -> int:
    where = str(Settings(home=home).ledger)
    with closing(open_store(where, clock=utc_now, salt=random_salt)) as store:
        return store.head()


def _settle(folder: Path) -> None:
    """See that the databases are on the disk; the archive does so itself."""
    for path in folder.iterdir():
        if path.is_file():
            _sync(path)
    _sync(folder)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
