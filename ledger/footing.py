"""What a fact stands on: what has to be registered before it, and the frozen reading it cites.

A fact that was read names its source and the snapshot that was frozen then, so a reviewer can look
at the very bytes. Which kind of source may assert a label follows from the label.
"""

from collections.abc import Callable, Iterable, Sequence

from ledger import events as ev
from ledger import label, paper, source
from ledger.errors import BadValue, NotFound
from ledger.vocabulary import LABELS, SOURCE_KINDS

Facts = Callable[[str], Sequence[ev.Event]]
"""Gives the events of a stream."""


def stands_on(fact: ev.Event) -> tuple[tuple[str, str], ...]:
    """What has to be registered for a fact: (field, stream)."""
    found: list[tuple[str, str]] = []
    if isinstance(fact, ev.ReadFact | ev.PaperRegistered | ev.ProbeWindowOpened) and fact.source:
        found.append(("source", source.stream_of(fact.source)))
    if isinstance(fact, ev.RepositoryListed | ev.RepositoryLabelled | ev.SampleHarvested):
        found.append(("repository", paper.repository_stream(fact.repository)))
    if isinstance(fact, ev.RepositoryLabelled):
        found.append(("paper", paper.stream_of(fact.paper)))
    if isinstance(fact, ev.RunCountsRead):
        parts = (part.repository for part in fact.parts)
        found += [("parts", paper.repository_stream(one)) for one in parts if one is not None]
    return tuple(found)


def must_stand(fact: ev.Event, facts: Facts) -> None:
    """Refuse a fact of which something is not registered, or whose reading is none."""
    for field, stream in stands_on(fact):
        if not facts(stream):
            what, _, slug = stream.partition(":")
            raise NotFound(what=f"{what} (in {field})", name=slug)
    if isinstance(fact, ev.ReadFact):
        known = facts(source.stream_of(fact.source))
        if not reading_stands(known, fact):
            why = f"{fact.source} has no reading of that instant with this digest; freeze it first"
            raise BadValue(what="reading", shown=fact.reading, why=why)
        if isinstance(fact, ev.RepositoryLabelled) and fact.label is not None:
            _must_be_its_word(fact, fact.label, known)


def reading_stands(known: Iterable[ev.Event], fact: ev.ReadFact) -> bool:
    """Whether the reading that a fact cites is among a source's events, and was not taken back."""
    cited = (fact.reading, fact.read_at, fact.order)
    return any(
        (one.digest, one.read_at, one.order) == cited for one in source.readings(list(known))
    )


def _must_be_its_word(fact: ev.RepositoryLabelled, text: str, known: Sequence[ev.Event]) -> None:
    """The first three labels are an archive's to assert, the others a harvester's."""
    registered = known[0]
    kind = LABELS[label.parse_label(text)][2]
    if isinstance(registered, ev.SourceRegistered) and registered.kind != kind:
        name, is_a, wants = LABELS[text][0], SOURCE_KINDS[registered.kind][1], SOURCE_KINDS[kind][1]
        why = f"“{name}” is the word of a {wants.lower()}, and {fact.source} is a {is_a.lower()}"
        raise BadValue(what="label", shown=repr(text), why=why)
