"""What the address of the log asks for: filters, plain words, and which entries of them.

A filter that is left empty asks for nothing, as forms send every field. A value that no entry can
have is refused; one that no entry happens to have gives an empty list.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from types import MappingProxyType

import attrs

from ledger.decision import REVERSED
from ledger.errors import BadValue
from ledger.values import parse_day, parse_slug, parse_text
from ledger.vocabulary import OUTCOMES, UPDATE_TYPES
from projections.decisions.about_code import ABOUT
from projections.decisions.log import Choices, Wanted
from web.asked import Choice, Select, words_asked
from web.words import term_words

FILTERS = ("q", "about", "benchmark", "paper", "outcome", "type", "reason", "decided_by", "year")
PERIOD = ("from", "to")
PLACE = ("before", "after", "count")

ABOUT_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "claims": "claims",
        "labels": "labels of repositories",
        "samples": "code samples",
        "papers": "papers as such",
    }
)

USUAL, MOST = 50, 1_000
FIRST_YEAR, LAST_YEAR = 1970, 9998
OUTCOMES_SHOWN = (*OUTCOMES, REVERSED)


@attrs.frozen(kw_only=True)
class Place:
    """Which entries: at most ``count``, older than ``before`` or newer than ``after``."""

    count: int
    before: int | None = None
    after: int | None = None


def wanted_of(asked: Mapping[str, str]) -> Wanted:
    """The filters of an address, checked."""
    return Wanted(
        about=_one_of(asked, "about", tuple(ABOUT)),
        benchmark=_slug(asked, "benchmark"),
        paper=_slug(asked, "paper"),
        outcome=_one_of(asked, "outcome", OUTCOMES_SHOWN),
        type=_one_of(asked, "type", UPDATE_TYPES),
        reason=_text(asked, "reason"),
        decided_by=_slug(asked, "decided_by"),
        year=_year(asked),
        start=_day(asked, "from"),
        end=_day(asked, "to"),
        words=words_asked(asked),
    )


def place_of(asked: Mapping[str, str], usual: int = USUAL) -> Place:
    """Which of the entries; the length of a page is bounded before anything is looked up."""
    before, after = _number(asked, "before"), _number(asked, "after")
    if before is not None and after is not None:
        raise BadValue(what="before", shown="beside after", why="give one of them")
    count = _number(asked, "count") or usual
    if count > MOST:
        raise BadValue(what="count", shown=str(count), why=f"at most {MOST} entries at once")
    return Place(count=count, before=before, after=after)


def _slug(asked: Mapping[str, str], name: str) -> str | None:
    return parse_slug(asked[name], name) if name in asked else None


def _text(asked: Mapping[str, str], name: str) -> str | None:
    return parse_text(asked[name], name) if name in asked else None


def _one_of(asked: Mapping[str, str], name: str, known: Sequence[str]) -> str | None:
    value = asked.get(name)
    if value is not None and value not in known:
        raise BadValue(what=name, shown=repr(value), why=f"known are {', '.join(known)}")
    return value


def _number(asked: Mapping[str, str], name: str) -> int | None:
    value = asked.get(name)
    if value is None:
        return None
    if not (value.isascii() and value.isdecimal()) or len(value) > 9 or int(value) < 1:
        raise BadValue(what=name, shown=repr(value), why="give a number from 1 on")
    return int(value)


def _year(asked: Mapping[str, str]) -> int | None:
    year = _number(asked, "year")
    if year is not None and not FIRST_YEAR <= year <= LAST_YEAR:
        raise BadValue(what="year", shown=str(year), why="write it as YYYY")
    return year


def _day(asked: Mapping[str, str], name: str) -> date | None:
    return parse_day(asked[name], name) if name in asked else None


# --- the form ---------------------------------------------------------------------------------


@attrs.frozen(kw_only=True)
class Controls:
    """The form over the log as it stands: ``open`` where a list narrows it; ``kept`` goes along
    unseen."""

    q: str
    selects: tuple[Select, ...]
    kept: Mapping[str, str]
    open: bool


def controls_of(asked: Mapping[str, str], offered: Choices) -> Controls:
    """The form for what is asked for, out of what is offered."""
    lists: tuple[tuple[str, str, Iterable[tuple[str, str]]], ...] = (
        ("about", "About", ((one, ABOUT_WORDS[one]) for one in offered.abouts)),
        ("benchmark", "Benchmark", offered.benchmarks),
        ("paper", "Paper", offered.papers),
        ("outcome", "Outcome", _terms(offered.outcomes)),
        ("type", "Type", _terms(offered.types)),
        ("reason", "Reason", _terms(offered.reasons)),
        ("decided_by", "Decided by", ((one, one) for one in offered.deciders)),
        ("year", "Year", ((str(one), str(one)) for one in offered.years)),
    )
    return Controls(
        q=asked.get("q", ""),
        selects=tuple(_select(name, label, asked, values) for name, label, values in lists),
        kept={name: asked[name] for name in asked if name not in (*FILTERS, "before", "after")},
        open=any(name in asked for name, _, _ in lists),
    )


def _terms(values: Iterable[str]) -> Iterable[tuple[str, str]]:
    return ((value, term_words(value)) for value in values)


def _select(
    name: str, label: str, asked: Mapping[str, str], values: Iterable[tuple[str, str]]
) -> Select:
    chosen = asked.get(name)
    listed = {"": "any", **dict(values)}
    if chosen is not None:
        listed.setdefault(chosen, chosen)
    made = (Choice(value, words, value == (chosen or "")) for value, words in listed.items())
    return Select(name=name, label=label, choices=tuple(made))
