"""Histories for the property tests: what sources, curators and reviewers may do, in any order.

Alphabets are small, so that things collide: the same bytes at two instants, the same instant twice,
names that look alike, a decision at the very instant of a reading. Time stands on a raster of
ticks; every action says how long it waits before it happens. Nothing here knows how the ledger
works: an action that the ledger refuses is simply one that did not happen.
"""

import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Literal

import attrs
import orjson
from hypothesis import strategies as st

from ledger.events import Statement
from ledger.importing.board import BoardFile
from ledger.values import Digest, Instant, PartialDate, Score, Slug

START = datetime(2025, 3, 1, tzinfo=UTC)
TICK = timedelta(hours=6)
BENCHMARK = Slug("kitebench")

SOURCES: Mapping[str, str] = {
    "arena": "official-leaderboard",
    "post": "launch-post",
    "scrapbook": "collected-claim",
}
KEYS = ("k1", "k2", "k3")
EVERYTHING_ELSE = "*"  # a row was refused of which not even the key could be told
NAMES = ("Heron", "Ibis", "heron", "\uff28eron")  # the last is Heron in full width
METRICS = ("pass", "speed")
SCORES = ("70.1", "71", "72.5", "72.50", "0.725")
UNITS = (None, "%", "fraction")
ORDERS = ("", "001", "002")

FIELD_TEXTS: Mapping[str, tuple[str | None, ...]] = {
    "score": ("70.1", "71", "72.50", "9"),
    "unit": (None, "%", "fraction"),
    "setting": (None, "greedy", "sampled"),
    "split": (None, "hard"),
    "metric": METRICS,
    "published_on": (None, "2025", "2025-02-11"),
    "passed": (None, "3"),
}


def instant(tick: int) -> Instant:
    """The instant of a tick."""
    return START + tick * TICK


# --- what a board says ------------------------------------------------------------------------


@attrs.frozen(kw_only=True)
class Line:
    """One row of a board: its name and its score under each metric (``None``: left empty)."""

    name: str
    scores: Mapping[str, str | None]
    unit: str | None = None
    split: str | None = None
    setting: str | None = None
    published_on: str | None = None
    not_ranked: str | None = None

    def statements(self) -> tuple[Statement, ...]:
        """What the row states, one statement a metric."""
        return tuple(
            Statement(
                name=self.name,
                metric=Slug(metric),
                score=Score(score),
                unit=self.unit,
                split=self.split,
                setting=self.setting,
                published_on=PartialDate(self.published_on) if self.published_on else None,
                not_ranked=self.not_ranked,
            )
            for metric, score in self.scores.items()
            if score is not None
        )


@attrs.frozen(kw_only=True)
class Reads:
    """A curator imports a board as it stood ``ago`` ticks before; ``unread`` rows were refused."""

    wait: int
    source: str
    ago: int
    order: str
    metrics: tuple[str, ...]
    lines: Mapping[str, Line]
    unread: tuple[str, ...] = ()

    def statements(self) -> dict[str, tuple[Statement, ...]]:
        """What the readable rows state, by key."""
        return {
            key: stated
            for key, line in self.lines.items()
            if key not in self.unread and (stated := line.statements())
        }

    def board(self, read_at: Instant) -> BoardFile:
        """The file, as a format reader hands it over."""
        lines = {key: attrs.asdict(line) for key, line in self.lines.items()}
        data = orjson.dumps([self.metrics, lines, self.unread])
        statements = self.statements()
        return BoardFile(
            file=f"{self.source}.json",
            format="test",
            data=data,
            digest=Digest(hashlib.sha256(data).hexdigest()),
            media_type="application/json",
            read_at=read_at,
            order=self.order,
            rows=len(self.lines),
            statements=statements,
            metrics=tuple(Slug(metric) for metric in self.metrics),
            unread=self.unread,
        )


# --- what people do ---------------------------------------------------------------------------


@attrs.frozen(kw_only=True)
class Withdraws:
    """A curator takes back all readings of the bytes of the n-th import."""

    wait: int
    which: int


Kind = Literal["correct", "reidentify", "retract", "hold-out", "dispute"]
LIFTED_BY = {"retract": "reinstate", "hold-out": "readmit", "dispute": "clear"}


@attrs.frozen(kw_only=True)
class Wish:
    """What a decision is to do to the n-th claim; ``since=None`` means from its first reading.

    What stands already (a retraction, say) is lifted instead.
    """

    claim: int
    kind: Kind
    since: int | None
    to: tuple[tuple[str, str | None], ...] = ()
    model: int = 0


@attrs.frozen(kw_only=True)
class Decides:
    """A reviewer accepts a report with all that it does."""

    wait: int
    wishes: tuple[Wish, ...]


@attrs.frozen(kw_only=True)
class Reverses:
    """A reviewer undoes the n-th decision, which may itself be a reversal."""

    wait: int
    which: int


@attrs.frozen(kw_only=True)
class Names:
    """A curator renames a model, or says which model a name means, or that it no longer does."""

    wait: int
    ago: int
    kind: Literal["rename", "alias", "withdraw", "register"]
    model: int
    name: str
    means_ago: int | None


@attrs.frozen(kw_only=True)
class Rules:
    """A curator sets how a metric ranks, or when a model was released."""

    wait: int
    ago: int
    kind: Literal["rule", "released"]
    metric: str
    higher: bool
    unit: str | None
    splits: tuple[str, ...] | None
    model: int
    released: str | None


Action = Reads | Withdraws | Decides | Reverses | Names | Rules

# --- strategies -------------------------------------------------------------------------------

waits = st.sampled_from((0, 1, 1, 2))
whiles = st.integers(0, 8)
numbers = st.sampled_from((0, 0, 0, 1, 1, 2, 3, 4, 5))

lines = st.builds(
    Line,
    name=st.sampled_from(NAMES),
    scores=st.dictionaries(
        st.sampled_from(METRICS), st.sampled_from((*SCORES, None)), min_size=1, max_size=2
    ),
    unit=st.sampled_from(UNITS),
    split=st.sampled_from((None, None, None, "hard")),
    setting=st.sampled_from((None, "greedy")),
    published_on=st.sampled_from((None, "2025-01", "2025-02-11")),
    not_ranked=st.sampled_from((None, None, None, "self-reported")),
)
# One row whose number alone changes: what decisions meet most often.
plain_lines = st.builds(
    Line,
    name=st.just(NAMES[0]),
    scores=st.fixed_dictionaries({"pass": st.sampled_from(("70.1", "71", "72.5", "72.50", None))}),
    unit=st.sampled_from((None, None, "%")),
)


any_rows = st.dictionaries(st.sampled_from(KEYS), lines, max_size=3)


@st.composite
def readings(
    draw: st.DrawFn,
    sources: tuple[str, ...] = tuple(SOURCES),
    rows: st.SearchStrategy[dict[str, Line]] = any_rows,
) -> Reads:
    """A reading of a whole board; a metric that a row states is one that the board covers."""
    found = draw(rows)
    stated = {metric for line in found.values() for metric in line.scores}
    more = draw(st.sets(st.sampled_from(METRICS), min_size=0 if stated else 1))
    unread = draw(st.sampled_from((None, None, None, None, *KEYS, EVERYTHING_ELSE)))
    return Reads(
        wait=draw(waits),
        source=draw(st.sampled_from(sources)),
        ago=draw(whiles),
        order=draw(st.sampled_from(ORDERS)),
        metrics=tuple(sorted(stated | more)),
        lines=found,
        unread=() if unread is None else (unread,),
    )


def corrections(fields: tuple[str, ...] = tuple(FIELD_TEXTS)) -> st.SearchStrategy[Wish]:
    """A correction of one to three fields."""
    change = st.sampled_from(fields).flatmap(
        lambda field: st.tuples(st.just(field), st.sampled_from(FIELD_TEXTS[field]))
    )
    return st.builds(
        Wish,
        claim=numbers,
        kind=st.just("correct"),
        since=st.none() | whiles,
        to=st.lists(change, min_size=1, max_size=3, unique_by=lambda one: one[0]).map(tuple),
    )


standings = st.builds(
    Wish,
    claim=numbers,
    kind=st.sampled_from(("reidentify", "retract", "hold-out", "dispute")),
    since=st.none() | whiles,
    model=numbers,
)
wishes = st.one_of(
    corrections(), corrections(("score",)), corrections(("score", "unit")), standings
)
withdrawals = st.builds(Withdraws, wait=waits, which=numbers)
decisions = st.builds(
    Decides, wait=waits, wishes=st.lists(wishes, min_size=1, max_size=2).map(tuple)
)
reversals = st.builds(Reverses, wait=waits, which=numbers)
namings = st.builds(
    Names,
    wait=waits,
    ago=whiles,
    kind=st.sampled_from(("rename", "alias", "withdraw", "register")),
    model=numbers,
    name=st.sampled_from(NAMES),
    means_ago=st.none() | whiles,
)
rulings = st.builds(
    Rules,
    wait=waits,
    ago=whiles,
    kind=st.sampled_from(("rule", "released")),
    metric=st.sampled_from(METRICS),
    higher=st.booleans(),
    unit=st.sampled_from(UNITS),
    splits=st.sampled_from((None, None, ("hard",))),
    model=numbers,
    released=st.sampled_from((None, "2025-01-20", "2025-03")),
)


def histories(most: int = 12) -> st.SearchStrategy[list[Action]]:
    """What happened to many claims, beginning with a reading that states something."""
    first = readings(rows=st.dictionaries(st.sampled_from(KEYS), lines, min_size=2, max_size=3))
    more: st.SearchStrategy[Action] = st.one_of(
        readings(),
        readings(),
        readings(),
        decisions,
        decisions,
        decisions,
        reversals,
        withdrawals,
        namings,
        rulings,
    )
    return _histories(first, more, most)


def lives_of_one_claim(most: int = 12) -> st.SearchStrategy[list[Action]]:
    """What happened to one claim: readings of its row, and everything that may be decided."""
    rows = st.fixed_dictionaries({KEYS[0]: plain_lines})
    here = readings(sources=("arena",), rows=rows)
    first = here.filter(lambda reads: not reads.unread and any(reads.statements().values()))
    more: st.SearchStrategy[Action] = st.one_of(
        here,
        here,
        readings(sources=("arena",)),
        decisions,
        decisions,
        decisions,
        decisions,
        reversals,
        reversals,
        withdrawals,
    )
    return _histories(first, more, most)


def _histories(
    first: st.SearchStrategy[Reads], more: st.SearchStrategy[Action], most: int
) -> st.SearchStrategy[list[Action]]:
    return st.builds(
        lambda one, rest: [one, *rest], first, st.lists(more, min_size=most // 2, max_size=most)
    )


@attrs.frozen(kw_only=True)
class Arrivals:
    """Readings (at a tick) in the order in which they were made, the order in which they arrive,
    and which of them are taken back at the end."""

    made: tuple[tuple[int, Reads], ...]
    arrival: tuple[int, ...]
    withdrawn: tuple[int, ...]

    def digest(self, place: int) -> Digest:
        """The digest of the bytes that were read at a place."""
        return self.made[place][1].board(START).digest


@st.composite
def arrivals(draw: st.DrawFn, most: int = 7) -> Arrivals:
    """Readings of several sources, no two of one source at the same turn, in another order too."""
    made = draw(
        st.lists(
            st.tuples(st.integers(0, 8), readings()),
            min_size=2,
            max_size=most,
            unique_by=lambda one: (one[1].source, one[0], one[1].order),
        )
    )
    made.sort(key=lambda one: (one[0], one[1].order))
    return Arrivals(
        made=tuple(made),
        arrival=tuple(draw(st.permutations(range(len(made))))),
        withdrawn=tuple(sorted(draw(st.sets(st.integers(0, len(made) - 1), max_size=2)))),
    )
