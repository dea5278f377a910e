"""A ledger in a folder of its own, as the command line would open it."""

from collections.abc import Iterable
from pathlib import Path

from ledger.importing.board import Target
from ledger.importing.formats.snapshot import Metrics, read_snapshot
from ledger.values import Slug
from web.settings import Settings
from web.wiring import Workspace, make_home, open_workspace


def fresh(folder: Path, address: str | None = None) -> Workspace:
    """An empty home, with its stores in files or at the address of an empty database."""
    settings = Settings(home=folder, database_url=address)
    make_home(settings)
    return open_workspace(settings)


def import_boards(workspace: Workspace, boards: Iterable[tuple[str, str, bytes]]) -> int:
    """Import versions of boards; returns the ledger's head."""
    importer = workspace.importer("bench")
    now = workspace.ledger.clock()
    for slug, name, data in boards:
        target = Target(source=Slug(f"{slug}-board"), benchmark=Slug(slug))
        board = read_snapshot(name, data, target=target, metrics=Metrics(), now=now)
        importer.read(board, target)
    return workspace.ledger.store.head()
