"""The time bar: of when a page is, and every way to ask for it of another time; no Flask here.

The bar of a page that is pinned to a position says only what was known at that position, and
nothing of today: such a page may be kept for ever.
"""

from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, time, timedelta
from types import MappingProxyType

import attrs

from ledger.claim import Plane
from ledger.values import MICROSECOND, Instant, instant_text, parse_instant, short_instant
from projections.moment import Moment
from projections.over_time.moments_of_change import Around
from web.asked import BOARD, TIME, is_day, is_pinned, shown_day
from web.when.citing import Citation
from web.words import date_words, instant_words, moment_words

Parameters = Mapping[str, str]
AddressOf = Callable[[Parameters], str]
"""An address of ours under some parameters."""


@attrs.frozen
class Reading:
    """One way to read a page, and what it means in one line."""

    name: str
    meaning: str


AS_READ = Reading("As read on that day", "corrections decided by then")
TODAY = Reading("As we know it today", "also later ones, for what was claimed by then")
HELD = Reading("Only what the ledger held then", "nothing that was added to it later")
PUBLISHED = Reading("As published by a day", "only what was out by then, whenever it was read")


@attrs.frozen(kw_only=True)
class PageOf:
    """A page that has a time, as far as its bar has to know it.

    ``address`` gives its own address under parameters, ``bibtex`` and ``csl`` those of its
    citation as a file, where there is one, ``changes`` where it is told what changed (after a day),
    which is called ``changes_words`` (empty: no link). ``which`` are the parameters that say which
    page it is, also where they were not given. ``corrections`` are the numbers of
    later decisions about what it shows; ``dated`` says that it can be asked for as published by a
    day.
    """

    address: AddressOf
    changes: AddressOf
    bibtex: AddressOf | None = None
    csl: AddressOf | None = None
    changes_words: str = "What changed between two days"
    which: Parameters = attrs.field(factory=dict)
    corrections: tuple[int, ...] = ()
    dated: bool = False


@attrs.frozen(kw_only=True)
class Asked:
    """The moment of a request: as understood, as it was given, of which day (UTC), how far the
    pages have come, and whether the ledger held anything by the day shown."""

    moment: Moment
    given: Parameters
    today: date
    behind: int = 0
    begun: bool = True

    @property
    def day(self) -> str:
        """The day or instant that is shown."""
        return shown_day(self.moment, self.given, self.today)

    @property
    def start(self) -> Instant:
        """Where what is shown begins: its day's first instant, or the instant itself."""
        if not is_day(self.day):
            return self.moment.instant
        return datetime.combine(date.fromisoformat(self.day), time(), UTC)

    def pinned(self, which: Parameters = MappingProxyType({})) -> dict[str, str]:
        """The parameters under which this very moment can be read for ever, in one order; ``which``
        say which page it is, also where they were not given."""
        found = {
            **which,
            **self.given,
            "as_read_on": self.day,
            "corrected": self.moment.plane.value,
            "recorded_through": str(self.moment.position),
        }
        return {name: found[name] for name in BOARD if name in found}


@attrs.frozen
class Turn:
    """A day, or an instant, on which the page changed; and where the page as read then is."""

    words: str
    address: str


@attrs.frozen(kw_only=True)
class Since:
    """What happened after the day shown: so many changes, told at ``changes``; the corrections of
    what is shown, by number; and the same day with these, at ``corrected``."""

    count: int
    corrections: tuple[int, ...]
    changes: str
    corrected: str


@attrs.frozen(kw_only=True)
class TimeBar:
    """What the bar shows, and what its forms send.

    ``day`` is never empty: a form that sends no day would ask for nothing, and an empty one is
    refused. ``latest_day`` bounds the date picker; a pinned page has none, as it may not change.
    ``carried`` is what every form sends along, ``kept`` the optional parameters of time in use.
    ``special`` says what makes this moment another one than now.
    """

    action: str
    carried: Parameters
    kept: Parameters
    day: str
    day_is_date: bool
    latest_day: str | None
    corrected: str
    held: str
    published: str | None
    position: int
    recorded_at: Instant | None
    special: tuple[str, ...]
    now: str
    without_kept: str
    previous: Turn | None
    following: Turn | None
    since: Since | None
    changes: str
    changes_words: str
    behind: int
    permalink: str
    citation: Citation
    bibtex: str | None
    csl: str | None

    as_read = AS_READ
    today = TODAY
    ledger = HELD
    retrospective = PUBLISHED


def time_bar(page: PageOf, asked: Asked, around: Around, citation: Citation) -> TimeBar:
    """The bar of a page; ``around`` is when the page changed before and after its day."""
    moment, given, day = asked.moment, asked.given, asked.day
    kept = {name: given[name] for name in ("recorded_through", "published_by") if name in given}
    carried = {**page.which, **{name: one for name, one in given.items() if name not in TIME}}
    plain = {name: one for name, one in given.items() if name not in TIME}
    dated = {"as_read_on": day, "corrected": moment.plane.value}
    return TimeBar(
        action=page.address({}),
        carried=carried,
        kept=kept,
        day=day,
        day_is_date=is_day(day),
        latest_day=None if is_pinned(given) else asked.today.isoformat(),
        corrected=moment.plane.value,
        held=kept.get("recorded_through", _held(asked)),
        published=kept.get("published_by", day[:10]) if page.dated else None,
        position=moment.position,
        recorded_at=moment.recorded_at,
        special=tuple(moment_words(moment, given, asked.today)),
        now=page.address(plain),
        without_kept=page.address({**plain, **dated}),
        previous=_turn(page, asked, around.previous),
        following=_turn(page, asked, around.following),
        since=_since(page, asked, around),
        changes=page.changes({}),
        changes_words=page.changes_words,
        behind=asked.behind,
        permalink=page.address(asked.pinned(page.which)),
        citation=citation,
        bibtex=page.bibtex(asked.pinned()) if page.bibtex else None,
        csl=page.csl(asked.pinned()) if page.csl else None,
    )


def _held(asked: Asked) -> str:
    """What the field for the ledger's own time begins with: the day shown, unless that is now or
    lies before the ledger."""
    known = "as_read_on" in asked.given and asked.begun
    return asked.day if known else str(asked.moment.position)


def _turn(page: PageOf, asked: Asked, instant: Instant | None) -> Turn | None:
    """Where the page changed; from a day one comes to a day, from an instant to an instant."""
    if instant is None:
        return None
    if is_day(asked.day):
        day = instant.date().isoformat()
        return Turn(date_words(day), page.address({**asked.given, "as_read_on": day}))
    exact = short_instant(instant)
    return Turn(instant_words(instant), page.address({**asked.given, "as_read_on": exact}))


def _since(page: PageOf, asked: Asked, around: Around) -> Since | None:
    """What happened after the day; nothing on the page of now."""
    shown_already = asked.moment.plane is Plane.SINCE
    corrections = () if shown_already else page.corrections
    if not around.later and not corrections:
        return None
    return Since(
        count=around.later,
        corrections=corrections,
        changes=page.changes({"from": after(asked.day)}),
        corrected=page.address({**asked.given, "corrected": Plane.SINCE.value}),
    )


def after(day: str) -> str:
    """The first day, or the first instant, after a checked ``as_read_on``."""
    if is_day(day):
        return (date.fromisoformat(day) + timedelta(days=1)).isoformat()
    return instant_text(parse_instant(day) + MICROSECOND)
