"""A benchmark over time: number one, launch posts and status, what changed."""

from pathlib import Path

import pytest

from ledger import commands as orders
from ledger import events as ev
from ledger.benchmark import stream_of
from ledger.values import PartialDate, Slug
from projections.board.history import Post, headline, leaders, status
from projections.over_time.changes import Step
from tests.desk import BENCHMARK, Desk, claim, kinds, open_desk

DAY = "2025-06-01"
DATED = "key,model,score,date"


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """A new ledger; it is 10 June 2025."""
    return open_desk(tmp_path).at("2025-06-10T12:00:00Z")


def number_one(desk: Desk, **how: str) -> list[tuple[str, str, str]]:
    """Who held number one, with what, since when."""
    board = desk.board(**how)  # type: ignore[arg-type]
    return [(one.model.full_name, one.score, str(one.since)) for one in leaders(board)]


def released(desk: Desk, day: str, ceiling: str | None = None) -> None:
    """Say when the benchmark came out."""
    facts = {"released": day, "near_ceiling": ceiling}
    read_at = desk.clock.now
    described = ev.BenchmarkDescribed(facts=facts, read_at=read_at, why="as its authors say")
    desk.do(orders.Assert(stream=stream_of(BENCHMARK), fact=described))


# --- number one -------------------------------------------------------------------------------


def test_number_one_counts_from_the_day_of_each_claim(desk: Desk) -> None:
    """A weaker later claim changes nothing."""
    desk.read("a,Heron,50,2024-03;b,Ibis,60,2025-01-05;c,Loon,55,2025-02-01", DAY, header=DATED)
    assert number_one(desk) == [("Heron", "50", "2024-03"), ("Ibis", "60", "2025-01-05")]


def test_a_tie_does_not_change_the_holder(desk: Desk) -> None:
    """Not a later one, nor one of the same day (seed rule CH-06)."""
    desk.read("a,Heron,60,2024-03-01;b,Ant,60,2024-04-01", DAY, header=DATED)
    assert [name for name, _, _ in number_one(desk)] == ["Heron"]


def test_a_holder_that_is_equalled_on_the_day_it_gets_better_holds_on(desk: Desk) -> None:
    """Nobody was ahead of it on any day, whatever their names."""
    rows = "z,Zebra,60,2025-01-01;y,Zebra,70,2025-02-01;a,Adder,70,2025-02-01"
    desk.read(rows, DAY, header=DATED)
    assert number_one(desk) == [("Zebra", "70", "2025-01-01")]
    assert desk.board().rows[0].name == "Adder"


def test_the_best_of_one_day_leads_from_that_day(desk: Desk) -> None:
    """Who was listed first does not matter."""
    desk.read("a,Heron,40,2024-03-01;b,Ibis,60,2024-03-01", DAY, header=DATED)
    assert number_one(desk) == [("Ibis", "60", "2024-03-01")]


def test_nothing_counts_before_the_benchmarks_release(desk: Desk) -> None:
    """The leader at release leads since then, though its model is older (seed rule CH-05)."""
    desk.read("a,Heron,50,2023-06;b,Ibis,60,2024-05;c,Loon,70,2024-09", DAY, header=DATED)
    released(desk, "2024-06")
    assert number_one(desk) == [("Ibis", "60", "2024-06"), ("Loon", "70", "2024-09")]


def test_a_holder_that_gets_better_holds_on(desk: Desk) -> None:
    """It leads since it first led, with its best."""
    rows = "a,Heron,50,2024-03-01;b,Heron,60,2024-05-01"
    desk.read(rows, DAY, header=DATED)
    assert number_one(desk) == [("Heron", "60", "2024-03-01")]


def test_one_model_with_two_claims_at_the_top_shares_with_nobody(desk: Desk) -> None:
    """Where every claim has a row of its own."""
    desk.read("a,Heron,70,x;b,Heron,70,y;c,Ibis,60,x", DAY, header="key,model,score,setting")
    board = desk.board(every_claim=True)
    assert [row.name for row in board.rows] == ["Heron", "Heron", "Ibis"]
    assert headline(board) == "Heron leads all claims with 70%"


def test_a_shared_top_score_is_said_in_every_view(desk: Desk) -> None:
    """Seed page: a tie was announced in one view and passed over in another."""
    desk.read("a,Heron,60;b,Ibis,60.0;c,Loon,50", DAY)
    for view in ("independent", "all"):
        assert headline(desk.board(view=view)).startswith("2 models share the top score of 60")


# --- status -----------------------------------------------------------------------------------


def post(day: str, *, listed: bool = True) -> Post:
    return Post(f"post-{day}", "post", "lab", PartialDate(day), listed)


@pytest.mark.parametrize(
    ("posts", "word"),
    [
        ([], None),
        ([post("2025-06-01", listed=False)], None),
        ([post("2025-06-01")], "in use"),
        ([post("2024-06-11")], "in use"),
        ([post("2024-06-10")], "dropped"),
        ([post("2023-01-01")], "dropped"),
        ([post("2025-06-01"), post("2024-01-01"), post("2024-02-01")], "fading"),
        ([post("2025-06-01"), post("2024-01-01")], "in use"),
        ([post("2025-06-01"), post("2024-01-01"), post("2023-06-10")], "in use"),
    ],
)
def test_the_status_counts_launch_posts_of_the_last_twelve_months(
    desk: Desk, posts: list[Post], word: str | None
) -> None:
    """The day itself counts and the same day a year before does not."""
    desk.read("a,Heron,60", DAY)
    assert status(desk.board("2025-06-10"), posts).word == word


def test_a_leap_day_has_a_year_before_it_too(desk: Desk) -> None:
    """29 February looks back to 28 February."""
    desk.at("2025-06-10").read("a,Heron,60,2024-01-01", DAY, header=DATED)
    board = desk.board(published_by="2024-02-29")
    assert status(board, [post("2023-03-01")]).word == "in use"
    assert status(board, [post("2023-02-28")]).word == "dropped"


def test_it_was_dropped_before_it_saturated_while_the_best_is_under_the_line(desk: Desk) -> None:
    """On the line is near the ceiling."""
    desk.read("a,Heron,84.9", DAY)
    released(desk, "2024-06", ceiling="85")
    assert status(desk.board(), []).before_it_saturated
    desk.read("a,Heron,85.0", "2025-06-02")
    assert not status(desk.board(), []).before_it_saturated


# --- what changed -----------------------------------------------------------------------------


def test_every_step_between_two_days_is_listed_in_order(desk: Desk) -> None:
    """Recorded, restated, renamed, delisted, relisted; both days included."""
    desk.read("a,Heron,60;b,Ibis,50", "2025-06-01")
    desk.read("a,Heron,61;b,Ibis 2,50", "2025-06-02")
    desk.read("b,Ibis 2,50", "2025-06-03")
    desk.read("a,Heron,61;b,Ibis 2,50", "2025-06-04")
    steps = desk.changes("2025-06-02", "2025-06-04")
    assert kinds(steps) == [
        ("restated", "60", "61"),
        ("renamed", "Ibis", "Ibis 2"),
        ("delisted", "61", None),
        ("relisted", None, "61"),
    ]


def test_steps_of_one_instant_are_steps_of_their_own(desk: Desk) -> None:
    """By the order in the files' names."""
    for order, score in (("001", "60"), ("002", "61"), ("003", "62")):
        desk.read(f"a,Heron,{score}", name=f"2025-06-01T000000Z-{order}.csv")
    assert kinds(desk.changes("2025-06-01", "2025-06-01")) == [
        ("recorded", None, "60"),
        ("restated", "60", "61"),
        ("restated", "61", "62"),
    ]


def test_a_fact_that_changes_nothing_at_its_turn_shows_nowhere(desk: Desk) -> None:
    """A reading taken back leaves no step behind, nor does one that says the same."""
    desk.read("a,Heron,60", "2025-06-01")
    wrong = desk.read("a,Heron,99", "2025-06-03")
    desk.read("a,Heron,60", "2025-06-05", name="later.csv")
    assert wrong.digest is not None
    desk.importer.withdraw(wrong.digest)  # type: ignore[arg-type]
    steps = desk.changes("2025-06-01", "2025-06-10")
    assert kinds(steps) == [("recorded", None, "60")]


def test_a_model_that_is_renamed_is_a_step_of_its_boards(desk: Desk) -> None:
    """The name on the source's row is unchanged."""
    desk.read("a,Heron,60", "2025-06-01")
    model = desk.board().rows[0].model
    assert model is not None
    renamed = ev.ModelRenamed(name="Grey Heron", read_at=desk.clock.now, why="its lab says so")
    desk.model(model.id, renamed)
    steps: list[Step] = desk.changes("2025-06-02", "2025-06-10")
    assert kinds(steps) == [("renamed", "Heron", "Grey Heron")]


def test_a_decision_is_a_step_on_the_day_that_it_was_decided(desk: Desk) -> None:
    """And names itself."""
    desk.read("a,Heron,60", "2025-06-01")
    _, decision = desk.correct(claim("a"), score="59")
    steps = desk.changes("2025-06-10", "2025-06-10")
    assert [(step.kind, step.decision) for step in steps] == [("corrected", decision)]
    assert Slug(steps[0].metric) == "score"


def test_of_one_instant_a_reading_is_told_before_a_decision(desk: Desk) -> None:
    """As the fold takes them, whatever order the reading's file declares."""
    desk.read("a,Heron,60", "2025-06-01")
    stamp = desk.clock.now.strftime("%Y-%m-%dT%H%M%SZ")
    desk.read("a,Heron,61", name=f"{stamp}-001.csv")
    desk.correct(claim("a"), score="50")
    assert kinds(desk.changes("2025-06-01", desk.clock.now.date().isoformat())) == [
        ("recorded", None, "60"),
        ("restated", "60", "61"),
        ("corrected", "61", "50"),
    ]
