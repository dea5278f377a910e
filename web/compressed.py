"""Text goes out compressed to whoever takes it so.

Only what anybody may read and any cache may keep: on a page of somebody's own, its length would
tell something of its secrets to whoever may add to it and watch. Tags are weak, so one tag stands
for the page however it is coded (RFC 9110, 8.8.3.3); a library that writes the coding into the tag
would cost us the cheap answers to those who hold a page already.
"""

import gzip

from flask import Response, request

from web.headers import NOT_KEPT

CODING = "gzip"
LEVEL = 6
SHORTEST = 1_000
"""Bytes; below, the coding itself would take more than it saves."""

TEXTS = frozenset(
    {
        "text/html",
        "text/css",
        "text/csv",
        "text/plain",
        "text/javascript",
        "application/javascript",
        "application/json",
        "application/ld+json",
        "application/problem+json",
        "application/atom+xml",
        "application/xml",
        "image/svg+xml",
    }
)


def compressed(response: Response) -> Response:
    """The response, coded if the asker takes it and it is worth it; runs after all else."""
    if response.mimetype not in TEXTS and response.status_code != 304:
        return response
    if response.headers.get("Cache-Control", NOT_KEPT) == NOT_KEPT:
        return response
    response.vary.add("Accept-Encoding")
    if response.is_streamed or "Content-Encoding" in response.headers or not takes_coding():
        return response
    data = response.get_data()
    if len(data) >= SHORTEST:
        # No time in it: the same page is the same bytes.
        response.set_data(gzip.compress(data, LEVEL, mtime=0))
        response.headers["Content-Encoding"] = CODING
    return response


def takes_coding() -> bool:
    """Whether the asker takes text in our coding."""
    return request.accept_encodings.quality(CODING) > 0
