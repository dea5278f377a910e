"""Taking away what a page shows, as a file that can be checked without us."""

from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path
from typing import Any

import click

from ledger.errors import Refused
from ledger.values import parse_day
from projections.moment import Moment
from reports.bundle import (
    Bundle,
    board_bundle,
    claim_bundle,
    correction_bundle,
    corrections_bundle,
)
from reports.pdf import pdf_of
from reports.prov import FORMS as PROV_FORMS
from reports.prov import prov_bytes
from web.cli.options import Command, board_time, reading_time, which_board
from web.cli.output import say
from web.cli.session import Session, pass_session
from web.exports import of_a_day, records_of

STANDARD_OUTPUT = "-"


class CannotWrite(Refused):
    """{file} cannot be written ({why}); nothing was exported to it."""


@click.group()
def export() -> None:
    """Take a board, a claim or decisions away: as a bundle with its proofs, PDF, or W3C PROV."""


# --- where to, and in which form --------------------------------------------------------------

OUT = click.Path(dir_okay=False, allow_dash=True)


def outputs(command: Command) -> Command:
    """The files to write: all of one bundle, so they say the same."""
    bundle = click.option(
        "--bundle", "to_bundle", metavar="OUT", type=OUT, help="The provenance bundle (JSON)."
    )
    prov = click.option("--prov", "to_prov", metavar="OUT", type=OUT, help="The same as W3C PROV.")
    form = click.option(
        "--prov-format",
        type=click.Choice(list(PROV_FORMS)),
        default="json",
        show_default=True,
        help="PROV-JSON, PROV-N, or RDF as Turtle.",
    )
    pdf = click.option(
        "--pdf", "to_pdf", metavar="OUT", type=OUT, help="The same on paper, with the bundle in it."
    )
    return bundle(pdf(prov(form(command))))


def written(make: Callable[[], Bundle], files: Mapping[str, Any]) -> None:
    """Make a bundle and write what the options of :func:`outputs` ask for."""
    wanted = _wanted(files)
    if not wanted:
        known = "--bundle OUT, --pdf OUT or --prov OUT"
        raise click.UsageError(f"Say what to write: {known}; - prints it.")
    if sum(out == STANDARD_OUTPUT for out, _ in wanted) > 1:
        raise click.UsageError("Only one of them can go to standard output.")
    bundle = make()
    for out, form in wanted:
        _write(out, form(bundle))


def _wanted(files: Mapping[str, Any]) -> list[tuple[str, Callable[[Bundle], bytes]]]:
    """Where to, and how a bundle becomes the bytes to be written there."""
    form = files["prov_format"]
    known: tuple[tuple[str | None, Callable[[Bundle], bytes]], ...] = (
        (files["to_bundle"], lambda bundle: bundle.data),
        (files["to_pdf"], lambda bundle: pdf_of(bundle.data)),
        (files["to_prov"], lambda bundle: prov_bytes(bundle.document, form)),
    )
    return [(out, made) for out, made in known if out is not None]


def _write(out: str, data: bytes) -> None:
    """Write a file that is complete from the moment it has its name."""
    if out == STANDARD_OUTPUT:
        click.echo(data, nl=False)
        return
    path = Path(out)
    partial = path.with_name(f".{path.name}.partial")
    try:
        partial.write_bytes(data)
        # If we die before this line, what was there before is still there.
        partial.replace(path)
    except OSError as why:
        partial.unlink(missing_ok=True)
        raise CannotWrite(file=out, why=why.strerror) from None
    say(f"Wrote {out} ({len(data):,} bytes).")


FILES = ("to_bundle", "to_pdf", "to_prov", "prov_format")


def _split(options: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The options about files, and the others."""
    files = {name: value for name, value in options.items() if name in FILES}
    return files, {name: value for name, value in options.items() if name not in FILES}


def _moment(session: Session, asked: Mapping[str, str | None]) -> Moment:
    workspace = session.caught_up()
    given = {name: value for name, value in asked.items() if value is not None}
    return of_a_day(workspace.moment(**given), given, workspace.ledger.clock().date())


# --- what -------------------------------------------------------------------------------------


@export.command("board")
@click.argument("slug")
@which_board
@board_time
@click.option("--every-claim", is_flag=True, help="One row per claim, not per model.")
@outputs
@pass_session
def board(
    session: Session,
    /,
    slug: str,
    view: str | None,
    metric: str | None,
    every_claim: bool,
    **options: Any,
) -> None:
    """Export the board of a benchmark, as read on any day."""
    files, asked = _split(options)

    def make() -> Bundle:
        moment, records = _moment(session, asked), records_of(session.workspace)
        return board_bundle(
            records, moment, slug, view=view, metric=metric, every_claim=every_claim
        )

    written(make, files)


@export.command("claim")
@click.argument("claim_id", metavar="ID")
@reading_time
@outputs
@pass_session
def claim(session: Session, /, claim_id: str, **options: Any) -> None:
    """Export a claim's whole story."""
    files, asked = _split(options)
    written(
        lambda: claim_bundle(records_of(session.workspace), _moment(session, asked), claim_id),
        files,
    )


@export.command("correction")
@click.argument("number", type=click.IntRange(min=1))
@reading_time
@outputs
@pass_session
def correction(session: Session, /, number: int, **options: Any) -> None:
    """Export one entry of the public log, with the boards that it moved."""
    files, asked = _split(options)
    written(
        lambda: correction_bundle(records_of(session.workspace), _moment(session, asked), number),
        files,
    )


@export.command("corrections")
@click.option("--from", "start", metavar="D1", required=True, help="From this day (YYYY-MM-DD).")
@click.option("--to", "end", metavar="D2", required=True, help="To this day, included.")
@reading_time
@outputs
@pass_session
def corrections(session: Session, /, start: str, end: str, **options: Any) -> None:
    """Export what was decided in a period."""
    files, asked = _split(options)
    first, last = _days(start, end)
    written(
        lambda: corrections_bundle(
            records_of(session.workspace), _moment(session, asked), first, last
        ),
        files,
    )


def _days(start: str, end: str) -> tuple[date, date]:
    return parse_day(start), parse_day(end)
