"""Numbers that do not follow from their own counters (P002)."""

import pytest

from ledger import commands as orders
from tests.cases.given import marks, story
from tests.desk import Desk, claim, kinds

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
