"""Where a number comes from, link by link: as written, the snapshot, the decisions, the log's leaf.

Every link is one event of the claim, and says at which leaf of the log it stands under which
entry: the SHA-256 of the event's stored bytes, which are in the bundle.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence

import attrs
import orjson

from reports.paper.code import WORDS as CODE_WORDS
from reports.paper.document import Json, Paper, claim_name

CLAIM_WORDS: Mapping[str, str] = {
    "claim-recorded": "recorded",
    "claim-restated": "restated by its source",
    "claim-delisted": "no longer stated",
    "claim-relisted": "stated again",
    "claim-reading-voided": "a reading taken back",
    "claim-corrected": "corrected",
    "claim-reidentified": "model corrected",
    "claim-retracted": "retracted",
    "claim-reinstated": "reinstated",
    "claim-held-out": "held out",
    "claim-readmitted": "readmitted",
    "claim-disputed": "disputed",
    "claim-cleared": "dispute lifted",
    "claim-decision-reversed": "decision reversed",
}
WORDS = {**CLAIM_WORDS, **CODE_WORDS}


@attrs.frozen
class Leaf:
    """An event's place in the log."""

    position: int
    index: int | None
    entry: str


@attrs.frozen
class Snapshot:
    """Frozen bytes, with the short name that the paper calls them by."""

    label: str
    facts: Json


@attrs.frozen
class Link:
    """One event, of a claim say: what happened, on which frozen bytes or by which decision.

    ``later`` is what was decided after the moment of the paper, which therefore does not show it.
    """

    what: str
    read_at: str | None
    snapshot: Snapshot | None
    correction: int | None
    later: bool
    leaf: Leaf


@attrs.frozen
class Origin:
    """One claim with its chain; ``rank`` is its place on the board that is printed, if any."""

    claim_id: str
    rank: int | None
    name: str
    says: Json
    source: Json
    key: str
    links: tuple[Link, ...]


@attrs.frozen
class Origins:
    """All that chains are made of, looked up once for a whole paper."""

    events: Sequence[Json]
    snapshots: Sequence[Snapshot]
    numbers: Mapping[str, int]
    since: frozenset[int]
    ranks: Mapping[str, int]
    _places: Mapping[int, int]
    _read: Mapping[tuple[str, str], Snapshot]
    _bytes: Mapping[str, Snapshot]

    @classmethod
    def of(cls, paper: Paper) -> "Origins":
        """The origins of a paper."""
        document = paper.document
        listed = [
            Snapshot(f"S{number}", facts) for number, facts in enumerate(document["snapshots"], 1)
        ]
        return cls(
            document["events"],
            listed,
            {one["decision"]: one["number"] for one in document["decisions"]},
            frozenset(paper.since),
            dict(_ranks(paper)),
            {event["position"]: place for place, event in enumerate(document["events"])},
            {(one.facts["source"], one.facts["sha256"]): one for one in listed},
            {one.facts["sha256"]: one for one in listed},
        )

    def snapshot(self, sha256: str | None) -> Snapshot | None:
        """The frozen bytes with this digest."""
        return self._bytes.get(sha256 or "")

    def origin(self, claim: Json) -> Origin:
        """The chain of one claim of the bundle."""
        return Origin(
            claim["claim_id"],
            self.ranks.get(claim["claim_id"]),
            claim_name(claim),
            claim["says"] or {},
            claim["source"],
            claim["key"],
            tuple(self._links(claim["source"]["slug"], claim["events"])),
        )

    def steps(self, positions: Sequence[int]) -> list[Link]:
        """Events that say themselves which source they are of."""
        return list(self._links("", positions))

    def _links(self, source: str, positions: Sequence[int]) -> Iterator[Link]:
        for position in positions:
            found = self.events[self._places[position]]
            stored = orjson.loads(found["stored"])
            event = stored["event"]
            name = str(stored["type"]).partition("/")[0]
            number = self.numbers.get(event.get("decision", ""))
            yield Link(
                WORDS.get(name, name.removeprefix("claim-").replace("-", " ")),
                event.get("read_at"),
                self._read.get((event.get("source") or source, event.get("reading", ""))),
                number,
                number in self.since,
                leaf_of(found),
            )


def leaf_of(event: Json) -> Leaf:
    """The place in the log of an event of the bundle."""
    entry = hashlib.sha256(event["stored"].encode()).hexdigest()
    return Leaf(event["position"], event["index"], entry)


def _ranks(paper: Paper) -> Iterator[tuple[str, int]]:
    if paper.kind != "board":
        return
    for row in paper.shows["rows"]:
        for one in (row, *row.get("parts", ())):
            if one["claim_id"]:
                yield one["claim_id"], row["rank"]
