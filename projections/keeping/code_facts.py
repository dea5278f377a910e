"""Where the facts about papers, repositories, code and probes stand, so that they are found.

One row per fact, written once and never changed: which paper, repository, code or link it is about.
What holds is folded from the facts themselves (:mod:`projections.code.papers`), so no order of
arrival can show.
"""

from collections.abc import Mapping
from typing import Any, assert_never

import attrs
from sqlalchemy import Connection, insert

from ledger import events as ev
from ledger.probe import link_key
from ledger.sample import stem
from ledger.values import micros
from projections.keeping.tables import Tables

CodeEvent = ev.PaperEvent | ev.RepositoryEvent | ev.LabelEvent | ev.SampleEvent


@attrs.define
class CodeProjector:
    """Notes each fact of the streams paper, repository, label, sample and probe."""

    tables: Tables
    _facts: list[Mapping[str, Any]] = attrs.field(factory=list)
    _probes: list[Mapping[str, Any]] = attrs.field(factory=list)

    def apply(self, record: ev.Recorded, event: CodeEvent | ev.ProbeEvent) -> None:
        """Note one fact."""
        if isinstance(event, ev.ProbeEvent):
            self._probes.append(_probe_row(record, event))
        else:
            self._facts.append(_fact_row(record, event))

    def flush(self, connection: Connection) -> None:
        """Write the batch."""
        if self._facts:
            connection.execute(insert(self.tables.code_fact), self._facts)
        if self._probes:
            connection.execute(insert(self.tables.probe), self._probes)
        self._facts.clear()
        self._probes.clear()


def _fact_row(record: ev.Recorded, event: CodeEvent) -> Mapping[str, Any]:
    paper, repository, code = _about(record, event)
    return {
        "position": record.position,
        "stream": record.envelope.stream,
        "paper": paper,
        "repository": repository,
        "code": code,
        "stem": None if code is None else stem(code),
        "link": _link(event),
        "read_at": micros(event.read_at),
    }


def _about(record: ev.Recorded, event: CodeEvent) -> tuple[str | None, str | None, str | None]:
    """The paper, the repository and the code that a fact is about."""
    slug = record.envelope.stream.partition(":")[2]
    match event:
        case ev.RepositoryListed():
            return slug, event.repository, None
        case (
            ev.PaperRegistered()
            | ev.PaperDescribed()
            | ev.AbstractQuoted()
            | ev.ArchiveEntryRead()
            | ev.RunCountsRead()
        ):
            return slug, None, None
        case ev.RepositoryRegistered():
            return None, slug, None
        case ev.RepositoryLabelled():
            return event.paper, event.repository, None
        case ev.SampleHarvested():
            return None, event.repository, event.code
        case ev.SampleRunRead():
            return None, None, event.code
        case _:
            assert_never(event)


def _link(event: CodeEvent) -> str | None:
    """The address of a repository, as probes are found by it."""
    if isinstance(event, ev.RepositoryRegistered) and event.address is not None:
        return link_key(event.address)
    return None


def _probe_row(record: ev.Recorded, event: ev.ProbeEvent) -> Mapping[str, Any]:
    return {
        "position": record.position,
        "window": record.envelope.stream.partition(":")[2],
        "link": link_key(event.link) if isinstance(event, ev.LinkProbed) else None,
        "about": event.about if isinstance(event, ev.ProbeWindowOpened) else None,
        "opens": isinstance(event, ev.ProbeWindowOpened),
        "read_at": micros(event.read_at),
    }
