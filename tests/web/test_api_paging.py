"""Lists part by part: each entry once, whatever is recorded meanwhile."""

from typing import Any

import pytest

from ledger.values import Digest
from tests.web.desk import BOARD, HERON, IBIS, LOON, Desk, Office
from tests.web.orchard import Orchard
from tests.web.people import Person
from web.app import create_app

LISTS = [
    ("/benchmarks/kitebench/claims.json", "claims"),
    ("/sources/kite-board/claims.json", "claims"),
    ("/benchmarks.json", "benchmarks"),
    ("/corrections.json", "corrections"),
    ("/audit/events.json", "events"),
    ("/audit/imports.json", "imports"),
    ("/audit/snapshots.json", "readings"),
]
MORE = "model,score\nHeron-7B,71.0\nIbis-13B,81.0\nLoon-3B,40\nKnot-9B,55\n"


def parts(person: Person, address: str, under: str) -> list[list[Any]]:
    """A list from its first part to its last."""
    found, following = [], address
    while following:
        told = person.get(following).get_json()
        found.append(told[under])
        following = told["next"]
    return found


@pytest.fixture
def decided(desk: Desk) -> Desk:
    """A desk with three decisions."""
    desk.accept("70.1", HERON)
    desk.accept("79.0", IBIS)
    desk.accept("41", LOON)
    return desk


@pytest.mark.parametrize(("address", "under"), LISTS)
def test_a_list_comes_whole_whatever_is_recorded_meanwhile(
    decided: Desk, address: str, under: str
) -> None:
    """An entry a part, with a reading, a report and a decision between the parts: what comes is
    what was there at the beginning, each once."""
    person = Office(decided, create_app(decided.workspace)).stranger()
    whole = person.get(f"{address}?limit=500").get_json()[under]
    assert whole
    found, following, done = [], f"{address}?limit=1", False
    while following:
        told = person.get(following).get_json()
        assert len(told[under]) == 1
        found += told[under]
        following = told["next"]
        if not done:
            decided.read_again(MORE)
            decided.accept("71.5", HERON)
            done = True
    assert found == whole
    assert person.get(f"{address}?limit=500").get_json()[under] != whole or under == "benchmarks"


def test_claims_of_a_model_come_part_by_part(orchard: Orchard) -> None:
    """Over all benchmarks and sources."""
    whole = orchard.json("/models/birch/claims.json")
    assert len(whole["claims"]) == 4
    assert {one["model"] for one in whole["claims"]} == {"birch"}
    first = orchard.json("/models/birch/claims.json?limit=3")
    rest = orchard.json(first["next"])
    assert first["claims"] + rest["claims"] == whole["claims"]
    assert rest["next"] is None


def test_the_address_of_the_next_part_stands_in_a_header_too(office: Office) -> None:
    """As RFC 8288 has it, whole; the last part has none."""
    person = office.stranger()
    response = person.get("/benchmarks/kitebench/claims.json?limit=3")
    following = response.get_json()["next"]
    assert response.headers["Link"] == f'<http://localhost{following}>; rel="next"'
    assert "Link" not in person.get(following).headers


def test_a_list_of_another_day_goes_on_at_that_day(office: Office) -> None:
    """The cursor holds the day that was asked for, and each part says so."""
    person = office.stranger()
    first = person.get("/benchmarks/kitebench/claims.json?as_read_on=2025-07-01&limit=2")
    rest = person.get(first.get_json()["next"])
    assert rest.get_json()["as_read_on"] == "2025-07-01"
    assert rest.get_json()["recorded_through"] == first.get_json()["recorded_through"]
    claims = [*first.get_json()["claims"], *rest.get_json()["claims"]]
    assert [one["source"] for one in claims] == [BOARD.source] * 3
    assert "immutable" in rest.headers["Cache-Control"]


def test_a_cursor_is_good_for_its_own_query_alone(decided: Desk) -> None:
    """Not for another list, another filter or another day; and none can be made up."""
    person = Office(decided, create_app(decided.workspace)).stranger()
    following = person.get("/corrections.json?limit=1").get_json()["next"]
    cursor = following.partition("cursor=")[2]
    for address in (
        f"/audit/events.json?cursor={cursor}",
        f"/corrections.json?cursor={cursor}&outcome=accepted",
        f"/corrections.json?cursor={cursor}&as_read_on=2025-07-22",
        f"/corrections.json?cursor={cursor[:-3]}",
        "/corrections.json?cursor=bm90aGluZw",
        "/corrections.json?cursor=%C3%A9",
        f"/corrections.json?cursor={'A' * 401}",
    ):
        told = person.get(address).get_json()
        assert told["status"] == 400, address
        assert told["kind"] in ("NotOurs", "BadValue"), address
    assert person.get(f"/corrections.json?cursor={cursor}&limit=2").status_code == 200


@pytest.mark.parametrize(
    "query", ["limit=0", "limit=501", "limit=x", "limit=1&before=3", "limit=²", "limit=1&count=2"]
)
def test_how_much_is_given_at_once_is_bounded(office: Office, query: str) -> None:
    """From 1 to 500; and a page's own way to go on is not mixed with it."""
    for address in ("/corrections.json", "/audit/events.json"):
        told = office.stranger().get(f"{address}?{query}").get_json()
        assert (told["status"], told["kind"]) == (400, "BadValue")


def test_what_counts_reports_that_wait_is_of_no_part_that_is_kept(decided: Desk) -> None:
    """The number of open reports is of now; a part by a cursor may be kept for ever, so it says
    nothing of that."""
    person = Office(decided, create_app(decided.workspace)).stranger()
    first = person.get("/corrections.json?limit=1").get_json()
    assert first["open"] == 0
    assert person.get(first["next"]).get_json()["open"] is None


def test_nothing_is_listed_of_what_there_is_not(office: Office) -> None:
    """A benchmark, model or source that nobody heard of has no list, rather than an empty one."""
    for kind in ("benchmarks", "models", "sources"):
        told = office.stranger().get(f"/{kind}/nothing/claims.json").get_json()
        assert (told["status"], told["kind"]) == (404, "NotFound")


def test_one_claim_is_at_the_address_that_the_list_gives(office: Office) -> None:
    """And says the same."""
    person = office.stranger()
    listed = person.get("/benchmarks/kitebench/claims.json").get_json()["claims"]
    assert [one["claim_id"] for one in listed] == sorted(one["claim_id"] for one in listed)
    for one in listed:
        told = person.get(one["address"]).get_json()
        assert told["shows"]["score"] == one["score"]
        assert (told["claim_id"], told["key"]) == (one["claim_id"], one["key"])
        assert Digest(told["readings"][0]["digest"])
