"""The public pages: what stands on each, as people and programs get it."""

import hashlib

from tests.web.flat_page import Page
from tests.web.orchard import (
    BIRCH,
    BOARD,
    READINGS,
    WRONG,
    Orchard,
)
from tests.web.orchard_addresses import DAY, SNAPSHOT


def test_the_index_names_every_benchmark_by_category_with_its_leader(orchard: Orchard) -> None:
    """Benchmarks without a category come last; each says how many models it ranks."""
    text = Page.of(orchard.page("/")).text.partition("Search")[2]
    assert text.index("Gardening") < text.index("Orchard") < text.index("Other")
    assert "Alder 7B May 2025 leads all claims with 72.5%" in text
    assert "2 models ranked" in text
    assert "Nothing has been read for meadow yet." in text


def test_a_board_says_all_that_is_known(orchard: Orchard) -> None:
    """Headline, status, caveats, changes, facts with meanings, history, documents, coverage."""
    text = Page.of(orchard.page(BOARD)).text
    for said in (
        "Alder 7B May 2025 leads all claims with 72.5%, number one since May 2025.",
        "in use",
        "Other years had other weather",
        "Judge changed in May 2025 from one gardener to three gardeners: scores before and after",
        "School what a gardener's apprentice learns",
        "Checked automatically a program decides",
        "1 model has been number one in this view",
        "Read, and it is not in: Alder launch post (4 May 2025)",
        "1 document of 1 lab reports it",
        "grown under glass",
        "Birch, number 34 of “Canopy index (Jul 2025)”",
        "Without a score here, of “Canopy index (Jul 2025)”: Cedar 3",
    ):
        assert said in text, said


def test_an_empty_board_says_why(orchard: Orchard) -> None:
    """By view, by metric, by day, and where nothing was ever read."""
    early = Page.of(orchard.page(f"{BOARD}?as_read_on=2025-01-01&metric=grown")).text
    assert "Nothing had been read for orchard by 2025-01-01; the first reading is of" in early
    hours = Page.of(orchard.page(f"{BOARD}?metric=hours")).text
    assert "Of 1 claims in this view none ranks; each says why." in hours
    assert "1 of 2 parts; no number while one is missing" in hours


def test_rows_lead_to_claims_and_claims_tell_their_story(orchard: Orchard) -> None:
    """What the source says, where, each reading with its snapshot, each step."""
    assert f"/claims/{BIRCH}" in orchard.page(f"{BOARD}?view=independent")
    html = orchard.page(f"/claims/{BIRCH}")
    text = Page.of(html).text
    assert "Birch: 69%" in text
    assert "% (its metric’s; the source states none)" in text
    for name in READINGS.values():
        assert f"/snapshots/{hashlib.sha256(name.encode()).hexdigest()}" in html
    assert "29 Jul 2025 restated" in text
    assert "64.20" in text
    assert "69 as before" in text


def test_a_corrected_claim_shows_both_values_and_the_decision(orchard: Orchard) -> None:
    """Promise 3: the correction stands beside what it corrects."""
    text = Page.of(orchard.page(f"/claims/{WRONG}")).text
    assert "70.5 corrected; it was read as 71.0" in text
    assert "Correction 1: accepted" in text
    assert "As the source writes it" not in text
    log = Page.of(orchard.page("/corrections")).text
    assert "The post says otherwise. See its second table." in log
    assert "score 71.0 → 70.5" in log


def test_json_keeps_the_names_of_the_contract(orchard: Orchard) -> None:
    """Scores are strings with the digits as written."""
    board = orchard.json(f"{BOARD}.json?view=independent&as_read_on={DAY}")
    assert board["benchmark"] == {"slug": "orchard", "name": "Orchard"}
    assert (board["view"], board["metric"]["slug"]) == ("independent", "grown")
    assert (board["as_read_on"], board["corrected"]) == (DAY, "then")
    assert set(board["recorded_through"]) == {"position", "recorded_at"}
    birch = next(row for row in board["rows"] if row["as_written"] == "Birch")
    assert (birch["score"], birch["unit"], birch["claim_id"]) == ("64.20", "%", BIRCH)
    claim = orchard.json(f"/claims/{WRONG}.json")
    assert (claim["says"]["score"], claim["shows"]["score"]) == ("71.0", "70.5")
    assert [mark["kind"] for mark in claim["marks"]] == ["corrected", "added-later"]
    (correction,) = orchard.json("/corrections.json")["corrections"]
    assert (correction["number"], correction["outcome"]) == (1, "accepted")
    source = orchard.json("/sources/orchard-board.json")
    assert len(source["readings"]) == len(READINGS)


def test_csv_keeps_numbers_and_its_name_says_of_which_moment(orchard: Orchard) -> None:
    """Case P022: the file says that the day was read to its end."""
    response = orchard.get(f"{BOARD}.csv?view=independent&as_read_on={DAY}")
    assert response.content_type == "text/csv; charset=utf-8"
    head, first, *_ = response.text.splitlines()
    assert head.startswith("rank,model,version,lab,score,unit,published_on,source")
    assert first.startswith("1,Alder 7B,May 2025,Alder Labs,71.0,%,2025-05,orchard-board")
    name = response.headers["Content-Disposition"]
    assert f"as-read-by-end-of-{DAY}-UTC_then_position-{orchard.head}.csv" in name


def test_every_claim_gives_a_row_to_each_claim(orchard: Orchard) -> None:
    """Birch has a number of its own lab and one of the board."""
    plain = orchard.json(f"{BOARD}.json")["rows"]
    every = orchard.json(f"{BOARD}.json?every_claim=yes")["rows"]
    assert (len(plain), len(every)) == (2, 3)


def test_a_snapshot_is_a_download_and_never_a_page(orchard: Orchard) -> None:
    """Plain text, not sniffed, in a sandbox; kept for ever, since its digest names it."""
    response = orchard.get(f"/snapshots/{SNAPSHOT}")
    assert response.data == next(iter(READINGS.values())).encode()
    assert response.content_type == "text/plain; charset=utf-8"
    assert response.headers["Content-Disposition"].startswith("attachment;")
    assert "sandbox" in response.headers["Content-Security-Policy"]
    assert "immutable" in response.headers["Cache-Control"]


def test_only_what_was_read_from_a_source_is_served_from_the_archive(orchard: Orchard) -> None:
    """Whatever else lies there is nobody's business."""
    digest = orchard.workspace.ledger.archive.put(b"an upload")
    assert orchard.get(f"/snapshots/{digest}").status_code == 404
