"""A benchmark on the command line: its board, what changed on it, who led it."""

import click

from ledger.values import parse_instant
from projections.board.benchmarks import benchmark_at
from projections.board.boards import Board, board_at
from projections.board.history import Status, coverage, posts, status
from projections.board.history import leaders as leaders_of
from projections.board.shown import shown_on
from projections.keeping.views import Reader
from projections.moment import Moment
from projections.over_time.changes import changes_between
from projections.over_time.later import changed_since
from reports.contract import board_json, leaders_json, step_json
from web.cli import show
from web.cli.options import board_time, json_option, which_board
from web.cli.output import console, print_json
from web.cli.session import Session, pass_session
from web.csv_forms import board_csv


@click.command()
@click.argument("slug")
@which_board
@board_time
@click.option("--every-claim", is_flag=True, help="One row per claim, not per model.")
@json_option
@click.option("--csv", "as_csv", is_flag=True, help="Print the ranked rows as CSV.")
@pass_session
def board(
    session: Session,
    /,
    slug: str,
    view: str | None,
    metric: str | None,
    every_claim: bool,
    as_json: bool,
    as_csv: bool,
    **asked: str | None,
) -> None:
    """Print the board of a benchmark, as read on any day."""
    if as_json and as_csv:
        raise click.UsageError("Choose one of --json and --csv.")
    workspace = session.caught_up()
    moment = workspace.moment(**asked)
    with workspace.views.read() as reader:
        found = board_at(reader, slug, moment, view=view, metric=metric, every_claim=every_claim)
        if as_csv:
            stated = shown_on(reader, workspace.ledger.store, found)
            click.echo(board_csv(found, stated).encode(), nl=False)
        elif as_json:
            how = status_of(reader, found, moment)
            covered, later = coverage(reader, found), changed_since(reader, slug, moment)
            print_json(board_json(found, leaders_of(found), how, covered, later))
        else:
            show.board(console(), found, status_of(reader, found, moment))


def status_of(reader: Reader, found: Board, moment: Moment) -> Status:
    """The status of a board's benchmark."""
    return status(found, posts(reader, found.benchmark.slug, moment))


@click.command()
@click.argument("slug")
@click.option(
    "--from",
    "since",
    metavar="D1",
    required=True,
    help="From the start of this day, or an instant.",
)
@click.option(
    "--to", "until", metavar="D2", required=True, help="To the end of this day, or an instant."
)
@json_option
@pass_session
def changes(session: Session, slug: str, since: str, until: str, as_json: bool) -> None:
    """List every step on a benchmark between two days, both included, and what caused it."""
    workspace = session.caught_up()
    start, moment = (
        parse_instant(since, "--from"),
        workspace.moment(as_read_on=until, day_named="--to"),
    )
    with workspace.views.read() as reader:
        name = benchmark_at(reader, slug, moment).name
        steps = changes_between(reader, workspace.ledger.store, slug, start, moment)
    if as_json:
        print_json([step_json(step) for step in steps])
    else:
        show.changes(console(), name, since, until, steps)


@click.command()
@click.argument("slug")
@which_board
@board_time
@json_option
@pass_session
def leaders(
    session: Session,
    /,
    slug: str,
    view: str | None,
    metric: str | None,
    as_json: bool,
    **asked: str | None,
) -> None:
    """List who held number one of a benchmark since when, oldest first.

    Scores count from their own dates: a lab's from its publication, an independent one from its
    model's release. This is not what a board showed on those dates.
    """
    workspace = session.caught_up()
    moment = workspace.moment(**asked)
    with workspace.views.read() as reader:
        found = board_at(reader, slug, moment, view=view, metric=metric)
    held = leaders_of(found)
    if as_json:
        print_json(leaders_json(held))
    else:
        show.leaders(console(), found, held)
