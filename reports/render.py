"""From a paper to HTML: the Jinja environment, and what the templates are given.

Everything that is printed goes through :class:`reports.fonts.Letters` and is escaped; a name that a
template misspells stops it. Templates are our own files, and nothing of a bundle is ever markup but
the two drawings made here: the chart and the QR code.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs
import segno
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from ledger.values import instant_text, parse_instant
from ledger.vocabulary import CHECKS, LABELS, POINTER_ONLY, RUN_OUTCOMES
from reports import words
from reports.charts.corrections import KINDS
from reports.charts.months import months_in, months_words
from reports.charts.printed import printed_leaders, printed_months, printed_posts, printed_scores
from reports.fonts import Letters
from reports.paper import code, cover, marks
from reports.paper.checking import BUNDLE, RECEIPT, checking_of
from reports.paper.document import Json, Paper
from reports.paper.naming import Names, applies_words, changes_of, outcome_words
from reports.paper.origins import Origins
from reports.paper.release import PRESS, RELEASE
from reports.paper.sections import Section, sections_of

TEMPLATES = Path(__file__).parent / "templates"
MOST_MOVED = 60
"""Rows of one board that a notice lists; the bundle has all of them."""

CLAIM_FIELDS = (
    ("score", "Score as written"),
    ("unit", "Unit"),
    ("name", "Name as written"),
    ("metric", "Metric"),
    ("split", "Split"),
    ("setting", "Setting"),
    ("published_on", "Published"),
    ("lab", "Lab as written"),
    ("section", "Section"),
    ("locator", "Where in it"),
    ("url", "Address given"),
    ("passed", "Passed"),
    ("completed", "Run"),
    ("total", "In all"),
)
COMBINE_WORDS: Mapping[str, str] = {
    "best": "the best one of each row counts",
    "mean": "their mean counts",
}


@attrs.frozen
class Part:
    """Which part of a large paper a piece is; ``rows`` is how many lines the whole has, ``starts``
    in which part each section begins."""

    number: int
    of: int
    rows: int
    starts: Sequence[tuple[str, int]] = ()


@attrs.define
class Printer:
    """Turns sections of one paper into HTML."""

    paper: Paper
    letters: Letters
    _environment: Environment = attrs.field(init=False, repr=False)
    _shared: Mapping[str, Any] = attrs.field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        names = Names.of(self.paper)
        self._environment = _environment(names, self.letters)
        self._shared = dict(self._context(names))

    def html(self, sections: Sequence[Section], part: Part | None = None) -> str:
        """The page of some sections of the paper; ``part`` where it is printed in pieces."""
        template = self._environment.get_template("paper.html")
        return template.render(self._shared, sections=sections, part=part)

    def _context(self, names: Names) -> Iterator[tuple[str, Any]]:
        paper, document = self.paper, self.paper.document
        yield "paper", paper
        yield "origins", Origins.of(paper)
        yield "checking", checking_of(paper)
        yield "contents", sections_of(paper)
        yield "numbers", {one["decision"]: one["number"] for one in document["decisions"]}
        yield "repositories", code.repository_names(paper)
        yield "lead", cover.lead(paper, names)
        yield "facts", list(cover.facts(paper, names))
        yield "qr", _qr(paper)
        yield "chart", self._chart
        yield "scores_chart", self._scores
        yield "ceiling", (document.get("charted") or {}).get("near_ceiling")
        yield "posts_chart", self._posts
        yield "months_chart", self._months
        yield "months_kinds", KINDS
        yield "lacking", self.letters.lacking
        yield "recorded", instant_text(paper.recorded_at)[:19] + "Z"
        yield "press", PRESS
        yield "edition", self.letters.edition
        yield from _of_board(paper)

    def _chart(self) -> Markup | None:
        leaders = self.paper.document["leaders"]
        if not leaders:
            return None
        drawn = printed_leaders(leaders, self.paper.until, self.letters.shown)
        if drawn is None:
            return None
        told = (
            f"{words.date_words(one['since'])}: {one['model']['name']}, {one['score']}"
            for one in leaders
        )
        return _titled(drawn, self.letters.shown(f"Number one over time. {'; '.join(told)}."))

    def _scores(self) -> Markup | None:
        shows = self.paper.shows
        if shows["metric"] is None:
            return None
        ceiling = (self.paper.document.get("charted") or {}).get("near_ceiling")
        drawn = printed_scores(
            shows["rows"], shows["metric"], self.paper.until, self.letters.shown, ceiling
        )
        told = "Scores over time: every row of the board that bears a date, and the best so far."
        return _titled(drawn, told) if drawn else None

    def _posts(self) -> tuple[list[Markup], int]:
        """The pictures, and how many labs have no row in any of them."""
        posts = self.paper.document["charted"]["posts"]
        drawn = printed_posts(posts, self.paper.until, self.letters.shown)
        return [_titled(*one) for one in drawn.pictures], drawn.left_out

    def _months(self) -> Markup | None:
        months = months_in(self.paper.shows["corrections"])
        drawn = printed_months(months)
        return _titled(drawn, months_words(months)) if drawn else None


def _of_board(paper: Paper) -> Iterator[tuple[str, Any]]:
    rows = paper.shows["rows"] if paper.kind == "board" else ()
    later: dict[str, list[int]] = {}
    for one in paper.shows.get("changed_since", ()):
        later.setdefault(one["claim_id"], []).append(one["correction"])
    everywhere = marks.on_every(rows)
    yield "later", later
    yield "every_row", everywhere
    shown = (*rows, *(paper.shows["unranked"] if paper.kind == "board" else ()))
    yield "mark_meanings", marks.meanings(shown, later=bool(later))


def _environment(names: Names, letters: Letters) -> Environment:
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda value: _printed(value, letters),
    )
    made.filters.update(
        about=names.about,
        applies=applies_words,
        blames=code.blamed_words,
        changes=lambda touched: list(changes_of(touched)),
        counted=words.counted,
        day=words.date_words,
        instant=lambda text: words.instant_words(parse_instant(text)),
        kind=words.kind_words,
        listed=lambda numbers: words.listed(map(str, numbers)),
        outcome=outcome_words,
        outcomes=lambda record, words: list(code.outcomes_in(record, words)),
        part=code.part_words,
        reach=code.reach_words,
        reading=lambda text: words.reading_words(parse_instant(text)),
        score=_score,
        size=words.size_words,
        subject=code.subject_words,
        term=words.term_words,
        thousands=lambda number: f"{number:,}",
        touched_name=names.touched,
        when=words.when_words,
    )
    made.globals.update(
        attached=(BUNDLE, RECEIPT),
        called=names.called,
        metric_name=names.metric,
        value_words=names.value,
        check_words=CHECKS,
        claim_fields=CLAIM_FIELDS,
        code_words=(tuple(LABELS), tuple(RUN_OUTCOMES), tuple(POINTER_ONLY)),
        combine_words=COMBINE_WORDS,
        most_moved=MOST_MOVED,
        page_words=cover.PAGES,
        release=RELEASE,
        view_meanings=words.VIEW_MEANINGS,
        view_names=words.VIEW_NAMES,
        what_words=cover.KINDS,
    )
    return made


def _printed(value: Any, letters: Letters) -> Any:
    """What an expression prints; the letters of markup were looked at when it was made."""
    return value if isinstance(value, Markup) else letters.isolated(str(value))


def _score(row: Json) -> str:
    return "" if row["score"] is None else words.score_words(row["score"], row["unit"])


def _qr(paper: Paper) -> Markup:
    """The permalink as a vector drawing; dense rather than failing where it is long."""
    code = segno.make(paper.permalink, micro=False, error="m", boost_error=False)
    drawn = code.svg_inline(border=0, dark="#1c1e21", omitsize=True, svgclass=None, lineclass=None)
    return _titled(drawn, f"QR code of the address {paper.permalink}")


def _titled(svg: str, title: str) -> Markup:
    """A drawing of ours with its alternative text, which readers of tagged PDF are told."""
    start, _, rest = svg.partition(">")
    return Markup(f"{start}><title>{escape(title)}</title>{rest}")  # noqa: S704 -- drawn here, and the title is escaped
