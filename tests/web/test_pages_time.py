"""Pages of another moment: which can be asked for, what they say of it, and what is refused."""

import time

import pytest

from tests.web.flat_page import Page
from tests.web.orchard import BIRCH, BOARD, NOW, Orchard
from tests.web.orchard_addresses import DAY, scores


@pytest.mark.parametrize(
    "zone", ["UTC", "America/New_York", "Asia/Tokyo", "Pacific/Kiritimati", "America/Los_Angeles"]
)
def test_a_day_is_a_utc_day_wherever_the_server_stands(
    orchard: Orchard, zone: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Case P022: 28 July has the reading of its last microsecond and not that of midnight."""
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        independent = "view=independent&as_read_on="
        assert scores(orchard, f"{independent}{DAY}")["Birch"] == "64.20"
        assert scores(orchard, f"{independent}2025-07-29T00:00:00Z")["Birch"] == "69"
        assert scores(orchard, f"{independent}2025-07-29T00:00:00Z")["Alder 7B May 2025"] == "71.0"
        assert scores(orchard, f"{independent}2025-07-29") == {
            "Alder 7B May 2025": "72.5",
            "Birch": "69",
        }
        page = Page.of(orchard.page(f"{BOARD}?view=independent&as_read_on={DAY}"))
        assert f"as read by the end of {DAY} UTC" in page.text
        assert DAY in page.values("value")
        assert "29 Jul 2025, 06:30:00 UTC" in Page.of(orchard.page(f"/claims/{BIRCH}")).text
    finally:
        monkeypatch.undo()
        time.tzset()


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ("as_read_on=2025-02-30", "day is out of range for month"),
        ("as_read_on=28/07/2025", "write it as YYYY-MM-DD"),
        ("as_read_on=", "leave it out, or give a value"),
        ("as_read_on=%20", "leave it out, or give a value"),
        ("as_read_on=2025-08-21", "lies in the future"),
        ("as_read_on=2025-08-20T12:00:00.000001Z", "lies in the future"),
        ("as_read_on=2025-07-28T10:00:00", "needs an offset"),
        ("as_read_on=2025-07-28&as_read_on=2025-07-29", "give it once"),
        ("as_readon=2025-07-28", "has no parameter"),
        ("recorded_through=41", "does not exist yet"),
        ("recorded_through=-1", "give a position or an instant"),
        ("recorded_through=2026-01-01", "lies in the future"),
        ("recorded_through=999999999999999999999", "needs an offset"),
        ("corrected=later", "it is then or since"),
        ("published_by=2025-13-01", "month must be in"),
        ("published_by=2025-08-21", "lies in the future"),
        ("view=ours", "it is one of labs, independent, all"),
        ("view=", "leave it out, or give a value"),
        ("every_claim=1", "it is yes or no"),
        (f"metric={'a' * 200}", "at most 128 characters"),
    ],
)
def test_what_cannot_be_asked_is_refused_with_the_reason(
    orchard: Orchard, query: str, why: str
) -> None:
    """400 on the page, in JSON and in CSV, and never today's board."""
    for suffix in ("", ".json", ".csv"):
        response = orchard.get(f"{BOARD}{suffix}?{query}")
        assert response.status_code == 400, response.text
        assert why in response.text
        assert "72.5" not in response.text
        assert response.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    "address",
    [
        "/nothing",
        "/benchmarks/unknown",
        "/benchmarks/UPPER",
        f"{BOARD}?metric=unknown",
        "/models/unknown",
        "/sources/unknown",
        f"/claims/c{'0' * 23}",
        "/claims/short",
        f"/snapshots/{'0' * 64}",
        "/snapshots/short",
        f"/benchmarks/{'a' * 129}",
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        f"{BOARD}/",
        "/benchmarks//orchard",
    ],
)
def test_what_is_not_there_is_404(orchard: Orchard, address: str) -> None:
    """An unknown name, an address that nothing can have, and everything outside."""
    response = orchard.get(address)
    assert response.status_code == 404, response.text
    assert "Traceback" not in response.text


def test_problems_have_a_form_for_programs_and_one_for_people(orchard: Orchard) -> None:
    """RFC 9457 for JSON, plain text for CSV and frozen bytes, a page otherwise."""
    told = orchard.get("/benchmarks/unknown.json")
    assert told.mimetype == "application/problem+json"
    assert told.get_json(force=True) == {
        "type": "about:blank",
        "title": "Not Found",
        "status": 404,
        "kind": "NotFound",
        "detail": "There is no benchmark called unknown.",
    }
    assert orchard.get("/benchmarks/unknown.csv").mimetype == "text/plain"
    assert orchard.get(f"/snapshots/{'0' * 64}").mimetype == "text/plain"
    assert "<h1>Not Found</h1>" in orchard.get("/benchmarks/unknown").text


def test_a_page_that_is_not_of_now_says_so_and_leads_back(orchard: Orchard) -> None:
    """Each parameter that makes it so is named; its links stay in that moment."""
    query = f"view=labs&as_read_on={DAY}&corrected=since&recorded_through=30&published_by={DAY}"
    page = Page.of(orchard.page(f"{BOARD}?{query}"))
    for said in (
        f"as read by the end of {DAY} UTC",
        "with corrections decided later",
        "only what the ledger held at position 30",
        "only what counts from 28 Jul 2025 or earlier",
    ):
        assert said in page.text
    assert f"{BOARD}?view=labs" in page.values("href")
    claims = [link for link in page.values("href") if link.startswith("/claims/")]
    assert claims
    assert all("recorded_through=30" in link for link in claims)


def test_todays_board_is_nothing_special(orchard: Orchard) -> None:
    """The form always sends a day, today's unless another is chosen."""
    for query in ("", f"?as_read_on={NOW.date()}"):
        page = Page.of(orchard.page(f"{BOARD}{query}"))
        assert "Not the present state" not in page.text
        assert str(NOW.date()) in page.values("value")


def test_the_form_never_sends_an_empty_value(orchard: Orchard) -> None:
    """Every field that can be sent carries a value and has to have one."""
    page = Page.of(orchard.page(f"{BOARD}?published_by={DAY}"))
    fields = [value for tag, name, value in page.attributes if (tag, name) == ("input", "value")]
    assert fields
    assert all(fields)
    typed = [v for tag, name, v in page.attributes if (tag, name) == ("input", "type")]
    required = [1 for tag, name, _ in page.attributes if (tag, name) == ("input", "required")]
    assert len(required) == len([kind for kind in typed if kind in {"date", "text"}])


def test_an_instant_keeps_its_place_in_the_form(orchard: Orchard) -> None:
    """A date picker would lose the time of day."""
    page = Page.of(orchard.page(f"{BOARD}?as_read_on=2025-07-29T00:00:00Z"))
    assert "2025-07-29T00:00:00Z" in page.values("value")
