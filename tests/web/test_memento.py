"""Memento (RFC 7089): originals, TimeGates, TimeMaps and mementos, as programs see them."""

import re
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
from werkzeug.http import http_date, parse_date
from werkzeug.test import TestResponse

from tests.web.orchard import BIRCH, BOARD, WRONG, Orchard, correct, read_board

HOST = "http://localhost"
GATE, MAP = f"/timegate{BOARD}", f"/timemap{BOARD}"
LINK = re.compile(r'<(?P<address>[^>]+)>(?P<told>(?:; ?[a-z]+="[^"]*")+)')
TOLD = re.compile(r'([a-z]+)="([^"]*)"')

Link = dict[str, str]


def links(text: str) -> list[Link]:
    """Links as a header and as link-format write them (RFC 8288, RFC 6690)."""
    found = [
        {"address": one["address"], **dict(TOLD.findall(one["told"]))}
        for one in LINK.finditer(text)
    ]
    joined = re.sub(r",\s*", "", LINK.sub("", text)).strip()
    assert not joined, f"what is no link: {joined}"
    return found


def linked(response: TestResponse, rel: str) -> Link:
    """The one link of a relation."""
    text = response.headers.get("Link", "") if response.mimetype != FORMAT else response.text
    (found,) = [one for one in links(text) if rel in one["rel"].split()]
    return found


FORMAT = "application/link-format"


def ask(orchard: Orchard, address: str, when: str | None = None) -> TestResponse:
    """Ask a TimeGate."""
    headers = {"Accept-Datetime": when} if when else {}
    return orchard.client.get(address, headers=headers)


# --- original resources and mementos ----------------------------------------------------------


@pytest.mark.parametrize(
    "path", [BOARD, f"{BOARD}?view=labs&metric=grown&every_claim=yes", f"/claims/{BIRCH}"]
)
def test_an_original_resource_names_its_timegate_and_timemap(orchard: Orchard, path: str) -> None:
    """And is no memento, nor is the same page of another day that is not pinned."""
    response = orchard.get(path)
    assert linked(response, "original")["address"] == f"{HOST}{path}"
    gate = linked(response, "timegate")["address"]
    assert gate == f"{HOST}/timegate{path}"
    assert linked(response, "timemap") == {
        "address": f"{HOST}/timemap{path}",
        "rel": "timemap",
        "type": FORMAT,
    }
    also = f"{path}{'&' if '?' in path else '?'}as_read_on=2025-08-01"
    for one in (response, orchard.get(also)):
        assert "Memento-Datetime" not in one.headers
    assert linked(orchard.get(also), "original")["address"] == f"{HOST}{path}"


@pytest.mark.parametrize(
    ("query", "is_memento"),
    [
        ("as_read_on=2025-08-01&recorded_through=40", True),
        ("as_read_on=2025-08-01&recorded_through=40&corrected=then&view=labs", True),
        ("as_read_on=2025-08-01&recorded_through=2025-08-15", False),
        ("recorded_through=40", False),
        ("as_read_on=2025-08-01&recorded_through=40&corrected=since", False),
        ("as_read_on=2025-08-01&recorded_through=40&published_by=2025-08-01", False),
        ("as_read_on=2025-08-01&recorded_through=40&sort=model", False),
    ],
)
def test_only_what_is_fixed_and_shows_what_was_read_is_a_memento(
    orchard: Orchard, query: str, *, is_memento: bool
) -> None:
    """The day in the header is the end of the day that is shown."""
    said = orchard.get(f"{BOARD}?{query}").headers.get("Memento-Datetime")
    assert said == ("Fri, 01 Aug 2025 23:59:59 GMT" if is_memento else None)


def test_other_pages_are_no_mementos(orchard: Orchard) -> None:
    """What is no original resource does not bear the header, nor do errors and other forms."""
    pinned = "as_read_on=2025-08-01&recorded_through=40"
    for path in ("/", "/models/birch", "/sources/orchard-board", f"{BOARD}.json", f"{BOARD}/none"):
        assert "Memento-Datetime" not in orchard.get(f"{path}?{pinned}").headers


# --- TimeGate ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("when", "read"),
    [
        ("Mon, 28 Jul 2025 23:59:59 GMT", "2025-07-28T23:59:59.999999Z"),
        ("Mon, 28 Jul 2025 23:59:58 GMT", "2025-07-20T00:00:00Z"),
        ("Tue, 29 Jul 2025 00:00:00 GMT", "2025-07-29T00:00:00Z"),
        ("Tue, 29 Jul 2025 06:29:59 GMT", "2025-07-29T00:00:00Z"),
        ("Sat, 09 Aug 2025 00:00:00 GMT", "2025-07-29T06:30:00Z"),
        ("Sun, 10 Aug 2025 09:00:00 GMT", "2025-08-10T09:00:00Z"),
        ("Thu, 01 Jan 2015 00:00:00 GMT", "2025-07-20T00:00:00Z"),
        ("Tue, 01 Jan 2999 00:00:00 GMT", "2025-08-10T09:00:00Z"),
        (None, "2025-08-10T09:00:00Z"),
    ],
)
def test_a_timegate_leads_to_the_page_as_it_was_then(
    orchard: Orchard, when: str | None, read: str
) -> None:
    """The last one by that second; the first where none is so early, the last where none is asked
    for."""
    response = ask(orchard, GATE, when)
    assert (response.status_code, response.data) == (302, b"")
    assert "accept-datetime" in response.headers["Vary"].lower()
    assert "Memento-Datetime" not in response.headers
    assert response.headers["Cache-Control"] == "no-cache"
    assert "ETag" not in response.headers
    assert linked(response, "original")["address"] == f"{HOST}{BOARD}"
    assert linked(response, "timemap")["address"] == f"{HOST}{MAP}"
    where = urlsplit(response.headers["Location"])
    assert (f"{where.scheme}://{where.netloc}", where.path) == (HOST, BOARD)
    asked = parse_qs(where.query)
    assert (asked["as_read_on"], asked["corrected"]) == ([read], ["then"])
    memento = orchard.get(response.headers["Location"])
    assert memento.status_code == 200
    assert memento.headers["Cache-Control"].endswith("immutable")
    assert linked(memento, "original")["address"] == f"{HOST}{BOARD}"
    said = parse_date(memento.headers["Memento-Datetime"])
    assert said == datetime.fromisoformat(read).replace(microsecond=0)


def test_a_timegate_knows_the_board_that_is_asked_for(orchard: Orchard) -> None:
    """Its own days: independent runs knew nothing of the correction."""
    response = ask(orchard, f"{GATE}?view=independent&metric=grown")
    asked = parse_qs(urlsplit(response.headers["Location"]).query)
    assert (asked["view"], asked["metric"]) == (["independent"], ["grown"])
    assert asked["as_read_on"] == ["2025-07-29T06:30:00Z"]
    claim = ask(orchard, f"/timegate/claims/{WRONG}", "Sat, 02 Aug 2025 00:00:00 GMT")
    asked = parse_qs(urlsplit(claim.headers["Location"]).query)
    assert asked["as_read_on"] == ["2025-07-20T00:00:00Z"]


def test_a_timegate_takes_the_whole_address_too(orchard: Orchard) -> None:
    """As clients that know a TimeGate by its beginning write it; of another site it knows none."""
    whole = ask(orchard, f"/timegate/{HOST}{BOARD}?view=labs")
    assert whole.headers["Location"] == ask(orchard, f"{GATE}?view=labs").headers["Location"]
    for elsewhere in (
        "/timegate/http://evil.example/benchmarks/orchard",
        f"/timegate/{HOST}.evil.example{BOARD}",
        f"/timegate/{HOST}/{BOARD}",
        "/timegate//evil.example/benchmarks/orchard",
        f"/timegate/{HOST}/corrections",
        "/timegate/models/birch",
        "/timegate/",
    ):
        response = ask(orchard, elsewhere)
        assert (response.status_code, response.headers.get("Location")) == (404, None), elsewhere


@pytest.mark.parametrize("when", ["yesterday", "2025-07-28", "2025-07-28T10:00:00Z", "0"])
def test_a_datetime_that_is_none_is_400(orchard: Orchard, when: str) -> None:
    """RFC 7089, 4.5.3."""
    response = ask(orchard, GATE, when)
    assert response.status_code == 400
    assert "Mon, 28 Jul 2025 10:00:00 GMT" in response.text


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/benchmarks/unknown", 404),
        (f"/claims/c{'0' * 23}", 404),
        ("/benchmarks/meadow", 404),
        (f"{BOARD}?metric=unknown", 404),
        (f"{BOARD}?view=ours", 400),
        (f"{BOARD}?as_read_on=2025-07-28", 400),
        (f"/claims/{BIRCH}?view=labs", 400),
        (f"{BOARD}?view=", 400),
    ],
)
def test_what_is_no_original_resource_has_neither(
    orchard: Orchard, address: str, status: int
) -> None:
    """Unknown, never read, or asked for with a time of its own."""
    assert ask(orchard, f"/timegate{address}").status_code == status
    assert orchard.get(f"/timemap{address}").status_code == status


# --- TimeMap ----------------------------------------------------------------------------------


def test_a_timemap_lists_every_instant_at_which_the_page_changed(orchard: Orchard) -> None:
    """In link-format, oldest first, each leading to a memento of that very instant."""
    response = orchard.get(MAP)
    assert response.content_type == FORMAT
    found = links(response.text)
    assert [one["rel"] for one in found] == [
        "original",
        "timegate",
        "self",
        "first memento",
        "memento",
        "memento",
        "memento",
        "last memento",
    ]
    own = linked(response, "self")
    mementos = [one for one in found if "memento" in one["rel"].split()]
    assert (own["address"], own["type"]) == (f"{HOST}{MAP}", FORMAT)
    assert (own["from"], own["until"]) == (mementos[0]["datetime"], mementos[-1]["datetime"])
    for one in mementos:
        page = orchard.get(one["address"])
        assert page.headers["Memento-Datetime"] == one["datetime"]
        gate = ask(orchard, GATE, one["datetime"])
        assert gate.headers["Location"] == one["address"]


def test_a_timemap_stays_as_it_is_until_something_new_is_known_of_the_page(
    orchard: Orchard,
) -> None:
    """What is recorded about other pages leaves its addresses alone; a late reading does not."""
    board, claim = orchard.get(MAP), orchard.get(f"/timemap/claims/{BIRCH}")
    correct(orchard.workspace, 2, WRONG, "33.3")
    assert orchard.get(f"/timemap/claims/{BIRCH}").data == claim.data
    assert orchard.get(MAP).data != board.data
    read_board(orchard.workspace, "2025-07-25T000000Z.csv", "model,score\nBirch,5\n")
    after = orchard.get(f"/timemap/claims/{BIRCH}")
    assert "Fri, 25 Jul 2025 00:00:00 GMT" in after.text
    assert f"recorded_through={orchard.head}" not in claim.text


def test_a_long_timemap_goes_on_in_others(
    orchard: Orchard, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each says from when to when it goes, and where the others are."""
    monkeypatch.setattr("web.memento.MOST_IN_MAP", 2)
    first = links(orchard.get(MAP).text)
    others = [one for one in first if one["rel"] == "timemap"]
    assert [one["address"] for one in others] == [f"{HOST}{MAP}?page=2", f"{HOST}{MAP}?page=3"]
    every = [
        memento["datetime"]
        for address in (MAP, *(one["address"] for one in others))
        for memento in links(orchard.get(address).text)
        if "memento" in memento["rel"].split()
    ]
    assert len(every) == 5
    times = [datetime.strptime(one, "%a, %d %b %Y %H:%M:%S %Z").astimezone(UTC) for one in every]
    assert times == sorted(times)
    for page in ("0", "4", "-1", "x", "1e3"):
        assert orchard.get(f"{MAP}?page={page}").status_code == 400


def test_mementos_of_one_second_are_one(orchard: Orchard) -> None:
    """The header knows whole seconds; the page at the end of that second is what was there."""
    read_board(orchard.workspace, "2025-08-02T100000.2Z.csv", "model,score\nElm,1\n")
    read_board(orchard.workspace, "2025-08-02T100000.7Z.csv", "model,score\nElm,2\n")
    when = http_date(datetime(2025, 8, 2, 10, tzinfo=UTC))
    found = [one for one in links(orchard.get(MAP).text) if one.get("datetime") == when]
    (address,) = [one["address"] for one in found]
    assert "as_read_on=2025-08-02T10:00:00.700000Z" in address
    assert ask(orchard, GATE, when).headers["Location"] == address
    early = http_date(datetime(2025, 8, 2, 10, tzinfo=UTC) - timedelta(seconds=1))
    assert ask(orchard, GATE, early).headers["Location"] != address


def test_only_reading_is_allowed(orchard: Orchard) -> None:
    """GET and HEAD; the answer to HEAD has the same headers."""
    for address in (GATE, MAP):
        assert orchard.client.post(address).status_code == 405
    head = orchard.client.head(GATE)
    assert head.headers["Location"] == ask(orchard, GATE).headers["Location"]
