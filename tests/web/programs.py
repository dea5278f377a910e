"""Programs at the interface, for tests: each with a token of an account, and no cookie."""

from typing import Any

import attrs
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.web.people import NO_PASSWORD
from web.cookies import new_secret
from web.private.accounts import account_named, add_account
from web.private.tokens import PREFIX, SCOPES, USUAL_DAYS, add_token
from web.wiring import Workspace


@attrs.frozen
class Program:
    """Something that shows a token, or none."""

    client: FlaskClient
    token: str | None = None

    def get(self, address: str) -> TestResponse:
        """Ask for an address."""
        return self.client.get(address, headers=self.headers())

    def post(self, address: str, document: Any, key: str | None = None) -> TestResponse:
        """Send a document, under a key if one is given."""
        return self.client.post(address, json=document, headers=self.headers(key))

    def headers(self, key: str | None = None) -> dict[str, str]:
        """What it sends along."""
        shown = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        return shown | ({"Idempotency-Key": key} if key else {})


def token_of(
    workspace: Workspace,
    handle: str,
    *scopes: str,
    roles: tuple[str, ...] = ("reviewer",),
    days: int = USUAL_DAYS,
) -> str:
    """A token of an account, which is made when there is none."""
    private, secret = workspace.private, new_secret()
    if account_named(private, handle) is None:
        add_account(private, handle, roles, NO_PASSWORD, one_time=False)
    add_token(private, handle, scopes or SCOPES, secret=secret, days=days)
    return f"{PREFIX}{secret}"


def program(
    app: Flask,
    workspace: Workspace,
    handle: str = "ada",
    *scopes: str,
    roles: tuple[str, ...] = ("reviewer",),
) -> Program:
    """A program with a token of an account."""
    token = token_of(workspace, handle, *scopes, roles=roles)
    return Program(app.test_client(use_cookies=False), token)


def nobody(app: Flask) -> Program:
    """A program without a token."""
    return Program(app.test_client(use_cookies=False))
