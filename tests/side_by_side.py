"""Read model, fold and reference side by side: claims, boards, and tables in any batches."""

from collections.abc import Mapping, Sequence
from typing import Any

import attrs
import orjson
from sqlalchemy import select

from ledger.claim import Plane, history_of, state_at, stream_of
from ledger.claim import State as Folded
from ledger.errors import NotFound
from ledger.events import Statement
from ledger.values import Instant, micros
from projections.board.boards import board_at
from projections.board.rows import Row
from projections.keeping.follow import Follower
from projections.keeping.tables import BOTH
from projections.keeping.views import Views, open_views
from projections.moment import Moment
from tests.pinned import PLANES
from tests.playing import Game
from tests.reference_facts import Identity, Line, State
from tests.strategies import BENCHMARK

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
