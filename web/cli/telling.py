"""Telling people what happened to reports, from the command line."""

import click

from web.cli.options import json_option
from web.cli.output import print_json
from web.cli.session import Session, pass_session
from web.private import outbox
from web.telling.outgoing import channels_of, collect, work_off

WORDS = {
    outbox.WAITING: "to be tried again later",
    outbox.SENDING: "being sent by another process",
    outbox.FAILED: "given up",
    outbox.UNSURE: "may have arrived or not; --again sends them once more",
    outbox.DROPPED: "had nowhere to go any more",
}


@click.command()
@click.option(
    "--again", is_flag=True, help="Send also what was given up, or may have arrived already."
)
@json_option
@pass_session
def tell(session: Session, again: bool, as_json: bool) -> None:
    """Send what waits to be told about reports: by webhook, and by mail."""
    workspace = session.caught_up()
    if not channels_of(workspace.settings).any:
        collect(workspace)
        if as_json:
            print_json({"tried": 0, "messages": {}})
        else:
            click.echo("Nobody is told of anything: no webhook and no mail server is set up.")
        return
    if again:
        outbox.send_again(workspace.private)
    tried = work_off(workspace)
    states = outbox.counts(workspace.private)
    if as_json:
        print_json({"tried": tried, "messages": dict(states)})
        return
    click.echo(f"{tried} messages were tried; {states.get(outbox.SENT, 0)} are sent in all.")
    for state, words in WORDS.items():
        if states.get(state):
            click.echo(f"{states[state]} {words}.")
