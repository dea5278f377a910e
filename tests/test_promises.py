"""The design's promises, each as a property of whatever may happen to a ledger.

A history is played into a real ledger (:mod:`tests.playing`) and, fact by fact, into a reference
that was written from the design's words alone (:mod:`tests.reference`). SQLite bears the many
examples, PostgreSQL the same properties with fewer. ``TIMES_AS_MANY=50 pytest`` looks for other
examples than CI does, and for that many more.
"""

import hashlib
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from itertools import pairwise, product
from typing import Any

import attrs
import hypothesis
import orjson
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from sqlalchemy import select

from ledger import events as ev
from ledger.claim import Plane, history_of, state_at, stream_of
from ledger.claim import State as Folded
from ledger.errors import NotFound
from ledger.events import Statement
from ledger.values import Instant, micros
from ledger.wire import decode, encode
from projections.board.boards import board_at
from projections.board.history import coverage, leaders, posts, status
from projections.board.rows import Row
from projections.decisions.corrections import corrections
from projections.keeping.follow import Follower
from projections.keeping.tables import BOTH
from projections.keeping.views import Reader, Views, open_views
from projections.moment import Moment
from projections.over_time.changes import Shown, Step, changes_between
from projections.story import story_of
from reports.contract import board_json, claim_json, corrections_json, leaders_json, step_json
from tests.playing import MICROSECOND, Game, games
from tests.reference import Identity, Line, State
from tests.reference import Plane as PlaneName
from tests.strategies import (
    BENCHMARK,
    METRICS,
    Action,
    Arrivals,
    arrivals,
    histories,
    instant,
    lives_of_one_claim,
)

VIEWS = ("labs", "independent", "all")
PLANES: tuple[PlaneName, ...] = ("then", "since")

# A failure takes its time to be made small.
pytestmark = pytest.mark.timeout(900)

TIMES = int(os.environ.get("TIMES_AS_MANY", "1"))
hypothesis.settings.register_profile(
    "ci",
    deadline=None,
    derandomize=TIMES == 1,
    database=None,
    print_blob=False,
    suppress_health_check=[
        HealthCheck.too_slow,
        HealthCheck.data_too_large,
        HealthCheck.function_scoped_fixture,
    ],
)


def examples(count: int) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """How many examples a property is held against."""
    profile = hypothesis.settings.get_profile("ci")
    return hypothesis.settings(profile, max_examples=count * TIMES)


def anything(most: int = 12) -> st.SearchStrategy[list[Action]]:
    """Any history at all."""
    return st.one_of(histories(most), lives_of_one_claim(most))


# --- 1: nothing recorded is ever changed or removed -------------------------------------------


@examples(25)
@given(actions=anything())
def test_nothing_recorded_is_ever_changed_or_removed(actions: list[Action]) -> None:
    """Whatever happens next, the stored bytes so far stay where and what they are."""
    with games() as game:
        before: list[tuple[int, bytes]] = []
        for action in actions:
            game.play(action)
            now = [(one.position, one.stored) for one in game.home.store.after(0, 100_000)]
            assert now[: len(before)] == before
            before = now
        game.home.follower.rebuild()
        game.home.follower.check()
        after = [(one.position, one.stored) for one in game.home.store.after(0, 100_000)]
        assert after == before


# --- 2: a page pinned to a position never changes again ----------------------------------------


@examples(25)
@given(
    past=anything(8),
    future=st.lists(st.one_of(histories(6), lives_of_one_claim(6)), min_size=1, max_size=2),
    data=st.data(),
)
def test_a_page_pinned_to_a_position_never_changes(
    past: list[Action], future: list[list[Action]], data: st.DataObject
) -> None:
    """Boards, leaders, changes, corrections and claims stay as they were to the byte."""
    with games() as game:
        game.play(*past)
        moments = [game.moment(at, game.positions()[-1]) for at in game.instants()[-1:]]
        moments += data.draw(moments_of(game, count=3), label="moments")
        claims = list(game.reference.ids.values())
        before = pages(game, moments, claims)
        for actions in future:
            game.play(*actions)
        assert pages(game, moments, claims) == before
        game.home.follower.rebuild()
        assert pages(game, moments, claims) == before


def moments_of(game: Game, count: int) -> st.SearchStrategy[list[Moment]]:
    """Moments at which something happened, or just before or after it."""
    one = st.builds(
        game.moment,
        st.sampled_from(game.instants()),
        st.sampled_from(game.positions()),
        st.sampled_from(PLANES),
        st.sampled_from((None, None, None, "2025-02-01", "2025-03-05")),
    )
    return st.lists(one, min_size=count, max_size=count)


def pages(game: Game, moments: Iterable[Moment], claims: Iterable[str]) -> list[bytes]:
    """All pages of these moments as the outside world sees them."""
    found = []
    with game.home.views.read() as reader:
        for moment in moments:
            page: list[Any] = []
            for view in VIEWS:
                for metric in (None, *METRICS):
                    try:
                        board = board_at(reader, BENCHMARK, moment, view=view, metric=metric)
                    except NotFound as why:
                        page.append(str(why))
                        continue
                    held, listed = leaders(board), posts(reader, BENCHMARK, moment)
                    covered = coverage(reader, board)
                    page.append(board_json(board, held, status(board, listed), covered))
                    page.append(leaders_json(held))
            start = moment.instant - 40 * MICROSECOND * 86_400_000_000
            steps = changes_between(reader, game.home.store, BENCHMARK, start, moment)
            page.append([step_json(step) for step in steps])
            log = corrections(reader, game.home.store, upto=moment.position)
            page.append(corrections_json(log))
            for claim in claims:
                try:
                    page.append(claim_json(story_of(reader, game.home.store, claim, moment)))
                except NotFound:
                    page.append(None)
            found.append(orjson.dumps(page))
    return found


# --- 3: a correction is a new fact beside the old one ------------------------------------------


@examples(40)
@given(actions=anything(14))
def test_a_decision_leaves_the_days_before_it_as_they_were_read(actions: list[Action]) -> None:
    """What a decision, or its reversal, changes as read then begins when it was decided."""
    with games() as game:
        game.play(*actions)
        shown = Rectangles.of(game)
        for decision in game.reference.decisions:
            before = [one for one in game.positions() if one < decision.position][-1]
            for claim in shown.claims:
                for day in (one for one in game.instants() if one < decision.at):
                    was = shown.at(claim, day, before, "then")
                    assert shown.at(claim, day, decision.position, "then") == was


# --- 4: only readings and decisions change a claim ---------------------------------------------


@examples(40)
@given(actions=anything(14))
def test_a_claim_changes_only_by_a_reading_or_by_a_decision(actions: list[Action]) -> None:
    """Each fact of a claim cites a frozen reading whose bytes are kept, or a decision that says
    who, when and why, and which snapshot was checked; all else says who and why."""
    with games() as game:
        game.play(*actions)
        records = game.home.store.after(0, 100_000)
        frozen = {
            (record.event.digest, record.event.read_at, record.event.order)
            for record in records
            if isinstance(record.event, ev.SourceFrozen)
        }
        decided: dict[str, tuple[Instant, str]] = {}
        for record in records:
            event, envelope = record.event, record.envelope
            assert envelope.recorded_by
            if isinstance(event, ev.SourceFact):
                assert (event.reading, event.read_at, event.order) in frozen
                kept = game.home.ledger.archive.get(event.reading)
                assert hashlib.sha256(kept).hexdigest() == event.reading
            elif isinstance(event, ev.DecisionMade):
                assert event.terms.reason
                assert event.terms.statement
                assert event.terms.snapshot
                decided[event.decision] = (envelope.recorded_at, envelope.recorded_by)
            elif isinstance(event, ev.DecisionReversed):
                assert event.statement
                decided[event.decision] = (envelope.recorded_at, envelope.recorded_by)
            elif isinstance(event, ev.DecisionFact):
                assert decided[event.decision] == (envelope.recorded_at, envelope.recorded_by)
            elif isinstance(event, ev.ModelRenamed | ev.RankingRuleSet | ev.AliasAsserted):
                assert event.why


@examples(40)
@given(actions=anything(14))
def test_what_a_claim_shows_changes_only_with_its_own_facts(actions: list[Action]) -> None:
    """Between two positions without a fact of the claim nothing but its model can change, and
    that only when somebody said what a name means or a row was named anew."""
    with games() as game:
        game.play(*actions)
        shown = Rectangles.of(game)
        positions = game.positions()
        for earlier, later in pairwise(positions):
            records = game.home.store.after(earlier, 100_000, later)
            touched = {one.envelope.stream for one in records}
            named = any(isinstance(one.event, ev.ModelEvent | ev.SourceFact) for one in records)
            for claim in shown.claims - {stream.removeprefix("claim:") for stream in touched}:
                for day in game.instants():
                    for plane in PLANES:
                        was = shown.at(claim, day, earlier, plane)
                        now = shown.at(claim, day, later, plane)
                        if named and was is not None and now is not None:
                            now = attrs.evolve(now, model=was.model)
                        assert now == was


# --- 5: anyone can verify it from the stored bytes ---------------------------------------------


@examples(20)
@given(actions=anything())
def test_the_stored_bytes_alone_say_everything(actions: list[Action]) -> None:
    """Whoever has the bytes in their order works out the same histories as the ledger does."""
    with games() as game:
        game.play(*actions)
        records = game.home.store.after(0, 100_000)
        streams: dict[str, list[ev.Recorded]] = {}
        for number, record in enumerate(records, 1):
            again = decode(number, record.stored)
            assert encode(again.envelope, again.event) == record.stored
            streams.setdefault(again.envelope.stream, []).append(again)
        for stream, found in streams.items():
            assert [one.envelope.version for one in found] == list(range(1, len(found) + 1))
            if stream.startswith("claim:"):
                assert history_of(found) == history_of(game.home.store.stream(stream))


# --- the fold ---------------------------------------------------------------------------------


@attrs.frozen(kw_only=True)
class Seen:
    """What anybody sees of a claim, whoever worked it out."""

    name: str
    metric: str
    split: str | None
    setting: str | None
    score: str
    unit: str | None
    published_on: str | None
    standing: str
    corrected_by: frozenset[str]
    disputed: bool
    to_review: bool
    model: str | None = None

    @classmethod
    def of(cls, shows: Statement, standing: str, **rest: Any) -> "Seen":
        """From a statement as it shows."""
        return cls(
            name=shows.name,
            metric=shows.metric,
            split=shows.split,
            setting=shows.setting,
            score=shows.score.text,
            unit=shows.unit,
            published_on=str(shows.published_on) if shows.published_on else None,
            standing=standing,
            **rest,
        )


def seen_by_reference(state: State | None) -> Seen | None:
    """What the reference says."""
    if state is None:
        return None
    held = "held-out" if state.held_out else "ranked"
    return Seen.of(
        state.shows,
        "retracted" if state.retracted else held,
        corrected_by=state.corrected_by,
        disputed=state.disputed,
        to_review=state.to_review,
        model=state.model,
    )


def seen_by_fold(state: Folded | None) -> Seen | None:
    """What ``ledger.claim`` says (which knows of no names, so not of which model)."""
    if state is None:
        return None
    held = "held-out" if state.held_out else "ranked"
    return Seen.of(
        state.shows,
        "retracted" if state.retracted_by else held,
        corrected_by=frozenset(state.corrected_by),
        disputed=state.disputed_by is not None,
        to_review=bool(state.review),
    )


@attrs.frozen
class Rectangles:
    """All rectangles of all claims, read once and asked in memory."""

    by_claim: Mapping[str, Sequence[Mapping[str, Any]]]

    @classmethod
    def of(cls, game: Game) -> "Rectangles":
        """What the read model holds."""
        found: dict[str, list[Mapping[str, Any]]] = {}
        with game.home.views.read() as reader:
            rows = reader.connection.execute(select(reader.tables.claim_version)).mappings()
            for row in rows:
                found.setdefault(row["claim"], []).append(dict(row))
        return cls(found)

    @property
    def claims(self) -> set[str]:
        """Their ids."""
        return set(self.by_claim)

    def at(self, claim: str, day: Instant, position: int, plane: str) -> Seen | None:
        """What shows at (D, P) in a plane: what one rectangle says, or nothing."""
        at = micros(day)
        found = [
            row
            for row in self.by_claim.get(claim, ())
            if row["plane"] in (plane, BOTH)
            and row["read_from"] <= at < row["read_to"]
            and row["recorded_from"] <= position < row["recorded_to"]
        ]
        assert len(found) <= 1, "two rectangles overlap"
        return _seen_in(found[0]) if found else None


def _seen_in(row: Mapping[str, Any]) -> Seen:
    marks = orjson.loads(row["marks"] or "[]")
    same = ("name", "metric", "split", "setting", "score", "unit", "published_on", "standing")
    return Seen(
        **{name: row[name] for name in (*same, "model")},
        corrected_by=frozenset(m["decision"] for m in marks if m["text"] == "corrected"),
        disputed=any(mark["kind"] == "disputed" for mark in marks),
        to_review=row["review"] is not None,
    )


def check_rectangles(game: Game) -> None:
    """Read model, fold and reference agree on every claim at every turning point of both clocks."""
    shown, reference = Rectangles.of(game), game.reference
    for identity, claim in reference.ids.items():
        records = game.home.store.stream(stream_of(claim))
        for position in game.positions():
            history = history_of(one for one in records if one.position <= position)
            for day in game.instants():
                for plane in PLANES:
                    wanted = seen_by_reference(reference.state(identity, day, position, plane))
                    where = f"{identity} at ({day}, {position}), {plane}"
                    assert shown.at(claim, day, position, plane) == wanted, where
                    folded = seen_by_fold(state_at(history, day, Plane(plane)))
                    assert folded == (wanted and attrs.evolve(wanted, model=None)), where


@examples(60)
@given(actions=histories(14))
def test_the_read_model_equals_the_fold_and_the_design(actions: list[Action]) -> None:
    """Many claims: what is stored for every (D, P) and plane is what the design says."""
    with games() as game:
        check_rectangles(game.play(*actions))


@examples(60)
@given(actions=lives_of_one_claim(16))
def test_one_claim_lives_as_the_design_says(actions: list[Action]) -> None:
    """One claim and many decisions, corrected, reversed, brought back, in both planes."""
    with games() as game:
        check_rectangles(game.play(*actions))


# --- boards -----------------------------------------------------------------------------------


def line_of(row: Row, ids: Mapping[str, Identity]) -> tuple[object, ...]:
    """A row of a board, as far as the reference has an opinion of it."""
    assert row.model is not None
    assert row.claim_id is not None
    return (
        row.rank,
        ids[row.claim_id],
        row.model.id,
        row.name,
        str(row.score),
        row.unit,
        str(row.published_on) if row.published_on else None,
        row.as_written,
        row.tied,
    )


def expected(line: Line) -> tuple[object, ...]:
    """The same of the reference's line."""
    return (
        line.rank,
        line.claim,
        line.model,
        line.name,
        line.score,
        line.unit,
        line.published_on,
        line.as_written,
        line.tied,
    )


def check_board(game: Game, moment: Moment, view: str, metric: str, *, every_claim: bool) -> None:
    """The board as ranked by SQL is the reference's, row by row."""
    wanted = game.reference.board(
        moment.instant,
        moment.position,
        "since" if moment.plane is Plane.SINCE else "then",
        view=view,
        metric=metric,
        published_by=moment.published_by.first_day if moment.published_by else None,
        every_claim=every_claim,
    )
    ids = {claim: identity for identity, claim in game.reference.ids.items()}
    with game.home.views.read() as reader:
        try:
            board = board_at(
                reader, BENCHMARK, moment, view=view, metric=metric, every_claim=every_claim
            )
        except NotFound:
            assert wanted == []
            return
    found = [line_of(row, ids) for row in board.rows]
    assert found == [expected(line) for line in wanted], (view, metric, moment, found, wanted)


@examples(60)
@given(actions=histories(14), data=st.data())
def test_boards_rank_as_the_design_says(actions: list[Action], data: st.DataObject) -> None:
    """Any view, metric, moment and plane, one row a model or every claim."""
    with games() as game:
        game.play(*actions)
        for moment in data.draw(moments_of(game, count=6), label="moments"):
            for view in VIEWS:
                for metric in METRICS:
                    for every_claim in (False, True):
                        check_board(game, moment, view, metric, every_claim=every_claim)


# --- any order of arrival ---------------------------------------------------------------------


def play_arrivals(
    game: Game, found: Arrivals, order: Iterable[int], *, withdraw: bool, one_importer: bool
) -> Game:
    """Import readings in an order, long after all of them were made; perhaps take some back."""
    game.clock.now = instant(400)
    importer = game.home.importer()
    for place in order:
        tick, reads = found.made[place]
        game.read(reads, instant(tick), importer if one_importer else None)
    if withdraw:
        for digest in sorted({found.digest(place) for place in found.withdrawn}):
            game.withdraw(digest)
            game.learn()
    game.home.follower.catch_up()
    return game


def boards_of(game: Game, days: Iterable[Instant]) -> list[object]:
    """All boards of the benchmark at these instants, ids and marks included."""
    asked = list(product(VIEWS, METRICS))
    with game.home.views.read() as reader:
        return [
            board_of(reader, moment, view, metric)
            for moment in map(game.moment, days)
            for view, metric in [("all", None), *asked]
        ]


def board_of(reader: Reader, moment: Moment, view: str, metric: str | None) -> object:
    """Everything that is on a board: each model's best, every claim, what does not rank and why."""
    try:
        board = board_at(reader, BENCHMARK, moment, view=view, metric=metric)
    except NotFound:
        return None
    asked = (day_of(moment), view, metric)
    unranked = (board.unranked, board.untracked)
    return (asked, board.rule, board.rows, board.claims, unranked, leaders(board))


def day_of(moment: Moment) -> date:
    """For people who read a failing example."""
    return moment.instant.date()


@examples(80)
@given(found=arrivals(), withdraw=st.booleans(), one_importer=st.booleans())
def test_any_order_of_arrival_gives_the_same_boards(
    found: Arrivals, *, withdraw: bool, one_importer: bool
) -> None:
    """Readings of several sources, in the order in which they were made and in another one."""
    with games() as made, games() as shuffled:
        in_order = range(len(found.made))
        play_arrivals(made, found, in_order, withdraw=withdraw, one_importer=False)
        play_arrivals(shuffled, found, found.arrival, withdraw=withdraw, one_importer=one_importer)
        days = made.turning()
        assert boards_of(shuffled, days) == boards_of(made, days)


@examples(40)
@given(found=arrivals())
def test_a_reading_taken_back_leaves_the_boards_as_if_it_had_never_been(found: Arrivals) -> None:
    """What is left are names that were met, and metrics; no row of a board shows a trace."""
    taken_back = {found.digest(place) for place in found.withdrawn}
    kept = [place for place in found.arrival if found.digest(place) not in taken_back]
    with games() as withdrawn, games() as never:
        play_arrivals(withdrawn, found, found.arrival, withdraw=True, one_importer=False)
        play_arrivals(never, found, kept, withdraw=False, one_importer=False)
        for day in withdrawn.turning():
            for metric in METRICS:
                assert rows_of(withdrawn, day, metric) == rows_of(never, day, metric)


def rows_of(game: Game, day: Instant, metric: str) -> list[tuple[object, ...]]:
    """A board without what may stay of a reading that was taken back: look-alikes, units."""
    ids = {claim: identity for identity, claim in game.reference.ids.items()}
    with game.home.views.read() as reader:
        try:
            board = board_at(reader, BENCHMARK, game.moment(day), view="all", metric=metric)
        except NotFound:
            return []
    rows = [
        (ids[row.claim_id], row.model and row.model.id, str(row.score), row.as_written)
        for row in (*board.claims, *board.unranked)
        if row.claim_id
    ]
    return sorted(rows, key=repr)


# --- catching up ------------------------------------------------------------------------------


def tables(views: Views) -> dict[str, set[tuple[Any, ...]]]:
    """All tables of a read model, row by row."""
    with views.read() as reader:
        return {
            table.name.partition("_")[2]: {
                tuple(row) for row in reader.connection.execute(select(table))
            }
            for table in reader.tables.compared
        }


def check_batches(game: Game) -> None:
    """However the events are cut into batches, the tables are the same; and so is a rebuild."""
    live = tables(game.home.views)
    for batch in (1, 3, 7, 2_000):
        views = open_views(game.folder / f"views-{batch}.db")
        try:
            Follower(game.home.store, views, batch=batch).catch_up()
            assert tables(views) == live, f"batches of {batch}"
        finally:
            views.close()
    assert game.home.follower.check() == []
    game.home.follower.rebuild()
    assert tables(game.home.views) == live


@examples(30)
@given(actions=anything(14))
def test_catching_up_in_any_batches_gives_the_same_tables(actions: list[Action]) -> None:
    """One by one, by three, by seven, all at once, and rebuilt beside the live tables."""
    with games() as game:
        check_batches(game.play(*actions))


# --- changes ----------------------------------------------------------------------------------


def check_changes(game: Game, start: Instant, moment: Moment) -> None:
    """The steps lead from what was shown just before ``start`` to what shows at the moment."""
    with game.home.views.read() as reader:
        steps = changes_between(reader, game.home.store, BENCHMARK, start, moment)
    assert [one.read_at for one in steps] == sorted(one.read_at for one in steps)
    for identity, claim in game.reference.ids.items():
        at = (moment.position, "then")
        before = game.reference.state(identity, start - MICROSECOND, *at)  # type: ignore[arg-type]
        after = game.reference.state(identity, moment.instant, *at)  # type: ignore[arg-type]
        shows = shown(before)
        for step in (one for one in steps if one.claim_id == claim):
            assert start <= step.read_at <= moment.instant
            assert step.before != step.after
            assert told(step.before) == shows
            shows = told(step.after)
            check_words(step)
        assert shows == shown(after), identity


def shown(state: State | None) -> tuple[object, ...] | None:
    """What a step can tell of a claim."""
    seen = seen_by_reference(state)
    if seen is None or state is None:
        return None
    return (seen.name, seen.metric, seen.split, seen.score, seen.standing, seen.disputed, seen.unit)


def told(one: Shown | None) -> tuple[object, ...] | None:
    """The same, as a step tells it."""
    if one is None:
        return None
    fields = one.fields()
    disputed = one.disputed is not None
    return (one.name, one.metric, one.split, one.score, one.standing, disputed, fields["unit"])


def check_words(step: Step) -> None:
    """Kind, old and new fit one another."""
    match step.kind:
        case "recorded" | "relisted":
            assert (step.old, step.new is not None) == (None, True)
        case "delisted":
            assert (step.old is not None, step.new) == (True, None)
        case "renamed":
            assert step.old != step.new
        case _:
            assert step.old is not None
            assert step.new is not None
    assert (step.decision is not None) == (
        step.kind in {"corrected", "retracted", "reinstated", "held-out", "readmitted"}
    )


@examples(50)
@given(actions=anything(14), data=st.data())
def test_the_steps_between_two_days_lead_from_one_board_to_the_other(
    actions: list[Action], data: st.DataObject
) -> None:
    """Every step in between is told once and in order, and one that changes nothing is not."""
    with games() as game:
        game.play(*actions)
        for _ in range(3):
            moment = data.draw(moments_of(game, count=1), label="to")[0]
            days = [day for day in game.instants() if day <= moment.instant]
            check_changes(game, data.draw(st.sampled_from(days), label="from"), moment)


# --- the same on PostgreSQL -------------------------------------------------------------------


@pytest.mark.usefixtures("postgres_url")
@examples(8)
@given(actions=anything(10), data=st.data())
def test_postgresql_keeps_the_same_promises(
    postgres_url: str, actions: list[Action], data: st.DataObject
) -> None:
    """Rectangles, boards, batches, changes and pinned pages, as on SQLite."""
    with games(postgres_url) as game:
        game.play(*actions)
        moments = data.draw(moments_of(game, count=3), label="moments")
        claims = list(game.reference.ids.values())
        before = pages(game, moments, claims)
        check_rectangles(game)
        check_batches(game)
        for moment in moments:
            check_board(game, moment, "all", METRICS[0], every_claim=True)
            check_changes(game, game.instants()[0], moment)
        game.play(*actions)
        assert pages(game, moments, claims) == before


@examples(5)
@given(found=arrivals())
def test_postgresql_too_takes_readings_in_any_order(postgres_url: str, found: Arrivals) -> None:
    """The boards of a shuffled PostgreSQL ledger are those of an SQLite ledger in order."""
    with games() as made, games(postgres_url) as shuffled:
        play_arrivals(made, found, range(len(found.made)), withdraw=True, one_importer=False)
        play_arrivals(shuffled, found, found.arrival, withdraw=True, one_importer=True)
        days = made.turning()
        assert boards_of(shuffled, days) == boards_of(made, days)
