"""People at the pages, for tests: strangers, and accounts that are logged in.

A form that a person sends bears the token that the page would have given them; `forged=True`
sends it without.
"""

from typing import Any

import attrs
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from web.cookies import FORM, SESSION, new_secret
from web.forged import FIELD
from web.private.accounts import account_named, add_account
from web.private.keys import digest_under, form_key
from web.private.sessions import start_session
from web.wiring import Workspace

NO_PASSWORD = "*"
"""Fits no password; whoever has it comes in by a session that the test makes."""


@attrs.frozen
class Person:
    """Somebody with a browser of their own."""

    workspace: Workspace
    client: FlaskClient
    secret: str

    def get(self, address: str, **options: Any) -> TestResponse:
        """Ask for an address."""
        return self.client.get(address, **options)

    def token(self, path: str) -> str:
        """What a page gives this person for a form that is sent to a path."""
        return digest_under(form_key(self.workspace.private), self.secret, path)

    def post(
        self,
        address: str,
        fields: dict[str, Any] | None = None,
        *,
        forged: bool = False,
        **options: Any,
    ) -> TestResponse:
        """Send a form (files as in Werkzeug: ``(stream, name)``)."""
        sent = dict(fields or {})
        if not forged:
            sent.setdefault(FIELD, self.token(address.partition("?")[0]))
        return self.client.post(address, data=sent, **options)


def stranger(app: Flask, workspace: Workspace) -> Person:
    """Somebody without an account, who has been at a form before."""
    client, secret = app.test_client(), new_secret()
    client.set_cookie(FORM, secret)
    return Person(workspace, client, secret)


def signed_in(app: Flask, workspace: Workspace, handle: str, *roles: str) -> Person:
    """Somebody who is logged in; their account is made when there is none."""
    private = workspace.private
    if account_named(private, handle) is None:
        add_account(private, handle, roles or ("reviewer",), NO_PASSWORD, one_time=False)
    client, secret = app.test_client(), new_secret()
    start_session(private, secret, handle)
    client.set_cookie(SESSION, secret)
    return Person(workspace, client, secret)
