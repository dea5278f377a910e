"""Whether a form that comes in is one of ours, sent by the person we gave it to.

Three things are asked of whatever changes something: the browser does not say that another site
sent it (Sec-Fetch-Site, Origin, Referer), it bears the cookie that the form was given to, and a
token that is an HMAC over that cookie and the form's address. A token needs no memory on our side,
so a form left open over night is good as long as the browser keeps its cookie.
"""

import hmac
from urllib.parse import urlsplit

from flask import g, request

from ledger.errors import Refused
from web.cookies import FORM, SESSION, cookie, new_secret, set_later
from web.private.keys import digest_under, form_key
from web.site import site

FIELD = "csrf"
HEADER = "X-CSRF-Token"
OURS = ("same-origin", "none")


class FromElsewhere(Refused):
    """This was sent from another site, so nothing was recorded; open the form here and send it
    from here."""


class FormTooOld(Refused):
    """This form does not fit your browser any more (a login, a logout or a removed cookie does
    that), so nothing was recorded; check what you typed and send it again."""


def csrf_token(path: str | None = None) -> str:
    """The token that a form sends as field ``csrf``; for forms that are sent to ``path``, which is
    the address of the page itself unless given. The page is not kept by any cache."""
    return _token(_holder(), path or request.path)


def check_form() -> None:
    """Refused unless this request was sent from one of our pages to the one it was given to."""
    if from_elsewhere():
        raise FromElsewhere
    held = cookie(SESSION) or cookie(FORM)
    given = request.headers.get(HEADER) or request.form.get(FIELD, "")
    if held is None or not hmac.compare_digest(_token(held, request.path).encode(), given.encode()):
        raise FormTooOld


def from_elsewhere() -> bool:
    """Whether the browser says that another site sent this."""
    if request.headers.get("Sec-Fetch-Site", "none") not in OURS:
        return True
    said = request.headers.get("Origin") or request.headers.get("Referer")
    return said is not None and not is_ours(said)


def is_ours(address: str) -> bool:
    """Whether an address is on this very host (and port)."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and _host(parts.netloc) == _host(request.host)


def _host(netloc: str) -> str:
    return netloc.lower().removesuffix(":80").removesuffix(":443")


def _holder() -> str:
    """What this browser is known by, for the sake of forms alone; a new cookie if need be."""
    g.holds_form = True
    held = cookie(SESSION) or cookie(FORM)
    if held is None:
        held = g.get("new_form")
    if held is None:
        held = g.new_form = new_secret()
        set_later(FORM, held)
    return str(held)


def _token(holder: str, path: str) -> str:
    return digest_under(form_key(site().workspace.private), holder, path)
