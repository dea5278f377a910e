"""A page that this process made before is given out again, as it went out.

What a page says follows from its tag: the address, the ledger's position, the day and our release
(:meth:`web.site.Site.answer`). The server's name stands on it too, and it may be coded. So nothing
kept can be out of date, and no event has to throw anything out.
"""

from collections.abc import Hashable

from flask import Response, g, request

from web.compressed import takes_coding
from web.whole_pages import WholePage, WholePages


def made_before(pages: WholePages, tag: str) -> Response | None:
    """The page with this tag; where it is not there, the one now made is kept for the next time."""
    key: Hashable = (tag, request.host_url, takes_coding())
    page = pages.find(key)
    if page is None:
        g.keep_whole = (pages, key, tag)
        return None
    return Response(page.body, headers=list(page.headers))


def remember(response: Response) -> Response:
    """Keep the response that is about to go out, if it is one of those; runs after all else."""
    found: tuple[WholePages, Hashable, str] | None = g.pop("keep_whole", None)
    if found is None or response.status_code != 200 or response.is_streamed:
        return response
    if response.get_etag()[0] != found[2] or "Set-Cookie" in response.headers:
        return response
    pages, key, tag = found
    pages.keep(key, WholePage(list(response.headers), tag, response.get_data()))
    return response
