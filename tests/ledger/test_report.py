"""Who may report and decide what: the rules of reports, as refusals and what follows from them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger import commands as orders
from ledger import events as ev
from ledger.errors import (
    BadValue,
    InTheFuture,
    NoSnapshotChecked,
    NotAReading,
    NotFound,
    NothingChanges,
    Refused,
    ReportClosed,
    SelfReview,
)
from ledger.values import Digest, Slug
from tests.desk import BENCHMARK, Desk, claim, open_desk

HERON = claim("heron")


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """Heron-7B was read to have 72.5 on 1 June; it is 10 June now."""
    made = open_desk(tmp_path).at("2025-06-10T12:00:00Z")
    made.read("heron,Heron-7B,72.5", "2025-06-01")
    yield made
    made.workspace.close()


def filed(desk: Desk, target: str, by: str = "reporter", number: int = 9) -> int:
    """A report about anything."""
    order = orders.FileReport(
        number=number, target=target, reason="other", received_at=desk.clock.now
    )
    desk.do(order, by)
    return number


def wish(**to: str | None) -> orders.Correct:
    """A correction of Heron-7B."""
    return orders.Correct(claim=HERON, applies_from="start", to=tuple(to.items()))


# --- filing -----------------------------------------------------------------------------------


def test_a_number_is_given_once(desk: Desk) -> None:
    """Two who file at once are told apart by the ledger."""
    filed(desk, "benchmarks/kitebench")
    with pytest.raises(BadValue, match="taken"):
        filed(desk, "benchmarks/kitebench")


@pytest.mark.parametrize("target", ["", "x" * 501, "claims/c0ffee"])
def test_a_report_is_about_something(desk: Desk, target: str) -> None:
    """Named, not too long, and a claim that there is."""
    with pytest.raises(Refused):
        filed(desk, target)


def test_a_reason_is_one_of_the_list(desk: Desk) -> None:
    """The list is versioned, so old reports stay readable."""
    order = orders.FileReport(
        number=1, target="benchmarks/kitebench", reason="because", received_at=desk.clock.now
    )
    with pytest.raises(BadValue, match="known are"):
        desk.do(order, "reporter")


def test_only_its_reporter_amends_or_withdraws_a_report(desk: Desk) -> None:
    """Whoever else they are."""
    number = desk.report(HERON)
    for order in (orders.AmendReport(number=number), orders.WithdrawReport(number=number)):
        with pytest.raises(ReportClosed, match="only its reporter"):
            desk.do(order, "reviewer")


def test_nothing_happens_to_a_report_that_was_withdrawn(desk: Desk) -> None:
    """File a new one."""
    number = desk.report(HERON)
    desk.do(orders.WithdrawReport(number=number), "reporter")
    for order in (
        orders.AmendReport(number=number),
        orders.AddEvidence(number=number, address="https://example.org"),
        orders.ScreenReport(number=number, passed=True),
    ):
        with pytest.raises(ReportClosed, match="file a new one"):
            desk.do(order, "reporter")


def test_a_handle_is_a_plain_one(desk: Desk) -> None:
    """Who did it stands in every event for ever."""
    with pytest.raises(BadValue, match="handle"):
        filed(desk, "benchmarks/kitebench", by="Dana Q. <dana@example.org>")


# --- deciding ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "terms",
    [
        {"outcome": "fine"},
        {"type": "rewrite"},
        {"reason": "  "},
        {"reason": "x" * 301},
        {"statement": ""},
        {"statement": "x" * 20_001},
        {"statement": "\u202e"},
        {"statement": "One line\nand\u200b another"},
        {"statement": "nothing\0"},
        {"statement": "a\u2028b"},
        {"reason": "wrong\u2066"},
        {"outcome": "declined"},  # and yet it would change a claim
        {"checks": ("tea",)},
    ],
)
def test_a_decision_says_what_it_has_to_in_words_that_there_are(
    desk: Desk, terms: dict[str, object]
) -> None:
    """Outcome, type, reason and statement; and only an accepted report changes claims."""
    with pytest.raises(BadValue):
        desk.decide(desk.report(HERON), wish(score="70.1"), **terms)  # type: ignore[arg-type]
    assert desk.scores() == {"Heron-7B": "72.5"}


@pytest.mark.parametrize("outcome", ["declined", "accepted"])
def test_what_settles_a_claim_names_the_snapshot_that_was_checked(desk: Desk, outcome: str) -> None:
    """Also when it changes nothing."""
    number = desk.report(HERON)
    with pytest.raises(NoSnapshotChecked):
        desk.decide(number, outcome=outcome)
    with pytest.raises(NotAReading):
        desk.decide(number, outcome=outcome, snapshot="0" * 64)
    desk.decide(number, outcome=outcome, snapshot=desk.snapshot(HERON))


@pytest.mark.parametrize("outcome", ["duplicate", "withdrawn", "cannot-be-verified"])
def test_what_settles_nothing_needs_no_snapshot(desk: Desk, outcome: str) -> None:
    """There was nothing to check it against."""
    desk.decide(desk.report(HERON), outcome=outcome)
    assert desk.log()[0].outcome == outcome


def test_a_snapshot_that_was_taken_back_proves_nothing(desk: Desk) -> None:
    """It was a mistake of ours."""
    wrong = desk.read("heron,Heron-7B,99", "2025-06-05")
    assert wrong.digest is not None
    desk.workspace.importer("curator").withdraw(wrong.digest)  # type: ignore[arg-type]
    with pytest.raises(NotAReading):
        desk.decide(desk.report(HERON), wish(score="70.1"), snapshot=wrong.digest)


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("score", "0,571"),
        ("unit", "furlongs"),
        ("published_on", "2031-01-01"),
        ("published_on", "2025-06-11"),
        ("split", "hard\x00"),
        ("setting", "a\u202eb"),
        ("url", "javascript:alert(1)"),
        ("passed", "\u0663"),
        ("total", "9" * 40),
    ],
)
def test_a_correction_may_say_no_more_than_a_row_of_a_file(
    desk: Desk, field: str, text: str
) -> None:
    """Plain numbers, known units, dates that have come, text that can be seen, addresses of the
    web, counts."""
    with pytest.raises((BadValue, InTheFuture)):
        desk.decide(desk.report(HERON), wish(**{field: text}))


def test_a_claim_is_given_only_to_a_model_that_there_is(desk: Desk) -> None:
    """Otherwise it would rank for nobody."""
    nobody = orders.Reidentify(claim=HERON, applies_from="start", model="nobody")
    with pytest.raises(NotFound):
        desk.decide(desk.report(HERON), nobody)


@pytest.mark.parametrize(
    "lift",
    [
        orders.Reinstate(claim=HERON, applies_from="start"),
        orders.Readmit(claim=HERON, applies_from="start"),
        orders.Clear(claim=HERON, applies_from="start"),
    ],
)
def test_what_does_not_stand_cannot_be_lifted(desk: Desk, lift: orders.AnyEffect) -> None:
    """A decision changes something."""
    with pytest.raises(NothingChanges):
        desk.decide(desk.report(HERON), lift)


@pytest.mark.parametrize(
    "stand",
    [
        orders.Retract(claim=HERON, applies_from="start"),
        orders.HoldOut(claim=HERON, applies_from="start"),
        orders.Dispute(claim=HERON, applies_from="start", about="the run"),
        orders.Correct(claim=HERON, applies_from="start", to=(("score", "70.1"),)),
    ],
)
def test_what_stands_already_is_not_decided_again(desk: Desk, stand: orders.AnyEffect) -> None:
    """Whoever wants it otherwise reverses it."""
    desk.decide(desk.report(HERON), stand)
    with pytest.raises(NothingChanges):
        desk.decide(desk.report(HERON), stand)


def test_what_a_source_no_longer_states_is_not_corrected(desk: Desk) -> None:
    """There is nothing there to be wrong."""
    desk.read("ibis,Ibis-13B,60", "2025-06-05")
    with pytest.raises(NothingChanges):
        desk.decide(desk.report(HERON), wish(score="70.1"))


# --- undoing ----------------------------------------------------------------------------------


def test_a_decision_is_undone_once(desk: Desk) -> None:
    """Its reversal is what may then be undone."""
    number, decision = desk.correct(HERON, score="70.1")
    desk.reverse(number, decision)
    with pytest.raises(NothingChanges, match="reversed already"):
        desk.reverse(number, decision)


@pytest.mark.parametrize("statement", ["", "x" * 20_001, "It was\u202e right.", "\0"])
def test_a_reversal_says_why_in_words_that_readers_see(desk: Desk, statement: str) -> None:
    """As a decision does: it stands in the same log."""
    number, decision = desk.correct(HERON, score="70.1")
    with pytest.raises(BadValue):
        desk.do(
            orders.ReverseDecision(number=number, decision=decision, statement=statement),
            "reviewer",
        )
    assert desk.scores() == {"Heron-7B": "70.1"}


def test_a_statement_may_have_lines(desk: Desk) -> None:
    """Whatever ends them, and with tabs in them."""
    desk.decide(desk.report(HERON), wish(score="70.1"), statement="One\r\n\ttwo\n\nthrée ✓")
    assert desk.scores() == {"Heron-7B": "70.1"}


def test_what_was_never_decided_is_not_undone(desk: Desk) -> None:
    """Not even on a report of its own."""
    number, _ = desk.correct(HERON, score="70.1")
    with pytest.raises(NotFound):
        desk.reverse(number, "9.9")


def test_a_reversal_that_names_a_snapshot_names_one_that_its_claims_rest_on(desk: Desk) -> None:
    """Something else cannot have been what was checked."""
    number, decision = desk.correct(HERON, score="70.1")

    def reverse(snapshot: Digest) -> None:
        order = orders.ReverseDecision(
            number=number, decision=decision, statement="It was right.", snapshot=snapshot
        )
        desk.do(order, "reviewer")

    with pytest.raises(NotAReading):
        reverse(Digest("0" * 64))
    reverse(desk.snapshot(HERON))
    assert desk.scores() == {"Heron-7B": "72.5"}


def test_nobody_undoes_a_decision_on_their_own_report(desk: Desk) -> None:
    """That would be deciding it."""
    number = desk.report(HERON, by="reviewer")
    decision = desk.decide(number, wish(score="70.1"), by="somebody-else")
    with pytest.raises(SelfReview):
        desk.reverse(number, decision)


def test_undoing_one_decision_leaves_the_others(desk: Desk) -> None:
    """Two corrections of two fields: each goes on its own."""
    number, decision = desk.correct(HERON, score="70.1")
    desk.correct(HERON, setting="greedy")
    desk.reverse(number, decision)
    (row,) = desk.board().rows
    assert (str(row.score), row.setting) == ("72.5", "greedy")


# --- curators ---------------------------------------------------------------------------------


@pytest.mark.parametrize("why", ["", "  "])
def test_every_act_of_a_curator_says_why(desk: Desk, why: str) -> None:
    """A rename, a rule, a caveat."""
    (row,) = desk.board().rows
    assert row.model is not None
    now = desk.clock.now
    with pytest.raises(BadValue, match="why"):
        desk.model(row.model.id, ev.ModelRenamed(name="Ibis", read_at=now, why=why))
    with pytest.raises(BadValue, match="why"):
        desk.set_rule(ev.RankingRuleSet(metric=Slug("x"), name="x", read_at=now, why=why))


def test_a_model_is_renamed_and_not_described_under_another_name(desk: Desk) -> None:
    """A rename is a step of its boards; a fact about it is not."""
    (row,) = desk.board().rows
    assert row.model is not None
    described = ev.ModelDescribed(facts={"name": "Ibis"}, read_at=desk.clock.now, why="a page")
    with pytest.raises(BadValue, match="rename"):
        desk.model(row.model.id, described)


def test_a_benchmark_keeps_a_name(desk: Desk) -> None:
    """It may get another one, never none."""
    stream = f"benchmark:{BENCHMARK}"
    gone = ev.BenchmarkDescribed(facts={"name": None}, read_at=desk.clock.now, why="a page")
    with pytest.raises(BadValue, match="name"):
        desk.do(orders.Assert(stream=stream, fact=gone))
    named = ev.BenchmarkDescribed(facts={"name": "Kite"}, read_at=desk.clock.now, why="a page")
    desk.do(orders.Assert(stream=stream, fact=named))
    assert desk.board().benchmark.name == "Kite"


def test_nobody_states_what_was_read_tomorrow(desk: Desk) -> None:
    """Only the past can have been read."""
    (row,) = desk.board().rows
    assert row.model is not None
    tomorrow = desk.clock.now.replace(day=11)
    with pytest.raises(InTheFuture):
        desk.model(row.model.id, ev.ModelRenamed(name="Ibis", read_at=tomorrow, why="a page"))
