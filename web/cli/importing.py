"""Bringing files in, and taking a wrong one back: the command, its options and its receipt."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from ledger.benchmark import check_unit
from ledger.importing.board import Target
from ledger.values import parse_digest, parse_instant, parse_name, parse_slug
from ledger.vocabulary import SOURCE_KINDS
from web.cli import show_receipts as show
from web.cli.incoming import RECORDS, SNAPSHOT, Incoming, Outcome, RefusedFile, found_in
from web.cli.options import json_option
from web.cli.output import print_json, say
from web.cli.session import Session, pass_session


@click.command("import")
@click.argument(
    "files", metavar="FILE|DIR...", nargs=-1, type=click.Path(exists=True, path_type=Path)
)
@click.option(
    "--format",
    "form",
    metavar="F",
    type=click.Choice([SNAPSHOT, RECORDS]),
    help="snapshot or records; else records for .jsonl and snapshot for all others.",
)
@click.option("--source", metavar="SLUG", help="Which source was read.")
@click.option(
    "--kind",
    metavar="KIND",
    type=click.Choice(list(SOURCE_KINDS)),
    default="official-leaderboard",
    show_default=True,
    help=f"What a new source is: {', '.join(SOURCE_KINDS)}.",
)
@click.option("--benchmark", metavar="SLUG", help="Which benchmark it is about.")
@click.option("--benchmark-name", metavar="NAME", help="What a new benchmark is called.")
@click.option(
    "--read-at",
    metavar="INSTANT",
    help="When the source was read, where the file's name does not begin with it; else now.",
)
@click.option("--unit", metavar="U", help="The unit of scores that bear none.")
@click.option(
    "--lower-is-better",
    metavar="METRIC",
    multiple=True,
    help="A new metric of which less is better. May be repeated.",
)
@click.option("--only-tracked", is_flag=True, help="Register no model: count unknown ones alone.")
@click.option("--dry-run", is_flag=True, help="Say what would happen, and record nothing.")
@click.option("--withdraw", metavar="DIGEST", help="Take back every reading of these bytes.")
@json_option
@pass_session
def import_files(
    session: Session,
    /,
    files: tuple[Path, ...],
    form: str | None,
    read_at: str | None,
    dry_run: bool,
    withdraw: str | None,
    as_json: bool,
    **named: Any,
) -> None:
    """Bring in readings of boards from files or folders, or take one back."""
    if (withdraw is None) is not bool(files):
        raise click.UsageError("Give files or folders to import, or --withdraw DIGEST.")
    by, workspace = session.by, session.workspace
    outcomes: list[Outcome] = []
    if withdraw is not None:
        outcomes += workspace.importer(by, dry_run=dry_run).withdraw(parse_digest(withdraw))
    else:
        wanted = found_in(files, form)
        incoming = Incoming(
            workspace=workspace,
            by=by,
            dry_run=dry_run,
            target=target_of(named, needed=any(one != RECORDS for _, one in wanted)),
            read_at=None if read_at is None else parse_instant(read_at),
        )
        outcomes += incoming.take(wanted)
    workspace.catch_up()
    print_receipt(outcomes, dry_run=dry_run, as_json=as_json)


def print_receipt(outcomes: Sequence[Outcome], *, dry_run: bool, as_json: bool) -> None:
    """The receipt; status 1 when any file was refused as a whole."""
    if as_json:
        print_json({"files": [one.as_json() for one in outcomes]})
    elif dry_run:
        say("Nothing was recorded; this is what would be.")
    refused = False
    for one in outcomes:
        if isinstance(one, RefusedFile):
            refused = True
            say(str(one.why))
        elif not as_json:
            show.receipt(one)
    if refused:
        click.get_current_context().exit(1)


def target_of(named: dict[str, Any], *, needed: bool) -> Target | None:
    """Where the boards of this call belong; records say it themselves."""
    if not needed:
        given = [name for name, value in named.items() if value and name != "kind"]
        if given:
            option = f"--{given[0].replace('_', '-')}"
            raise click.UsageError(f"Records say this themselves: leave out {option}.")
        return None
    for name in ("source", "benchmark"):
        if not named[name]:
            raise click.UsageError(f"A snapshot needs --{name} SLUG.")
    if named["unit"]:
        check_unit(named["unit"])
    name = named["benchmark_name"]
    return Target(
        source=parse_slug(named["source"], "source"),
        benchmark=parse_slug(named["benchmark"], "benchmark"),
        kind=named["kind"],
        benchmark_name=None if name is None else parse_name(name, "benchmark name"),
        unit=named["unit"],
        lower_is_better=frozenset(named["lower_is_better"]),
        only_tracked=named["only_tracked"],
    )
