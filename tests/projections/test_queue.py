"""What waits for reviewers, what each report is about, and what else rests on a claim."""

from datetime import timedelta

import pytest

from ledger import commands as orders
from ledger.values import Score
from projections.review.queue import claims_to_review, report_numbered, unsettled
from projections.review.resting import NONE, Others, resting_on, stating_the_same
from projections.review.waiting import NOBODY, Filters, Place, Queue, entries_of, queue_at
from tests.web.desk import BENCHMARK, COPIED, HERON, IBIS, LOON, Desk
from web.reporting.filing import file_numbered


def queue(desk: Desk, **filters: object) -> Queue:
    """The queue now."""
    desk.workspace.follower.catch_up()
    with desk.workspace.views.read() as reader:
        return queue_at(
            reader,
            desk.workspace.ledger.store,
            Filters(**filters),  # type: ignore[arg-type]
            desk.workspace.moment(),
        )


def place_of(desk: Desk, target: str) -> Place:
    """What a report about a target is about."""
    number = file_numbered(
        desk.workspace,
        "dana",
        lambda number: orders.FileReport(
            number=number, target=target, reason="other", received_at=desk.clock()
        ),
    )
    desk.workspace.follower.catch_up()
    with desk.workspace.views.read() as reader:
        report = report_numbered(reader, number)
        assert report is not None
        store, moment = desk.workspace.ledger.store, desk.workspace.moment()
        return entries_of(reader, store, [report], moment)[0].place


# --- the queue --------------------------------------------------------------------------------


def test_what_is_decided_or_withdrawn_does_not_wait(desk: Desk) -> None:
    """Unless its undoing awaits a second person."""
    desk.accept("70.1")
    withdrawn = desk.file()
    desk.workspace.ledger.do(orders.WithdrawReport(number=withdrawn), "dana")
    waits = desk.file()
    removed = desk.accept("70", IBIS)
    undoing = desk.reverse(removed, by="boris")
    assert undoing.proposed
    found = queue(desk)
    assert [entry.report.number for entry in found.entries] == [waits, removed.number]
    assert found.entries[1].report.awaiting == undoing.name
    assert found.entries[1].report.proposed_by == "boris"
    assert [entry.report.number for entry in queue(desk, awaiting=True).entries] == [removed.number]


def test_counts_are_of_what_the_other_filters_leave(desk: Desk) -> None:
    """So that each number beside a choice is how many lines it would show."""
    desk.file(HERON)
    desk.file(COPIED, reason="run-invalid")
    held = desk.file(LOON)
    desk.workspace.ledger.do(orders.AssignReport(number=held, to="clara"), "clara")
    found = queue(desk, source="kite-board")
    assert found.counts["source"] == [("kite-board", 2), ("kite-copy", 1)]
    assert found.counts["reason"] == [("wrong-value", 2)]
    assert found.counts["assignee"] == [(NOBODY, 1), ("clara", 1)]
    assert (len(found.entries), found.total) == (2, 3)


def test_age_counts_from_when_a_report_came_in(desk: Desk) -> None:
    """Whole days."""
    desk.file()
    desk.clock.now += timedelta(days=7)
    desk.file()
    found = queue(desk)
    assert [entry.days(desk.clock()) for entry in found.entries] == [7, 0]
    assert len(queue(desk, older_than=7).entries) == 1


def test_the_benchmark_and_source_of_a_report_follow_from_its_target(desk: Desk) -> None:
    """A claim, a page, frozen bytes, a correction, or nothing in particular."""
    desk.accept("70.1")
    heron = place_of(desk, f"claims/{HERON}")
    assert (heron.benchmark, heron.source, heron.score) == (BENCHMARK, "kite-board", "70.1")
    assert place_of(desk, "corrections/1").subject == heron.subject == HERON
    assert place_of(desk, f"snapshots/{desk.snapshot()}").source == "kite-board"
    assert place_of(desk, f"benchmarks/{BENCHMARK}#caveat-x") == Place(
        about="benchmarks", benchmark=BENCHMARK
    )
    assert place_of(desk, "sources/kite-copy") == Place(about="sources", source="kite-copy")
    for target in ("site", "models/x", "corrections/99", f"corrections/{'9' * 40}"):
        assert place_of(desk, target) == Place(about=target.partition("/")[0])


def test_a_claim_whose_source_moved_on_is_put_up_for_review(desk: Desk) -> None:
    """Once for each, until the source says what the decision did."""
    desk.accept("70.1")
    desk.read_again("model,score\nHeron-7B,71.9\nIbis-13B,80.0\nLoon-3B,40\n")
    desk.workspace.follower.catch_up()
    with desk.workspace.views.read() as reader:
        assert [one.claim_id for one in claims_to_review(reader)] == [HERON]
        assert unsettled(reader) == []


# --- what rests on the same -------------------------------------------------------------------


def others(desk: Desk, claim: str, *numbers: str, model: str | None = "heron-7b-1") -> Others:
    """The other claims that state one of these numbers for a model."""
    desk.workspace.follower.catch_up()
    with desk.workspace.views.read() as reader:
        return stating_the_same(
            reader,
            desk.workspace.moment(),
            claim=claim,
            benchmark=BENCHMARK,
            model=model,
            numbers=[(Score(number), "%") for number in numbers],
        )


def model_of(desk: Desk, claim: str) -> str:
    """The model of a claim."""
    with desk.workspace.views.read() as reader:
        table = reader.tables.claim_version
        query = table.select().where(table.c.claim == claim)
        return str(reader.connection.execute(query).mappings().one()["model"])


def test_a_copied_board_outlives_a_correction(desk: Desk) -> None:
    """It states the same number (72.5 is 72.50, and 0.725 of one) for the same model."""
    model = model_of(desk, HERON)
    found = others(desk, HERON, "72.5", model=model)
    assert ([one.claim_id for one in found.claims], found.total) == ([COPIED], 1)
    assert [one.claim_id for one in others(desk, COPIED, "0.725", model=model).claims] == []
    desk.accept("70.1")
    assert [one.claim_id for one in others(desk, HERON, "72.5", "70.1", model=model).claims] == [
        COPIED
    ]


@pytest.mark.parametrize(("number", "model"), [("72.51", None), ("72.5", "nobody"), ("1", None)])
def test_another_number_or_model_is_no_copy(desk: Desk, number: str, model: str | None) -> None:
    """Nor is a claim without a model."""
    assert others(desk, HERON, number, model=model or model_of(desk, HERON)) == NONE
    assert others(desk, HERON, "72.5", model=None) == NONE


def test_claims_rest_on_a_snapshot_until_their_source_was_read_to_say_otherwise(
    desk: Desk,
) -> None:
    """All that it stated, as it shows now; a list is bounded and says how many there are."""
    digest = desk.snapshot()
    desk.read_again("model,score\nHeron-7B,71.9\nIbis-13B,80.0\n")
    desk.workspace.follower.catch_up()
    with desk.workspace.views.read() as reader:
        moment = desk.workspace.moment()
        found = resting_on(reader, digest, moment, but=HERON)
        assert [(one.claim_id, one.score) for one in found.claims] == [(IBIS, "80.0")]
        bounded = resting_on(reader, digest, moment, most=1)
        assert (len(bounded.claims), bounded.total, bounded.left_out) == (1, 2, 1)
        assert resting_on(reader, "0" * 64, moment) == NONE
