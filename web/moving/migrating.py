"""A home moved from one database into another, with the same leaves and the same checkpoints.

To PostgreSQL only the stores move: the archive and the key stay in the home. To a folder all of it
goes: the stores as SQLite files, the archive, and the key. The old stores stay as they were.

The ledger comes last and is committed as a whole, once it is verified. Whoever dies before that has
an empty ledger there, and can begin again.
"""

import shutil
from contextlib import closing, nullcontext
from pathlib import Path

import attrs

from ledger.archive import Archive
from ledger.dumping.carried import FromStore, fill
from ledger.errors import BadValue, Refused
from ledger.store import Store, open_store
from web.moving.clean import clean_unless_done
from web.moving.dumps import told_by
from web.moving.holding import holding
from web.private import open_private
from web.private.moving import copy_private
from web.settings import Settings
from web.verifying.watched import Watcher
from web.wiring import Workspace, key_file, make_home, random_nonce, random_salt, utc_now

POSTGRES = ("postgresql://", "postgres://")


class StillInUse(Refused):
    """The ledger went on to position {now} while it was moved, and {moved} was moved; nothing was
    recorded in the new place. Stop the server, and repeat the command."""


class SamePlace(Refused):
    """{place} is where the ledger is already; name another place."""


class CannotMigrate(Refused):
    """The ledger cannot be moved to {place} ({why}); it is still where it was."""


@attrs.frozen
class Migrated:
    """Where a ledger is now, and how much was moved."""

    settings: Settings
    position: int
    private: int


def settings_at(settings: Settings, to: str) -> Settings:
    """The settings under which the moved ledger is opened."""
    if to.startswith(POSTGRES):
        found = attrs.evolve(settings, database_url=to)
    elif "://" in to:
        shown = repr(to.partition("://")[0] + "://…")
        raise BadValue(what="place", shown=shown, why="give postgresql://… or a folder")
    else:
        found = attrs.evolve(settings, home=Path(to), database_url=None)
    if found.ledger == settings.ledger or _same(found, settings):
        raise SamePlace(place=found.home if found.database_url is None else "This database")
    return found


def _same(one: Settings, other: Settings) -> bool:
    paths = (one.home, other.home)
    return (
        one.database_url is None
        and other.database_url is None
        and paths[0].resolve() == paths[1].resolve()
    )


def migrate(workspace: Workspace, to: str, watcher: Watcher) -> Migrated:
    """Move a ledger and its private store. Raises ``NotEmpty``, ``PrivateNotEmpty``,
    ``DoesNotHold``, ``StillInUse``, ``Damaged`` and ``CannotMigrate``; then nothing is recorded in
    the new place.
    """
    old = workspace.settings
    new = settings_at(old, to)
    # Where the home stays, what appears in it meanwhile is that of the stores that are moved.
    stays = new.home == old.home
    try:
        with nullcontext() if stays else clean_unless_done(new.home):
            make_home(new)
            with closing(open_store(new.ledger, clock=utc_now, salt=random_salt)) as store:
                with store.filling():
                    pass  # It is empty, or we need not go any further.
                # What is recorded from here on may name frozen bytes that are not copied.
                began = workspace.ledger.store.head()
                _copy_files(workspace.ledger.archive, old, new, watcher)
                private = _copy_private(workspace, new, watcher)
                # Die here: files and private rows, which the next attempt takes for its own.
                position = _copy_ledger(workspace.ledger.store, store, began, new, watcher)
    except OSError as why:
        raise CannotMigrate(place=new.home, why=why.strerror or str(why)) from why
    return Migrated(new, position, private)


def _copy_files(archive: Archive, old: Settings, new: Settings, watcher: Watcher) -> None:
    """The archive and the key, where the home becomes another one."""
    if new.archive == old.archive:
        return
    to = Archive(new.archive)
    for done, digest in enumerate(archive.digests()):
        watcher("Copying the archive", done, None)
        archive.check(digest)
        with archive.open(digest) as file:
            to.put_stream(file, digest)
    for key in (old.key_file, key_file(old).beside):
        if key.exists():
            # With its mode: it is for its owner alone.
            shutil.copy2(key, new.home / key.name)


def _copy_private(workspace: Workspace, new: Settings, watcher: Watcher) -> int:
    with closing(open_private(new.private, clock=utc_now, nonce=random_nonce)) as private:
        return copy_private(
            workspace.private,
            private,
            lambda done: watcher("Copying the private store", done, None),
        )


def _copy_ledger(source: Store, target: Store, began: int, new: Settings, watcher: Watcher) -> int:
    """All events and the log, in one transaction; returns the last position."""
    with target.filling() as filling:
        with source.whole() as whole:
            head = whole.head()
            if head != began:
                raise StillInUse(now=head, moved=began)
            fill(filling, FromStore(whole), told_by(watcher))
        holding(
            filling.whole,
            Archive(new.archive),
            home=new.home,
            keys=key_file(new),
            done="recorded in the new place",
            watcher=watcher,
        )
        now = source.head()
        if now != head:
            raise StillInUse(now=now, moved=head)
    return head
