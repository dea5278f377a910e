"""Values in words that people read on pages: moments, marks, addresses.

What pages and paper say alike is in :mod:`reports.words`, and is to be had from here too.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from urllib.parse import urlsplit

from ledger.claim import Plane
from projections.board.rows import Row
from projections.moment import Moment
from projections.over_time.changes import Shown
from reports.words import (
    VIEW_MEANINGS,
    VIEW_NAMES,
    counted,
    date_words,
    instant_words,
    kind_words,
    listed,
    reading_words,
    score_words,
    size_words,
    term_words,
    visible,
    when_words,
)

__all__ = [
    "VIEW_MEANINGS",
    "VIEW_NAMES",
    "common_marks",
    "counted",
    "date_words",
    "differing",
    "instant_words",
    "kind_words",
    "listed",
    "moment_words",
    "other_marks",
    "reading_words",
    "score_words",
    "size_words",
    "term_words",
    "visible",
    "web_address",
    "when_words",
]

# --- time -------------------------------------------------------------------------------------


def moment_words(moment: Moment, asked: Mapping[str, str], today: date) -> list[str]:
    """What is special about this moment, one phrase for each parameter that makes it so.

    Today's board is nothing special; where the position is pinned nobody says what day it is.
    """
    said = []
    pinned = "recorded_through" in asked
    if "as_read_on" in asked and (pinned or asked["as_read_on"] != today.isoformat()):
        said.append(_as_read(moment.as_read_on))
    if moment.plane is Plane.SINCE:
        said.append("with corrections decided later, for what was claimed by then")
    if pinned:
        recorded = f" (recorded {instant_words(moment.recorded_at)})" if moment.recorded_at else ""
        said.append(f"only what the ledger held at position {moment.position}{recorded}")
    if moment.published_by is not None:
        day = date_words(moment.published_by)
        said.append(f"only what counts from {day} or earlier, whenever it was read")
    return said


def _as_read(day: str) -> str:
    if len(day) == len("2025-07-28"):
        return f"as read by the end of {day} UTC"
    return f"as read by {day}"


# --- addresses, rows --------------------------------------------------------------------------


def web_address(address: str | None) -> str | None:
    """An address that may be followed: http or https, and nothing that a browser would run."""
    if address is None:
        return None
    try:
        parts = urlsplit(address)
    except ValueError:
        return None
    return address if parts.scheme in ("http", "https") and parts.netloc else None


def common_marks(rows: Sequence[Row]) -> list[str]:
    """The words of marks that every one of several rows bears."""
    if len(rows) < 2:
        return []
    first, *rest = ({mark["text"] for mark in row.marks} for row in rows)
    return sorted(first.intersection(*rest))


def other_marks(marks: Iterable[Mapping[str, str]], said: Sequence[str]) -> list[Mapping[str, str]]:
    """The marks that were not said already."""
    return [mark for mark in marks if mark["text"] not in said]


def differing(one: Shown, other: Shown) -> dict[str, str | None]:
    """The fields of ``one`` in which ``other`` differs from it."""
    theirs = other.fields()
    return {name: value for name, value in one.fields().items() if theirs.get(name) != value}
