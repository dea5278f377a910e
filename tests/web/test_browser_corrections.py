"""The log in a real browser: without scripts, at two widths, in the light and in the dark."""

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from ledger import commands as orders
from tests.web.kites import GLIDER, HERON, IBIS, Kites
from tests.web.served import WIDTHS, overflow, served, unfold

LONG = "A_very_long_word_without_a_place_to_break_" * 8
PAGES = [
    "/corrections",
    "/corrections?q=table&benchmark=kitebench&count=2",
    "/corrections?q=nothing-of-the-kind",
    "/corrections?as_read_on=2025-07-02",
    "/corrections/1",
    "/corrections/2",
    "/corrections/3",
    "/corrections/4",
    "/corrections/5",
    "/corrections/6",
    "/benchmarks/kitebench?as_read_on=2025-06-15",
    f"/claims/{HERON}?as_read_on=2025-06-15",
]


@pytest.fixture
def address(kites: Kites) -> Iterator[str]:
    """A log with a bit of everything, served on loopback."""
    first = kites.correct("70.1")
    kites.reverse(kites.correct("71.0", replaces=first, statement=LONG))
    kites.wait(days=2)
    kites.decide(orders.Retract(claim=IBIS, applies_from="start"), type="retraction")
    kites.decide(statement="Nothing is wrong with it.")
    kites.correct("15.5", GLIDER, by="clara")
    kites.withdraw(kites.file())
    kites.file()
    kites.wait(days=1)
    with served(kites.app) as address:
        yield address


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_axe_finds_nothing(browser: Browser, address: str, width: int, scheme: str) -> None:
    """No accessibility rule of axe is broken, with everything folded out."""
    context = browser.new_context(
        viewport={"width": width, "height": 900},
        color_scheme="dark" if scheme == "dark" else "light",
    )
    page = context.new_page()
    for path in PAGES:
        page.goto(f"{address}{path}")
        unfold(page)
        found = Axe().run(page).response["violations"]
        assert not found, f"{path}: {[(one['id'], one['nodes'][0]['html']) for one in found]}"
    context.close()


def test_the_browser_has_nothing_to_complain_about(page: Page, address: str) -> None:
    """Nothing that the policy blocks, nothing missing: the markup says it without a script."""
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    for path in PAGES:
        page.goto(f"{address}{path}", wait_until="networkidle")
    assert not said


@pytest.mark.parametrize("width", WIDTHS)
def test_no_page_of_the_log_scrolls_sideways(page: Page, address: str, width: int) -> None:
    """Wide tables scroll inside their own region, long words break."""
    page.set_viewport_size({"width": width, "height": 900})
    for path in PAGES:
        page.goto(f"{address}{path}")
        unfold(page)
        assert overflow(page) == 0, path


@pytest.mark.parametrize("width", WIDTHS)
def test_the_log_is_narrowed_and_paged_without_scripts(
    browser: Browser, address: str, width: int
) -> None:
    """The form sends empty fields too; the list, its pages and the notice follow by links."""
    context = browser.new_context(
        java_script_enabled=False, viewport={"width": width, "height": 900}
    )
    page = context.new_page()
    page.goto(f"{address}/corrections?count=1")
    page.get_by_label("Words that have to occur").fill("table")
    page.get_by_text("By subject, benchmark, paper").click()
    page.get_by_label("Benchmark").select_option("KiteBench v1")
    page.get_by_role("button", name="Narrow the list").click()
    expect(page.get_by_role("heading", name="2 entries of 6")).to_be_visible()
    page.get_by_role("link", name="Older entries").click()
    expect(page.get_by_label("Words that have to occur")).to_have_value("table")
    page.get_by_role("link", name="Correction 1", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(
        "Correction 1: Heron-7B on KiteBench v1"
    )
    page.get_by_role(
        "link", name="The board before (KiteBench v1, score, Independent runs)"
    ).click()
    expect(page.get_by_role("note").first).to_contain_text("only what the ledger held at position")
    context.close()


def test_a_person_with_only_a_keyboard_gets_from_the_board_to_the_notice(
    page: Page, address: str
) -> None:
    """A mark is a link like any other."""
    page.goto(f"{address}/benchmarks/kitebench")
    mark = page.get_by_role("link", name="corrected", exact=True)
    for _ in range(80):
        page.keyboard.press("Tab")
        if mark.evaluate("one => one === document.activeElement"):
            break
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{address}/corrections/1")
