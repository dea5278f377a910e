"""How often a program may ask, counted as everywhere, and stated in every answer.

The fields are those of the IETF's draft (``RateLimit-Policy``, ``RateLimit``): what is allowed in
how many seconds, and what is left of it.
"""

import attrs
from flask import Response, g

from web.access import account, client_key, limit
from web.private.limits import left
from web.reporting.pages import POSTS, QUARTER, REPORTS
from web.site import site


@attrs.frozen
class Policy:
    """So many in so many seconds, under a name that is told, and one that it is counted by."""

    name: str
    counted: str
    most: int
    seconds: int

    def __str__(self) -> str:
        return f'"{self.name}";q={self.most};w={self.seconds}'


SENDING = Policy("sending", "report-posts", POSTS, QUARTER)
FILING = Policy("reports", "reports", REPORTS, QUARTER)
ASKING = Policy("token", "token", 600, QUARTER)


def counted(policy: Policy) -> None:
    """Count one try of whoever asks. Raises :class:`~web.access.TooMany` (429)."""
    stated(policy)
    limit(policy.counted, _key(), policy.most, policy.seconds)


def stated(*policies: Policy) -> None:
    """State policies in this answer, whether or not a try of theirs is counted."""
    known = g.setdefault("policies", [])
    known.extend(one for one in policies if one not in known)


def _key() -> str:
    """A form and a program of one network are counted together; a token counts for its account."""
    who = account()
    return client_key() if who is None or "by_token" not in g else f"account {who.handle}"


def told(response: Response) -> Response:
    """Tell what was counted in this request, or would have been."""
    found: list[Policy] = g.get("policies", [])
    if found:
        key, private = _key(), site().workspace.private
        remaining = []
        for one in found:
            rest, seconds = left(private, one.counted, key, one.most)
            remaining.append(f'"{one.name}";r={rest};t={seconds or one.seconds}')
        response.headers["RateLimit-Policy"] = ", ".join(map(str, found))
        response.headers["RateLimit"] = ", ".join(remaining)
    return response
