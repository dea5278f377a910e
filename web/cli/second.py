"""The second person on the command line: approve a proposed decision, or send it back."""

import click

from ledger import commands as orders
from web.cli.decisions import record, seen_option
from web.cli.options import json_option
from web.cli.session import Session, pass_session

decision_option = click.option(
    "--decision", metavar="ID", required=True, help="Which proposed decision, such as 12.1."
)


@click.command()
@click.argument("number", metavar="N", type=int)
@decision_option
@seen_option
@json_option
@pass_session
def approve(session: Session, number: int, decision: str, seen: int | None, as_json: bool) -> None:
    """Let a proposed decision take effect, as a second person."""
    order = orders.ApproveDecision(number=number, version=seen, decision=decision)
    record(session.workspace, order, session.by, as_json=as_json)


@click.command("return")
@click.argument("number", metavar="N", type=int)
@decision_option
@click.option("--why", metavar="TEXT", required=True, help="What has to be looked at again.")
@seen_option
@json_option
@pass_session
def send_back(
    session: Session, number: int, decision: str, why: str, seen: int | None, as_json: bool
) -> None:
    """Send a proposed decision back, or take your own back."""
    order = orders.ReturnDecision(number=number, version=seen, decision=decision, why=why)
    record(session.workspace, order, session.by, as_json=as_json)
