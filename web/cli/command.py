"""The group that all commands hang on: whose ledger, who asks, and how a refusal ends.

A refusal is said on standard error and ends with status 1; nothing else is printed for it. Wrong
usage ends with 2, which is click's own.
"""

from pathlib import Path
from typing import Any

import attrs
import click

from ledger.errors import Refused
from web.cli.backup import backup
from web.cli.boards import board, changes, leaders
from web.cli.database import database
from web.cli.decisions import decide, reverse
from web.cli.demo import demo
from web.cli.doctor import doctor
from web.cli.dumping import dump, migrate, restore
from web.cli.exporting import export
from web.cli.formats import list_formats
from web.cli.freeze import freeze
from web.cli.importing import import_files
from web.cli.mcp import mcp
from web.cli.output import print_anything, say
from web.cli.papers import paper
from web.cli.private import private
from web.cli.probe import probe
from web.cli.rejecting import reject
from web.cli.reports import report
from web.cli.screening import screen
from web.cli.sealing import checkpoint, key, prove
from web.cli.second import approve, send_back
from web.cli.serve import serve
from web.cli.session import Session
from web.cli.stories import claim, corrections, source
from web.cli.telling import tell
from web.cli.tokens import token
from web.cli.upkeep import events, init, rebuild
from web.cli.users import user
from web.cli.verify import verify
from web.settings import Settings


class RefusingGroup(click.Group):
    """A group whose commands may refuse."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; a refusal is its message and status 1."""
        try:
            return super().invoke(ctx)
        except Refused as no:
            say(str(no))
            ctx.exit(1)


@click.group(cls=RefusingGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--home",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where the ledger is (CORRIGENDA_HOME, else ./var).",
)
@click.option(
    "--by", metavar="HANDLE", help="Who asks (CORRIGENDA_BY, else the login name if it will do)."
)
@click.version_option(package_name="corrigenda", prog_name="corrigenda")
@click.pass_context
def main(ctx: click.Context, home: Path | None, by: str | None) -> None:
    """Boards as read on any day, what changed, and why: a ledger of corrections."""
    print_anything()
    settings = Settings.from_environment()
    if home is not None:
        settings = attrs.evolve(settings, home=home)
    if by is not None:
        settings = attrs.evolve(settings, by=by)
    ctx.obj = Session(settings)
    ctx.call_on_close(ctx.obj.close)


for deciding in (decide, approve, send_back, reject, reverse, screen):
    report.add_command(deciding)
for command in (
    init,
    demo,
    serve,
    mcp,
    doctor,
    import_files,
    list_formats,
    board,
    changes,
    leaders,
    claim,
    source,
    paper,
    freeze,
    probe,
    report,
    corrections,
    export,
    tell,
    events,
    rebuild,
    dump,
    restore,
    migrate,
    backup,
    database,
    checkpoint,
    prove,
    verify,
    key,
    user,
    token,
    private,
):
    main.add_command(command)
