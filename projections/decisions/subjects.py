"""What the entries of the log are about, by the names of a moment: models, benchmarks, targets."""

from collections.abc import Mapping, Sequence

import attrs
from sqlalchemy import select

from ledger.claim import Plane
from projections.asserted import Content, described
from projections.called import Called, called
from projections.decisions.corrections import Correction, Touched
from projections.keeping.rectangles import CHUNK, chunks
from projections.keeping.tables import in_plane
from projections.keeping.views import Reader
from projections.moment import Moment


@attrs.frozen
class ClaimOf:
    """The claim that a report is about: its benchmark, and what it calls its model."""

    claim_id: str
    benchmark: str
    model: str | None
    as_written: str


@attrs.frozen
class LabelFor:
    """The label that a report is about: of which repository, for which paper."""

    repository: str
    paper: str


@attrs.frozen
class Subject:
    """What a report is about: ``kind`` and ``id`` are the two halves of its address; ``name`` is a
    label's repository, and ``paper`` the one that it is for."""

    kind: str
    id: str
    part: str
    name: str
    benchmark: str | None
    paper: str | None = None


@attrs.frozen
class Names:
    """The names of what several entries speak of."""

    said: Mapping[str, Content]
    claims: Mapping[str, ClaimOf]
    labels: Mapping[str, LabelFor] = attrs.field(factory=dict)
    metrics: Called = attrs.field(factory=Called)

    def model(self, slug: str | None, as_written: str) -> str:
        """A model's name with its version; as its source writes it where it is not registered."""
        content = self.said.get(f"model:{slug}")
        if content is None:
            return as_written
        version = content.get("version")
        return f"{content['name']} {version}" if version else str(content["name"])

    def called(self, kind: str, slug: str) -> str:
        """The name of a benchmark, model, paper or source."""
        if kind == "model":
            return self.model(slug, slug)
        content = self.said.get(f"{kind}:{slug}", {})
        return str(content.get("title") or content.get("name", slug))

    def subject(self, target: str) -> Subject:
        """A report's target in words; one that leads nowhere is shown as it was given."""
        address, _, part = target.partition("#")
        kind, _, name = address.partition("/")
        claim = self.claims.get(name) if kind == "claims" else None
        if claim is not None:
            called = self.model(claim.model, claim.as_written)
            return Subject(kind, name, part, called, claim.benchmark)
        label = self.labels.get(name) if kind == "labels" else None
        if label is not None:
            called = str(self.said.get(f"repository:{label.repository}", {}).get("name", name))
            return Subject(kind, name, part, called, None, paper=label.paper)
        if kind == "samples":
            return Subject(kind, name, part, name, None)
        single = SINGULAR.get(kind)
        if single is not None and f"{single}:{name}" in self.said:
            benchmark = name if kind == "benchmarks" else None
            return Subject(kind, name, part, self.called(single, name), benchmark)
        return Subject("", "", part, target, None)

    def benchmarks(self, entry: Correction) -> list[str]:
        """The benchmarks that an entry is about: those of its claims, else that of its report."""
        touched = dict.fromkeys(one.benchmark for one in entry.claims)
        reported = self.subject(entry.target).benchmark
        return list(touched) or ([reported] if reported else [])


SINGULAR: Mapping[str, str] = {
    "benchmarks": "benchmark",
    "models": "model",
    "papers": "paper",
    "sources": "source",
}


def names_of(reader: Reader, entries: Sequence[Correction], moment: Moment) -> Names:
    """The names of all that some entries speak of, as they were at a moment."""
    targets = {entry.target.partition("#")[0].partition("/")[::2] for entry in entries}
    claims = _claims(reader, sorted({name for kind, name in targets if kind == "claims"}), moment)
    touched = [one for entry in entries for one in entry.claims]
    models = {one.model for one in touched} | {one.model for one in claims.values()}
    for one in touched:  # a correction of the model names two of them
        models |= {one.before.get("model"), one.after.get("model")}
    slugs = {one.benchmark for one in touched} | {one.benchmark for one in claims.values()}
    streams = {f"model:{model}" for model in models if model}
    streams |= {f"benchmark:{slug}" for slug in slugs}
    streams |= {f"{SINGULAR[kind]}:{name}" for kind, name in targets if kind in SINGULAR}
    labels = _labels(reader, sorted({name for kind, name in targets if kind == "labels"}), moment)
    streams |= {f"repository:{one.repository}" for one in labels.values()}
    measured = {one.benchmark for one in touched if _is_of_metric(one)}
    metrics = called(reader, sorted(measured), moment)
    return Names(described(reader, streams, moment), claims, labels, metrics)


def _is_of_metric(touched: Touched) -> bool:
    """Whether a decision changed what is measured; only then is a metric spoken of."""
    return any(field == "metric" for field, _, _ in touched.changes)


def _labels(reader: Reader, ids: Sequence[str], moment: Moment) -> dict[str, LabelFor]:
    """The labels with these ids that the ledger knew of by the moment's position."""
    table = reader.tables.code_fact
    found: dict[str, LabelFor] = {}
    for chunk in chunks([f"label:{one}" for one in ids], CHUNK):
        query = select(table.c.stream, table.c.repository, table.c.paper).where(
            table.c.stream.in_(chunk), table.c.position <= moment.position
        )
        for stream, repository, paper in reader.connection.execute(query):
            found[stream.removeprefix("label:")] = LabelFor(repository, paper)
    return found


def _claims(reader: Reader, ids: Sequence[str], moment: Moment) -> dict[str, ClaimOf]:
    """The claims with these ids, as the ledger described them last by the moment's position."""
    table = reader.tables.claim_version
    found: dict[str, ClaimOf] = {}
    for chunk in chunks(ids, CHUNK):
        query = (
            select(table.c.claim, table.c.benchmark, table.c.model, table.c.name)
            .where(
                table.c.claim.in_(chunk),
                in_plane(table, Plane.THEN),
                table.c.recorded_from <= moment.position,
            )
            .order_by(table.c.recorded_from, table.c.read_from)
        )
        for row in reader.connection.execute(query):
            found[row.claim] = ClaimOf(*row)
    return found
