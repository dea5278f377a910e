"""When a file was read, and in which order among those of one instant: what its name says."""

import re
from datetime import UTC, datetime

from ledger.errors import FileRefused
from ledger.values import Instant

_INSTANT = re.compile(
    r"(?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2})T(?P<time>[0-9]{6})(?P<fraction>\.?[0-9]{1,6})?Z"
    r"(?:-(?P<order>[0-9]{3})(?![0-9]))?"
)


def instant_in(name: str) -> tuple[Instant, str] | None:
    """The instant (UTC) that a file's name begins with, and its ``-NNN`` order, if it has one.

    ``2025-02-07T191510Z-002.csv`` was read at 19:15:10Z, as the second of that instant.
    """
    found = _INSTANT.match(name)
    if found is None:
        return None
    fraction = (found["fraction"] or "").lstrip(".").ljust(6, "0")
    text = f"{found['day']}T{found['time']}.{fraction}"
    try:
        instant = datetime.strptime(text, "%Y-%m-%dT%H%M%S.%f").replace(tzinfo=UTC)
    except ValueError:
        raise FileRefused(file=name, why=f"{found[0]} is no instant") from None
    return instant, found["order"] or ""
