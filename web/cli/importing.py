"""Bringing files in, and taking a wrong one back: the command, its options and its receipt."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from ledger.benchmark import check_unit
from ledger.importing.formats.every import FORMATS, Choice
from ledger.importing.formats.every import named as named_format
from ledger.importing.formats.format import Asked
from ledger.importing.formats.generic import TABLE
from ledger.importing.formats.sheets import DEFAULT_KIND
from ledger.importing.receipt import FileReceipt
from ledger.values import Instant, parse_digest, parse_instant, parse_name, parse_slug
from ledger.vocabulary import SOURCE_KINDS
from web.cli import show_receipts as show
from web.cli.finding import AUTO, RECORDS, Wanted, found_in
from web.cli.histories import GIT_HISTORY, every_version
from web.cli.incoming import Incoming, Outcome, RefusedFile
from web.cli.mapped import draft_for, is_drafted, mapped
from web.cli.options import json_option
from web.cli.output import print_json, say
from web.cli.session import Session, pass_session
from web.cli.stopping import STOPPED, Stopping


@click.command("import")
@click.argument(
    "files", metavar="FILE|DIR...", nargs=-1, type=click.Path(exists=True, path_type=Path)
)
@click.option(
    "--format",
    "form",
    metavar="F",
    type=click.Choice([AUTO, RECORDS, *(one.name for one in FORMATS), GIT_HISTORY]),
    default=AUTO,
    show_default=True,
    help="What the files are (corrigenda formats lists them); auto looks at each file.",
)
@click.option(
    "--mapping",
    metavar="M",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Which column of a table is what; a first run with --format table drafts it.",
)
@click.option(
    "--path", metavar="FILE", help="With git-history: which file, from the top of the repository."
)
@click.option(
    "--as",
    "as_format",
    metavar="F",
    type=click.Choice([one.name for one in FORMATS]),
    help="With git-history: what its versions are; else each is looked at.",
)
@click.option("--source", metavar="SLUG", help="Which source was read.")
@click.option(
    "--kind",
    metavar="KIND",
    type=click.Choice(list(SOURCE_KINDS)),
    help=f"What a new source is ({DEFAULT_KIND}, unless a file says it): "
    f"{', '.join(SOURCE_KINDS)}.",
)
@click.option("--benchmark", metavar="SLUG", help="Which benchmark it is about.")
@click.option("--benchmark-name", metavar="NAME", help="What a new benchmark is called.")
@click.option(
    "--read-at",
    metavar="INSTANT",
    help="When the source was read, where the file's name does not begin with it; else now.",
)
@click.option(
    "--unit",
    metavar="U|METRIC=U",
    multiple=True,
    help="The unit of scores that bear none, of all or of one metric. May be repeated.",
)
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
    form: str,
    mapping: Path | None,
    path: str | None,
    as_format: str | None,
    dry_run: bool,
    withdraw: str | None,
    as_json: bool,
    **named: Any,
) -> None:
    """Bring in readings of boards from files or folders, or take one back."""
    if (withdraw is None) is not bool(files):
        raise click.UsageError("Give files or folders to import, or --withdraw DIGEST.")
    check_usage(form, mapping, path, as_format)
    by, workspace = session.by, session.workspace
    asked = asked_of(named, workspace.ledger.clock())
    if files and is_drafted(as_format or form, mapping):
        draft_for(files, asked, dry_run=dry_run)
    outcomes: list[Outcome] = []
    with Stopping() as stopping:
        incoming = Incoming(
            workspace=workspace,
            by=by,
            dry_run=dry_run,
            asked=asked,
            only_tracked=named["only_tracked"],
            lower_is_better=frozenset(named["lower_is_better"]),
            stopping=stopping,
        )
        if withdraw is not None:
            outcomes += workspace.importer(by, dry_run=dry_run).withdraw(parse_digest(withdraw))
        elif path is not None:
            instead = _settled(mapping, as_format)
            outcomes += every_version(incoming, files, path, instead)
        else:
            instead = _settled(mapping, None)
            wanted, passed_over = found_in(files, None if form == AUTO else form, instead)
            check_said(wanted, named)
            if passed_over:
                say(f"Left out, being of no format that is known: {passed_over} in folders.")
            outcomes += incoming.take(wanted)
    workspace.catch_up()
    print_receipt(outcomes, dry_run=dry_run, stopped=stopping.asked, as_json=as_json)


def check_usage(form: str, mapping: Path | None, path: str | None, as_format: str | None) -> None:
    """Whether these options go together."""
    is_history = form == GIT_HISTORY
    if is_history is (path is None):
        raise click.UsageError("--format git-history and --path FILE go together.")
    if as_format is not None and not is_history:
        raise click.UsageError("--as goes with --format git-history.")
    if mapping is not None and (form, as_format) not in WITH_MAPPING:
        raise click.UsageError("--mapping goes with tables: leave out --format, or say table.")


WITH_MAPPING = (
    (AUTO, None),
    (TABLE.name, None),
    (GIT_HISTORY, None),
    (GIT_HISTORY, TABLE.name),
)
"""What goes with a mapping: format and what a history's versions are."""


def _settled(mapping: Path | None, as_format: str | None) -> Choice | None:
    """How all files are read, where that is said."""
    if mapping is not None:
        return mapped(mapping)
    return None if as_format is None else Choice(named_format(as_format), "it was asked for")


def print_receipt(
    outcomes: Sequence[Outcome], *, dry_run: bool, stopped: bool = False, as_json: bool
) -> None:
    """The receipt; status 1 when any file was refused as a whole, 130 when Ctrl-C ended it."""
    if as_json:
        print_json(
            {"files": [one.as_json() for one in outcomes], **({"stopped": True} if stopped else {})}
        )
    elif dry_run:
        say("Nothing was recorded; this is what would be.")
    refused = False
    before: FileReceipt | None = None
    for one in outcomes:
        if isinstance(one, RefusedFile):
            refused = refused or not one.is_skipped
            say(f"Skipped {one.file}: {one.why}" if one.is_skipped else str(one.why))
        elif not as_json:
            show.receipt(one, same_as_before=_of_one_file(before, one))
            before = one
    if stopped:
        say(f"Stopped. {len(outcomes)} are done; the same command goes on where this one stopped.")
        click.get_current_context().exit(STOPPED)
    if refused:
        click.get_current_context().exit(1)


def _of_one_file(before: FileReceipt | None, one: FileReceipt) -> bool:
    """Whether two receipts are of one file, read in one way."""
    return before is not None and (before.file, before.digest, before.format) == (
        one.file,
        one.digest,
        one.format,
    )


def check_said(wanted: Sequence[Wanted], named: dict[str, Any]) -> None:
    """Whether all is said that the files need, and nothing that they say themselves."""
    if all(one.is_records for one in wanted):
        given = [name for name, value in named.items() if value and name not in ("kind", "read_at")]
        if given:
            option = f"--{given[0].replace('_', '-')}"
            raise click.UsageError(f"Records say this themselves: leave out {option}.")
    for name in ("source", "benchmark"):
        if not named[name] and any(one.is_snapshot for one in wanted):
            raise click.UsageError(f"A snapshot needs --{name} SLUG.")


def units_of(said: Sequence[str]) -> tuple[str | None, dict[str, str]]:
    """The unit for all scores that bear none, and those for one metric each; checked."""
    units: dict[str | None, str] = {}
    for one in said:
        metric, _, unit = one.rpartition("=")
        check_unit(unit)
        if units.setdefault(metric or None, unit) != unit:
            raise click.UsageError(f"--unit says two things of {metric or 'all metrics'}.")
    return units.pop(None, None), {metric: unit for metric, unit in units.items() if metric}


def asked_of(named: dict[str, Any], now: Instant) -> Asked:
    """What is said on the command line of what is brought in; each is checked here."""
    unit, units = units_of(named["unit"])
    source, benchmark, name = named["source"], named["benchmark"], named["benchmark_name"]
    read_at = named["read_at"]
    return Asked(
        source=None if source is None else parse_slug(source, "source"),
        kind=named["kind"],
        benchmark=None if benchmark is None else parse_slug(benchmark, "benchmark"),
        benchmark_name=None if name is None else parse_name(name, "benchmark name"),
        unit=unit,
        units=units,
        read_at=None if read_at is None else parse_instant(read_at, "--read-at"),
        now=now,
    )
