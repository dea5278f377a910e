"""Plays a history into a real ledger and, fact by fact, into the reference beside it."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path

import attrs
import psycopg

from ledger import commands as orders
from ledger import events as ev
from ledger.archive import Archive
from ledger.benchmark import stream_of as benchmark_stream
from ledger.claim import Plane
from ledger.errors import Refused
from ledger.importing.board import Target
from ledger.importing.snapshot import BoardImporter
from ledger.ledger import Ledger
from ledger.model import stream_of as model_stream
from ledger.store import Store, open_store
from ledger.values import Digest, Instant, PartialDate, Slug, short_instant
from projections.keeping.follow import Follower
from projections.keeping.views import Views, open_views
from projections.known import KnownToViews
from projections.moment import Moment
from tests.ledger.engines import Salt
from tests.reference import Reference
from tests.reference_facts import Decision, Effect, Identity
from tests.strategies import (
    BENCHMARK,
    LIFTED_BY,
    SOURCES,
    START,
    TICK,
    Action,
    Decides,
    Names,
    Reads,
    Reverses,
    Rules,
    Wish,
    Withdraws,
)

# A folder in memory where there is one: hundreds of ledgers are made and thrown away.
SCRATCH = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108
MICROSECOND = timedelta(microseconds=1)
EARLIEST = 8  # ticks that lie before the first thing that anybody does
NO_SNAPSHOT = Digest("0" * 64)


@attrs.define
class Hand:
    """A clock that somebody sets by hand."""

    now: Instant = START + EARLIEST * TICK

    def __call__(self) -> Instant:
        """Tell the time."""
        return self.now


@attrs.frozen
class Home:
    """A ledger and its read model, wired by hand."""

    ledger: Ledger
    views: Views
    follower: Follower

    @property
    def store(self) -> Store:
        """The events."""
        return self.ledger.store

    def importer(self) -> BoardImporter:
        """A new importer, which looks everything up again."""
        return BoardImporter(self.ledger, KnownToViews(self.store, self.views, self.follower), "cu")

    def close(self) -> None:
        """Give everything back."""
        self.store.close()
        self.views.close()


def open_home(folder: Path, clock: Hand, address: str | None = None) -> Home:
    """A home in a folder, or with its stores at a PostgreSQL address."""
    store = open_store(address or folder / "ledger.db", clock=clock, salt=Salt())
    views = open_views(address or folder / "views.db")
    return Home(Ledger(store, Archive(folder / "archive"), clock), views, Follower(store, views))


@contextmanager
def games(address: str | None = None) -> Iterator["Game"]:
    """A new game; at a PostgreSQL address whatever an earlier one left is dropped first."""
    if address is not None:
        with psycopg.connect(address) as connection:
            connection.execute("SET client_min_messages = error")
            connection.execute("DROP SCHEMA IF EXISTS ledger, views CASCADE")
    with tempfile.TemporaryDirectory(dir=SCRATCH, prefix="corrigenda-") as folder:
        clock = Hand()
        home = open_home(Path(folder), clock, address)
        try:
            yield Game(Path(folder), clock, home)
        finally:
            home.close()


@attrs.define(repr=False)
class Game:
    """One ledger while a history is played; ``heads`` are its positions between two actions."""

    folder: Path
    clock: Hand
    home: Home
    reference: Reference = attrs.field(factory=lambda: Reference(SOURCES))
    heads: list[int] = attrs.field(factory=list)
    imports: list[Digest] = attrs.field(factory=list)
    decisions: list[tuple[int, str]] = attrs.field(factory=list)
    models: list[Slug] = attrs.field(factory=list)
    reports: int = 0
    learned: int = 0

    def play(self, *actions: Action) -> "Game":
        """Let things happen; what the ledger refuses did not happen."""
        for action in actions:
            self.clock.now += action.wait * TICK
            with suppress(Refused):
                self._act(action)
            self.learn()
        self.home.follower.catch_up()
        return self

    def _act(self, action: Action) -> None:
        match action:
            case Reads():
                self.read(action, self._ago(action.ago))
            case Withdraws():
                self.withdraw(self.imports[action.which % len(self.imports)])
            case Decides():
                self._decide(action)
            case Reverses():
                self._reverse(action)
            case Names():
                self._name(action)
            case Rules():
                self._rule(action)

    def _ago(self, ticks: int) -> Instant:
        return max(START, self.clock.now - ticks * TICK)

    # --- importing ----------------------------------------------------------------------------

    def read(self, reads: Reads, read_at: Instant, importer: BoardImporter | None = None) -> None:
        """Import a board."""
        kind = SOURCES[reads.source]
        target = Target(source=Slug(reads.source), benchmark=BENCHMARK, kind=kind)
        board = reads.board(read_at)
        self.imports.append(board.digest)
        (importer or self.home.importer()).read(board, target)
        self.learn(reads)

    def withdraw(self, digest: Digest) -> None:
        """Take all readings of these bytes back."""
        self.home.importer().withdraw(digest)

    def learn(self, reads: Reads | None = None) -> None:
        """Tell the reference what was recorded since: as facts, not as we read them."""
        for record in self.home.store.after(self.learned, 10_000):
            event, slug = record.event, record.envelope.stream.partition(":")[2]
            if isinstance(event, ev.ModelEvent | ev.BenchmarkEvent):
                self.reference.learn(record)
            elif isinstance(event, ev.SourceFrozen):
                assert reads is not None
                self.reference.freeze(record.position, event, slug, reads.statements())
            elif isinstance(event, ev.ReadingWithdrawn):
                self.reference.withdraw(record.position, event.digest)
            elif isinstance(event, ev.ClaimRecorded):
                claim = (event.source, event.key, event.says.metric, event.says.split)
                self.reference.ids[claim] = slug
            if isinstance(event, ev.ModelRegistered):
                self.models.append(event.slug)
            self.learned = record.position
        self.heads.append(self.learned)

    # --- deciding -----------------------------------------------------------------------------

    def _decide(self, decides: Decides) -> None:
        claims = list(self.reference.ids)
        if not claims:
            return
        wanted = [self._turned(claims[wish.claim % len(claims)], wish) for wish in decides.wishes]
        self.reports += 1
        filed = orders.FileReport(
            number=self.reports,
            target=f"claims/{self.reference.ids[wanted[0][0]]}",
            reason="wrong-value",
            received_at=self.clock.now,
        )
        self.home.ledger.do(filed, "reporter")
        order = orders.Decide(
            number=self.reports,
            outcome="accepted",
            type="correction",
            reason="wrong-value",
            statement="We looked at the source.",
            snapshot=self._snapshot(claim for claim, _, _ in wanted),
            effects=tuple(self._effect(*one) for one in wanted),
        )
        done = self.home.ledger.do(order, "reviewer")
        assert done is not None
        name = f"{self.reports}.1"
        self.decisions.append((self.reports, name))
        effects = [self._meant(*one) for one in wanted]
        self.reference.decide(
            Decision(name=name, position=done.last, at=done.recorded_at, effects=effects)
        )

    def _turned(self, claim: Identity, wish: Wish) -> tuple[Identity, Wish, str]:
        """What the wish comes to: what stands already is lifted."""
        state = self.reference.state(claim, self.clock.now, self.learned, "then")
        stands = state and {
            "retract": state.retracted,
            "hold-out": state.held_out,
            "dispute": state.disputed,
        }.get(wish.kind)
        return claim, wish, LIFTED_BY[wish.kind] if stands else wish.kind

    def _snapshot(self, claims: Iterator[Identity]) -> Digest:
        """A reading that one of the claims rests on, where there still is one."""
        head = self.home.store.head()
        for source, *_ in claims:
            for reading in self.reference.standing(source, head):
                return Digest(reading.digest)
        return NO_SNAPSHOT

    def _since(self, wish: Wish) -> Instant | None:
        return None if wish.since is None else self._ago(wish.since)

    def _nth_model(self, number: int) -> Slug:
        return self.models[number % len(self.models)] if self.models else Slug("nobody")

    def _effect(self, claim: Identity, wish: Wish, kind: str) -> orders.AnyEffect:
        name = self.reference.ids[claim]
        since: orders.AppliesFrom = self._since(wish) or "start"
        match kind:
            case "correct":
                return orders.Correct(claim=name, applies_from=since, to=wish.to)
            case "reidentify":
                return orders.Reidentify(
                    claim=name, applies_from=since, model=self._nth_model(wish.model)
                )
            case "retract":
                return orders.Retract(claim=name, applies_from=since)
            case "reinstate":
                return orders.Reinstate(claim=name, applies_from=since)
            case "hold-out":
                return orders.HoldOut(claim=name, applies_from=since)
            case "readmit":
                return orders.Readmit(claim=name, applies_from=since)
            case "dispute":
                return orders.Dispute(claim=name, applies_from=since, about="denominator")
            case _:
                return orders.Clear(claim=name, applies_from=since)

    def _meant(self, claim: Identity, wish: Wish, kind: str) -> Effect:
        return Effect(
            claim=claim,
            kind=kind,
            since=self._since(wish),
            changes={field: (None, to) for field, to in wish.to},
            model=self._nth_model(wish.model) if wish.kind == "reidentify" else None,
        )

    def _reverse(self, reverses: Reverses) -> None:
        if not self.decisions:
            return
        number, decision = self.decisions[reverses.which % len(self.decisions)]
        order = orders.ReverseDecision(number=number, decision=decision, statement="We erred.")
        version = self.home.ledger.report(number).version
        done = self.home.ledger.do(order, "reviewer")
        assert done is not None
        name = f"{number}.{version}"
        self.decisions.append((number, name))
        self.reference.decide(
            Decision(
                name=name,
                position=done.last,
                at=done.recorded_at,
                effects=[],
                reverses=decision,
            )
        )

    # --- curating -----------------------------------------------------------------------------

    def _name(self, names: Names) -> None:
        slug, at = self._nth_model(names.model), self._ago(names.ago)
        means = None if names.means_ago is None else self._ago(names.means_ago)
        fact: ev.ModelEvent
        match names.kind:
            case "rename":
                fact = ev.ModelRenamed(name=names.name, read_at=at, why="it was renamed")
            case "alias":
                fact = ev.AliasAsserted(name=names.name, means_from=means, read_at=at, why="known")
            case "withdraw":
                fact = ev.AliasWithdrawn(name=names.name, read_at=at, why="it was freed")
            case "register":
                slug = Slug(f"made-{len(self.models)}")
                fact = ev.ModelRegistered(slug=slug, name=names.name, means_from=means, read_at=at)
        self.home.ledger.do(orders.Assert(stream=model_stream(slug), fact=fact), "cu")

    def _rule(self, rules: Rules) -> None:
        at = self._ago(rules.ago)
        if rules.kind == "released":
            slug = self._nth_model(rules.model)
            described = ev.ModelDescribed(
                facts={"released": rules.released}, read_at=at, why="its launch post"
            )
            self.home.ledger.do(orders.Assert(stream=model_stream(slug), fact=described), "cu")
            return
        rule = ev.RankingRuleSet(
            metric=Slug(rules.metric),
            name=rules.metric,
            unit=rules.unit,
            higher_is_better=rules.higher,
            splits=rules.splits,
            read_at=at,
            why="the board says so",
        )
        self.home.ledger.do(orders.Assert(stream=benchmark_stream(BENCHMARK), fact=rule), "cu")

    # --- asking -------------------------------------------------------------------------------

    def turning(self) -> list[Instant]:
        """Every instant at which an answer can change, and one microsecond before it."""
        reference = self.reference
        found = {one.read_at for one in reference.readings}
        found |= {one.at for one in reference.decisions}
        found |= {one.read_at for one in reference.assertions}
        found |= {
            effect.since
            for one in reference.decisions
            for effect in one.effects
            if effect.since is not None
        }
        found |= {fact.read_at for _, _, fact in reference.facts if hasattr(fact, "read_at")}
        return sorted({one - step for one in found for step in (timedelta(), MICROSECOND)})

    def instants(self) -> list[Instant]:
        """The same, and one microsecond after them."""
        turning = self.turning()
        return sorted({*turning, *(one + MICROSECOND for one in turning)})

    def positions(self) -> list[int]:
        """The positions between two actions."""
        return sorted(set(self.heads))

    def moment(
        self,
        instant: Instant,
        position: int | None = None,
        plane: str = "then",
        published_by: str | None = None,
    ) -> Moment:
        """A moment, built by hand so that any instant may be asked for."""
        at = self.home.store.head() if position is None else position
        return Moment(
            as_read_on=short_instant(instant),
            instant=instant,
            plane=Plane(plane),
            position=at,
            recorded_at=self.home.store.recorded_at(at),
            published_by=PartialDate(published_by) if published_by else None,
            pinned=position is not None,
        )
