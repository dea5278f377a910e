"""Papers, samples and windows in a real browser: wide, narrow, light, dark, without scripts."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.shelf import CODES, LABEL
from tests.web.served import WIDTHS, axe_finds_nothing, served
from tests.web.shelved import GRAFTS, WINDOW, Shelved, shelved

__all__ = ["shelved"]

PAGES = [
    GRAFTS,
    f"{GRAFTS}?as_read_on=2025-08-01",
    "/papers",
    "/?q=graft",
    f"/samples/{CODES[1]}",
    f"/labels/{LABEL}",
    f"/probes/{WINDOW}",
    "/probes",
]


@pytest.fixture
def address(shelved: Shelved) -> Iterator[str]:
    """The made-up paper, served on loopback."""
    app = shelved.pages.app
    with served(app) as address:
        yield address


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_axe_finds_nothing_and_nothing_scrolls_sideways(
    browser: Browser, address: str, width: int, scheme: str
) -> None:
    """WCAG 2.2 with contrast in both schemes."""
    axe_finds_nothing(browser, address, PAGES, width=width, scheme=scheme)


def test_a_reader_goes_back_in_time_without_scripts(browser: Browser, address: str) -> None:
    """From what ran to the archive alone, by the form and by the link to the change before."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}{GRAFTS}")
    expect(page.get_by_role("heading", name="Code that Greenhouse ran")).to_be_visible()
    page.get_by_role("link", name="Previous change").click()
    page.get_by_label("As read on (UTC)").fill("2025-08-01")
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.get_by_text("nothing is said of what ran")).to_be_visible()
    expect(page.get_by_text("nothing of reachability shows")).to_be_visible()
    context.close()


def test_on_a_narrow_screen_a_sample_is_a_card_with_all_of_its_cells(
    page: Page, address: str
) -> None:
    """A table still for those who hear it; licence and reason are in sight without a pointer."""
    page.set_viewport_size({"width": 360, "height": 900})
    page.goto(f"{address}{GRAFTS}")
    table = page.get_by_role("table", name="Sample by sample")
    row = table.get_by_role("row").filter(has_text=CODES[1])
    for said in ("Finch/grafts", "ran · our draft was wrong", "the instrument", "pointer only"):
        expect(row.get_by_role("cell").filter(has_text=said).first).to_be_visible()
    expect(row.get_by_role("link", name="Report")).to_be_visible()


def test_one_click_takes_the_whole_call(page: Page, address: str) -> None:
    """So it can be copied without scripts."""
    page.goto(f"{address}{GRAFTS}")
    call = page.get_by_text("get_harvested_code_for_paper(")
    call.click()
    taken = page.evaluate("window.getSelection().toString()")
    assert taken == 'get_harvested_code_for_paper(arxiv_id="2603.01234")'
