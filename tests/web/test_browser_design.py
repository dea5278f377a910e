"""The design in a real browser: the seed pages wide and narrow, light and dark, and on paper."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.orchard import Orchard
from tests.web.seeded import BIG, READ_ON, SMALL, seeded, seeded_once
from tests.web.served import WIDTHS, axe_finds_nothing, overflow, served

__all__ = ["seeded", "seeded_once"]

PAGES = [
    "/",
    "/?q=deepseek",
    BIG,
    f"{SMALL}?as_read_on={READ_ON}",
    "/labs/deepseek",
    "/models/gpt-4o-2024-05",
    "/sources/bigcodebench-leaderboard",
    "/nowhere",
    f"{BIG}?as_read_on=2025-02-30",
]
SHIFTS = """
() => {
  window.shifts = 0;
  new PerformanceObserver(list => {
    for (const one of list.getEntries()) if (!one.hadRecentInput) window.shifts += one.value;
  }).observe({type: "layout-shift", buffered: true});
}
"""
DENSE = 34
"""Pixels of a row of the board on a wide screen, of one line."""


@pytest.fixture
def address(seeded: Orchard) -> Iterator[str]:
    """The demo's benchmarks, served on loopback."""
    with served(seeded.app) as address:
        yield address


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_axe_finds_nothing_on_the_seed_pages(
    browser: Browser, address: str, width: int, scheme: str
) -> None:
    """WCAG 2.2 with contrast in both schemes; nothing scrolls sideways as a whole."""
    axe_finds_nothing(browser, address, PAGES, width=width, scheme=scheme)


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_moves_while_a_page_comes_in(browser: Browser, address: str, width: int) -> None:
    """Cumulative layout shift is nought, from the first line to the last picture."""
    context = browser.new_context(viewport={"width": width, "height": 900})
    context.add_init_script(f"({SHIFTS})()")
    page = context.new_page()
    for path in PAGES:
        page.goto(f"{address}{path}", wait_until="networkidle")
        page.keyboard.press("End")
        page.wait_for_function("() => document.fonts.status === 'loaded'")
        assert page.evaluate("window.shifts") == 0, path
    context.close()


def test_the_first_page_travels_light(page: Page, address: str) -> None:
    """All that a browser fetches for a board of 83 rows, as it is coded on the way."""
    sizes: list[int] = []
    page.on("requestfinished", lambda one: sizes.append(one.sizes()["responseBodySize"]))
    page.goto(f"{address}{BIG}", wait_until="networkidle")
    assert len(sizes) > 2
    assert sum(sizes) < 100_000 // 2


def test_a_wide_board_is_dense_and_keeps_its_head_in_sight(page: Page, address: str) -> None:
    """A row takes one line; far down the page the names of the columns are still there."""
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(f"{address}{BIG}")
    rows = page.locator("table.board").first.locator("tbody tr")
    expect(rows).to_have_count(83)
    heights = rows.evaluate_all("all => all.map(one => one.getBoundingClientRect().height)")
    assert sorted(heights)[len(heights) // 2] <= DENSE
    rows.nth(60).scroll_into_view_if_needed()
    head = page.locator("table.board").first.locator("thead th").first
    expect(head).to_be_in_viewport()


def test_on_a_narrow_screen_a_row_is_a_card_with_all_of_its_cells(page: Page, address: str) -> None:
    """It is a table still for those who hear it, and nothing of a row is left out."""
    page.set_viewport_size({"width": 360, "height": 900})
    page.goto(f"{address}{BIG}")
    table = page.get_by_role("table", name="All, claims included: pass@1")
    row = table.get_by_role("row").nth(4)
    expect(row.get_by_role("rowheader")).to_contain_text("GPT-4o May 2024")
    for said in ("4", "56.1%", "May 2024", "Official BigCodeBench leaderboard", "tied"):
        expect(row.get_by_role("cell").filter(has_text=said).first).to_be_visible()
    expect(row.get_by_role("link", name="Report a problem")).to_be_visible()
    box, screen = row.bounding_box(), page.viewport_size
    assert box is not None
    assert screen is not None
    assert box["x"] + box["width"] <= screen["width"]
    assert box["height"] < 120


@pytest.mark.parametrize("width", WIDTHS)
def test_view_order_and_search_work_without_scripts(
    browser: Browser, address: str, width: int
) -> None:
    """Tabs, heads of columns and the search are links and a form."""
    context = browser.new_context(
        java_script_enabled=False, viewport={"width": width, "height": 900}
    )
    page = context.new_page()
    page.goto(f"{address}{BIG}?as_read_on={READ_ON}")
    whose = page.get_by_role("navigation", name="Whose numbers")
    whose.get_by_role("link", name="Independent runs").click()
    expect(page).to_have_url(f"{address}{BIG}?as_read_on={READ_ON}&view=independent")
    table = page.get_by_role("table", name="Independent runs: pass@1")
    table.get_by_role("link", name="Date", exact=True).click()
    expect(table.get_by_role("row").nth(1)).to_contain_text("Jun 2023")
    expect(table.get_by_role("columnheader", name="Date")).to_have_attribute(
        "aria-sort", "ascending"
    )
    table.get_by_role("link", name="Date", exact=True).click()
    expect(table.get_by_role("row").nth(1)).to_contain_text("Apr 2025")
    page.get_by_label("Find by name").fill("gpt-4o mini")
    page.get_by_role("button", name="Find").click()
    page.get_by_role("link", name="GPT-4o mini").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("GPT-4o mini")
    context.close()


def test_a_reader_finds_the_source_of_a_number_in_three_clicks(page: Page, address: str) -> None:
    """From the index: the benchmark, the number, its frozen source."""
    page.goto(f"{address}/")
    page.get_by_role("link", name="BigCodeBench").first.click()
    board = page.get_by_role("table", name="All, claims included: pass@1")
    board.get_by_role("link", name="DeepSeek-V3", exact=True).click()
    page.get_by_role("link", name="Official BigCodeBench leaderboard").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Official BigCodeBench leaderboard")
    expect(page.get_by_role("table").first).to_contain_text("12 Nov 2026")


def test_on_paper_there_is_all_that_can_be_read_and_nothing_to_press(
    page: Page, address: str
) -> None:
    """Every row with its bar; no forms, no links for reporting, no navigation."""
    page.goto(f"{address}{BIG}")
    page.emulate_media(media="print")
    rows = page.locator("table.board").first.locator("tbody tr")
    expect(rows.last).to_be_visible()
    expect(rows.last.locator(".bar")).to_be_visible()
    expect(page.get_by_role("heading", name="BigCodeBench")).to_be_visible()
    for hidden in ("form", ".report-link", "header nav", ".skip"):
        for one in page.locator(hidden).all():
            expect(one).to_be_hidden()
    assert overflow(page) == 0
