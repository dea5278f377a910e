"""Taken back before it was published (P006)."""

import hashlib

import pytest

from ledger import commands as orders
from ledger.errors import (
    AlreadyDecided,
    Conflict,
    ReportClosed,
)
from ledger.values import (
    Digest,
    short_instant,
)
from tests.desk import BENCHMARK, Desk, claim


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
