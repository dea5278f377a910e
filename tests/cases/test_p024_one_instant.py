"""One instant, three facts (P024)."""

import pytest

from ledger import events as ev
from ledger.claim import stream_of
from ledger.events import Change, Statement
from ledger.store import NewEvents
from ledger.values import (
    Digest,
    Score,
    Slug,
    parse_instant,
)
from tests.cases.given import story
from tests.desk import BENCHMARK, SOURCE, Desk, claim, kinds
from tests.ledger.engines import SQLitePlace

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
