"""Where to go after a login: to a page of ours and nowhere else.

A list of what may be, not of what may not: browsers drop tabs and line ends, take a backslash for a
slash, and two slashes for another site, and each framework undoes escapes of its own. Our paths
need none of that.
"""

import re

from web.asked import LONGEST_ADDRESS

PATH = re.compile(r"/(?:[A-Za-z0-9_~-][A-Za-z0-9._~-]*/?)*")
QUERY = re.compile(r"(?:[A-Za-z0-9._~=&+:,/-]|%[2-7][0-9A-Fa-f])*")


def onward(text: str | None, otherwise: str = "/") -> str:
    """``text`` if it is the address of a page here, with its query; else ``otherwise``."""
    return text if text is not None and is_ours(text) else otherwise


def is_ours(text: str) -> bool:
    """Whether this can only be an address of this site, however it is read."""
    path, _, query = text.partition("?")
    return bool(len(text) <= LONGEST_ADDRESS and PATH.fullmatch(path) and QUERY.fullmatch(query))
