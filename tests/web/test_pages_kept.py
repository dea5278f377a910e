"""How long a page may be kept: a pinned one for ever, any other until the next event or day."""

from datetime import timedelta

import pytest

from tests.web.flat_page import Page
from tests.web.orchard import BIRCH, BOARD, NOW, WRONG, Orchard, correct, read_board
from tests.web.orchard_addresses import ADDRESSES, DAY, JSON_ADDRESSES, asked_by, scores

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
