"""Tokens of programs on the command line; one is printed once, on standard output, and kept
nowhere."""

from typing import Any

import click

from ledger.errors import NotFound
from ledger.values import short_instant
from web.cli.options import json_option
from web.cli.output import console, print_json, say
from web.cli.session import Session, pass_session
from web.cli.show import add, table
from web.cookies import new_secret
from web.private import accounts, tokens
from web.private.tokens import PREFIX, SCOPES, USUAL_DAYS, Token


@click.group()
def token() -> None:
    """Tokens with which programs act for an account."""


@token.command("add")
@click.argument("handle", metavar="HANDLE")
@click.option(
    "--scope",
    "scopes",
    metavar="S",
    multiple=True,
    required=True,
    help=f"What it may do: {', '.join(SCOPES)}.",
)
@click.option(
    "--days",
    metavar="N",
    type=int,
    default=USUAL_DAYS,
    show_default=True,
    help="For how many days.",
)
@pass_session
def add_token(session: Session, handle: str, scopes: tuple[str, ...], days: int) -> None:
    """Make a token for an account. It never does more than the account's roles may."""
    private = session.workspace.private
    found = accounts.account_named(private, handle)
    if found is None:
        raise NotFound(what="account", name=handle)
    if found.disabled_at is not None:
        raise accounts.AccountDisabled(handle=handle)
    secret = new_secret()
    made = tokens.add_token(private, handle, scopes, secret=secret, days=days)
    say(f"Token {made.id} of {handle} is good until {short_instant(made.until)}; shown once:")
    click.echo(f"{PREFIX}{secret}")


@token.command("list")
@json_option
@pass_session
def list_tokens(session: Session, as_json: bool) -> None:
    """List the tokens that are still good."""
    found = tokens.all_tokens(session.workspace.private)
    if as_json:
        print_json({"tokens": [_json(one) for one in found]})
    elif not found:
        say("No token; corrigenda token add makes one.")
    else:
        made = table("Token", "Account", "Scopes", "Until")
        for one in found:
            add(made, one.id, one.handle, _scopes(one), short_instant(one.until))
        console().print(made)


def _json(one: Token) -> dict[str, Any]:
    return {
        "token": one.id,
        "handle": one.handle,
        "scopes": sorted(one.scopes),
        "made_at": short_instant(one.made_at),
        "until": short_instant(one.until),
    }


def _scopes(one: Token) -> str:
    return ", ".join(sorted(one.scopes))


@token.command("revoke")
@click.argument("ids", metavar="[TOKEN]...", nargs=-1)
@click.option("--of", "handle", metavar="HANDLE", help="All tokens of an account.")
@pass_session
def revoke(session: Session, ids: tuple[str, ...], handle: str | None) -> None:
    """Let nobody in with these tokens any more."""
    if not ids and handle is None:
        raise click.UsageError("Name tokens, or whose they are (--of).")
    private = session.workspace.private
    if handle is not None and accounts.account_named(private, handle) is None:
        raise NotFound(what="account", name=handle)
    count = tokens.revoke_tokens(private, ids=ids, of=handle)
    say(f"Revoked {count} {'token' if count == 1 else 'tokens'}.")
