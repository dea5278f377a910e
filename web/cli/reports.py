"""Reports on the command line: file one, look at what was filed, take one back.

What a reporter writes in free text goes to the private store; the ledger holds its digest alone.
"""

from collections.abc import Sequence

import click

from ledger import commands as orders
from ledger import events as ev
from ledger.claim import field_text
from ledger.errors import NotFound
from ledger.report import stream_of
from ledger.subject import kind_of, subject_in
from ledger.values import Digest
from ledger.vocabulary import REASONS
from projections.decisions.corrections import corrections
from projections.keeping.views import Reader
from projections.review.queue import WaitingReport
from projections.review.queue import reports as reports_of
from reports.contract import correction_json, event_json, report_json
from web.cli import show_reports as show
from web.cli.options import json_option
from web.cli.output import console, print_json, say
from web.cli.session import Session, pass_session
from web.reporting.filing import file_numbered, kept_words
from web.wiring import Workspace

STATES = ("open", "apart", "decided", "withdrawn")


@click.group()
def report() -> None:
    """Report a problem, and decide what was reported."""


# --- filing -----------------------------------------------------------------------------------


@report.command("file")
@click.option("--target", metavar="WHAT", required=True, help="What is wrong, such as claims/ID.")
@click.option("--reason", metavar="R", required=True, help=f"One of {', '.join(REASONS)}.")
@click.option(
    "--set",
    "wanted",
    metavar="FIELD=VALUE",
    multiple=True,
    help="What a field should say; nothing after = means not stated. May be repeated.",
)
@click.option("--words", metavar="TEXT", help="What you have to say; kept in the private store.")
@json_option
@pass_session
def file_report(
    session: Session,
    target: str,
    reason: str,
    wanted: tuple[str, ...],
    words: str | None,
    as_json: bool,
) -> None:
    """Say that something is wrong or missing."""
    fields = fields_set(wanted)
    by, workspace = session.by, session.caught_up()
    proposes = proposed_changes(workspace, target, fields)
    number = file_with_words(workspace, words, by, target, reason, proposes)
    workspace.catch_up()
    if as_json:
        with workspace.views.read() as reader:
            print_json(report_json(one_report(reader, number)))
    else:
        click.echo(f"Filed as report {number}.")


def fields_set(wanted: Sequence[str]) -> dict[str, str | None]:
    """``FIELD=VALUE`` options as a mapping; ``FIELD=`` means not stated."""
    found: dict[str, str | None] = {}
    for one in wanted:
        field, equals, value = one.partition("=")
        if not equals or not field:
            raise click.BadParameter(f"{one!r} is not FIELD=VALUE.", param_hint="--set")
        if field in found:
            raise click.BadParameter(f"{field} is set twice.", param_hint="--set")
        found[field] = value or None
    return found


def proposed_changes(
    workspace: Workspace, target: str, fields: dict[str, str | None]
) -> tuple[ev.Change, ...]:
    """What a report asks for, field by field, beside what the source says now.

    Refused when the target is no claim, label or sample that we know, or a value does not fit its
    field.
    """
    name = subject_in(target)
    if name is None:
        if fields:
            raise click.UsageError("--set proposes fields of a claim: give --target claims/ID.")
        return ()
    readings, kind = workspace.ledger.told(name).readings, kind_of(name)
    says = next((one.says for one in reversed(readings) if one.says is not None), None)
    if says is None:
        raise NotFound(what=f"statement of the {kind.name}", name=name)
    for field, text in fields.items():
        kind.with_field(says, field, text)
    return tuple(ev.Change(field, field_text(says, field), text) for field, text in fields.items())


def file_with_words(
    workspace: Workspace,
    words: str | None,
    by: str,
    target: str,
    reason: str,
    proposes: tuple[ev.Change, ...],
) -> int:
    """File a report with its words; they are erased again when it is refused."""
    with kept_words(workspace, words) as digest:
        return filed(workspace, by, target, reason, proposes, digest)


def filed(
    workspace: Workspace,
    by: str,
    target: str,
    reason: str,
    proposes: tuple[ev.Change, ...] = (),
    words: Digest | None = None,
) -> int:
    """File a report under the next free number."""

    def order(number: int) -> orders.FileReport:
        return orders.FileReport(
            number=number,
            target=target,
            reason=reason,
            proposes=proposes,
            words=words,
            received_at=workspace.ledger.clock(),
        )

    return file_numbered(workspace, by, order)


# --- looking ----------------------------------------------------------------------------------


@report.command("list")
@click.option("--state", type=click.Choice(STATES), help="Only those in this state.")
@json_option
@pass_session
def list_reports(session: Session, state: str | None, as_json: bool) -> None:
    """List the reports, oldest first."""
    with session.caught_up().views.read() as reader:
        found = reports_of(reader, state)
    if as_json:
        print_json({"reports": [report_json(one) for one in found]})
    else:
        show.reports(console(), found)


@report.command("show")
@click.argument("number", metavar="N", type=int)
@json_option
@pass_session
def show_report(session: Session, number: int, as_json: bool) -> None:
    """Show one report: what was asked for, all that happened to it, and how it was decided."""
    workspace = session.caught_up()
    with workspace.views.read() as reader:
        found = one_report(reader, number)
        log = corrections(reader, workspace.ledger.store)
    events = workspace.ledger.store.stream(stream_of(number))
    decided = [one for one in log if one.report == number]
    if as_json:
        print_json(
            {
                **report_json(found),
                "events": [event_json(one) for one in events],
                "corrections": [correction_json(one) for one in decided],
            }
        )
    else:
        show.report(console(), found, events, decided)


def one_report(reader: Reader, number: int) -> WaitingReport:
    """The report with this number; refused when there is none."""
    for one in reports_of(reader):
        if one.number == number:
            return one
    raise NotFound(what="report", name=number)


# --- taking back ------------------------------------------------------------------------------


@report.command("withdraw")
@click.argument("number", metavar="N", type=int)
@click.option("--reason", metavar="TEXT", help="Why you take it back.")
@pass_session
def withdraw(session: Session, number: int, reason: str | None) -> None:
    """Take your own report back before it is decided."""
    workspace = session.workspace
    workspace.ledger.do(orders.WithdrawReport(number=number, reason=reason), session.by)
    workspace.catch_up()
    say(f"Report {number} is withdrawn.")
