"""Keeping a ledger: make it, read its events, rebuild its read model."""

from collections.abc import Callable, Iterator

import click
import orjson
from rich.progress import Progress, TaskID

from ledger import events as ev
from ledger.errors import Refused
from ledger.values import short_instant
from reports.contract import event_json
from web.cli.options import json_option
from web.cli.output import progress_bar, say, visible
from web.cli.session import Session, pass_session
from web.wiring import Workspace, exists, make_home, make_key

BATCH = 2_000


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
