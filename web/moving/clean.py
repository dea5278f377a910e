"""Leaving a folder as it was found, unless all went well."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def clean_unless_done(folder: Path) -> Iterator[None]:
    """Whatever is raised inside, what came into this folder meanwhile is removed; the folder too,
    if there was none. What was in it before stays.

    A folder with a database in it is left alone: what appears beside that may be its own, such as
    the log of somebody who is writing to it.
    """
    was_there = folder.exists()
    before = set(folder.iterdir()) if was_there else set()
    try:
        yield
    except BaseException:
        if not any(path.suffix == ".db" for path in before):
            _remove(folder, before)
            if not was_there and folder.exists():
                folder.rmdir()
        raise


def _remove(folder: Path, before: set[Path]) -> None:
    """Remove what was not there before."""
    for path in set(folder.iterdir()) - before if folder.exists() else ():
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()
