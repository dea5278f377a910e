"""Our cookies: ``session`` of whoever is logged in, ``form`` of whoever opened a form, ``draft`` of
whoever left something in one.

None says anything by itself: each is 256 random bits. Scripts cannot read them, other sites' forms
do not send them, and they go when the browser is closed; only a draft waits for its writer.
"""

import ipaddress
import secrets
from urllib.parse import urlsplit

from flask import Response, g, request

from web.headers import NOT_KEPT

SESSION = "session"
FORM = "form"
DRAFT = "draft"
LASTING = {DRAFT: 30 * 24 * 3600}
"""Seconds for which a cookie outlives the browser."""
LONGEST = 64


def new_secret() -> str:
    """256 random bits as text."""
    return secrets.token_urlsafe(32)


def cookie(name: str) -> str | None:
    """What the browser holds under a name; ``None`` for what cannot be ours."""
    held = request.cookies.get(_full(name))
    return held if held and len(held) <= LONGEST and held.isascii() else None


def set_later(name: str, value: str | None) -> None:
    """Have this response set a cookie, or remove it."""
    g.setdefault("cookies", {})[name] = value


def send_cookies(response: Response) -> Response:
    """Set what :func:`set_later` asked for; a page with a form or a cookie is kept by no cache."""
    asked: dict[str, str | None] = g.get("cookies", {})
    for name, value in asked.items():
        if value is None:
            response.delete_cookie(
                _full(name), path="/", secure=_secure(), httponly=True, samesite="Lax"
            )
        else:
            response.set_cookie(
                _full(name),
                value,
                max_age=LASTING.get(name),
                path="/",
                secure=_secure(),
                httponly=True,
                samesite="Lax",
            )
    if asked or g.get("holds_form"):
        response.headers["Cache-Control"] = NOT_KEPT
        response.headers.pop("ETag", None)
    return response


def _full(name: str) -> str:
    """The name on the wire; with this prefix a browser takes it from this very host alone."""
    return f"__Host-{name}" if _secure() else name


def _secure() -> bool:
    """Whether a cookie may travel under TLS alone; only this machine is served without."""
    return request.is_secure or not _is_loopback(request.host)


def _is_loopback(host: str) -> bool:
    try:
        name = urlsplit(f"//{host}").hostname or ""
        return name == "localhost" or ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False
