"""Headers: what a browser may do with our pages, and how long anybody may keep them."""

import hashlib
from collections.abc import Mapping
from types import MappingProxyType

from flask import Response, request

# No script, no style and no picture but our own, no frame, no other site; nothing is inline.
POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
# Frozen bytes are somebody else's: whatever they are, they get no power here.
SANDBOX = f"{POLICY}; sandbox"

UNUSED_FEATURES = (
    "accelerometer",
    "autoplay",
    "camera",
    "display-capture",
    "encrypted-media",
    "fullscreen",
    "geolocation",
    "gyroscope",
    "magnetometer",
    "microphone",
    "midi",
    "payment",
    "publickey-credentials-get",
    "screen-wake-lock",
    "usb",
    "xr-spatial-tracking",
)

SECURITY: Mapping[str, str] = MappingProxyType(
    {
        "Content-Security-Policy": POLICY,
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "same-origin",
        "Permissions-Policy": ", ".join(f"{feature}=()" for feature in UNUSED_FEATURES),
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
    }
)

FOR_EVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"
NOT_KEPT = "no-store"


def secured(response: Response) -> Response:
    """Every response gets these; what a page sets more strictly itself stays."""
    for name, value in SECURITY.items():
        response.headers.setdefault(name, value)
    response.headers.setdefault("Cache-Control", NOT_KEPT)
    return response


def tag_of(*parts: object) -> str:
    """A tag for this very address and whatever else the page depends on.

    It names the address, so a matching tag proves that this address gave a page.
    """
    told = "\x1f".join((request.full_path, *map(str, parts)))
    return hashlib.sha256(told.encode()).hexdigest()[:32]


def unchanged(tag: str) -> Response | None:
    """A 304 for whoever holds the page with this tag."""
    held = request.if_none_match
    # Only a tag that we gave out counts: "*" would match a page that we refuse.
    if not held.contains_weak(tag) or held.star_tag:
        return None
    return Response(status=304)


def kept(response: Response, tag: str, *, for_ever: bool) -> Response:
    """Say how long the response may be kept: for ever, or as long as its tag is confirmed.

    The tag is weak: pages of one tag say the same, to the second of printing they may differ.
    """
    response.headers["Cache-Control"] = FOR_EVER if for_ever else ASK_AGAIN
    response.set_etag(tag, weak=True)
    return response
