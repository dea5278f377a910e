"""What an import did, file by file, as text that people read in a terminal."""

from collections.abc import Iterator

import click

from ledger.importing.receipt import FileReceipt
from ledger.values import short_instant
from web.cli.output import visible


def receipt(one: FileReceipt, *, same_as_before: bool = False) -> None:
    """One line for the file, then how it was read, its notes, and each refused row with the reason.

    ``same_as_before``: how it was read was said of another board of this file.
    """
    about = f" ({one.source} on {one.benchmark})" if one.source and one.benchmark else ""
    click.echo(visible(f"{one.file}{about}, read at {short_instant(one.read_at)}: {_did(one)}"))
    if not same_as_before:
        for line in _how(one):
            click.echo(visible(f"  {line}"))
    for note in one.notes:
        click.echo(visible(f"  note: {note}"))
    for row in one.refused:
        click.echo(visible(f"  refused: {row}"))


def _how(one: FileReceipt) -> Iterator[str]:
    """Which format a file was read with, why, and where that one says what."""
    if one.format is None or one.why is None:
        return
    yield f"format: {one.format}, since {one.why}"
    for what, where in (one.placing or {}).items():
        yield f"{PLACED[what]}: {where}"


PLACED = {
    "published_on": "published on",
    "read_at": "read at",
    "setting": "setting",
    "split": "split",
    "identity": "one claim is",
    "unit": "unit",
}
"""What :class:`~ledger.importing.formats.format.Placing` says, in words."""


def _did(one: FileReceipt) -> str:
    if one.known_already:
        return "known already, nothing new."
    counts = ", ".join(f"{count} {kind}" for kind, count in one.counts.items() if count)
    rows = f"{one.rows} rows" if one.rows != 1 else "1 row"
    refused = f", {len(one.refused)} refused" if one.refused else ""
    return f"{rows}: {counts or 'nothing changed'}{refused}."
