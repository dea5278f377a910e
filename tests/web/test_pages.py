"""The public pages: every address, as people and programs get it, and what none of them may do."""

import hashlib
import time
from collections import Counter
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from urllib.parse import parse_qs, urlsplit

import attrs
import pytest

from tests.web.orchard import (
    ATTRIBUTE,
    BIRCH,
    BOARD,
    HOSTILE,
    NOW,
    READINGS,
    WRONG,
    Orchard,
    correct,
    read_board,
)
from web.words import web_address

DAY = "2025-07-28"
SNAPSHOT = hashlib.sha256(next(iter(READINGS.values())).encode()).hexdigest()
ADDRESSES = [
    "/",
    BOARD,
    "/benchmarks/meadow",
    f"/claims/{BIRCH}",
    f"/claims/{WRONG}",
    "/models/birch",
    "/sources/orchard-board",
    "/corrections",
]
JSON_ADDRESSES = [
    f"{BOARD}.json",
    f"/claims/{BIRCH}.json",
    "/sources/orchard-board.json",
    "/corrections.json",
]
WITH_CHARTS = [BOARD, "/benchmarks/meadow", "/corrections"]
OUR_SCRIPT = "; script-src 'self'; connect-src 'self'"
EVERYTHING = [
    *ADDRESSES,
    *JSON_ADDRESSES,
    f"{BOARD}.csv",
    f"/snapshots/{SNAPSHOT}",
    "/healthz",
    "/readyz",
    "/static/corrigenda.css",
    "/static/tables.css",
    "/static/forms.css",
    "/nothing/here",
    "/benchmarks/unknown",
    f"{BOARD}?as_read_on=",
]


@attrs.define(eq=False)
class Page(HTMLParser):
    """What a page is made of, as far as these tests look."""

    tags: Counter[str] = attrs.field(factory=Counter)
    attributes: list[tuple[str, str, str | None]] = attrs.field(factory=list)
    words: list[str] = attrs.field(factory=list)

    def __attrs_pre_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Count an element and keep its attributes."""
        self.tags[tag] += 1
        self.attributes += [(tag, name, value) for name, value in attrs]

    def handle_data(self, data: str) -> None:
        """Keep the text."""
        self.words.append(data)

    @classmethod
    def of(cls, html: str) -> "Page":
        """Take a page apart."""
        page = cls()
        page.feed(html)
        page.close()
        return page

    @property
    def text(self) -> str:
        """The text, single-spaced."""
        return " ".join("".join(self.words).split())

    def values(self, wanted: str) -> list[str]:
        """The values of an attribute, wherever it stands."""
        return [value or "" for _, name, value in self.attributes if name == wanted]


def asked_by(link: str) -> set[str]:
    """The parameters of an address."""
    return set(parse_qs(urlsplit(link).query))


def scores(orchard: Orchard, query: str) -> dict[str, str]:
    """Name and score of each row of the board."""
    rows = orchard.json(f"{BOARD}.json?{query}")["rows"]
    return {row["as_written"]: row["score"] for row in rows}


# --- what is on them --------------------------------------------------------------------------


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


# --- time -------------------------------------------------------------------------------------


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


# --- keeping pages ----------------------------------------------------------------------------


@pytest.mark.parametrize("address", [*ADDRESSES, *JSON_ADDRESSES, f"{BOARD}.csv"])
def test_a_pinned_page_never_changes_again(orchard: Orchard, address: str) -> None:
    """Promise 2: whatever is recorded later, and whatever day it is, byte by byte."""
    pinned = f"{address}?as_read_on={NOW.date()}&recorded_through={orchard.head}"
    before = orchard.get(pinned)
    assert before.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    orchard.clock.now += timedelta(days=40)
    read_board(orchard.workspace, "2025-06-01T000000Z.csv", "model,score\nBirch,12\nElm,99\n")
    correct(orchard.workspace, 2, BIRCH, "33.3")
    correct(orchard.workspace, 3, WRONG, "33.3")
    after = orchard.get(pinned)
    assert after.data == before.data
    assert after.headers["ETag"] == before.headers["ETag"]
    assert orchard.get(address).data != before.data


@pytest.mark.parametrize(
    "query", ["", f"?as_read_on={DAY}", "?recorded_through=40", "?recorded_through=2025-08-15"]
)
def test_other_pages_are_asked_for_again(orchard: Orchard, query: str) -> None:
    """Their tag answers 304 until something is recorded."""
    first = orchard.get(f"{BOARD}{query}")
    assert first.headers["Cache-Control"] == "no-cache"
    tag = first.headers["ETag"]
    again = orchard.get(f"{BOARD}{query}", If_None_Match=tag)
    assert (again.status_code, again.data, again.headers["ETag"]) == (304, b"", tag)
    assert "Content-Security-Policy" in again.headers
    # The tag of one address proves nothing for another.
    other = orchard.get(f"{BOARD}?view=nonsense", If_None_Match=tag)
    assert other.status_code == 400
    assert orchard.get(f"{BOARD}{query}", If_None_Match="*").status_code == 200


def test_a_tag_ends_with_the_next_event_and_with_the_day(orchard: Orchard) -> None:
    """A board of now depends on both."""
    tag = orchard.get(BOARD).headers["ETag"]
    orchard.clock.now += timedelta(days=1)
    next_day = orchard.get(BOARD, If_None_Match=tag)
    assert next_day.status_code == 200
    correct(orchard.workspace, 2, BIRCH, "68")
    changed = orchard.get(BOARD, If_None_Match=next_day.headers["ETag"])
    assert changed.status_code == 200


def test_the_permalink_is_the_board_that_shows_it(orchard: Orchard) -> None:
    """An instant is resolved to a position, and the link names it."""
    page = Page.of(orchard.page(f"{BOARD}?recorded_through=2025-08-10T09:00:00Z"))
    boards = [one for one in page.values("href") if one.startswith(f"{BOARD}?")]
    every = {"as_read_on", "corrected", "recorded_through", "view", "metric"}
    (link,) = {one for one in boards if every <= asked_by(one)}
    assert f"recorded_through={orchard.head}" in link
    assert orchard.get(link).headers["Cache-Control"].endswith("immutable")


# --- following the ledger ---------------------------------------------------------------------


def test_a_page_shows_what_was_recorded_a_moment_ago(orchard: Orchard) -> None:
    """Every request lets the read model catch up first."""
    read_board(orchard.workspace, "2025-08-01T000000Z.csv", "model,score\nElm,88\n")
    assert scores(orchard, "view=independent") == {"Elm": "88"}


# --- safety -----------------------------------------------------------------------------------


@pytest.mark.parametrize("address", EVERYTHING)
def test_every_answer_carries_the_strict_headers_and_no_cookie(
    orchard: Orchard, address: str
) -> None:
    """Errors and style sheets included."""
    response = orchard.get(address)
    policy = response.headers["Content-Security-Policy"]
    for rule in (
        "default-src 'none'",
        "style-src 'self'",
        "img-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
    ):
        assert rule in policy
    others = policy.partition("base-uri 'none'")[2]
    ours = OUR_SCRIPT if address in WITH_CHARTS else ""
    assert others.removesuffix("; sandbox") == ours
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["Referrer-Policy"] == "same-origin"
    assert "camera=()" in response.headers["Permissions-Policy"]
    assert "Set-Cookie" not in response.headers
    assert "Cache-Control" in response.headers


def test_every_page_that_links_lead_to_is_there_and_runs_nothing_inline(orchard: Orchard) -> None:
    """Follow every link of our own from the index: no script but our file for charts, no inline
    style, no double id.

    Of a page under the same parameters one value of each is enough: days lead to days without end.
    """
    waiting = ["/", f"{BOARD}?view=independent&as_read_on={DAY}&every_claim=yes"]
    seen = set[tuple[str, frozenset[str]]]()
    while waiting:
        address = waiting.pop().partition("#")[0]
        shape = (urlsplit(address).path, frozenset(asked_by(address)))
        if shape in seen or not address or shape[0].endswith(".pdf"):
            continue  # printing one takes seconds, and is looked at elsewhere
        seen.add(shape)
        response = orchard.get(address)
        assert response.status_code == 200, address
        if response.mimetype != "text/html":
            continue
        page = Page.of(response.text)
        assert not {"style", "iframe", "object", "embed", "base"} & set(page.tags)
        scripts = [(name, one or "") for tag, name, one in page.attributes if tag == "script"]
        kinds = [one for name, one in scripts if name == "type"]
        files = [one for name, one in scripts if name == "src"]
        assert page.tags["script"] == len(kinds), address
        assert set(kinds) <= {"module", "application/ld+json"}
        assert kinds.count("module") == len(files) == len(scripts) - len(kinds)
        assert all(one.startswith("/static/charts.js?") for one in files)
        names = {name for _, name, _ in page.attributes}
        assert "style" not in names
        assert not [name for name in names if name.startswith("on")]
        assert max(Counter(page.values("id")).values()) == 1, address
        links = page.values("href") + page.values("action")
        assert all(link.startswith(("/", "#", "https://example.org/")) for link in links)
        waiting += [link for link in links if link.startswith("/")]
    assert len(seen) > 30


def test_hostile_names_are_text(orchard: Orchard) -> None:
    """In a caveat, a name, a wording, a statement: shown as written and never markup."""
    board = Page.of(orchard.page(f"{BOARD}?view=independent&as_read_on={DAY}"))
    assert board.text.count(HOSTILE) >= 2
    assert HOSTILE in Page.of(orchard.page("/sources/orchard-board?as_read_on=2025-07-28")).text
    assert HOSTILE in Page.of(orchard.page("/corrections")).text
    assert ATTRIBUTE in Page.of(orchard.page(f"/claims/{WRONG}")).text


@pytest.mark.parametrize("address", ["/", BOARD, f"{BOARD}.json", "/corrections", "/healthz"])
@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"])
def test_pages_can_only_be_read(orchard: Orchard, address: str, method: str) -> None:
    """GET and HEAD, nothing else."""
    response = orchard.client.open(address, method=method)
    assert response.status_code == 405
    assert response.headers["Allow"] == "GET, HEAD"
    head = orchard.client.head(address)
    assert (head.status_code, head.data) == (200, b"")


@pytest.mark.parametrize(
    "path",
    [
        "////evil.example",
        "///evil.example",
        "//evil.example",
        "/\\evil.example",
        "/\t/evil.example",
        "/\n/evil.example",
        "https:evil.example",
        " //evil.example",
        "javascript:alert(1)",
        "//evil.example/..",
        "/benchmarks//evil.example",
        "/corrections/",
    ],
)
def test_nothing_redirects_anywhere(orchard: Orchard, path: str) -> None:
    """Case P038: no path and no parameter leads away, or ends in a 500."""
    for response in (
        orchard.client.get("/", environ_overrides={"PATH_INFO": path}),
        orchard.client.get("/", query_string={"next": path}),
    ):
        assert response.status_code in {400, 404}
        assert "Location" not in response.headers


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "address",
    [
        f"{BOARD}?as_read_on={'9' * 5_000}",
        f"/benchmarks/{'a-' * 5_000}",
        f"{BOARD}?metric={'a' * 40}!",
        f"{BOARD}?{'&'.join(f'p{n}=1' for n in range(500))}",
        f"/models/{'a' * 127}!",
    ],
)
def test_long_and_tangled_addresses_are_refused_at_once(orchard: Orchard, address: str) -> None:
    """Case P044: a limit comes before any pattern."""
    response = orchard.get(address)
    assert response.status_code in {400, 404, 414}
    assert len(response.data) < 10_000


def test_an_address_of_a_source_is_followed_only_over_http(orchard: Orchard) -> None:
    """Whatever an import let through, a browser runs none of it."""
    link = "https://example.org/birch?a=1&b=2"
    assert link in Page.of(orchard.page("/sources/birch-post")).values("href")
    assert web_address(link) == link
    for other in ("javascript:alert(1)", " javascript:x", "data:text/html,x", "//evil.example"):
        assert web_address(other) is None
    for other in ("http:///x", "https:evil.example", "http://[", "ftp://example.org/x", ""):
        assert web_address(other) is None
    assert web_address(None) is None


def test_nobody_is_shown_our_own_trouble(
    orchard: Orchard, caplog: pytest.LogCaptureFixture
) -> None:
    """A damaged file is our fault: 500 in plain words, the path in the log alone."""
    archive = orchard.workspace.ledger.archive.folder
    path = archive / SNAPSHOT[:2] / SNAPSHOT[2:4] / SNAPSHOT
    path.chmod(0o600)
    path.write_bytes(b"something else")
    response = orchard.get(f"/snapshots/{SNAPSHOT}")
    assert response.status_code == 500
    assert response.text.startswith("Something here is out of order; it was noted down.")
    assert str(path) not in response.text
    assert str(path) in caplog.text


def test_a_clock_that_is_elsewhere_changes_nothing(orchard: Orchard) -> None:
    """The pages ask the ledger's clock, not the machine's."""
    orchard.clock.now = datetime(2031, 1, 1, tzinfo=UTC)
    assert "2031-01-01" in Page.of(orchard.page(BOARD)).values("value")


def test_the_kept_index_follows_the_ledger_and_the_day(orchard: Orchard) -> None:
    """It is made once for each moment; another event or another day makes another moment."""
    now = Page.of(orchard.page("/")).text
    assert Page.of(orchard.page("/")).text == now
    assert "with 72.5%" in now
    assert "share the top score of 71.0%" in Page.of(orchard.page(f"/?as_read_on={DAY}")).text
    read_board(orchard.workspace, "2025-08-01T000000Z.csv", "model,score\nElm,88\n")
    assert "Elm leads all claims with 88%" in Page.of(orchard.page("/")).text
    orchard.clock.now += timedelta(days=800)
    assert "Orchard dropped" in Page.of(orchard.page("/")).text
    for number in range(20):
        orchard.page(f"/?recorded_through={number + 1}")
    assert "Orchard dropped" in Page.of(orchard.page("/")).text
