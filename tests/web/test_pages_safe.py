"""What no public page does: run what is inline, lead away, hang, or show our own trouble."""

from collections import Counter
from datetime import UTC, datetime
from urllib.parse import urlsplit

import pytest

from tests.web.flat_page import Page
from tests.web.orchard import ATTRIBUTE, BOARD, HOSTILE, WRONG, Orchard
from tests.web.orchard_addresses import DAY, EVERYTHING, OUR_SCRIPT, SNAPSHOT, WITH_CHARTS, asked_by
from web.words import web_address


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
