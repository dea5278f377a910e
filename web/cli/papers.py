"""A paper on the command line: what could be found, reached and run, as read on any day."""

import click

from projections.code.papers import paper_at
from reports.code.papers import paper_json
from web.cli import show_papers as show
from web.cli.options import json_option, reading_time
from web.cli.output import console, print_json
from web.cli.session import Session, pass_session


@click.command()
@click.argument("slug", metavar="ID")
@reading_time
@json_option
@pass_session
def paper(session: Session, /, slug: str, as_json: bool, **asked: str | None) -> None:
    """Show a paper: its repositories and labels, what ran of its code, and each date."""
    workspace = session.caught_up()
    moment = workspace.moment(**asked)
    with workspace.views.read() as reader:
        found = paper_at(reader, workspace.ledger.store, slug, moment)
    if as_json:
        print_json(paper_json(found))
    else:
        show.paper(console(), found)
