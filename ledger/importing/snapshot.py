"""A reading of a whole board: compare it with what its source was read to say, record the rest.

One file is one transaction: its bytes are archived first, then everything that it changed is
appended, each claim against the version that was compared. If another writer got in between,
nothing is recorded and the comparison is made anew.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Protocol

import attrs

from ledger import claim as claims
from ledger import events as ev
from ledger import faults, source
from ledger.errors import Conflict, InTheFuture, NotFound
from ledger.importing.board import BoardFile, Target
from ledger.importing.book import Outcome, SourceBook
from ledger.importing.large import LargeFile
from ledger.importing.names import KnownNames, NameBook
from ledger.importing.put_aside import NamesAside, PutAside, put_names
from ledger.importing.receipt import NOTHING, FileReceipt
from ledger.importing.rules import register_benchmark, register_source
from ledger.ledger import Ledger
from ledger.store import NewEvents
from ledger.values import Digest, Slug, short_instant

ATTEMPTS = 5
NAMES_AT_HAND = 50_000
"""How many names are kept in mind; beyond these all are asked of the read model anew."""
CLAIMS_AT_HAND = 10_000
"""How many claims a dry run holds; beyond these the boards behind it are put aside."""


class Known(KnownNames, Protocol):
    """What the read model already holds; it is caught up with the ledger before it answers."""

    def claims_of(self, source: str, benchmark: str) -> Sequence[str]:
        """The ids of all claims that a source ever made on a benchmark."""
        ...

    def forget(self) -> None:
        """Catch up with the ledger before the next answer."""
        ...


@attrs.define
class BoardImporter:
    """Imports boards one after the other; what it compared with stays at hand for the next."""

    ledger: Ledger
    known: Known
    by: str
    dry_run: bool = False
    names: NameBook = attrs.field(init=False)
    _books: dict[tuple[Slug, Slug], SourceBook] = attrs.field(factory=dict, init=False)
    _facts: dict[str, list[ev.Event]] = attrs.field(factory=dict, init=False)
    _about: dict[str, dict[Slug | None, list[ev.Event]]] = attrs.field(factory=dict, init=False)
    _archived: set[Digest] = attrs.field(factory=set, init=False)
    _head: int = attrs.field(default=0, init=False)
    _aside: PutAside | None = attrs.field(default=None, init=False)

    def __attrs_post_init__(self) -> None:
        self._forget()

    def read(self, board: BoardFile, target: Target) -> FileReceipt:
        """Enter one board; see :class:`~ledger.importing.receipt.FileReceipt`.

        Raises a refusal, having recorded nothing, when the reading lies in the future or its
        source or benchmark cannot be registered.
        """
        now = self.ledger.clock()
        if board.read_at > now:
            when, today = short_instant(board.read_at), short_instant(now)
            raise InTheFuture(what=f"{board.file}: the reading of", when=when, now=today)
        return self._again_after_conflict(lambda: self._read(board, target))

    def withdraw(self, digest: Digest) -> list[FileReceipt]:
        """Take back every reading of these bytes; refused when there is none."""
        found = self._readings_of(digest)
        if not found:
            raise NotFound(what="reading", name=digest)
        return [
            self._again_after_conflict(lambda one=one: self._withdraw(*one))  # type: ignore[misc]
            for one in found
        ]

    def _again_after_conflict(self, attempt: Callable[[], FileReceipt]) -> FileReceipt:
        for _ in range(ATTEMPTS - 1):
            with suppress(Conflict):
                return self._or_forget(attempt)
        return self._or_forget(attempt)

    def _or_forget(self, attempt: Callable[[], FileReceipt]) -> FileReceipt:
        head = self.ledger.store.head()
        if head != self._head and not self.dry_run:
            self._forget()  # somebody else has written since
        self._head = head
        try:
            return attempt()
        except BaseException:
            # Nothing was recorded, though it was noted as if it had been.
            self._forget()
            raise

    # --- one reading --------------------------------------------------------------------------

    def _read(self, board: BoardFile, target: Target) -> FileReceipt:
        if self._stands(board, target):
            stated = sum(len(says) for says in board.statements.values())
            return _receipt(board, {**NOTHING, "unchanged": stated}, known_already=True)
        book = self._open(target.source, target.benchmark)
        order = book.free_order(board.read_at, board.order)
        frozen = board.frozen(target.benchmark, order)
        new, notes = self._registrations(board, target, frozen)
        outcome = book.insert(frozen, board.statements)
        new += claim_events(outcome)
        new.append(self._receipt_event(board, target, order, outcome))
        self._append(board, new)
        return _receipt(board, outcome.counts(), notes=notes)

    def _registrations(
        self, board: BoardFile, target: Target, frozen: ev.SourceFrozen
    ) -> tuple[list[NewEvents], list[str]]:
        new, notes = [], list[str]()
        rules = register_benchmark(self._known(f"benchmark:{target.benchmark}"), target, board)
        if rules is not None:
            new.append(self._note(rules))
        if not target.only_tracked:
            models, notes = self.names.register(_names_in(board), board.read_at, board.released)
            new += models
        version = len(self._known(source.stream_of(target.source)))
        known = self._known_about(target.source, target.benchmark)
        new.append(self._note(register_source(known, version, target, frozen)))
        return new, notes

    def _receipt_event(
        self, board: BoardFile, target: Target, order: str, outcome: Outcome
    ) -> NewEvents:
        received = ev.ImportReceived(
            digest=board.digest,
            file=board.file,
            format=board.format,
            source=target.source,
            benchmark=target.benchmark,
            read_at=board.read_at,
            order=order,
            counts={"rows": board.rows, **outcome.counts()},
            refused=tuple(str(one) for one in board.refused),
        )
        stream = f"import:{board.digest}"
        return self._note(NewEvents(stream, len(self._known(stream)), (received,)))

    def _append(self, board: BoardFile, new: Iterable[NewEvents]) -> None:
        if self.dry_run:
            return
        self._archive(board)
        # Crash here: bytes without an event, which the next import of the file picks up.
        faults.here("import:archived")
        self._record(new, board.digest)

    def _archive(self, board: BoardFile) -> None:
        """Keep the bytes: once, however many boards are read from them."""
        if isinstance(board.data, LargeFile):
            board.data.must_be_unchanged()
        if board.digest in self._archived:
            return
        if isinstance(board.data, LargeFile):
            board.data.keep(self.ledger.archive)
        else:
            self.ledger.archive.put(board.data)
        self._archived.add(board.digest)

    def _record(self, new: Iterable[NewEvents], digest: Digest) -> None:
        done = self.ledger.store.append(new, by=self.by, cause=f"import:{digest}")
        self._head = done.last if done else self._head

    # --- taking one back ----------------------------------------------------------------------

    def _withdraw(self, slug: Slug, frozen: ev.SourceFrozen) -> FileReceipt:
        # A reading of no board is cited by its facts, which count no longer once it is taken back.
        book = None if frozen.benchmark is None else self._open(slug, frozen.benchmark)
        withdrawn = ev.ReadingWithdrawn(
            digest=frozen.digest,
            read_at=frozen.read_at,
            order=frozen.order,
            benchmark=frozen.benchmark,
            why="the import was taken back",
        )
        version = len(self._known(source.stream_of(slug)))
        events = tuple(source.decide(self._known_about(slug, frozen.benchmark), withdrawn))
        new = [self._note(NewEvents(source.stream_of(slug), version, events))]
        outcome = Outcome() if book is None else book.withdraw(withdrawn)
        new += claim_events(outcome)
        if not self.dry_run:
            self._record(new, frozen.digest)
        return FileReceipt(
            file=frozen.file or frozen.digest,
            read_at=frozen.read_at,
            rows=0,
            counts=outcome.counts(),
            digest=frozen.digest,
        )

    def _readings_of(self, digest: Digest) -> list[tuple[Slug, ev.SourceFrozen]]:
        slugs = dict.fromkeys(
            event.source
            for event in self._known(f"import:{digest}")
            if isinstance(event, ev.ImportReceived)
        )
        return [
            (slug, reading)
            for slug in slugs
            for reading in source.readings(self._known(source.stream_of(slug)))
            if reading.digest == digest
        ]

    # --- what is at hand ----------------------------------------------------------------------

    def _open(self, slug: Slug, benchmark: Slug) -> SourceBook:
        """The book of a source on a benchmark, at hand or from the ledger.

        A dry run puts its books aside: what it would have recorded is nowhere else.
        """
        if (slug, benchmark) not in self._books:
            if not self.dry_run:
                self._make_room(slug)
            elif sum(len(book.claims) for book in self._books.values()) > CLAIMS_AT_HAND:
                self._put_aside(slug)
                self._make_room(slug)
            book = self._was_aside("book", f"{slug} {benchmark}")
            self._books[slug, benchmark] = book or self._load(slug, benchmark)
        return self._books[slug, benchmark]

    def _make_room(self, slug: Slug) -> None:
        """Let go of what the next board does not need; a file may hold thousands of one source."""
        stays = self._staying(slug)
        self._books = {}
        self._facts = {stream: self._facts[stream] for stream in stays & self._facts.keys()}
        self._about = {stream: self._about[stream] for stream in stays & self._about.keys()}
        if len(self.names.assertions) > NAMES_AT_HAND:
            self.known.forget()
            self.names = NameBook(self.known)
            if self._aside is not None:
                self.names = NameBook(NamesAside(self.known, self._aside))

    def _staying(self, slug: Slug) -> set[str]:
        return {source.stream_of(slug)} | {one for one in self._facts if _is_import(one)}

    def _put_aside(self, slug: Slug) -> None:
        """Put on disk what is let go of for a source's next board."""
        aside = self._aside = self._aside or PutAside()
        for (other, benchmark), book in self._books.items():
            aside.put("book", f"{other} {benchmark}", book)
        for stream in self._facts.keys() - self._staying(slug):
            aside.put("facts", stream, self._facts[stream])
        if len(self.names.assertions) > NAMES_AT_HAND:
            put_names(aside, self.names)

    def _was_aside(self, kind: str, name: str) -> Any:
        return None if self._aside is None else self._aside.get(kind, name)

    def _stands(self, board: BoardFile, target: Target) -> bool:
        """Whether the board was read of these bytes already; its claims need not be known."""
        book = self._books.get((target.source, target.benchmark))
        if book is None:
            known = self._known_about(target.source, target.benchmark)
            book = SourceBook.of(target.source, target.benchmark, known, {})
        return book.stands(board.digest, board.read_at, board.order)

    def _load(self, slug: Slug, benchmark: Slug) -> SourceBook:
        known = self._known_about(slug, benchmark)
        if not any(isinstance(event, ev.SourceFrozen) for event in self._of(slug, benchmark)):
            return SourceBook(slug, benchmark)  # claims come of readings alone
        self.known.forget()
        ids = self.known.claims_of(slug, benchmark)
        streams: dict[str, list[ev.Recorded]] = {}
        for record in self.ledger.store.streams(claims.stream_of(one) for one in ids):
            streams.setdefault(record.envelope.stream, []).append(record)
        histories = {
            stream.partition(":")[2]: claims.history_of(records)
            for stream, records in streams.items()
        }
        return SourceBook.of(slug, benchmark, known, histories)

    def _known(self, stream: str) -> list[ev.Event]:
        if stream not in self._facts:
            self._facts[stream] = self._was_aside("facts", stream) or self.ledger.facts(stream)
        return self._facts[stream]

    def _known_about(self, slug: Slug, benchmark: Slug | None) -> list[ev.Event]:
        """The events of a source that are about no board or about this one, in their order."""
        about = [] if benchmark is None else self._of(slug, benchmark)
        return [*self._of(slug, None), *about]

    def _of(self, slug: Slug, benchmark: Slug | None) -> list[ev.Event]:
        stream = source.stream_of(slug)
        known = self._known(stream)
        if stream not in self._about:
            self._about[stream] = {}
            self._sort_in(stream, known)
        return self._about[stream].get(benchmark, [])

    def _sort_in(self, stream: str, events: Iterable[ev.Event]) -> None:
        for event in events:
            about: Slug | None = getattr(event, "benchmark", None)
            self._about[stream].setdefault(about, []).append(event)

    def _note(self, new: NewEvents) -> NewEvents:
        self._known(new.stream).extend(new.events)
        if new.stream in self._about:
            self._sort_in(new.stream, new.events)
        return new

    def _forget(self) -> None:
        """Whatever was compared is out of date: read it anew."""
        self._books, self._facts, self._about = {}, {}, {}
        self._aside = None
        self.known.forget()
        self.names = NameBook(self.known)


def claim_events(outcome: Outcome) -> list[NewEvents]:
    """The facts of an outcome, one append a claim, each against the version that was compared."""
    grouped: dict[str, list[ev.Event]] = {}
    for claim, _, fact in outcome.facts:
        grouped.setdefault(claim, []).append(fact)
    versions = {claim: booked.version for claim, booked, _ in outcome.facts}
    return [
        NewEvents(claims.stream_of(claim), versions[claim] - len(facts), tuple(facts))
        for claim, facts in grouped.items()
    ]


def _is_import(stream: str) -> bool:
    return stream.startswith("import:")


def _names_in(board: BoardFile) -> list[str]:
    """The names of all rows. A row that has a name already keeps its model, but that name may be
    taken back or turn out to be the later one: then this is the one that counts."""
    return [
        name
        for statements in board.statements.values()
        for name in dict.fromkeys(says.name for says in statements)
    ]


def _receipt(
    board: BoardFile,
    counts: Mapping[str, int],
    *,
    notes: Iterable[str] = (),
    known_already: bool = False,
) -> FileReceipt:
    return FileReceipt(
        file=board.file,
        read_at=board.read_at,
        rows=board.rows,
        counts=counts,
        digest=board.digest,
        refused=board.refused,
        notes=tuple(notes),
        known_already=known_already,
    )
