"""Logging in and out, and changing one's password.

A wrong password and a handle that nobody has get the same answer in the same time. Every login
makes a new session, so one that somebody slipped in beforehand is worth nothing.
"""

from urllib.parse import urlsplit

from flask import Blueprint, Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from ledger.errors import BadValue
from web import passwords
from web.access import client_key, limit, public, signed_in
from web.asked import asked
from web.cookies import FORM, SESSION, cookie, new_secret, set_later
from web.forged import is_ours
from web.onward import onward
from web.private.accounts import StoredAccount, account_named, replace_hash, set_password
from web.private.limits import TooMany, forget_tries
from web.private.sessions import end_session, start_session
from web.private.store import PrivateStore
from web.site import site

QUARTER = 15 * 60
PAIR, CLIENT, HANDLE = ("login-pair", 5), ("login-client", 30), ("login-handle", 100)
"""How many tries a quarter of an hour has: one client at one handle, one client, one handle."""

WRONG = (
    "The handle or the password is not right. A one-time password ends after seven days; "
    "an administrator can make a new one."
)

login = Blueprint("login", __name__)


def _private() -> PrivateStore:
    return site().workspace.private


# --- in ---------------------------------------------------------------------------------------


@login.get("/login")
@public
def page() -> ResponseReturnValue:
    """The form; whoever is logged in goes on at once."""
    wanted = asked(request.args, ("next",)).get("next") if request.args else _came_from()
    who = signed_in()
    if who is not None:
        return _go_on(who, wanted if request.args else _own_page(who))
    return _form(onward(wanted, ""))


def _own_page(who: StoredAccount) -> str:
    """Where somebody goes who is logged in already, and follows the link of a page that is the same
    for everybody."""
    return url_for("queue.page" if "reviewer" in who.roles else ".password")


def _came_from() -> str | None:
    """The page of ours that led here, such as one that a stranger cannot see."""
    if not request.referrer or not is_ours(request.referrer):
        return None
    parts = urlsplit(request.referrer)
    if parts.path in (url_for(".page"), url_for(".password"), url_for(".leave")):
        return None
    return f"{parts.path}?{parts.query}" if parts.query else parts.path


def _form(wanted: str, handle: str = "", problem: str = "", status: int = 200) -> Response:
    html = render_template("login.html", next=wanted, handle=handle, problem=problem)
    return Response(html, status, mimetype="text/html")


@login.post("/login")
@public
def enter() -> ResponseReturnValue:
    """Check handle and password, and start a session."""
    handle = request.form.get("handle", "").strip()
    wanted = onward(request.form.get("next", request.args.get("next")), "")
    try:
        _count(handle)
    except TooMany as no:
        response = _form(wanted, handle, str(no), 429)
        response.headers["Retry-After"] = str(no.fields["seconds"])
        return response
    who = _checked(handle, request.form.get("password", ""))
    if who is None:
        return _form(wanted, handle, WRONG, 403)
    forget_tries(_private(), PAIR[0], _pair(handle))
    _start(who)
    return _go_on(who, wanted)


def _count(handle: str) -> None:
    limit(CLIENT[0], client_key(), CLIENT[1], QUARTER)
    limit(PAIR[0], _pair(handle), PAIR[1], QUARTER)
    limit(HANDLE[0], handle, HANDLE[1], QUARTER)


def _pair(handle: str) -> str:
    return f"{client_key()} {handle}"


def _checked(handle: str, password: str) -> StoredAccount | None:
    """The account, if it may log in with this password."""
    private = _private()
    found = account_named(private, handle)
    fits = passwords.matches(found.password if found else None, password)
    if found is None or not fits or found.disabled_at is not None:
        return None
    if found.one_time_until is not None and found.one_time_until <= private.clock():
        return None
    if passwords.is_outdated(found.password):
        replace_hash(private, found.handle, found.password, passwords.hashed(password))
    return found


def _start(who: StoredAccount) -> None:
    _end()
    secret = new_secret()
    start_session(_private(), secret, who.handle)
    set_later(SESSION, secret)
    set_later(FORM, None)


def _go_on(who: StoredAccount, wanted: str | None) -> ResponseReturnValue:
    where = onward(wanted)
    if who.one_time_until is not None:
        where = url_for(".password", next=where)
    return redirect(where, 303)


# --- out --------------------------------------------------------------------------------------


@login.post("/logout")
@public
def leave() -> ResponseReturnValue:
    """End this session."""
    _end()
    set_later(SESSION, None)
    return redirect(url_for("public.index"), 303)


def _end() -> None:
    held = cookie(SESSION)
    if held is not None:
        end_session(_private(), held)


# --- another password -------------------------------------------------------------------------


@login.get("/password")
@public
def password() -> ResponseReturnValue:
    """The form for another password; a one-time one leads here and nowhere else."""
    who = signed_in()
    if who is None:
        return redirect(url_for(".page", next=url_for(".password")), 303)
    return _password_form(who, onward(asked(request.args, ("next",)).get("next"), ""))


def _password_form(
    who: StoredAccount, wanted: str, problem: str = "", status: int = 200
) -> Response:
    html = render_template(
        "password.html",
        who=who,
        next=wanted,
        problem=problem,
        shortest=passwords.SHORTEST,
    )
    return Response(html, status, mimetype="text/html")


@login.post("/password")
@public
def change() -> ResponseReturnValue:
    """Set the password; every session of the account ends, and this one begins anew."""
    who = signed_in()
    if who is None:
        return redirect(url_for(".page", next=url_for(".password")), 303)
    wanted = onward(request.form.get("next"), "")
    given, again = (request.form.get(name, "") for name in ("new_password", "password_again"))
    limit("password", who.handle, 10, QUARTER)
    if not passwords.matches(who.password, request.form.get("password", "")):
        return _password_form(who, wanted, "The password that you have now is not right.", 403)
    try:
        _check(who, given, again)
    except BadValue as no:
        return _password_form(who, wanted, str(no), 400)
    set_password(_private(), who.handle, passwords.hashed(given), one_time=False)
    _start(who)
    return redirect(onward(wanted), 303)


def _check(who: StoredAccount, given: str, again: str) -> None:
    if given != again:
        why = "type the same one twice"
        raise BadValue(what="password", shown="and its repetition differ", why=why)
    passwords.check_new(given, who.handle)
    if passwords.matches(who.password, given):
        raise BadValue(what="password", shown="is the one you have", why="choose another one")
