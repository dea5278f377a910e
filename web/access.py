"""Who may see and do what. Nothing is open unless its view says so.

Every view bears exactly one mark: :func:`public`, or :func:`needs` with roles; an app with a view
that bears none does not start. The mark is looked at before the view runs, and so is, for whatever
may change something, whether the form is one of ours (:mod:`web.forged`). A view that says so
(:func:`by_token`) lets a program in that shows a token in place of a session (:mod:`web.bearer`).
"""

import ipaddress
from collections.abc import Callable
from typing import Any, TypeVar

import attrs
from flask import Flask, current_app, g, redirect, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound as NoSuchPage

from ledger.errors import Refused
from web.bearer import SCOPES, holder, shown
from web.cookies import SESSION, cookie, send_cookies
from web.forged import FromElsewhere, check_form, csrf_token, from_elsewhere
from web.private.accounts import ROLES, StoredAccount, account_named
from web.private.keys import day_salt, digest_under
from web.private.limits import TooMany, count_try
from web.private.sessions import session_handle
from web.site import site

__all__ = [
    "ROLES",
    "Account",
    "TooMany",
    "account",
    "by_token",
    "client_key",
    "csrf_token",
    "largest",
    "limit",
    "needs",
    "public",
]

View = TypeVar("View", bound=Callable[..., Any])
DOOR = "_corrigenda_door"
LARGEST = "_corrigenda_largest"
TOKENS = "_corrigenda_tokens"
READING = ("GET", "HEAD")
FORMS_OF_PAGES = (".json", ".csv", ".atom", ".pdf")


class NotSignedIn(Refused):
    """You are not logged in, or not any more, so nothing was recorded; log in and send it again."""


class NotYourRole(Refused):
    """This takes the role {roles}, which {handle} does not have; ask an administrator."""


class Unmarked(RuntimeError):
    """A view says neither that it is public nor whom it needs."""


@attrs.frozen
class Account:
    """Who is logged in."""

    handle: str
    roles: frozenset[str]


@attrs.frozen
class Door:
    """Who may pass: anyone, or whoever has one of the roles."""

    roles: frozenset[str]
    anyone: bool = False


@attrs.frozen
class Tokens:
    """Which tokens a view takes, and whether it takes nothing else."""

    scope: str
    alone: bool


# --- marks ------------------------------------------------------------------------------------


def public(view: View) -> View:
    """Let anyone in; the view itself must not tell strangers what is none of theirs."""
    return _marked(view, Door(frozenset(), anyone=True))


def needs(*roles: str) -> Callable[[View], View]:
    """Let in whoever has one of these roles. A stranger is sent to the login page by a page that
    is about nothing in particular (``/review``), and told by any other that there is nothing."""
    if not roles or not set(roles) <= set(ROLES):
        raise ValueError(f"needs() takes roles out of {ROLES}, not {roles}")
    return lambda view: _marked(view, Door(frozenset(roles)))


def largest(size: int) -> Callable[[View], View]:
    """Let a view take bodies (files) of up to so many bytes; its fields keep the usual limit."""

    def mark(view: View) -> View:
        setattr(view, LARGEST, size)
        return view

    return mark


def by_token(scope: str, *, alone: bool = False) -> Callable[[View], View]:
    """Let a program in with a token of a scope, which does what its account's roles may and no
    more. ``alone``: sessions are not looked at, so there is no form that would have to be ours."""
    if scope not in SCOPES:
        raise ValueError(f"by_token() takes one of {SCOPES}, not {scope}")

    def mark(view: View) -> View:
        setattr(view, TOKENS, Tokens(scope, alone))
        return view

    return mark


def _marked(view: View, door: Door) -> View:
    if door_of(view) is not None:
        raise ValueError(f"{view.__name__} has its mark already")
    setattr(view, DOOR, door)
    return view


def door_of(view: Callable[..., Any]) -> Door | None:
    """The mark of a view."""
    found = getattr(view, DOOR, None)
    return found if isinstance(found, Door) else None


# --- who is there -----------------------------------------------------------------------------


def account() -> Account | None:
    """Who is logged in; nobody is while a one-time password waits to be changed."""
    found = signed_in()
    if found is None or found.one_time_until is not None:
        return None
    return Account(found.handle, found.roles)


def signed_in() -> StoredAccount | None:
    """The account of this session, also when its password has to be changed first."""
    if "signed_in" not in g:
        g.signed_in = _signed_in()
    found: StoredAccount | None = g.signed_in
    return found


def _signed_in() -> StoredAccount | None:
    held = cookie(SESSION)
    if held is None:
        return None
    private = site().workspace.private
    handle = session_handle(private, held)
    found = None if handle is None else account_named(private, handle)
    return None if found is None or found.disabled_at is not None else found


def client_key() -> str:
    """A key for the client's network, for counting; another one each day, and not to be undone.

    An IPv6 client is known by its /64, as it has all of that to itself.
    """
    salt = day_salt(site().workspace.private)
    return digest_under(salt, _network(request.remote_addr or ""))


def _network(address: str) -> str:
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped:
            return str(found.ipv4_mapped)
        return str(ipaddress.ip_network((found, 64), strict=False))
    return str(found)


def limit(name: str, key: str, most: int, seconds: int) -> None:
    """Count one try; :class:`TooMany` (429) after ``most`` within so many seconds."""
    count_try(site().workspace.private, name, key, most, seconds)


# --- the door ---------------------------------------------------------------------------------


def install(app: Flask) -> None:
    """Guard every view of the app; call it once all of them are there."""
    unmarked = sorted(
        rule.endpoint
        for rule in app.url_map.iter_rules()
        if door_of(app.view_functions[rule.endpoint]) is None
    )
    if unmarked:
        raise Unmarked(f"neither public nor guarded: {', '.join(unmarked)}")
    app.before_request(_admit)
    app.after_request(send_cookies)
    app.jinja_env.globals.update(csrf_token=csrf_token, account=account)


def _admit() -> ResponseReturnValue | None:
    if request.endpoint is None:
        return None  # no such address, or not for this method
    view = current_app.view_functions[request.endpoint]
    door = door_of(view)
    if door is None:
        raise Unmarked(request.endpoint)
    if request.method not in READING:
        request.max_content_length = getattr(view, LARGEST, request.max_content_length)
    with_a_session = _with_a_session(getattr(view, TOKENS, None))
    if request.method not in READING and with_a_session:
        check_form()
    if door.anyone:
        return None
    who = account()
    if who is not None and who.roles & door.roles:
        return None
    return _turned_away(door, who)


def _is_for_programs() -> bool:
    """Whether an address is none that a person would be led to by logging in."""
    return request.path.startswith("/api/")


def _with_a_session(tokens: Tokens | None) -> bool:
    """Whether this request may be somebody's by their session; else it is who shows a token."""
    if tokens is None:
        return True
    text = shown()
    if text is not None:
        g.signed_in = holder(text, tokens.scope)
        g.by_token = text
        return False
    if not tokens.alone:
        return True
    if from_elsewhere():
        raise FromElsewhere
    g.signed_in = None
    return False


def _turned_away(door: Door, who: Account | None) -> ResponseReturnValue:
    if request.method not in READING:
        if who is None:
            raise NotSignedIn
    elif request.view_args or request.path.endswith(FORMS_OF_PAGES) or _is_for_programs():
        raise NoSuchPage
    elif who is None:
        return redirect(url_for("login.page", next=request.full_path.rstrip("?")), 303)
    raise NotYourRole(roles=" or ".join(sorted(door.roles)), handle=who.handle)
