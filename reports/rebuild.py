"""Rebuilding what a bundle shows from the bundle's own events, and saying what differs.

The events go through the same projections as those of a ledger, into a read model in memory, and
the same is asked of it that was asked of the ledger. That the events are in the log is another
question, which :mod:`ledger.proof.bundle` answers; ask it first, as it bounds what is read.

Some of what a bundle says cannot follow from its events and is taken as given: the numbers of
decisions and how many the log has (both count all decisions there are), what a decided report was
about and who proposed its decision, when its position was recorded, and what files are kept.
"""

from collections.abc import Iterator, Mapping
from contextlib import closing
from itertools import islice
from typing import Any

from ledger.errors import BadValue, Refused
from ledger.store import Store, open_given
from projections.decisions.renumbered import renumber
from projections.keeping.follow import Follower
from projections.keeping.views import open_views
from reports.bundle.asked import asked_in
from reports.bundle.facts import Facts, facts_of
from reports.bundle.records import Json
from reports.differing import differences
from reports.standing_in import told_in, with_stand_ins

MOST_DIFFERENCES = 20
IN_MEMORY = ":memory:"
ADDED = ("charted", "metrics")
"""Members that bundles of earlier releases lack; what is not said cannot be wrong."""
KEPT_HERE = ("kept", "source_name")
"""What a bundle's snapshots have beside the facts of their readings."""


def rebuild(document: Mapping[str, Any]) -> list[str]:
    """Where a bundle says something else than its own events; empty is good.

    The document has the form of the schema. Raises ``BadValue`` when there is no rebuilding it.
    """
    try:
        return list(islice(_differences(document, _facts(document)), MOST_DIFFERENCES))
    except BadValue:
        raise
    except Refused as why:
        return [f"shows: its events do not give it at all: {why}"]
    except Exception as why:
        # It comes from anybody, and there are more ways to be no bundle than anybody can list.
        raise BadValue(
            what="bundle", shown="as a whole", why=f"it cannot be rebuilt: {why!r}"
        ) from why


def _facts(document: Mapping[str, Any]) -> Facts:
    told = told_in(document["decisions"])
    given = ((one["position"], one["stored"].encode()) for one in document["events"])
    store = open_given(with_stand_ins(given, told))
    asked = asked_in(document["subject"])
    with closing(open_views(IN_MEMORY)) as views:
        Follower(store, views).catch_up()
        renumber(views, numbers_in(document, store))
        with views.read() as reader:
            head = document["since"]["recorded_through"]["position"]
            return facts_of(reader, store, asked, head)


# --- numbers of decisions ---------------------------------------------------------------------


def numbers_in(document: Mapping[str, Any], store: Store) -> dict[str, int]:
    """The numbers of the bundle's decisions: as its list says, and of those that were made after
    its position, which stand in no list but that of the numbers, in the order of the log."""
    numbers = {one["decision"]: one["number"] for one in document["decisions"]}
    rest = sorted(set(document["since"]["corrections"]) - set(numbers.values()))
    unnamed = [name for name in _decisions_in(store) if name not in numbers]
    return numbers | dict(zip(unnamed, rest, strict=False))


def _decisions_in(store: Store) -> Iterator[str]:
    position = 0
    while records := store.after(position, 1_000):
        for record in records:
            decision = getattr(record.event, "decision", None)
            if record.envelope.type.startswith(("decision-made/", "decision-reversed/")):
                yield str(decision)
        position = records[-1].position


# --- comparing --------------------------------------------------------------------------------


def _differences(document: Mapping[str, Any], facts: Facts) -> Iterator[str]:
    said, found = _said(document), _found(facts.parts, document)
    for name in sorted(found):
        if name in ADDED and name not in document:
            continue
        yield from differences(said.get(name), found[name], name)
    given = [one["position"] for one in document["events"]]
    needed = {position for position, _ in facts.events}
    beyond = [position for position in given if position not in needed]
    if beyond:
        yield f"events: nothing that it shows rests on those at positions {beyond[:20]}"


def _said(document: Mapping[str, Any]) -> Json:
    snapshots = [
        {name: value for name, value in one.items() if name not in KEPT_HERE}
        for one in document["snapshots"]
    ]
    since = document["since"]["corrections"]
    return {**document, "snapshots": snapshots, "since": since}


def _found(parts: Json, document: Mapping[str, Any]) -> Json:
    """The parts, with what is taken as given."""
    if parts["subject"]["kind"] != "corrections":
        return parts
    return parts | {"shows": parts["shows"] | {"in_all": document["shows"].get("in_all")}}
