"""Programs that show a token in place of a session: ``Authorization: Bearer …``.

A view takes tokens only when it says so (:func:`web.access.by_token`), and then of one scope. There
is no cookie in it, so nothing that a browser sends by itself, and no form has to be ours.
"""

from flask import request

from ledger.errors import Refused
from web.private.accounts import StoredAccount, account_named
from web.private.tokens import SCOPES, token_of
from web.site import site

LONGEST = 100

__all__ = ["SCOPES", "BadToken", "NotInScope", "holder", "shown"]


class BadToken(Refused):
    """This token is none of ours, or its days are over, so nothing was done; ask for a new one
    (corrigenda token add)."""


class NotInScope(Refused):
    """This takes a token with the scope {scope}, which yours does not have; ask for one
    (corrigenda token add --scope {scope})."""


def shown() -> str | None:
    """What is shown as a token; ``None`` where nothing is."""
    scheme, _, text = request.headers.get("Authorization", "").partition(" ")
    return text.strip() if scheme.casefold() == "bearer" else None


def holder(text: str, scope: str) -> StoredAccount:
    """Whose token it is. Raises :class:`BadToken`, and :class:`NotInScope`."""
    private = site().workspace.private
    token = token_of(private, text) if len(text) <= LONGEST else None
    found = None if token is None else account_named(private, token.handle)
    if token is None or found is None or found.disabled_at is not None:
        raise BadToken
    if scope not in token.scopes:
        raise NotInScope(scope=scope)
    return found
