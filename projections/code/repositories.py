"""The repositories that are linked with a paper at a moment: who lists them, and as what.

A label is what somebody asserts, as of a date; a correction stands over it and changes nothing of
what was frozen. The closest label that shows decides the order: the official one first.
"""

from collections.abc import Iterable, Mapping, Sequence

import attrs
from sqlalchemy import select

from ledger import events as ev
from ledger.errors import NotFound
from ledger.label import Label, stream_of, told_of
from ledger.paper import repository_stream
from ledger.store import Store
from ledger.vocabulary import LABELS
from projections.asserted import described
from projections.board.described import SourceOf
from projections.code.cited import Cited, Stated, known_by, latest, sources_of, stands_at
from projections.code.probes import Reach
from projections.code.tales import Tale, tale_of
from projections.keeping.views import Reader
from projections.moment import Moment

PLACES = {label: place for place, label in enumerate(LABELS)}


@attrs.frozen(kw_only=True)
class LabelOf:
    """What one source asserts that a repository is to a paper."""

    paper: str
    repository: str
    repository_name: str
    source: SourceOf
    tale: Tale[Label]

    @property
    def shows(self) -> str | None:
        """The label that shows; ``None`` for one that is retracted or no longer asserted."""
        state = self.tale.state
        return None if state is None or state.retracted_by is not None else state.shows.label


Listing = Cited[ev.RepositoryListed]
"""One source's link between a paper and a repository, with its own flags."""


@attrs.frozen(kw_only=True)
class Linked:
    """A repository that is linked with a paper; ``reach`` is ``None`` where it was not probed."""

    slug: str
    name: str
    address: str | None
    listings: tuple[Listing, ...]
    labels: tuple[LabelOf, ...]
    reach: Reach | None

    @property
    def label(self) -> str | None:
        """The closest label that shows."""
        shown = [one.shows for one in self.labels if one.shows is not None]
        return min(shown, key=PLACES.__getitem__, default=None)

    @property
    def place(self) -> tuple[int, str]:
        """Where it stands among the others: the official one first, those without a label last."""
        return (len(PLACES) if self.label is None else PLACES[self.label], self.slug)


def labels_of(
    reader: Reader, store: Store, paper: str, moment: Moment
) -> Mapping[str, list[LabelOf]]:
    """The labels of all repositories for a paper, by repository."""
    table = reader.tables.code_fact
    query = (
        select(table.c.stream)
        .distinct()
        .where(
            table.c.paper == paper,
            table.c.stream.startswith("label:", autoescape=True),
            table.c.position <= moment.position,
            table.c.read_at <= moment.day,
        )
    )
    found: dict[str, list[LabelOf]] = {}
    for one in _labels(reader, store, sorted(reader.connection.scalars(query)), moment):
        found.setdefault(one.repository, []).append(one)
    return found


def labels_named(
    reader: Reader, store: Store, labels: Iterable[str], moment: Moment
) -> dict[str, LabelOf]:
    """Labels by their ids; without those that nobody asserted by the moment."""
    found = _labels(reader, store, sorted({stream_of(one) for one in labels}), moment)
    return {one.tale.subject: one for one in found if one.tale.told.readings_by(moment.instant)}


def label_at(reader: Reader, store: Store, label: str, moment: Moment) -> LabelOf:
    """One label by its id; refused when nobody asserted it by the moment."""
    found = labels_named(reader, store, [label], moment)
    if label not in found:
        raise NotFound(what="label", name=label)
    return found[label]


def _labels(reader: Reader, store: Store, streams: Sequence[str], moment: Moment) -> list[LabelOf]:
    records: dict[str, list[ev.Recorded]] = {stream: [] for stream in streams}
    for record in known_by(store, streams, moment):
        records[record.envelope.stream].append(record)
    stands = stands_at(reader, (one for own in records.values() for one in own), moment.position)
    firsts = {
        stream: own[0].event
        for stream, own in records.items()
        if own and isinstance(own[0].event, ev.RepositoryLabelled)
    }
    names = sources_of(reader, (first.source for first in firsts.values()), moment)
    called = repository_names(reader, (first.repository for first in firsts.values()), moment)
    return [
        LabelOf(
            paper=first.paper,
            repository=first.repository,
            repository_name=called[first.repository],
            source=names[first.source],
            tale=tale_of(
                stream.partition(":")[2],
                called[first.repository],
                told_of(records[stream], stands),
                moment,
            ),
        )
        for stream, first in firsts.items()
    ]


def repository_names(reader: Reader, slugs: Iterable[str], moment: Moment) -> Mapping[str, str]:
    """Repositories as their hosts write them, by slug."""
    wanted = sorted(set(slugs))
    found = described(reader, map(repository_stream, wanted), moment)
    return {slug: str(found.get(repository_stream(slug), {}).get("name", slug)) for slug in wanted}


def linked_with(
    reader: Reader,
    stated: Iterable[Stated],
    labels: Mapping[str, Sequence[LabelOf]],
    moment: Moment,
) -> list[Linked]:
    """The repositories that are listed for a paper, or labelled: without what is probed."""
    listed = [
        (fact, one)
        for fact, one in latest(
            stated, ev.RepositoryListed, lambda one: (one.repository, one.source)
        ).values()
        if fact.listed
    ]
    shown = {slug for slug, own in labels.items() if any(one.tale.state for one in own)}
    slugs = shown | {fact.repository for fact, _ in listed}
    content = described(reader, map(repository_stream, slugs), moment)
    names = sources_of(reader, (fact.source for fact, _ in listed), moment)
    found = [
        Linked(
            slug=slug,
            name=str(content.get(repository_stream(slug), {}).get("name", slug)),
            address=content.get(repository_stream(slug), {}).get("address"),
            listings=tuple(
                Listing(fact=fact, stated=one, source=names[fact.source])
                for fact, one in listed
                if fact.repository == slug
            ),
            labels=tuple(one for one in labels.get(slug, ()) if one.tale.state is not None),
            reach=None,
        )
        for slug in slugs
    ]
    return sorted(found, key=lambda one: one.place)
