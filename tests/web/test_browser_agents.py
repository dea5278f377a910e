"""What pages say to agents, in a real browser: the calls to be taken, and how to connect."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.web.kites import HERON, Kites
from tests.web.served import WIDTHS, axe_finds_nothing, overflow, served


@pytest.fixture
def address(kites: Kites) -> Iterator[str]:
    """The kites with a decision, served on loopback."""
    kites.correct("73.1")
    with served(kites.app) as address:
        yield address


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_how_to_connect(browser: Browser, address: str, scheme: str) -> None:
    """Nor does anything scroll sideways, wide or narrow."""
    for width in WIDTHS:
        axe_finds_nothing(browser, address, ["/agents"], width=width, scheme=scheme)


def test_one_click_takes_a_call_without_scripts(browser: Browser, address: str) -> None:
    """On boards, claims and decisions; beside it stands the way to how to connect."""
    context = browser.new_context(viewport={"width": 360, "height": 800})
    page = context.new_page()
    for path, call in (
        ("/benchmarks/kitebench", 'get_board(slug="kitebench")'),
        (f"/claims/{HERON}", f'get_claim(claim_id="{HERON}")'),
        ("/corrections/1", "get_correction(number=1)"),
    ):
        page.goto(f"{address}{path}")
        assert overflow(page) == 0
        page.locator(".call").click()
        assert page.evaluate("window.getSelection().toString()") == call
    page.get_by_role("link", name="how to connect").click()
    expect(page.get_by_role("heading", name="How to connect")).to_be_visible()
    context.close()
