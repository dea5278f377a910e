"""Pages that were made before are given out again, as long as they say what is true."""

import gzip
from collections.abc import Iterable
from typing import Any

import pytest

from tests.web.orchard import BOARD, Orchard
from tests.web.said import describe
from web.pinned_pages import PinnedPages
from web.site import NAME
from web.whole_pages import LARGEST, LONGEST_KEY, WholePage, WholePages

DAY = "2025-07-30"


def pages_of(orchard: Orchard) -> PinnedPages:
    """What stands in front of the application, behind who observes it."""
    observed: Any = orchard.app.wsgi_app
    assert isinstance(observed.app, PinnedPages)
    return observed.app


def pinned(orchard: Orchard) -> str:
    """The board's address as read on a day, and as the ledger holds it now."""
    head = orchard.workspace.ledger.store.head()
    return f"{BOARD}?as_read_on={DAY}&recorded_through={head}"


def test_a_pinned_page_is_made_once_and_stays_the_same(orchard: Orchard) -> None:
    """Whoever asks next gets the same bytes and headers, without the page being made."""
    address = pinned(orchard)
    first, second = orchard.get(address), orchard.get(address)
    assert pages_of(orchard).given == 1
    assert (first.data, list(first.headers)) == (second.data, list(second.headers))
    assert "immutable" in second.headers["Cache-Control"]
    assert second.headers["Content-Security-Policy"].startswith("default-src 'none'")


def test_whoever_holds_a_pinned_page_is_told_that_it_is_unchanged(orchard: Orchard) -> None:
    """With the tag, and without a body; also when the tag is one of several."""
    address = pinned(orchard)
    tag = orchard.get(address).headers["ETag"]
    for held in (tag, f'"other", {tag}'):
        answer = orchard.app.test_client().get(address, headers={"If-None-Match": held})
        assert (answer.status_code, answer.data) == (304, b"")
        assert answer.headers["ETag"] == tag
    assert pages_of(orchard).given == 2
    for held in ("*", '"other"'):
        answer = orchard.app.test_client().get(address, headers={"If-None-Match": held})
        assert answer.status_code == 200, held


def test_a_page_is_kept_for_each_coding(orchard: Orchard) -> None:
    """What went out compressed goes to those alone who take it so."""
    address, client = pinned(orchard), orchard.app.test_client()
    for _ in range(2):
        coded = client.get(address, headers={"Accept-Encoding": "gzip"})
        plain = client.get(address)
        assert coded.headers["Content-Encoding"] == "gzip"
        assert "Content-Encoding" not in plain.headers
        assert gzip.decompress(coded.data) == plain.data


@pytest.mark.parametrize(
    "address",
    [
        BOARD,
        f"{BOARD}?as_read_on={DAY}",
        f"{BOARD}?as_read_on={DAY}&recorded_through=999999",
        f"{BOARD}?as_read_on={DAY}&recorded_through=2025-08-01T00:00:00Z",
        f"{BOARD}?recorded_through=x",
        "/benchmarks/nowhere?recorded_through=1",
        "/review?recorded_through=1",
        "/login?recorded_through=1",
    ],
)
def test_nothing_else_is_given_out_of_here(orchard: Orchard, address: str) -> None:
    """Neither pages of today, nor refusals, nor what is somebody's own."""
    for _ in range(2):
        orchard.get(address)
    assert pages_of(orchard).given == 0


def test_another_name_of_the_server_is_another_page(orchard: Orchard) -> None:
    """Its addresses stand on the page."""
    address, client = pinned(orchard), orchard.app.test_client()
    one = client.get(address, headers={"Host": "one.example"})
    other = client.get(address, headers={"Host": "other.example"})
    assert b"one.example" in one.data
    assert b"one.example" not in other.data


def test_posting_is_never_answered_from_here(orchard: Orchard) -> None:
    """What may change something goes to the application."""
    address = pinned(orchard)
    orchard.get(address)
    assert orchard.app.test_client().post(address).status_code == 405


def test_what_is_kept_is_bounded() -> None:
    """In all and for each page; what nobody asked for longest goes first."""
    made: list[str] = []

    def app(environ: Any, start_response: Any) -> Iterable[bytes]:
        query = environ["QUERY_STRING"]
        made.append(query)
        body = b"x" * (LARGEST + 1 if "huge" in query else 400)
        named = [
            ("Cache-Control", "public, max-age=31536000, immutable"),
            ("Content-Length", str(len(body))),
        ]
        start_response("200 OK", named)
        return [body]

    pages = PinnedPages(app, WholePages(1300))

    def ask(query: str) -> bytes:
        environ = {"REQUEST_METHOD": "GET", "QUERY_STRING": query}
        return b"".join(pages(environ, lambda *_: bool))

    one, two, three = (f"recorded_through={number}" for number in (1, 2, 3))
    for query in (one, two, one, three, one, two):
        ask(query)
    assert made == [one, two, three, two]
    huge = "recorded_through=1&huge"
    assert len(ask(huge)) == len(ask(huge)) == LARGEST + 1
    assert made[-2:] == [huge, huge]


def test_long_words_of_whoever_asks_take_no_room() -> None:
    """What a page is kept under counts as the page does, and is bounded itself."""
    pages = WholePages(20_000)
    for number in range(100):
        pages.keep((number, "x" * 1_000), WholePage([("Vary", "Accept-Encoding")], "", b"x"))
    assert pages.find((0, "x" * 1_000)) is None
    assert pages.find((99, "x" * 1_000)) is not None
    assert sum(pages.find((number, "x" * 1_000)) is not None for number in range(100)) <= 20
    pages.keep("x" * (LONGEST_KEY + 1), WholePage([], "", b"x"))
    assert pages.find("x" * (LONGEST_KEY + 1)) is None


def test_a_page_of_now_is_given_again_until_something_is_recorded(orchard: Orchard) -> None:
    """Its tag names the position: another event makes another page, and nothing is out of date."""
    whole = orchard.app.extensions[NAME].whole
    first, second = orchard.get(BOARD), orchard.get(BOARD)
    assert whole.given == 1
    assert (first.data, list(first.headers)) == (second.data, list(second.headers))
    describe(orchard, description="Said anew")
    third = orchard.get(BOARD)
    assert whole.given == 1
    assert "Said anew" in third.text
    assert "Said anew" not in second.text
