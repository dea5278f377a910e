"""Which papers a label or a sample belongs to, and which of these belong to a paper."""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Select, select

from ledger.sample import sample_id, stem
from ledger.subject import LABEL, SAMPLE, kind_of, stream_of
from projections.keeping.rectangles import CHUNK, chunks
from projections.keeping.views import Reader
from projections.moment import Moment

LABELS = f"{LABEL.name}:"


def papers_of(reader: Reader, subjects: Iterable[str], moment: Moment) -> list[str]:
    """The papers whose pages show any of these, as far as was recorded by the moment: that of a
    label, and for a sample each with which a repository of its copies is linked."""
    table = reader.tables.code_fact
    wanted = list(subjects)
    labels = [stream_of(one) for one in wanted if kind_of(one) is LABEL]
    stems = sorted({stem(one[1:]) for one in wanted if kind_of(one) is SAMPLE})
    found: set[str] = set()
    for streams in chunks(labels, CHUNK):
        found.update(_papers(reader, table.c.stream.in_(streams), moment))
    for part in chunks(stems, CHUNK):
        copied = select(table.c.repository).where(
            table.c.stem.in_(part), table.c.repository.is_not(None)
        )
        found.update(_papers(reader, table.c.repository.in_(copied), moment))
    return sorted(found)


def _papers(reader: Reader, which: ColumnElement[bool], moment: Moment) -> Sequence[str]:
    table = reader.tables.code_fact
    query = select(table.c.paper).distinct()
    known = table.c.position <= moment.position
    return _texts(reader, query.where(which, table.c.paper.is_not(None), known))


def subjects_of(reader: Reader, paper: str, moment: Moment) -> list[str]:
    """The labels of a paper, and the samples from its repositories under all that they were
    stated as, as far as they were recorded by the moment."""
    table = reader.tables.code_fact
    known = table.c.position <= moment.position
    labels = select(table.c.stream).distinct()
    labels = labels.where(table.c.paper == paper, known, table.c.stream.startswith(LABELS))
    repositories = select(table.c.repository).where(table.c.paper == paper, known)
    stems = select(table.c.stem).where(
        table.c.repository.in_(repositories.where(table.c.repository.is_not(None))), known
    )
    codes = select(table.c.code).distinct()
    codes = codes.where(table.c.stem.in_(stems.where(table.c.stem.is_not(None))), known)
    found = [stream.removeprefix(LABELS) for stream in _texts(reader, labels)]
    return found + [sample_id(code) for code in _texts(reader, codes)]


def _texts(reader: Reader, query: Select[Any]) -> Sequence[str]:
    return sorted(one for one in reader.connection.scalars(query) if one is not None)
