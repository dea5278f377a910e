"""The queue at ``/review``: what waits, who holds what, oldest first, and many decided at once.

Filters are in the address. Every decision of many goes through `deciding.decide` like
any other; rubbish is set apart by `reporting.screening`. Each line says which versions and which
snapshot it showed, and these are what is decided on.
"""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import attrs
from flask import Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from ledger import commands as orders
from ledger.errors import BadValue
from ledger.subject import is_claim, stream_of
from ledger.values import parse_slug
from projections.called import Called, called
from projections.keeping.views import Reader
from projections.moment import Moment
from projections.review.queue import ClaimToReview, claims_to_review, reports
from projections.review.waiting import (
    AGES,
    NOBODY,
    Entry,
    Filters,
    Place,
    Queue,
    entries_of,
    queue_at,
)
from projections.sources import source_names
from web.access import needs
from web.asked import asked
from web.errors import status_of
from web.log.paper_words import field_value
from web.private import suspected
from web.reporting import screening
from web.reviewing.acts import me, take
from web.reviewing.bulk import Settled, decide_each
from web.reviewing.bulk_form import chosen, orders_from, whole
from web.reviewing.desk import desk_pages
from web.reviewing.form import Typed, typed_from
from web.reviewing.words import (
    ABOUT_WORDS,
    BULK_OUTCOMES,
    OUTCOME_WORDS,
    REASON_NAMES,
    reason_names,
)
from web.site import site

FILTERS = (
    "about",
    "benchmark",
    "paper",
    "source",
    "reason",
    "assignee",
    "older_than",
    "awaiting",
    "state",
)
PAGE = 50
LARGEST_FORM = 256 * 1024
APART = "apart"

queue = desk_pages("queue", largest_form=LARGEST_FORM)


# --- the page ---------------------------------------------------------------------------------


@attrs.frozen(kw_only=True)
class Line:
    """One line: the report, and the versions and the snapshot that the page shows of it."""

    entry: Entry
    subject_version: int | None
    snapshot: str | None

    def __str__(self) -> str:
        report = self.entry.report
        told = (report.number, report.version, self.subject_version or "", self.snapshot or "")
        return ":".join(map(str, told))


@attrs.frozen(kw_only=True)
class Screen:
    """The queue as it is asked for. ``apart`` are reports that were set apart, not the queue;
    ``called`` and ``sources`` what benchmarks, metrics and sources are called."""

    queue: Queue
    lines: Sequence[Line]
    called: Called
    sources: Mapping[str, str]
    page: int
    apart: bool
    to_review: Sequence[ClaimToReview]
    suspected: Mapping[str, int]
    set_apart: int

    @property
    def found(self) -> int:
        """How many lines there are on all pages."""
        return len(self.queue.entries)

    @property
    def last(self) -> int:
        """The number of the last page."""
        return max(1, -(-self.found // PAGE))

    def value(self, field: str, value: str | None, place: Place) -> str | None:
        """A value that a report asks for, in words."""
        if field == "metric" and value is not None:
            return self.called.metric(place.benchmark, value)
        return field_value(field, value)


@queue.get("/review")
@needs("reviewer")
def page() -> ResponseReturnValue:
    """What waits."""
    given = asked(request.args, (*FILTERS, "page", "done"), (*FILTERS, "page", "done"))
    site().freshness.reached()
    return _show(given, Typed(), said=_said(given.get("done")))


def _said(done: str | None) -> str | None:
    if done is None:
        return None
    count, _, what = done.partition("-")
    known = count.isascii() and count.isdecimal() and len(count) <= 6 and what in DONE
    return f"{int(count):,} {DONE[what]}" if known else None


DONE: Mapping[str, str] = MappingProxyType(
    {"decided": "decided.", "apart": "set apart.", "back": "is back in the queue.", "held": "held."}
)


def _show(
    given: Mapping[str, str],
    typed: Typed,
    *,
    said: str | None = None,
    settled: Sequence[Settled] = (),
    problem: str | None = None,
    status: int = 200,
) -> Response:
    workspace = site().workspace
    now = workspace.ledger.clock()
    html = render_template(
        "queue.html",
        screen=_screen(given),
        filters={name: given[name] for name in FILTERS if name in given},
        typed=typed,
        said=said,
        settled=settled,
        problem=problem,
        who=me(),
        now=now,
        ages=AGES,
        nobody=NOBODY,
        outcomes={name: OUTCOME_WORDS[name] for name in BULK_OUTCOMES},
        reasons=REASON_NAMES,
        reason_names=reason_names,
        abouts=ABOUT_WORDS,
    )
    return Response(html, status, mimetype="text/html")


def _screen(given: Mapping[str, str]) -> Screen:
    workspace = site().workspace
    moment, apart = workspace.moment(), given.get("state") == APART
    store = workspace.ledger.store
    with workspace.views.read() as reader:
        aside = reports(reader, APART)
        found = queue_at(reader, store, filters_of(given), moment)
        if apart:
            listed = entries_of(reader, store, aside, moment)
            found = attrs.evolve(found, entries=tuple(listed))
        to_review = claims_to_review(reader)
        names, sources = _names_in(reader, found, to_review, moment)
    page = _page(given, len(found.entries))
    shown = found.entries[(page - 1) * PAGE : page * PAGE]
    return Screen(
        queue=found,
        lines=list(_lines(shown)),
        called=names,
        sources=sources,
        page=page,
        apart=apart,
        to_review=to_review,
        suspected=suspected.counts(workspace.private),
        set_apart=len(aside),
    )


def _names_in(
    reader: Reader, found: Queue, to_review: Sequence[ClaimToReview], moment: Moment
) -> tuple[Called, Mapping[str, str]]:
    """What the benchmarks, metrics and sources are called that the page speaks of."""
    places = [one.place for one in found.entries]
    benchmarks = {one.benchmark for one in places} | {one.benchmark for one in to_review}
    benchmarks |= {slug for slug, _ in found.counts["benchmark"]}
    sources = {one.source for one in places} | {slug for slug, _ in found.counts["source"]}
    return called(reader, benchmarks, moment), source_names(reader, sources, moment)


def filters_of(given: Mapping[str, str]) -> Filters:
    """The filters of an address, checked; one that no report happens to have shows nothing."""
    state = given.get("state")
    if state not in (None, APART):
        raise BadValue(what="state", shown=ascii(state), why=f"it is {APART}, or left out")
    awaiting = given.get("awaiting")
    if awaiting not in (None, "yes", "no"):
        raise BadValue(what="awaiting", shown=ascii(awaiting), why="it is yes or no")
    assignee = given.get("assignee")
    return Filters(
        about=_slug(given, "about"),
        benchmark=_slug(given, "benchmark"),
        paper=_slug(given, "paper"),
        source=_slug(given, "source"),
        reason=_slug(given, "reason"),
        assignee=NOBODY if assignee == NOBODY else _slug(given, "assignee"),
        older_than=_days(given),
        awaiting=None if awaiting is None else awaiting == "yes",
    )


def _slug(given: Mapping[str, str], name: str) -> str | None:
    return parse_slug(given[name], name) if name in given else None


def _days(given: Mapping[str, str]) -> int | None:
    text = given.get("older_than")
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) <= 4):
        raise BadValue(what="older_than", shown=ascii(text), why="give days, as a whole number")
    return int(text)


def _page(given: Mapping[str, str], total: int) -> int:
    text = given.get("page", "1")
    if not (text.isascii() and text.isdecimal() and len(text) <= 6):
        raise BadValue(what="page", shown=ascii(text), why="give a number from 1 on")
    return max(1, min(int(text), -(-total // PAGE)))


def _lines(entries: Sequence[Entry]) -> Iterator[Line]:
    """Each entry with the version of what it is about and the reading that it rests on now."""
    store = site().workspace.ledger.store
    subjects = {entry.place.subject for entry in entries if entry.place.subject}
    versions: dict[str, int] = {}
    readings: dict[str, str | None] = {}
    for record in store.streams(stream_of(one) for one in sorted(subjects)):
        subject = record.envelope.stream.partition(":")[2]
        versions[subject] = record.envelope.version
        readings[subject] = getattr(record.event, "reading", readings.get(subject))
    for one in subjects:
        if not is_claim(one):  # what a sample was stated as before stands in other streams too
            told = site().workspace.ledger.told(one)
            readings[one] = told.readings[-1].digest if told.readings else None
    for entry in entries:
        one = entry.place.subject or ""
        yield Line(entry=entry, subject_version=versions.get(one), snapshot=readings.get(one))


# --- what the buttons do ----------------------------------------------------------------------


@queue.post("/review")
@needs("reviewer")
def act() -> ResponseReturnValue:
    """Take one; decide, or set apart, all that are chosen; or bring one back."""
    given = asked(request.args, (*FILTERS, "page"), (*FILTERS, "page"))
    typed = typed_from(request.form.lists())
    do, _, one = typed.one("do").partition(":")
    try:
        match do:
            case "take":
                take(whole(one), me())
                return _back(given, "1-held")
            case "let-in":
                _let_in(whole(one))
                return _back(given, "1-back")
            case "apart":
                return _back(given, f"{_set_apart(typed)}-apart")
            case _:
                workspace = site().workspace
                settled = decide_each(workspace, orders_from(workspace, typed), me())
    except BadValue as no:
        return _show(given, typed, problem=str(no), status=400)
    refused = [one for one in settled if one.refusal is not None]
    if not refused:
        return _back(given, f"{len(settled)}-decided")
    status = max(status_of(one.refusal) for one in refused if one.refusal is not None)
    return _show(given, typed, settled=settled, status=status)


def _back(given: Mapping[str, str], done: str) -> ResponseReturnValue:
    query: dict[str, Any] = {**given, "done": done}
    return redirect(url_for(".page", **query), 303)


def _set_apart(typed: Typed) -> int:
    numbers = [one.number for one in chosen(typed)]
    reason = typed.one("why_apart")
    return screening.reject(site().workspace, me(), reason, numbers=numbers).count


def _let_in(number: int) -> None:
    workspace = site().workspace
    workspace.ledger.do(orders.ScreenReport(number=number, passed=True), me())
    workspace.catch_up()
