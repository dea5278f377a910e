"""A whole ledger as one file, and that file as a ledger again."""

import os
import tempfile
from contextlib import closing
from pathlib import Path

from ledger.archive import Archive
from ledger.dumping.carried import FromStore, Told, fill
from ledger.dumping.reading import check_dump, open_dump
from ledger.dumping.shape import Contents
from ledger.dumping.writing import open_writer
from ledger.errors import Refused
from ledger.store import open_store
from reports.paper.release import RELEASE
from web.moving.clean import clean_unless_done
from web.moving.holding import holding
from web.settings import Settings
from web.verifying.watched import Watcher
from web.wiring import Workspace, key_file, make_home, random_salt, utc_now


class CannotDump(Refused):
    """{file} cannot be written ({why}); nothing was dumped to it."""


class CannotRestore(Refused):
    """{file} cannot be restored to {home} ({why}); nothing was recorded."""


def dump(workspace: Workspace, out: Path, watcher: Watcher) -> Contents:
    """Write all of a ledger, as it stands at one moment, into a file.

    The file has its name once it is complete. Raises ``DoesNotHold`` for a ledger that could not be
    restored again, ``Damaged`` and ``CannotDump``.
    """
    archive = workspace.ledger.archive
    try:
        # A name of its own: somebody else may be dumping to the same file. It is for its owner
        # alone, as reports that nobody decided yet are in it.
        handle, name = tempfile.mkstemp(prefix=f".{out.name}.", dir=out.parent)
    except OSError as why:
        raise CannotDump(file=out, why=why.strerror or why) from why
    partial = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            with open_writer(file) as writer:
                with workspace.ledger.store.whole() as whole:
                    holding(
                        whole,
                        archive,
                        home=workspace.settings.home,
                        keys=None,
                        done="dumped",
                        watcher=watcher,
                    )
                    writer.ledger(FromStore(whole), told_by(watcher))
                # Later than the events: what these name is there, and a file more does no harm.
                writer.archive(archive, told_by(watcher))
                contents = writer.end(RELEASE)
            file.flush()
            os.fsync(file.fileno())
        # If we die before this line, what was there before is still there.
        partial.replace(out)
    except OSError as why:
        raise CannotDump(file=out, why=why.strerror or why) from why
    finally:
        partial.unlink(missing_ok=True)
    return contents


def restore(settings: Settings, file: Path, watcher: Watcher) -> Contents:
    """Make a ledger of a dump, in a home that has none.

    All of the dump is looked at before anything is recorded, and all that was put in is verified
    before it is committed. Raises ``DumpRefused``, ``NotEmpty``, ``DoesNotFit``, ``DoesNotHold``
    and ``CannotRestore``, and leaves nothing behind then.
    """
    told = told_by(watcher)
    archive = Archive(settings.archive)
    try:
        with clean_unless_done(settings.home):
            make_home(settings)
            with closing(open_store(settings.ledger, clock=utc_now, salt=random_salt)) as store:
                with store.filling():
                    pass  # It is empty, or we need not read any further.
                contents = check_dump(file, archive, told)
                # Die here: frozen bytes that nobody names, and a ledger that is still empty.
                with store.filling() as filling, open_dump(file) as found:
                    fill(filling, found, told)
                    found.same(contents)
                    holding(
                        filling.whole,
                        archive,
                        home=settings.home,
                        keys=key_file(settings),
                        done="recorded",
                        watcher=watcher,
                    )
    except OSError as why:
        why_not = why.strerror or str(why)
        raise CannotRestore(file=file, home=settings.home, why=why_not) from why
    return contents


def told_by(watcher: Watcher) -> Told:
    """What the ledger's own steps tell, for whoever waits."""
    return lambda doing, done: watcher(doing, done, None)
