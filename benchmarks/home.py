"""A ledger in a folder of its own, as the command line would open it."""

from pathlib import Path

from benchmarks.boards import files
from ledger.importing.board import Target
from ledger.importing.formats.snapshot import Metrics, read_snapshot
from ledger.values import Slug
from web.settings import Settings
from web.wiring import Workspace, make_home, open_workspace


def fresh(folder: Path) -> Workspace:
    """An empty home."""
    settings = Settings(home=folder)
    make_home(settings)
    return open_workspace(settings)


def import_boards(workspace: Workspace, benchmarks: int) -> int:
    """Import every version of so many boards; returns the ledger's head."""
    importer = workspace.importer("bench")
    now = workspace.ledger.clock()
    for slug, name, data in files(benchmarks):
        target = Target(source=Slug(f"{slug}-board"), benchmark=Slug(slug))
        board = read_snapshot(name, data, target=target, metrics=Metrics(), now=now)
        importer.read(board, target)
    return workspace.ledger.store.head()
