"""All of a bundle that follows from events: worked out from a ledger when it is made, and from the
bundle's own events when it is checked."""

import attrs

from ledger.store import Store
from ledger.store.engine import Stored
from projections.behind import behind
from projections.decisions.corrections import Correction, entries
from projections.keeping.views import Reader
from projections.standing import not_taken_in, numbered
from reports.bundle.asked import Asked, address_of, subject_json
from reports.bundle.chains import chain_json, chains_of
from reports.bundle.frozen import snapshots_of
from reports.bundle.naming import metrics_of, names_of
from reports.bundle.records import Json
from reports.bundle.ruled import caveats_json, ruled_json
from reports.bundle.seeing import seen
from reports.contract import correction_json


@attrs.frozen(kw_only=True)
class Facts:
    """The parts of a document by their names there, and the events that they follow from: their
    positions and stored bytes, in order."""

    parts: Json
    events: tuple[Stored, ...]


def facts_of(reader: Reader, store: Store, asked: Asked, head: int) -> Facts:
    """All that is said of a subject, with what was decided since by position ``head``."""
    found = seen(reader, store, asked)
    moment = found.asked.moment
    later = not_taken_in(reader, found.standing, moment, head)
    about = attrs.evolve(found.about, later=frozenset(one.decision for one in later))
    ground = behind(reader, store, about, moment.position)
    numbers = [one.number for one in numbered(reader, ground.decisions)]
    decided = entries(reader, store, numbers, upto=moment.position)
    chains = chains_of(reader, found.claims, ground.of_claims(), decided, moment)
    snapshots = snapshots_of(reader, chains, decided, moment, found.cited)
    names = names_of(reader, (chains, decided, snapshots), found.named, moment)
    rule = None
    if found.benchmark is not None and found.rule is not None:
        rule = ruled_json(reader, found.benchmark, found.rule, ground.records, moment)
    return Facts(
        parts={
            "subject": subject_json(found.asked),
            "address": address_of(found.asked),
            "shows": found.shows,
            "claims": [chain_json(chain, names, moment) for chain in chains],
            "rule": rule,
            "caveats": caveats_json(found.caveats),
            "decisions": [_decision_json(one) for one in decided],
            "since": [one.number for one in later],
            "snapshots": snapshots,
            "charted": found.charted,
            "leaders": None if found.leaders is None else list(found.leaders),
            "names": names,
            "metrics": metrics_of(reader, found.measured, decided, moment),
        },
        events=tuple((one.position, one.stored) for one in ground.records),
    )


def _decision_json(entry: Correction) -> Json:
    return {**correction_json(entry), "position": entry.position}
