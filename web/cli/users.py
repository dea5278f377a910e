"""Accounts on the command line: whoever can run this is trusted with it.

A one-time password is printed once, on standard output, and kept nowhere; it has to be changed at
the first login. Any other password is asked for and never stands on the command line, where a
history would keep it.
"""

from typing import Any

import click

from ledger.errors import NotFound
from ledger.values import short_instant
from web import passwords
from web.cli.options import json_option
from web.cli.output import console, print_json, say
from web.cli.session import Session, pass_session
from web.cli.show import add, table
from web.private import accounts
from web.private.accounts import ROLES, StoredAccount
from web.private.store import PrivateStore
from web.wiring import Workspace

DEMO_REVIEWER = "demo-reviewer"

ROLE = click.option(
    "--role", "roles", metavar="R", multiple=True, required=True, help=f"One of {', '.join(ROLES)}."
)
ONE_TIME = click.option(
    "--one-time", is_flag=True, help="Print a password that has to be changed at the first login."
)


@click.group()
def user() -> None:
    """Accounts of reviewers, curators, auditors and administrators."""


@user.command("add")
@click.argument("handle", metavar="HANDLE")
@ROLE
@ONE_TIME
@pass_session
def add_user(session: Session, handle: str, roles: tuple[str, ...], one_time: bool) -> None:
    """Make an account. Its handle stands in the ledger for good, so it is no address."""
    private = session.workspace.private
    accounts.handle_of(handle)
    accounts.roles_of(roles)
    if accounts.account_named(private, handle) is not None:
        raise accounts.HandleTaken(handle=handle)
    password = _new_password(handle, one_time=one_time)
    accounts.add_account(private, handle, roles, passwords.hashed(password), one_time=one_time)
    _told(handle, password, "was added", one_time=one_time)


@user.command("passwd")
@click.argument("handle", metavar="HANDLE")
@ONE_TIME
@pass_session
def change_password(session: Session, handle: str, one_time: bool) -> None:
    """Give an account another password; all its sessions end."""
    private = session.workspace.private
    if _existing(private, handle).disabled_at is not None:
        raise accounts.AccountDisabled(handle=handle)
    password = _new_password(handle, one_time=one_time)
    accounts.set_password(private, handle, passwords.hashed(password), one_time=one_time)
    _told(handle, password, "has another password", one_time=one_time)


@user.command("roles")
@click.argument("handle", metavar="HANDLE")
@ROLE
@pass_session
def change_roles(session: Session, handle: str, roles: tuple[str, ...]) -> None:
    """Give an account these roles and no others."""
    accounts.set_roles(session.workspace.private, handle, roles)
    say(f"{handle} is {' and '.join(sorted(set(roles)))} now.")


@user.command("disable")
@click.argument("handle", metavar="HANDLE")
@pass_session
def disable(session: Session, handle: str) -> None:
    """Let nobody in with an account any more; what it did stays in the ledger."""
    accounts.disable_account(session.workspace.private, handle)
    say(f"{handle} is disabled, and every session has ended.")


@user.command("enable")
@click.argument("handle", metavar="HANDLE")
@pass_session
def enable(session: Session, handle: str) -> None:
    """Let a disabled account in again, with its roles and password as they were."""
    accounts.enable_account(session.workspace.private, handle)
    say(f"{handle} can log in again.")


@user.command("list")
@json_option
@pass_session
def list_users(session: Session, as_json: bool) -> None:
    """List the accounts, disabled ones too."""
    found = accounts.all_accounts(session.workspace.private)
    if as_json:
        print_json({"accounts": [_json(one) for one in found]})
    elif not found:
        say("No account yet; corrigenda user add makes one.")
    else:
        made = table("Handle", "Roles", "State", "Since")
        for one in found:
            roles = ", ".join(sorted(one.roles))
            add(made, one.handle, roles, _state(one), short_instant(one.created_at))
        console().print(made)


def _json(one: StoredAccount) -> dict[str, Any]:
    return {
        "handle": one.handle,
        "roles": sorted(one.roles),
        "state": _state(one),
        "created_at": short_instant(one.created_at),
    }


def _state(one: StoredAccount) -> str:
    if one.disabled_at is not None:
        return "disabled"
    return "one-time password" if one.one_time_until is not None else "active"


def _existing(private: PrivateStore, handle: str) -> StoredAccount:
    found = accounts.account_named(private, handle)
    if found is None:
        raise NotFound(what="account", name=handle)
    return found


def _new_password(handle: str, *, one_time: bool) -> str:
    """A new password: made here, or asked for without showing it."""
    if one_time:
        return passwords.one_time()
    asked = click.prompt("Password", hide_input=True, confirmation_prompt=True, err=True)
    password = str(asked)
    passwords.check_new(password, handle)
    return password


def _told(handle: str, password: str, what: str, *, one_time: bool) -> None:
    say(f"{handle} {what}.")
    if one_time:
        days = accounts.ONE_TIME_LASTS.days
        say(f"This password is good for one login within {days} days, which asks for another one:")
        click.echo(password)


# --- the demo's -------------------------------------------------------------------------------


def make_demo_reviewer(workspace: Workspace, handle: str = DEMO_REVIEWER) -> tuple[str, str]:
    """A reviewer of the demo, with a new one-time password: handle and password."""
    private, password = workspace.private, passwords.one_time()
    kept = passwords.hashed(password)
    if accounts.account_named(private, handle) is None:
        accounts.add_account(private, handle, ("reviewer",), kept, one_time=True)
    else:
        accounts.enable_account(private, handle)
        accounts.set_password(private, handle, kept, one_time=True)
    return handle, password
