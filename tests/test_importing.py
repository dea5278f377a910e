"""What an import makes of a board: late, refused, repeated, renamed, or taken back again."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger import events as ev
from ledger.archive import Archive
from ledger.claim import stream_of
from ledger.errors import Busy, InTheFuture, NotFound
from ledger.importing.receipt import FileReceipt
from ledger.ledger import Ledger
from ledger.store import open_store
from ledger.values import Digest, Slug, parse_instant
from projections.keeping.follow import Follower
from projections.known import KnownToViews
from tests.desk import SOURCE, Desk, claim, kinds, open_desk, shown
from tests.ledger.engines import Salt, SQLitePlace

JANUARY, FEBRUARY, MARCH, APRIL = "2025-01-10", "2025-02-10", "2025-03-10", "2025-04-10"
HERON = claim("heron")


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """An empty ledger; it is 10 June 2025."""
    made = open_desk(tmp_path).at("2025-06-10T12:00:00Z")
    yield made
    made.workspace.close()


def counts(receipt: FileReceipt) -> dict[str, int]:
    """What a receipt says happened, without what did not."""
    return {name: count for name, count in receipt.counts.items() if count}


def withdraw(desk: Desk, receipt: FileReceipt) -> list[FileReceipt]:
    """Take a reading back."""
    return desk.workspace.importer("curator").withdraw(Digest(str(receipt.digest)))


def models(desk: Desk, day: str | None = None) -> dict[str, str]:
    """Row key → model, of all that ranks."""
    board = desk.board(day, every_claim=True)
    assert board.untracked == 0
    return {row.key: row.model.id for row in board.rows if row.model is not None}


# --- late -------------------------------------------------------------------------------------


def test_a_late_reading_shows_on_its_day_and_the_next_one_still_holds(desk: Desk) -> None:
    """1 in January, 1 in March; a February reading of 2 arrives late: March still says 1."""
    desk.read("heron,Heron-7B,1", JANUARY)
    march = desk.read("heron,Heron-7B,1", MARCH, name="march.csv")
    late = desk.read("heron,Heron-7B,2", FEBRUARY)
    assert counts(late) == {"restated": 1}
    assert [desk.scores(day)["Heron-7B"] for day in (JANUARY, FEBRUARY, MARCH)] == ["1", "2", "1"]
    restored = desk.workspace.ledger.claim(HERON).readings[-1]
    assert (restored.read_at, restored.digest) == (parse_instant(MARCH), march.digest)
    assert kinds(desk.changes(JANUARY, MARCH)) == [
        ("recorded", None, "1"),
        ("restated", "1", "2"),
        ("restated", "2", "1"),
    ]


def test_a_late_reading_without_a_row_takes_it_away_until_the_next(desk: Desk) -> None:
    """It goes and comes back, as it was read."""
    desk.read("heron,Heron-7B,1;ibis,Ibis-13B,5", JANUARY)
    desk.read("heron,Heron-7B,1;ibis,Ibis-13B,5", MARCH, name="march.csv")
    desk.read("ibis,Ibis-13B,5", FEBRUARY)
    assert [list(desk.scores(day)) for day in (JANUARY, FEBRUARY, MARCH)] == [
        ["Ibis-13B", "Heron-7B"],
        ["Ibis-13B"],
        ["Ibis-13B", "Heron-7B"],
    ]


def test_a_refused_row_leaves_its_claim_as_it_was(desk: Desk) -> None:
    """And what a late reading says lasts through it, up to the next reading that can be read."""
    desk.read("heron,Heron-7B,1", JANUARY)
    refused = desk.read("heron,Heron-7B,oops", MARCH)
    desk.read("heron,Heron-7B,1", APRIL, name="april.csv")
    assert [one.field for one in refused.refused] == ["score"]
    assert desk.scores(MARCH) == {"Heron-7B": "1"}
    desk.read("heron,Heron-7B,2", FEBRUARY)
    assert [desk.scores(day)["Heron-7B"] for day in (FEBRUARY, MARCH, APRIL)] == ["2", "2", "1"]


def test_a_row_without_a_key_leaves_all_that_the_file_does_not_state(desk: Desk) -> None:
    """It may have been any of them; but what the file does state holds, also after a late one."""
    desk.read("heron,Heron-7B,1;ibis,Ibis-13B,5", JANUARY)
    march = desk.read("heron,Heron-7B,1;,,5", MARCH)
    assert counts(march) == {"unchanged": 1}
    assert desk.scores(MARCH) == {"Ibis-13B": "5", "Heron-7B": "1"}
    desk.read("heron,Heron-7B,2;ibis,Ibis-13B,6", FEBRUARY)
    assert desk.scores(FEBRUARY) == {"Ibis-13B": "6", "Heron-7B": "2"}
    assert desk.scores(MARCH) == {"Ibis-13B": "6", "Heron-7B": "1"}


def test_readings_of_one_instant_count_in_the_order_of_their_names(desk: Desk) -> None:
    """Whichever arrives first; without an order the later arrival counts."""
    for order, score in (("002", "2"), ("001", "1"), ("003", "3")):
        desk.read(f"heron,Heron-7B,{score}", name=f"2025-01-10T000000Z-{order}.csv")
    assert desk.scores(JANUARY) == {"Heron-7B": "3"}
    for score in ("8", "9"):
        desk.read(f"ibis,Ibis-13B,{score}", FEBRUARY, source="other")
    assert desk.scores(FEBRUARY)["Ibis-13B"] == "9"


def test_the_same_bytes_source_and_instant_again_record_nothing(desk: Desk) -> None:
    """At another instant they are another reading, also where nothing changed."""
    desk.read("heron,Heron-7B,1", JANUARY)
    head = desk.workspace.ledger.store.head()
    again = desk.read("heron,Heron-7B,1", JANUARY)
    assert (again.known_already, counts(again)) == (True, {"unchanged": 1})
    assert desk.workspace.ledger.store.head() == head
    desk.read("heron,Heron-7B,1", FEBRUARY)
    facts = desk.workspace.ledger.facts(f"source:{SOURCE}")
    assert sum(isinstance(fact, ev.SourceFrozen) for fact in facts) == 2
    assert len(desk.workspace.ledger.facts(stream_of(HERON))) == 1


def test_other_digits_of_the_same_number_are_a_restatement(desk: Desk) -> None:
    """The digits are what was read."""
    desk.read("heron,Heron-7B,72.5", JANUARY)
    assert counts(desk.read("heron,Heron-7B,72.50", FEBRUARY)) == {"restated": 1}
    assert [desk.scores(day)["Heron-7B"] for day in (JANUARY, FEBRUARY)] == ["72.5", "72.50"]


def test_filling_in_is_recording_and_not_restating(desk: Desk) -> None:
    """From null to a number; from a number to null it is gone, and may come back."""
    desk.read("heron,Heron-7B,", JANUARY)
    assert counts(desk.read("heron,Heron-7B,1", FEBRUARY)) == {"recorded": 1}
    assert counts(desk.read("heron,Heron-7B,", MARCH, name="b.csv")) == {"delisted": 1}
    assert counts(desk.read("heron,Heron-7B,1", APRIL, name="c.csv")) == {"relisted": 1}


def test_a_reading_in_the_future_records_nothing(desk: Desk) -> None:
    """Nor does it leave anything at hand for the next file."""
    with pytest.raises(InTheFuture):
        desk.read("heron,Heron-7B,1", "2025-06-11")
    assert desk.workspace.ledger.store.head() == 0
    desk.read("heron,Heron-7B,1", "2025-06-10")
    assert desk.scores() == {"Heron-7B": "1"}


# --- taken back -------------------------------------------------------------------------------


def test_a_reading_taken_back_restores_what_the_one_before_said(desk: Desk) -> None:
    """At its own instant, and nothing changes at the next one."""
    desk.read("heron,Heron-7B,1;ibis,Ibis-13B,5", JANUARY)
    wrong = desk.read("heron,Heron-7B,2;loon,Loon-3B,7", FEBRUARY)
    desk.read("heron,Heron-7B,3;ibis,Ibis-13B,5", MARCH)
    (receipt,) = withdraw(desk, wrong)
    assert counts(receipt) == {"restated": 1, "delisted": 1, "relisted": 1}
    assert desk.scores(FEBRUARY) == {"Ibis-13B": "5", "Heron-7B": "1"}
    assert desk.scores(MARCH) == {"Ibis-13B": "5", "Heron-7B": "3"}


def test_the_only_reading_taken_back_leaves_an_empty_board(desk: Desk) -> None:
    """And pages that still say so; read again it is there again."""
    wrong = desk.read("heron,Heron-7B,1", JANUARY)
    withdraw(desk, wrong)
    assert desk.scores() == {}
    assert desk.workspace.follower.check() == []
    again = desk.read("heron,Heron-7B,1", JANUARY)
    assert not again.known_already
    assert desk.scores(JANUARY) == {"Heron-7B": "1"}


def test_what_was_never_read_cannot_be_taken_back(desk: Desk) -> None:
    """Nor can it be twice."""
    wrong = desk.read("heron,Heron-7B,1", JANUARY)
    withdraw(desk, wrong)
    with pytest.raises(NotFound):
        withdraw(desk, wrong)
    with pytest.raises(NotFound):
        desk.workspace.importer("curator").withdraw(Digest("0" * 64))


def test_a_wrong_name_taken_back_is_the_rows_name_no_longer(desk: Desk) -> None:
    """Read again under another name, the row is about the model of that name."""
    wrong = desk.read("k,Heron-7B,1", JANUARY)
    heron = models(desk)["k"]
    withdraw(desk, wrong)
    desk.read("k,Ibis-13B,1", FEBRUARY)
    assert models(desk)["k"] != heron
    assert desk.scores() == {"Ibis-13B": "1"}


def test_without_its_first_reading_a_row_takes_the_name_that_it_bore_next(desk: Desk) -> None:
    """That name means a model too, though it had not been needed before."""
    first = desk.read("k,Heron-7B,1", JANUARY)
    desk.read("k,Ibis-13B,1", FEBRUARY)
    assert desk.scores(FEBRUARY) == {"Heron-7B": "1"}
    withdraw(desk, first)
    assert desk.board(FEBRUARY).untracked == 0
    assert desk.scores(FEBRUARY) == {"Ibis-13B": "1"}
    assert desk.scores(JANUARY) == {}


# --- names ------------------------------------------------------------------------------------


def test_a_row_that_changes_its_name_keeps_its_model(desk: Desk) -> None:
    """Whichever of its names arrives first, the first one that it bore counts."""
    desk.read("k,Heron-7B,1", JANUARY)
    desk.read("k,Ibis-13B,1", FEBRUARY)
    desk.read("k,Loon-3B,1", "2025-01-01")
    assert shown(desk.board(FEBRUARY)) == {"Loon-3B": "1"}
    assert desk.board(FEBRUARY).rows[0].as_written == "Ibis-13B"
    assert len({models(desk, day)["k"] for day in ("2025-01-01", JANUARY, FEBRUARY)}) == 1


def test_a_name_that_a_curator_took_back_is_not_given_again_by_an_import(desk: Desk) -> None:
    """The next row of that name is a model of its own, and the old row stays without one."""
    desk.read("k,Heron-7B,1", JANUARY)
    heron = models(desk)["k"]
    at = parse_instant(FEBRUARY)
    desk.model(heron, ev.AliasWithdrawn(name="Heron-7B", read_at=at, why="it was another model"))
    desk.read("k2,Heron-7B,2", MARCH, source="other")
    board = desk.board(MARCH, every_claim=True)
    assert {row.key for row in board.rows} == {"k2"}
    assert board.untracked == 1
    assert board.rows[0].model is not None
    assert board.rows[0].model.id != heron


def test_full_width_and_spaces_make_no_other_model_nor_another_name(desk: Desk) -> None:
    """However it was written first, the model is called by its plain name."""
    desk.read("a,\uff28eron 7B,1;b,Heron  7B,2;c,Heron 7B,3", JANUARY)
    board = desk.board(every_claim=True)
    assert {row.name for row in board.rows} == {"Heron 7B"}
    assert {row.as_written for row in board.rows} == {"\uff28eron 7B", "Heron  7B", "Heron 7B"}
    assert len(set(models(desk).values())) == 1


def test_what_was_said_of_a_model_outlasts_that_it_was_met_later(desk: Desk) -> None:
    """A release that was read before the import's reading is not undone by the registration."""
    desk.read("k,Heron-7B,1", MARCH)
    heron = models(desk)["k"]
    described = ev.ModelDescribed(
        facts={"released": "2024-12"}, read_at=parse_instant(FEBRUARY), why="its launch post"
    )
    desk.model(heron, described)
    assert [str(row.published_on) for row in desk.board(MARCH).rows] == ["2024-12"]
    desk.read("k,Heron-7B,1", JANUARY, name="late.csv")
    (row,) = desk.board(FEBRUARY).rows
    assert (row.name, str(row.published_on)) == ("Heron-7B", "2024-12")


def test_unknown_names_are_only_counted_where_one_says_so(desk: Desk) -> None:
    """--only-tracked registers nobody."""
    desk.only_tracked("model,score\nHeron-7B,1\n", JANUARY)
    board = desk.board()
    assert (board.rows, board.untracked) == ((), 1)


# --- metrics ----------------------------------------------------------------------------------

TWO = "key,model,score,metric,unit"


@pytest.mark.parametrize("late_first", [False, True])
def test_a_metric_ranks_as_its_earliest_reading_had_it(desk: Desk, *, late_first: bool) -> None:
    """Unit and headline do not depend on which file arrived first."""
    files = [
        ("a,Heron,1,pass,;a,Heron,2,speed,s", JANUARY),
        ("a,Heron,1,speed,ms;a,Heron,2,pass,%", FEBRUARY),
    ]
    for rows, at in reversed(files) if late_first else files:
        desk.read(rows, at, header=TWO, source=f"of-{at}")
    for day in (JANUARY, FEBRUARY):
        board = desk.board(day)
        assert board.rule is not None
        assert (board.rule.metric, board.rule.ordinal) == ("pass", 0)
        assert desk.board(day, metric="speed").rule.unit == "%"  # type: ignore[union-attr]


def test_a_rule_that_somebody_set_is_not_undone_by_a_reading(desk: Desk) -> None:
    """Known by then it ranks the board; known later it is stated for the earlier day too."""
    rule = ev.RankingRuleSet(
        metric=Slug("score"),
        name="Errors",
        unit="%",
        higher_is_better=False,
        read_at=parse_instant(MARCH),
        why="the board says so",
    )
    desk.read("x,Loon-3B,1", APRIL, source="other")
    desk.set_rule(rule)
    desk.read("a,Heron-7B,9;b,Ibis-13B,3", FEBRUARY)
    for day in (FEBRUARY, MARCH):
        assert list(desk.scores(day)) == ["Ibis-13B", "Heron-7B"]
    assert list(desk.scores(APRIL)) == ["Loon-3B", "Ibis-13B", "Heron-7B"]


def test_a_rule_set_again_does_not_give_the_headline_away(desk: Desk) -> None:
    """The metric that was known first stays the headline, whenever its rule was last set."""
    desk.read("a,Heron,1,pass,%;a,Heron,2,speed,%", JANUARY, header=TWO)
    again = ev.RankingRuleSet(
        metric=Slug("pass"), name="pass@1", unit="%", read_at=parse_instant(MARCH), why="its name"
    )
    desk.set_rule(again)
    for day in (JANUARY, MARCH):
        rule = desk.board(day).rule
        assert rule is not None
        assert rule.metric == "pass"


# --- who else writes --------------------------------------------------------------------------


def test_an_importer_sees_what_others_recorded_meanwhile(desk: Desk) -> None:
    """A model that was renamed between two files is not met as a new one."""
    desk.read("a,lab-a/Heron,1", JANUARY)
    heron = models(desk)["a"]
    at = parse_instant(FEBRUARY)
    desk.model(heron, ev.ModelRenamed(name="corp-b/Heron", read_at=at, why="it moved"))
    desk.read("b,corp-b/Heron,1", MARCH)
    assert models(desk) == {"b": heron}


def test_an_import_that_found_the_ledger_busy_can_be_repeated(tmp_path: Path) -> None:
    """Nothing was recorded, and nothing is taken for recorded: the next try does it all."""
    desk = open_desk(tmp_path).at("2025-06-10T12:00:00Z")
    desk.read("heron,Heron-7B,1", JANUARY)
    place = SQLitePlace(str(desk.workspace.settings.ledger))
    impatient = open_store(place.where, clock=desk.clock, salt=Salt(), patience=0.1)
    ledger = Ledger(impatient, Archive(desk.workspace.settings.archive), desk.clock)
    follower = Follower(impatient, desk.workspace.views)
    known = KnownToViews(impatient, desk.workspace.views, follower)
    desk.importer = type(desk.importer)(ledger, known, "curator")
    with place.locked(), pytest.raises(Busy):
        desk.read("heron,Heron-7B,2", FEBRUARY)
    again = desk.read("heron,Heron-7B,2", FEBRUARY)
    assert (again.known_already, counts(again)) == (False, {"restated": 1})
    assert desk.scores(FEBRUARY) == {"Heron-7B": "2"}
    impatient.close()
    desk.workspace.close()


def test_a_dry_run_says_the_same_and_records_nothing(desk: Desk) -> None:
    """File after file, as if each had been recorded."""
    desk.read("heron,Heron-7B,1", JANUARY)
    head = desk.workspace.ledger.store.head()
    really = desk.importer
    desk.importer = desk.workspace.importer("curator", dry_run=True)
    said = [desk.read("heron,Heron-7B,2;ibis,Ibis-13B,5", at) for at in (FEBRUARY, MARCH)]
    assert desk.workspace.ledger.store.head() == head
    desk.importer = really
    done = [desk.read("heron,Heron-7B,2;ibis,Ibis-13B,5", at) for at in (FEBRUARY, MARCH)]
    assert [counts(one) for one in said] == [counts(one) for one in done]
    assert [counts(one) for one in done] == [{"recorded": 1, "restated": 1}, {"unchanged": 2}]
