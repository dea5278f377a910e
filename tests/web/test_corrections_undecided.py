"""What was not decided is not in the public log, but for a number of what waits."""

import pytest

from ledger import commands as orders
from ledger.vocabulary import WITHDRAWALS
from tests.web.kites import HERON, LOON, Kites
from tests.web.public_log import numbers, table, text


def everything(kites: Kites) -> dict[str, str]:
    """All that the log says to strangers, address by address."""
    addresses = [f"/corrections{form}" for form in ("", ".json", ".csv", ".atom")]
    addresses += [
        "/corrections?q=heron",
        "/corrections?benchmark=kitebench",
        "/corrections.json?q=1",
    ]
    addresses += ["/corrections/1", "/corrections/1.json", "/corrections?as_read_on=2025-07-01"]
    return {address: kites.get(address).text for address in addresses}


def test_of_what_waits_there_is_a_number_and_nothing_else(kites: Kites) -> None:
    """Counts of what is open without saying what: the same whatever is waiting."""
    kites.correct("70.1")
    kites.wait(days=1)
    told_before = kites.json("/corrections.json")
    assert told_before["open"] == 0
    assert "No report waits for a decision." in text(kites, "/corrections")
    kites.file(f"claims/{LOON}", reason="contamination")
    kites.file("benchmarks/gliders", reason="missing-claim")
    assert "2 reports wait for a decision." in text(kites, "/corrections")
    assert kites.json("/corrections.json") == told_before | {"open": 2}
    assert "contamination" not in "".join(everything(kites).values())
    assert numbers(kites, "?q=contamination") == []


def test_a_proposal_is_nowhere_in_the_log(kites: Kites) -> None:
    """Not before a second person approves it; then both are named."""
    number = kites.file()
    wish = orders.Retract(claim=HERON, applies_from="start")
    name = kites.decide(wish, number=number, propose=True, statement="Take it off the boards.")
    assert "Take it off" not in "".join(everything(kites).values())
    order = orders.ApproveDecision(number=number, decision=name)
    kites.workspace.ledger.do(order, "clara")
    assert "by clara, as boris had proposed" in text(kites, "/corrections")
    assert "by clara, as boris had proposed" in text(kites, "/corrections/1")
    (row,) = table(kites)
    assert (row["decided_by"], row["proposed_by"]) == ("clara", "boris")


def test_what_was_withdrawn_before_publication_is_listed(kites: Kites) -> None:
    """Case P006: with date and reason, on no board, and without what was asked for."""
    number = kites.file(
        "benchmarks/kitebench", by="plover", reason="missing-claim", received_at=kites.clock()
    )
    kites.wait(days=4)
    kites.withdraw(number, by="plover", reason="The run had been adaptive.")
    kites.wait(days=1)
    with pytest.raises(Exception, match="withdrawn by its reporter"):
        kites.decide(number=number, outcome="accepted", snapshot=None)
    page = text(kites, "/corrections")
    assert "Withdrawn before publication" in page
    said = "5 Jul 2025, 08:00:00 UTC report 1 missing claim KiteBench v1 The run had been adaptive."
    assert said in page
    (one,) = kites.json("/corrections.json")["withdrawn"]
    assert one == {
        "report": 1,
        "withdrawn_at": "2025-07-05T08:00:00.000000Z",
        "benchmark": "kitebench",
        "reason": "missing-claim",
        "why": "The run had been adaptive.",
    }
    assert numbers(kites) == []
    assert "Withdrawn before" not in text(kites, "/corrections?as_read_on=2025-07-04")
    # A reviewer may tell of it in public; then it is an entry of the log like any other.
    kites.decide(number=number, outcome="withdrawn", snapshot=None, statement="Adaptive run.")
    assert "Correction 1: withdrawn before publication" in text(kites, "/corrections")
    assert kites.json("/corrections.json")["withdrawn"] == []
    then = "/corrections.json?as_read_on=2025-07-05&recorded_through=" + str(kites.head)
    assert len(kites.json(then)["withdrawn"]) == 1


def test_nobody_writes_on_the_log_by_withdrawing(kites: Kites) -> None:
    """Words of people without an account were read by nobody, so only fixed reasons show; what was
    set apart shows not at all; nor does the claim that it was about."""
    spam = kites.file(f"claims/{LOON}", by="reporter-00000001")
    kites.withdraw(spam, by="reporter-00000001", reason="BUY KITES https://evil.example")
    plain = kites.file("benchmarks/buy-kites", by="reporter-00000002")
    kites.withdraw(plain, by="reporter-00000002", reason="duplicate")
    chosen = kites.file(by="reporter-00000004")
    kites.withdraw(chosen, by="reporter-00000004", reason=WITHDRAWALS["settled"])
    apart = kites.file(by="reporter-00000003")
    kites.workspace.ledger.do(orders.ScreenReport(number=apart, passed=False), "boris")
    kites.withdraw(apart, by="reporter-00000003", reason="other")
    found = kites.json("/corrections.json")["withdrawn"]
    assert [(one["report"], one["why"], one["benchmark"]) for one in found] == [
        (chosen, "it was settled elsewhere", "kitebench"),
        (plain, "duplicate", None),
        (spam, None, "kitebench"),
    ]
    listed = kites.page("/corrections")
    assert "BUY KITES" not in listed
    assert "buy-kites" not in listed
    assert LOON not in listed
