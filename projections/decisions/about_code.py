"""Which entries of the log are about labels, samples or a paper, and which of these a word names.

What an entry is about is what its decision touched, and what its report was about.
"""

from collections.abc import Iterable

from sqlalchemy import ColumnElement, Select, exists, func, literal, or_, select, union

from ledger.subject import KINDS, LABEL, address_of, subject_in
from projections.asserted import described
from projections.code.papers_of import papers_of, subjects_of
from projections.keeping.rectangles import CHUNK, chunks
from projections.keeping.views import Reader
from projections.moment import Moment

ABOUT = {kind.page: letter for letter, kind in KINDS.items()} | {"papers": ""}
"""What the log can be narrowed to, with the first letter of the ids that are meant."""

OF_PAPERS = ("papers", "labels", "samples")
"""The kinds of page that belong to papers."""

LABELS = f"{LABEL.name}:"
REPOSITORIES, PAPERS = "repository:", "paper:"


def is_about(reader: Reader, about: str) -> ColumnElement[bool]:
    """Touches a claim, a label or a sample, or decides a report about one, or about a paper."""
    table, report = reader.tables.decision, reader.tables.report
    touches = reader.tables.decision_claim
    reported = exists().where(
        report.c.number == table.c.report,
        report.c.target.startswith(f"{about}/", autoescape=True),
    )
    letter = ABOUT[about]
    if not letter:
        return reported
    touched = exists().where(
        touches.c.decision == table.c.decision, touches.c.claim.startswith(letter)
    )
    return or_(touched, reported)


def is_of_paper(reader: Reader, slug: str, moment: Moment) -> ColumnElement[bool]:
    """Touches a label or a sample of a paper or a claim of its source, or decides a report about
    one of these or about the paper."""
    target = f"papers/{slug}"
    report = reader.tables.report
    named = or_(report.c.target == target, report.c.target.startswith(f"{target}#"))
    subjects = subjects_of(reader, slug, moment)
    found = [_touch_or_name(reader, part) for part in chunks(subjects, CHUNK)]
    source = described(reader, [f"{PAPERS}{slug}"], moment).get(f"{PAPERS}{slug}", {}).get("source")
    if source is not None:
        claim, touches = reader.tables.claim, reader.tables.decision_claim
        stated = select(claim.c.claim).where(claim.c.source == str(source))
        decisions = select(touches.c.decision).where(touches.c.claim.in_(stated))
        found.append(reader.tables.decision.c.decision.in_(decisions))
    return or_(_reported(reader, named), *found)


def _reported(reader: Reader, which: ColumnElement[bool]) -> ColumnElement[bool]:
    report = reader.tables.report
    return exists().where(report.c.number == reader.tables.decision.c.report, which)


def _touch_or_name(reader: Reader, subjects: Iterable[str]) -> ColumnElement[bool]:
    listed = list(subjects)
    touches = reader.tables.decision_claim
    decisions = select(touches.c.decision).where(touches.c.claim.in_(listed))
    named = reader.tables.report.c.target.in_(map(address_of, listed))
    return or_(reader.tables.decision.c.decision.in_(decisions), _reported(reader, named))


# --- words ------------------------------------------------------------------------------------


def named_by(reader: Reader, word: str, moment: Moment) -> Select[tuple[str]]:
    """The ids of labels and samples that a word names, as far as the ledger held them at the
    moment's position: by id, digits, repository or paper, as slugs and as they are called."""
    table = reader.tables.code_fact
    known = table.c.position <= moment.position
    repositories = _called(reader, REPOSITORIES, word, moment)
    papers = _called(reader, PAPERS, word, moment)

    def has(column: ColumnElement[str]) -> ColumnElement[bool]:
        return column.icontains(word, autoescape=True)

    label = func.substr(table.c.stream, len(LABELS) + 1)
    labels = select(label).where(
        known,
        table.c.stream.startswith(LABELS),
        or_(
            has(label),
            has(table.c.repository),
            has(table.c.paper),
            table.c.repository.in_(repositories),
            table.c.paper.in_(papers),
        ),
    )
    codes = select(literal("s").concat(table.c.code)).where(
        known,
        table.c.code.is_not(None),
        or_(has(table.c.code), has(table.c.repository), table.c.repository.in_(repositories)),
    )
    return select(union(labels, codes).subquery().c[0])


def _called(reader: Reader, kind: str, word: str, moment: Moment) -> Select[tuple[str]]:
    """The slugs of what is described with a word in its facts."""
    table = reader.tables.assertion_version
    return select(func.substr(table.c.stream, len(kind) + 1)).where(
        table.c.stream.startswith(kind),
        table.c.aspect == "described",
        table.c.recorded_from <= moment.position,
        table.c.content.icontains(word, autoescape=True),
    )


# --- what may be asked for --------------------------------------------------------------------


def abouts(reader: Reader, known: ColumnElement[bool]) -> tuple[str, ...]:
    """The kinds of which any entry is."""
    table = reader.tables.decision
    return tuple(
        about
        for about in ABOUT
        if reader.connection.scalar(
            select(table.c.number).where(known, is_about(reader, about)).limit(1)
        )
    )


def papers_decided(
    reader: Reader, known: ColumnElement[bool], moment: Moment
) -> tuple[tuple[str, str], ...]:
    """Slug and title of every paper that an entry is about, or a label or a sample of it is."""
    table, report = reader.tables.decision, reader.tables.report
    touches = reader.tables.decision_claim
    touched = (
        select(touches.c.claim)
        .distinct()
        .join(table, table.c.decision == touches.c.decision)
        .where(known, touches.c.claim.not_like("c%"))
    )
    targets = (
        select(report.c.target)
        .distinct()
        .join(table, table.c.report == report.c.number)
        .where(known, or_(*(report.c.target.startswith(f"{page}/") for page in OF_PAPERS)))
    )
    subjects, slugs = list(reader.connection.scalars(touched)), set[str]()
    for target in reader.connection.scalars(targets):
        subject = subject_in(target)
        if subject is not None:
            subjects.append(subject)
        else:
            slugs.add(target.partition("#")[0].partition("/")[2])
    slugs.update(papers_of(reader, subjects, moment))
    titles = described(reader, (f"{PAPERS}{slug}" for slug in slugs), moment)
    named = {slug: str(titles.get(f"{PAPERS}{slug}", {}).get("title", slug)) for slug in slugs}
    return tuple(sorted(named.items(), key=lambda one: (one[1], one[0])))
