"""What people told us and want back, on the command line."""

import click

from ledger.errors import NotFound
from ledger.events import ReportAmended, ReportFiled
from ledger.report import stream_of
from web.cli.output import say
from web.cli.session import Session, pass_session
from web.private.reporters import erase_letters, erase_report, letters_about
from web.reporting.filing import private_digests
from web.wiring import Workspace


@click.group()
def private() -> None:
    """What reporters told us and may take back; the ledger holds only digests of it."""


@private.command("erase")
@click.argument("number", metavar="N", type=click.IntRange(1))
@click.option("--only", metavar="HANDLE", help="One of several people behind the report.")
@pass_session
def erase(session: Session, number: int, only: str | None) -> None:
    """Erase all that the people behind a report told us: words, contact, name, files, drafts, and
    the internal notes on it.

    The report itself, its decision and its place in the ledger stay as they are.
    """
    workspace = session.workspace
    if not workspace.ledger.store.stream(stream_of(number)):
        raise NotFound(what="report", name=number)
    if only is None:
        erase_report(workspace.private, number, private_digests(workspace, number))
        notes = "the internal notes on it are, too"
    else:
        _erase_one(workspace, number, only)
        notes = "the internal notes on it are kept, so see that they do not quote it"
    say(
        f"What {only or 'the people'} behind report {number} told us is erased, and {notes}. The"
        " ledger verifies as before. Backups made until now still hold it."
    )


def _erase_one(workspace: Workspace, number: int, handle: str) -> None:
    """Erase what one of the people said, and leave the others' alone."""
    private = workspace.private
    mine = [one for one in letters_about(private, number) if one.handle == handle]
    digests = [
        record.event.words
        for record in workspace.ledger.store.stream(stream_of(number))
        if isinstance(record.event, ReportFiled | ReportAmended)
        and record.envelope.recorded_by == handle
        and record.event.words is not None
    ]
    if not mine and not digests:
        raise NotFound(what=f"person behind report {number}", name=handle)
    erase_letters(private, [one.key for one in mine], digests)
