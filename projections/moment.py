"""When is asked about: one frozen :class:`Moment` from the four time parameters, or a refusal."""

from typing import Protocol

import attrs

from ledger.claim import Plane
from ledger.errors import BadValue, BeyondHead, InTheFuture
from ledger.values import (
    Instant,
    PartialDate,
    end_of_day,
    micros,
    parse_day,
    parse_instant,
    short_instant,
)


class Positions(Protocol):
    """Where the ledger stands; positions and the instants (UTC) at which they were recorded."""

    def head(self) -> int:
        """The last position; 0 when nothing is recorded."""
        ...

    def recorded_at(self, position: int) -> Instant | None:
        """When the last event at or before a position was recorded."""
        ...

    def position_at(self, instant: Instant) -> int:
        """The last position recorded by an instant; 0 for none."""
        ...


@attrs.frozen(kw_only=True)
class Moment:
    """A day on each clock: what had been read by ``instant``, of what the ledger held at
    ``position``, with the decisions of ``plane``, of what counts from ``published_by`` or earlier.

    ``as_read_on`` is the day or instant as asked, for showing; ``pinned`` says that the position
    was asked for, so that the answer never changes again.
    """

    as_read_on: str
    instant: Instant
    plane: Plane
    position: int
    recorded_at: Instant | None
    published_by: PartialDate | None = None
    pinned: bool = False

    @property
    def day(self) -> int:
        """``instant`` in microseconds, as the read model counts."""
        return micros(self.instant)

    @property
    def status_day(self) -> "PartialDate":
        """The day that status windows end on: ``published_by`` if given, else ``as_read_on``."""
        return self.published_by or PartialDate(self.instant.date().isoformat())


def moment_at(
    positions: Positions,
    now: Instant,
    *,
    as_read_on: str | None = None,
    corrected: str | None = None,
    recorded_through: str | None = None,
    published_by: str | None = None,
    day_named: str | None = None,
) -> Moment:
    """The moment that the parameters ask for (all text, as people type them).

    A day means to the end of that UTC day; an instant with an offset is inclusive. Refused: an
    impossible or empty date, a day after today, an instant after now, a position beyond the head.
    A refusal names the parameter; ``day_named`` is what the day is called there, unless as here.
    """
    position, recorded_at = _position(positions, now, recorded_through)
    if as_read_on is None:
        instant = now if recorded_through is None or recorded_at is None else recorded_at
        shown = short_instant(instant)
    else:
        instant, shown = _day(as_read_on, day_named or "as_read_on", now), as_read_on
    return Moment(
        as_read_on=shown,
        instant=instant,
        plane=_plane(corrected),
        position=position,
        recorded_at=recorded_at,
        published_by=_published_by(published_by, now),
        pinned=recorded_through is not None,
    )


def _day(text: str, what: str, now: Instant) -> Instant:
    if len(text) == 10:
        day = parse_day(text, what)
        if day > now.date():
            raise InTheFuture(what=what, when=text, now=short_instant(now))
        return end_of_day(day)
    instant = parse_instant(text, what)
    if instant > now:
        raise InTheFuture(what=what, when=text, now=short_instant(now))
    return instant


def _position(positions: Positions, now: Instant, text: str | None) -> tuple[int, Instant | None]:
    head = positions.head()
    if text is None:
        position = head
    elif text.isascii() and text.isdecimal() and len(text) <= 18:
        position = int(text)
        if position > head:
            raise BeyondHead(head=head, asked=text)
    elif text.startswith("-") or not text:
        raise BadValue(
            what="recorded_through", shown=repr(text), why="give a position or an instant"
        )
    else:
        position = positions.position_at(_day(text, "recorded_through", now))
    return position, positions.recorded_at(position)


def _plane(text: str | None) -> Plane:
    if text is None:
        return Plane.THEN
    if text not in Plane.__members__.values():
        raise BadValue(what="corrected", shown=repr(text), why="it is then or since")
    return Plane(text)


def _published_by(text: str | None, now: Instant) -> PartialDate | None:
    if text is None:
        return None
    day = parse_day(text, "published_by")
    if day > now.date():
        raise InTheFuture(what="published_by", when=text, now=short_instant(now))
    return PartialDate(text)
