"""Several reports turned down at once: one reason, one statement, and a decision for each."""

import click

from ledger import commands as orders
from ledger.errors import Refused
from ledger.values import Digest, parse_digest
from web.cli.options import json_option
from web.cli.output import print_json, say
from web.cli.session import Session, pass_session
from web.reviewing.bulk import Settled, decide_each, latest_snapshot
from web.reviewing.decision_json import decision_json
from web.wiring import Workspace
from web.words import counted

LATEST = "latest"
OUTCOMES = ("declined", "cannot-be-verified", "duplicate")


@click.command()
@click.argument("numbers", metavar="N...", type=int, nargs=-1, required=True)
@click.option(
    "--outcome", type=click.Choice(OUTCOMES), default=OUTCOMES[0], show_default=True, help="Which."
)
@click.option("--reason", metavar="R", required=True, help="Why, in a word or a sentence.")
@click.option("--statement", metavar="S", required=True, help="What readers are told; published.")
@click.option(
    "--snapshot",
    metavar="SHA|latest",
    help="What was checked; latest: for each claim the latest reading of its source.",
)
@json_option
@pass_session
def reject(
    session: Session,
    numbers: tuple[int, ...],
    outcome: str,
    reason: str,
    statement: str,
    snapshot: str | None,
    as_json: bool,
) -> None:
    """Turn several reports down; each gets a decision of its own, or says why not."""
    by, workspace = session.by, session.caught_up()
    wanted = [
        orders.Decide(
            number=number,
            outcome=outcome,
            reason=reason,
            statement=statement,
            snapshot=_checked(workspace, number, snapshot),
        )
        for number in dict.fromkeys(numbers)
    ]
    settled = decide_each(workspace, wanted, by)
    if as_json:
        print_json({"decisions": [_json(one) for one in settled]})
    refused = [one for one in settled if one.refusal is not None]
    for one in refused:
        say(f"Report {one.number}: {one.refusal}")
    if not as_json:
        click.echo(f"{counted(len(settled) - len(refused), 'report')} turned down.")
    if refused:
        raise SystemExit(1)


def _checked(workspace: Workspace, number: int, asked: str | None) -> Digest | None:
    if asked is None:
        return None
    try:
        return latest_snapshot(workspace, number) if asked == LATEST else parse_digest(asked)
    except Refused:
        if asked != LATEST:
            raise
        return None  # a report that there is not; deciding it says so


def _json(one: Settled) -> dict[str, object]:
    if one.decision is None:
        return {"report": one.number, "refused": str(one.refusal)}
    return decision_json(one.decision)
