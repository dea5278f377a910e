"""What people who do this job run into, rule by rule.

The cases P002 to P028 are those of ``../shared/cases/public-reports.md``; models, vendors, people
and numbers are made up. Each test bears the name of the rule and says which case it comes from.
"""

import hashlib
import os
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import orjson
import psycopg
import pytest

from ledger import commands as orders
from ledger import events as ev
from ledger.archive import Archive
from ledger.claim import stream_of
from ledger.decision import TwoPersonRule
from ledger.errors import (
    AlreadyDecided,
    BadValue,
    Busy,
    Conflict,
    InTheFuture,
    NeedsSecondPerson,
    NothingChanges,
    ReportClosed,
)
from ledger.events import Change, Recorded, Statement
from ledger.importing.board import BoardFile, Target
from ledger.importing.names import KnownNames
from ledger.ledger import Ledger
from ledger.model import resolve
from ledger.store import NewEvents, Store, open_store
from ledger.values import (
    Digest,
    PartialDate,
    Score,
    Slug,
    instant_text,
    parse_instant,
    short_instant,
)
from ledger.wire import decode
from projections.follow import Follower
from projections.history import status
from projections.queue import reports
from projections.story import Story, story_of
from projections.views import open_views
from reports.contract import board_json
from tests.desk import BENCHMARK, SOURCE, Desk, claim, kinds, open_desk, shown
from tests.ledger.engines import Clock, Place, PostgresPlace, Salt, SQLitePlace
from web.csv_forms import board_csv

ZONES = ("UTC", "America/New_York", "Asia/Tokyo", "Pacific/Kiritimati")
BOTH = ("sqlite", pytest.param("postgres", marks=pytest.mark.postgres))


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """An empty ledger."""
    made = open_desk(tmp_path)
    yield made
    made.workspace.close()


@pytest.fixture(params=BOTH)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    """A place for events alone, on either engine."""
    found: Place
    if request.param == "sqlite":
        found = SQLitePlace(str(tmp_path / "ledger.sqlite"))
    else:
        found = PostgresPlace(request.getfixturevalue("postgres_url"))
    yield found
    found.close()


def freeze(desk: Desk, at: str, rows: dict[str, Statement], source: str = SOURCE) -> Digest:
    """Read a board that says more than a CSV can."""
    data = repr((at, sorted(rows.items()))).encode()
    board = BoardFile(
        file="board.json",
        format="test",
        data=data,
        digest=Digest(hashlib.sha256(data).hexdigest()),
        media_type="application/json",
        read_at=parse_instant(at),
        rows=len(rows),
        statements={key: (says,) for key, says in rows.items()},
        metrics=tuple(dict.fromkeys(says.metric for says in rows.values())),
    )
    desk.importer.read(board, Target(source=Slug(source), benchmark=BENCHMARK))
    return board.digest


def story(desk: Desk, claim: str, day: str | None = None) -> Story:
    """The story of a claim as read on a day."""
    moment = desk.moment(day)
    with desk.workspace.views.read() as reader:
        return story_of(reader, desk.workspace.ledger.store, claim, moment)


def marks(desk: Desk, name: str, kind: str, day: str | None = None) -> list[str]:
    """What is said beside a row, of one kind."""
    board = desk.board(day)
    rows = [row for row in (*board.rows, *board.unranked) if row.name == name]
    return [mark["text"] for row in rows for mark in row.marks if mark["kind"] == kind]


# --- P002: numbers that do not follow from their own counters ----------------------------------

COUNTED = "key,model,score,passed,completed,total"
PARTIAL, WELL_FORMED = claim("ibis"), claim("loon")


@pytest.fixture
def counted(desk: Desk) -> Desk:
    """Two rows that contradict their own counters."""
    rows = "ibis,Ibis-13B,53.3,120,215,225;loon,Loon-3B,90.0,133,,133;heron,Heron-7B,71.6,161,,225"
    desk.at("2025-07-01T09:00:00Z").read(rows, "2025-07-01", header=COUNTED)
    return desk


def test_an_import_marks_a_score_that_does_not_follow_from_its_own_counters(counted: Desk) -> None:
    """P002: both rows are marked with the sums that do not come out; the third is not."""
    assert marks(counted, "Ibis-13B", "counters") == [
        "does not follow from its own counters (120/215 = 55.8, 120/225 = 53.3)"
    ]
    assert marks(counted, "Loon-3B", "counters") == [
        "does not follow from its own counters (133/133 = 100.0)"
    ]
    assert marks(counted, "Heron-7B", "counters") == []
    assert marks(counted, "Ibis-13B", "partial-run") == ["215 of 225 run"]


def test_one_report_can_be_decided_in_parts(counted: Desk) -> None:
    """P002: one fault is corrected, the other stays open and disputed until it is decided too."""
    counted.at("2025-07-03T09:00:00Z")
    number = counted.report(PARTIAL)
    well_formed = orders.Correct(claim=WELL_FORMED, applies_from="start", to=(("score", "100.0"),))
    disputed = orders.Dispute(claim=PARTIAL, applies_from="start", about="denominator")
    counted.decide(number, well_formed, disputed, outcome="accepted-in-part", remainder=True)
    assert counted.scores() == {"Loon-3B": "100.0", "Heron-7B": "71.6", "Ibis-13B": "53.3"}
    assert marks(counted, "Ibis-13B", "disputed") == ["disputed: denominator"]
    assert marks(counted, "Loon-3B", "counters") == []
    steps = kinds(story(counted, WELL_FORMED).steps)
    assert steps == [("recorded", None, "90.0"), ("corrected", "90.0", "100.0")]
    assert counted.workspace.ledger.report(number).state == "open"

    counted.at("2025-07-05T09:00:00Z")
    chosen = orders.Correct(claim=PARTIAL, applies_from="start", to=(("score", "55.8"),))
    cleared = orders.Clear(claim=PARTIAL, applies_from="start")
    counted.decide(number, chosen, cleared, statement="Counted over the 215 cases that ran.")
    assert counted.scores()["Ibis-13B"] == "55.8"
    assert marks(counted, "Ibis-13B", "disputed") == []
    assert marks(counted, "Ibis-13B", "partial-run") == ["215 of 225 run"]
    assert counted.log()[0].statement == "Counted over the 215 cases that ran."
    assert counted.scores("2025-07-04")["Ibis-13B"] == "53.3"
    assert [one.report for one in counted.log()] == [number, number]


# --- P004: no average over what happens to be there --------------------------------------------

TASKS = "key,model,score,split"
AUGUST_1 = "h,Heron-7B,80,t1;h,Heron-7B,70,t2;h,Heron-7B,60,t3;h,Heron-7B,50,t4"
IBIS_HALF = "i,Ibis-13B,82,t1;i,Ibis-13B,74,t2"
IBIS_REST = "i,Ibis-13B,40,t3;i,Ibis-13B,44,t4"


@pytest.fixture
def averaged(desk: Desk) -> Desk:
    """Four tasks; one model has only two of them until the next day."""
    desk.at("2025-08-03T09:00:00Z")
    desk.rule("score", "2025-07-01", "t1", "t2", "t3", "t4", combine="mean")
    desk.read(f"{AUGUST_1};{IBIS_HALF}", "2025-08-01", header=TASKS)
    desk.read(f"{AUGUST_1};{IBIS_HALF};{IBIS_REST}", "2025-08-02", header=TASKS, name="b.csv")
    return desk


def test_a_model_with_missing_tasks_has_no_average_and_no_rank(averaged: Desk) -> None:
    """P004: 2 of 4 is no number, and above all not the best one."""
    board = averaged.board("2025-08-01")
    (first,) = board.rows
    assert (first.rank, first.name, str(first.score)) == (1, "Heron-7B", "65.00")
    (beside,) = board.unranked
    assert (beside.name, beside.rank, beside.score) == ("Ibis-13B", None, None)
    assert beside.why_unranked is not None
    assert beside.why_unranked.startswith("2 of 4")
    later = averaged.board("2025-08-02")
    assert shown(later) == {"Heron-7B": "65.00", "Ibis-13B": "60.00"}


@pytest.mark.parametrize("lower_is_better", [False, True])
def test_an_empty_cell_is_neither_zero_nor_nan_and_sorts_last(
    averaged: Desk, *, lower_is_better: bool
) -> None:
    """P004: what has no number ranks nowhere, whichever way is better; CSV has no such row."""
    rule = ev.RankingRuleSet(
        metric=Slug("score"),
        name="score",
        unit="%",
        higher_is_better=not lower_is_better,
        splits=("t1", "t2", "t3", "t4"),
        combine="mean",
        read_at=parse_instant("2025-07-02"),
        why="the other way round",
    )
    averaged.set_rule(rule)
    board = averaged.board("2025-08-01")
    assert [row.name for row in (*board.rows, *board.unranked)] == ["Heron-7B", "Ibis-13B"]
    text = board_csv(board)
    assert "nan" not in text.lower()
    assert [line.split(",")[4] for line in text.splitlines()[1:]] == ["65.00"]


def test_a_stored_zero_is_a_score(averaged: Desk) -> None:
    """P004: 0.00 counts in the mean; it is not what is missing."""
    rows = "l,Loon-3B,0.00,t1;l,Loon-3B,0.00,t2;l,Loon-3B,0.00,t3;l,Loon-3B,0.00,t4"
    averaged.read(rows, "2025-08-02", header=TASKS, source="zeros")
    assert averaged.scores("2025-08-02")["Loon-3B"] == "0.00"


# --- P006: taken back before it was published --------------------------------------------------


@pytest.fixture
def pending(desk: Desk) -> tuple[Desk, int, Digest]:
    """A submission that waits to be published: a report with its evidence."""
    evidence = desk.workspace.ledger.archive.put(b"570 of 731")
    desk.at("2025-07-20T10:00:00Z")
    desk.read("heron,Heron-7B,70.0", "2025-07-01")
    filed = orders.FileReport(
        number=7,
        target=f"benchmarks/{BENCHMARK}",
        reason="missing-claim",
        received_at=desk.clock.now,
    )
    desk.do(filed, "submitter")
    desk.do(orders.AddEvidence(number=7, digest=evidence), "submitter")
    return desk, 7, evidence


def test_an_approval_of_what_was_withdrawn_meanwhile_is_refused(
    pending: tuple[Desk, int, Digest],
) -> None:
    """P006: the reviewer's page is from the day before; the notice is what they see."""
    desk, number, evidence = pending
    seen = desk.workspace.ledger.report(number).version
    desk.at("2025-07-24T10:00:00Z")
    desk.do(orders.WithdrawReport(number=number, reason="the run was adaptive"), "submitter")
    desk.at("2025-07-25T10:00:00Z")
    with pytest.raises(ReportClosed, match="withdrawn by its reporter"):
        desk.decide(number, version=seen)
    for day in ("2025-07-23", "2025-07-24", "2025-07-25"):
        assert desk.scores(day) == {"Heron-7B": "70.0"}
    assert hashlib.sha256(desk.workspace.ledger.archive.get(evidence)).hexdigest() == evidence


def test_a_report_that_moved_on_is_not_decided_from_an_old_page(
    pending: tuple[Desk, int, Digest],
) -> None:
    """P006: any change since the page was opened is shown before anything is decided."""
    desk, number, _ = pending
    seen = desk.workspace.ledger.report(number).version
    desk.do(orders.AmendReport(number=number), "submitter")
    with pytest.raises(Conflict):
        desk.decide(number, version=seen)


def test_what_was_withdrawn_before_publication_is_told_in_the_log(
    pending: tuple[Desk, int, Digest],
) -> None:
    """P006: with its date and its reason; publishing it otherwise takes another report."""
    desk, number, _ = pending
    desk.at("2025-07-24T10:00:00Z")
    desk.do(orders.WithdrawReport(number=number, reason="the run was adaptive"), "submitter")
    desk.at("2025-07-25T10:00:00Z")
    told = {"outcome": "withdrawn", "reason": "withdrawn before publication", "type": "withdrawal"}
    desk.decide(number, statement="The submitter says the run was adaptive.", **told)
    (entry,) = desk.log()
    assert (entry.outcome, entry.reason) == ("withdrawn", "withdrawn before publication")
    assert short_instant(entry.decided_at) == "2025-07-25T10:00:00Z"
    assert entry.claims == ()
    with pytest.raises(AlreadyDecided):
        desk.decide(number, orders.HoldOut(claim=claim("heron"), applies_from="start"))


# --- P008: one judge, one series ---------------------------------------------------------------


@pytest.fixture
def judged(desk: Desk) -> Desk:
    """Three numbers by three judges, of which one is an alias that moves."""
    desk.at("2023-08-21T09:00:00Z")
    rows = {
        "h-0314": ("Heron-7B", "judge-x-0314", "71.4", None),
        "h-0613": ("Heron-7B", "judge-x-0613", "52.0", None),
        "i": ("Ibis-13B", "judge-x", "60.0", "judge snapshot unknown"),
    }
    says = {
        key: Statement(name=name, metric=Slug(judge), score=Score(score), not_ranked=why)
        for key, (name, judge, score, why) in rows.items()
    }
    freeze(desk, "2023-08-20", says)
    desk.at("2023-09-04T12:00:00Z")
    ibis = claim("i", "judge-x")
    desk.decide(
        desk.report(ibis),
        orders.Correct(
            claim=ibis,
            applies_from=parse_instant("2023-06-27"),
            to=(("metric", "judge-x-0613"),),
        ),
        orders.Readmit(claim=ibis, applies_from=parse_instant("2023-06-27")),
        statement="From 27 June on the alias meant 0613.",
    )
    return desk.at("2023-09-05T12:00:00Z")


def test_two_judges_are_two_series(judged: Desk) -> None:
    """P008: 71.4 and 52.0 are neither duplicates nor corrections of one another."""
    for day in ("2023-09-03", "2023-09-04"):
        assert judged.scores(day, metric="judge-x-0314") == {"Heron-7B": "71.4"}
    assert judged.scores("2023-09-03", metric="judge-x-0613") == {"Heron-7B": "52.0"}
    assert kinds(judged.changes("2023-08-01", "2023-09-03")) == [
        ("recorded", None, "71.4"),
        ("recorded", None, "52.0"),
        ("recorded", None, "60.0"),
    ]


def test_a_number_of_an_unknown_judge_ranks_with_none(judged: Desk) -> None:
    """P008: it shows, and says why it does not rank, until a decision says which judge it was."""
    board = judged.board("2023-09-03", metric="judge-x")
    assert [(row.name, row.why_unranked) for row in board.unranked] == [
        ("Ibis-13B", "judge snapshot unknown")
    ]
    assert board.rows == ()
    later = judged.scores("2023-09-04", metric="judge-x-0613")
    assert list(later.items()) == [("Ibis-13B", "60.0"), ("Heron-7B", "52.0")]
    since = judged.scores("2023-09-03", metric="judge-x-0613", corrected="since")
    assert list(since) == ["Ibis-13B", "Heron-7B"]


@pytest.mark.parametrize("setting", ["judge-x-0613", "five shots", "harness v2"])
def test_no_average_mixes_two_series(desk: Desk, setting: str) -> None:
    """P008: parts that were measured in two settings make two incomplete rows and no mean."""
    desk.at("2025-08-03T09:00:00Z")
    desk.rule("score", "2025-07-01", "t1", "t2", combine="mean")
    rows = f"a,Heron-7B,80,t1,judge-x-0314;b,Heron-7B,60,t2,{setting}"
    desk.read(rows, "2025-08-01", header="key,model,score,split,setting")
    board = desk.board()
    assert board.rows == ()
    assert [str(row.why_unranked)[:6] for row in board.unranked] == ["1 of 2", "1 of 2"]


# --- P010: another name is not another row -----------------------------------------------------

OLD, NEW = "lab-a/Heron-7B", "corp-b/Heron-7B"


@pytest.fixture(params=[("e8f3104", "e8f3104"), (OLD, NEW)], ids=["by-revision", "by-name"])
def moved(request: pytest.FixtureRequest, desk: Desk) -> Desk:
    """A model moves to another owner; later another model takes the freed name."""
    before, after = request.param
    desk.at("2025-06-10T12:00:00Z").read(f"{before},{OLD},64.2", "2025-06-10T12:00:00Z")
    model = only_model(desk)
    desk.at("2025-06-19T12:00:00Z")
    desk.model(model, ev.ModelRenamed(name=NEW, read_at=desk.clock.now, why="the repository moved"))
    desk.at("2025-06-21T12:00:00Z").read(
        f"{after},{NEW},64.2", "2025-06-21T12:00:00Z", name="after.csv"
    )
    desk.at("2025-07-01T12:00:00Z")
    taken = ev.ModelRegistered(
        slug=Slug("other"), name=OLD, means_from=desk.clock.now, read_at=desk.clock.now
    )
    desk.model("other", taken)
    return desk.at("2025-07-10T12:00:00Z")


def only_model(desk: Desk, day: str | None = None) -> str:
    """The id of the one model on the board."""
    (row,) = desk.board(day).rows
    assert row.model is not None
    return row.model.id


def test_a_renamed_model_keeps_its_one_row(moved: Desk) -> None:
    """P010: the old name before, the new one after, the same model on every day."""
    days = ("2025-06-15", "2025-06-20", "2025-06-22", "2025-07-01", "2025-07-10")
    assert [list(moved.scores(day)) for day in days] == [[OLD], [NEW], [NEW], [NEW], [NEW]]
    assert len({only_model(moved, day) for day in days}) == 1


def test_a_freed_name_has_no_score_of_its_own(moved: Desk) -> None:
    """P010: the model that takes it is on no board, and the old one still leads to its own."""
    assert only_model(moved) != "other"
    moved.read("e8f3104,corp-b/Heron-7B,64.2;n,lab-a/Heron-7B,12.0", "2025-07-05", name="c.csv")
    board = moved.board()
    assert {row.model.id: str(row.score) for row in board.rows if row.model} == {
        only_model(moved, "2025-07-04"): "64.2",
        "other": "12.0",
    }


def test_an_alias_means_a_dated_release_or_nothing(moved: Desk) -> None:
    """P010: never an older row without a date."""
    model = only_model(moved)
    known: KnownNames = moved.workspace.known()
    now = moved.clock.now
    assert resolve(known.names(["heron-latest"]).get("heron-latest", ()), now, now) is None
    moved.model(
        model, ev.AliasAsserted(name="heron-latest", means_from=now, read_at=now, why="its page")
    )
    again: KnownNames = moved.workspace.known()
    meant = again.names(["heron-latest"])["heron-latest"]
    assert resolve(meant, now, now) == model
    assert resolve(meant, parse_instant("2025-06-20"), now) is None


# --- P012: a lost notification delays and never loses -------------------------------------------


@pytest.mark.parametrize("engine", BOTH)
def test_a_follower_that_heard_nothing_catches_up_by_polling(
    engine: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """P012: a second process whose connection is cut sees the correction at its next look."""
    url = request.getfixturevalue("postgres_url") if engine == "postgres" else None
    desk = open_desk(tmp_path, url)
    desk.at("2025-07-10T12:00:00Z").read("heron,Heron-7B,72.5", "2025-07-01")
    other = open_store(desk.workspace.settings.ledger, clock=desk.clock, salt=Salt())
    views = open_views(url or tmp_path / "others.db")
    follower = Follower(other, views)
    with closing(other), closing(views):
        idle = follower.catch_up()
        assert idle == other.head()
        if url is not None:
            cut_listeners(url)
        desk.correct(claim("heron"), score="70.1")
        assert (other.head() - follower.position()) > 0
        assert other.wait(idle, timeout=30)
        assert follower.catch_up() == desk.workspace.ledger.store.head()
    desk.workspace.close()


def cut_listeners(url: str) -> None:
    """End every other connection to this database, as a firewall would, without a word."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            " AND query ILIKE 'listen%'"
        )


# --- P014: digits as written -------------------------------------------------------------------

DIGITS = ("72.50", "1.1", "0.1234567890123456789", "3,471", "-0.0", "1e3")


def test_scores_keep_their_digits_everywhere(desk: Desk) -> None:
    """P014: read, stored, read back, rebuilt, as JSON and as CSV: never through a float."""
    desk.at("2025-07-10T12:00:00Z")
    rows = {
        f"k{number}": Statement(name=f"Model {number}", metric=Slug("score"), score=Score(digits))
        for number, digits in enumerate(DIGITS)
    }
    freeze(desk, "2025-07-01", rows)
    for again in (False, True):
        if again:
            desk.workspace.follower.rebuild()
        board = desk.board()
        assert sorted(str(row.score) for row in board.rows) == sorted(DIGITS)
        told = board_json(board, (), status(board, ()))
        assert sorted(row["score"] for row in told["rows"]) == sorted(DIGITS)
        text = board_csv(board)
        assert all(digits in text for digits in DIGITS)


def test_numbers_that_only_a_float_tells_apart_are_a_tie(desk: Desk) -> None:
    """P014: 0.1 + 0.2 is 0.3."""
    desk.at("2025-07-10T12:00:00Z").read("a,Heron,0.3;b,Ibis,0.30", "2025-07-01")
    assert [row.tied for row in desk.board().rows] == [True, True]
    number = desk.report(claim("a"))
    wish = orders.Correct(claim=claim("a"), applies_from="start", to=(("score", "0.300"),))
    with pytest.raises(NothingChanges):
        desk.decide(number, wish)


@pytest.mark.parametrize("digits", ["NaN", "Infinity", "1e400", "e5", "0x10", "\uff11"])
def test_what_is_no_number_is_refused_on_every_way_in(desk: Desk, digits: str) -> None:
    """P014: a row of a file is refused with its reason and the others go on; a form says no."""
    desk.at("2025-07-10T12:00:00Z")
    receipt = desk.read(f"a,Heron,{digits};b,Ibis,50", "2025-07-01")
    assert [(one.row, one.field) for one in receipt.refused] == [(1, "score")]
    assert desk.scores() == {"Ibis": "50"}
    wish = orders.Correct(claim=claim("b"), applies_from="start", to=(("score", digits),))
    with pytest.raises(BadValue):
        desk.decide(desk.report(claim("b")), wish)


# --- P016: many hands at one ledger ------------------------------------------------------------


def filing(number: int) -> orders.FileReport:
    """A report that says nothing much."""
    return orders.FileReport(
        number=number,
        target="benchmarks/kitebench",
        reason="other",
        received_at=datetime(2025, 7, 28, tzinfo=UTC),
    )


def ledger_on(store: Store, folder: Path) -> Ledger:
    """A ledger on a store, as another process would open it."""
    return Ledger(store, Archive(folder), lambda: datetime(2025, 7, 28, 12, tzinfo=UTC))


def test_a_report_waits_for_an_import_that_holds_the_lock(place: Place, tmp_path: Path) -> None:
    """P016: it is stored once the import is done, and nothing is lost."""
    ledger = ledger_on(place.open(patience=20), tmp_path)
    with ThreadPoolExecutor(1) as pool:
        with place.locked():
            filed = pool.submit(ledger.do, filing(1), "reporter")
            threading.Event().wait(0.5)
            assert not filed.done()
        assert filed.result(20) is not None
    assert ledger.store.head() == 1


def test_a_report_that_cannot_wait_is_told_so_and_leaves_nothing_behind(
    place: Place, tmp_path: Path
) -> None:
    """P016: busy, try again; no half event, and the same report can be filed afterwards."""
    ledger = ledger_on(place.open(patience=0.2), tmp_path)
    with place.locked(), pytest.raises(Busy):
        ledger.do(filing(1), "reporter")
    assert ledger.store.head() == 0
    assert ledger.do(filing(1), "reporter") is not None


def test_eight_writers_and_four_readers_lose_nothing(place: Place, tmp_path: Path) -> None:
    """P016: 240 of 240, without a gap or a double, and no reader sees half of anything."""
    done = threading.Event()

    def write(writer: int) -> None:
        ledger = ledger_on(place.open(patience=60), tmp_path)
        for number in range(30):
            ledger.do(filing(1 + writer * 30 + number), "reporter")

    def look() -> int:
        store = place.open()
        last = 0
        while not done.is_set():
            found = store.after(0, 1_000)
            assert [one.position for one in found] == sorted({one.position for one in found})
            assert len(found) >= last
            assert all(one.envelope.type == "report-filed/1" for one in found)
            last = len(found)
        return last

    with ThreadPoolExecutor(12) as pool:
        readers = [pool.submit(look) for _ in range(4)]
        for one in [pool.submit(write, writer) for writer in range(8)]:
            one.result(120)
        done.set()
        assert all(reader.result(60) <= 240 for reader in readers)
    found = place.open().after(0, 1_000)
    assert len(found) == 240
    assert len({one.envelope.stream for one in found}) == 240
    times = [one.envelope.recorded_at for one in found]
    assert times == sorted(times)


def test_there_is_no_ledger_in_memory() -> None:
    """P016: its readers would see what is rolled back later."""
    with pytest.raises(BadValue, match="a ledger is a file"):
        open_store(":memory:", clock=Clock(), salt=Salt())


# --- P018: no words of people in events --------------------------------------------------------


def test_the_words_of_a_report_are_not_in_the_ledger(tmp_path: Path) -> None:
    """P018: an event holds a digest over a nonce and the words; erasing them touches no event."""
    desk = open_desk(tmp_path)
    desk.at("2025-07-10T12:00:00Z").read("heron,Heron-7B,72.5", "2025-07-01")
    words = "Dana Q. <dana@example.org> says that v@example.com was told."
    digest = Digest(hashlib.sha256(b"nonce" * 4 + words.encode()).hexdigest())
    filed = orders.FileReport(
        number=3,
        target=f"claims/{claim('heron')}",
        reason="wrong-value",
        words=digest,
        received_at=desk.clock.now,
    )
    desk.do(filed, "dana")
    heron = claim("heron")
    desk.decide(3, orders.Correct(claim=heron, applies_from="start", to=(("score", "70"),)))
    desk.workspace.follower.catch_up()
    stored = [one.stored for one in desk.workspace.ledger.store.after(0, 1_000)]
    assert any(digest.encode() in one for one in stored)
    desk.workspace.close()
    for file in (path for path in tmp_path.rglob("*") if path.is_file()):
        data = file.read_bytes()
        assert b"dana@example.org" not in data
        assert b"v@example.com" not in data
        assert b"was told" not in data


# --- P020: what is hashed are the stored bytes -------------------------------------------------

PAYLOADS = (
    (("score", "1.0"), ("b", "1"), ("a", "2")),
    (("score", "1e-7"),),
    (("note", "é"), ("x", "")),
)


def stored_in(place: Place) -> list[bytes]:
    """The stored bytes, in the order of their positions."""
    return [row[4] for row in place.rows()]


def entries(stored: Iterable[bytes]) -> list[str]:
    """What anybody works out who hashes what is stored, in any language."""
    return [hashlib.sha256(one).hexdigest() for one in stored]


@pytest.fixture
def filled(place: Place) -> Place:
    """Three claims whose payloads a parser and a printer would not give back as they were."""
    events = [
        ev.ClaimRestated(
            says=Statement(name="Heron", metric=Slug("score"), score=Score("1.0"), extra=extra),
            reading=Digest("0" * 64),
            read_at=parse_instant("2025-07-01"),
        )
        for extra in PAYLOADS
    ]
    store = place.open()
    store.append(
        [NewEvents(f"claim:c{number}", 0, (event,)) for number, event in enumerate(events)],
        by="curator",
    )
    return place


def test_bytes_are_the_same_after_dump_and_restore(filled: Place) -> None:
    """P020: nothing is parsed and printed again on the way, so nothing seems tampered with."""
    before = entries(stored_in(filled))
    filled.close()
    filled.restore()
    assert entries(stored_in(filled)) == before
    again = filled.open().after(0, 10)
    assert entries(one.stored for one in again) == before


def test_a_changed_swapped_or_missing_event_is_found(filled: Place) -> None:
    """P020: one digit changed breaks that one entry; order and count are told by what is kept."""
    stored = stored_in(filled)
    kept = entries(stored)
    changed = [stored[0].replace(b'"1.0"', b'"1.1"'), *stored[1:]]
    assert differing(entries(changed), kept) == [1]
    swapped = [stored[0], stored[2], stored[1]]
    assert differing(entries(swapped), kept) == [2, 3]
    cut = stored[:-1]
    assert differing(entries(cut), kept) == []
    assert len(cut) != len(kept)


def differing(found: Sequence[str], kept: Sequence[str]) -> list[int]:
    """The positions at which entries are not what was kept elsewhere."""
    pairs = zip(found, kept, strict=False)
    return [place for place, (one, other) in enumerate(pairs, 1) if one != other]


# --- P022: a day is a UTC day, wherever the server stands --------------------------------------

E1, E2, E3 = "2025-07-28T23:59:59.999999Z", "2025-07-29T00:00:00Z", "2025-07-28T23:30:00-07:00"

DAYS_IN_A_ZONE = """
import json, sys
from pathlib import Path
from tests.desk import open_desk
desk = open_desk(Path(sys.argv[1])).at("2025-07-30T12:00:00Z")
for number, at in enumerate(sys.argv[2:]):
    desk.read(f"e{number + 1},E{number + 1},{number + 1}", at, source=f"s{number}")
days = ("2025-07-28", "2025-07-29")
print(json.dumps({
    "boards": [sorted(desk.scores(day)) for day in days],
    "instants": [sorted(desk.scores(at)) for at in sys.argv[2:]],
    "steps": [[one.name for one in desk.changes(day, day)] for day in days],
    "stored": [one.stored.decode() for one in desk.workspace.ledger.store.after(0, 100)],
}))
"""


@pytest.fixture(scope="module")
def days_by_zone(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, object]]:
    """What servers in four time zones say of the same three readings."""
    found = {}
    for zone in ZONES:
        folder = tmp_path_factory.mktemp("home")
        done = subprocess.run(
            [sys.executable, "-c", DAYS_IN_A_ZONE, str(folder), E1, E2, E3],
            env={**os.environ, "TZ": zone},
            cwd=Path(__file__).parents[1],
            capture_output=True,
            check=True,
        )
        found[zone] = orjson.loads(done.stdout)
    return found


@pytest.mark.parametrize("zone", ZONES)
def test_a_date_means_a_utc_day_in_every_time_zone(
    zone: str, days_by_zone: dict[str, dict[str, object]]
) -> None:
    """P022: 28 July ends before midnight UTC; half past eleven in Los Angeles is the 29th."""
    told = days_by_zone[zone]
    assert told["boards"] == [["E1"], ["E1", "E2", "E3"]]
    assert told["instants"] == [["E1"], ["E1", "E2"], ["E1", "E2", "E3"]]


@pytest.mark.parametrize("zone", ZONES)
def test_each_event_is_counted_on_one_day(
    zone: str, days_by_zone: dict[str, dict[str, object]]
) -> None:
    """P022: midnight belongs to the next day, so nothing is counted twice or not at all."""
    assert days_by_zone[zone]["steps"] == [["E1"], ["E2", "E3"]]


def test_the_servers_time_zone_leaves_no_trace_in_the_ledger(
    days_by_zone: dict[str, dict[str, object]],
) -> None:
    """P022: the stored bytes are the same wherever they were written."""
    assert all(told == days_by_zone["UTC"] for told in days_by_zone.values())


@pytest.mark.parametrize("text", ["2025-02-30", "28/07/2025", "", "2025-7-28", "20250728", "today"])
def test_an_impossible_date_is_refused_and_never_means_today(desk: Desk, text: str) -> None:
    """P022: a misspelt or forgotten date must not show today's board."""
    with pytest.raises(BadValue):
        desk.moment(text)


@pytest.mark.parametrize(
    "text", ["2025-08-02", "2025-08-01T12:00:01Z", "2025-08-01T09:00:01-03:00"]
)
def test_a_date_in_the_future_is_refused(desk: Desk, text: str) -> None:
    """P022: today is the last day that can be asked for."""
    desk.at("2025-08-01T12:00:00Z")
    desk.moment("2025-08-01")
    with pytest.raises(InTheFuture):
        desk.moment(text)


# --- P024: one instant, three facts ------------------------------------------------------------

AT_TEN = "2025-07-28T10:00:00.000Z"


def three_facts(key: str, *corrected: str) -> NewEvents:
    """A claim and its corrections, all in one transaction."""
    at = parse_instant(AT_TEN)
    says = Statement(name=key, metric=Slug("score"), score=Score("72.5"))
    recorded = ev.ClaimRecorded(
        source=SOURCE, benchmark=BENCHMARK, key=key, says=says, reading=Digest("0" * 64), read_at=at
    )
    facts = [
        ev.ClaimCorrected(
            decision=f"{key}.{number}",
            changes=(Change("score", "72.5", score),),
            applies_from=None,
        )
        for number, score in enumerate(corrected, 1)
    ]
    return NewEvents(stream_of(claim(key)), 0, (recorded, *facts))


@pytest.fixture
def at_once(desk: Desk) -> Desk:
    """Two claims with their corrections in one transaction, at one instant."""
    desk.at(AT_TEN)
    desk.read("h,Heron-7B,1;i,Ibis-13B,1", AT_TEN, source="elsewhere")
    desk.read("x,Loon-3B,1", AT_TEN)
    new = [three_facts("Heron-7B", "70.1", "70.3"), three_facts("Ibis-13B", "70.3", "70.1")]
    desk.workspace.ledger.store.append(new, by="curator")
    return desk


def test_facts_of_one_instant_keep_the_order_in_which_they_were_recorded(at_once: Desk) -> None:
    """P024: the last one holds, all three are told, twenty times over, after VACUUM and rebuild."""
    wanted = {
        "Heron-7B": [("recorded", None, "72.5"), ("corrected", "72.5", "70.1")],
        "Ibis-13B": [("recorded", None, "72.5"), ("corrected", "72.5", "70.3")],
    }
    wanted["Heron-7B"].append(("corrected", "70.1", "70.3"))
    wanted["Ibis-13B"].append(("corrected", "70.3", "70.1"))
    for again in range(20):
        if again == 10:
            place = SQLitePlace(str(at_once.workspace.settings.ledger))
            place.run("VACUUM")
            at_once.workspace.follower.rebuild()
        scores = {row.key: str(row.score) for row in at_once.board(AT_TEN, every_claim=True).rows}
        assert (scores["Heron-7B"], scores["Ibis-13B"]) == ("70.3", "70.1")
        for key, steps in wanted.items():
            assert kinds(story(at_once, claim(key)).steps) == steps


def test_decisions_of_one_instant_are_all_in_the_log_and_in_order(desk: Desk) -> None:
    """P024: ordered by (recorded_at, position), so that paging one by one shows each once."""
    desk.at(AT_TEN).read("a,Heron,72.5;b,Ibis,72.5", AT_TEN)
    for key, score in (("a", "70.1"), ("a", "70.3"), ("b", "70.3"), ("b", "70.1")):
        desk.correct(claim(key), score=score)
    log = desk.log()
    assert [one.number for one in log] == [4, 3, 2, 1]
    assert [one.position for one in log] == sorted((one.position for one in log), reverse=True)
    assert len({one.decided_at for one in log}) == 1
    assert [one.claims[0].after["score"] for one in log] == ["70.1", "70.3", "70.3", "70.1"]
    assert desk.scores() == {"Heron": "70.3", "Ibis": "70.1"}


# --- P026: taking back a withdrawal ------------------------------------------------------------


@pytest.fixture
def reinstated(desk: Desk) -> Desk:
    """A claim that was retracted on 22 June (upstream: the 20th) and came back on the 27th."""
    desk.at("2025-06-01T10:00:00Z").read("k,Heron-7B,70", "2025-06-01")
    desk.at("2025-06-22T06:01:27Z")
    retract = orders.Retract(
        claim=claim("k"), applies_from="start", upstream_on=PartialDate("2025-06-20")
    )
    desk.decide(desk.report(claim("k")), retract, type="retraction", reason="withdrawn upstream")
    desk.at("2025-06-27T10:00:00Z")
    reinstate = orders.Reinstate(claim=claim("k"), applies_from="start")
    desk.decide(desk.report(claim("k")), reinstate, type="reinstatement", reason="it was right")
    return desk


def test_a_retracted_claim_is_absent_with_a_marker_until_it_is_reinstated(reinstated: Desk) -> None:
    """P026: there on the 21st, gone with its reason on the 23rd, back on the 28th."""
    reinstated.at("2025-06-28T10:00:00Z")
    assert reinstated.scores("2025-06-21") == {"Heron-7B": "70"}
    gone = reinstated.board("2025-06-23")
    assert [(row.name, row.why_unranked) for row in gone.unranked] == [("Heron-7B", "retracted")]
    assert gone.rows == ()
    assert reinstated.log()[1].reason == "withdrawn upstream"
    assert reinstated.scores("2025-06-28") == {"Heron-7B": "70"}


def test_the_sources_own_date_of_a_withdrawal_moves_nothing(reinstated: Desk) -> None:
    """P026: it is a field of its own; the board goes by when it was decided here."""
    assert reinstated.scores("2025-06-20") == {"Heron-7B": "70"}
    fact = reinstated.workspace.ledger.claim(claim("k")).decisions[0].fact
    assert isinstance(fact, ev.ClaimRetracted)
    assert str(fact.upstream_on) == "2025-06-20"


def test_when_a_claim_last_changed_only_grows(reinstated: Desk) -> None:
    """P026: a reinstatement is a change, and no earlier one."""
    last = [
        story(reinstated, claim("k"), day).steps[-1].read_at
        for day in ("2025-06-21", "2025-06-23", "2025-06-27")
    ]
    assert [short_instant(one)[:10] for one in last] == ["2025-06-01", "2025-06-22", "2025-06-27"]


def test_a_bulk_withdrawal_needs_a_second_person_and_is_undone_as_events(desk: Desk) -> None:
    """P026: 90 of 100 rows go only when somebody else agrees, and come back without a deletion."""
    rows = ";".join(f"k{number},Model {number},{number}" for number in range(100))
    desk.at("2025-06-01T10:00:00Z").read(rows, "2025-06-01")
    ledger = Ledger(
        desk.workspace.ledger.store,
        desk.workspace.ledger.archive,
        desk.clock,
        TwoPersonRule(),
    )
    desk.at("2025-06-22T10:00:00Z")
    number = desk.report(claim("k0"))
    effects = tuple(
        orders.Retract(claim=claim(f"k{number}"), applies_from="start") for number in range(90)
    )
    decide = orders.Decide(
        number=number,
        outcome="accepted",
        type="removal",
        reason="other",
        statement="All of them.",
        snapshot=desk.snapshot(claim("k0")),
        effects=effects,
    )
    ledger.do(decide, "reviewer")
    (proposed,) = ledger.report(number).proposed
    approve = orders.ApproveDecision(number=number, decision=proposed)
    with pytest.raises(NeedsSecondPerson):
        ledger.do(approve, "reviewer")
    assert len(desk.board().rows) == 100
    desk.at("2025-06-23T10:00:00Z")
    ledger.do(approve, "second-reviewer")
    assert len(desk.board().rows) == 10

    head = ledger.store.head()
    desk.at("2025-06-24T10:00:00Z")
    reverse = orders.ReverseDecision(number=number, decision=proposed, statement="They were right.")
    ledger.do(reverse, "reviewer")
    for waiting in ledger.report(number).proposed:
        ledger.do(orders.ApproveDecision(number=number, decision=waiting), "second-reviewer")
    assert len(desk.board().rows) == 100
    undone = [
        one
        for one in ledger.store.after(head, 1_000)
        if isinstance(one.event, ev.ClaimDecisionReversed)
    ]
    assert len(undone) == 90
    assert [len(desk.board(day).rows) for day in ("2025-06-22", "2025-06-23", "2025-06-24")] == [
        100,
        10,
        100,
    ]


# --- P028: the server's clock, and the day on which something was read --------------------------


def test_an_import_without_a_reading_date_leaves_earlier_days_alone(desk: Desk) -> None:
    """P028 (1): what was measured in January is read today, so the June before knew nothing of
    it."""
    desk.at("2025-07-28T10:00:00Z")
    desk.read("h,Heron-7B,70,2024-01-01", header="key,model,score,date")
    assert desk.board("2024-06-01").rows == ()
    (row,) = desk.board("2025-07-28").rows
    assert str(row.published_on) == "2024-01-01"
    assert "added-later" not in {mark["kind"] for mark in row.marks}


def test_a_declared_reading_date_shows_on_that_day_and_says_that_it_came_later(desk: Desk) -> None:
    """P028 (1): and the same board cut at what the ledger held by then stays as it was."""
    desk.at("2024-05-01T10:00:00Z").read("i,Ibis-13B,60", "2024-05-01", source="older")
    held = desk.workspace.ledger.store.head()
    desk.at("2025-07-28T10:00:00Z").read("h,Heron-7B,70", "2024-01-01")
    assert desk.scores("2024-06-01") == {"Heron-7B": "70", "Ibis-13B": "60"}
    assert marks(desk, "Heron-7B", "added-later", "2024-06-01") == ["added to the ledger later"]
    assert marks(desk, "Ibis-13B", "added-later", "2024-06-01") == []
    for through in (str(held), "2024-06-01"):
        assert desk.scores("2024-06-01", recorded_through=through) == {"Ibis-13B": "60"}
    recorded = [one.envelope.recorded_at for one in desk.workspace.ledger.store.after(held, 100)]
    assert {short_instant(one) for one in recorded} == {"2025-07-28T10:00:00Z"}


def test_a_reader_whose_clock_is_fast_may_still_report(desk: Desk) -> None:
    """P028 (2): the server's clock counts; theirs is kept beside it and refuses nothing."""
    desk.at("2025-07-28T10:00:00Z")
    received = parse_instant("2025-07-28T10:02:00Z")
    order = orders.FileReport(
        number=1, target="benchmarks/kitebench", reason="other", received_at=received
    )
    done = desk.do(order, "reporter")
    assert done is not None
    assert short_instant(done.recorded_at) == "2025-07-28T10:00:00Z"
    desk.workspace.follower.catch_up()
    with desk.workspace.views.read() as reader:
        assert [one.received_at for one in reports(reader)] == [received]


def test_a_reading_in_the_future_is_refused_and_leaves_nothing(desk: Desk) -> None:
    """P028 (3): give the day on which it was really read."""
    desk.at("2025-07-28T10:00:00Z")
    with pytest.raises(InTheFuture):
        desk.read("h,Heron-7B,70", "2026-01-01")
    receipt = desk.read("h,Heron-7B,70,2026-01-01", header="key,model,score,date")
    assert [(one.field, one.why) for one in receipt.refused] == [
        ("date", "2026-01-01 lies in the future")
    ]
    assert desk.board().rows == ()


def test_a_clock_that_steps_back_does_not_turn_the_ledger_back(place: Place) -> None:
    """P028 (4): the second append gets a time that is not before the first."""
    clock = Clock(now=parse_instant("2025-07-28T10:00:00Z"), step=timedelta(seconds=-30))
    store = place.open(clock=clock)
    first = store.append([NewEvents("report:1", 0, (ev.ReviewStarted(),))], by="a")
    second = store.append([NewEvents("report:2", 0, (ev.ReviewStarted(),))], by="a")
    assert first is not None
    assert second is not None
    assert second.recorded_at >= first.recorded_at
    assert second.first > first.last


def test_two_servers_minutes_apart_lose_nothing(tmp_path: Path) -> None:
    """P028 (5): projections go by position, not by time, so neither hides what the other did."""
    desk = open_desk(tmp_path)
    desk.at("2025-07-28T10:03:00Z").read("h,Heron-7B,70", "2025-07-01")
    slow = open_store(
        desk.workspace.settings.ledger,
        clock=lambda: parse_instant("2025-07-28T10:00:00Z"),
        salt=Salt(),
    )
    with closing(slow):
        position = desk.workspace.follower.catch_up()
        slow.append([NewEvents("report:9", 0, (ev.ReviewStarted(),))], by="other")
        assert desk.workspace.follower.catch_up() == position + 1
        last: Recorded = slow.after(position, 1)[0]
        assert instant_text(last.envelope.recorded_at) == "2025-07-28T10:03:00.000000Z"
        assert decode(last.position, last.stored) == last
    desk.workspace.close()


def test_two_files_in_either_order_give_the_same_board(tmp_path: Path) -> None:
    """P028: what was read later counts later, whenever it came in."""
    files = [("h,Heron-7B,70;i,Ibis-13B,65", "2025-06-01"), ("h,Heron-7B,71", "2025-06-02")]
    boards = []
    for number, order in enumerate((files, files[::-1])):
        desk = open_desk(tmp_path / str(number)).at("2025-07-28T10:00:00Z")
        for rows, at in order:
            desk.read(rows, at)
        days = ("2025-05-31", "2025-06-01", "2025-06-02", "2025-07-28")
        boards.append([[row._replace() for row in desk.board(day).rows] for day in days])
        desk.workspace.close()
    assert boards[0] == boards[1]
