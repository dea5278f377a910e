"""The client asks the real server, and its answers are what the pages say."""

from collections.abc import Iterator
from datetime import timedelta

import pytest

from tests.web.desk import BENCHMARK, HERON, IBIS, LOON, Desk, Office
from tests.web.programs import token_of
from tests.web.served import served
from tests.web.shelved import GRAFTS, Shelved, shelved
from web.client.client import Client, ServerRefused

__all__ = ["shelved"]

KEY = "3f1c09ab-77de-4a39-9d0c-5f2f6f0f0a11"


@pytest.fixture
def address(office: Office) -> Iterator[str]:
    """Where the desk is served."""
    with served(office.app) as found:
        yield found


@pytest.fixture
def client(address: str) -> Iterator[Client]:
    """Somebody without a token."""
    with Client.at(address) as asking:
        yield asking


def test_a_board_is_as_read_on_its_day(client: Client, desk: Desk) -> None:
    """Digits as written; another day is another board, and pinned it stays."""
    desk.read_again("model,score\nHeron-7B,73.10\nIbis-13B,80.0\n")
    now, then = client.board(BENCHMARK), client.board(BENCHMARK, as_read_on="2025-07-05")
    assert [(row.name, row.score) for row in now.rows] == [
        ("Ibis-13B", "80.0"),
        ("Heron-7B", "73.10"),
    ]
    assert [row.score for row in then.rows] == ["80.0", "72.50", "40"]
    assert (then.as_read_on, then.view, then.benchmark) == ("2025-07-05", "all", BENCHMARK)
    pinned = client.board(BENCHMARK, as_read_on="2025-07-20", recorded_through=str(now.position))
    assert [row.score for row in pinned.rows] == [row.score for row in now.rows]
    assert now.told["status"]


def test_changes_come_with_their_causes(client: Client, desk: Desk) -> None:
    """What a source says anew, and what was decided."""
    desk.read_again("model,score\nHeron-7B,73.1\nIbis-13B,80.0\nLoon-3B,40\n")
    (change,) = client.changes(BENCHMARK, "2025-07-05", "2025-07-20")
    assert (change.name, change.old, change.new, change.cause) == (
        "Heron-7B",
        "72.5",
        "73.1",
        "source",
    )


def test_a_claim_says_what_was_decided_about_it(client: Client, desk: Desk) -> None:
    """What its source says, what shows instead, and the entry of the log."""
    desk.accept("70.1", HERON)
    claim = client.claim(HERON, corrected="since")
    assert (claim.score_said, claim.score_shown) == ("72.5", "70.1")
    (entry,) = claim.corrections
    assert (entry.number, entry.outcome, entry.in_force) == (1, "accepted", True)


def test_the_log_comes_whole_part_by_part(client: Client, desk: Desk) -> None:
    """Newest first; what is decided meanwhile is of the next time."""
    for score, claim in (("70.1", HERON), ("79.0", IBIS), ("41", LOON)):
        desk.accept(score, claim)
    found = client.corrections(limit=1)
    first = next(found)
    desk.accept("71", HERON)
    assert [first.number, *(one.number for one in found)] == [3, 2, 1]
    assert [one.number for one in client.corrections(outcome="declined")] == []


def test_papers_are_listed_and_looked_up(shelved: Shelved) -> None:
    """With how much is known of each."""
    with served(shelved.pages.app) as address, Client.at(address) as client:
        (listed,) = client.papers()
        paper = client.paper(listed.id)
    assert f"/papers/{paper.id}" == GRAFTS
    assert (paper.title, paper.repositories, paper.records) == (listed.title, 2, 1)


def test_a_report_is_filed_and_decided(client: Client, desk: Desk, address: str) -> None:
    """Once, however often it is sent; its decision is in the log."""
    said = {"wish": "change", "set_score": "70.1", "words": "Table 2 says 70.1."}
    filed = client.file_report(f"claims/{HERON}", "wrong-value", key=KEY, **said)
    again = client.file_report(f"claims/{HERON}", "wrong-value", key=KEY, **said)
    assert filed == again
    assert "/reports/" in filed.letter
    assert filed.letter not in repr(filed)
    with Client.at(address, token_of(desk.workspace, "boris", "read", "decide")) as boris:
        report = boris.report(1)
        assert report.subject is not None
        order = {
            "outcome": "declined",
            "reason": "wrong-value",
            "statement": "Table 2 is of another model.",
            "version": report.version,
            "snapshot": report.subject["snapshots"][0],
        }
        decided = boris.decide(1, order)
    assert decided.entry is not None
    assert (decided.entry.number, decided.entry.decided_by) == (1, "boris")
    assert [one.decided_by for one in client.corrections()] == ["boris"]


def test_what_the_server_refuses_is_said_in_its_words(client: Client) -> None:
    """With the lasting name of the refusal."""
    with pytest.raises(ServerRefused, match="no benchmark called nothing") as no:
        client.board("nothing")
    assert (no.value.kind, no.value.fields["status"]) == ("NotFound", 404)
    with pytest.raises(ServerRefused, match="2999"):
        client.board(BENCHMARK, as_read_on="2999-01-01")
    with pytest.raises(ServerRefused) as no:
        client.report(1)
    assert no.value.fields["status"] == 404
    with pytest.raises(TypeError, match="as_read"):
        client.board(BENCHMARK, as_read="2025-07-01")


def test_a_client_waits_as_long_as_it_is_told(office: Office) -> None:
    """Where nothing was done it asks again; where that takes longer than anybody waits, it says so
    at once."""
    waited: list[float] = []

    def wait(seconds: float) -> None:
        waited.append(seconds)
        office.desk.clock.now += timedelta(seconds=seconds)

    with served(office.app) as address, Client.at(address) as asking:
        patient = Client(asking.http, wait)
        said = {"words": "The search finds nothing.", "said_already": "anyway"}
        for _ in range(10):
            patient.file_report("site", "other", **said)
        with pytest.raises(ServerRefused) as no:
            patient.file_report("site", "other", **said)
        assert (no.value.kind, waited) == ("TooMany", [])
        assert no.value.retry_after is not None
        office.desk.clock.now += timedelta(seconds=no.value.retry_after - 40)
        patient.file_report("site", "other", **said)
    (seconds,) = waited
    assert 1 <= seconds <= 60
