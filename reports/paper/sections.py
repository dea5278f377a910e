"""Which sections a paper has, in which order, and how a long one is cut into pieces.

A section is a template with what it shows; one with many lines may be cut anywhere between two.
Small papers are printed in one go. Large ones are printed piece by piece, so that none of the
pieces takes much memory, and joined.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import attrs

from reports.charts.months import month_rows, months_in
from reports.paper.code import behind_in
from reports.paper.document import Json, Paper

LARGE = 500
"""Rows above which a paper is printed in pieces."""
PIECE = 400
"""Lines of one piece."""


@attrs.frozen
class Section:
    """A template, its anchor and heading, and its lines; ``first`` counts them through (from 1)."""

    template: str
    anchor: str
    heading: str
    lines: Sequence[Any] = ()
    first: int = 1
    of: int = 0

    @property
    def last(self) -> int:
        """The number of the last line here."""
        return self.first + len(self.lines) - 1

    @property
    def is_whole(self) -> bool:
        """Whether all of the section's lines are here."""
        return len(self.lines) == self.of

    @property
    def begins(self) -> bool:
        """Whether the section begins here."""
        return self.first == 1

    @property
    def ends(self) -> bool:
        """Whether the section ends here."""
        return self.first - 1 + len(self.lines) == self.of

    def cut(self, most: int) -> Iterator["Section"]:
        """The section in pieces of at most so many lines."""
        if len(self.lines) <= most:
            yield self
            return
        for start in range(0, len(self.lines), most):
            yield attrs.evolve(
                self, lines=self.lines[start : start + most], first=self.first + start
            )


COVER = Section("cover.html", "cover", "Cover")
LETTERS = Section("letters.html", "letters", "Letters that our fonts lack")
"""Printed last, where there is any."""


def sections_of(paper: Paper) -> list[Section]:
    """All sections of a paper but the cover, which lists them."""
    return list(_MAKERS[paper.kind](paper))


def _board(paper: Paper) -> Iterator[Section]:
    document, shows = paper.document, paper.shows
    if document["caveats"] or shows["evaluation_changes"]:
        yield Section("caveats.html", "caveats", "Before you compare")
    yield from _long("rows.html", "board", "Board", shows["rows"])
    yield from _long("unranked.html", "unranked", "Shown, not ranked", shows["unranked"])
    if document["leaders"]:
        yield Section("leaders.html", "leaders", "Number one over time")
    # Bundles of earlier releases do not say what only charts show.
    posts = (document.get("charted") or {}).get("posts", ())
    yield from _long("posts.html", "launch-posts", "Launch posts", posts)
    yield from _decisions(document["decisions"])
    yield from _behind(paper)


def _claim(paper: Paper) -> Iterator[Section]:
    document, shows = paper.document, paper.shows
    if shows["says"]:
        yield Section("says.html", "says", "What the source says")
    if document["caveats"]:
        yield Section("caveats.html", "caveats", "Before you compare")
    yield from _long("steps.html", "steps", "What happened to it", shows["history"])
    yield from _long("readings.html", "readings", "Readings of its source", shows["readings"])
    yield from _decisions(document["decisions"])
    yield from _behind(paper)


def _paper(paper: Paper) -> Iterator[Section]:
    document, shows = paper.document, paper.shows
    if shows["empty_because"] is None:
        if document["caveats"]:
            yield Section("caveats.html", "caveats", "Before you read on")
        yield from _long("abstract.html", "abstract", "Abstract", shows["abstracts"])
        yield from _long("stated.html", "stated", "Scores that it states", shows["claims"])
        yield _with("repositories.html", "code", "Code", shows["repositories"])
        yield from _ran(shows["records"])
        yield _with("results.html", "results", "Results in archives", shows["results"])
        yield from _long("dates.html", "dates", "Dates, and what each means", shows["dates"])
        yield Section("words.html", "words", "What the words mean")
    yield from _decisions(document["decisions"])
    yield from _behind(paper)


def _ran(records: Sequence[Json]) -> Iterator[Section]:
    """What each record holds, and then its samples one by one."""
    for record in records:
        slug, name = record["source"]["slug"], record["source"]["name"]
        yield _with("record.html", f"ran-{slug}", f"Code that {name} ran", (record,))
        heading = f"Sample by sample: {name}"
        yield from _long("samples.html", f"samples-{slug}", heading, record["samples"])
    if not records:
        yield Section("record.html", "ran", "Code that ran")


def _correction(paper: Paper) -> Iterator[Section]:
    shows = paper.shows
    yield Section("statement.html", "statement", "What was decided")
    yield from _long("changed.html", "changed", "What it changed", shows["claims"])
    of_code = "What it changed of labels and samples"
    yield from _long("touched.html", "touched", of_code, shows["subjects"])
    yield Section("boards.html", "boards", "What it did to the boards")
    others = [one for one in paper.document["decisions"] if one["number"] != shows["number"]]
    yield from _decisions(others, "Other decisions about the same claims")
    yield from _behind(paper)


def _corrections(paper: Paper) -> Iterator[Section]:
    entries = paper.shows["corrections"]
    yield from _long("entries.html", "entries", "The entries", entries)
    months = month_rows(months_in(entries))
    yield from _long("months.html", "months", "Corrections per month", months)
    yield from _long("decisions.html", "decisions", "The entries in full", entries)
    yield from _behind(paper)


def _behind(paper: Paper) -> Iterator[Section]:
    """What every paper ends with: where its numbers come from, and how to check that."""
    document = paper.document
    yield from _long("origins.html", "origins", "Where each number comes from", document["claims"])
    if paper.kind == "paper":
        yield from _long("facts.html", "facts", "Where each fact comes from", behind_in(paper))
    yield from _long("snapshots.html", "snapshots", "Frozen sources", document["snapshots"])
    if document.get("rule"):
        yield Section("rule.html", "rule", "The rule in force")
    yield Section("check.html", "check", "How to check this paper")


def _decisions(decisions: Sequence[Json], heading: str = "Decisions") -> Iterator[Section]:
    return _long("decisions.html", "decisions", heading, decisions)


def _long(template: str, anchor: str, heading: str, lines: Sequence[Any]) -> Iterator[Section]:
    """A section with lines; left out where there are none."""
    if lines:
        yield _with(template, anchor, heading, lines)


def _with(template: str, anchor: str, heading: str, lines: Sequence[Any]) -> Section:
    """A section with lines; there also where there are none, and says so."""
    return Section(template, anchor, heading, lines, 1, len(lines))


_MAKERS: Mapping[str, Callable[[Paper], Iterator[Section]]] = MappingProxyType(
    {
        "board": _board,
        "claim": _claim,
        "paper": _paper,
        "correction": _correction,
        "corrections": _corrections,
    }
)


def pieces_of(sections: Sequence[Section], most: int = PIECE) -> list[list[Section]]:
    """Sections cut and put together again so that no piece has more than ``most`` lines."""
    pieces: list[list[Section]] = []
    room = 0
    for section in sections:
        for part in section.cut(most):
            if not pieces or len(part.lines) > room:
                pieces.append([])
                room = most
            pieces[-1].append(part)
            room -= len(part.lines)
    return pieces


def starts_of(pieces: Sequence[Sequence[Section]]) -> list[tuple[str, int]]:
    """The heading of each section, and the piece (from 1) that it begins in; the cover left out."""
    return [
        (section.heading, number)
        for number, piece in enumerate(pieces, 1)
        for section in piece
        if section.begins and section != COVER
    ]
