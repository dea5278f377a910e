"""Which fields each kind of record has, and which fact of which stream it becomes.

A field that is left out or null is not stated. A new kind is one entry here, one example in
``docs/records.md``.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import attrs

from ledger import benchmark, model, paper, probe, source
from ledger import commands as orders
from ledger import events as ev
from ledger.errors import BadValue
from ledger.importing.records import fields as f
from ledger.importing.records.fields import Reader, refuse_future
from ledger.importing.records.lines import Json
from ledger.importing.records.problems import Problems
from ledger.values import Instant

Values = dict[str, Any]

# What tells records apart, and when they were read: every kind has these.
ALWAYS = ("record", "read_at")


def index_stream(slug: str) -> str:
    """The stream of a capability index."""
    return f"index:{slug}"


STREAMS: Mapping[str, Callable[[str], str]] = MappingProxyType(
    {
        "benchmark": benchmark.stream_of,
        "lab": model.lab_stream,
        "model": model.stream_of,
        "source": source.stream_of,
        "index": index_stream,
        "paper": paper.stream_of,
        "repository": paper.repository_stream,
        "probe": probe.stream_of,
    }
)


@attrs.frozen
class Shape:
    """The fields of a record, each with what reads it; a nullable one is said, if only as null."""

    required: Mapping[str, Reader]
    optional: Mapping[str, Reader] = MappingProxyType({})
    nullable: Mapping[str, Reader] = MappingProxyType({})

    @property
    def fields(self) -> Mapping[str, Reader]:
        """All fields that it knows beside ``ALWAYS``."""
        return {**self.required, **self.nullable, **self.optional}

    def read(
        self, record: Mapping[str, Json], line: int, now: Instant, problems: Problems
    ) -> Values | None:
        """The checked fields that are stated; ``None`` when anything is wrong with them."""
        before = problems.count
        known = self.fields
        for field in record:
            if field not in known and field not in ALWAYS:
                names = ", ".join((*ALWAYS, *known))
                problems.add(line, field, f"there is no such field; known are {names}")
        values: Values = dict.fromkeys(self.nullable)
        for field, reader in known.items():
            given = record.get(field)
            if given is None:
                if field in self.required or (field in self.nullable and field not in record):
                    problems.add(line, field, "it is missing")
                continue
            try:
                values[field] = reader(given, field)
                refuse_future(values[field], field, now)
            except BadValue as why:
                problems.add(line, field, why)
        return values if problems.count == before else None


@attrs.frozen(kw_only=True)
class Kind:
    """A record that becomes one fact. ``of`` is the field that says whose stream it goes to.

    ``refers`` are fields that name something which has to be registered: field → stream.
    """

    fact: Callable[..., orders.Asserted]
    stream: str
    of: str
    shape: Shape
    refers: Mapping[str, str] = MappingProxyType({})

    def order(self, values: Values, read_at: Instant) -> orders.Assert:
        """The order to record it, from its checked fields."""
        stream = STREAMS[self.stream](values[self.of])
        said = values if self.of == "slug" else {k: v for k, v in values.items() if k != self.of}
        return orders.Assert(stream=stream, fact=self.fact(**said, read_at=read_at))

    def references(self, values: Values) -> tuple[tuple[str, str], ...]:
        """What has to be registered for it: (field, stream)."""
        return tuple(
            (field, STREAMS[what](values[field]))
            for field, what in self.refers.items()
            if field in values
        )


HEADER = Shape({"format": f.string}, {"why": f.text})

FACTS: Mapping[str, Kind] = MappingProxyType(
    {
        "benchmark": Kind(
            fact=ev.BenchmarkRegistered,
            stream="benchmark",
            of="slug",
            shape=Shape({"slug": f.slug, "name": f.name}, {"why": f.text}),
        ),
        "benchmark-facts": Kind(
            fact=ev.BenchmarkDescribed,
            stream="benchmark",
            of="benchmark",
            shape=Shape({"benchmark": f.slug, "facts": f.facts, "why": f.text}),
            refers={"benchmark": "benchmark"},
        ),
        "evaluation-change": Kind(
            fact=ev.EvaluationChanged,
            stream="benchmark",
            of="benchmark",
            shape=Shape(
                {"benchmark": f.slug, "what": f.name, "changed_on": f.date, "why": f.text},
                {"before": f.text, "after": f.text, "effect": f.text},
            ),
            refers={"benchmark": "benchmark"},
        ),
        "ranking-rule": Kind(
            fact=ev.RankingRuleSet,
            stream="benchmark",
            of="benchmark",
            shape=Shape(
                {"benchmark": f.slug, "metric": f.slug, "name": f.name, "why": f.text},
                {
                    "unit": f.unit,
                    "higher_is_better": f.flag,
                    "splits": f.names,
                    "combine": f.string,
                    "decimals": f.count,
                    "headline": f.flag,
                    "ordinal": f.count,
                },
            ),
            refers={"benchmark": "benchmark"},
        ),
        "caveat": Kind(
            fact=ev.CaveatStated,
            stream="benchmark",
            of="benchmark",
            shape=Shape(
                {"benchmark": f.slug, "caveat": f.slug, "why": f.text}, nullable={"text": f.text}
            ),
            refers={"benchmark": "benchmark"},
        ),
        "lab": Kind(
            fact=ev.LabRegistered,
            stream="lab",
            of="slug",
            shape=Shape({"slug": f.slug, "name": f.name}, {"why": f.text}),
        ),
        "model": Kind(
            fact=ev.ModelRegistered,
            stream="model",
            of="slug",
            shape=Shape(
                {"slug": f.slug, "name": f.name},
                {
                    "version": f.name,
                    "lab": f.slug,
                    "released": f.date,
                    "means_from": f.instant,
                    "why": f.text,
                },
            ),
            refers={"lab": "lab"},
        ),
        "model-facts": Kind(
            fact=ev.ModelDescribed,
            stream="model",
            of="model",
            shape=Shape({"model": f.slug, "facts": f.facts, "why": f.text}),
            refers={"model": "model"},
        ),
        "rename": Kind(
            fact=ev.ModelRenamed,
            stream="model",
            of="model",
            shape=Shape({"model": f.slug, "name": f.name, "why": f.text}, {"version": f.name}),
            refers={"model": "model"},
        ),
        "alias": Kind(
            fact=ev.AliasAsserted,
            stream="model",
            of="model",
            shape=Shape(
                {"model": f.slug, "name": f.name, "why": f.text}, {"means_from": f.instant}
            ),
            refers={"model": "model"},
        ),
        "alias-withdrawn": Kind(
            fact=ev.AliasWithdrawn,
            stream="model",
            of="model",
            shape=Shape({"model": f.slug, "name": f.name, "why": f.text}),
            refers={"model": "model"},
        ),
        "source": Kind(
            fact=ev.SourceRegistered,
            stream="source",
            of="slug",
            shape=Shape(
                {"slug": f.slug, "name": f.name, "kind": f.source_kind},
                {
                    "address": f.address,
                    "lab": f.slug,
                    "model": f.slug,
                    "published_on": f.date,
                    "why": f.text,
                },
            ),
            refers={"lab": "lab", "model": "model"},
        ),
        "post": Kind(
            fact=ev.PostRead,
            stream="source",
            of="source",
            shape=Shape({"source": f.slug, "benchmark": f.slug, "listed": f.flag}),
            refers={"source": "source", "benchmark": "benchmark"},
        ),
        "index": Kind(
            fact=ev.CapabilityIndexRead,
            stream="index",
            of="slug",
            shape=Shape(
                {"slug": f.slug, "name": f.name, "models": f.ranked},
                {"entries_stated": f.count, "as_of": f.date},
            ),
        ),
        "paper": Kind(
            fact=ev.PaperRegistered,
            stream="paper",
            of="slug",
            shape=Shape(
                {"slug": f.slug, "title": f.name},
                {
                    "authors": f.names,
                    "arxiv_id": f.string,
                    "address": f.address,
                    "published_on": f.date,
                    "source": f.slug,
                    "why": f.text,
                },
            ),
            refers={"source": "source"},
        ),
        "paper-facts": Kind(
            fact=ev.PaperDescribed,
            stream="paper",
            of="paper",
            shape=Shape({"paper": f.slug, "facts": f.facts, "why": f.text}),
            refers={"paper": "paper"},
        ),
        "paper-caveat": Kind(
            fact=ev.CaveatStated,
            stream="paper",
            of="paper",
            shape=Shape(
                {"paper": f.slug, "caveat": f.slug, "why": f.text}, nullable={"text": f.text}
            ),
            refers={"paper": "paper"},
        ),
        "repository": Kind(
            fact=ev.RepositoryRegistered,
            stream="repository",
            of="slug",
            shape=Shape({"slug": f.slug, "name": f.name}, {"address": f.address, "why": f.text}),
        ),
        "probe-window": Kind(
            fact=ev.ProbeWindowOpened,
            stream="probe",
            of="slug",
            shape=Shape(
                {
                    "slug": f.slug,
                    "subject": f.name,
                    "first_day": f.date,
                    "last_day": f.date,
                    "why": f.text,
                },
                {"about": f.string, "links": f.links, "links_stated": f.count, "source": f.slug},
            ),
            refers={"source": "source"},
        ),
        "probe": Kind(
            fact=ev.LinkProbed,
            stream="probe",
            of="window",
            shape=Shape(
                {"window": f.slug, "link": f.address, "result": f.string},
                {
                    "cause": f.slug,
                    "status": f.count,
                    "found_at": f.address,
                    "digest": f.digest,
                },
            ),
        ),
        "probe-window-closed": Kind(
            fact=ev.ProbeWindowClosed,
            stream="probe",
            of="window",
            shape=Shape({"window": f.slug}, {"why": f.text}),
        ),
    }
)

READING = Shape(
    {"source": f.slug, "benchmark": f.slug},
    {"order": f.slug, "metrics": f.slugs, "entries_stated": f.count, "register": f.flag},
)

# What a claim says, field by field: those of ``ledger.events.Statement``.
STATED: Mapping[str, Reader] = MappingProxyType(
    {
        "name": f.name,
        "metric": f.slug,
        "score": f.score,
        "split": f.name,
        "setting": f.name,
        "unit": f.unit,
        "published_on": f.date,
        "lab": f.name,
        "url": f.address,
        "as_written": f.text,
        "section": f.name,
        "locator": f.name,
        "passed": f.count,
        "completed": f.count,
        "total": f.count,
        "not_ranked": f.text,
        "extra": f.extra,
    }
)
_NEEDED = ("name", "metric", "score")
CLAIM = Shape(
    {field: STATED[field] for field in _NEEDED},
    {"source": f.slug, "benchmark": f.slug, "key": f.name}
    | {field: reader for field, reader in STATED.items() if field not in _NEEDED},
)
