"""Tables of any shape on the command line: with their mapping, or with a draft of one."""

from collections.abc import Sequence
from pathlib import Path

import click

from ledger.errors import FileRefused, Refused
from ledger.importing.formats.drafting import Draft, drafted
from ledger.importing.formats.every import Choice
from ledger.importing.formats.format import Asked, Candidate
from ledger.importing.formats.generic import TABLE, Table
from ledger.importing.formats.mapping import LARGEST, read_mapping
from web.cli.finding import MAPPING_ENDING
from web.cli.output import say, visible


class Drafted(Refused):
    """{file} needs a mapping. A draft is in {draft}: look at it, decide what is open, and import
    the table with --mapping {draft}."""


class DraftedAlready(Refused):
    """{file} needs a mapping. {draft} is there already and was left as it is: import the table with
    --mapping {draft}, or move that file away for another draft."""


class DraftPrinted(Refused):
    """{file} needs a mapping, and its draft could not be written to {draft} ({why}): keep what is
    printed here, decide what is open, and import the table with --mapping."""


def mapped(mapping: Path) -> Choice:
    """The format of tables that one mapping tells."""
    try:
        with mapping.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as why:
        raise FileRefused(file=mapping.name, why=why.strerror or "it cannot be read") from None
    table = Table(read_mapping(mapping.name, data))
    return Choice(table, f"it was asked for, with the mapping {mapping.name}")


def draft_for(files: Sequence[Path], asked: Asked, *, dry_run: bool) -> None:
    """Draft a mapping for a table, beside it; always refused, since nothing is imported so."""
    if len(files) != 1 or files[0].is_dir():
        why = "Tables are drafted one by one: give one file, or --mapping."
        raise click.UsageError(why)
    (file,) = files
    draft = drafted(Candidate.at(file), asked)
    beside = file.with_name(f"{file.name}{MAPPING_ENDING}")
    for one in draft.guessed:
        say(f"guessed: {one}")
    for one in draft.undecided:
        say(f"to decide: {one}")
    if dry_run:
        _print(draft)
        raise DraftPrinted(file=file.name, draft=beside, why="nothing is written in a dry run")
    try:
        with beside.open("x", encoding="utf-8") as out:
            out.write(draft.text)
    except FileExistsError:
        raise DraftedAlready(file=file.name, draft=beside) from None
    except OSError as why:
        _print(draft)
        said = why.strerror or str(why)
        raise DraftPrinted(file=file.name, draft=beside, why=said) from None
    raise Drafted(file=file.name, draft=beside)


def is_drafted(form: str, mapping: Path | None) -> bool:
    """Whether a run drafts a mapping and does nothing else."""
    return form == TABLE.name and mapping is None


def _print(draft: Draft) -> None:
    click.echo("\n".join(visible(line) for line in draft.text.splitlines()))
