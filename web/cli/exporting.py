"""Taking away what a page shows, as a file that can be checked without us."""

from collections.abc import Callable, Mapping
from datetime import date
from functools import cache, partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

import click

from ledger import faults
from ledger.errors import Refused
from ledger.values import parse_day, parse_instant
from projections.moment import Moment
from projections.over_time.compared import Compared, compared
from reports.bundle import (
    Bundle,
    board_bundle,
    claim_bundle,
    correction_bundle,
    corrections_bundle,
    paper_bundle,
)
from reports.pdf import pdf_of
from reports.prov import FORMS as PROV_FORMS
from reports.prov import prov_bytes
from web.cli.export_tables import (
    Forms,
    board_forms,
    changes_forms,
    claim_forms,
    corrections_forms,
    table_outputs,
)
from web.cli.options import (
    RECORDED_THROUGH,
    Command,
    board_time,
    reading_time,
    which_board,
)
from web.cli.output import say
from web.cli.session import Session, pass_session
from web.exports import of_a_day, records_of

STANDARD_OUTPUT = "-"
TABLES = ("to_csv", "to_jsonl", "to_every_eval_ever", "to_retractions")
NO_TABLES: Forms = MappingProxyType({})


class CannotWrite(Refused):
    """{file} cannot be written ({why}); nothing was exported to it."""


@click.group()
def export() -> None:
    """Take what a page shows away: as a bundle with its proofs, PDF, or W3C PROV."""


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


def written(
    make: Callable[[], Bundle] | None, files: Mapping[str, Any], tables: Forms = NO_TABLES
) -> None:
    """Make a bundle, where one is asked for, and write what the options of :func:`outputs` and of
    :func:`~web.cli.export_tables.table_outputs` ask for."""
    wanted = [] if make is None else _wanted(files)
    plain = [(files[name], form) for name, form in tables.items() if files[name] is not None]
    outs = [out for out, _ in wanted] + [out for out, _ in plain]
    if not outs:
        known = "--csv OUT" if make is None else "--bundle OUT, --pdf OUT or --prov OUT"
        raise click.UsageError(f"Say what to write: {known}, or another of them; - prints it.")
    if outs.count(STANDARD_OUTPUT) > 1:
        raise click.UsageError("Only one of them can go to standard output.")
    for out, made in plain:
        _write(out, made())
    if make is not None and wanted:
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
        faults.here("export:written")
        partial.replace(path)
        faults.here("export:named")
    except OSError as why:
        partial.unlink(missing_ok=True)
        raise CannotWrite(file=out, why=why.strerror) from None
    say(f"Wrote {out} ({len(data):,} bytes).")


FILES = ("to_bundle", "to_pdf", "to_prov", "prov_format", *TABLES)


def _split(options: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The options about files, and the others."""
    files = {name: value for name, value in options.items() if name in FILES}
    return files, {name: value for name, value in options.items() if name not in FILES}


def _moment(session: Session, asked: Mapping[str, str | None]) -> Moment:
    workspace = session.caught_up()
    given = {name: value for name, value in asked.items() if value is not None}
    return of_a_day(workspace.moment(**given), given, workspace.ledger.clock().date())


def _once(session: Session, asked: Mapping[str, str | None]) -> Callable[[], Moment]:
    """The moment that all files of one command are of."""
    return cache(partial(_moment, session, asked))


# --- what -------------------------------------------------------------------------------------


@export.command("board")
@click.argument("slug")
@which_board
@board_time
@click.option("--every-claim", is_flag=True, help="One row per claim, not per model.")
@table_outputs("csv", "jsonl", "every-eval-ever")
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
    at = _once(session, asked)

    def make() -> Bundle:
        moment, records = at(), records_of(session.workspace)
        return board_bundle(
            records, moment, slug, view=view, metric=metric, every_claim=every_claim
        )

    tables = board_forms(
        session.workspace,
        at,
        slug,
        view=view,
        metric=metric,
        every_claim=every_claim,
    )
    written(make, files, tables)


@export.command("claim")
@click.argument("claim_id", metavar="ID")
@reading_time
@table_outputs("csv", "jsonl")
@outputs
@pass_session
def claim(session: Session, /, claim_id: str, **options: Any) -> None:
    """Export a claim's whole story."""
    files, asked = _split(options)
    at = _once(session, asked)
    written(
        lambda: claim_bundle(records_of(session.workspace), at(), claim_id),
        files,
        claim_forms(session.workspace, at, claim_id),
    )


@export.command("paper")
@click.argument("slug", metavar="ID")
@reading_time
@outputs
@pass_session
def paper(session: Session, /, slug: str, **options: Any) -> None:
    """Export a paper's page: its repositories, and what was run of them."""
    files, asked = _split(options)
    written(
        lambda: paper_bundle(records_of(session.workspace), _moment(session, asked), slug),
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
@table_outputs("csv", "jsonl", "retractions")
@outputs
@pass_session
def corrections(session: Session, /, start: str, end: str, **options: Any) -> None:
    """Export what was decided in a period."""
    files, asked = _split(options)
    at, (first, last) = _once(session, asked), _days(start, end)
    written(
        lambda: corrections_bundle(records_of(session.workspace), at(), first, last),
        files,
        corrections_forms(session.workspace, at, first, last),
    )


@export.command("changes")
@click.argument("slug")
@click.option("--from", "start", metavar="D1", required=True, help="From the start of this day.")
@click.option("--to", "end", metavar="D2", required=True, help="To the end of this day.")
@which_board
@RECORDED_THROUGH
@table_outputs("csv", "jsonl")
@pass_session
def changes(
    session: Session,
    /,
    slug: str,
    start: str,
    end: str,
    view: str | None,
    metric: str | None,
    recorded_through: str | None,
    **files: Any,
) -> None:
    """Export every change on a benchmark between two days, each with its cause."""
    workspace, since = session.caught_up(), parse_instant(start, "--from")

    def found() -> Compared:
        moment = workspace.moment(
            as_read_on=end, recorded_through=recorded_through, day_named="--to"
        )
        store = workspace.ledger.store
        with workspace.views.read() as reader:
            return compared(reader, store, slug, since, moment, view=view, metric=metric)

    written(None, files, changes_forms(found))


def _days(start: str, end: str) -> tuple[date, date]:
    return parse_day(start, "--from"), parse_day(end, "--to")
