"""Web manners: compression, caching, what search engines and those who share a link are told."""

import gzip
import xml.etree.ElementTree as ET

import attrs
import pytest

from tests.web.orchard import BIRCH, BOARD, HOSTILE, NOW, Orchard
from tests.web.page import Page, page_of
from tests.web.people import signed_in
from tests.web.seeded import BIG, READ_ON, SMALL, seeded, seeded_once
from web.app import create_app
from web.compressed import SHORTEST
from web.settings import Settings

__all__ = ["seeded", "seeded_once"]

HOST = "https://corrections.example.org"
SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
TEXTS = [
    "/",
    BOARD,
    f"{BOARD}.json",
    "/corrections.atom",
    "/static/corrigenda.css",
    "/static/tables.css",
    "/static/forms.css",
    "/sources/orchard-board",
]
LARGEST_PAGE = 100_000


def at_host(orchard: Orchard) -> Orchard:
    """The same ledger on a server whose address is known."""
    settings = Settings(home=orchard.workspace.settings.home, address=HOST)
    return attrs.evolve(orchard, app=create_app(attrs.evolve(orchard.workspace, settings=settings)))


# --- compression ------------------------------------------------------------------------------


@pytest.mark.parametrize("address", TEXTS)
def test_text_is_compressed_for_whoever_takes_it_so(orchard: Orchard, address: str) -> None:
    """The same bytes come out of it, the length is that of what is sent, and caches are told."""
    plain = orchard.get(address)
    packed = orchard.get(address, Accept_Encoding="br;q=1.0, gzip;q=0.8, *;q=0.1")
    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.data) == plain.data
    assert int(packed.headers["Content-Length"]) == len(packed.data) < len(plain.data)
    for response in (plain, packed):
        assert "Accept-Encoding" in response.headers["Vary"]
        assert response.headers["Cache-Control"] == plain.headers["Cache-Control"]
    assert orchard.get(address, Accept_Encoding="gzip").data == packed.data


@pytest.mark.parametrize("asked", ["", "identity", "br", "gzip;q=0", "identity, gzip;q=0.0", "x"])
def test_whoever_does_not_take_it_gets_it_plain(orchard: Orchard, asked: str) -> None:
    """Also where gzip is named only to be ruled out."""
    response = orchard.get(BOARD, Accept_Encoding=asked)
    assert "Content-Encoding" not in response.headers
    assert response.text.startswith("<!doctype html>")


@pytest.mark.parametrize("address", [BOARD, "/static/corrigenda.css", f"/claims/{BIRCH}"])
def test_one_tag_stands_for_both_codings(orchard: Orchard, address: str) -> None:
    """It is weak; a browser that holds either gets a 304 without a body that still varies."""
    plain, packed = orchard.get(address), orchard.get(address, Accept_Encoding="gzip")
    assert plain.headers["ETag"] == packed.headers["ETag"]
    assert plain.headers["ETag"].startswith("W/")
    again = orchard.get(address, If_None_Match=plain.headers["ETag"], Accept_Encoding="gzip")
    assert (again.status_code, again.data) == (304, b"")
    assert "Content-Encoding" not in again.headers
    assert "Accept-Encoding" in again.headers["Vary"]


def test_what_no_cache_keeps_is_not_compressed(orchard: Orchard) -> None:
    """Forms hold secrets, and the length of a compressed page would tell of them."""
    boss = signed_in(orchard.app, orchard.workspace, "boss", "reviewer")
    for address in ("/login", f"/report?target=claims/{BIRCH}", "/review", "/nowhere"):
        response = boss.get(address, headers={"Accept-Encoding": "gzip"})
        assert response.headers["Cache-Control"] == "no-store", address
        assert "Content-Encoding" not in response.headers, address


def test_what_is_short_is_not_worth_it(orchard: Orchard) -> None:
    """Below a kilobyte the coding costs more than it saves."""
    response = orchard.get("/robots.txt", Accept_Encoding="gzip")
    assert len(response.data) < SHORTEST
    assert "Content-Encoding" not in response.headers


def test_a_head_request_gets_the_headers_of_the_page(orchard: Orchard) -> None:
    """Coded or not."""
    got = orchard.get(BOARD, Accept_Encoding="gzip")
    head = orchard.client.head(BOARD, headers={"Accept-Encoding": "gzip"})
    assert head.data == b""
    for name in ("Content-Encoding", "Content-Length", "ETag", "Vary", "Content-Type"):
        assert head.headers[name] == got.headers[name]


# --- size -------------------------------------------------------------------------------------


@pytest.mark.parametrize("address", ["/", BIG, SMALL, "/models/gpt-4o-2024-05", "/labs/openai"])
def test_a_first_page_is_small(seeded: Orchard, address: str) -> None:
    """With style sheets, icon and charts, as it travels, it stays far under 100 kB."""
    page = page_of(seeded.page(address))
    files = [one.attributes["src"] for one in page.root.all("img")]
    files += [
        one.attributes["href"]
        for one in page.root.one("head").all("link")
        if one.attributes["rel"] in {"stylesheet", "icon"}
    ]
    assert files
    sent = sum(len(seeded.get(one, Accept_Encoding="gzip").data) for one in [address, *files])
    assert sent < LARGEST_PAGE // 2


def test_style_sheets_are_kept_for_ever_under_their_release(seeded: Orchard) -> None:
    """So only the page itself is asked for a second time."""
    page = page_of(seeded.page(BIG))
    for one in page.root.one("head").all("link"):
        if one.attributes["rel"] in {"stylesheet", "icon"}:
            kept = seeded.get(one.attributes["href"]).headers["Cache-Control"]
            assert kept.endswith("immutable"), one.attributes["href"]


# --- search engines ---------------------------------------------------------------------------


def test_the_sitemap_lists_every_page_of_now_with_its_host(seeded: Orchard) -> None:
    """Benchmarks, labs, models, sources and the log; each is there."""
    here = at_host(seeded)
    response = here.get("/sitemap.xml")
    assert response.mimetype == "application/xml"
    found = [one.findtext(f"{SITEMAP}loc", "") for one in ET.fromstring(response.data)]  # noqa: S314
    assert len(found) == len(set(found)) > 100
    assert found[:2] == [f"{HOST}/", f"{HOST}/corrections"]
    for wanted in (BIG, "/labs/openai", "/models/gpt-4o-mini", "/sources/bigcodebench-leaderboard"):
        assert f"{HOST}{wanted}" in found
    for address in found[:12] + found[-3:]:
        assert here.get(address.removeprefix(HOST)).status_code == 200, address


def test_robots_stay_off_queries_and_off_what_is_not_for_readers(seeded: Orchard) -> None:
    """And they are told where the sitemap is."""
    text = at_host(seeded).get("/robots.txt").text
    for path in ("/*?", "/login", "/report", "/review", "/snapshots/"):
        assert f"Disallow: {path}\n" in text
    assert f"Sitemap: {HOST}/sitemap.xml\n" in text
    assert "Disallow: /benchmarks" not in text


def told(page: Page) -> dict[str, str]:
    """What the head of a page tells, by name or property."""
    head = page.root.one("head")
    metas = {
        one.attributes.get("property") or one.attributes.get("name", ""): one.attributes["content"]
        for one in head.all("meta")
        if "content" in one.attributes
    }
    links = {one.attributes["rel"]: one.attributes["href"] for one in head.all("link")}
    return metas | links


def test_a_page_that_is_shared_says_what_it_is(seeded: Orchard) -> None:
    """OpenGraph: title, a sentence on what it says now, the address with its host."""
    found = told(page_of(at_host(seeded).page(f"{BIG}?sort=model")))
    assert found["og:title"] == "BigCodeBench"
    assert found["og:description"].startswith(
        "2 models share the top score of 60.6% in all claims."
    )
    assert found["og:site_name"] == "Corrigenda"
    assert found["og:url"] == f"{HOST}{BIG}"
    assert found["canonical"] == BIG
    assert "og:url" not in told(page_of(seeded.page(BIG)))
    assert "2 models of OpenAI" in told(page_of(seeded.page("/labs/openai")))["description"]


@pytest.mark.parametrize("query", ["", "?view=labs", "?sort=model", f"?as_read_on={NOW.date()}"])
def test_the_page_of_now_may_be_found(orchard: Orchard, query: str) -> None:
    """In any view and order."""
    assert "robots" not in told(page_of(orchard.page(f"{BOARD}{query}")))


@pytest.mark.parametrize(
    "query",
    ["as_read_on=2025-07-28", "corrected=since", "recorded_through=40", "published_by=2025-07-01"],
)
def test_the_page_of_another_time_is_for_those_who_ask(orchard: Orchard, query: str) -> None:
    """A search engine that found it would show an old number as today's."""
    found = told(page_of(orchard.page(f"{BOARD}?{query}")))
    assert found["robots"] == "noindex"
    assert found["canonical"] == BOARD


# --- a board as a data set --------------------------------------------------------------------


def test_a_board_is_a_dataset_of_schema_org(seeded: Orchard) -> None:
    """Name, description, version, what is measured, and its downloads at the same moment."""
    here = at_host(seeded)
    address = told(page_of(here.page(f"{BIG}?as_read_on={READ_ON}&view=labs")))
    assert address["alternate"].startswith(f"{BIG}.jsonld?")
    response = here.get(address["alternate"])
    assert response.mimetype == "application/ld+json"
    data = response.get_json(force=True)
    query = f"?as_read_on={READ_ON}&view=labs"
    assert (data["@context"], data["@type"]) == ("https://schema.org", "Dataset")
    assert data["url"] == data["@id"] == f"{HOST}{BIG}{query}"
    assert data["name"] == "BigCodeBench: Labs’ own numbers, pass@1"
    assert 50 <= len(data["description"]) <= 5_000
    assert data["version"] == str(seeded.head)
    assert data["variableMeasured"]["unitText"] == "%"
    downloads = {one["encodingFormat"]: one["contentUrl"] for one in data["distribution"]}
    assert downloads == {
        "text/csv": f"{HOST}{BIG}.csv{query}",
        "application/json": f"{HOST}{BIG}.json{query}",
    }
    for url in downloads.values():
        assert here.get(url.removeprefix(HOST)).status_code == 200
    assert here.get("/benchmarks/unknown.jsonld").status_code == 404


# --- what went wrong --------------------------------------------------------------------------


def test_a_page_that_was_asked_wrongly_leads_to_the_same_page_asked_rightly(
    orchard: Orchard,
) -> None:
    """400 with the reason, and the page without what could not be asked."""
    page = page_of(orchard.get(f"{BOARD}?as_read_on=2025-02-30").text)
    assert "day is out of range" in page.main.text
    link = page.main.links()["The same page, without what this address asks of it"]
    assert link == BOARD
    assert orchard.get(link).status_code == 200


@pytest.mark.parametrize("path", ["/nowhere", "//evil.example", f"/{HOSTILE}", "/benchmarks/no"])
def test_a_page_that_is_not_there_says_what_to_do_and_leads_nowhere_else(
    orchard: Orchard, path: str
) -> None:
    """404: the search, all benchmarks; nothing of the address is a link."""
    response = orchard.client.get("/", environ_overrides={"PATH_INFO": path})
    page = page_of(response.text)
    assert response.status_code == 404
    assert "The search at the top looks through all benchmarks" in page.main.text
    assert set(page.main.links().values()) == {"/", "/login"}
