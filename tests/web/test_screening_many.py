"""Rubbish in great numbers: rejected at once, and the few who mean it are not lost (P040)."""

from datetime import timedelta

import pytest
from flask import Flask

from ledger import commands as orders
from ledger import events as ev
from ledger.errors import BadValue, NothingChanges
from ledger.report import stream_of
from tests.web.orchard import BIRCH, Hand
from tests.web.people import stranger
from tests.web.suspects import (
    ADVERT,
    SOURCE,
    TARGET,
    apart,
    filed,
    in_queue,
    opened,
    posted,
    remark,
    workspace,
)
from web.app import create_app
from web.private import reporters, suspected
from web.reporting import filing, screening
from web.reporting.pages import TRAP
from web.reporting.screening import HIDDEN_FIELD, ONLY_LINKS
from web.wiring import Workspace

__all__ = ["opened", "workspace"]


# --- many at once -----------------------------------------------------------------------------


def test_many_are_rejected_at_once_for_one_reason(workspace: Workspace) -> None:
    """Reports in the queue and suspected posts together: one reason, one count, and each can be
    brought back with its own time."""
    numbers = [filed(workspace, remark(f"Row {n} is wrong somehow")) for n in range(4)]
    keys = [apart(workspace, words=f"{ADVERT}/{n}") for n in range(3)]
    handle = workspace.ledger.report(numbers[3]).filed_by
    workspace.ledger.do(orders.WithdrawReport(number=numbers[3]), handle)
    done = screening.reject(workspace, "reviewer", "advertising", numbers=numbers, keys=keys)
    assert (done.count, done.skipped) == (6, (str(numbers[3]),))
    assert in_queue(workspace) == []
    causes = set()
    for number in numbers[:3]:
        *_, last = workspace.ledger.store.stream(stream_of(number))
        assert isinstance(last.event, ev.ReportScreened)
        assert (last.event.passed, last.event.reason) == (False, "advertising")
        causes.add(last.envelope.cause)
    assert len(causes) == 1
    rejected = suspected.suspects(workspace.private, suspected.REJECTED)
    assert {(one.rejected_by, one.reason) for one in rejected} == {("reviewer", "advertising")}
    again = screening.reject(workspace, "reviewer", "again", numbers=numbers, keys=keys)
    assert (again.count, len(again.skipped)) == (0, 5)
    screening.bring_back(workspace, numbers[0], "reviewer")
    assert in_queue(workspace) == [numbers[0]]
    with pytest.raises(NothingChanges):
        screening.bring_back(workspace, numbers[0], "reviewer")
    assert screening.rescue(workspace, keys[0], "reviewer")


@pytest.mark.parametrize(
    ("reason", "numbers"), [("", [1]), (" \n", [1]), ("x" * 501, [1]), ("fine", [])]
)
def test_a_rejection_has_a_reason_and_something_to_reject(
    workspace: Workspace, reason: str, numbers: list[int]
) -> None:
    """Otherwise it is refused before anything happens."""
    with pytest.raises(BadValue):
        screening.reject(workspace, "reviewer", reason, numbers=numbers)


def test_what_was_rejected_long_ago_can_be_purged(opened: tuple[Workspace, Hand]) -> None:
    """What waits, or was rejected lately, stays."""
    workspace, clock = opened
    old, new, waiting = (apart(workspace, words=f"{ADVERT}/{n}") for n in range(3))
    screening.reject(workspace, "reviewer", "advertising", keys=[old])
    clock.now += timedelta(days=40)
    screening.reject(workspace, "reviewer", "advertising", keys=[new])
    assert screening.purge_rejected(workspace, clock.now - timedelta(days=30)) == 1
    assert suspected.counts(workspace.private) == {"waiting": 1, "rejected": 1}
    assert suspected.suspect(workspace.private, waiting).key == waiting


def test_suspected_posts_are_bounded(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    """When there are too many, the oldest go, with their letters."""
    monkeypatch.setattr(suspected, "MOST", 5)
    keys = [apart(workspace, words=f"{ADVERT}/{n}") for n in range(7)]
    assert sum(suspected.counts(workspace.private).values()) == 5
    kept = [key for key in keys if reporters.letter_with(workspace.private, key)]
    assert len(kept) == 5


# --- 1,330 posts (P040) -----------------------------------------------------------------------


GENUINE = (
    {"words": "Table 4 of the report has 70.1 for Birch, not 69.", "set-score": "70.1"},
    {
        "words": "Our lab measured this model with another prompt, see the appendix.",
        "wish": "remark",
    },
    {"words": f"It is 70.1 {SOURCE}", "wish": "remark", "reason": "wrong-source"},
)


def test_the_three_who_mean_it_are_not_lost_among_1330_posts(workspace: Workspace) -> None:
    """1,200 with the hidden field, 127 links, 3 reports: the queue has the three, the rest is
    apart, rejected in one go, purged without a trace, and one that was not rubbish is rescued."""
    head = workspace.ledger.store.head()
    for count in range(1_330):
        typed = {"reason": "wrong-value", "words": f"{ADVERT}/{count}"}
        if count in (100, 700, 1_300):
            said = remark(GENUINE[(100, 700, 1_300).index(count)]["words"], reason="wrong-value")
            assert screening.suspicion(workspace, said) is None
            filing.file_report(workspace, posted(workspace, words=said.words), said)
        elif count % 10 == 5 and count < 1_270:
            said = remark(typed["words"])
            why = screening.suspicion(workspace, said)
            assert why == ONLY_LINKS
            screening.set_apart(workspace, posted(workspace, **typed), why, said)
        else:
            screening.set_apart(workspace, posted(workspace, **typed), HIDDEN_FIELD)
    private = workspace.private
    by_why = suspected.counts_by_why(private)
    assert by_why == {HIDDEN_FIELD: 1_200, ONLY_LINKS: 127}
    assert in_queue(workspace) == [2, 3, 4]
    assert workspace.ledger.store.head() == head + 3
    keys = suspected.keys_of(private)
    done = screening.reject(workspace, "reviewer", "advertising", keys=keys)
    assert (done.count, done.skipped) == (1_327, ())
    number = screening.rescue(workspace, keys[77], "reviewer")
    assert in_queue(workspace) == [2, 3, 4, number]
    assert screening.purge(workspace, suspected.keys_of(private, suspected.REJECTED)) == 1_326
    assert suspected.counts(private) == {}
    assert workspace.ledger.store.head() == head + 5


@pytest.fixture
def app(workspace: Workspace) -> Flask:
    """The pages."""
    return create_app(workspace)


def test_bots_that_post_get_the_usual_thank_you_page(workspace: Workspace, app: Flask) -> None:
    """Through the form: 60 posts from 24 addresses; the three show in the queue, nothing of the
    rest anywhere that is public."""
    pages: set[str] = set()
    for count in range(60):
        person = stranger(app, workspace)
        fields = {"target": TARGET, "reason": "wrong-value", "wish": "change"}
        if count in (10, 30, 50):
            fields |= GENUINE[count // 20]
        elif count % 7 == 3:
            fields |= {"wish": "remark", "words": f"{ADVERT}/{count} advert-mark"}
        else:
            fields |= {TRAP: ADVERT, "words": f"{ADVERT}/{count} advert-mark", "wish": "remark"}
        base = {"REMOTE_ADDR": f"198.51.100.{count % 24}"}
        response = person.post("/report", fields, environ_base=base)
        assert response.status_code == 303, response.text
        page = person.get(response.headers["Location"])
        assert page.status_code == 200
        pages.add(page.text.partition("<section>")[0].partition("</h1>")[2])
    assert len(pages) <= 4  # alike but for the number of a report
    assert len(in_queue(workspace)) == 3
    for address in (
        "/",
        "/corrections",
        "/corrections.json",
        "/corrections.atom",
        "/corrections.csv",
        f"/claims/{BIRCH}",
        "/benchmarks/orchard.csv",
    ):
        text = stranger(app, workspace).get(address).text
        assert "advert-mark" not in text
        assert "casino" not in text
