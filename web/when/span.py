"""A span of time as a page asks for it, and its bar: from a day, to a day, of the ledger at a
position. No Flask here."""

from collections.abc import Mapping
from datetime import date, timedelta

import attrs

from ledger.values import Instant, parse_instant
from projections.moment import Moment
from web.asked import Select, is_day
from web.when.bar import AddressOf, Parameters, Turn
from web.when.citing import Citation
from web.words import date_words, instant_words

SPAN = ("from", "to", "recorded_through")


def time_of_span(asked: Mapping[str, str]) -> dict[str, str]:
    """The time parameters of the moment at which a span ends."""
    time_asked = {"as_read_on": asked["to"], "day_named": "to"} if "to" in asked else {}
    held = "recorded_through"
    return time_asked | ({held: asked[held]} if held in asked else {})


@attrs.frozen(kw_only=True)
class Span:
    """From when to when, as shown; ``start`` and the moment's instant are both included."""

    first: str
    last: str
    start: Instant
    moment: Moment

    @property
    def words(self) -> str:
        """The span in words."""
        if self.first == self.last and is_day(self.first):
            return f"On {date_words(self.first)} (UTC)"
        return f"From {_words(self.first, 'start')} to {_words(self.last, 'end')} (UTC)"

    @property
    def last_day(self) -> date:
        """The day on which it ends."""
        return date.fromisoformat(self.last) if is_day(self.last) else self.moment.instant.date()

    @property
    def before(self) -> str:
        """The moment just before it in words."""
        return f"Before {_words(self.first, '')}"

    @property
    def after(self) -> str:
        """The moment at its end in words."""
        return f"By {_words(self.last, 'end')}"

    @property
    def given(self) -> dict[str, str]:
        """Its ends as parameters."""
        return {"from": self.first, "to": self.last}


def _words(text: str, edge: str) -> str:
    if not is_day(text):
        return instant_words(parse_instant(text)).removesuffix(" UTC")
    return f"the {edge} of {date_words(text)}" if edge else date_words(text)


def span_of(asked: Mapping[str, str], moment: Moment, today: date, latest: Instant | None) -> Span:
    """The span that is asked for; without a beginning it is the day of the ``latest`` change."""
    last = asked.get("to") or (moment.instant.date() if moment.pinned else today).isoformat()
    first = asked.get("from") or (latest or moment.instant).date().isoformat()
    return Span(first=first, last=last, start=parse_instant(first, "from"), moment=moment)


# --- the bar ----------------------------------------------------------------------------------


@attrs.frozen(kw_only=True)
class SpanBar:
    """What the bar of a span shows, and what its form sends. Its parts are named as those of
    :class:`web.when.bar.TimeBar`; ``usual`` are spans that people ask for often."""

    action: str
    kept: Parameters
    span: Span
    are_dates: bool
    latest_day: str | None
    selects: tuple[Select, ...]
    usual: tuple[Turn, ...]
    previous: Turn | None
    following: Turn | None
    position: int
    behind: int
    special: tuple[str, ...]
    now: str
    permalink: str
    citation: Citation
    bibtex: str
    csl: str
    since: None = None


def turned(address: AddressOf, given: Parameters, instant: Instant | None) -> Turn | None:
    """The span of the day on which something changed."""
    if instant is None:
        return None
    day = instant.date().isoformat()
    return Turn(date_words(day), address({**given, "from": day, "to": day}))


def usual_spans(
    address: AddressOf, given: Parameters, span: Span, first: Instant | None
) -> tuple[Turn, ...]:
    """The last days before the end of a span, and all since the first change."""
    end = span.moment.instant.date()
    found = [
        Turn(words, address({**given, "from": (end - timedelta(days=days)).isoformat()}))
        for words, days in (("A week", 6), ("A month", 30), ("A year", 365))
        if end.toordinal() > days
    ]
    if first is not None:
        day = first.date().isoformat()
        found.append(Turn("Everything", address({**given, "from": day})))
    return tuple(found)
