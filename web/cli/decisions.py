"""Decisions on the command line: decide a report or a part of it, or undo what was decided.

What a decision does to claims is given as options and becomes effects; from when it applies is
given too, and never guessed. Both commands hang under ``report``.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import click

from ledger import commands as orders
from ledger.subject import subject_in
from ledger.values import Digest, parse_digest, parse_instant
from ledger.vocabulary import CHECKS, OUTCOMES, UPDATE_TYPES
from web.cli import show_stories as show
from web.cli.options import json_option
from web.cli.output import console, print_json
from web.cli.reports import fields_set
from web.cli.session import Session, pass_session
from web.reviewing import deciding
from web.reviewing.deciding import Decision
from web.reviewing.decision_json import decision_json
from web.reviewing.since import Order
from web.wiring import Workspace

EFFECT_FLAGS: dict[str, Callable[..., orders.AnyEffect]] = {
    "retract": orders.Retract,
    "reinstate": orders.Reinstate,
    "hold_out": orders.HoldOut,
    "readmit": orders.Readmit,
    "clear": orders.Clear,
}

seen_option = click.option(
    "--seen",
    metavar="V",
    type=click.IntRange(1),
    help="The report's version that you looked at; refused when it has moved on since.",
)


@click.command()
@click.argument("number", metavar="N", type=int)
@click.option("--outcome", metavar="O", required=True, help=f"One of {', '.join(OUTCOMES)}.")
@click.option("--reason", metavar="R", required=True, help="Why, in a word or a sentence.")
@click.option("--statement", metavar="S", required=True, help="What readers are told; published.")
@click.option("--type", "type_", metavar="T", help=f"One of {', '.join(UPDATE_TYPES)}.")
@click.option("--snapshot", metavar="SHA", help="The SHA-256 of the snapshot that was checked.")
@click.option(
    "--claim",
    "claims",
    metavar="ID",
    multiple=True,
    help="A claim that it changes; without one the claim reported. May be repeated.",
)
@click.option(
    "--applies-from", metavar="START|INSTANT", help="start: from the claim's first reading."
)
@click.option(
    "--set",
    "wanted",
    metavar="FIELD=VALUE",
    multiple=True,
    help="Correct a field; nothing after = means not stated. May be repeated.",
)
@click.option("--reidentify", metavar="MODEL", help="Say that the claim is about this model.")
@click.option("--retract", is_flag=True, help="Take the claim off every board.")
@click.option("--reinstate", is_flag=True, help="Put a retracted claim back.")
@click.option("--hold-out", is_flag=True, help="Keep the claim visible, out of the ranking.")
@click.option("--readmit", is_flag=True, help="Let the claim rank.")
@click.option("--dispute", metavar="TEXT", help="Mark the claim as disputed, and say about what.")
@click.option("--clear", is_flag=True, help="Lift a dispute.")
@click.option("--replaces", metavar="ID", help="The decision that this one takes the place of.")
@click.option(
    "--duplicate-of", metavar="N", type=int, help="With the outcome duplicate: of which report."
)
@click.option(
    "--check",
    "checks",
    metavar="C",
    multiple=True,
    help=f"What was looked at: {', '.join(CHECKS)}. May be repeated.",
)
@click.option("--remainder", is_flag=True, help="Leave the rest of the report open.")
@click.option("--propose", is_flag=True, help="Let a second person approve it first.")
@seen_option
@json_option
@pass_session
def decide(
    session: Session,
    /,
    number: int,
    outcome: str,
    reason: str,
    statement: str,
    type_: str | None,
    snapshot: str | None,
    claims: tuple[str, ...],
    applies_from: str | None,
    replaces: str | None,
    duplicate_of: int | None,
    checks: tuple[str, ...],
    remainder: bool,
    propose: bool,
    seen: int | None,
    as_json: bool,
    **effects: Any,
) -> None:
    """Decide a report, or a part of it, with all that this does to claims."""
    by, workspace = session.by, session.workspace
    order = orders.Decide(
        number=number,
        version=seen,
        outcome=outcome,
        type=type_,
        reason=reason,
        statement=statement,
        snapshot=_digest(snapshot),
        effects=wished(workspace, number, claims, applies_from, effects),
        replaces=replaces,
        duplicate_of=duplicate_of,
        checks=checks,
        remainder=remainder,
        propose=propose,
    )
    record(workspace, order, by, as_json=as_json)


@click.command()
@click.argument("number", metavar="N", type=int)
@click.option("--decision", metavar="ID", required=True, help="Which decision, such as 12.1.")
@click.option("--statement", metavar="S", required=True, help="What readers are told; published.")
@click.option("--snapshot", metavar="SHA", help="The SHA-256 of the snapshot that was checked.")
@click.option("--propose", is_flag=True, help="Let a second person approve it first.")
@seen_option
@json_option
@pass_session
def reverse(
    session: Session,
    number: int,
    decision: str,
    statement: str,
    snapshot: str | None,
    propose: bool,
    seen: int | None,
    as_json: bool,
) -> None:
    """Undo what a decision did; the decision and its reversal both stay in the log."""
    order = orders.ReverseDecision(
        number=number,
        version=seen,
        decision=decision,
        statement=statement,
        snapshot=_digest(snapshot),
        propose=propose,
    )
    record(session.workspace, order, session.by, as_json=as_json)


def _digest(text: str | None) -> Digest | None:
    return None if text is None else parse_digest(text)


# --- effects ----------------------------------------------------------------------------------


def wished(
    workspace: Workspace,
    number: int,
    claims: Sequence[str],
    applies_from: str | None,
    options: dict[str, Any],
) -> tuple[orders.AnyEffect, ...]:
    """The effects that the options ask for, on each of the claims (or on the one reported)."""
    probe = list(effects_on("", "start", options))
    if not probe:
        if claims or applies_from is not None:
            raise click.UsageError("Say what happens to the claim: --set, --retract or another.")
        return ()
    if applies_from is None:
        raise click.UsageError("--applies-from is needed: start, or an instant; it is not guessed.")
    since: orders.AppliesFrom = (
        "start" if applies_from == "start" else parse_instant(applies_from, "--applies-from")
    )
    touched = dict.fromkeys(claims) or [_reported(workspace, number)]
    return tuple(effect for one in touched for effect in effects_on(one, since, options))


def effects_on(
    claim: str, since: orders.AppliesFrom, options: dict[str, Any]
) -> Iterator[orders.AnyEffect]:
    """The effects that the options ask for, on one claim."""
    fields = fields_set(options["wanted"])
    if fields:
        yield orders.Correct(claim=claim, applies_from=since, to=tuple(fields.items()))
    if options["reidentify"]:
        yield orders.Reidentify(claim=claim, applies_from=since, model=options["reidentify"])
    if options["dispute"]:
        yield orders.Dispute(claim=claim, applies_from=since, about=options["dispute"])
    for flag, kind in EFFECT_FLAGS.items():
        if options[flag]:
            yield kind(claim=claim, applies_from=since)


def _reported(workspace: Workspace, number: int) -> str:
    """The claim, label or sample that a report is about."""
    name = subject_in(workspace.ledger.report(number).target)
    if name is None:
        raise click.UsageError(f"Report {number} is not about a claim: give --claim ID.")
    return name


# --- recording --------------------------------------------------------------------------------


def record(workspace: Workspace, order: Order, by: str, *, as_json: bool) -> None:
    """Record an order and print what came of it."""
    decision = deciding.decide(workspace, order, by)
    if as_json:
        print_json(decision_json(decision))
    elif decision.entry is not None and not decision.returned:
        show.correction(console(), decision.entry)
    else:
        click.echo(told(decision))


def told(decision: Decision) -> str:
    """What came of an order that is in no log yet, in a sentence."""
    name = f"Decision {decision.name} on report {decision.number}"
    if decision.returned:
        return f"{name} is sent back to whoever proposed it."
    why = f" ({'; '.join(decision.why)})" if decision.why else ""
    return (
        f"{name} is proposed{why}. It does nothing until a second person approves it: "
        f"corrigenda report approve {decision.number} --decision {decision.name}"
    )
