"""The formats that files may come in: where each says what every claim needs."""

from typing import Any

import attrs
import click

from ledger.importing.formats.every import FORMATS
from ledger.importing.formats.format import Format
from web.cli.finding import RECORDS
from web.cli.histories import GIT_HISTORY
from web.cli.options import json_option
from web.cli.output import print_json, visible
from web.cli.show_receipts import PLACED


@click.command("formats")
@json_option
def list_formats(as_json: bool) -> None:
    """List the formats that import reads, and where each says what every claim needs."""
    if as_json:
        print_json({"formats": [format_json(one) for one in FORMATS]})
        return
    for one in FORMATS:
        click.echo(visible(f"{one.name}: {one.title} ({', '.join(one.endings)})"))
        for what, where in attrs.asdict(one.placing).items():
            click.echo(visible(f"  {PLACED[what]}: {where}"))
    click.echo(f"{RECORDS}: our own JSON Lines (.jsonl)")
    click.echo(f"{GIT_HISTORY}: every version of a file of any of these in a git repository")


def format_json(one: Format) -> dict[str, Any]:
    """A format as JSON."""
    return {
        "name": one.name,
        "title": one.title,
        "endings": list(one.endings),
        "placing": attrs.asdict(one.placing),
    }
