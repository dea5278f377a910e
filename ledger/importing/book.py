"""What one source was read to say on one benchmark, reading by reading.

The book compares a reading with the one before it and with the next one after it, and answers
with the facts that have to be recorded: what changed at its own instant, and, for a reading that
arrives late, what restores at the next reading what that one said. It invariably holds, at every
reading, exactly what that reading said; so the order in which files arrive does not matter.
Nothing here reads a file, a clock or a database.
"""

from bisect import bisect_right, insort
from collections.abc import Iterable, Iterator, Mapping, Sequence

import attrs

from ledger import events as ev
from ledger.claim import History, claim_id
from ledger.events import Statement
from ledger.values import Digest, Instant, Slug

Turn = tuple[Instant, str]
EVERYTHING_ELSE = "*"
ClaimFact = tuple[str, "BookedClaim", ev.SourceFact]


@attrs.frozen(order=True)
class ReadingOf:
    """One reading of a board, as far as comparing needs it."""

    turn: Turn
    digest: Digest = attrs.field(order=False)
    metrics: frozenset[str] = attrs.field(order=False)
    unread: frozenset[str] = attrs.field(order=False)

    def covers(self, claim: "BookedClaim") -> bool:
        """Whether the reading says anything (also: nothing any more) about a claim.

        Where a row could not be told at all, the reading speaks for what it states and no more.
        """
        if claim.metric not in self.metrics or {claim.id, claim.key} & self.unread:
            return False
        return EVERYTHING_ELSE not in self.unread or claim.stated_at(self.turn, self.digest)


@attrs.frozen(order=False)
class Entry:
    """What one reading said of one claim, in the order (turn, sequence)."""

    turn: Turn
    sequence: int
    says: Statement | None
    digest: Digest


@attrs.define
class BookedClaim:
    """One claim in the book: what it is, how many events its stream has, what was read."""

    id: str
    key: str
    metric: Slug
    version: int = 0
    decided: bool = False
    entries: list[Entry] = attrs.field(factory=list)

    def says(self, turn: Turn) -> Statement | None:
        """What the source said at a turn."""
        place = bisect_right(self.entries, turn, key=_turn_of)
        return self.entries[place - 1].says if place else None

    def was_stated_before(self, turn: Turn) -> bool:
        """Whether any reading before this turn stated the claim."""
        return any(entry.says is not None for entry in self.entries if entry.turn < turn)

    def stated_at(self, turn: Turn, digest: Digest) -> bool:
        """Whether a reading left a fact on this claim."""
        return any((entry.turn, entry.digest) == (turn, digest) for entry in self.entries)

    def enter(self, turn: Turn, says: Statement | None, digest: Digest) -> None:
        """Add what a reading said (a later entry of one turn counts)."""
        insort(self.entries, Entry(turn, len(self.entries), says, digest), key=_place_of)
        self.version += 1

    def strike(self, turn: Turn, digest: Digest) -> None:
        """Take back what a reading said."""
        self.entries = [
            entry for entry in self.entries if (entry.turn, entry.digest) != (turn, digest)
        ]
        self.version += 1


def _turn_of(entry: Entry) -> Turn:
    return entry.turn


def _place_of(entry: Entry) -> tuple[Turn, int]:
    return (entry.turn, entry.sequence)


@attrs.define
class Outcome:
    """What a reading changed at its own instant, claim by claim, and the facts to record."""

    recorded: list[str] = attrs.field(factory=list)
    restated: list[str] = attrs.field(factory=list)
    delisted: list[str] = attrs.field(factory=list)
    relisted: list[str] = attrs.field(factory=list)
    unchanged: int = 0
    facts: list[ClaimFact] = attrs.field(factory=list)

    def counts(self) -> dict[str, int]:
        """How many claims of each kind."""
        return {
            "recorded": len(self.recorded),
            "restated": len(self.restated),
            "delisted": len(self.delisted),
            "relisted": len(self.relisted),
            "unchanged": self.unchanged,
        }


@attrs.define
class SourceBook:
    """All readings of one source on one benchmark that stand, and what they say."""

    source: Slug
    benchmark: Slug
    claims: dict[str, BookedClaim] = attrs.field(factory=dict)
    readings: list[ReadingOf] = attrs.field(factory=list)
    orders: set[Turn] = attrs.field(factory=set)

    @classmethod
    def of(
        cls,
        source: Slug,
        benchmark: Slug,
        known: Iterable[ev.Event],
        histories: Mapping[str, History],
    ) -> "SourceBook":
        """The book as the ledger holds it: the source's events and its claims' histories."""
        book = cls(source, benchmark)
        for event in known:
            if isinstance(event, ev.SourceFrozen) and event.benchmark == benchmark:
                book.add_reading(event)
            elif isinstance(event, ev.ReadingWithdrawn) and event.benchmark == benchmark:
                book.readings.remove(book.find(event))
        for claim, history in histories.items():
            book.claims[claim] = _booked(claim, history)
        return book

    def add_reading(self, frozen: ev.SourceFrozen) -> ReadingOf:
        """Note that a reading was made."""
        turn = (frozen.read_at, frozen.order)
        reading = ReadingOf(
            turn, frozen.digest, frozenset(frozen.metrics), frozenset(frozen.unread)
        )
        insort(self.readings, reading)
        self.orders.add(turn)
        return reading

    def find(self, reading: ev.SourceFrozen | ev.ReadingWithdrawn) -> ReadingOf:
        """The entry of a reading that stands."""
        turn = (reading.read_at, reading.order)
        return next(
            one for one in self.readings if one.turn == turn and one.digest == reading.digest
        )

    def free_order(self, read_at: Instant, declared: str) -> str:
        """The declared order, or the next after it when a reading of that turn exists already.

        So no two readings share a turn: ``001`` is followed by ``001!0002``, which sorts before
        ``002``.
        """
        order, count = declared, 1
        while (read_at, order) in self.orders:
            count += 1
            order = f"{declared}!{count:04d}"
        return order

    def stands(self, digest: Digest, read_at: Instant, declared: str) -> bool:
        """Whether the same bytes were read at this instant (and declared order) already."""
        return any(
            reading.digest == digest
            and reading.turn[0] == read_at
            and reading.turn[1].split("!")[0] == declared
            for reading in self.readings
        )

    # --- comparing ----------------------------------------------------------------------------

    def insert(self, frozen: ev.SourceFrozen, rows: Mapping[str, Sequence[Statement]]) -> Outcome:
        """Enter a reading; ``rows`` are its statements by row key.

        Returns what it changed, and the facts: at its own instant, and after it what restores at
        the next reading what that one said.
        """
        reading = self.add_reading(frozen)
        outcome = Outcome()
        said = self._identify(rows)
        for claim in self._in_scope(reading, said):
            self._compare(claim, reading, said.get(claim.id), outcome)
        return outcome

    def withdraw(self, withdrawn: ev.ReadingWithdrawn) -> Outcome:
        """Take a reading back: what the one before said holds again, up to the next reading."""
        reading = self.find(withdrawn)
        self.readings.remove(reading)
        outcome = Outcome()
        for claim in self._in_scope(reading, {}):
            following = self._next(reading, claim)
            after = claim.says(following.turn) if following else None
            now = claim.says(reading.turn)
            if claim.stated_at(reading.turn, reading.digest):
                claim.strike(reading.turn, reading.digest)
                read_at, order = reading.turn
                voided = ev.ClaimReadingVoided(reading=reading.digest, read_at=read_at, order=order)
                outcome.facts.append((claim.id, claim, voided))
            self._count(claim, reading.turn, now, claim.says(reading.turn), outcome)
            self._restore(claim, following, after, outcome)
        return outcome

    def _identify(self, rows: Mapping[str, Sequence[Statement]]) -> dict[str, Statement]:
        said: dict[str, Statement] = {}
        for key, statements in rows.items():
            for says in statements:
                claim = claim_id(self.source, self.benchmark, key, says.metric, says.split)
                said[claim] = says
                if claim not in self.claims:
                    self.claims[claim] = BookedClaim(claim, key, says.metric)
        return said

    def _in_scope(self, reading: ReadingOf, said: Mapping[str, Statement]) -> Iterator[BookedClaim]:
        """Rows of the file first, in its order; then what else the source was read to say."""
        for claim in said:
            yield self.claims[claim]
        for claim, booked in self.claims.items():
            if claim not in said and reading.covers(booked):
                yield booked

    def _compare(
        self, claim: BookedClaim, reading: ReadingOf, this: Statement | None, outcome: Outcome
    ) -> None:
        following = self._next(reading, claim)
        before = claim.says(reading.turn)
        after = claim.says(following.turn) if following else None
        changed = self._count(claim, reading.turn, before, this, outcome)
        # Where a row could not be told, only facts can tell what the reading did state.
        if changed or (this is not None and EVERYTHING_ELSE in reading.unread):
            self._enter(claim, reading, this, before, outcome)
            self._restore(claim, following, after, outcome)

    @staticmethod
    def _count(
        claim: BookedClaim,
        turn: Turn,
        before: Statement | None,
        this: Statement | None,
        outcome: Outcome,
    ) -> bool:
        """Note what became of the claim at a turn; whether anything did."""
        if this == before and _digits(this) == _digits(before):
            outcome.unchanged += this is not None
            return False
        if this is None:
            outcome.delisted.append(claim.id)
        elif before is not None:
            outcome.restated.append(claim.id)
        elif claim.was_stated_before(turn):
            outcome.relisted.append(claim.id)
        else:
            outcome.recorded.append(claim.id)
        return True

    def _restore(
        self,
        claim: BookedClaim,
        following: ReadingOf | None,
        after: Statement | None,
        outcome: Outcome,
    ) -> None:
        """What the next reading said must still hold after it."""
        if following is None:
            return
        now = claim.says(following.turn)
        if now != after or _digits(now) != _digits(after):
            self._enter(claim, following, after, now, outcome)

    def _enter(
        self,
        claim: BookedClaim,
        reading: ReadingOf,
        says: Statement | None,
        before: Statement | None,
        outcome: Outcome,
    ) -> None:
        outcome.facts.append((claim.id, claim, self._fact(claim, reading, says, before)))
        claim.enter(reading.turn, says, reading.digest)

    def _fact(
        self,
        claim: BookedClaim,
        reading: ReadingOf,
        says: Statement | None,
        before: Statement | None,
    ) -> ev.SourceFact:
        read_at, order = reading.turn
        if says is None:
            return ev.ClaimDelisted(reading=reading.digest, read_at=read_at, order=order)
        if claim.version == 0:
            return ev.ClaimRecorded(
                source=self.source,
                benchmark=self.benchmark,
                key=claim.key,
                says=says,
                reading=reading.digest,
                read_at=read_at,
                order=order,
            )
        kind = ev.ClaimRelisted if before is None else ev.ClaimRestated
        return kind(says=says, reading=reading.digest, read_at=read_at, order=order)

    def _next(self, reading: ReadingOf, claim: BookedClaim) -> ReadingOf | None:
        """The next reading after this one that says anything about the claim."""
        place = bisect_right(self.readings, reading.turn, key=lambda one: one.turn)
        for later in self.readings[place:]:
            if later.covers(claim):
                return later
        return None


def _digits(says: Statement | None) -> str | None:
    """Scores compare by value, but a source that writes other digits has restated its claim."""
    return says.score.text if says is not None else None


def _booked(claim: str, history: History) -> BookedClaim:
    booked = BookedClaim(claim, history.key, history.metric, history.version)
    booked.decided = bool(history.decisions)
    booked.entries = [
        Entry((one.read_at, one.order), number, one.says, Digest(one.digest))
        for number, one in enumerate(history.readings)
    ]
    return booked
