"""At which instants the page of a paper or of a sample changed, and the position that settled them.

Whoever knows the ledger as far as that position knows all that there is to say of the page, of any
day by then; so a page that is pinned to it stays the same until something new is known about it.
"""

from collections.abc import Iterable, Iterator

import attrs
from sqlalchemy import func, select

from ledger import events as ev
from ledger.errors import NotFound
from ledger.paper import stream_of
from ledger.probe import link_key
from ledger.sample import stem
from ledger.store import Store
from ledger.values import Instant, from_micros
from projections.asserted import aspects_of
from projections.code.behind_code import OfPapers, behind_papers
from projections.code.papers import first_reading
from projections.decisions.corrections import numbers_known
from projections.keeping.rectangles import CHUNK, chunks
from projections.keeping.views import Reader
from projections.moment import Moment
from projections.over_time.code_turns import around_sample
from projections.over_time.page_steps import About, every_step, last_recorded

OWN = ("paper:", "repository:", "label:", "sample:", "probe:")
"""The streams of which every event but a probe of another link is about the paper."""
Turn = tuple[Instant | None, int]
"""When something was read or decided, ``None`` for what changes no page by being read; where."""


@attrs.frozen
class Turns:
    """Instants by the moment's day, oldest first, and a position by the moment's."""

    instants: tuple[Instant, ...]
    position: int


def turns_of_paper(reader: Reader, store: Store, slug: str, moment: Moment) -> Turns:
    """When anything that a paper's page shows was read or decided. Raises ``NotFound``."""
    described = aspects_of(reader, stream_of(slug), moment).get("described")
    if described is None:
        raise NotFound(what="paper", name=slug)
    first = first_reading(reader, slug, described, moment)
    papers = behind_papers(reader, store, (slug,), moment.position)
    facts = list(_facts(store, papers, moment))
    decided = list(_decided(reader, papers.subjects, (f"papers/{slug}",), moment))
    claims = [About(kind="source", id=one) for one in sorted(papers.sources)]
    instants = {at for at, _ in (*facts, *decided) if at is not None}
    instants.update(at for one in claims for at in every_step(reader, one, moment))
    positions = [position for _, position in (*facts, *decided)]
    positions += [last_recorded(reader, one, moment) for one in claims]
    shown = sorted(at for at in instants if first <= at <= moment.instant)
    return Turns(tuple(shown), max(positions, default=0))


def turns_of_sample(reader: Reader, code: str, subjects: Iterable[str], moment: Moment) -> Turns:
    """When anything of a sample was read or decided, or of one that begins with the same digits."""
    named, table = list(subjects), reader.tables.code_fact
    instants = set(around_sample(reader, code, named, moment))
    query = select(func.max(table.c.position)).where(
        table.c.stem == stem(code), table.c.position <= moment.position
    )
    decided = list(_decided(reader, named, (), moment))
    positions = [reader.connection.scalar(query) or 0, *(position for _, position in decided)]
    instants.update(at for at, _ in decided if at is not None)
    shown = sorted(at for at in instants if at <= moment.instant)
    return Turns(tuple(shown), max(positions))


def _facts(store: Store, papers: OfPapers, moment: Moment) -> Iterator[Turn]:
    """Where the facts about a paper stand: when each was read, and its position."""
    streams = sorted(one for one in papers.streams if one.startswith(OWN))
    records = [one for one in store.streams(streams) if one.position <= moment.position]
    links = {
        link_key(one.event.address)
        for one in records
        if isinstance(one.event, ev.RepositoryRegistered) and one.event.address is not None
    }
    for record in records:
        event = record.event
        if isinstance(event, ev.LinkProbed) and link_key(event.link) not in links:
            continue
        is_turn = not isinstance(event, ev.RepositoryRegistered | ev.DecisionFact)
        yield getattr(event, "read_at", None) if is_turn else None, record.position


def _decided(
    reader: Reader, subjects: Iterable[str], targets: Iterable[str], moment: Moment
) -> Iterator[Turn]:
    """When it was decided about these, and where that stands."""
    table = reader.tables.decision
    numbers = numbers_known(reader, subjects, targets, moment.position)
    for chunk in chunks(numbers, CHUNK):
        query = select(table.c.decided_at, table.c.position).where(table.c.number.in_(chunk))
        for decided_at, position in reader.connection.execute(query):
            yield from_micros(decided_at), position
