"""What changed on a benchmark between two days, and the history of a model on all; GET only.

Each is a page, JSON and CSV, and can be cited. A span is pinned by its last day and a position.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from flask import Blueprint, Response
from markupsafe import Markup

from ledger.values import MICROSECOND, from_micros
from ledger.vocabulary import VIEWS
from projections.board.benchmarks import Benchmark, first_reading
from projections.called import called_on
from projections.models import Model, model_at
from projections.over_time.compared import Compared, compared
from projections.over_time.model_history import history_of_model
from projections.over_time.moments_of_change import around
from projections.over_time.page_steps import About
from reports.changes import compared_json, model_history_json
from reports.exports.lines import changes_lines
from web import access
from web.addresses import address_of
from web.api.told import CSL, told
from web.asked import TIME, Choice, Select, is_pinned
from web.changes_csv import changes_csv, model_history_csv
from web.public import document, page
from web.site import Look, site
from web.when import titles
from web.when.bar import PageOf, TimeBar
from web.when.bars import bar_of, drawn, position_asked
from web.when.citations import WEBPAGE, asked_of, bibtex_file, citation_of, csl_file
from web.when.citing import Citation
from web.when.listing import listed
from web.when.span import (
    SPAN,
    Span,
    SpanBar,
    span_of,
    time_of_span,
    turned,
    usual_spans,
)
from web.words import VIEW_NAMES, moment_words

changes = Blueprint("changes", __name__)

BOARDS = ("view", "metric")
"""Fields of the form that may be left empty: then changes of every source and metric are listed."""

MOST_OF_MODEL = 500
"""Changes that the page of a model's history lists; JSON and CSV have all of them."""

Make = Callable[[Look, Span, Compared], Response]


# --- a benchmark between two days -------------------------------------------------------------


@changes.get("/benchmarks/<slug:slug>/changes")
@access.public
def of_board(slug: str) -> Response:
    """Two days side by side: the rows that moved, and every change in between with its cause."""

    def make(look: Look, span: Span, found: Compared) -> Response:
        return page(
            look,
            "changes.html",
            found=found,
            called=called_on(found.after.benchmark),
            span=span,
            listed=listed(found),
            bar=_bar(look, slug, span, found),
            at_end={"as_read_on": span.last, **position_asked(look)},
            asked_board={name: look.asked[name] for name in BOARDS if name in look.asked},
        )

    return _answer(slug, make)


@changes.get("/benchmarks/<slug:slug>/changes.json")
@access.public
@told("What changed on a benchmark between two days.", "Changes", (*SPAN, *BOARDS))
def of_board_as_json(slug: str) -> Response:
    """The same as JSON."""
    return _answer(slug, lambda _look, _span, found: document(compared_json(found)))


@changes.get("/benchmarks/<slug:slug>/changes.csv")
@access.public
def of_board_as_csv(slug: str) -> Response:
    """Every change, oldest first; the file's name says of which span."""

    def make(look: Look, span: Span, found: Compared) -> Response:
        first, last = span.first.replace(":", ""), span.last.replace(":", "")
        name = f"{slug}_changes_{first}_{last}_position-{look.moment.position}.csv"
        return _csv(changes_csv(found), name)

    return _answer(slug, make)


@changes.get("/benchmarks/<slug:slug>/changes.jsonl")
@access.public
def of_board_as_lines(slug: str) -> Response:
    """The same, a change a line."""

    def make(look: Look, span: Span, found: Compared) -> Response:
        first, last = span.first.replace(":", ""), span.last.replace(":", "")
        name = f"{slug}_changes_{first}_{last}_position-{look.moment.position}.jsonl"
        response = Response(b"".join(changes_lines(found)), content_type="application/jsonl")
        response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
        return response

    return _answer(slug, make)


@changes.get("/benchmarks/<slug:slug>/changes.bib")
@access.public
def of_board_as_bibtex(slug: str) -> Response:
    """How to cite it, as BibTeX."""
    return _answer(slug, lambda look, span, found: bibtex_file(_citation(look, slug, span, found)))


@changes.get("/benchmarks/<slug:slug>/changes.csl.json")
@access.public
@told("How to cite it.", "Citation", (*SPAN, *BOARDS), media=CSL)
def of_board_as_csl(slug: str) -> Response:
    """How to cite it, as CSL-JSON."""
    return _answer(slug, lambda look, span, found: csl_file(_citation(look, slug, span, found)))


def _answer(slug: str, make: Make) -> Response:
    def answer(look: Look) -> Response:
        view, metric = look.asked.get("view"), look.asked.get("metric")
        about, latest = _about(look, slug), None
        if "from" not in look.asked:
            end = look.moment.instant + MICROSECOND
            latest = around(look.reader, look.store, about, look.moment, end).previous
        span = span_of(look.asked, look.moment, look.today, latest)
        found = compared(
            look.reader, look.store, slug, span.start, look.moment, view=view, metric=metric
        )
        return make(look, span, found)

    return site().answer(answer, SPAN, fields=BOARDS, time_in=time_of_span)


def _about(look: Look, slug: str) -> About:
    view, metric = look.asked.get("view"), look.asked.get("metric")
    return About(kind="benchmark", id=slug, view=view, metric=metric)


def _csv(text: str, name: str) -> Response:
    response = Response(text, content_type="text/csv; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


# --- its bar ----------------------------------------------------------------------------------


def _bar(look: Look, slug: str, span: Span, found: Compared) -> SpanBar:
    address = partial(_address, "changes.of_board", slug)
    given = {**look.asked, **span.given}
    near = around(look.reader, look.store, _about(look, slug), look.moment, span.start)
    began = first_reading(look.reader, slug, look.moment)
    pinned = _pinned(look, span)
    return SpanBar(
        action=address({}),
        kept=position_asked(look),
        span=span,
        are_dates=len(span.first) == len(span.last) == len("2025-07-28"),
        latest_day=None if is_pinned(time_of_span(look.asked)) else look.today.isoformat(),
        selects=_selects(look, found),
        usual=usual_spans(address, given, span, None if began is None else from_micros(began)),
        previous=turned(address, given, near.previous),
        following=turned(address, given, near.following),
        position=look.moment.position,
        behind=look.reached.lag,
        special=tuple(moment_words(look.moment, position_asked(look), look.today)),
        now=address({name: one for name, one in given.items() if name != "recorded_through"}),
        permalink=address(pinned),
        citation=_citation(look, slug, span, found),
        bibtex=_address("changes.of_board_as_bibtex", slug, pinned),
        csl=_address("changes.of_board_as_csl", slug, pinned),
    )


def _address(endpoint: str, slug: str, parameters: Mapping[str, Any]) -> str:
    return address_of(endpoint, {"slug": slug}, parameters)


def _pinned(look: Look, span: Span) -> dict[str, str]:
    found = {**look.asked, **span.given, "recorded_through": str(look.moment.position)}
    return {name: found[name] for name in (*SPAN, *BOARDS) if name in found}


def _citation(look: Look, slug: str, span: Span, found: Compared) -> Citation:
    title = titles.span_title(found.after.benchmark.name, span.words)
    address = _address("changes.of_board", slug, _pinned(look, span))
    return citation_of(
        look, f"{slug}-changes", (title, WEBPAGE), address, (span.words, span.last_day)
    )


def _selects(look: Look, found: Compared) -> tuple[Select, ...]:
    view, metric = look.asked.get("view"), look.asked.get("metric")
    benchmark = found.after.benchmark
    views = [("", "Any source"), *((one, VIEW_NAMES[one]) for one in VIEWS if one != "all")]
    chosen = "" if view in (None, "all") else str(view)
    return (
        Select(name="view", label="Numbers from", choices=_choices(views, chosen)),
        Select(name="metric", label="Metric", choices=_metrics(benchmark, metric)),
    )


def _metrics(benchmark: Benchmark, metric: str | None) -> tuple[Choice, ...]:
    rules = sorted(benchmark.rules.values(), key=lambda rule: rule.ordinal)
    offered = [("", "Any metric"), *((rule.metric, rule.name) for rule in rules)]
    chosen = benchmark.rule(metric) if metric else None
    return _choices(offered, chosen.metric if chosen else "")


def _choices(offered: list[tuple[str, str]], chosen: str) -> tuple[Choice, ...]:
    return tuple(Choice(value, name, value == chosen) for value, name in offered)


# --- a model on all benchmarks ----------------------------------------------------------------


@changes.get("/models/<slug:slug>/history")
@access.public
def of_model(slug: str) -> Response:
    """Every change of every number that any source states for a model, newest first."""

    def make(look: Look) -> Response:
        found = history_of_model(look.reader, look.store, slug, look.moment)
        return page(
            look,
            "model_history.html",
            found=found,
            shown=tuple(reversed(found.changes))[:MOST_OF_MODEL],
            bar=_bar_of_history(look, found.model),
        )

    return site().answer(make)


@changes.get("/models/<slug:slug>/history.json")
@access.public
@told("Every change of every number of a model.", "ModelHistory", TIME)
def of_model_as_json(slug: str) -> Response:
    """The same as JSON, oldest first."""

    def make(look: Look) -> Response:
        found = history_of_model(look.reader, look.store, slug, look.moment)
        return document(model_history_json(found))

    return site().answer(make)


@changes.get("/models/<slug:slug>/history.csv")
@access.public
def of_model_as_csv(slug: str) -> Response:
    """The same as CSV, oldest first."""

    def make(look: Look) -> Response:
        found = history_of_model(look.reader, look.store, slug, look.moment)
        name = f"{slug}_history_position-{look.moment.position}.csv"
        return _csv(model_history_csv(found), name)

    return site().answer(make)


@changes.get("/models/<slug:slug>/history.bib")
@access.public
def of_model_as_bibtex(slug: str) -> Response:
    """How to cite it, as BibTeX."""
    return site().answer(lambda look: bibtex_file(_citation_of_history(look, _model(look, slug))))


@changes.get("/models/<slug:slug>/history.csl.json")
@access.public
@told("How to cite it.", "Citation", TIME, media=CSL)
def of_model_as_csl(slug: str) -> Response:
    """How to cite it, as CSL-JSON."""
    return site().answer(lambda look: csl_file(_citation_of_history(look, _model(look, slug))))


def _model(look: Look, slug: str) -> Model:
    return model_at(look.reader, slug, look.moment)


def _bar_of_history(look: Look, model: Model) -> Markup:
    slug = model.slug
    own = partial(_address, "changes.of_model", slug)

    def make() -> TimeBar:
        page_of = PageOf(
            address=own,
            bibtex=partial(_address, "changes.of_model_as_bibtex", slug),
            csl=partial(_address, "changes.of_model_as_csl", slug),
            changes=lambda _: own(position_asked(look)),
            changes_words="",
        )
        citation = _citation_of_history(look, model)
        return bar_of(look, About(kind="model", id=slug), page_of, citation)

    return drawn(look, make)


def _citation_of_history(look: Look, model: Model) -> Citation:
    address = _address("changes.of_model", model.slug, asked_of(look).pinned())
    title = titles.history_title(model)
    return citation_of(look, f"{model.slug}-history", (title, WEBPAGE), address)
