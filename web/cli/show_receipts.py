"""What an import did, file by file, as text that people read in a terminal."""

import click

from ledger.importing.receipt import FileReceipt
from ledger.values import short_instant
from web.cli.output import visible


def receipt(one: FileReceipt) -> None:
    """One line for the file, then its notes, then each refused row with the reason."""
    click.echo(visible(f"{one.file}, read at {short_instant(one.read_at)}: {_did(one)}"))
    for note in one.notes:
        click.echo(visible(f"  note: {note}"))
    for row in one.refused:
        click.echo(visible(f"  refused: {row}"))


def _did(one: FileReceipt) -> str:
    if one.known_already:
        return "known already, nothing new."
    counts = ", ".join(f"{count} {kind}" for kind, count in one.counts.items() if count)
    rows = f"{one.rows} rows" if one.rows != 1 else "1 row"
    refused = f", {len(one.refused)} refused" if one.refused else ""
    return f"{rows}: {counts or 'nothing changed'}{refused}."
