"""A whole ledger into a file and back, and from one database into another."""

from pathlib import Path

import click

from ledger.dumping.shape import Contents
from web.cli.bars import watched
from web.cli.output import progress_bar, say
from web.cli.session import Session, pass_session
from web.moving.dumps import dump as dump_to
from web.moving.dumps import restore as restore_from
from web.moving.migrating import migrate as migrate_to
from web.settings import Settings
from web.wiring import key_file, open_workspace


@click.command()
@click.argument("out", type=click.Path(dir_okay=False, path_type=Path))
@pass_session
def dump(session: Session, out: Path) -> None:
    """Write all events, the log over them and the archive into one file, OUT (.tar.gz).

    It is not for publishing: reports that nobody decided yet are in it. The private store and the
    secret key never are.
    """
    workspace = session.workspace
    workspace.seal()
    with watched() as watcher:
        contents = dump_to(workspace, out, watcher)
    say(f"Wrote {out}: {_told(contents)}. Its SHA-256 of dump.json is {contents.digest}.")
    say(f"Keep {session.settings.key_file} apart from it, and a backup of the private store.")


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@pass_session
def restore(session: Session, file: Path) -> None:
    """Make a ledger of the dump FILE, in a home that has none yet."""
    settings = session.settings
    with watched() as watcher:
        contents = restore_from(settings, file, watcher)
    _catch_up(settings)
    say(f"Restored {settings.home}: {_told(contents)}. All of it holds.")
    if not key_file(settings).has_key():
        say(f"There is no key here to sign with; put the log's own into {settings.key_file}.")


@click.command()
@click.option(
    "--to",
    metavar="ADDRESS|DIR",
    required=True,
    help="postgresql://… for a database, else a folder for a new home with SQLite files.",
)
@pass_session
def migrate(session: Session, to: str) -> None:
    """Move the ledger and the private store to another database, with the same checkpoints.

    Stop the server first. What was here stays as it is.
    """
    workspace = session.workspace
    workspace.seal()
    with watched() as watcher:
        moved = migrate_to(workspace, to, watcher)
    _catch_up(moved.settings)
    count = f"{moved.private} private rows, and the ledger through position {moved.position}"
    say(f"Moved {count}. All of it holds.")
    if moved.settings.database_url is None:
        say(f"From now on say --home {moved.settings.home}, without CORRIGENDA_DATABASE_URL.")
    else:
        say(f"From now on set CORRIGENDA_DATABASE_URL; --home stays {moved.settings.home}.")


def _told(contents: Contents) -> str:
    sealed = "and nothing sealed"
    if contents.root is not None:
        sealed = f"the checkpoint of {contents.size:,} leaves with the root {contents.root}"
    return f"{contents.events:,} events, {contents.files:,} archived files, {sealed}"


def _catch_up(settings: Settings) -> None:
    """Make the read model of what was brought in; nothing is sealed by that."""
    workspace = open_workspace(settings)
    try:
        with progress_bar() as bar:
            task = bar.add_task("Making the read model", total=None)
            workspace.follower.catch_up(
                progress=lambda done, total: bar.update(task, completed=done, total=total)
            )
    finally:
        workspace.close()
