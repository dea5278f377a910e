"""The archive of a home: every file is read, in pieces, and no two at once."""

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

from ledger.archive import Archive
from ledger.verifying.archive import ArchiveCheck, ArchivedFile
from ledger.verifying.events import EventCheck
from ledger.verifying.finding import Finding
from ledger.verifying.verdict import Verdict
from web.verifying.watched import Watcher, unwatched, watched

PIECE = 1 << 20
SHOWN = 10


def verify_archive(
    archive: Archive, events: EventCheck, verdict: Verdict, watcher: Watcher = unwatched
) -> Iterator[Finding]:
    """Read every file of the archive, and look for those that events name."""
    check = ArchiveCheck(events.kept, events.named)
    strangers: list[str] = []
    for path in watched(_files(archive.folder), watcher, "Reading the archive", len(events.kept)):
        shown = str(path.relative_to(archive.folder))
        if path == archive.folder / path.name[:2] / path.name[2:4] / path.name:
            try:
                found = _digest_of(path)
            except OSError as why:
                yield check.unreadable(shown, path.name, why.strerror or str(why))
            else:
                yield from check.add(ArchivedFile(shown, path.name, found))
        else:
            strangers.append(shown)
    yield from check.end()
    verdict.checked["files"] = check.files
    strangers += check.strangers
    if strangers:
        more = "" if len(strangers) <= SHOWN else f" and {len(strangers) - SHOWN} more"
        names = ", ".join(strangers[:SHOWN])
        verdict.notes.append(f"the archive has files that no event names: {names}{more}")


def _files(folder: Path) -> Iterator[Path]:
    """All files, in order, but for what a crash left: its name begins with a dot."""
    for place, folders, names in os.walk(folder):
        folders.sort()
        yield from (Path(place) / name for name in sorted(names) if not name.startswith("."))


def _digest_of(path: Path) -> str:
    found = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(PIECE):
            found.update(piece)
    return found.hexdigest()
