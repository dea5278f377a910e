"""One claim, one source, and the public log of corrections on the command line."""

import click

from projections.decisions.corrections import corrections as corrections_of
from projections.over_time.later import changed_since
from projections.sources import source_at
from projections.story import story_of
from reports.contract import claim_json, corrections_json, source_json
from web.cli import show_stories as show
from web.cli.options import json_option, reading_time
from web.cli.output import console, print_json
from web.cli.session import Session, pass_session


@click.command()
@click.argument("claim_id", metavar="ID")
@reading_time
@json_option
@pass_session
def claim(session: Session, /, claim_id: str, as_json: bool, **asked: str | None) -> None:
    """Tell a claim's whole story: what its source said, what was decided, what shows."""
    workspace = session.caught_up()
    moment = workspace.moment(**asked)
    with workspace.views.read() as reader:
        story = story_of(reader, workspace.ledger.store, claim_id, moment)
        later = changed_since(reader, story.history.benchmark, moment)
    if as_json:
        print_json(claim_json(story, later))
    else:
        show.claim(console(), story)


@click.command()
@click.argument("slug")
@reading_time
@json_option
@pass_session
def source(session: Session, /, slug: str, as_json: bool, **asked: str | None) -> None:
    """Show a source: what it is, when it was read, and what it states."""
    workspace = session.caught_up()
    moment = workspace.moment(**asked)
    with workspace.views.read() as reader:
        found = source_at(reader, slug, moment)
    if as_json:
        print_json(source_json(found))
    else:
        show.source(console(), found)


@click.command()
@json_option
@pass_session
def corrections(session: Session, as_json: bool) -> None:
    """List every decision on a report, newest first, and what it did to each claim."""
    workspace = session.caught_up()
    with workspace.views.read() as reader:
        log = corrections_of(reader, workspace.ledger.store)
    if as_json:
        print_json(corrections_json(log))
    else:
        show.corrections(console(), log)
