"""A transcribed reading of what a source holds about one paper, and the lines that belong to it.

What it freezes are these record lines, to the byte, joined by newlines, as with a reading of a
board; every fact that it states names that snapshot. It states what it states: what it leaves out
is not taken back, and one reading of many may speak of one sample alone.
"""

import hashlib
from collections.abc import Callable, Mapping
from types import MappingProxyType

import attrs

from ledger import commands as orders
from ledger import events as ev
from ledger import label, paper, sample
from ledger.errors import BlameSwapped
from ledger.importing.board import RowProblem
from ledger.importing.records import fields as f
from ledger.importing.records.kinds import Shape, Values
from ledger.importing.records.reading import MEDIA_TYPE
from ledger.values import Digest, Instant, Slug
from ledger.vocabulary import RUN_OUTCOMES


@attrs.frozen(kw_only=True)
class Cited:
    """What every fact of a reading says of it."""

    paper: Slug
    source: Slug
    reading: Digest
    read_at: Instant
    order: str


@attrs.frozen(kw_only=True)
class PaperLine:
    """A kind of line that belongs to a reading: its fields, and the fact that it becomes."""

    shape: Shape
    fact: Callable[[Values, Cited], orders.Assert]


def _of_paper(
    event: Callable[..., ev.PaperEvent],
) -> Callable[[Values, Cited], orders.Assert]:
    def fact(values: Values, cited: Cited) -> orders.Assert:
        said = event(**values, **_citing(cited))
        return orders.Assert(stream=paper.stream_of(cited.paper), fact=said)

    return fact


def _citing(cited: Cited) -> Values:
    return {
        "source": cited.source,
        "reading": cited.reading,
        "read_at": cited.read_at,
        "order": cited.order,
    }


def _label(values: Values, cited: Cited) -> orders.Assert:
    name = label.label_id(cited.paper, values["repository"], cited.source)
    said = ev.RepositoryLabelled(paper=cited.paper, **values, **_citing(cited))
    return orders.Assert(stream=label.stream_of(name), fact=said)


def _sample(values: Values, cited: Cited) -> orders.Assert:
    said = ev.SampleHarvested(**values, **_citing(cited))
    return orders.Assert(stream=sample.stream_of(said.code), fact=said)


def _run(values: Values, cited: Cited) -> orders.Assert:
    stated = {name: value for name, value in values.items() if name != "blames"}
    said = ev.SampleRunRead(**stated, **_citing(cited))
    return orders.Assert(stream=sample.stream_of(said.code), fact=said)


def _check_blame(values: Values) -> None:
    """Blame follows from the outcome; a line may say it too, and must not say another."""
    outcome, said = values["outcome"], values.get("blames")
    if said is None or outcome not in RUN_OUTCOMES:
        return
    blames = sample.blamed(outcome) or f.NOBODY
    if said != blames:
        why = BlameSwapped(outcome=outcome, blames=blames, said=said)
        raise RowProblem("blames", str(why).rstrip("."))


PAPER_READING = Shape({"source": f.slug, "paper": f.slug}, {"order": f.slug})

PAPER_LINES: Mapping[str, PaperLine] = MappingProxyType(
    {
        "abstract": PaperLine(
            shape=Shape({}, {"licence": f.name}, nullable={"text": f.text}),
            fact=_of_paper(ev.AbstractQuoted),
        ),
        "archive-entry": PaperLine(
            shape=Shape(
                {"leaderboard_rows": f.count},
                {"tasks": f.names, "tasks_without_page": f.count, "methods": f.names},
            ),
            fact=_of_paper(ev.ArchiveEntryRead),
        ),
        "listed-repository": PaperLine(
            shape=Shape(
                {"repository": f.slug}, {"listed": f.flag, "official": f.flag, "mentioned": f.flag}
            ),
            fact=_of_paper(ev.RepositoryListed),
        ),
        "label": PaperLine(
            shape=Shape({"repository": f.slug}, {"as_of": f.date}, nullable={"label": f.string}),
            fact=_label,
        ),
        "run-counts": PaperLine(
            shape=Shape(
                {"harvested": f.count, "ran": f.count, "outcomes": f.counts},
                {
                    "no_run": f.count,
                    "repositories": f.count,
                    "pointer_only": f.count,
                    "parts": f.parts,
                },
            ),
            fact=_of_paper(ev.RunCountsRead),
        ),
        "sample": PaperLine(
            shape=Shape(
                {"code": f.string, "repository": f.slug},
                {
                    "path": f.text,
                    "symbol": f.name,
                    "commit": f.string,
                    "licence": f.name,
                    "pointer_only": f.string,
                    "harvested_on": f.date,
                },
            ),
            fact=_sample,
        ),
        "run": PaperLine(
            shape=Shape(
                {"code": f.string, "outcome": f.string}, {"ran_on": f.date, "blames": f.blame}
            ),
            fact=_run,
        ),
    }
)


@attrs.frozen(kw_only=True)
class RecordedAbout:
    """One fact of a reading, and the line that states it."""

    line: int
    order: orders.Assert


@attrs.frozen(kw_only=True)
class RecordedPaperReading:
    """A reading of what a source holds about a paper, with the bytes that it freezes."""

    line: int
    paper: Slug
    source: Slug
    data: bytes = attrs.field(repr=False)
    frozen: ev.SourceFrozen
    facts: tuple[RecordedAbout, ...]


@attrs.define
class PaperReadingDraft:
    """A reading while its lines come in."""

    number: int
    read_at: Instant
    said: Values
    lines: list[str]
    stated: list[tuple[int, str, Values]] = attrs.field(factory=list)

    @property
    def turn(self) -> tuple[Slug, Slug, Instant, str]:
        """What no two readings of a file share."""
        return self.said["source"], self.said["paper"], self.read_at, self.order

    @property
    def order(self) -> str:
        """What sorts readings of one instant."""
        return str(self.said.get("order", ""))

    def add(self, number: int, line: str, kind: str, values: Values) -> None:
        """Enter a line that belongs to the reading; refused when it swaps blame."""
        if kind == "run":
            _check_blame(values)
        self.stated.append((number, kind, values))
        self.lines.append(line)

    def finish(self, file: str) -> RecordedPaperReading:
        """The reading; refused when nothing is stated in it."""
        if not self.stated:
            raise RowProblem(None, "nothing belongs to this reading; state what was read")
        data = "\n".join(self.lines).encode()
        digest = Digest(hashlib.sha256(data).hexdigest())
        source, about, read_at, order = self.turn
        cited = Cited(paper=about, source=source, reading=digest, read_at=read_at, order=order)
        return RecordedPaperReading(
            line=self.number,
            paper=about,
            source=source,
            data=data,
            frozen=ev.SourceFrozen(
                digest=digest,
                media_type=MEDIA_TYPE,
                size=len(data),
                read_at=read_at,
                order=order,
                transcribed=True,
                file=file,
            ),
            facts=tuple(
                RecordedAbout(line=number, order=PAPER_LINES[kind].fact(values, cited))
                for number, kind, values in self.stated
            ),
        )
