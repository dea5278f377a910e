"""Keeping a ledger: make it, look whether it is well, read its events, rebuild its read model."""

from collections.abc import Callable, Iterator

import click
import orjson
from rich.progress import Progress, TaskID

from ledger import events as ev
from ledger.errors import Refused
from ledger.values import Digest, short_instant
from reports.contract import event_json
from web.cli.options import json_option
from web.cli.output import progress_bar, say, visible
from web.cli.sealing import log_of
from web.cli.session import Session, pass_session
from web.wiring import HomeMissing, Workspace, exists, make_home, make_key

BATCH = 2_000
MOST_SHOWN = 5


@click.command()
@pass_session
def init(session: Session) -> None:
    """Make a home for a ledger; one that is there already stays as it is."""
    settings = session.settings
    there = exists(settings)
    try:
        make_home(settings)
    except OSError as why:
        raise CannotMakeHome(home=settings.home, why=why.strerror) from None
    make_key(session.workspace)
    session.workspace.catch_up()
    say(f"{settings.home} {'is a ledger already' if there else 'is a ledger now, still empty'}.")


class CannotMakeHome(Refused):
    """A ledger cannot be made at {home} ({why}); name another place with --home."""


# --- doctor -----------------------------------------------------------------------------------


@click.command()
@pass_session
def doctor(session: Session) -> None:
    """Check the home, the stores, the read model and the archive; status 1 when one is not well."""
    checks: tuple[tuple[str, Callable[[Session], str]], ...] = (
        ("home", _home),
        ("ledger", _ledger),
        ("log", log_of),
        ("read model", _read_model),
        ("archive", _archive),
    )
    well = True
    for name, check in checks:
        try:
            click.echo(visible(f"ok      {name}: {check(session)}"))
        except Exception as why:  # noqa: BLE001 -- whatever ails it, a doctor says what, and goes on
            well = False
            click.echo(visible(f"not ok  {name}: {why}"))
    if not well:
        click.get_current_context().exit(1)


class Unwell(Refused):
    """{what}."""


def _home(session: Session) -> str:
    settings = session.settings
    if not exists(settings):
        raise HomeMissing(name=settings.home)
    return str(settings.home.resolve())


def _ledger(session: Session) -> str:
    return f"{session.workspace.ledger.store.head()} is the last position"


def _read_model(session: Session) -> str:
    workspace = session.workspace
    head, reached = workspace.ledger.store.head(), workspace.follower.position()
    if reached < head:
        what = f"it has reached position {reached} of {head}; corrigenda rebuild brings it up"
        raise Unwell(what=what)
    return f"it has reached position {reached}"


def _archive(session: Session) -> str:
    """Whether every snapshot that a reading names is there, with the bytes that it is named by."""
    workspace = session.workspace
    wrong: list[str] = []
    checked = 0
    for digest in frozen_digests(workspace):
        checked += 1
        try:
            workspace.ledger.archive.get(digest)
        except Refused as why:
            wrong.append(str(why))
    if wrong:
        more = f" And {len(wrong) - MOST_SHOWN} more." if len(wrong) > MOST_SHOWN else ""
        raise Unwell(what=" ".join(wrong[:MOST_SHOWN]) + more)
    return f"{checked} snapshots are there and give their SHA-256"


def frozen_digests(workspace: Workspace) -> list[Digest]:
    """The digests of all snapshots that the ledger names, in the order of their first reading."""
    found = (
        record.event.digest
        for record in all_events(workspace)
        if isinstance(record.event, ev.SourceFrozen)
    )
    return list(dict.fromkeys(found))


# --- events -----------------------------------------------------------------------------------


@click.command()
@click.option(
    "--from",
    "start",
    metavar="P",
    type=click.IntRange(min=0),
    default=0,
    help="From this position.",
)
@json_option
@pass_session
def events(session: Session, start: int, as_json: bool) -> None:
    """List what is recorded, in the order of positions."""
    records = all_events(session.workspace, start)
    if as_json:
        _print_events(records)
        return
    for record in records:
        envelope = record.envelope
        click.echo(
            f"{record.position:>8}  {short_instant(envelope.recorded_at)}  {envelope.type}"
            f"  {envelope.stream} v{envelope.version}  by {envelope.recorded_by}"
        )


def _print_events(records: Iterator[ev.Recorded]) -> None:
    """One JSON document, written event by event: a ledger may hold millions."""
    before = b'{"events": ['
    for record in records:
        click.echo(before + b"\n" + orjson.dumps(event_json(record)), nl=False)
        before = b","
    click.echo((b"" if before == b"," else before) + b"]}")


def all_events(workspace: Workspace, start: int = 0) -> Iterator[ev.Recorded]:
    """Every recorded event from a position on, read in batches."""
    position = start - 1
    while records := workspace.ledger.store.after(position, BATCH):
        yield from records
        position = records[-1].position


# --- rebuilding -------------------------------------------------------------------------------


@click.command()
@click.option("--check", is_flag=True, help="Change nothing: say where a rebuild would differ.")
@pass_session
def rebuild(session: Session, check: bool) -> None:
    """Fill the read model anew from the events, beside the live one, and then switch over."""
    follower = session.workspace.follower
    with progress_bar() as bar:
        advance = _advancing(bar, bar.add_task("Checking" if check else "Rebuilding", total=None))
        if not check:
            position = follower.rebuild(advance)
        else:
            found = follower.check(advance)
    if not check:
        say(f"The read model is rebuilt through position {position}.")
        return
    for difference in found:
        click.echo(visible(difference))
    if found:
        click.get_current_context().exit(1)
    say("A rebuild gives the same.")


def _advancing(bar: Progress, task: TaskID) -> Callable[[int, int], None]:
    return lambda done, total: bar.update(task, completed=done, total=total)
