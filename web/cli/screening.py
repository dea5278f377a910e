"""Rubbish on the command line: what is suspected, rescuing it, rejecting many at once, purging."""

from datetime import timedelta

import click

from ledger.errors import NotFound
from ledger.values import instant_text, short_instant
from web.cli.options import json_option
from web.cli.output import console, print_json, say
from web.cli.session import Session, pass_session
from web.cli.show import add, table
from web.private import suspected
from web.private.suspected import REJECTED, WAITING, Suspect
from web.reporting import screening
from web.words import counted

KEY_SHOWN = 12
LISTED = 200
WORDS_SHOWN = 60


@click.group()
def screen() -> None:
    """Look through what is suspected, and keep rubbish out of the queue."""


@screen.command("list")
@click.option("--rejected", is_flag=True, help="Those that were rejected and not purged yet.")
@json_option
@pass_session
def list_suspected(session: Session, rejected: bool, as_json: bool) -> None:
    """List suspected posts, newest first; nothing of them is in the ledger."""
    private = session.workspace.private
    found = suspected.suspects(private, REJECTED if rejected else WAITING, most=LISTED)
    if as_json:
        print_json(
            {"suspected": [_json(one) for one in found], "counts": suspected.counts(private)}
        )
        return
    if not found:
        say("Nothing is suspected.")
        return
    made = table("Key", "Received", "Suspected for", "About", "Words")
    for one in found:
        words = " ".join(one.typed.get("words", "").split())[:WORDS_SHOWN]
        about = one.typed.get("target", "")[:WORDS_SHOWN]
        add(made, one.key[:KEY_SHOWN], short_instant(one.received_at), one.why, about, words)
    console().print(made)


def _json(one: Suspect) -> dict[str, object]:
    return {
        "key": one.key,
        "received_at": instant_text(one.received_at),
        "why": one.why,
        "typed": dict(one.typed),
        "reason": one.reason,
    }


@screen.command("aside")
@click.argument("numbers", metavar="N...", type=int, nargs=-1, required=True)
@click.option("--reason", metavar="TEXT", required=True, help="Why, for all of them.")
@pass_session
def aside(session: Session, numbers: tuple[int, ...], reason: str) -> None:
    """Set reports apart without a decision, all for one reason."""
    done = screening.reject(session.workspace, session.by, reason, numbers=numbers)
    if done.skipped:
        say(f"Left alone: {', '.join(done.skipped)}.")
    say(f"{counted(done.count, 'report')} set apart.")


@screen.command("back")
@click.argument("number", metavar="N", type=int)
@pass_session
def back(session: Session, number: int) -> None:
    """Put a report that was set apart back into the queue."""
    screening.bring_back(session.workspace, number, session.by)
    say(f"Report {number} is in the queue.")


@screen.command("reject")
@click.option("--why", metavar="WHY", required=True, help="All that are suspected for this.")
@click.option("--reason", metavar="TEXT", required=True, help="Why, for all of them.")
@pass_session
def reject_suspected(session: Session, why: str, reason: str) -> None:
    """Reject all posts that are suspected for one thing."""
    workspace = session.workspace
    keys = suspected.keys_of(workspace.private, why=why)
    count = screening.reject(workspace, session.by, reason, keys=keys).count if keys else 0
    say(f"{counted(count, 'post')} rejected.")


@screen.command("rescue")
@click.argument("key", metavar="KEY")
@pass_session
def rescue(session: Session, key: str) -> None:
    """Make a report of a suspected post, of the time at which it came in."""
    workspace = session.caught_up()
    number = screening.rescue(workspace, _whole(session, key), session.by)
    say(f"It is report {number}.")


def _whole(session: Session, key: str) -> str:
    """The key that begins so."""
    private = session.workspace.private
    known = [one for state in (WAITING, REJECTED) for one in suspected.keys_of(private, state)]
    found = [one for one in known if one.startswith(key)]
    if len(found) != 1 or len(key) < KEY_SHOWN:
        raise NotFound(what="suspected post (or only one)", name=key)
    return found[0]


@screen.command("purge")
@click.option(
    "--days",
    type=click.IntRange(0, 3650),
    default=30,
    show_default=True,
    help="Only what was rejected so many days ago or earlier.",
)
@pass_session
def purge(session: Session, days: int) -> None:
    """Remove rejected posts as if they had never come."""
    workspace = session.workspace
    before = workspace.ledger.clock() - timedelta(days=days)
    say(f"{counted(screening.purge_rejected(workspace, before), 'post')} purged.")
