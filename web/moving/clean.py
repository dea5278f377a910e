"""Leaving a folder as it was found, unless all went well."""

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ledger.errors import Refused


class BeingFilled(Refused):
    """{folder} is being filled by another command, so nothing was recorded; wait until that is
    done."""


@contextmanager
def clean_unless_done(folder: Path) -> Iterator[None]:
    """Whatever is raised inside, what came into this folder meanwhile is removed; the folder too,
    if there was none. What was in it before stays.

    A folder with a database in it is left alone: what appears beside that may be its own, such as
    the log of somebody who is writing to it. One command at a time has the folder, as the one that
    fails would take away what the other brought; raises :class:`BeingFilled`.
    """
    was_there = not _made(folder)
    with _alone_in(folder):
        before = set(folder.iterdir())
        try:
            yield
        except BaseException:
            if not any(path.suffix == ".db" for path in before):
                _remove(folder, before)
                if not was_there and folder.exists():
                    folder.rmdir()
            raise


def _made(folder: Path) -> bool:
    """Whether the folder was not there before; it is now."""
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        return False
    return True


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Nobody else has the folder so; it is given back whatever becomes of us."""
    held = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise BeingFilled(folder=folder) from None
    else:
        yield
    finally:
        os.close(held)


def _remove(folder: Path, before: set[Path]) -> None:
    """Remove what was not there before."""
    for path in set(folder.iterdir()) - before if folder.exists() else ():
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()
